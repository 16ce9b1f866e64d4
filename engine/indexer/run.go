package indexer

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// Job is what a run is asked to do.
type Job struct {
	Mode  api.ReindexMode
	Scope []graph.Path // files and directories; empty is everything. A full run has none.
	// Sweep looks at everything in scope on the disk. Without it only what the
	// ledger already knows or suspects is dealt with.
	Sweep bool
	// Force says for which files facts are made again although their bytes are the
	// same, because the rules that made them have changed. Nil is none.
	Force func(graph.File) bool
	// Patience is for how long after their beginning the run waits for large files, which
	// are extracted beside it; 0 is to their end. What it does not wait for is not lost:
	// a later run takes it.
	Patience time.Duration

	again bool // not the first round
}

// maxListed bounds the lists of an answer; the counts are complete.
const maxListed = 1000

// Run does a job and reports on it. When ctx ends first, what is finished is
// published (changed) or kept for the next run (full), and the status says so. A
// failure of the stores is in ErrorSummary, with status failed.
func (x *Indexer) Run(ctx context.Context, job Job, progress func(api.Progress)) *api.ReindexAnswer {
	began := x.o.Clock()
	ans := &api.ReindexAnswer{
		JobID: newJobID(), JobStatus: api.JobOK, Generation: x.o.Store.Generation(),
		ChangedFiles: []graph.Path{}, FailedFiles: []api.FailedFile{},
	}
	x.running.Add(1)
	err := x.rounds(ctx, job, ans, progress)
	if x.running.Add(-1) == 0 {
		x.progress.Store(nil)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, errLeft) {
		x.o.Failed(err)
	}
	finish(ctx, ans, err)
	ans.DirtyPathsCount = dirtyCount(x.o.Ledger.Counts())
	ans.ElapsedSeconds = x.o.Clock().Sub(began).Seconds()
	return ans
}

// rounds does a job in as many rounds as its large files take: in the first all but
// these are indexed and published, and others may write between two of them.
func (x *Indexer) rounds(ctx context.Context, job Job, ans *api.ReindexAnswer, progress func(api.Progress)) error {
	pause := lookEvery
	for {
		release, err := x.acquire(ctx)
		if err != nil {
			return err
		}
		x.begun.Add(1)
		before := x.o.Store.Generation()
		left, err := x.run(ctx, job, ans, progress)
		release()
		if err != nil || len(left) == 0 {
			return err
		}
		if job.Patience == 0 { // else another job, which goes on, tells
			x.teller(progress)(api.Progress{Stage: "parse", Done: ans.ChangedCount, Total: ans.ChangedCount + len(left)}, true)
		}
		if pause *= 2; x.o.Store.Generation() != before {
			pause = lookEvery
		}
		if err := x.apart.await(ctx, &job, left, min(pause, lookSeldom)); err != nil {
			return err
		}
		job = job.rest(left)
	}
}

// rest is what is to be done when a round has left files: they, and what is known to
// differ by then.
func (j Job) rest(left []graph.Path) Job {
	j.Sweep, j.again = false, true
	if force := j.Force; force != nil {
		still := make(map[graph.Path]bool, len(left))
		for _, p := range left {
			still[p] = true
		}
		j.Force = func(f graph.File) bool { return still[f.Path] && force(f) }
	}
	return j
}

func dirtyCount(c freshness.Counts) int { return c.Marked + c.Added + c.Changed + c.Missing }

func newJobID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "job-" + hex.EncodeToString(b[:])
}

// finish turns the end of a run into its status.
func finish(ctx context.Context, ans *api.ReindexAnswer, err error) {
	switch cause := ctx.Err(); {
	case errors.Is(err, errLeft):
		ans.JobStatus = api.JobTimedOut
	case err != nil && cause == nil:
		ans.JobStatus = api.JobFailed
		msg := err.Error()
		ans.ErrorSummary = &msg
	case errors.Is(cause, context.DeadlineExceeded):
		ans.JobStatus = api.JobTimedOut
	case cause != nil:
		ans.JobStatus, ans.Cancelled = api.JobCancelled, true
	case ans.ChangedCount+ans.RemovedCount == 0:
		ans.JobStatus = api.JobSkipped
	}
	slices.Sort(ans.ChangedFiles)
	slices.SortFunc(ans.FailedFiles, func(a, b api.FailedFile) int {
		return slices.Compare([]byte(a.Path), []byte(b.Path))
	})
	ans.ChangedFiles = ans.ChangedFiles[:min(len(ans.ChangedFiles), maxListed)]
	ans.FailedFiles = ans.FailedFiles[:min(len(ans.FailedFiles), maxListed)]
}

