package engine

import (
	"sync"

	"github.com/ralph-index/ralph-index/graph"
)

// maxRecent bounds what is remembered as changed: beyond it, the oldest are no
// longer news.
const maxRecent = 2000

// recent remembers which files changed since the engine was opened, for ranking.
// The files of a first index, or of any run that publishes more than it holds, are
// not news.
type recent struct {
	mu    sync.Mutex
	paths map[graph.Path]struct{}
	order []graph.Path
}

func (r *recent) add(paths []graph.Path) {
	if len(paths) > maxRecent {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paths == nil {
		r.paths = map[graph.Path]struct{}{}
	}
	for _, p := range paths {
		if _, ok := r.paths[p]; !ok {
			r.paths[p] = struct{}{}
			r.order = append(r.order, p)
		}
	}
	for len(r.order) > maxRecent {
		delete(r.paths, r.order[0])
		r.order = r.order[1:]
	}
}

func (r *recent) has(p graph.Path) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.paths[p]
	return ok
}
