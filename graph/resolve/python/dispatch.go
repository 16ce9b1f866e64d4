package python

import "github.com/ralph-index/ralph-index/graph"

// Limits of the search for overrides.
const (
	maxDerived     = 256
	maxDerivedRefs = 512
	confOverride   = 0.8
)

// Dispatch implements graph.Resolver: the methods of derived classes that override
// the symbol.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def == graph.NoDef {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Container == graph.NoDef || !isClass(&f.Defs[d.Container]) || d.Kind != graph.KindMethod && d.Kind != graph.KindProperty {
		return graph.Binding{}
	}
	b := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
	seen := map[graph.Symbol]bool{}
	queue := []graph.Symbol{{File: s.File, Def: d.Container}}
	for len(queue) > 0 && len(seen) < maxDerived {
		class := queue[0]
		queue = queue[1:]
		for _, sub := range derived(v, class) {
			if seen[sub] {
				continue
			}
			seen[sub] = true
			queue = append(queue, sub)
			r := newRun(v)
			if m, ok := r.ownMember(sub, d.Name); ok && m != s {
				b.Targets = append(b.Targets, graph.Candidate{Symbol: m, Confidence: confOverride})
			}
		}
	}
	if len(b.Targets) == 0 {
		return graph.Binding{}
	}
	return b
}

// derived lists the classes that name class as a base.
func derived(v graph.View, class graph.Symbol) []graph.Symbol {
	f, err := v.Facts(class.File)
	if err != nil || f == nil {
		return nil
	}
	name := f.Defs[class.Def].Name
	var out []graph.Symbol
	files := v.Referrers(name)
	for _, id := range files[:min(len(files), maxDerivedRefs)] {
		g, err := v.Facts(id)
		if err != nil || g == nil || g.Language != "python" {
			continue
		}
		for i := range g.Heritage {
			h := &g.Heritage[i]
			if h.Name != name && !aliased(g, h.Name, name) {
				continue
			}
			r := newRun(v)
			for _, x := range r.base(g, id, h) {
				if !x.external && x.sym == class {
					out = append(out, graph.Symbol{File: id, Def: h.Def})
				}
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
