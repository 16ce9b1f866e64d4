package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

const (
	// defaultTimeout bounds a question whose caller set no limit.
	defaultTimeout = query.DefaultTimeoutMS * time.Millisecond
	// cheapSweep is how long a sweep may take for one to be made before every
	// question that merely prefers a fresh answer.
	cheapSweep = 50 * time.Millisecond
	// firstBudget bounds what the first question of a process spends on finding out
	// what changed while nobody looked.
	firstBudget = 2 * time.Second
	// sweepAgain is the time within which a cheap sweep is not repeated: it is shorter
	// than what an agent needs between two calls.
	sweepAgain = 2 * time.Millisecond
	// sweepAtLeast is the age of the last sweep at which a dear one is repeated too.
	sweepAtLeast = 3 * time.Second
	// preferBudget bounds what such a question spends on sweeping and on known changes.
	preferBudget = 500 * time.Millisecond
)

// Graph answers a graph question at the freshness it asks for.
func (l *local) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if req.Cancel {
		return l.bare(req, query.MissingCancelled), nil
	}
	limit := time.Duration(req.TimeoutMS) * time.Millisecond
	if _, has := ctx.Deadline(); limit <= 0 && !has {
		limit = defaultTimeout
	}
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	if l.x == nil {
		ans := l.bare(req, query.MissingIndex)
		ans.FallbackReason = reason(api.FallbackNoIndex) // Status says why there is none
		if l.o.NoIndex {
			ans.FallbackReason = reason(api.FallbackIndexDisabled)
		}
		return ans, nil
	}
	if scope := string(req.ScopePath); scope != "" {
		known, err := l.known("scope_path", scope, req.ScopePath)
		if err != nil {
			return nil, err
		}
		asked := *req
		asked.ScopePath = known
		req = &asked
	}
	return l.x.graph(ctx, req)
}

// recheckRounds bounds how often a question is asked again because files that the
// answer used had changed: each new answer may use other files.
const recheckRounds = 3

func (x *index) graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if !x.freshen(ctx, req.Freshness) {
		return x.unkept(ctx, req), nil
	}
	ans, view, err := x.question(ctx, req)
	if err != nil {
		return nil, err
	}
	defer func() { view.Release() }()
	if req.Freshness != api.AllowStale && unresolved(ans) && x.lookAgain(ctx) {
		view.Release()
		if ans, view, err = x.question(ctx, req); err != nil {
			return nil, err
		}
	}
	for round := 0; req.Freshness != api.AllowStale && round < recheckRounds; round++ {
		if ctx.Err() != nil || !x.recheck(ctx, req.Freshness, view.paths()) {
			break
		}
		again, second, err := x.question(ctx, req)
		if err != nil {
			return nil, err
		}
		view.Release()
		ans, view = again, second
	}
	out := &api.GraphAnswer{Answer: *ans, Freshness: x.freshness(view.Snapshot)}
	// On a full disk nobody knows what a file that cannot be indexed would add.
	out.IsStale = x.anyPending(view.paths()) || x.holding() != "" && out.DirtyPathsCount > 0
	if !x.complete.Load() {
		say(&out.Answer, query.MissingIndex)
	}
	if view.Generation() == 0 {
		out.IndexUsed = false
		out.FallbackReason = reason(api.FallbackNoGeneration)
	}
	return out, nil
}

// unresolved reports whether an end of the question names nothing: it may be new.
func unresolved(ans *query.Answer) bool {
	return slices.Contains(ans.MissingData, query.MissingTarget) || slices.Contains(ans.MissingData, query.MissingEndpoint)
}

// lookAgain sweeps, unless that was just done, and reports whether the index changed.
func (x *index) lookAgain(ctx context.Context) bool {
	if x.store.Generation() == 0 || x.o.Clock().Sub(x.ledger.LastSweep()) < sweepAgain {
		return false
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	ans := x.refreshAll(budget)
	return ans.ChangedCount+ans.RemovedCount > 0
}

// unkept is the answer to a question that required more than there was time for.
func (x *index) unkept(ctx context.Context, req *api.GraphRequest) *api.GraphAnswer {
	ans := x.empty(req, query.MissingFreshness)
	ans.IsStale = true
	switch {
	case ctx.Err() == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		ans.Truncated, ans.Deadline = true, true
		say(&ans.Answer, query.MissingDeadline)
	default:
		ans.Truncated, ans.Cancelled = true, true
		say(&ans.Answer, query.MissingCancelled)
	}
	return ans
}

// say adds a word that is about the whole index.
func say(ans *query.Answer, w query.Word) {
	if slices.Contains(ans.MissingData, w) {
		return
	}
	ans.MissingData = append(ans.MissingData, w)
	ans.Metadata.Missing = append(ans.Metadata.Missing, query.Missing{Word: w, Count: 1})
}

// question runs a question on the current generation. The view is the caller's to
// release.
func (x *index) question(ctx context.Context, req *api.GraphRequest) (*query.Answer, *consulted, error) {
	view := consult(x.store.Snapshot())
	if req.Type == query.Hubs && view.Generation() > 0 {
		x.hubs.want(ctx)
	}
	ans, err := x.planner.RunWith(ctx, view, x.hubs.table.Load(), req.Request)
	if err != nil {
		x.suspect(err)
		view.Release()
		arg := "target"
		if strings.TrimSpace(req.Target) != "" {
			arg = "target_b"
		}
		return nil, nil, blankError(arg, err)
	}
	return ans, view, nil
}

// blankError says which argument names no target; other errors stay what they are.
func blankError(arg string, err error) error {
	if !errors.Is(err, query.ErrNoTarget) {
		return err
	}
	return &api.Error{Code: api.CodeInvalidParams, Argument: arg, Message: arg + " is blank; give a name, a path, path:line, path#symbol or an id"}
}

// freshen brings the index as near to the disk as the policy asks. It reports false
// only when a required promise could not be kept within ctx.
func (x *index) freshen(ctx context.Context, policy api.Policy) bool {
	switch policy {
	case api.AllowStale:
		return true
	case api.Required:
		return done(x.refreshAll(ctx))
	}
	if x.store.Generation() == 0 {
		return true // a first index is not made on the way to an answer
	}
	if x.unswept() && !x.slow.Load() && affordable(ctx, firstBudget/4) {
		x.firstSweep(ctx)
		return true
	}
	look := x.due() && affordable(ctx, max(time.Duration(x.sweepTook.Load()), cheapSweep))
	if running, _ := x.writer.Running(); running && (!look || !x.complete.Load()) {
		return true // what the writer finishes is seen; waiting for all of it is for those who require it
	}
	if !look && dirty(x.ledger.Counts()) == 0 {
		x.ask()
		return true
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: look}, nil)
	return true
}

