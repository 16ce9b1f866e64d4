package java

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Bounds of the search for overrides. A search that meets one says so.
const (
	maxOverrideFiles = 512
	maxOverrides     = 200
)

// Dispatch lists the methods that override one or implement it, in types that derive
// from its own, anonymous ones included. Where they are too many, the binding is
// Dynamic and may lack some.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if !isMethod(d) || d.Owner != "" || d.Has(graph.FlagStatic) || d.Container == graph.NoDef || strings.HasPrefix(d.Signature, "private ") || !isTypeKind(f.Defs[d.Container].Kind) {
		return graph.Binding{}
	}
	b := newBinder(v, f, s.File)
	holder := graph.Symbol{File: s.File, Def: d.Container}
	types, _ := paramTypes(sym{f, s.File, s.Def})
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride}
	if d.Has(graph.FlagAbstract) {
		out.Reason = graph.ReasonImplements
	}
	ids := v.Definers(d.Name)
	if len(ids) > maxOverrideFiles {
		ids, out.Dynamic = ids[:maxOverrideFiles], true
	}
	for _, id := range ids {
		g := b.facts(id)
		if g == nil {
			continue
		}
		for i := g.NextNamed(d.Name, 0); i != graph.NoDef; i = g.NextNamed(d.Name, i+1) {
			o := sym{g, id, i}
			if id == s.File && i == s.Def || !isMethod(o.d()) || !b.overrides(o, types, holder) {
				continue
			}
			out.Targets = append(out.Targets, graph.Candidate{Symbol: o.symbol(), Confidence: overrideChance})
			if len(out.Targets) == maxOverrides {
				out.Dynamic = true
				return out
			}
		}
	}
	out.Dynamic = out.Dynamic || len(out.Targets) > 0
	return out
}

// Overrides compares the parameters of two methods.
func (Resolver) Overrides(v graph.View, s, base graph.Symbol) bool {
	b := &binder{v: v}
	m, o := b.withFacts(s), b.withFacts(base)
	if !m.ok() || !o.ok() || !isMethod(m.d()) || !isMethod(o.d()) {
		return false
	}
	mine, _ := paramTypes(m)
	theirs, _ := paramTypes(o)
	return mayOverride(mine, theirs) && !m.d().Has(graph.FlagStatic)
}

// overrides reports whether a method takes parameters as those of one in a type that its
// own derives from.
func (b *binder) overrides(o sym, types []string, holder graph.Symbol) bool {
	d := o.d()
	if d.Has(graph.FlagStatic) || d.Container == graph.NoDef {
		return false
	}
	mine, _ := paramTypes(o)
	if !mayOverride(mine, types) {
		return false
	}
	b.fuel = maxSteps
	if strings.IndexByte(d.Owner, '#') >= 0 {
		for _, base := range b.bases(typ{kind: isAnon, name: d.Owner, sym: sym{o.f, o.id, d.Container}}) {
			if base.kind == isClass && slices.Contains(b.above(base.sym).syms, holder) {
				return true
			}
		}
		return false
	}
	if !isTypeKind(o.f.Defs[d.Container].Kind) {
		return false
	}
	t := sym{o.f, o.id, d.Container}
	return t.symbol() != holder && slices.Contains(b.above(t).syms, holder)
}

// mayOverride compares parameters as they are written. A type parameter of the one may
// be any type in the other.
func mayOverride(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, _, dx := splitType(a[i])
		y, _, dy := splitType(b[i])
		if x = graph.LastElement(x); x == graph.LastElement(y) && dx == dy {
			continue
		}
		if !isParameterName(x) && !isParameterName(graph.LastElement(y)) {
			return false
		}
	}
	return true
}

// isParameterName reports whether a type is by custom called as a type parameter.
func isParameterName(s string) bool {
	return len(s) > 0 && len(s) <= 4 && strings.ToUpper(s) == s || strings.HasSuffix(s, "T")
}
