package rust

import (
	"maps"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// A package is built once for all that depend on it, with the union of the features that
// they ask for: https://doc.rust-lang.org/cargo/reference/features.html#feature-unification

// feature judges whether the package of b's file has a feature in a build of the tree.
func (b *binder) feature(name string) truth {
	m := b.manifest()
	if m == nil {
		return maybe
	}
	on := graph.Derived(b.v, graph.Derivation{Rule: ruleFeatures, In: string(m.Path)}, func() map[string]bool {
		return b.plan(m)[m.Path].on
	})
	return of(on[name])
}

// plan is how a build of the tree treats a package.
type plan struct {
	m  *graph.Facts
	by []graph.Path // manifests of the packages that depend on it
	// on are the features that it has by default and those that the packages that depend
	// on it ask for, and the optional dependencies that they enable.
	on map[string]bool
	// built says that it is of the tree itself, or that such a package depends on it. A
	// copy of a published package is built only for others, and asks for nothing before.
	built bool
}

// plan plans the build of a package and of all that depend on it, directly or not.
// Features only ever add to each other, so going over them until nothing is added ends,
// packages that depend on each other included.
func (b *binder) plan(m *graph.Facts) map[graph.Path]*plan {
	plans := map[graph.Path]*plan{}
	for todo := []*graph.Facts{m}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if plans[m.Path] != nil {
			continue
		}
		p := &plan{m: m, on: enabled(m, []string{"default"}), built: !b.vendored(m)}
		plans[m.Path] = p
		for _, g := range b.dependents(m) {
			p.by = append(p.by, g.Path)
			todo = append(todo, g)
		}
	}
	for more := true; more; {
		more = false
		for _, p := range plans {
			for _, by := range p.by {
				if g := plans[by]; g.built {
					more = p.ask(b.wants(g.m, setting(p.m, "name"), g.on)) || more
				}
			}
		}
	}
	return plans
}

// ask has a package built with features, and reports whether that is new.
func (p *plan) ask(features []string) bool {
	isNew := !p.built
	p.built = true
	for _, f := range features {
		if !p.on[f] {
			isNew = true
			maps.Copy(p.on, enabled(p.m, []string{f}))
		}
	}
	return isNew
}

// dependents lists the manifests of the packages of the tree that depend on a package.
func (b *binder) dependents(m *graph.Facts) (out []*graph.Facts) {
	pkg := setting(m, "name")
	if pkg == "" {
		return nil
	}
	for _, id := range b.v.Definers(pkg) {
		rec, ok := b.v.File(id)
		if !ok || rec.Path.Base() != "Cargo.toml" || rec.Path == m.Path {
			continue
		}
		if g := b.facts(id); g != nil && setting(g, "name") != "" && b.dependsOn(g, m) {
			out = append(out, g)
		}
	}
	return out
}

// vendored reports whether a package is a copy of a published one, as `cargo vendor`
// makes them, or stands in one.
func (b *binder) vendored(m *graph.Facts) bool {
	for d := m.Path.Dir(); ; d = d.Dir() {
		if sums, ok := d.Join(".cargo-checksum.json"); ok {
			if _, ok = b.v.Lookup(sums); ok {
				return true
			}
		}
		if d == "" {
			return false
		}
	}
}

// dependsOn reports whether the version that a package wants of another is that other's.
func (b *binder) dependsOn(g, m *graph.Facts) bool {
	pkg := setting(m, "name")
	for i := range g.Manifest {
		name, ok := strings.CutPrefix(g.Manifest[i].Key, "crate:")
		if !ok {
			continue
		}
		dep := g.Manifest[i].Value
		if !strings.Contains(dep, " ") {
			dep = b.workspaceCrate(g, name, dep)
		}
		if firstWord(dep) != pkg {
			continue
		}
		if compatible(askedVersion(dep), setting(m, "version")) {
			return true
		}
	}
	return false
}

// compatible reports whether a version may be one that is asked for: the first number
// that is not zero is the same. What is not plain is believed.
func compatible(asked, version string) bool {
	asked = strings.TrimLeft(asked, "^=~ ")
	if asked == "" || version == "" || strings.ContainsAny(asked, "<>*, ") {
		return true
	}
	as, vs := strings.Split(asked, "."), strings.Split(version, ".")
	for i := 0; i < len(as) && i < len(vs); i++ {
		if as[i] != vs[i] {
			return false
		}
		if as[i] != "0" {
			break
		}
	}
	return true
}

// wants lists the features that a package with the features on wants of a dependency.
func (b *binder) wants(g *graph.Facts, pkg string, on map[string]bool) (out []string) {
	for i := range g.Manifest {
		key, value := g.Manifest[i].Key, g.Manifest[i].Value
		if name, ok := strings.CutPrefix(key, "asks:"); ok && firstWord(value) == pkg {
			out = append(out, b.asksOf(g, name, value, on)...)
		}
		if feature, ok := strings.CutPrefix(key, "feature:"); ok && on[feature] {
			for _, f := range strings.Fields(value) {
				dep, f, ok := strings.Cut(f, "/")
				if ok && strings.TrimSuffix(dep, "?") == pkg {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// asksOf reads what a package asks of a dependency that it has.
func (b *binder) asksOf(g *graph.Facts, name, value string, on map[string]bool) (out []string) {
	for _, w := range strings.Fields(value)[1:] {
		switch w {
		case "?":
			if !on[name] && !on[firstWord(value)] {
				return nil
			}
		case "^":
			out = append(out, b.workspaceAsks(g, name)...)
		default:
			out = append(out, w)
		}
	}
	return out
}

// workspaceAsks lists the features that the workspace around a package asks of a dependency
// for all its members.
func (b *binder) workspaceAsks(g *graph.Facts, name string) []string {
	for d := g.Path.Dir(); d != ""; {
		d = d.Dir()
		p, _ := d.Join("Cargo.toml")
		if id, ok := b.v.Lookup(p); ok {
			if w := setting(b.facts(id), "workspace-asks:"+name); w != "" {
				return strings.Fields(w)[1:]
			}
		}
	}
	return nil
}

func firstWord(s string) string {
	s, _, _ = strings.Cut(s, " ")
	return s
}

// enabled lists what a package's features enable, those included.
func enabled(m *graph.Facts, features []string) map[string]bool {
	on := map[string]bool{}
	for todo := features; len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if on[name] {
			continue
		}
		on[name] = true
		for _, f := range strings.Fields(setting(m, "feature:"+name)) {
			f = strings.TrimPrefix(f, "dep:")
			if dep, _, ok := strings.Cut(f, "/"); ok {
				if strings.HasSuffix(dep, "?") {
					continue
				}
				f = dep
			}
			todo = append(todo, f)
		}
	}
	return on
}
