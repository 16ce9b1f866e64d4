package watch

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/graph"
)

// handle deals with one event.
func (w *Watcher) handle(ctx context.Context, e Event) {
	if w.cookies.eat(e) {
		if w.State().Mode == Polling { // they come again: start over
			w.lose()
		}
		return
	}
	p, inside := w.rel(e.Path)
	if !inside {
		w.around(ctx, e)
		return
	}
	n := w.dirs[p.Dir()]
	if p == "" {
		if _, err := os.Lstat(w.root); err != nil || e.Op&Structure != 0 {
			w.lose() // the root itself was moved or removed
		}
		return
	}
	if n == nil {
		return // of a directory that is not watched any more
	}
	switch base := p.Base(); {
	case base == ignore.FileName, base == ".git" && e.Op&Structure != 0:
		w.heard()
		w.relearn(ctx, p.Dir())
		if p == ".git" {
			w.watchAround()
		}
	case ignore.Always(base):
		return
	case e.Op&Structure != 0:
		if !w.look(ctx, p, n.rules) {
			return
		}
		w.heard()
	case e.Op&Bytes == 0:
		if !w.rights(ctx, p, n.rules) {
			return
		}
		w.heard()
	case n.rules.Ignored(p, false):
		return
	default:
		w.heard()
		w.o.Mark(p)
	}
	w.note()
}

func (w *Watcher) heard() {
	w.mu.Lock()
	w.state.Events++
	w.state.LastEvent = time.Now()
	w.mu.Unlock()
}

// rel returns the path of an event in the tree.
func (w *Watcher) rel(path string) (graph.Path, bool) {
	if path == w.root {
		return "", true
	}
	if len(path) > len(w.root) && path[:len(w.root)] == w.root && (path[len(w.root)] == filepath.Separator || w.root == "/") {
		p := graph.Path(path[len(w.root)+1:])
		// The repository's own directory stands in the root, too.
		return p, w.dirs[p.Dir()] != nil || !w.outside[filepath.Dir(path)]
	}
	return "", false
}

// around deals with an event outside the tree, or in its repository.
func (w *Watcher) around(ctx context.Context, e Event) {
	dir, base := filepath.Split(e.Path)
	dir = filepath.Clean(dir)
	if !w.outside[dir] {
		return
	}
	switch {
	case dir == w.git.Own && base == "index.lock":
		_, err := os.Lstat(e.Path)
		w.locked = err == nil
	case dir == w.git.Own && base == "HEAD":
		// A checkout: one look at everything costs less than a look at each event, and
		// misses nothing.
		w.heard()
		w.o.MarkAll()
		w.note()
	case base == "exclude" && dir == filepath.Join(w.git.Common, "info"):
		// Other rules for everything: what they let through now is to be watched before
		// somebody looks, or what happens there after the look is not heard of.
		w.heard()
		w.relearn(ctx, "")
		w.o.MarkAll()
		w.note()
	case base == ignore.FileName && dir != w.git.Own:
		w.heard()
		w.lose()
	}
}
