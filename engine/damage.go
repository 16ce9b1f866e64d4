package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// damage remembers which parts of an open index turned out to be damaged. Files that
// are garbled where nothing looks on opening are found by whoever reads them.
type damage struct {
	seen chan struct{} // closed by the first finding

	mu           sync.Mutex
	graph, words bool
}

func (d *damage) found() bool {
	select {
	case <-d.seen:
		return true
	default:
		return false
	}
}

// suspect looks at an error of a store and notes damage. The engine then answers
// live, closes the index, which removes the damaged parts, and opens it again.
func (x *index) suspect(err error) {
	graph, words := errors.Is(err, store.ErrCorrupt), errors.Is(err, lexical.ErrCorrupt)
	if !graph && !words {
		return
	}
	d := &x.damage
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.graph && !d.words {
		x.log.Warn("index is damaged; it is going to be built again", "err", err)
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
		err = os.RemoveAll(filepath.Join(x.o.IndexDir, format, graphDir))
	}
	if d.words {
		err = errors.Join(err, os.RemoveAll(filepath.Join(x.o.IndexDir, format, wordsDir)))
	}
	return err
}

func damaged(err error) bool {
	return errors.Is(err, store.ErrCorrupt) || errors.Is(err, lexical.ErrCorrupt)
}

// demote puts a live connection in the place of one whose index is damaged. The old
// one is shut when its last call ends; after that the index can be opened again.
func (e *Engine) demote(ctx context.Context, old *conn) error {
	return e.swap(ctx, old, func(context.Context) (*conn, error) {
		return e.goLive("index_damaged: it is being built again")
	})
}
