package query

import (
	"cmp"

	"github.com/ralph-index/ralph-index/graph"
)

// walk is a breadth-first search that keeps, of each symbol, the best chain among
// the shortest ones.
type walk struct {
	v     graph.View
	at    map[graph.Symbol]int // into nodes
	nodes []found              // in order of distance; the starts come first
	// mereLast prefers a chain whose last edge is more than a name.
	mereLast bool
}

func newWalk(v graph.View, starts ...graph.Symbol) *walk {
	wk := &walk{v: v, at: make(map[graph.Symbol]int)}
	for _, s := range starts {
		if _, dup := wk.at[s]; !dup {
			wk.at[s] = len(wk.nodes)
			wk.nodes = append(wk.nodes, found{sym: s, conf: 1, from: -1})
		}
	}
	return wk
}

// reach notes that e leads from a node to sym. It reports whether sym is new. A
// chain as short as the known one replaces it when it is better.
func (wk *walk) reach(from int, sym graph.Symbol, e *edge) bool {
	at := &wk.nodes[from]
	n := found{
		sym: sym, dist: at.dist + 1, conf: at.conf * e.conf, prov: max(at.prov, e.prov), rel: e.rel,
		from: from, flags: e.flags, reason: e.reason, via: e.via,
	}
	i, seen := wk.at[sym]
	if !seen {
		wk.at[sym] = len(wk.nodes)
		wk.nodes = append(wk.nodes, n)
		return true
	}
	was := &wk.nodes[i]
	if was.dist == n.dist && wk.better(&n, was) {
		n.last = was.last
		*was = n
	}
	return false
}

// better reports whether n is the better chain to a symbol than was, of the same
// length. The order in which chains are met must not decide, for it follows from the
// ids of files, which tell the history of an index: at last their places do.
func (wk *walk) better(n, was *found) bool {
	if wk.mereLast && mere(n.rel) != mere(was.rel) {
		return mere(was.rel)
	}
	if c := cmp.Or(cmp.Compare(was.conf, n.conf), cmp.Compare(n.rel, was.rel), cmp.Compare(n.prov, was.prov)); c != 0 {
		return c < 0
	}
	return cmp.Or(comparePlaces(wk.v, wk.nodes[n.from].sym, wk.nodes[was.from].sym), comparePlaces(wk.v, n.via, was.via)) < 0
}

// comparePlaces orders symbols by path, then as they are defined.
func comparePlaces(v graph.View, a, b graph.Symbol) int {
	if a.File == b.File {
		return cmp.Compare(a.Def, b.Def)
	}
	fa, _ := v.File(a.File)
	fb, _ := v.File(b.File)
	return cmp.Compare(fa.Path, fb.Path)
}

// neighbors lists what is around the target, the nearest first. limit counts
// nodes; the target is not one of them. Edges are those among the listed nodes and
// the target that were met on the way. What may be called through something else is
// said beside it.
func (w *writer) neighbors(target graph.Symbol, req *Request) {
	r, rels := w.r, parseRels(req.Relations)
	m := &w.ans.Metadata
	m.Direction, m.Depth, m.Relations = req.Direction, req.Depth, req.Relations
	wk := newWalk(r.v, target)
	var met []edge
	var left leftover
	var apart possibles
	if f := r.facts(target.File); f != nil && target.Def != graph.NoDef && req.Direction == Both {
		left.except = f.Defs[target.Def].Name
	}
	for from := 0; from < len(wk.nodes) && r.check(); from++ {
		at := wk.nodes[from]
		// One more node than limit on complete levels: the rest is cut anyway.
		if at.dist >= req.Depth || at.dist > 0 && len(wk.nodes)-1 > req.Limit && wk.complete(from) {
			break
		}
		follow := func(e edge, far graph.Symbol) {
			r.mark(&e)
			met = append(met, e)
			if wk.reach(from, far, &e) {
				r.visited++
			}
		}
		if req.Direction != In {
			for _, e := range r.out(at.sym) {
				if rels.has(e.rel) {
					follow(e, e.dst)
				}
			}
			for _, part := range r.partsOf(at.sym) {
				left.add(r, part, r.outgoing(part), rels)
			}
		}
		if req.Direction != Out && !r.ended {
			for _, e := range r.in(at.sym) {
				switch {
				case !rels.has(e.rel):
				case e.possible():
					apart.add(&e, at.dist)
				default:
					follow(e, e.src)
				}
			}
			if rels.has(relInherits) {
				for _, e := range r.replacing(at.sym) {
					follow(e, e.src)
				}
			}
		}
	}
	fs := wk.nodes[1:]
	w.sort(fs, false)
	m.Total = len(fs)
	if len(fs) > req.Limit {
		fs, w.ans.Truncated = fs[:req.Limit], true
	}
	listed := map[graph.Symbol]bool{target: true}
	for _, n := range fs {
		listed[n.sym] = true
		w.node(n)
	}
	shown := make([]edge, 0, len(met)) // what was met counts below, too
	for _, e := range met {
		if listed[e.src] && listed[e.dst] {
			shown = append(shown, e)
		}
	}
	w.edges(dedupe(shown))
	w.sayLeft(&left)
	if req.Direction != Out {
		w.sayUnbound(target)
		w.sayPassed(append(met, apart.all()...), target)
		w.possibleCallers(&apart)
	} else {
		w.sayDispatch(met, graph.Symbol{})
		w.sayBroken(met)
	}
}

// complete reports whether node i begins a new distance.
func (wk *walk) complete(i int) bool { return i == 0 || wk.nodes[i].dist != wk.nodes[i-1].dist }