// target is one path to deal with.
type target struct {
	entry  tree.Entry
	force  bool
	unsure bool // it may be ignored by now
}

// plan is the work of one run.
type plan struct {
	targets []target
	removed []graph.Path
	touched []freshness.Record
	seen    int
	seq     uint64
}

// run does one round of a job, and returns the files that were left to be prepared
// apart.
func (x *Indexer) run(ctx context.Context, job Job, ans *api.ReindexAnswer, progress func(api.Progress)) ([]graph.Path, error) {
	mode := store.Incremental
	if job.Mode == api.ReindexFull {
		mode = store.Full
	}
	snap := x.o.Store.Snapshot()
	defer snap.Release()

	// The plan comes first: what differs from the disk is known then, and said, also
	// where the store can take nothing.
	tell := x.teller(progress)
	if !job.again {
		tell(api.Progress{Stage: "walk"}, true)
	}
	defer x.o.Ledger.End()
	work, err := x.plan(ctx, job, snap)
	ans.FilesSeen = max(ans.FilesSeen, work.seen)
	if err != nil {
		return nil, err
	}
	x.reached(StepPlanned)
	if snap.Generation() == 0 && job.Sweep && len(job.Scope) == 0 && len(work.targets) == 0 {
		mode = store.Full // a batch without changes publishes nothing, but an empty tree has an index, too
	}
	batch, err := x.o.Store.Begin(ctx, mode)
	if err != nil {
		return nil, fmt.Errorf("begin run: %w", err)
	}
	defer batch.Discard()
	c := &collector{x: x, batch: batch, snap: snap, ans: ans, full: mode == store.Full}
	c.aside = !c.full && snap.Generation() > 0 // a first index has nothing to answer from meanwhile
	for _, p := range work.removed {
		if err := c.remove(p); err != nil {
			return nil, err
		}
	}
	for _, r := range work.touched {
		if _, err := batch.Touch(r.Path, r.Sig, r.Racy); err != nil {
			return nil, err
		}
	}
	if len(work.targets) > feedAbove {
		c.feed, c.docLimit = x.feed(ctx), work.feedLimit()
	}
	prepareErr := x.prepareAll(ctx, work.targets, c, tell)
	if err := c.finishFeeding(ctx); err != nil && prepareErr == nil {
		prepareErr = err
	}
	if c.full && prepareErr != nil {
		x.keepResume(c)
		x.abandon(c)
		return nil, prepareErr
	}
	x.reached(StepPrepared)
	tell(api.Progress{Stage: "publish", Done: len(c.added), Total: len(c.added)}, true)
	if err := c.publish(context.WithoutCancel(ctx), work.seq); err != nil {
		x.abandon(c)
		return nil, err
	}
	return c.later, prepareErr
}

// feedLimit is the source size above which gathered words are fed.
func (p *plan) feedLimit() int {
	size := int64(0)
	for _, t := range p.targets {
		size += t.entry.Sig.Size
	}
	if size <= feedWhole {
		return feedWhole
	}
	return feedBytes
}

// plan finds out what there is to do.
func (x *Indexer) plan(ctx context.Context, job Job, snap *store.Snapshot) (plan, error) {
	var p plan
	if job.Mode == api.ReindexFull {
		return x.planFull(ctx)
	}
	if job.Sweep {
		changes, err := x.o.Ledger.Sweep(ctx, x.o.Tree, job.Scope)
		if err != nil {
			return p, err
		}
		p.seen, p.touched = changes.Seen, changes.Touched
	}
	known, _ := x.o.Ledger.Pending(job.Scope)
	if marked := markedOf(known); len(marked) > 0 {
		changes, err := x.o.Ledger.Sweep(ctx, x.o.Tree, marked)
		if err != nil {
			return p, err
		}
		p.seen += changes.Seen
		p.touched = append(p.touched, changes.Touched...)
	}
	x.reached(StepLooked)
	pending, seq := x.o.Ledger.Begin(job.Scope)
	p.seq = seq
	taken := map[graph.Path]bool{}
	for _, d := range pending {
		switch d.State {
		case freshness.Added, freshness.Changed:
			p.targets = append(p.targets, target{entry: d.Entry, unsure: d.Unsure})
		case freshness.Missing:
			p.removed = append(p.removed, d.Path)
		default: // marked meanwhile: the next run's
			continue
		}
		taken[d.Path] = true
	}
	if job.Force != nil {
		snap.Files(func(f graph.File) bool {
			if !taken[f.Path] && f.Content == graph.ContentText && job.Force(f) {
				p.targets = append(p.targets, target{entry: tree.Entry{Path: f.Path, Sig: f.Sig}, force: true})
			}
			return true
		})
	}
	return p, nil
}

