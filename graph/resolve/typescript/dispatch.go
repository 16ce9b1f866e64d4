package typescript

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Limits of the search for overrides. A search that meets one says so.
const (
	maxSubtypes      = 256
	maxOverrideFiles = 512
)

// dispatch lists the overrides and implementations that a call of a member may
// reach. It looks at the files that define the member's name, or at those that name
// the type and its subtypes, whichever are fewer, as far as the first names tell.
// Where they are too many, the binding is Dynamic and may lack targets: which ones,
// the ids of files do not decide, for these differ from index to index.
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
	holder := graph.Symbol{File: s.File, Def: d.Container}
	var subs []graph.Symbol
	var cut bool
	if definers := b.v.Definers(d.Name); len(definers) <= len(b.v.Referrers(f.Defs[d.Container].Name)) {
		subs, cut = b.derivedAmong(definers, d.Name, holder)
	} else if subs, cut = b.subtypes(holder); cut { // few name the type, but too many what derives from it
		subs, cut = b.derivedAmong(definers, d.Name, holder)
	}
	var out []graph.Symbol
	for _, sub := range subs {
		out = addSymbols(out, membersOf(b.facts(sub.File), sub, d.Name, false))
	}
	if len(out) == 0 && !cut {
		return graph.Binding{}
	}
	bnd := bind(out, reason, derived/float32(max(1, len(out))), graph.Inferred)
	bnd.Dynamic = true
	return bnd
}

// derivedAmong lists the types of some files that have a member of the name and
// derive from a type.
func (b *binder) derivedAmong(ids []graph.FileID, name string, base graph.Symbol) (subs []graph.Symbol, cut bool) {
	if len(ids) > maxOverrideFiles {
		ids, cut = b.firstPaths(ids, maxOverrideFiles), true
	}
	for _, id := range ids {
		f := b.servedFacts(id)
		if f == nil || len(f.Heritage) == 0 {
			continue
		}
		seen := map[graph.Symbol]bool{}
		for i := range f.Defs {
			d := &f.Defs[i]
			t := graph.Symbol{File: id, Def: d.Container}
			if d.Name != name || d.Container < 0 || seen[t] || !isTypeKind(f.Defs[d.Container].Kind) {
				continue
			}
			seen[t] = true
			if b.derives(t, base) {
				subs = append(subs, t)
			}
		}
	}
	return subs, cut
}

// firstPaths returns the n files whose paths come first.
func (b *binder) firstPaths(ids []graph.FileID, n int) []graph.FileID {
	paths := make(map[graph.FileID]graph.Path, len(ids))
	for _, id := range ids {
		if rec, ok := b.v.File(id); ok {
			paths[id] = rec.Path
		}
	}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(x, y graph.FileID) int { return cmp.Compare(paths[x], paths[y]) })
	return ids[:n]
}

// derives reports whether a type extends or implements another, in one step or more.
func (b *binder) derives(t, base graph.Symbol) bool {
	queue, seen := []graph.Symbol{t}, map[graph.Symbol]bool{t: true}
	for n := 0; n < len(queue) && n < maxBases; n++ {
		f := b.facts(queue[n].File)
		if f == nil {
			continue
		}
		for i := range f.Heritage {
			h := &f.Heritage[i]
			if h.Def != queue[n].Def {
				continue
			}
			b.steps = 0
			for _, s := range b.baseOf(scope{f, queue[n].File, f.Defs[h.Def].Container}, h).syms {
				if s == base && s != t {
					return true
				}
				if !seen[s] {
					seen[s] = true
					queue = append(queue, s)
				}
			}
		}
	}
	return false
}

// servedFacts reads the facts of a file of this family, and nothing of any other.
func (b *binder) servedFacts(id graph.FileID) *graph.Facts {
	if rec, ok := b.v.File(id); !ok || !served(rec.Language) {
		return nil
	}
	return b.facts(id)
}

// subtypes lists the types that extend or implement a type, nearest first.
func (b *binder) subtypes(of graph.Symbol) (subs []graph.Symbol, cut bool) {
	queue, seen := []graph.Symbol{of}, map[graph.Symbol]bool{of: true}
	files := 0
	for n := 0; n < len(queue); n++ {
		if b.def(queue[n]) == nil {
			continue
		}
		names := b.names(queue[n])
		for _, name := range names {
			if name == "super" {
				continue
			}
			for _, id := range b.v.Referrers(name) {
				if files++; files > maxOverrideFiles || len(queue) > maxSubtypes {
					return queue[1:], true
				}
				queue = b.derive(queue, seen, queue[n], names, id)
			}
		}
	}
	return queue[1:], false
}

// derive appends the types of one file that name base as theirs.
func (b *binder) derive(queue []graph.Symbol, seen map[graph.Symbol]bool, base graph.Symbol, names []string, id graph.FileID) []graph.Symbol {
	f := b.servedFacts(id)
	if f == nil {
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
