package typescript

import "github.com/ralph-index/ralph-index/graph"

// maxSubtypes bounds how many derived types one question looks at.
const maxSubtypes = 256

// dispatch lists the overrides and implementations that a call of a member may
// reach.
func (b *binder) dispatch(s graph.Symbol) graph.Binding {
	f := b.facts(s.File)
	if f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Container < 0 || d.Name == "constructor" || d.Has(graph.FlagStatic) || !isTypeKind(f.Defs[d.Container].Kind) {
		return graph.Binding{}
	}
	reason := graph.ReasonOverride
	if k := f.Defs[d.Container].Kind; k == graph.KindInterface || k == graph.KindType || d.Has(graph.FlagAbstract) {
		reason = graph.ReasonImplements
	}
	var out []graph.Symbol
	for _, sub := range b.subtypes(graph.Symbol{File: s.File, Def: d.Container}) {
		g := b.facts(sub.File)
		out = addSymbols(out, membersOf(g, sub, d.Name, false))
	}
	if len(out) == 0 {
		return graph.Binding{}
	}
	bnd := bind(out, reason, derived/float32(max(1, len(out))), graph.Inferred)
	bnd.Dynamic = true
	return bnd
}

// subtypes lists the types that extend or implement a type, nearest first.
func (b *binder) subtypes(of graph.Symbol) []graph.Symbol {
	queue, seen := []graph.Symbol{of}, map[graph.Symbol]bool{of: true}
	for n := 0; n < len(queue) && len(queue) < maxSubtypes; n++ {
		d := b.def(queue[n])
		if d == nil {
			continue
		}
		names := b.names(queue[n])
		for _, name := range names {
			if name == "super" {
				continue
			}
			ids := b.v.Referrers(name)
			for _, id := range ids[:min(len(ids), 4*maxSubtypes)] {
				queue = b.derive(queue, seen, queue[n], names, id)
			}
		}
	}
	return queue[1:]
}

// derive appends the types of one file that name base as theirs.
func (b *binder) derive(queue []graph.Symbol, seen map[graph.Symbol]bool, base graph.Symbol, names []string, id graph.FileID) []graph.Symbol {
	f := b.facts(id)
	if f == nil || !served(f.Language) {
		return queue
	}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		sub := graph.Symbol{File: id, Def: h.Def}
		if h.Def < 0 || seen[sub] || !has(names, h.Name) && !aliasOf(f, h.Name) {
			continue
		}
		b.steps = 0
		for _, s := range b.baseOf(scope{f, id, f.Defs[h.Def].Container}, h).syms {
			if s == base {
				seen[sub] = true
				queue = append(queue, sub)
				break
			}
		}
	}
	return queue
}

// aliasOf reports whether the name is what the file calls another file's default
// export: any name may be.
func aliasOf(f *graph.Facts, name string) bool {
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Alias == name && (im.Name == "default" || im.Name == "") {
			return true
		}
	}
	return false
}
