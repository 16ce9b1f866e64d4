package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// Engine is an engine under test.
type Engine interface {
	api.Service
	// Tidy does what a server does when it is idle.
	Tidy(context.Context) error
	Close(context.Context) error
}

// Stored is what a store holds of one generation: what its names and facts are
// compared by.
type Stored interface {
	graph.View
	Files(yield func(graph.File) bool)
	Release()
}

// Config says how engines are opened and compared.
type Config struct {
	// Open opens an engine on a tree; "" as index directory is the usual place in the
	// tree. A cold one answers for the disk as it is, and needs no background work.
	Open func(ctx context.Context, workspace, indexDir string, cold bool) (Engine, error)
	// Stored opens what the engine has stored. Nil: it is not compared.
	Stored func(Engine) (Stored, error)
	// Watched says that the engine hears of changes and does not look for them: that a
	// link leads to another kind of thing now, it learns only when it looks at all.
	Watched bool
	// Work is an existing directory for the tree and the indexes.
	Work string
}

// Counts are what a run did.
type Counts struct {
	Steps, Barriers, Greps, Questions, Early, Names, Files int
}

// Add adds what another run did.
func (c *Counts) Add(o Counts) {
	c.Steps += o.Steps
	c.Barriers += o.Barriers
	c.Greps += o.Greps
	c.Questions += o.Questions
	c.Early += o.Early
	c.Names += o.Names
	c.Files = max(c.Files, o.Files)
}

func (c Counts) String() string {
	return fmt.Sprintf("%d steps, %d barriers, %d searches, %d questions, %d answers right after a change, %d names, at most %d files",
		c.Steps, c.Barriers, c.Greps, c.Questions, c.Early, c.Names, c.Files)
}

// Failure is a difference between what an engine says and the truth.
type Failure struct {
	Step   int    // index of the barrier in the script
	What   string // what was compared
	Detail string // how it differs
}

func (f *Failure) Error() string {
	return fmt.Sprintf("step %d: %s: %s", f.Step, f.What, f.Detail)
}

// kind is the first word of what was compared.
func (f *Failure) kind() string {
	k, _, _ := strings.Cut(f.What, " ")
	return k
}

func differs(what, format string, args ...any) *Failure {
	return &Failure{What: what, Detail: fmt.Sprintf(format, args...)}
}

// run is one script on its way.
type run struct {
	c      Config
	disk   *disk
	engine Engine
	counts Counts
	colds  int
	places []string   // how definitions could be named at the last barrier
	idle   chan error // result of the idle work that is under way; nil: there is none
}

// Replay runs a script on an empty tree. The error is a *Failure when an answer was
// wrong.
func Replay(ctx context.Context, c Config, s Script) (Counts, error) {
	r, err := begin(ctx, c)
	if err != nil {
		return Counts{}, err
	}
	for i, step := range s {
		if err := r.do(ctx, i, step); err != nil {
			return r.counts, errors.Join(err, r.end(ctx))
		}
	}
	return r.counts, r.end(ctx)
}

// Random runs a script that it makes up on the way, with a barrier after each every
// steps, and returns it.
func Random(ctx context.Context, c Config, seed uint64, steps, every int) (Script, Counts, error) {
	r, err := begin(ctx, c)
	if err != nil {
		return nil, Counts{}, err
	}
	ch := &chooser{rng: rand.New(rand.NewPCG(seed, 1))}
	var s Script
	add := func(step Step) error {
		s = append(s, step)
		return r.do(ctx, len(s)-1, step)
	}
	for i := range steps {
		step := ch.next(r.disk.list())
		if i < 12 { // something to begin with
			step = ch.step(OpWrite, listing{})
		}
		err := add(step)
		if err == nil && (i%every == every-1 || i == steps-1) {
			err = add(Step{Op: OpBarrier, N: i})
		}
		if err != nil {
			return s, r.counts, errors.Join(err, r.end(ctx))
		}
	}
	return s, r.counts, r.end(ctx)
}

