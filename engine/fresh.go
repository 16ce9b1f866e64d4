package engine

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/watch"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

const (
	// cheapSweep is how long a sweep may take for one to be made before every
	// question that merely prefers a fresh answer.
	cheapSweep = 50 * time.Millisecond
	// firstBudget bounds what the first question of a process spends on finding out
	// what changed while nobody looked.
	firstBudget = 2 * time.Second
	// sweepAgain is the time within which a cheap sweep is not repeated: it is shorter
	// than what an agent needs between two calls.
	sweepAgain = 2 * time.Millisecond
	// catchAtMost is how many changed files are indexed before an answer that merely
	// prefers to be fresh, whether it needs them or not.
	catchAtMost = 32
	// sweepAtLeast is the age of the last sweep at which a dear one is repeated too.
	sweepAtLeast = 3 * time.Second
	// preferBudget bounds what such a question spends on sweeping and on known changes.
	preferBudget = 500 * time.Millisecond
)

// overtaken reports whether files that a view lacked have been published meanwhile, by
// whatever run: the ledger, which knows them no more, then speaks of a later view.
func (x *index) overtaken(view *consulted) bool {
	return view.behind && x.store.Generation() != view.Generation()
}

// lookAgain sweeps, unless that was just done, and reports whether the index is
// another than that of the view.
func (x *index) lookAgain(ctx context.Context, view *consulted) bool {
	if x.store.Generation() == 0 || x.o.Clock().Sub(x.ledger.LastSweep()) < sweepAgain {
		return false
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	if seen := x.trusted(); !seen || dirty(x.ledger.Counts()) > 0 {
		x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: !seen, Patience: preferBudget}, nil)
	}
	return x.store.Generation() != view.Generation()
}

// freshen brings the index as near to the disk as the policy asks. It reports false
// only when a required promise could not be kept within ctx.
func (x *index) freshen(ctx context.Context, policy api.Policy) bool {
	if policy == api.AllowStale {
		return true
	}
	if x.hear(ctx, policy) {
		return x.catchUp(ctx, policy)
	}
	if policy == api.Required {
		return done(x.refreshAll(ctx))
	}
	x.catchUnheard(ctx)
	return true
}

// catchUnheard is what an answer that merely prefers to be fresh does where no events
// tell what changed. It reports whether everything was looked at, and what differed
// indexed.
func (x *index) catchUnheard(ctx context.Context) bool {
	if x.store.Generation() == 0 {
		return false // a first index is not made on the way to an answer
	}
	if x.unswept() && !x.slow.Load() && affordable(ctx, firstBudget/4) {
		return x.firstSweep(ctx)
	}
	look := x.due() && affordable(ctx, x.sweepCost())
	if running, _ := x.writer.Running(); running && (!look || !x.complete.Load()) {
		return false // what the writer finishes is seen; waiting for all of it is for those who require it
	}
	if !look && dirty(x.ledger.Counts()) == 0 {
		x.ask()
		return false
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	return done(x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: look, Patience: preferBudget}, nil)) && look
}

// sweepCost is what a sweep is expected to take.
func (x *index) sweepCost() time.Duration {
	return max(time.Duration(x.sweepTook.Load()), cheapSweep)
}

// beginning reports whether a server has just begun: it is about to look at everything
// by itself, or to set the watches that it does so after.
func (x *index) beginning() bool {
	return x.watch != nil && (x.unswept() || x.watch.State().Mode == watch.Starting)
}

// worthLook reports whether a search looks at a part of the tree, "" for all of it,
// though nothing can be indexed now.
func (x *index) worthLook(ctx context.Context, part graph.Path) bool {
	switch {
	case part != "":
		return affordable(ctx, cheapSweep)
	case x.unswept() || x.beginning():
		return affordable(ctx, firstBudget/4)
	}
	return x.due() && affordable(ctx, x.sweepCost())
}

// sight looks at a part of the tree, "" for all of it, in at most half of the time that
// there is, and reports whether it could. One look at everything that began after they
// asked serves all who wait for one.
func (x *index) sight(ctx context.Context, part graph.Path) bool {
	asked := time.Now()
	if end, limited := ctx.Deadline(); limited {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(end)/2)
		defer stop()
	}
	if part != "" {
		_, err := x.ledger.Sweep(ctx, x.tree, []graph.Path{part})
		return err == nil
	}
	select {
	case x.sighting <- struct{}{}:
		defer func() { <-x.sighting }()
	case <-ctx.Done():
		return false
	}
	if x.ledger.LastSweep().After(asked) {
		return true
	}
	_, err := x.ledger.Sweep(ctx, x.tree, nil)
	return err == nil
}

// catchUp indexes what is known to differ. Who requires a fresh answer gets all of it,
// or the word that it could not be done; others get what is quickly done, and what
// the answer turns out to need.
func (x *index) catchUp(ctx context.Context, policy api.Policy) bool {
	n := dirty(x.ledger.Counts())
	switch {
	case policy == api.Required && !x.complete.Load():
		return done(x.refreshAll(ctx)) // a first index is not finished
	case n == 0:
		return true
	case policy == api.Required:
		return done(x.refreshKnown(ctx))
	case n > catchAtMost:
		return true
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	x.run(budget, indexer.Job{Mode: api.ReindexChanged, Patience: preferBudget}, nil)
	return true
}

// refreshKnown indexes what is known to differ, without looking for more.
func (x *index) refreshKnown(ctx context.Context) *api.ReindexAnswer {
	return x.run(ctx, indexer.Job{Mode: api.ReindexChanged}, nil)
}

// affordable reports whether work of that length leaves most of the time that ctx
// has: an answer that is a little old is worth more than none.
func affordable(ctx context.Context, work time.Duration) bool {
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) >= 4*work
}

