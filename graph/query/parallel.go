package query

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
)

// bound is what one file makes of a name, and what that depends on.
type bound struct {
	entry *entry
	asked []*node
}

const (
	bindBatch  = 16 // files that one goroutine takes at a time
	maxBinders = 4
)

// bindAll binds a name in each file, on several cores where there are many files.
// What comes behind the first result without an entry is missing: the question has
// ended.
func (r *reader) bindAll(ids []graph.FileID, k cellKey) []bound {
	out := make([]bound, len(ids))
	n := min(runtime.GOMAXPROCS(0), maxBinders, len(ids)/bindBatch)
	if n <= 1 {
		r.bindSome(ids, k, out)
		return out
	}
	for len(r.helpers) < n-1 {
		r.helpers = append(r.helpers, r.p.reader(r.ctx, r.whole))
	}
	var next atomic.Int64
	work := func(r *reader) {
		for !r.ended {
			to := int(next.Add(bindBatch))
			from := to - bindBatch
			if from >= len(ids) {
				return
			}
			to = min(to, len(ids))
			r.bindSome(ids[from:to], k, out[from:to])
		}
	}
	var wg sync.WaitGroup
	for _, h := range r.helpers[:n-1] {
		wg.Go(func() { work(h) })
	}
	work(r)
	wg.Wait()
	for _, h := range r.helpers {
		r.ended = r.ended || h.ended
		if r.damage == nil {
			r.damage = h.damage
		}
	}
	return out
}

func (r *reader) bindSome(ids []graph.FileID, k cellKey, out []bound) {
	for i, id := range ids {
		if !r.check() {
			return
		}
		was := r.v.record()
		out[i].entry = r.bindName(id, k)
		out[i].asked = r.v.stop(was)
	}
}
