package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// overloaded chooses among the functions that a name without qualifier may mean: all
// that are declared where it is looked for, and those of the namespaces of the types of
// the arguments. Where one is left, got is narrowed to it, and done is false.
func (b *binder) overloaded(r *graph.Ref, got *found) (out graph.Binding, done bool) {
	if len(got.macros) > 0 {
		return out, false
	}
	all := slices.Concat(got.own, got.seen, got.decls)
	if slices.ContainsFunc(all, func(s sym) bool { return s.d().Kind != graph.KindFunction }) {
		return out, false
	}
	all = append(scopeFilter(b, r, all), b.byArguments(r)...)
	all = distinct(all)
	if len(all) == 0 {
		return out, false
	}
	chosen := b.choose(r, all)
	groups := b.signatures(chosen)
	if len(groups) > 1 && (b.call == nil || !b.call.misfit) {
		var syms []sym
		for _, g := range groups {
			syms = append(syms, b.definitionsOf(&g, r.Name)...)
		}
		if syms = distinct(syms); len(syms) > 1 {
			return b.bind(syms, graph.Ambiguous, graph.ReasonCandidates, nearConfidence), true
		}
	}
	*got = found{linked: got.linked}
	for _, s := range chosen {
		switch {
		case s.d().Has(graph.FlagDeclaration):
			got.decls = append(got.decls, s)
		case s.id == b.id:
			got.own = append(got.own, s)
		default:
			got.seen = append(got.seen, s)
		}
	}
	if len(got.decls) > 0 {
		got.linked = b.linkedTo(got, r.Name)
	}
	return out, false
}

// linkedTo lists the definitions that belong to the declarations that are left.
func (b *binder) linkedTo(got *found, name string) []sym {
	if len(got.linked) == 0 { // of another namespace than those around
		for _, s := range got.decls {
			got.linked = append(got.linked, b.elsewhere(s, name)...)
		}
	}
	var out []sym
	for _, s := range got.decls {
		same := slices.DeleteFunc(slices.Clone(got.linked), func(e sym) bool { return named(e.d().Local) != named(s.d().Local) })
		out = append(out, taking(same, s.d())...)
	}
	return distinct(out)
}

// elsewhere lists the definitions of a declared function, wherever they stand.
func (b *binder) elsewhere(s sym, name string) (out []sym) {
	for _, id := range b.v.Definers(name) {
		f := b.facts(id)
		if f == nil || aside(f.Path) != aside(b.f.Path) {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; d.Kind == graph.KindFunction && !d.Has(graph.FlagDeclaration) && d.Has(graph.FlagExported) && named(d.Local) == named(s.d().Local) {
				out = append(out, sym{f, id, i})
			}
		}
	}
	return out
}

// definitionsOf lists the definitions of one function, or else its declaration.
func (b *binder) definitionsOf(g *signature, name string) []sym {
	var out []sym
	for _, s := range g.syms {
		if !s.d().Has(graph.FlagDeclaration) {
			out = append(out, s)
		}
	}
	if len(out) > 0 {
		return out[:1]
	}
	if out = taking(b.elsewhere(g.syms[0], name), g.syms[0].d()); len(out) > 0 {
		return out
	}
	return g.syms[:1]
}

// byArguments lists the functions of the namespaces that the types of the arguments
// belong to.
func (b *binder) byArguments(r *graph.Ref) (out []sym) {
	spaces := b.spacesOfArguments()
	if len(spaces) == 0 {
		return nil
	}
	all := b.closure()
	for _, id := range b.v.Definers(r.Name) {
		f := b.facts(id)
		if f == nil || id != b.id && !all.has(id) {
			continue
		}
		for i := f.NextNamed(r.Name, 0); i != graph.NoDef; i = f.NextNamed(r.Name, i+1) {
			d := &f.Defs[i]
			if d.Kind == graph.KindFunction && slices.Contains(spaces, scopeOf(d)) {
				out = append(out, sym{f, id, i})
			}
		}
	}
	return out
}

// scopeOf is what qualifies the name of a definition, without unnamed namespaces.
func scopeOf(d *graph.Def) string {
	return strings.TrimSuffix(named(strings.TrimSuffix(d.Local, d.Name)), "::")
}

// spacesOfArguments lists the namespaces of the types of the arguments, of their bases
// and of what their templates are made of.
func (b *binder) spacesOfArguments() (spaces []string) {
	args := b.argumentTypes()
	add := func(s sym) {
		for scope := scopeOf(s.d()); scope != ""; {
			if !slices.Contains(spaces, scope) {
				spaces = append(spaces, scope)
			}
			i := strings.LastIndex(scope, "::")
			if i < 0 || s.d().Container == graph.NoDef {
				break // what holds a class is the namespace; what holds a nested one is a class
			}
			scope = scope[:i]
		}
	}
	b.fresh(func() {
		for i := range args {
			a := &args[i]
			types := slices.Clone(a.class)
			if inner, ok := element("x" + a.args); ok && a.by != nil {
				t := a.by.readType(inner)
				t.look()
				types = append(types, t.class...)
			}
			for n := 0; n < len(types) && n < maxBases; n++ {
				s := types[n]
				add(s)
				for j := range s.f.Heritage {
					if h := &s.f.Heritage[j]; h.Def == s.def {
						bases, _ := b.at(s).types(strings.TrimPrefix(h.Qualifier+"::"+h.Name, "::"))
						types = append(types, bases...)
					}
				}
			}
		}
	})
	return spaces
}
