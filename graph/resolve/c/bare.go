package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// found is what a name may be, by how the text comes to see it.
type found struct {
	own    []sym // the file itself defines it
	seen   []sym // a file that it includes does
	decls  []sym // declared in either
	linked []sym // defined elsewhere, for all files
	macros []sym // of own and seen, the macros
}

// bare binds a name without a qualifier.
func (b *binder) bare(r *graph.Ref) graph.Binding {
	if b.f.Language == "cpp" {
		if out := b.inClass(r); out.Resolved() {
			return out
		}
	}
	got := b.find(r)
	if b.f.Language == "cpp" && r.Use == graph.UseCall && r.Args >= 0 {
		if out, done := b.overloaded(r, &got); done {
			return out
		}
	}
	if out := b.visible(r, &got); out.Resolved() {
		return out
	}
	if len(got.decls) > 0 {
		if syms, sure := b.defined(r, &got); len(syms) > 0 {
			if sure && len(syms) == 1 {
				return b.bind(syms, graph.Extracted, graph.ReasonImport, linkConfidence)
			}
			return b.bind(syms, graph.Inferred, graph.ReasonImport, nearConfidence)
		}
		return b.bind(got.decls[:1], graph.Extracted, graph.ReasonImport, seenConfidence)
	}
	return b.undeclared(r, &got)
}

// visible binds a name to what the file or its includes define.
func (b *binder) visible(r *graph.Ref, got *found) graph.Binding {
	fns := got.own
	prov, reason, conf := graph.Extracted, graph.ReasonScope, float32(sureConfidence)
	if len(fns) == 0 {
		fns, reason, conf = got.seen, graph.ReasonImport, seenConfidence
	}
	if len(got.macros) > 0 && b.expands(r, got.macros, fns) {
		m := got.macros
		if own := slices.IndexFunc(m, func(s sym) bool { return s.id == b.id }); own >= 0 {
			m = slices.DeleteFunc(slices.Clone(m), func(s sym) bool { return s.id != b.id })
			return b.bind(m, graph.Extracted, graph.ReasonScope, sureConfidence)
		}
		return b.bind(m, graph.Extracted, graph.ReasonImport, seenConfidence)
	}
	if len(fns) == 0 {
		return graph.Binding{}
	}
	fns = b.arity(r, fns)
	if len(fns) > 1 && conf < sureConfidence {
		return b.bind(b.nearest(fns), graph.Inferred, reason, nearConfidence)
	}
	return b.bind(fns, prov, reason, conf)
}

// expands reports whether the macros of a name stand before its other definitions. One
// under a condition may not be there.
func (b *binder) expands(r *graph.Ref, macros, others []sym) bool {
	if len(others) == 0 {
		return true
	}
	if r.Enclosing != graph.NoDef && b.f.Defs[r.Enclosing].Kind == graph.KindMacro && b.f.Defs[r.Enclosing].Name == r.Name {
		return false // a macro is not expanded in its own text
	}
	for _, m := range macros {
		later := m.id == others[0].id && m.d().NameSpan.Start > r.Span.Start
		if !later && !m.d().Has(graph.FlagConditional) {
			return true
		}
	}
	return false
}

// find sorts the definitions of a name.
func (b *binder) find(r *graph.Ref) found {
	var got found
	var all closure
	know := false
	for _, id := range b.v.Definers(r.Name) {
		f := b.facts(id)
		if f == nil {
			continue
		}
		inside := id == b.id
		if !inside {
			if !know {
				all, know = b.closure(), true
			}
			inside = all.has(id)
		}
		for i := f.NextNamed(r.Name, 0); i != graph.NoDef; i = f.NextNamed(r.Name, i+1) {
			d, s := &f.Defs[i], sym{f, id, i}
			if d.Has(graph.FlagLocal) && !b.aroundIn(id, i, r) || !b.fits(r, f, d) {
				continue
			}
			switch {
			case d.Kind == graph.KindMacro:
				if inside && !b.selfMacro(r, id, i) {
					got.macros = append(got.macros, s)
				}
			case d.Has(graph.FlagDeclaration):
				if inside {
					got.decls = append(got.decls, s)
				} else {
					continue
				}
			case id == b.id:
				got.own = append(got.own, s)
			case inside:
				got.seen = append(got.seen, s)
			case d.Has(graph.FlagExported) && aside(f.Path) == aside(b.f.Path):
				got.linked = append(got.linked, s)
			}
		}
	}
	got.own, got.seen, got.linked = scopeFilter(b, r, got.own), scopeFilter(b, r, got.seen), scopeFilter(b, r, got.linked)
	return got
}

// selfMacro reports whether a reference stands in the text of the very macro.
func (b *binder) selfMacro(r *graph.Ref, id graph.FileID, def int32) bool {
	return id == b.id && r.Enclosing == def
}

// aroundIn reports whether a local definition stands in a function around the use.
func (b *binder) aroundIn(id graph.FileID, def int32, r *graph.Ref) bool {
	if id != b.id {
		return false
	}
	for at := r.Enclosing; at != graph.NoDef; at = b.f.Defs[at].Container {
		if b.f.Defs[def].Container == at {
			return true
		}
	}
	return false
}