func begin(ctx context.Context, c Config) (*run, error) {
	d, err := newDisk(ctx, c.Work)
	if err != nil {
		return nil, err
	}
	r := &run{c: c, disk: d}
	return r, r.open(ctx)
}

func (r *run) open(ctx context.Context) error {
	e, err := r.c.Open(ctx, r.disk.dir, "", false)
	if err != nil {
		return fmt.Errorf("open the engine under test: %w", err)
	}
	r.engine = e
	return nil
}

func (r *run) end(ctx context.Context) error {
	if r.engine == nil {
		return nil
	}
	if err := errors.Join(r.tidied(), r.engine.Close(context.WithoutCancel(ctx))); err != nil {
		return fmt.Errorf("close the engine under test: %w", err)
	}
	return nil
}

// do does one step.
func (r *run) do(ctx context.Context, i int, s Step) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.counts.Steps++
	var err error
	switch s.Op {
	case OpAsk:
		err = r.ask(ctx, s.N)
	case OpRefresh:
		_, err = r.require(ctx)
	case OpReindex, OpFull:
		err = r.reindex(ctx, s)
	case OpReopen:
		if err = errors.Join(r.tidied(), r.engine.Close(ctx)); err == nil {
			r.engine = nil
			err = r.open(ctx)
		}
	case OpTidy:
		err = r.tidy(ctx, s.N%2 == 1)
	case OpBarrier:
		r.counts.Barriers++
		err = r.barrier(ctx, s.N)
	default:
		r.disk.apply(ctx, s)
	}
	var f *Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		f.Step = i
		return f
	}
	return fmt.Errorf("step %d, %s: %w", i, s, err)
}

// tidy has idle work done, beside the next steps or at once.
func (r *run) tidy(ctx context.Context, beside bool) error {
	if err := r.tidied(); err != nil {
		return err
	}
	e, done := r.engine, make(chan error, 1)
	go func() { done <- e.Tidy(ctx) }()
	if r.idle = done; beside {
		return nil
	}
	return r.tidied()
}

// tidied waits for the idle work that is under way.
func (r *run) tidied() error {
	if r.idle == nil {
		return nil
	}
	err := <-r.idle
	r.idle = nil
	return err
}

// plenty is a limit that no question of a small tree meets.
const plenty = query.MaxTimeoutMS

// require asks a question that needs a fresh answer, and checks that it is one.
func (r *run) require(ctx context.Context) (*api.GraphAnswer, error) {
	req := &api.GraphRequest{Request: query.Request{Type: query.Hubs}, Freshness: api.Required, TimeoutMS: plenty}
	ans, err := r.engine.Graph(ctx, req)
	if err != nil {
		return nil, err
	}
	for _, w := range ans.MissingData {
		if w == query.MissingFreshness || w == query.MissingIndex {
			return nil, differs("freshness", "a question that required a fresh answer got %s", w)
		}
	}
	// A tree that never held a file has no generation to answer from.
	if !ans.IndexUsed && ans.IndexGeneration > 0 {
		return nil, differs("freshness", "a required answer says %+v", ans.Freshness)
	}
	return ans, nil
}

// settleTime is how long a server may take to index what it knows of by itself.
const settleTime = time.Minute

