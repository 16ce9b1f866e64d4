package query

import "github.com/ralph-index/ralph-index/graph"

// out returns the edges that start at s.
func (r *reader) out(s graph.Symbol) []edge {
	return remember(r, cellKey{kind: cellOut, sym: s}, func(es []edge) int { return len(es) },
		func(v graph.View) ([]edge, bool) {
			es := r.makeOut(v, s)
			return es, !r.ended
		})
}

func (r *reader) makeOut(v graph.View, s graph.Symbol) []edge {
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
	})
	return es
}

// outOf binds everything in the file whose edges start at definition def.
func (b *binder) outOf(def int32, out sink) {
	for i := range b.f.Refs {
		if ownerOf(b.f, b.f.Refs[i].Enclosing) != def {
			continue
		}
		if !b.r.alive() {
			return
		}
		b.ref(i, out)
	}
	for i := range b.f.Imports {
		if ownerOf(b.f, b.f.Imports[i].Enclosing) == def && b.r.alive() {
			b.imp(i, true, b.f.Imports[i].Module != "", out)
		}
	}
	for i := range b.f.Heritage {
		if b.f.Heritage[i].Def == def && b.r.alive() {
			b.base(i, out)
		}
	}
	for i := range b.f.Mentions {
		if ownerOf(b.f, b.f.Mentions[i].Enclosing) == def && b.r.alive() {
			b.mention(i, out)
		}
	}
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
