package python

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Limits of the search for overrides. A search that meets one says so.
const (
	maxOverrideFiles = 512
	maxDerived       = 256
	confOverride     = 0.8
)

// Dispatch implements graph.Resolver: the methods of derived classes that override
// the symbol. It looks at the files that define the method's name, or at those that
// name the class and its derived classes, whichever are fewer, as far as the first
// names tell. Where they are too many, the binding is Dynamic and may lack targets:
// which ones, the ids of files do not decide, for these differ from index to index.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) || !isMethod(f, s.Def) || mangled(f.Defs[s.Def].Name) {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	o := overrides{v: v, method: s, name: d.Name, class: graph.Symbol{File: s.File, Def: d.Container}}
	definers := v.Definers(d.Name)
	if len(definers) == 1 && !twice(f, d.Name) {
		return graph.Binding{}
	}
	if len(definers) <= len(v.Referrers(f.Defs[d.Container].Name)) {
		o.among(definers)
	} else if o.below(); o.cut { // few name the class, but too many what derives from it
		o.found, o.cut = nil, false
		o.among(definers)
	}
	if len(o.found) == 0 && !o.cut {
		return graph.Binding{}
	}
	return graph.Binding{Targets: o.found, Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
}

// twice reports whether the file defines the name more than once.
func twice(f *graph.Facts, name string) bool {
	n := 0
	for i := range f.Defs {
		if f.Defs[i].Name == name {
			n++
		}
	}
	return n > 1
}

// overrides is one search.
type overrides struct {
	v      graph.View
	method graph.Symbol
	class  graph.Symbol // that holds it
	name   string
	found  []graph.Candidate
	cut    bool
}

// take adds the class's own member of the name.
func (o *overrides) take(class graph.Symbol) {
	if m, ok := newRun(o.v).ownMember(class, o.name); ok && m != o.method && !has(o.found, m) {
		o.found = append(o.found, graph.Candidate{Symbol: m, Confidence: confOverride})
	}
}

// among looks at the classes of files that define the name.
func (o *overrides) among(files []graph.FileID) {
	if len(files) > maxOverrideFiles {
		files, o.cut = firstPaths(o.v, files, maxOverrideFiles), true
	}
	for _, id := range files {
		f := pythonFacts(o.v, id)
		if f == nil {
			continue
		}
		for i := range f.Defs {
			d := &f.Defs[i]
			class := graph.Symbol{File: id, Def: d.Container}
			if d.Name != o.name || class.Def == graph.NoDef || class == o.class || !isClass(&f.Defs[class.Def]) || !hasBases(f, class.Def) {
				continue
			}
			order, _ := newRun(o.v).order(class)
			for _, c := range order[1:] {
				if c == o.class {
					o.take(class)
					break
				}
			}
		}
	}
}

// firstPaths returns the n files whose paths come first.
func firstPaths(v graph.View, files []graph.FileID, n int) []graph.FileID {
	paths := make(map[graph.FileID]graph.Path, len(files))
	for _, id := range files {
		if rec, ok := v.File(id); ok {
			paths[id] = rec.Path
		}
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b graph.FileID) int { return cmp.Compare(paths[a], paths[b]) })
	return files[:n]
}

// pythonFacts reads the facts of a Python file, and nothing of any other.
func pythonFacts(v graph.View, id graph.FileID) *graph.Facts {
	if rec, ok := v.File(id); !ok || rec.Language != "python" {
		return nil
	}
	f, err := v.Facts(id)
	if err != nil {
		return nil // a damaged store is reported by whoever opened the view
	}
	return f
}

func hasBases(f *graph.Facts, class int32) bool {
	for i := range f.Heritage {
		if f.Heritage[i].Def == class {
			return true
		}
	}
	return false
}

// below looks at the classes that derive from the method's.
func (o *overrides) below() {
	seen := map[graph.Symbol]bool{o.class: true}
	queue := []graph.Symbol{o.class}
	files := 0
	for len(queue) > 0 {
		class := queue[0]
		queue = queue[1:]
		f, err := o.v.Facts(class.File)
		if err != nil || f == nil {
			continue
		}
		name := f.Defs[class.Def].Name
		for _, id := range o.v.Referrers(name) {
			if files++; files > maxOverrideFiles || len(seen) > maxDerived {
				o.cut = true
				return
			}
			for _, sub := range derived(o.v, class, name, id) {
				if !seen[sub] {
					seen[sub] = true
					queue = append(queue, sub)
					o.take(sub)
				}
			}
		}
	}
}

// derived lists the classes of a file that name class as a base.
func derived(v graph.View, class graph.Symbol, name string, id graph.FileID) []graph.Symbol {
	f := pythonFacts(v, id)
	if f == nil {
		return nil
	}
	var out []graph.Symbol
	for i := range f.Heritage {
		h := &f.Heritage[i]
		if h.Name != name && !aliased(f, h.Name, name) {
			continue
		}
		r := newRun(v)
		for _, x := range r.base(f, id, h) {
			if !x.external && x.sym == class {
				out = append(out, graph.Symbol{File: id, Def: h.Def})
			}
		}
	}
	return out
}

// aliased reports whether the file imports name as alias.
func aliased(f *graph.Facts, alias, name string) bool {
	for i := range f.Imports {
		if f.Imports[i].Alias == alias && f.Imports[i].Name == name {
			return true
		}
	}
	return false
}
