package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// damage remembers which parts of an open index turned out to be damaged. Files that
// are garbled where nothing looks on opening are found by whoever reads them.
type damage struct {
	seen chan struct{} // closed by the first finding

	mu           sync.Mutex
	graph, words bool
	why          string // for those who are answered live meanwhile
}

func (d *damage) found() bool {
	select {
	case <-d.seen:
		return true
	default:
		return false
	}
}

// reason is empty until damage was found.
func (d *damage) reason() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.why
}

// suspect looks at an error of a store. A full disk is waited out, with the index as
// it is. After damage the engine answers live, closes the index, which removes the
// damaged parts, and opens it again.
func (x *index) suspect(err error) {
	if errors.Is(err, store.ErrFull) {
		x.hold(err)
		return
	}
	graph, words := errors.Is(err, store.ErrCorrupt), errors.Is(err, lexical.ErrCorrupt)
	if graph || words {
		x.giveUp(graph, words, whyDamaged, err)
	}
}

// giveUp ends the use of an index of which parts are of no use any more.
func (x *index) giveUp(graph, words bool, why string, err error) {
	d := &x.damage
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.graph && !d.words {
		x.log.Warn("index is given up; it is going to be built again", "why", why, "err", err)
		d.why = why
		if why == whyDamaged {
			x.o.Damaged(err)
		}
		close(d.seen)
	}
	d.graph, d.words = d.graph || graph, d.words || words
}

// removeDamaged deletes the damaged parts of a closed index.
func (x *index) removeDamaged() error {
	d := &x.damage
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if d.graph {
		err = os.RemoveAll(x.graphDir)
	}
	if d.words {
		err = errors.Join(err, os.RemoveAll(x.wordsDir))
	}
	return err
}

// What Status says while an index is built again.
const (
	whyDamaged = "index_damaged: it is being built again"
	whyDeleted = "index_deleted: it is being built again"
)

func damaged(err error) bool {
	return errors.Is(err, store.ErrCorrupt) || errors.Is(err, lexical.ErrCorrupt)
}

// holdRetry is the pause between attempts to write an index whose disk was full.
const holdRetry = 2 * time.Second

// held is why nothing new is written to the index.
type held struct {
	why  string
	next time.Time // when to try again
}

// hold notes that the disk is full. What was published stays in use; what differs
// from it stays dirty, and answers say so.
func (x *index) hold(err error) {
	if x.held.Swap(&held{why: fmt.Sprintf("index_disk_full: nothing new is indexed until there is space: %v", err), next: time.Now().Add(holdRetry)}) == nil {
		x.log.Warn("the disk is full; the index stays as it is", "err", err)
	}
}

// holding says why nothing new is written; "" where that is not so.
func (x *index) holding() string {
	if h := x.held.Load(); h != nil {
		return h.why
	}
	return ""
}

// resume notes that a run was written.
func (x *index) resume() {
	if x.held.Swap(nil) != nil {
		x.log.Info("there is space again; the index is kept up")
	}
}

// notice gives the index up when its directory was deleted: its files can still be
// read, but nobody would find what is written to them.
func (x *index) notice() {
	if x.lease != nil && !x.lease.Held() {
		x.giveUp(true, true, whyDeleted, nil)
	}
}

// mend deals with what keeps the index from being written, and reports whether it can
// be. It is idle work, in which one that waits for space tries again.
func (x *index) mend(ctx context.Context) bool {
	x.notice()
	if err := x.lexical.Sound(); err != nil && !errors.Is(err, lexical.ErrClosed) {
		x.suspect(err)
	}
	if x.damage.found() {
		return false
	}
	h := x.held.Load()
	if h == nil {
		return true
	}
	if time.Now().After(h.next) {
		x.refreshAll(ctx)
	}
	return x.held.Load() == nil
}
