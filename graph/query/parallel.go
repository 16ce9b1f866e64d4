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
	bindBatch  = 2 // files that one goroutine takes at a time
	maxReaders = 4
	lookAhead  = 16 // symbols whose edges are looked for at once
)

// share runs work on this reader and on others beside it, as many as there are tasks
// and cores. Work takes tasks until there are none. What other readers met is met by
// this one, too.
func (r *reader) share(tasks int, work func(*reader)) {
	n := min(runtime.GOMAXPROCS(0), maxReaders, tasks)
	if n <= 1 || r.helps {
		work(r)
		return
	}
	for len(r.helpers) < n-1 {
		h := r.p.reader(r.ctx, r.whole)
		h.helps = true
		r.helpers = append(r.helpers, h)
	}
	var wg sync.WaitGroup
	for _, h := range r.helpers[:n-1] {
		h.united = r.united
		wg.Go(func() { work(h) })
	}
	r.helps = true // what comes of its work is not shared again
	work(r)
	r.helps = false
	wg.Wait()
	for _, h := range r.helpers {
		r.ended = r.ended || h.ended
		if r.damage == nil {
			r.damage = h.damage
		}
	}
}

// bindAll binds a name in each file, on several cores where there are many files.
// What comes behind the first result without an entry is missing: the question has
// ended.
func (r *reader) bindAll(ids []graph.FileID, k cellKey) []bound {
	out := make([]bound, len(ids))
	var next atomic.Int64
	r.share((len(ids)+bindBatch-1)/bindBatch, func(r *reader) {
		for !r.ended {
			to := int(next.Add(bindBatch))
			from := to - bindBatch
			if from >= len(ids) {
				return
			}
			to = min(to, len(ids))
			r.bindSome(ids[from:to], k, out[from:to])
		}
	})
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

// edgesOf looks for the edges of some symbols on several cores. Symbols of one name
// are left to one of them, for what is bound for one serves the others.
func (r *reader) edgesOf(symbols []graph.Symbol, edges func(*reader, graph.Symbol) []edge) [][]edge {
	out := make([][]edge, len(symbols))
	var groups [][]int
	byName := make(map[string]int, len(symbols))
	for i, s := range symbols {
		name := r.groupOf(s)
		g, ok := byName[name]
		if !ok {
			g = len(groups)
			byName[name] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	var next atomic.Int64
	r.share(len(groups), func(r *reader) {
		for {
			g := int(next.Add(1)) - 1
			if g >= len(groups) {
				return
			}
			for _, i := range groups[g] {
				if !r.check() {
					return
				}
				out[i] = edges(r, symbols[i])
			}
		}
	})
	return out
}

// groupOf returns a definition's name; a file's directory.
func (r *reader) groupOf(s graph.Symbol) string {
	if f := r.facts(s.File); f != nil && s.Def != graph.NoDef && int(s.Def) < len(f.Defs) {
		return f.Defs[s.Def].Name
	}
	rec, _ := r.v.File(s.File)
	return string(rec.Path.Dir())
}
