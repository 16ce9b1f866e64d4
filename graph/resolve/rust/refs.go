package rust

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// memberRef binds a field or method of a value.
func (b *binder) memberRef(r *graph.Ref) graph.Binding {
	if r.Use != graph.UseCall && r.Hint.Rule == graph.HintDeclared && r.Hint.Type == r.Qualifier {
		if f := b.variantField(r); f.id != 0 {
			return b.bind([]place{f}, graph.Extracted, graph.ReasonMember, typeConfidence)
		}
	}
	path, ok := receiverPath(r)
	if !ok {
		return b.byName(r)
	}
	v := b.unit(b.eval(path, r.Enclosing))
	steps := v.steps
	if v = v.head(); v.kind == isUnknown || v.kind == isFunc && r.Use == graph.UseCall {
		return b.byName(r)
	}
	if r.Use != graph.UseCall {
		return b.fieldRef(r, v, steps)
	}
	m := b.method(v, r.Name, r.Enclosing)
	if len(m.items) == 0 {
		switch {
		case m.outside:
			return graph.Binding{External: true}
		case v.kind == isBounded || v.kind == isNamed:
			return b.byName(r)
		}
		return b.held(r, v)
	}
	prov, reason, conf := receiverRule(r, steps, m)
	out := b.bind(m.items, prov, reason, conf)
	out.Dynamic = m.trait
	return out
}

// held decides on a method of a type from outside the tree that holds something
// unknown: a box, a guard.
func (b *binder) held(r *graph.Ref, v value) graph.Binding {
	for range maxDeref {
		next := b.deref(v)
		if next.kind == isUnknown {
			break
		}
		v = next
	}
	if v.kind == isStd && wrapper(v.name) {
		return b.byName(r)
	}
	return graph.Binding{External: v.kind != isUnknown}
}

func (b *binder) fieldRef(r *graph.Ref, v value, steps int) graph.Binding {
	if v.kind == isFunc { // of a literal of a variant: V { a: 1 }
		if s, _, ok := b.fieldOf(v.sym, value{}, r.Name); ok && s.id != 0 {
			return b.bind([]place{s}, graph.Extracted, graph.ReasonMember, typeConfidence)
		}
	}
	s, _ := b.field(v, r.Name)
	if s.id == 0 {
		return graph.Binding{External: v.kind == isStd || v.kind == isSlice || v.kind == isTuple || v.kind == isStdFunc}
	}
	prov, reason, conf := receiverRule(r, steps, found{})
	return b.bind([]place{s}, prov, reason, conf)
}

// variantField finds the field that a literal or pattern of a struct or variant names.
func (b *binder) variantField(r *graph.Ref) place {
	p, _ := splitArgs(r.Qualifier)
	v := b.valueNamed(p, r.Enclosing)
	if v.kind != isFunc {
		v = b.asConstructor(b.typed(p, r.Enclosing, nil))
	}
	if v.kind != isFunc {
		return place{}
	}
	s, _, _ := b.fieldOf(v.sym, value{}, r.Name)
	return s
}

// receiverRule says how well a member is known by how its receiver is.
func receiverRule(r *graph.Ref, steps int, m found) (prov graph.Provenance, reason graph.Reason, conf float32) {
	plain := pathEnd(r.Qualifier, 0) == len(r.Qualifier)
	switch {
	case m.loose:
		return graph.Inferred, graph.ReasonInherited, looseConfidence
	case m.impl: // the language binds the name to the trait's item, and the type chooses
		return graph.Inferred, graph.ReasonImplements, traitConfidence - derefDiscount*float32(m.depth)
	case plain && r.Hint.Rule == graph.HintSelf && r.Qualifier == "self":
		prov, reason, conf = graph.Extracted, graph.ReasonSelf, selfConfidence
	case plain && r.Hint.Rule == graph.HintDeclared, r.Hint.Type == r.Qualifier:
		prov, reason, conf = graph.Extracted, graph.ReasonDeclared, declaredConfidence
	case plain && r.Hint.Rule == graph.HintAssigned && steps <= 2:
		prov, reason, conf = graph.Extracted, graph.ReasonConstructed, madeConfidence
	case r.Hint.Rule == graph.HintSelf && steps <= 1:
		prov, reason, conf = graph.Extracted, graph.ReasonMember, madeConfidence
	default:
		prov, reason, conf = graph.Inferred, graph.ReasonMember, chainConfidence
	}
	if m.depth > 0 {
		prov = graph.Inferred
		conf -= derefDiscount * float32(m.depth)
	}
	return prov, reason, conf
}

