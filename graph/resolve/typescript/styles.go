package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxSheets = 32 // style sheets that are read for one page
	maxRules  = 16 // rules of one class that are listed
)

// style binds a class or an id that a page or an element names to the rules of style
// sheets that speak of it: of the page itself, of the sheets that it takes, or else of the
// only sheet of the workspace that has some. Frameworks give most of the others.
func (b *binder) style(f *graph.Facts, id graph.FileID, r *graph.Ref) graph.Binding {
	if own := b.rulesOf(f, id, r, nil); len(own) > 0 {
		return bind(own, graph.ReasonScope, likely, graph.Extracted)
	}
	seen, taken := map[graph.FileID]bool{id: true}, []graph.Symbol(nil)
	for i := range f.Imports {
		if file, _ := b.module(f.Path, f.Imports[i].Module); file != 0 {
			taken = b.sheet(file, r, seen, taken)
		}
	}
	if len(taken) > 0 {
		return bind(taken, graph.ReasonImport, likely, graph.Extracted)
	}
	var all []graph.Symbol
	files := 0
	for n, file := range b.v.Definers(r.Name) {
		if n == maxSheets {
			return graph.Binding{External: true}
		}
		if g := b.facts(file); g != nil && g.Language == "css" {
			if with := b.rulesOf(g, file, r, all); len(with) > len(all) {
				all = with
				files++
			}
		}
	}
	switch {
	case files == 1:
		return bind(all, graph.ReasonUnique, guessed, graph.Inferred)
	case files > 1 && len(all) <= maxShared:
		return ambiguous(all)
	}
	return graph.Binding{External: true}
}

// sheet adds the rules of a style sheet, and of those that it imports.
func (b *binder) sheet(file graph.FileID, r *graph.Ref, seen map[graph.FileID]bool, out []graph.Symbol) []graph.Symbol {
	if seen[file] || len(seen) > maxSheets {
		return out
	}
	seen[file] = true
	f := b.facts(file)
	if f == nil || f.Language != "css" {
		return out
	}
	out = b.rulesOf(f, file, r, out)
	for i := range f.Imports {
		if p, ok := f.Path.Dir().Join(strings.TrimPrefix(f.Imports[i].Module, "./")); ok {
			if id, ok := b.v.Lookup(p); ok {
				out = b.sheet(id, r, seen, out)
			}
		}
	}
	return out
}

// rulesOf adds what a file's styles define of a name: these have a signature, their selector.
func (b *binder) rulesOf(f *graph.Facts, id graph.FileID, r *graph.Ref, out []graph.Symbol) []graph.Symbol {
	for i := f.NextNamed(r.Name, 0); i != graph.NoDef && len(out) < maxRules; i = f.NextNamed(r.Name, i+1) {
		if d := &f.Defs[i]; d.Local == r.Qualifier+r.Name && d.Signature != "" {
			out = append(out, graph.Symbol{File: id, Def: i})
		}
	}
	return out
}
