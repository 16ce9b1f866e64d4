package watch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/graph"
)

// retryMost is how often the pause between two attempts at setting the watches that
// there was no room for is doubled: others may give some up, or the limit be raised,
// but each attempt sets all watches and has everything looked at.
const retryMost = 4

// retry is when the watches are set again that could not all be set.
type retry struct {
	at    time.Time // zero: there is nothing to try
	tries int
}

// later has the watches set again after a pause that grows.
func (w *Watcher) later() {
	w.retry.at = time.Now().Add(w.o.Retry << w.retry.tries)
	w.retry.tries = min(w.retry.tries+1, retryMost)
}

// again is called from time to time. It sets the watches again when something was
// mounted or unmounted, of which no event tells, or when it is time to try once more.
func (w *Watcher) again(ctx context.Context) {
	if w.src != nil && !slices.Equal(w.o.Mounts(), w.mounts) {
		w.lose()
		return
	}
	if w.retry.at.IsZero() || time.Now().Before(w.retry.at) {
		return
	}
	w.retry.at = time.Time{}
	if w.src == nil {
		w.open(ctx)
	} else {
		w.rebuild(ctx)
	}
	if w.State().Mode == Active {
		w.retry.tries = 0
	}
}

// foreign says which watched directory below the root is on a file system without
// events; "" when none is.
func (w *Watcher) foreign() string {
	for _, dir := range w.mounts {
		p, inside := w.rel(dir)
		if !inside || w.dirs[p] == nil {
			continue
		}
		if kind := w.o.Eventless(dir); kind != "" {
			return fmt.Sprintf("no_events: file system %s at %s", kind, graph.Path(p))
		}
	}
	return ""
}