const (
	maxNameFiles  = 96 // files that define a name: above, the name says nothing
	maxCandidates = 4
)

// byName guesses the target of a method of a value whose type is not known: what
// one type of the crate, or of those that it uses, has under the name, unless the
// standard library has it too.
func (b *binder) byName(r *graph.Ref) graph.Binding {
	if r.Use != graph.UseCall || stdMethodName(r.Name) {
		return graph.Binding{}
	}
	ids := b.v.Definers(r.Name)
	if len(ids) == 0 || len(ids) > maxNameFiles {
		return graph.Binding{}
	}
	pkg := b.packageDir(b.f.Path)
	var inherent, traits []place
	for _, id := range ids {
		rec, ok := b.v.File(id)
		if !ok || rec.Language != "rust" {
			continue
		}
		f := b.facts(id)
		if f == nil {
			continue
		}
		near := below(rec.Path, pkg)
		for i := f.NextNamed(r.Name, 0); i != graph.NoDef; i = f.NextNamed(r.Name, i+1) {
			d := &f.Defs[i]
			if d.Kind != graph.KindMethod || d.Has(graph.FlagStatic) || !near && !d.Has(graph.FlagExported) {
				continue
			}
			h, isImpl := headerOf(d)
			switch {
			case isImpl && h.trait == "":
				if near || b.uses(rec.Path) {
					inherent = append(inherent, place{id, i})
				}
			case !isImpl && (near || b.uses(rec.Path)):
				traits = append(traits, place{id, i})
			}
		}
	}
	if len(inherent) > 1 {
		inherent = b.plain(inherent)
	}
	switch {
	case len(inherent) == 1 && len(traits) == 0:
		return b.bind(inherent, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
	case len(traits) == 1 && len(inherent) == 0:
		out := b.bind(traits, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
		out.Dynamic = true
		return out
	}
	return graph.Binding{}
}

// uses reports whether the package of b's file depends on the one that a file of
// another directory belongs to.
func (b *binder) uses(p graph.Path) bool {
	m := b.manifest()
	id := b.manifestOf(p.Dir())
	if m == nil || id == 0 {
		return m == nil && id == 0
	}
	crate := setting(b.facts(id), "crate")
	return setting(m, "crate:"+crate) != ""
}

// macro binds the call of a macro.
func (b *binder) macro(r *graph.Ref) graph.Binding {
	if r.Qualifier != "" {
		es := b.path(append(splitPath(r.Qualifier), r.Name), r.Enclosing, nsMacro, false)
		if len(es) > 0 {
			return b.entities(es, pathReason)
		}
		segs := splitPath(r.Qualifier)
		for _, e := range b.first(segs[0], r.Enclosing, nsType, false) { // exported macros stand at the root
			if e.kind == isModule {
				if f := b.facts(e.id); f != nil {
					if m := b.on(e.id, f).nearest(b.on(e.id, f).macroNamed(r.Name, true)); len(m) > 0 {
						return b.bind(m, graph.Extracted, graph.ReasonModule, importConfidence)
					}
				}
			}
		}
		return graph.Binding{External: true}
	}
	for i := b.f.NextNamed(r.Name, 0); i != graph.NoDef; i = b.f.NextNamed(r.Name, i+1) {
		if isMacro(&b.f.Defs[i]) {
			return b.bind([]place{{b.id, i}}, graph.Extracted, graph.ReasonScope, sureConfidence)
		}
	}
	if es := b.first(r.Name, r.Enclosing, nsMacro, false); len(es) > 0 && es[0].kind == isItem {
		return b.entities(es, viaReason)
	}
	if m := b.nearest(b.macroNamed(r.Name, true)); len(m) > 0 {
		return b.bind(m, graph.Inferred, graph.ReasonPackage, globConfidence)
	}
	if m := b.nearest(b.macroNamed(r.Name, false)); len(m) > 0 {
		return b.bind(m, graph.Inferred, graph.ReasonStar, madeConfidence)
	}
	return graph.Binding{External: true}
}

// macroNamed finds macros of a name: of the package, or those that the packages it
// uses export.
func (b *binder) macroNamed(name string, own bool) (out []place) {
	pkg := b.packageDir(b.f.Path)
	ids := b.v.Definers(name)
	if len(ids) > maxTraitFiles {
		return nil
	}
	for _, id := range ids {
		rec, ok := b.v.File(id)
		if !ok || rec.Language != "rust" || below(rec.Path, pkg) != own || !own && !b.uses(rec.Path) {
			continue
		}
		f := b.facts(id)
		if f == nil {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; isMacro(d) && (own || d.Has(graph.FlagExported)) {
				out = append(out, place{id, i})
			}
		}
	}
	return b.plain(out)
}

// nearest keeps, of macros of one name, the first of each file of those whose directory
// shares most with that of b's file: the macros of one example or test are not those of
// another. There are maxCandidates at most, by path.
func (b *binder) nearest(macros []place) (out []place) {
	most := -1
	var paths []graph.Path
	for _, m := range macros {
		rec, ok := b.v.File(m.id)
		if !ok || slices.Contains(paths, rec.Path) {
			continue
		}
		n := sharedDirs(rec.Path, b.f.Path)
		if n < most {
			continue
		}
		if n > most {
			most, out, paths = n, nil, nil
		}
		at, _ := slices.BinarySearch(paths, rec.Path)
		out, paths = slices.Insert(out, at, m), slices.Insert(paths, at, rec.Path)
	}
	return out[:min(len(out), maxCandidates)]
}

// sharedDirs counts the directories that two paths begin with alike.
func sharedDirs(p, q graph.Path) (n int) {
	for i := 0; i < len(p) && i < len(q) && p[i] == q[i]; i++ {
		if p[i] == '/' {
			n++
		}
	}
	return n
}

// attribute binds the name of an attribute or derive: a function that is a macro.
func (b *binder) attribute(r *graph.Ref) graph.Binding {
	segs := []string{r.Name}
	if r.Qualifier != "" {
		segs = append(splitPath(r.Qualifier), r.Name)
	}
	es := b.path(segs, r.Enclosing, nsValue|nsMacro, false)
	if len(es) == 0 {
		return graph.Binding{External: true}
	}
	return b.entities(es, viaReason)
}

// Dispatch lists the methods that impl blocks define for a trait's.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Kind != graph.KindMethod || d.Container == graph.NoDef || f.Defs[d.Container].Kind != graph.KindInterface {
		return graph.Binding{}
	}
	b := newBinder(v, f, s.File)
	trait, name := place{s.File, d.Container}, f.Defs[d.Container].Name
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements, Dynamic: true}
	ids := v.Definers(d.Name)
	if len(ids) > maxDispatchFiles {
		ids = intersect(ids, v.Referrers(name))
	}
	for _, id := range ids[:min(len(ids), maxDispatchFiles)] {
		if rec, ok := v.File(id); !ok || rec.Language != "rust" {
			continue
		}
		g := b.facts(id)
		if g == nil {
			continue
		}
		in := b.on(id, g)
		for i := g.NextNamed(d.Name, 0); i != graph.NoDef; i = g.NextNamed(d.Name, i+1) {
			h, ok := headerOf(&g.Defs[i])
			if !ok || !strings.Contains(h.trait, name) {
				continue
			}
			b.fuel = maxSteps
			p, _ := splitArgs(h.trait)
			if tr, ok := in.traitNamed(splitPath(p), i); ok && tr == trait {
				out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: i}, Confidence: implConfidence})
				if len(out.Targets) == maxImplementations {
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

const (
	maxDispatchFiles   = 256 // files looked at of those that define the method's name
	maxImplementations = 200
)