func (x *Indexer) planFull(ctx context.Context) (plan, error) {
	var p plan
	// The sweep resolves the marks set until now; those set later survive.
	if _, err := x.o.Ledger.Sweep(ctx, x.o.Tree, nil); err != nil {
		return p, err
	}
	pending, seq := x.o.Ledger.Begin(nil)
	p.seq = seq
	for _, d := range pending {
		if d.State == freshness.Missing {
			p.removed = append(p.removed, d.Path)
		}
	}
	err := x.o.Tree.Walk(ctx, tree.WalkOptions{}, func(e tree.Entry) error {
		p.targets = append(p.targets, target{entry: e, force: true})
		return nil
	})
	p.seen = len(p.targets)
	return p, err
}

func markedOf(pending []freshness.Pending) []graph.Path {
	var out []graph.Path
	for _, d := range pending {
		if d.State == freshness.Marked {
			out = append(out, d.Path)
		}
	}
	return out
}

// prepareAll prepares targets in parallel and collects them in one goroutine, until
// all are done or ctx ends. Large files go first, so that none is left alone at the
// end; where they are prepared apart, the smaller one begins first.
func (x *Indexer) prepareAll(ctx context.Context, targets []target, c *collector, tell func(api.Progress, bool)) error {
	const large = 256 << 10
	slices.SortStableFunc(targets, func(a, b target) int {
		by := int(max(b.entry.Sig.Size, large)/large) - int(max(a.entry.Sig.Size, large)/large)
		if c.aside {
			return -by
		}
		return by
	})
	// The first error ends the run; a context of its own stops the others.
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := make(chan prepared, 4*x.o.Workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(x.o.Workers, len(targets)) {
		wg.Go(func() {
			w := x.newWorker()
			for i := next.Add(1) - 1; i < int64(len(targets)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				p, err := w.target(ctx, targets[i], c)
				if err != nil {
					stop(err)
					return
				}
				out <- p
			}
		})
	}
	go func() {
		defer close(out)
		wg.Wait()
	}()
	pr := api.Progress{Stage: "parse", Total: len(targets)}
	for p := range out {
		if err := c.take(ctx, p); err != nil {
			stop(err)
			continue // drain, so that the workers can end
		}
		if p.later {
			continue
		}
		pr.Done++
		pr.Bytes += p.file.Sig.Size
		tell(pr, false)
	}
	return context.Cause(ctx)
}

// target prepares one target: odd things need no reading.
func (w *worker) target(ctx context.Context, t target, c *collector) (prepared, error) {
	if t.unsure && w.x.o.Tree.Ignored(t.entry.Path) {
		return prepared{file: graph.File{Path: t.entry.Path}, gone: true}, nil
	}
	if content, odd := t.entry.Content(); odd {
		return prepared{file: oddFile(t.entry.Path, t.entry.Sig, content, t.entry.Reason)}, nil
	}
	if c.aside && w.x.apart.busy(t.entry.Path, t.entry.Sig) {
		return prepared{file: graph.File{Path: t.entry.Path}, later: true}, nil
	}
	return w.prepare(ctx, t.entry.Path, c, t.force)
}

// teller passes progress on, at most ten times a second unless forced.
func (x *Indexer) teller(progress func(api.Progress)) func(api.Progress, bool) {
	var last time.Time
	return func(p api.Progress, force bool) {
		now := x.o.Clock()
		if !force && p.Done != p.Total && now.Sub(last) < 100*time.Millisecond {
			return
		}
		last = now
		x.progress.Store(&p)
		if progress != nil {
			progress(p)
		}
	}
}