// fits reports whether a definition may be what a name without qualifier means.
func (b *binder) fits(r *graph.Ref, f *graph.Facts, d *graph.Def) bool {
	if d.Owner != "" {
		return false
	}
	if d.Container != graph.NoDef && d.Kind != graph.KindEnumMember && !isType(d.Kind) {
		if k := f.Defs[d.Container].Kind; !d.Has(graph.FlagLocal) && k != graph.KindFunction && k != graph.KindNamespace {
			return false
		}
	}
	switch d.Kind {
	case graph.KindField, graph.KindMethod, graph.KindNamespace:
		return false
	case graph.KindMacro:
		return true
	case graph.KindStruct, graph.KindClass, graph.KindEnum, graph.KindType:
		return r.Use == graph.UseType || f.Language == "cpp" && b.f.Language == "cpp"
	}
	return r.Use != graph.UseType
}

func isType(k graph.Kind) bool {
	return k == graph.KindStruct || k == graph.KindClass || k == graph.KindEnum || k == graph.KindType
}

// defined finds the definitions that belong to declarations. sure says that there is no
// other of their name.
func (b *binder) defined(r *graph.Ref, got *found) (syms []sym, sure bool) {
	syms = b.arity(r, got.linked)
	if len(syms) < 2 {
		return syms, len(got.linked) == 1
	}
	// A file that defines what a header declares includes the header.
	var kept []sym
	for _, s := range syms {
		c := b.at(s).closure()
		if slices.ContainsFunc(got.decls, func(d sym) bool { return d.id != b.id && (d.id == s.id || c.has(d.id)) }) {
			kept = append(kept, s)
		}
	}
	if len(kept) > 0 {
		syms = kept
	}
	if oneFile(syms) {
		return syms, len(syms) == 1
	}
	var dirs []sym
	for _, s := range syms {
		if slices.ContainsFunc(got.decls, func(d sym) bool { return d.f.Path.Dir() == s.f.Path.Dir() }) {
			dirs = append(dirs, s)
		}
	}
	if len(dirs) > 0 {
		syms = dirs
	}
	return b.nearest(syms), false
}

func oneFile(syms []sym) bool {
	for _, s := range syms[1:] {
		if s.id != syms[0].id {
			return false
		}
	}
	return true
}

// nearest keeps the definitions that stand nearest to the file of the reference.
func (b *binder) nearest(syms []sym) []sym {
	if len(syms) < 2 {
		return syms
	}
	best := -1
	var out []sym
	for _, s := range syms {
		n := 2 * common(string(b.f.Path.Dir()), string(s.f.Path))
		if s.f.Path.Dir() == b.f.Path.Dir() {
			n++
		}
		if n > best {
			best, out = n, nil
		}
		if n == best {
			out = append(out, s)
		}
	}
	return out
}

// undeclared binds a name that nothing declares which the file includes. A header that
// includes nothing sees what those see that include it; else one definition of its
// name is likely, unless the name is the library's.
func (b *binder) undeclared(r *graph.Ref, got *found) graph.Binding {
	if standardName(r.Name) && r.Use == graph.UseCall || predefined(r.Name) {
		return graph.Binding{External: true}
	}
	if isHeader(b.f.Path) || len(b.v.Referrers(b.f.Path.Base())) > 0 {
		if out := b.throughIncluder(r); out.Resolved() {
			return out
		}
	}
	syms := b.nearest(b.arity(r, got.linked))
	if r.Use == graph.UseType || r.Use == graph.UseRead {
		syms = slices.DeleteFunc(slices.Clone(syms), func(s sym) bool { return s.d().Kind == graph.KindEnumMember && r.Use == graph.UseType })
	}
	all := b.closure()
	switch {
	case len(syms) == 1 && len(got.linked) == 1:
		return b.bind(syms, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
	case len(syms) > 0 && (oneFile(syms) || !all.outside):
		return b.bind(syms, graph.Inferred, graph.ReasonCandidates, guessConfidence)
	}
	return graph.Binding{External: all.outside && len(syms) == 0}
}

// throughIncluder binds as a file would that includes this one.
func (b *binder) throughIncluder(r *graph.Ref) graph.Binding {
	for _, id := range b.includers() {
		f := b.facts(id)
		if f == nil {
			continue
		}
		c := newBinder(b.v, f, id)
		own := graph.Ref{Name: r.Name, Use: r.Use, Args: r.Args, Enclosing: graph.NoDef, Span: graph.Span{Start: 1<<32 - 1}}
		got := c.find(&own)
		if out := c.visible(&own, &got); out.Resolved() {
			return weaker(out, nearConfidence)
		}
		if len(got.decls) > 0 {
			if syms, _ := c.defined(&own, &got); len(syms) > 0 {
				return c.bind(syms, graph.Inferred, graph.ReasonImport, memberConfidence)
			}
			return c.bind(got.decls[:1], graph.Inferred, graph.ReasonImport, memberConfidence)
		}
	}
	return graph.Binding{}
}

func weaker(b graph.Binding, most float32) graph.Binding {
	if b.Provenance == graph.Extracted {
		b.Provenance = graph.Inferred
	}
	for i := range b.Targets {
		b.Targets[i].Confidence = min(b.Targets[i].Confidence, most)
	}
	return b
}

func isHeader(p graph.Path) bool {
	return strings.HasPrefix(p.Ext(), ".h") || p.Ext() == ".inc" || p.Ext() == ".inl" || p.Ext() == ".ipp"
}
