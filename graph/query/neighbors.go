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

// surroundings is a walk around a target, and what it met.
type surroundings struct {
	*walk
	r     *reader
	rels  relSet
	met   []edge    // that were followed
	left  leftover  // what is known of by name alone
	apart possibles // calls that may come through something else
}

// neighbors lists what is around the target, the nearest first. limit counts
// nodes; the target is not one of them. Edges are those among the listed nodes and
// the target that were met on the way. What may be called through something else is
// said beside it.
func (w *writer) neighbors(target graph.Symbol, req *Request) {
	m := &w.ans.Metadata
	m.Direction, m.Depth, m.Relations = req.Direction, req.Depth, req.Relations
	s := surroundings{walk: newWalk(w.r.v, target), r: w.r, rels: parseRels(req.Relations)}
	s.explore(target, req)
	fs := s.nodes[1:]
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
	shown := make([]edge, 0, len(s.met)) // what was met counts below, too
	for _, e := range s.met {
		if listed[e.src] && listed[e.dst] {
			shown = append(shown, e)
		}
	}
	w.edges(dedupe(shown))
	w.sayLeft(&s.left)
	if req.Direction != Out {
		w.sayUnbound(target)
		w.sayPassed(append(s.met, s.apart.all()...), target)
		w.possibleCallers(&s.apart)
	} else {
		w.sayDispatch(s.met, graph.Symbol{})
		w.sayBroken(s.met)
	}
}

// explore walks from the target as far as is asked for.
func (s *surroundings) explore(target graph.Symbol, req *Request) {
	if f := s.r.facts(target.File); f != nil && target.Def != graph.NoDef && req.Direction == Both {
		s.left.except = f.Defs[target.Def].Name
	}
	for from := 0; from < len(s.nodes) && s.r.check(); from++ {
		at := s.nodes[from]
		// One more node than limit on complete levels: the rest is cut anyway.
		if at.dist >= req.Depth || at.dist > 0 && len(s.nodes)-1 > req.Limit && s.complete(from) {
			return
		}
		if req.Direction != In {
			s.outOf(from, at.sym)
		}
		if req.Direction != Out && !s.r.ended {
			s.into(from, at)
		}
	}
}

// follow takes an edge of node from to what lies at its other end.
func (s *surroundings) follow(from int, e edge, far graph.Symbol) {
	s.r.mark(&e)
	s.met = append(s.met, e)
	if s.reach(from, far, &e) {
		s.r.visited++
	}
}

func (s *surroundings) outOf(from int, sym graph.Symbol) {
	for _, e := range s.r.out(sym) {
		if s.rels.has(e.rel) {
			if e.rel == relImports && e.dst.Def == graph.NoDef {
				e.dst = s.r.packageAt(e.dst) // one import is one neighbour
			}
			s.follow(from, e, e.dst)
		}
	}
	if f := s.r.facts(sym.File); s.rels.has(relInherits) && s.r.mayBeGiven(sym, f) {
		for _, e := range s.r.replacedBy(sym) {
			s.follow(from, e, e.dst)
		}
	}
	for _, part := range s.r.partsOf(sym) {
		s.left.add(s.r, part, s.r.outgoing(part), s.rels)
	}
}

func (s *surroundings) into(from int, at found) {
	for _, e := range s.r.in(at.sym) {
		switch {
		case !s.rels.has(e.rel):
		case e.possible():
			s.apart.add(&e, at.dist)
		default:
			s.follow(from, e, e.src)
		}
	}
	if s.rels.has(relInherits) {
		for _, e := range s.r.replacing(at.sym) {
			s.follow(from, e, e.src)
		}
	}
}

// complete reports whether node i begins a new distance.
func (wk *walk) complete(i int) bool { return i == 0 || wk.nodes[i].dist != wk.nodes[i-1].dist }