// lookAt sweeps a part of the tree before an answer about that part alone; "" is all
// of it. It indexes what differs, and reports whether it could.
func (x *index) lookAt(ctx context.Context, part graph.Path) bool {
	job := indexer.Job{Mode: api.ReindexChanged, Sweep: true, Patience: preferBudget}
	if part != "" {
		job.Scope = []graph.Path{part}
	} else if x.o.Clock().Sub(x.ledger.LastSweep()) < sweepAgain {
		return true
	}
	budget, stop := context.WithTimeout(ctx, firstBudget)
	defer stop()
	return done(x.run(budget, job, nil))
}

// unswept reports whether nobody has looked at the tree since the index was opened:
// then anything may have changed meanwhile.
func (x *index) unswept() bool { return x.ledger.LastSweep().IsZero() }

// firstSweep looks at the tree before the first answer. Where that takes too long it
// is not tried again: last_sweep_at then says that nobody has looked.
func (x *index) firstSweep(ctx context.Context) bool {
	budget, stop := context.WithTimeout(ctx, firstBudget)
	defer stop()
	ok := done(x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: true, Patience: firstBudget}, nil))
	if ctx.Err() == nil && x.unswept() {
		x.slow.Store(true)
	}
	return ok
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

// suspects lists the files that are looked at once an answer was made of them, and
// those that may belong to it. Where events tell of all changes and told of none, there
// are none: what was written before the question was heard of before it was answered.
func (x *index) suspects(ctx context.Context, view *consulted) []graph.Path {
	if x.trusted() && dirty(x.ledger.Counts()) == 0 {
		return nil
	}
	return append(view.paths(), x.pendingWith(ctx, view)...)
}

// recheck looks at files that an answer used, has those that changed indexed again,
// and reports whether another answer is worth it. Who merely prefers a fresh one
// does not wait for a long run of the writer: the answer then says that it is stale.
func (x *index) recheck(ctx context.Context, policy api.Policy, paths []graph.Path) bool {
	if len(paths) == 0 {
		return false // none would mean all of them to the ledger
	}
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
	job := indexer.Job{Mode: api.ReindexChanged, Scope: changed}
	if policy != api.Required {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, preferBudget)
		defer stop()
		job.Patience = preferBudget
	}
	ans := x.run(ctx, job, nil)
	return done(ans) || ans.ChangedCount+ans.RemovedCount > 0 // the rest is large
}

// pendingWith lists files that are known to differ from the index and whose bytes
// hold one of the names that an answer was made of: they may belong to it. So may those
// that are too large, or too many, to be looked through beside an answer. Files that
// were looked at already are cheap to look at again, so nothing is remembered.
func (x *index) pendingWith(ctx context.Context, view *consulted) []graph.Path {
	c := x.ledger.Counts()
	if c.Added+c.Changed == 0 {
		return nil
	}
	names := view.consultedNames()
	if len(names) == 0 {
		return nil
	}
	pending, _ := x.ledger.Pending(nil)
	var out []graph.Path
	var buf []byte
	left := int64(maxPendingScan)
	for _, p := range pending {
		if ctx.Err() != nil || len(out) >= checkAtMost {
			break
		}
		if p.State != freshness.Added && p.State != freshness.Changed {
			continue
		}
		work := p.Entry.Sig.Size * int64(len(names))
		if left < work {
			out = append(out, p.Path)
			continue
		}
		src, _, err := x.tree.Read(p.Path, buf)
		if err != nil {
			continue
		}
		left -= work
		buf = src[:0]
		if slices.ContainsFunc(names, func(n []byte) bool { return bytes.Contains(src, n) }) {
			out = append(out, p.Path)
		}
	}
	return out
}

// maxPendingScan bounds what is searched for names beside an answer: bytes, times names.
const maxPendingScan = 256 << 20

// lacking lists the files that an answer may lack: they are known to differ, and hold a
// name that it was made of. An answer about everything may lack each that differs.
func (x *index) lacking(ctx context.Context, req *api.GraphRequest, view *consulted) []graph.Path {
	if req.Type != query.Hubs {
		return x.pendingWith(ctx, view)
	}
	pending, _ := x.ledger.Pending(nil)
	var out []graph.Path
	for _, p := range pending {
		if p.State == freshness.Added || p.State == freshness.Changed {
			out = append(out, p.Path)
		}
	}
	return out
}

// done reports whether a job did all that it was asked to do.
func done(ans *api.ReindexAnswer) bool {
	return ans.JobStatus == api.JobOK || ans.JobStatus == api.JobSkipped
}

// anyPending reports whether a file that an answer was made of is known to differ from
// the index.
func (x *index) anyPending(view *consulted) bool {
	if dirty(x.ledger.Counts()) == 0 {
		return false
	}
	paths := view.paths()
	if len(paths) == 0 {
		return false // no paths would mean all of them to the ledger
	}
	pending, _ := x.ledger.Pending(paths)
	return len(pending) > 0
}

func dirty(c freshness.Counts) int { return c.Marked + c.Added + c.Changed + c.Missing }

// freshness is the block of an answer from a snapshot.
func (x *index) freshness(snap *store.Snapshot) api.Freshness {
	c := x.ledger.Counts()
	running, _ := x.writer.Running()
	f := api.Freshness{
		IndexUsed: true, IndexGeneration: snap.Generation(),
		StalePathsCount: c.Stale(), DirtyPathsCount: dirty(c),
		ReindexInProgress: running, LastSweepAt: unixSeconds(x.ledger.LastSweep()),
	}
	doubt := x.ledger.Doubt() && !x.unswept()
	if f.IsStale = doubt; doubt || x.unswept() {
		f.FallbackReason = reason(api.FallbackUnswept)
	}
	return f
}
