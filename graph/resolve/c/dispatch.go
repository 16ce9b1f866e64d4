package c

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxGivers     = 128 // files looked at for what a field is given
	maxDispatched = 200
)

// Dispatch lists what a call of a symbol may reach at run time: of a field that holds a
// function, those that initialisers and assignments give it; of a virtual method, its
// overrides.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	b := newBinder(v, f, s.File)
	switch {
	case d.Kind == graph.KindField && d.Container != graph.NoDef:
		return b.givenTo(s.Def)
	case d.Kind == graph.KindMethod && d.Container != graph.NoDef && strings.Contains(d.Signature, "virtual"):
		return b.overrides(s.Def)
	}
	return graph.Binding{}
}

// givenTo lists the functions that a field is given.
func (b *binder) givenTo(field int32) graph.Binding {
	d := &b.f.Defs[field]
	owners := b.ownerNames(d.Container)
	place := "#" + strconv.Itoa(b.memberPlace(field))
	files := map[graph.FileID]bool{}
	var order []graph.FileID
	for _, name := range append(owners, d.Name) {
		for _, id := range b.v.Referrers(name) {
			if !files[id] && len(order) < maxGivers {
				files[id] = true
				order = append(order, id)
			}
		}
	}
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements, Dynamic: true}
	seen := map[graph.Symbol]bool{}
	for _, id := range order {
		g := b.facts(id)
		if g == nil {
			continue
		}
		c := newBinder(b.v, g, id)
		for i := range g.Refs {
			r := &g.Refs[i]
			if r.Hint.Rule != graph.HintGiven || !gives(r.Hint.Type, owners, d.Name, place) {
				continue
			}
			c.fuel = maxSteps
			own := *r
			own.Hint = graph.Hint{}
			for _, t := range c.bare(&own).Targets {
				if h := b.facts(t.Symbol.File); h == nil || t.Symbol.Def == graph.NoDef || h.Defs[t.Symbol.Def].Kind != graph.KindFunction || seen[t.Symbol] {
					continue
				}
				seen[t.Symbol] = true
				out.Targets = append(out.Targets, graph.Candidate{Symbol: t.Symbol, Confidence: dispatchConfidence})
				if len(out.Targets) == maxDispatched {
					return out
				}
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}

// Given implements graph.Giver.
func (Resolver) Given(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) || f.Defs[s.Def].Kind != graph.KindFunction {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements, Dynamic: true}
	seen := map[graph.Symbol]bool{}
	given := map[string]bool{}
	name := f.Defs[s.Def].Name
	for n, id := range v.Referrers(name) {
		g, err := v.Facts(id)
		if err != nil || g == nil || !serves(g.Language) || n == maxGivers {
			continue
		}
		b := newBinder(v, g, id)
		clear(given)
		for i := range g.Refs {
			r := &g.Refs[i]
			if r.Hint.Rule != graph.HintGiven || r.Name != name || given[r.Hint.Type] {
				continue
			}
			b.fuel = maxSteps
			own := *r
			own.Hint = graph.Hint{}
			if !slices.ContainsFunc(b.bare(&own).Targets, func(c graph.Candidate) bool { return c.Symbol == s }) {
				continue
			}
			given[r.Hint.Type] = true
			for _, m := range b.fieldsOf(r.Hint.Type) {
				if !seen[m.symbol()] && len(out.Targets) < maxFields {
					seen[m.symbol()] = true
					out.Targets = append(out.Targets, graph.Candidate{Symbol: m.symbol(), Confidence: dispatchConfidence})
				}
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}

// maxFields bounds the fields that one function is taken to be given to.
const maxFields = 32

// fieldsOf finds the fields that HintGiven speaks of.
func (b *binder) fieldsOf(member string) (out []sym) {
	i := strings.LastIndexAny(member, ".#")
	if i < 0 {
		return nil
	}
	typ, rest := member[:i], member[i+1:]
	if typ == "" {
		if member[i] == '#' {
			return nil
		}
		for _, id := range b.v.Definers(rest) {
			f := b.facts(id)
			if f == nil {
				continue
			}
			for k := f.NextNamed(rest, 0); k != graph.NoDef; k = f.NextNamed(rest, k+1) {
				if d := &f.Defs[k]; d.Kind == graph.KindField && d.Container != graph.NoDef {
					out = append(out, sym{f, id, k})
				}
			}
		}
		return out
	}
	types, _ := b.types(typ)
	for _, t := range types {
		for t.d().Kind == graph.KindType && b.fuel > 0 {
			next, _ := b.at(t).types(t.d().Type)
			if b.fuel--; len(next) == 0 || next[0].symbol() == t.symbol() {
				break
			}
			t = next[0]
		}
		if member[i] == '.' {
			out = append(out, memberIn(t, rest)...)
			continue
		}
		n := 0
		for k := range t.f.Defs {
			if d := &t.f.Defs[k]; d.Container == t.def && d.Kind == graph.KindField {
				if strconv.Itoa(n) == rest {
					out = append(out, sym{t.f, t.id, int32(k)})
				}
				n++
			}
		}
	}
	return out
}

// ownerNames lists the names of the type that holds a field: its own, and those of the
// typedefs beside it.
func (b *binder) ownerNames(container int32) []string {
	name := b.f.Defs[container].Name
	names := []string{name}
	for i := range b.f.Defs {
		if d := &b.f.Defs[i]; d.Kind == graph.KindType && d.Name != name && (d.Type == "struct "+name || d.Type == name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// memberPlace counts the members before a field.
func (b *binder) memberPlace(field int32) int {
	n := 0
	for i := int32(0); i < field; i++ {
		if d := &b.f.Defs[i]; d.Container == b.f.Defs[field].Container && d.Kind == graph.KindField {
			n++
		}
	}
	return n
}

// gives reports whether what HintGiven says is of the field.
func gives(member string, owners []string, name, place string) bool {
	typ, rest := "", ""
	if i := strings.LastIndexAny(member, ".#"); i >= 0 {
		typ, rest = member[:i], member[i:]
	}
	if rest != "."+name && rest != place {
		return false
	}
	if typ == "" {
		return rest != place
	}
	typ = strings.TrimPrefix(strings.TrimPrefix(typ, "struct "), "union ")
	for _, o := range owners {
		if typ == o || strings.HasSuffix(typ, "::"+o) {
			return true
		}
	}
	return false
}

// maxDerived bounds the classes that are looked at for overrides.
const maxDerived = 64

// overrides lists the methods of derived classes that stand in the place of one.
func (b *binder) overrides(method int32) graph.Binding {
	d := &b.f.Defs[method]
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
	queue := []sym{{b.f, b.id, d.Container}}
	seen := map[graph.Symbol]bool{queue[0].symbol(): true}
	for at := 0; at < len(queue) && len(queue) < maxDerived; at++ {
		base := queue[at]
		for _, id := range b.v.Referrers(base.d().Name) {
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := range f.Heritage {
				h := &f.Heritage[i]
				if h.Name != base.d().Name || h.Def < 0 || int(h.Def) >= len(f.Defs) {
					continue
				}
				t := sym{f, id, h.Def}
				if seen[t.symbol()] {
					continue
				}
				seen[t.symbol()] = true
				queue = append(queue, t)
				for _, m := range b.defining(memberIn(t, d.Name)) {
					if m.d().Kind == graph.KindMethod && sameParameters(m.d().Signature, d.Signature) {
						out.Targets = append(out.Targets, graph.Candidate{Symbol: m.symbol(), Confidence: dispatchConfidence})
					}
				}
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}
