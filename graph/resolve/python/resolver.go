// Package python binds the names that Python facts leave open: imports to modules
// of the tree, names to what a scope or an import gives them, members to the
// classes of their receivers, fixtures to the functions that provide them.
//
// It reads one generation through graph.View and keeps nothing between calls. It
// does not run code: what a metaclass, a descriptor or setattr adds is unseen,
// and such names stay unresolved or ambiguous. graph/query calls it.
//
// Type texts (Def.Type, Hint.Type) follow the convention of the extractor:
// annotations as written; `f()` is the result of a call, a leading "=" of a
// Def.Type a value as it stands, "[]" an element, "Self" the enclosing class, " | "
// stands between alternatives, "yield " before what a generator yields, and "@" before a
// fixture of pytest. A base of relation
// embeds was an argument of a call that made the real base: a class is taken to
// inherit from each of them.
package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver implements graph.Resolver for Python. It has no state.
type Resolver struct{}

var _ graph.Resolver = Resolver{}

// New returns the resolver.
func New() Resolver { return Resolver{} }

// Languages implements graph.Resolver.
func (Resolver) Languages() []string { return []string{"python", "notebook"} }

// Qualify implements graph.Resolver: the module's dotted name, and behind it the
// definition's name inside the file.
func (Resolver) Qualify(v graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	module := moduleName(v, f.Path)
	if def == graph.NoDef {
		return module
	}
	if module == "" {
		return f.Defs[def].Local
	}
	return module + "." + f.Defs[def].Local
}

// Import implements graph.Resolver.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := newRun(v)
	im := &f.Imports[i]
	if im.Name == "" || im.Name == "*" {
		m := r.findModule(f.Path, im.Module)
		return m.binding(graph.ReasonImport)
	}
	b := bind(r.imported(f, id, im))
	// The text says which module it takes the name from.
	m := r.findModule(f.Path, im.Module)
	if b.Resolved() {
		if s := b.Targets[0].Symbol; m.isFile && s.Def != graph.NoDef && s.File != m.file {
			b.Module = graph.Symbol{File: m.file, Def: graph.NoDef}
		}
		return b
	}
	if !m.isFile || m.file == id {
		return b
	}
	outside := b.External
	b = m.binding(graph.ReasonImport)
	switch {
	case outside:
		b.External = true
	case len(r.topLevel(m.file, "__getattr__", graph.ReasonModule)) > 0:
		b.Dynamic = true // the module makes names when they are asked for
	default:
		b.Lacks = true
	}
	return b
}

// Base implements graph.Resolver.
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := newRun(v)
	h := &f.Heritage[i]
	return bind(r.base(f, id, h))
}

// Mention implements graph.Resolver: Python facts hold no mentions that other
// rules would not bind.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// maxAliasFiles bounds the files that Names reads in search of aliases.
const maxAliasFiles = 400

// Names implements graph.Resolver. A file goes by its base name in links, and by
// its module's in imports.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def == graph.NoDef {
		module := moduleName(v, f.Path)
		return withAliases(v, []string{f.Path.Base(), module[strings.LastIndexByte(module, '.')+1:]})
	}
	d := &f.Defs[s.Def]
	names := []string{d.Name}
	if c := d.Container; c != graph.NoDef {
		if isClass(&f.Defs[c]) && (d.Name == "__init__" || d.Name == "__new__") {
			names = withAliases(v, append(names, f.Defs[c].Name))
		}
		return names
	}
	return withAliases(v, names)
}

// withAliases adds the names under which other files import the last of names.
func withAliases(v graph.View, names []string) []string {
	name := names[len(names)-1]
	seen := map[string]bool{}
	for _, n := range names {
		seen[n] = true
	}
	files := v.Referrers(name)
	for _, id := range files[:min(len(files), maxAliasFiles)] {
		f, err := v.Facts(id)
		if err != nil || f == nil {
			continue
		}
		for i := range f.Refs {
			ref := &f.Refs[i]
			if ref.Hint.Rule != graph.HintGiven || ref.Name != name {
				continue
			}
			if as := graph.LastElement(ref.Hint.Type); !seen[as] {
				seen[as] = true
				names = append(names, as)
			}
		}
		for i := range f.Defs { // calls of what a function returns go by its name
			if d := &f.Defs[i]; returns(d.Type, name) && !seen[d.Name] {
				seen[d.Name] = true
				names = append(names, d.Name)
			}
		}
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Alias == "" || seen[im.Alias] {
				continue
			}
			if im.Name == name || im.Name == "" && graph.LastElement(im.Module) == name && !strings.HasPrefix(im.Module, im.Alias+".") {
				seen[im.Alias] = true
				names = append(names, im.Alias)
			}
		}
	}
	return names
}

// returns reports whether a type text says that a function returns what name stands for.
func returns(typ, name string) bool {
	rest, ok := strings.CutPrefix(typ, "=")
	return ok && graph.LastElement(rest) == name
}

// run is one question: it carries the view and what may still be spent on it.
type run struct {
	v    graph.View
	fuel int
}

// maxSteps bounds the look-ups of one question, so that no tangle of aliases and
// bases can hold it.
const maxSteps = 600

func newRun(v graph.View) *run { return &run{v: v, fuel: maxSteps} }

// spend reports whether one more step may be taken.
func (r *run) spend() bool {
	r.fuel--
	return r.fuel > 0
}

func (r *run) facts(id graph.FileID) *graph.Facts {
	f, err := r.v.Facts(id)
	if err != nil {
		return nil // a damaged store is reported by whoever opened the view
	}
	return f
}

// found is a definition or file that a name denotes, and why.
type found struct {
	sym      graph.Symbol
	conf     float32
	reason   graph.Reason
	external bool // bound outside the tree: sym means nothing
	open     bool // or something else, which is not in the tree
}

func external(reason graph.Reason) found { return found{external: true, reason: reason} }

// bind makes a binding of what was found.
func bind(all []found) graph.Binding {
	var b graph.Binding
	outside := false
	for _, x := range all {
		if x.external {
			outside = true
			b.External = len(b.Targets) == 0
			b.Reason = x.reason
			continue
		}
		b.External = false
		b.Dynamic = b.Dynamic || x.open
		if !has(b.Targets, x.sym) {
			b.Targets = append(b.Targets, graph.Candidate{Symbol: x.sym, Confidence: x.conf})
			b.Reason = x.reason
		}
	}
	if outside { // or what stands outside is meant
		for i := range b.Targets {
			b.Targets[i].Confidence = min(b.Targets[i].Confidence, confOpen)
			b.Dynamic = true
		}
	}
	switch len(b.Targets) {
	case 0:
		return b
	case 1:
		b.Provenance = graph.Inferred
		if b.Targets[0].Confidence >= 1 {
			b.Provenance = graph.Extracted
		}
		return b
	}
	b.Provenance = graph.Ambiguous
	for i := range b.Targets {
		b.Targets[i].Confidence = min(b.Targets[i].Confidence, confShared/float32(len(b.Targets)))
	}
	return b
}

func has(targets []graph.Candidate, s graph.Symbol) bool {
	for i := range targets {
		if targets[i].Symbol == s {
			return true
		}
	}
	return false
}

func isClass(d *graph.Def) bool {
	switch d.Kind {
	case graph.KindClass, graph.KindEnum, graph.KindInterface:
		return true
	default:
	}
	return false
}

func isFunction(d *graph.Def) bool {
	return d.Kind == graph.KindFunction || d.Kind == graph.KindMethod
}
