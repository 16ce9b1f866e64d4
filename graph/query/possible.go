package query

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// A call is of what it is bound to. Where that is a method that others override or
// implement, it may run one of those in its place: to each of them it is a possible
// call, and of a method that many override most are of no concern to the one that is
// asked about. So answers keep possible calls apart from calls, and name the method
// that they go through, whose own callers they are. What derives from a method is
// listed the other way: where the method is asked about, as what builds on it. Impact
// keeps apart, too, what the name alone says: it goes on from what it lists, and each
// guess that it went on from would have a tree of its own.

// Bounds on what an answer lists of possible calls. Their counts are whole.
const (
	mostThrough  = 20
	mostPossible = 25 // callers, over all of them
)

// passage is a definition, and another through which it may be called.
type passage struct{ dst, via graph.Symbol } // of guesses via is dst

// possibles are the possible calls that an answer keeps apart, with how far from the
// target what they may reach is.
type possibles struct {
	calls map[passage][]edge
	dist  map[graph.Symbol]int
}

func (p *possibles) add(e *edge, dist int) {
	k := passage{e.dst, e.via}
	if !e.possible() {
		k.via = e.dst
	}
	if p.calls == nil {
		p.calls, p.dist = make(map[passage][]edge), make(map[graph.Symbol]int)
	}
	p.calls[k] = append(p.calls[k], *e)
	p.dist[e.dst] = dist
}

// all lists them for the words about what was passed.
func (p *possibles) all() (es []edge) {
	for _, calls := range p.calls {
		es = append(es, calls...)
	}
	return es
}

// order lists the passages, the nearest first, then the surest. The calls of each are in
// order.
func (w *writer) order(p *possibles) []passage {
	out := make([]passage, 0, len(p.calls))
	for k, es := range p.calls {
		w.sortEdges(es)
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b passage) int {
		return cmp.Or(
			cmp.Compare(p.dist[a.dst], p.dist[b.dst]), cmp.Compare(p.calls[b][0].conf, p.calls[a][0].conf),
			comparePlaces(w.r.v, a.dst, b.dst), comparePlaces(w.r.v, a.via, b.via),
		)
	})
	return out
}

// possibleCallers writes what is known of possible calls beside the answer.
func (w *writer) possibleCallers(p *possibles) {
	left := mostPossible
	order := w.order(p)
	for _, k := range order[:min(len(order), mostThrough)] {
		if !w.r.check() {
			return
		}
		es := p.calls[k]
		via := w.spot(k.via)
		out := Passage{
			Target: w.id(k.dst), Through: via.ID, Label: via.Label, Path: via.Path, Line: via.Line,
			Reason: reasons[es[0].reason], Confidence: Round(es[0].conf), Callers: []Caller{},
		}
		seen := make(map[graph.Symbol]bool)
		for i := range es {
			if seen[es[i].src] {
				continue
			}
			seen[es[i].src] = true
			if left > 0 {
				left--
				out.Callers = append(out.Callers, w.spot(es[i].src))
			}
		}
		out.Count = len(seen)
		w.ans.Metadata.PossibleCallers = append(w.ans.Metadata.PossibleCallers, out)
	}
}

// spot names a symbol and where it is.
func (w *writer) spot(s graph.Symbol) Caller {
	rec, _ := w.r.v.File(s.File)
	c := Caller{ID: w.id(s), Label: w.r.label(s), Path: rec.Path, Line: 1}
	if f := w.r.facts(s.File); f != nil && s.Def != graph.NoDef {
		c.Line = f.Defs[s.Def].NameSpan.From.Line
	}
	return c
}

// replacing lists the definitions that may run in place of a method, or as the value of
// a field: an edge from each, which stands where it is named. They change with what
// callers may expect of the method.
func (r *reader) replacing(s graph.Symbol) (es []edge) {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef || int(s.Def) >= len(f.Defs) {
		return nil
	}
	switch f.Defs[s.Def].Kind {
	case graph.KindMethod, graph.KindProperty, graph.KindField:
	default:
		return nil
	}
	b := r.dispatch(s)
	for _, c := range b.Targets {
		g := r.facts(c.Symbol.File)
		if g == nil || c.Symbol.Def == graph.NoDef || c.Symbol == s || !r.alive() {
			continue
		}
		e := edge{dst: s, at: c.Symbol.File, conf: c.Confidence}
		e.site = site{src: c.Symbol, rel: relInherits, prov: max(provInferred, provOf(b.Provenance)), reason: reasonOf(b.Reason)}
		e.line, e.endLine, e.col = place(g.Defs[c.Symbol.Def].NameSpan)
		if isGenerated(g, c.Symbol.Def) {
			e.flags |= siteGenerated
		}
		es = append(es, e)
	}
	slices.SortFunc(es, func(a, b edge) int {
		return cmp.Or(comparePlaces(r.v, a.src, b.src), cmp.Compare(b.conf, a.conf))
	})
	return es
}

// replacedBy is replacing seen from the other end: an edge to each field that may hold a
// function.
func (r *reader) replacedBy(s graph.Symbol) (es []edge) {
	for _, v := range r.vias(s) {
		for _, e := range r.replacing(v.sym) {
			if e.src == s {
				es = append(es, e)
			}
		}
	}
	return es
}

// replaces reports whether the edge that led to n is one that replacing made.
func (n *found) replaces() bool { return n.rel == relInherits && verbOf(n.reason) != "" }

// verbOf says what a definition does that may run in place of another; of the reasons
// that do not say that, nothing.
func verbOf(r reason) string {
	switch reasons[r] {
	case graph.ReasonOverride:
		return "overrides"
	case graph.ReasonImplements:
		return "implements"
	default:
		return ""
	}
}
