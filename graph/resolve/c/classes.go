package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// classesAt lists the classes whose members the text of a definition sees first: itself,
// and the one that its name is qualified with.
func (b *binder) classesAt(at int32) (types []sym) {
	d := &b.f.Defs[at]
	if isType(d.Kind) {
		types = append(types, sym{b.f, b.id, at})
	}
	if d.Owner != "" {
		for scope := scopeOf(d); scope != ""; {
			of, _ := b.types(scope)
			for _, t := range of {
				if named(t.d().Local) == scope { // and no other class of the name
					types = append(types, t)
				}
			}
			i := strings.LastIndex(scope, "::")
			if i < 0 {
				break
			}
			scope = scope[:i]
		}
	}
	return types
}

// named leaves out of a qualified name the namespaces that have none.
func named(local string) string { return strings.ReplaceAll(local, "(anonymous)::", "") }

// nested finds the types that a class declares and that are defined outside of it.
func (b *binder) nested(t sym, name string) (out []sym) {
	want := named(t.d().Local)
	for _, id := range b.v.Definers(name) {
		f := b.facts(id)
		if f == nil {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; d.Owner != "" && isType(d.Kind) && named(d.Local) == want+"::"+name {
				out = append(out, sym{f, id, i})
			}
		}
	}
	return out
}

// constructed puts the constructors in the place of a class of which an object is made,
// where the class has some that take as many arguments.
func (b *binder) constructed(r *graph.Ref, out graph.Binding) graph.Binding {
	if b.f.Language != "cpp" || len(out.Targets) != 1 || out.Targets[0].Symbol.Def == graph.NoDef {
		return out
	}
	t := out.Targets[0].Symbol
	f := b.facts(t.File)
	if f == nil || !isType(f.Defs[t.Def].Kind) || f.Defs[t.Def].Kind == graph.KindType || r.Args < 0 {
		return out
	}
	var methods []sym
	name := f.Defs[t.Def].Name
	for _, m := range memberIn(sym{f, t.File, t.Def}, name) {
		if m.d().Kind == graph.KindMethod {
			methods = append(methods, m)
		}
	}
	fit := b.choose(r, methods)
	if len(fit) > 1 {
		fit = makers(fit, name)
	}
	made := b.defining(fit)
	switch {
	case len(made) == 0:
		return out
	case len(made) == 1:
		out.Targets[0].Symbol = made[0].symbol()
		return out
	}
	return b.bind(made, graph.Inferred, out.Reason, nearConfidence)
}

// makers leaves out of several constructors those that are deleted, and those that only
// copy or move an object of the class.
func makers(all []sym, class string) []sym {
	var out []sym
	for _, s := range all {
		sig := s.d().Signature
		open := strings.IndexByte(sig, '(')
		if open < 0 {
			continue
		}
		param := strings.TrimPrefix(strings.TrimSpace(sig[open+1:]), "const ")
		rest, own := strings.CutPrefix(param, class)
		copies := own && strings.HasPrefix(strings.TrimSpace(rest), "&")
		if !copies && !strings.HasSuffix(sig, "delete") {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// Overrides implements graph.Overrider: an override has the parameters of what it stands
// in for.
func (Resolver) Overrides(v graph.View, s, base graph.Symbol) bool {
	f, err := v.Facts(s.File)
	g, berr := v.Facts(base.File)
	if err != nil || berr != nil || f == nil || g == nil || s.Def == graph.NoDef || base.Def == graph.NoDef {
		return false
	}
	return sameParameters(f.Defs[s.Def].Signature, g.Defs[base.Def].Signature)
}

// sameParameters compares the parameters of two signatures by how their types are written.
func sameParameters(a, c string) bool {
	p, q := parameterTypes(a), parameterTypes(c)
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}
