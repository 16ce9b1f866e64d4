package query

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// outgoing is what starts at a symbol. It is immutable.
type outgoing struct {
	edges  []edge
	lost   []lost // what no rule could bind, in order of the text
	values int    // calls of values, which may run anything
	// outside counts, by relation, what is bound to something that is not in the
	// workspace.
	outside [relCount]uint32
}

// lost is a name that a definition refers to, and that no rule could bind.
type lost struct {
	name string
	rel  rel
	n    int
}

// outgoing returns what starts at one symbol.
func (r *reader) outgoing(s graph.Symbol) *outgoing {
	return remember(r, cellKey{kind: cellOut, sym: s}, func(o *outgoing) int { return len(o.edges) + len(o.lost) },
		func(v graph.View) (*outgoing, bool) {
			o := &outgoing{values: r.valueCalls(s)}
			o.edges = r.makeOut(v, s, o.unbound)
			return o, !r.ended
		})
}

// unbound takes note of a reference that leads to nothing in the workspace.
func (o *outgoing) unbound(name string, rl rel, bd *graph.Binding) {
	if bd.External {
		o.outside[rl]++
	}
	if !bd.Unbound() {
		return
	}
	for i := range o.lost {
		if l := &o.lost[i]; l.name == name && l.rel == rl {
			l.n++
			return
		}
	}
	o.lost = append(o.lost, lost{strings.Clone(name), rl, 1}) // facts share one text
}

// valueCalls counts the calls of values in a definition.
func (r *reader) valueCalls(s graph.Symbol) (n int) {
	f := r.facts(s.File)
	if f == nil {
		return 0
	}
	for _, c := range f.ValueCalls {
		if ownerOf(f, c.Enclosing) == s.Def {
			n += int(c.Count)
		}
	}
	return n
}

func (r *reader) makeOut(v graph.View, s graph.Symbol, unbound func(string, rel, *graph.Binding)) []edge {
	f := r.facts(s.File)
	if f == nil || int(s.Def) >= len(f.Defs) {
		return nil
	}
	var es []edge
	if s.Def == graph.NoDef {
		es = defines(f, s)
	} else {
		r.members(v, s, func(m graph.Symbol, g *graph.Facts) bool {
			es = append(es, contains(s, m, g))
			return r.alive()
		})
	}
	res := r.resolver(f)
	if res == nil {
		return es
	}
	f = r.withRefs(f, s.File, graph.Selection{In: func(def int32) bool { return ownerOf(f, def) == s.Def }})
	b := binder{r: r, v: v, res: res, f: f, id: s.File}
	b.outOf(s.Def, func(st site, targets []graph.Candidate) {
		for _, c := range targets {
			e := edge{site: st, dst: c.Symbol, at: s.File, conf: c.Confidence}
			es = append(es, e)
			if tested, ok := r.testEdge(e); ok {
				es = append(es, tested)
			}
		}
	}, unbound)
	return es
}

// outOf binds everything in the file whose edges start at definition def. unbound is
// called for each binding of a name beside; most have targets. Prose is not asked to
// name something.
func (b *binder) outOf(def int32, out sink, unbound func(name string, rl rel, bd *graph.Binding)) {
	for i := range b.f.Refs {
		ref := &b.f.Refs[i]
		if ownerOf(b.f, ref.Enclosing) != def {
			continue
		}
		if !b.r.alive() {
			return
		}
		bd, rl := b.ref(i, out), relReferences
		if ref.Use.Calls() {
			rl = relCalls
		}
		if ref.Use != graph.UseExport {
			unbound(ref.Name, rl, &bd)
		}
	}
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if ownerOf(b.f, im.Enclosing) == def && b.r.alive() {
			bd := b.imp(i, true, im.Module != "", out)
			unbound(takenBy(im), relImports, &bd)
		}
	}
	for i := range b.f.Heritage {
		if h := &b.f.Heritage[i]; h.Def == def && b.r.alive() {
			bd := b.base(i, out)
			unbound(h.Name, relInherits, &bd)
		}
	}
	for i := range b.f.Mentions {
		if ownerOf(b.f, b.f.Mentions[i].Enclosing) == def && b.r.alive() {
			b.mention(i, out)
		}
	}
}

// takenBy names what an import takes: a name, or else the module.
func takenBy(im *graph.Import) string {
	if im.Name == "" || im.Name == "*" {
		return im.Module
	}
	return im.Name
}

// defines lists the edges from a file to its definitions. What is local to a
// function is contained in it and not defined by the file.
func defines(f *graph.Facts, file graph.Symbol) []edge {
	var es []edge
	for i := range f.Defs {
		if f.Defs[i].Flags&graph.FlagLocal == 0 && canonical(f, int32(i)) == int32(i) {
			es = append(es, defined(f, graph.Symbol{File: file.File, Def: int32(i)}))
		}
	}
	return es
}

func defined(f *graph.Facts, s graph.Symbol) edge {
	e := edge{dst: s, at: s.File, conf: 1}
	e.site = site{src: fileOf(s), rel: relDefines, prov: provExtracted, reason: reasonOf(graph.ReasonScope)}
	e.line, e.endLine, e.col = place(f.Defs[s.Def].NameSpan)
	return e
}

// contains is the edge from a definition to one that it contains; its text is
// where the member stands.
func contains(outer, member graph.Symbol, f *graph.Facts) edge {
	e := edge{dst: member, at: member.File, conf: 1}
	e.site = site{src: outer, rel: relContains, prov: provExtracted, reason: reasonOf(graph.ReasonScope)}
	if outer.File != member.File {
		e.reason = reasonOf(graph.ReasonPackage)
	}
	e.line, e.endLine, e.col = place(f.Defs[member.Def].NameSpan)
	return e
}

// testEdge makes of a call in a test the second edge that says so. What is itself a
// test, or help for one, is not what a test is about.
func (r *reader) testEdge(e edge) (edge, bool) {
	if e.rel != relCalls || e.flags&siteFromTest == 0 || e.dst.Def == graph.NoDef {
		return edge{}, false
	}
	f := r.facts(e.dst.File)
	if f == nil || isTest(f, e.dst.Def) {
		return edge{}, false
	}
	e.rel = relTests
	return e, true
}