// affordable reports whether work of that length leaves most of the time that ctx
// has: an answer that is a little old is worth more than none.
func affordable(ctx context.Context, work time.Duration) bool {
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) >= 4*work
}

// lookAt sweeps a part of the tree before an answer about that part alone; "" is all
// of it.
func (x *index) lookAt(ctx context.Context, part graph.Path) {
	job := indexer.Job{Mode: api.ReindexChanged, Sweep: true}
	if part != "" {
		job.Scope = []graph.Path{part}
	} else if x.o.Clock().Sub(x.ledger.LastSweep()) < sweepAgain {
		return
	}
	budget, stop := context.WithTimeout(ctx, firstBudget)
	defer stop()
	x.run(budget, job, nil)
}

// unswept reports whether nobody has looked at the tree since the index was opened:
// then anything may have changed meanwhile.
func (x *index) unswept() bool { return x.ledger.LastSweep().IsZero() }

// firstSweep looks at the tree before the first answer. Where that takes too long it
// is not tried again: last_sweep_at then says that nobody has looked.
func (x *index) firstSweep(ctx context.Context) {
	budget, stop := context.WithTimeout(ctx, firstBudget)
	defer stop()
	x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: true}, nil)
	if ctx.Err() == nil && x.unswept() {
		x.slow.Store(true)
	}
}

// due reports whether the disk is looked at before an answer that merely prefers to
// be fresh: it costs next to nothing, or the last look was a while ago.
func (x *index) due() bool {
	last := x.ledger.LastSweep()
	if last.IsZero() {
		return false // firstSweep found that it takes too long
	}
	took := time.Duration(x.sweepTook.Load())
	least := sweepAtLeast
	if took > 0 && took <= cheapSweep {
		least = sweepAgain
	}
	return x.o.Clock().Sub(last) >= least
}

// recheck looks at files that an answer used, has those that changed indexed again,
// and reports whether another answer is worth it. Who merely prefers a fresh one
// does not wait for a long run of the writer: the answer then says that it is stale.
func (x *index) recheck(ctx context.Context, policy api.Policy, paths []graph.Path) bool {
	verdicts, err := x.ledger.Verify(ctx, x.tree, paths)
	if err != nil {
		return false
	}
	var changed []graph.Path
	for _, v := range verdicts {
		switch v.State {
		case freshness.Changed, freshness.Missing, freshness.Added, freshness.Marked:
			changed = append(changed, v.Path)
		}
	}
	if len(changed) == 0 {
		return false
	}
	if policy != api.Required {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, preferBudget)
		defer stop()
	}
	return done(x.run(ctx, indexer.Job{Mode: api.ReindexChanged, Scope: changed}, nil))
}

// done reports whether a job did all that it was asked to do.
func done(ans *api.ReindexAnswer) bool {
	return ans.JobStatus == api.JobOK || ans.JobStatus == api.JobSkipped
}

func (x *index) anyPending(paths []graph.Path) bool {
	if dirty(x.ledger.Counts()) == 0 {
		return false
	}
	pending, _ := x.ledger.Pending(paths)
	return len(pending) > 0 && len(paths) > 0
}

func dirty(c freshness.Counts) int { return c.Marked + c.Added + c.Changed + c.Missing }

// freshness is the block of an answer from a snapshot.
func (x *index) freshness(snap *store.Snapshot) api.Freshness {
	c := x.ledger.Counts()
	return api.Freshness{
		IndexUsed: true, IndexGeneration: snap.Generation(),
		StalePathsCount: c.Stale(), DirtyPathsCount: dirty(c),
		LastSweepAt: unixSeconds(x.ledger.LastSweep()),
	}
}

func reason(s string) *string { return &s }

// empty is an answer without content on the current generation.
func (x *index) empty(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	ans := &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
	ans.Metadata.Missing = []query.Missing{{Word: w, Count: 1}}
	x.withSnapshot(func(s *store.Snapshot) { ans.Freshness = x.freshness(s) })
	return ans
}

// bare is an answer without content, from no index or before one is asked.
func (l *local) bare(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	if l.x != nil {
		return l.x.empty(req, w)
	}
	return &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
}
