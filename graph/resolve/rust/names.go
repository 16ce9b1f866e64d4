package rust

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Names lists the names under which other files refer to a symbol.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	b := newBinder(v, f, s.File)
	if s.Def >= 0 && int(s.Def) < len(f.Defs) {
		return b.aliases(f.Defs[s.Def].Name)
	}
	stem := strings.TrimSuffix(f.Path.Base(), ".rs")
	switch stem {
	case "mod":
		return []string{f.Path.Dir().Base()}
	case "lib", "main":
		if c := setting(b.manifest(), "crate"); c != "" {
			return []string{c, stem}
		}
	}
	return []string{stem}
}

// aliases adds to a name those that re-exports give it.
func (b *binder) aliases(name string) []string {
	out := []string{name}
	ids := b.v.Referrers(name)
	if len(ids) > maxReferrers {
		return out
	}
	for _, id := range ids {
		if rec, ok := b.v.File(id); !ok || rec.Language != "rust" {
			continue
		}
		f := b.facts(id)
		if f == nil {
			continue
		}
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Name == name && im.Alias != name && im.Alias != "_" && im.Alias != "" && !slices.Contains(out, im.Alias) {
				out = append(out, im.Alias)
			}
		}
	}
	return out
}

// Qualify returns the path of a module, and behind it the definition's name.
func (Resolver) Qualify(v graph.View, f *graph.Facts, id graph.FileID, def int32) string {
	b := newBinder(v, f, id)
	if def < 0 || int(def) >= len(f.Defs) {
		return b.moduleName(place{id, graph.NoDef}, 0)
	}
	d := &f.Defs[def]
	if d.Owner != "" && !b.definesBeside(d) {
		if h, ok := headerOf(d); ok {
			if t := b.typed(h.self, def, nil).head(); t.kind == isNamed {
				g := b.facts(t.sym.id)
				return b.on(t.sym.id, g).moduleName(place{t.sym.id, graph.NoDef}, 0) + "::" + g.Defs[t.sym.def].Local + "::" + d.Name
			}
		}
	}
	return b.moduleName(place{id, graph.NoDef}, 0) + "::" + d.Local
}

// definesBeside reports whether the type that owns a definition stands in the same
// module.
func (b *binder) definesBeside(d *graph.Def) bool {
	for i := b.f.NextNamed(d.Owner, 0); i != graph.NoDef; i = b.f.NextNamed(d.Owner, i+1) {
		if b.f.Defs[i].Container == d.Container {
			return true
		}
	}
	return false
}

// moduleName is the path of a module from its crate on.
func (b *binder) moduleName(m place, depth int) string {
	f := b.facts(m.id)
	if f == nil || depth > maxDepth {
		return "crate"
	}
	up, ok := b.parent(place{m.id, graph.NoDef})
	if !ok {
		return b.on(m.id, f).crateName()
	}
	name := strings.TrimSuffix(f.Path.Base(), ".rs")
	if name == "mod" {
		name = f.Path.Dir().Base()
	}
	in, g := b.moduleName(place{up.id, graph.NoDef}, depth+1), b.facts(up.id)
	if up.def != graph.NoDef {
		in += "::" + g.Defs[up.def].Local
	}
	for i := range g.Imports { // #[path] names the file, not the module
		if im := &g.Imports[i]; strings.HasSuffix(im.Module, ".rs") && b.moduleFile(g, up.id, i) == m.id {
			name = im.Alias
		}
	}
	return in + "::" + name
}

// crateName is the name of the crate whose root b stands in.
func (b *binder) crateName() string {
	m := b.manifest()
	stem := strings.TrimSuffix(b.f.Path.Base(), ".rs")
	if m == nil {
		if stem == "lib" || stem == "main" {
			return "crate"
		}
		return stem
	}
	if b.libRoot(m) == b.id || stem == "main" && b.f.Path.Dir().Base() == "src" {
		return setting(m, "crate")
	}
	if stem == "main" || stem == "mod" {
		return b.f.Path.Dir().Base()
	}
	return stem
}
