package engine

import (
	"context"
	"errors"
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
// reports whether it could. Where it could not, only a sweep tells.
func (x *index) hear(ctx context.Context, policy api.Policy) bool {
	if !x.trusted() {
		return false
	}
	if policy != api.Required {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, hearBudget)
		defer stop()
	}
	if x.watch.Barrier(ctx) != nil || !x.trusted() {
		return false // or what was heard is that anything may have happened
	}
	if x.ledger.Counts().Marked == 0 {
		return true
	}
	return x.lookAtMarks(ctx) == nil
}

// lookAtMarks finds out what the marked files are like now, unless a run is under way:
// that may have read a file which is gone meanwhile and has no record yet, so that
// the mark would be taken for one about nothing, and the run then publishes the file.
// Such marks stay for the next run, which looks at them itself.
func (x *index) lookAtMarks(ctx context.Context) error {
	begun := x.writer.Begun()
	if running, _ := x.writer.Running(); running {
		return nil
	}
	if err := x.ledger.Look(ctx, x.tree); err != nil {
		return err
	}
	if x.writer.Begun() != begun {
		x.ledger.MarkAll(freshness.Observed)
		return errOvertaken
	}
	return nil
}

// errOvertaken says that a run began while marks were looked at.
var errOvertaken = errors.New("a run began meanwhile")

// follow indexes what a turn of the watcher is about.
func (x *index) follow(ctx context.Context) {
	switch {
	case x.trusted():
		if x.lookAtMarks(ctx) == nil && dirty(x.ledger.Counts()) > 0 {
			x.refreshKnown(ctx)
		}
	case x.watch.State().Mode == watch.Active || x.o.Clock().Sub(x.ledger.LastSweep()) >= sweepShare*time.Duration(x.sweepTook.Load()):
		x.refreshAll(ctx)
	}
}

// idleSweep looks at everything when nobody has for a long time.
func (x *index) idleSweep(ctx context.Context) {
	least := max(idleEvery, 5*sweepShare*time.Duration(x.sweepTook.Load()))
	if x.trusted() && x.o.Clock().Sub(x.ledger.LastSweep()) >= least {
		x.refreshAll(ctx)
	}
}

// lastBudget bounds what a server that ends spends on leaving its index up to date.
const lastBudget = 2 * time.Second

// farewell indexes what changed last, so that the next process finds it done. A
// server that is not sure what that is leaves it to the next one, which looks anyway.
func (x *index) farewell(ctx context.Context) {
	if running, _ := x.writer.Running(); running || x.damage.found() || !x.trusted() {
		return
	}
	ctx, stop := context.WithTimeout(ctx, lastBudget)
	defer stop()
	if x.hear(ctx, api.PreferFresh) && dirty(x.ledger.Counts()) > 0 {
		x.refreshKnown(ctx)
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