// settle is require, until nothing that is known to have changed is left, nor anything
// that may have: an answer needs only the changed files that concern it, and an event
// that is heard late is about what a sweep has seen already.
func (r *run) settle(ctx context.Context) (*api.GraphAnswer, error) {
	for deadline := time.Now().Add(settleTime); ; {
		ans, err := r.require(ctx)
		if err != nil {
			return nil, err
		}
		s, err := r.engine.Status(ctx)
		if err != nil {
			return nil, err
		}
		if !s.IsStale && !ans.IsStale && ans.DirtyPathsCount+ans.StalePathsCount == 0 {
			return ans, nil
		}
		if time.Now().After(deadline) {
			return nil, differs("freshness", "changed files stay unindexed: %+v", ans.Freshness)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ask asks as an agent does in the middle of its work: what is remembered on the way
// must not be found in a later answer.
func (r *run) ask(ctx context.Context, n int) error {
	rng := rand.New(rand.NewPCG(uint64(n), 2))
	for range 2 {
		req := &api.GraphRequest{Request: randomQuestion(rng, nil), TimeoutMS: plenty}
		req.Freshness = []api.Policy{api.PreferFresh, api.AllowStale}[rng.IntN(2)]
		var refused *api.Error
		if _, err := r.engine.Graph(ctx, req); err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	_, err := r.engine.Grep(ctx, &api.GrepRequest{Pattern: "needle", CaseSensitive: true})
	return err
}

func (r *run) reindex(ctx context.Context, s Step) error {
	req := &api.ReindexRequest{Mode: api.ReindexChanged}
	if s.Op == OpFull {
		req.Mode = api.ReindexFull
	}
	if s.Path != "" {
		req.Scope = []string{s.Path}
	}
	ans, err := r.engine.Reindex(ctx, req, nil)
	var refused *api.Error
	switch {
	case errors.As(err, &refused) && s.Path != "":
		return nil // the scope leads out of the tree
	case err != nil:
		return err
	case ans.ErrorSummary != nil:
		return differs("reindex", "%s: %s", ans.JobStatus, *ans.ErrorSummary)
	}
	return nil
}

// cold opens an engine on a new index of the tree as it is.
func (r *run) cold(ctx context.Context) (e Engine, done func(), err error) {
	r.colds++
	dir := filepath.Join(r.c.Work, fmt.Sprintf("cold%d", r.colds))
	if e, err = r.c.Open(ctx, r.disk.dir, dir, true); err != nil {
		return nil, nil, fmt.Errorf("open a cold engine: %w", err)
	}
	done = func() {
		_ = e.Close(context.WithoutCancel(ctx))
		_ = os.RemoveAll(dir)
	}
	ans, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
	switch {
	case err != nil:
	case ans.ErrorSummary != nil:
		err = errors.New(*ans.ErrorSummary)
	case ans.JobStatus != api.JobOK && ans.JobStatus != api.JobSkipped:
		err = fmt.Errorf("the job ended as %s", ans.JobStatus)
	}
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("index the tree anew: %w", err)
	}
	return e, done, nil
}

// shrinkTries is how often a script is run again before its failure counts as chance.
const shrinkTries = 3

// Shrink makes a failing script smaller as long as there is time. Each attempt runs
// in a directory of its own below Work.
func Shrink(ctx context.Context, c Config, s Script, until time.Time) Script {
	var kind string
	fails := func(s Script) bool {
		dir, err := os.MkdirTemp(c.Work, "shrink-")
		if err != nil {
			return false
		}
		defer func() { _ = os.RemoveAll(dir) }()
		try := c
		try.Work = dir
		var f *Failure
		_, err = Replay(ctx, try, s)
		if !errors.As(err, &f) || kind != "" && f.kind() != kind {
			return false
		}
		kind = f.kind() // a smaller script that fails in another way says nothing of this one
		return true
	}
	tries := 1
	for ; !fails(s) && tries < shrinkTries; tries++ {
	}
	if kind == "" {
		return s // it fails by chance
	}
	return shrink(s, fails, func() bool { return ctx.Err() == nil && time.Now().Before(until) })
}

// shrink drops steps while the rest fails.
func shrink(s Script, fails func(Script) bool, more func() bool) Script {
	// All barriers but the last one only have to bring the engine up to date.
	quick := append(Script{}, s...)
	for i := range quick[:max(len(quick)-1, 0)] {
		if quick[i].Op == OpBarrier {
			quick[i] = Step{Op: OpRefresh}
		}
	}
	if fails(quick) {
		s = quick
	}
	for size := max(len(s)/2, 1); ; size = max(size/2, 1) {
		dropped := false
		for at := len(s) - 1 - size; at > -size && more(); at -= size {
			lo := max(at, 0)
			try := append(append(Script{}, s[:lo]...), s[min(at+size, len(s)):]...)
			if len(try) < len(s) && fails(try) {
				s, dropped = try, true
			}
		}
		if !more() || size == 1 && !dropped {
			return s
		}
	}
}
