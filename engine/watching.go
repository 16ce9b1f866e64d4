package engine

import (
	"context"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/watch"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	// hearBudget bounds what an answer that merely prefers to be fresh spends on
	// hearing of what was written before it: a barrier takes 25 µs, unless a storm of events is before it.
	hearBudget = 100 * time.Millisecond
	// idleEvery is the time after which a server looks at everything although it was
	// told of every change: what is written through a memory map, or under a name
	// outside the workspace, makes no event.
	idleEvery = time.Minute
	// sweepShare is how much longer than a sweep the pause between sweeps by the clock
	// is at least.
	sweepShare = 20
)

// watchTree begins to watch the workspace.
func (x *index) watchTree(ctx context.Context) {
	x.watch = watch.Start(ctx, watch.Options{
		Tree:      x.tree,
		Mark:      func(paths ...graph.Path) { x.ledger.Mark(freshness.Observed, paths...) },
		MarkAll:   func() { x.ledger.MarkAll(freshness.Observed) },
		CookieDir: filepath.Join(x.o.IndexDir, format, "barrier"),
		Source:    x.o.watchSource,
		Log:       x.log,
	})
}

func (x *index) unwatch() {
	if x.watch != nil {
		x.watch.Close()
	}
}

// trusted reports whether events tell all there is to know: everything was looked at
// since the watches were set, and nothing was lost since.
func (x *index) trusted() bool {
	return x.watch != nil && x.watch.State().Mode == watch.Active && !x.ledger.Counts().All && !x.unswept()
}

// hear makes known what was written before the call, by whatever process, and
// reports whether it could. After events that may mean anything (a checkout, other
// rules, a loss) it looks at everything. Where there are no events it does nothing:
// how often to look then is the caller's choice.
func (x *index) hear(ctx context.Context, policy api.Policy) bool {
	if x.watch == nil || x.unswept() || policy == api.Required && !x.trusted() {
		return false
	}
	switch x.watch.State().Mode {
	case watch.Active, watch.Recovery:
	default:
		return x.ledger.Doubt() && x.settle(ctx)
	}
	if x.barrier(ctx, policy) != nil {
		if ctx.Err() != nil {
			return false // nobody waits for the answer any more
		}
		// What is still to be heard of is not known; what is on the disk can be seen.
		x.ledger.MarkAll(freshness.Observed)
	}
	if x.ledger.Doubt() {
		return policy != api.Required && x.settle(ctx)
	}
	return x.ledger.Counts().Marked == 0 || x.ledger.Look(ctx, x.tree) == nil
}

// barrier waits until what was written before the call is in the ledger.
func (x *index) barrier(ctx context.Context, policy api.Policy) error {
	if policy != api.Required {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, hearBudget)
		defer stop()
	}
	return x.watch.Barrier(ctx)
}

// settle ends a doubt with a look at everything, in at most half of the time that
// there is. It does not index. Where it fails the doubt stays, and answers say so.
func (x *index) settle(ctx context.Context) bool {
	budget := firstBudget
	if end, limited := ctx.Deadline(); limited {
		budget = min(budget, time.Until(end)/2)
	}
	ctx, stop := context.WithTimeout(ctx, budget)
	defer stop()
	if err := x.ledger.Look(ctx, x.tree); err != nil {
		x.ask()
		return false
	}
	return true
}

// follow indexes what a turn of the watcher is about.
func (x *index) follow(ctx context.Context) {
	switch {
	case x.trusted():
		if x.ledger.Look(ctx, x.tree) == nil && dirty(x.ledger.Counts()) > 0 {
			x.refreshKnown(ctx)
		}
	case x.watch.State().Mode == watch.Active || x.o.Clock().Sub(x.ledger.LastSweep()) >= sweepShare*time.Duration(x.sweepTook.Load()):
		x.refreshAll(ctx)
	}
}

// idleSweep looks at everything when nobody has for a long time, and indexes what a job
// that ended early has left.
func (x *index) idleSweep(ctx context.Context) {
	least := max(idleEvery, 5*sweepShare*time.Duration(x.sweepTook.Load()))
	if x.trusted() && x.o.Clock().Sub(x.ledger.LastSweep()) >= least {
		x.refreshAll(ctx)
	} else if running, _ := x.writer.Running(); !running && x.holding() == "" && x.trusted() && dirty(x.ledger.Counts()) > 0 {
		x.refreshKnown(ctx)
	}
}

// lastBudget bounds what a server that ends spends on leaving its index up to date.
const lastBudget = 2 * time.Second

// farewell has a server that ends index what changed last, so that the next process
// finds it done. Where events do not tell what that is, it looks at everything, if the
// last look was not longer than it has time for. A job that runs is let finish as far as
// there is time, but a first index is left to the next process.
func (x *index) farewell(ctx context.Context) {
	if !x.o.Background || x.damage.found() || !x.complete.Load() || x.unswept() {
		return
	}
	ctx, stop := context.WithTimeout(ctx, lastBudget)
	defer stop()
	switch {
	case x.trusted() && x.hear(ctx, api.PreferFresh):
		if running, _ := x.writer.Running(); running || dirty(x.ledger.Counts()) > 0 {
			x.refreshKnown(ctx)
		}
	case time.Duration(x.sweepTook.Load()) < lastBudget/2:
		x.refreshAll(ctx)
	}
}

// watcher says in a status how changes come to be known.
func (x *index) watcher() api.Watcher {
	if x.watch == nil {
		return api.Watcher{State: string(watch.Off)}
	}
	s := x.watch.State()
	return api.Watcher{
		State: string(s.Mode), Reason: s.Reason, Watches: s.Watches, Events: s.Events,
		Overflows: s.Overflows, LastEventAt: unixSeconds(s.LastEvent),
	}
}
