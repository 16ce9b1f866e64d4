package python

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// replaced takes the certainty from the binding of a member of v that the file of the
// call, or that of the member, assigns anew: module.f = g, Class.f = g, self.f = g. Where
// g is a name, what it denotes may be meant too.
func (r *run) replaced(e env, ref *graph.Ref, v value, b graph.Binding) graph.Binding {
	target := b.Targets[0].Symbol
	if target.Def == graph.NoDef {
		return b
	}
	if d := &r.facts(target.File).Defs[target.Def]; !isFunction(d) && !isClass(d) {
		return b // it holds whatever it is given
	}
	given, any := r.assigned(e.id, ref, v, target)
	if f := r.facts(target.File); target.File != e.id && f.Defs[target.Def].Has(graph.FlagRebound) {
		more, also := r.assigned(target.File, ref, v, target)
		given, any = append(given, more...), any || also
	}
	if !any {
		return b
	}
	b.Provenance, b.Dynamic = graph.Inferred, true
	b.Targets[0].Confidence = min(b.Targets[0].Confidence, confRebound)
	for _, x := range given {
		if !x.external && !has(b.Targets, x.sym) && len(b.Targets) < maxCandidates {
			b.Targets = append(b.Targets, graph.Candidate{Symbol: x.sym, Confidence: min(x.conf, confRebound)})
		}
	}
	if n := len(b.Targets); n > 1 {
		b.Provenance, b.Reason, b.Through = graph.Ambiguous, graph.ReasonCandidates, graph.Symbol{}
		for i := range b.Targets {
			b.Targets[i].Confidence = min(b.Targets[i].Confidence, confShared/float32(n))
		}
	}
	return b
}

// assigned lists what a file assigns to the member that a call takes from v, as far as
// names say it, and whether it assigns anything.
func (r *run) assigned(id graph.FileID, ref *graph.Ref, v value, target graph.Symbol) (given []found, any bool) {
	f := r.facts(id)
	if f == nil {
		return nil, false
	}
	for i := range f.Refs {
		w := &f.Refs[i]
		if w.Use != graph.UseReplace || w.Name != ref.Name {
			continue
		}
		e := env{f: f, id: id, at: w.Enclosing, pos: w.Span.Start}
		if !slices.ContainsFunc(r.qualifier(e, w), func(o value) bool {
			return (o.kind != valueInstance || sameObject(w, ref)) && r.hides(o, v, target)
		}) {
			continue
		}
		any = true
		for j := i + 1; j < len(f.Refs) && j < i+maxApart; j++ {
			g := &f.Refs[j]
			if g.Hint.Rule == graph.HintGiven && g.Hint.Type == w.Qualifier+"."+w.Name {
				e.pos = g.Span.Start
				given = append(given, r.member(e, g.Qualifier, g.Name)...)
				break
			}
		}
	}
	return given, any
}

// sameObject reports whether an attribute that is set on an object may be one of that
// which a call is made on: any of its class where methods set it or make the call, else
// one of the same function, or of the same name outside functions.
func sameObject(w, ref *graph.Ref) bool {
	switch {
	case w.Hint.Rule == graph.HintSelf, ref.Hint.Rule == graph.HintSelf, w.Enclosing == ref.Enclosing:
		return true
	}
	return w.Qualifier == ref.Qualifier && w.Hint.Rule == graph.HintNone && ref.Hint.Rule == graph.HintNone
}

// maxApart bounds the references between a member that is assigned and the name that it
// is given.
const maxApart = 12

// hides reports whether a member that is assigned to o stands before the one that v has
// as target.
func (r *run) hides(o, v value, target graph.Symbol) bool {
	if v.kind == valueModule || o.kind == valueModule {
		return o.kind == v.kind && o.sym == v.sym
	}
	if o.kind != valueInstance && o.kind != valueClass || o.kind == valueInstance && v.kind != valueInstance {
		return false // an attribute of an object is none of its class
	}
	class := v.sym
	if v.kind == valueSuper {
		class = v.recv
	}
	if class == o.sym {
		return v.kind != valueSuper
	}
	f := r.facts(target.File)
	order, _ := r.order(class)
	at, holder := slices.Index(order, o.sym), slices.Index(order, graph.Symbol{File: target.File, Def: f.Defs[target.Def].Container})
	return at >= 0 && (o.kind == valueInstance || at <= holder)
}

// ofObject reports whether a member is an attribute that methods of its class set on the
// object: the class has none.
func (r *run) ofObject(s graph.Symbol) bool {
	f := r.facts(s.File)
	if f == nil || f.Defs[s.Def].Kind != graph.KindField || f.Defs[s.Def].Has(graph.FlagStatic) {
		return false
	}
	at := f.Defs[s.Def].NameSpan.Start
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Container == f.Defs[s.Def].Container && (d.Kind == graph.KindMethod || d.Kind == graph.KindProperty) && d.Span.Start < at && at < d.Span.End {
			return true
		}
	}
	return false
}

// classOnly finds the member that a class itself has where the first one found is an
// attribute of its objects.
func (r *run) classOnly(class graph.Symbol, name string) (graph.Symbol, bool) {
	order, _ := r.order(class)
	for _, c := range order {
		if m, ok := r.ownMember(c, name); ok && !r.ofObject(m) {
			return m, true
		}
	}
	return graph.Symbol{}, false
}
