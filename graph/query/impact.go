package query

import (
	"maps"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// relsOf is what carries a change of a kind to those who use the target. A type
// that builds on a changed one is changed with it, and who holds a definition as a
// value runs it sooner or later, whatever the kind. What is not known may be any of
// the kinds: it reaches what one of them does, but for what holds the target, which
// only a deletion concerns and nobody has to be told.
func relsOf(k ChangeKind) relSet {
	uses := setOf(relCalls, relTests, relReferences, relInherits)
	switch k {
	case ChangeSignature:
		return uses
	case ChangeBehavior:
		return uses | setOf(relImports)
	case ChangeDelete:
		return uses | setOf(relImports, relContains)
	case ChangeRename:
		return uses | setOf(relImports, relMentions)
	}
	return uses | setOf(relImports, relMentions)
}

// backward walks edges from their ends to their starts.
type backward struct {
	*walk
	w    *writer
	rels relSet
	met  []edge
	// apart holds possible calls and guesses that were not followed. Those of the target
	// itself are, where nothing is bound to it: else a change of what is only called
	// through what it overrides would reach nobody.
	apart   possibles
	through bool // of the node that is expanded, they are
	// replaced has what overrides the seeds change with them.
	replaced bool
	// ran holds the files whose top level runs what was reached: those who import
	// them are reached too. A file that only imports something passes nothing on.
	ran   map[graph.Symbol]bool
	seeds int
	// ahead holds the edges of nodes that were looked at together, from the node first.
	ahead [][]edge
	first int
}

func (w *writer) backward(seeds []graph.Symbol, rels relSet) *backward {
	wk := newWalk(w.r.v, seeds...)
	wk.mereLast = true
	return &backward{walk: wk, w: w, rels: rels, ran: make(map[graph.Symbol]bool), seeds: len(wk.nodes)}
}

// look finds the edges of node i, unless it has, with those of some nodes behind it
// that are as far and wanted. It reports false when the question has ended.
func (b *backward) look(i int, wanted func(int) bool) bool {
	if i < b.first+len(b.ahead) {
		return true
	}
	if !b.w.r.check() {
		return false
	}
	var symbols []graph.Symbol
	to := i
	for ; to < len(b.nodes) && b.nodes[to].dist == b.nodes[i].dist && len(symbols) < lookAhead; to++ {
		if wanted(to) {
			symbols = append(symbols, b.nodes[to].sym)
		}
	}
	es := b.w.r.edgesOf(symbols, (*reader).in)
	b.first, b.ahead = i, make([][]edge, to-i)
	for k, at := 0, i; at < to; at++ {
		if k < len(symbols) && b.nodes[at].sym == symbols[k] {
			if b.ahead[at-i] = es[k]; es[k] == nil && !b.w.r.ended {
				b.ahead[at-i] = []edge{}
			}
			k++
		}
	}
	return true
}

// expand follows the edges that end at node i.
func (b *backward) expand(i int) {
	at := b.nodes[i]
	rels := b.rels &^ holding
	if at.dist > 0 {
		rels &^= setOf(relMentions)
	}
	es := b.ahead[i-b.first]
	if es == nil { // it was not wanted then
		es = b.w.r.in(at.sym)
	}
	b.through = i == 0 && !slices.ContainsFunc(es, called)
	if at.dist == 0 && b.replaced {
		es = slices.Concat(es, b.w.r.replacing(at.sym))
	}
	es = slices.Concat(es, fixtureEdges(at.sym, b.w.r.atHand(at.sym.File), es))
	for k := range es {
		e := &es[k]
		if !rels.has(e.rel) || e.src == e.dst {
			continue
		}
		if (e.possible() || e.guessed()) && (!b.through || b.w.r.held(e)) {
			b.apart.add(e, at.dist)
			continue
		}
		b.w.r.mark(e)
		if e.src.Def == graph.NoDef && e.rel != relImports && e.rel != relMentions {
			b.ran[e.src] = true
		}
		b.met = append(b.met, *e)
		if b.reach(i, e.src, e) {
			b.w.r.visited++
			b.nodes[len(b.nodes)-1].last = e.src.Def == graph.NoDef
		}
	}
}

// held reports whether an edge is a call of a field that may hold its end: of a table of
// functions all go the same way, and who calls one of them is no caller of each.
func (r *reader) held(e *edge) bool {
	f := r.facts(e.dst.File)
	return e.possible() && f != nil && e.dst.Def != graph.NoDef && f.Defs[e.dst.Def].Kind == graph.KindFunction
}

// called reports whether an edge is a call that is bound to its end.
func called(e edge) bool {
	return (e.rel == relCalls || e.rel == relTests) && !e.possible() && !e.guessed() && e.src != e.dst
}

// passesOn reports whether those who use node i are to be looked for.
func (b *backward) passesOn(i int) bool {
	n := &b.nodes[i]
	return n.dist == 0 || n.rel != relMentions && !holding.has(n.rel) && (n.sym.Def != graph.NoDef || b.ran[n.sym])
}

// seeds lists what changes with the target: a change of a type or a file is one of
// what it holds. What cannot be run is left out, unless reads count: the names of
// fields are common, and to look at all their uses is dear.
func (w *writer) seeds(target graph.Symbol, reads bool) []graph.Symbol {
	seeds := []graph.Symbol{target}
	if target.Def == graph.NoDef {
		for _, part := range w.r.partsOf(target) {
			f := w.r.facts(part.File)
			if f == nil || !w.r.alive() {
				continue
			}
			for _, e := range defines(f, part) {
				if reads || runs(f.Defs[e.dst.Def].Kind) {
					seeds = append(seeds, e.dst)
				}
			}
		}
		return seeds
	}
	f := w.r.facts(target.File)
	if f == nil {
		return seeds
	}
	if isType(f.Defs[target.Def].Kind) {
		maker := constructorOf(f, target.Def) // whose callers are the type's
		w.r.members(w.r.v, target, func(m graph.Symbol, g *graph.Facts) bool {
			if (reads || runs(g.Defs[m.Def].Kind)) && (m.File != target.File || m.Def != maker) {
				seeds = append(seeds, m)
			}
			return w.r.alive()
		})
	}
	return seeds
}

// runs reports whether something of the kind can be called or built on.
func runs(k graph.Kind) bool {
	switch k {
	case graph.KindFunction, graph.KindMethod, graph.KindProperty:
		return true
	}
	return isType(k)
}

// impact lists who is concerned by a change of the target: the nearest first, limit
// of them, each with the edges that lead to it. Whole distances are found before
// the cut, so that the cut is the same every time.
func (w *writer) impact(target graph.Symbol, req *Request) {
	m := &w.ans.Metadata
	m.ChangeKind, m.Depth, m.Relations = req.ChangeKind, req.Depth, req.Relations
	rename := req.ChangeKind == ChangeRename
	if rename && m.Depth == UnlimitedDistance {
		m.Depth = 1 // the text of those further away stays as it is
	}
	rels := relsOf(req.ChangeKind)
	if len(req.Relations) > 0 {
		rels = parseRels(req.Relations) // who names them knows what to follow
	}
	seeds := []graph.Symbol{target} // a rename concerns only those who write the name
	if !rename {
		seeds = w.seeds(target, rels.has(relReferences))
	}
	b := w.backward(seeds, rels)
	b.replaced = rels.has(relInherits) && (req.ChangeKind != ChangeBehavior || len(req.Relations) > 0)
	// Who writes the name of what overrides the target writes the target's.
	wanted := func(i int) bool {
		within := m.Depth == UnlimitedDistance || b.nodes[i].dist < m.Depth
		return (within || rename && b.nodes[i].replaces()) && b.passesOn(i)
	}
	for i := 0; i < len(b.nodes); i++ {
		dist := b.nodes[i].dist
		if m.Depth != UnlimitedDistance && dist > m.Depth || dist > 0 && b.complete(i) && len(b.nodes)-b.seeds > req.Limit {
			break
		}
		if !b.look(i, wanted) {
			break
		}
		if wanted(i) {
			b.expand(i)
		}
		if i == b.seeds-1 {
			w.container(b, target)
		}
	}
	w.sayUnbound(target)
	w.showImpact(b, target, req.Limit)
}

// holding are the relations of what holds the target to it.
const holding = relSet(1<<relContains | 1<<relDefines)

// container adds what holds the target, when that is asked for: it loses a member.
// Those who use it are not concerned.
func (w *writer) container(b *backward, target graph.Symbol) {
	if b.rels&holding == 0 {
		return
	}
	es := w.r.bound(target)
	for i := range es {
		if e := &es[i]; holding.has(e.rel) && b.rels.has(e.rel) {
			b.met = append(b.met, *e)
			if b.reach(0, e.src, e) {
				b.nodes[len(b.nodes)-1].last = true
			}
		}
	}
}

func (w *writer) showImpact(b *backward, target graph.Symbol, limit int) {
	dist := make(map[graph.Symbol]int, len(b.nodes))
	for _, n := range b.nodes {
		dist[n.sym] = n.dist
	}
	maps.DeleteFunc(b.apart.calls, func(k passage, _ []edge) bool { // their callers are listed
		at, met := b.at[k.via]
		return met && k.via != k.dst && b.nodes[at].dist <= dist[k.dst] && b.passesOn(at)
	})
	w.sayPassed(append(b.met, b.apart.all()...), target)
	w.possibleCallers(&b.apart)
	for _, n := range b.tests() {
		if len(w.ans.SuggestedTests) < limit {
			w.suggest(b.suggestion(n))
		}
	}
	fs := slices.Clone(b.nodes[b.seeds:])
	w.sort(fs, true)
	w.ans.Metadata.Total = len(fs)
	if len(fs) > limit {
		fs, w.ans.Truncated = fs[:limit], true
	}
	listed, files := make(map[graph.Symbol]bool, len(fs)), make(map[graph.Path]bool)
	for _, n := range fs {
		listed[n.sym] = true
		n.reasons = []string{b.reasonFor(&n)}
		w.node(n)
		if !files[n.path] { // in the order of what is found in them: the likeliest first
			files[n.path] = true
			w.ans.ImpactedFiles = append(w.ans.ImpactedFiles, n.path)
		}
	}
	shown := b.met[:0]
	for _, e := range b.met {
		if listed[e.src] && dist[e.dst] < dist[e.src] {
			shown = append(shown, e)
		}
	}
	w.edges(dedupe(shown))
}

// reasonFor says what led to a node.
func (b *backward) reasonFor(n *found) string {
	from := b.w.r.label(b.nodes[n.from].sym)
	switch does := verbOf(n.reason); {
	case does == "":
		return string(n.rel.relation()) + " " + from
	case n.replaces():
		return does + " " + from
	default:
		return string(n.rel.relation()) + " " + b.w.r.label(n.via) + ", which " + from + " " + does
	}
}

// tests lists the nodes that are tests, best first, as far as there is time to look.
func (b *backward) tests() []found {
	var out []found
	for _, n := range b.nodes[b.seeds:] {
		if holding.has(n.rel) || n.sym.Def == graph.NoDef {
			continue
		}
		if f := b.w.r.atHand(n.sym.File); f != nil && isTestDef(f, n.sym.Def) {
			out = append(out, n)
		}
	}
	b.w.sort(out, true)
	return out
}
