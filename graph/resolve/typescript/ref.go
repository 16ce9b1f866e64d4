package typescript

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Confidence of what the rules yield. What the text proves is certain; a rule that
// reads types may be wrong where inference would say more.
const (
	sure      = 1
	likely    = 0.95
	derived   = 0.85
	guessed   = 0.5
	shared    = 0.5 // divided among ambiguous candidates
	maxShared = 4

	confChoice = 0.5 // of what is one of at least two that a call runs
)

// bind turns symbols into a binding. Extracted is for what the text alone proves.
func bind(syms []graph.Symbol, reason graph.Reason, confidence float32, p graph.Provenance) graph.Binding {
	out := graph.Binding{Provenance: p, Reason: reason}
	for _, s := range syms {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: s, Confidence: confidence})
	}
	return out
}

// proven reports whether a rule leaves no choice.
func proven(r graph.Reason) bool {
	switch r {
	case graph.ReasonScope, graph.ReasonImport, graph.ReasonModule, graph.ReasonReexport, graph.ReasonSelf:
		return true
	default:
	}
	return false
}

func (b *binder) binding(r found, use graph.Use) graph.Binding {
	if r.module != 0 {
		return bind([]graph.Symbol{{File: r.module, Def: graph.NoDef}}, r.reason, sure, graph.Extracted)
	}
	if len(r.syms) == 0 {
		return graph.Binding{External: r.external}
	}
	if r.many {
		return ambiguous(r.syms)
	}
	syms := b.choose(r.syms, use)
	if use.Calls() && use != graph.UseDecorator {
		syms = b.run(syms)
	}
	if proven(r.reason) {
		return bind(syms, r.reason, sure, graph.Extracted)
	}
	if r.reason == graph.ReasonUnique {
		if len(syms) > 1 && use.Calls() {
			return ambiguous(syms)
		}
		return bind(syms, r.reason, guessed, graph.Inferred)
	}
	return bind(syms, r.reason, likely, graph.Inferred)
}

func ambiguous(syms []graph.Symbol) graph.Binding {
	return bind(syms, graph.ReasonCandidates, shared/float32(len(syms)), graph.Ambiguous)
}

// oneName reports whether symbols are declarations of one name in one place, as of a type
// and a value that a module exports together: a use means one of them.
func (b *binder) oneName(syms []graph.Symbol) bool {
	first := b.def(syms[0])
	for _, s := range syms[1:] {
		if d := b.def(s); d == nil || first == nil || s.File != syms[0].File || d.Local != first.Local || d.Container != first.Container {
			return false
		}
	}
	return true
}

// choose picks among merged declarations by use.
func (b *binder) choose(syms []graph.Symbol, use graph.Use) []graph.Symbol {
	if len(syms) == 0 {
		return nil
	}
	s := syms[0]
	if use == graph.UseType {
		for _, o := range syms {
			if d := b.def(o); d != nil && isTypeKind(d.Kind) {
				s = o
				break
			}
		}
	}
	return []graph.Symbol{s}
}

// run lists what calls of symbols run: of a class its constructor, where it has one.
func (b *binder) run(syms []graph.Symbol) []graph.Symbol {
	for i, s := range syms {
		if d := b.def(s); d == nil || d.Kind != graph.KindClass {
			continue
		}
		if c, ok := b.constructorOf(s); ok {
			syms = slices.Clone(syms)
			syms[i] = c
		}
	}
	return syms
}

// constructorOf returns the constructor written in a class itself.
func (b *binder) constructorOf(class graph.Symbol) (graph.Symbol, bool) {
	f := b.facts(class.File)
	if f == nil {
		return graph.Symbol{}, false
	}
	hit := graph.Symbol{}
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Container == class.Def && d.Name == "constructor" && d.Kind == graph.KindMethod {
			hit = graph.Symbol{File: class.File, Def: int32(i)}
		}
	}
	return hit, hit.File != 0
}

// ref binds one reference.
func (b *binder) ref(f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := &f.Refs[i]
	sc := scope{f, id, r.Enclosing}
	b.blocks, b.blocksAt = r.Hint, sc
	out := b.refIn(sc, r)
	out.Dynamic = out.Dynamic || r.Use.Calls() && b.holdsValue(out.Targets)
	if r.Use == graph.UseChoice && out.Resolved() {
		out.Provenance, out.Reason = graph.Ambiguous, graph.ReasonCandidates
		for t := range out.Targets {
			out.Targets[t].Confidence *= confChoice
		}
	}
	return out
}

// holdsValue reports whether a target holds what is called, and is not itself that.
func (b *binder) holdsValue(targets []graph.Candidate) bool {
	for _, t := range targets {
		if d := b.def(t.Symbol); d != nil {
			switch d.Kind {
			case graph.KindVariable, graph.KindConstant, graph.KindField, graph.KindProperty:
				return true
			default:
			}
		}
	}
	return false
}

// refIn binds a reference in the scope that it stands in.
func (b *binder) refIn(sc scope, r *graph.Ref) graph.Binding {
	if r.Hint.Rule == graph.HintFlow {
		return flowed(sc, r.Hint.Type)
	}
	if r.Qualifier == "" {
		return b.bare(sc, r)
	}
	if r.Qualifier == "." || r.Qualifier == "#" {
		return b.style(sc.f, sc.id, r)
	}
	if r.Use == graph.UseType {
		return b.qualifiedType(sc, r)
	}
	recv := b.expression(sc, r.Qualifier, r.Hint)
	out := b.memberRef(r, recv)
	if !out.Resolved() && !out.External && b.typeless(recv) && b.mayGuess(r) {
		return b.guess(sc.f, r)
	}
	return out
}

func (b *binder) bare(sc scope, r *graph.Ref) graph.Binding {
	switch r.Hint.Rule {
	case graph.HintLocal:
		return graph.Binding{Dynamic: true}
	case graph.HintClass:
		return b.binding(found{syms: b.self(sc, r.Hint).syms, reason: graph.ReasonSelf}, r.Use)
	case graph.HintValue:
		if r.Name != "require" {
			return b.heldCall(sc, r)
		}
	default:
	}
	if r.Name == "super" {
		return b.superCall(sc, r)
	}
	if r.Name == "require" && r.Hint.Rule == graph.HintValue {
		return b.requiredCall(sc, r)
	}
	res := b.name(sc, r.Name, spaceOf(r.Use))
	if r.Use == graph.UseType {
		if !res.ok() {
			if _, _, ok := typeParamAt(sc, r.Name); ok {
				return graph.Binding{External: true}
			}
			res = b.typeName(sc, r.Name)
		}
	} else if !res.ok() && !res.external && r.Use != graph.UseCall {
		res = b.name(sc, r.Name, anySpace)
	}
	return b.binding(res, r.Use)
}

// heldCall binds the construction of what a local holds, where that is one class or
// function.
func (b *binder) heldCall(sc scope, r *graph.Ref) graph.Binding {
	unknown := graph.Binding{Dynamic: true}
	if r.Hint.Type == r.Name { // a variable at the top of the file, which is called itself else
		if unknown = b.binding(b.name(sc, r.Name, valueSpace), r.Use); !b.holdsValue(unknown.Targets) {
			return unknown
		}
	}
	v := b.expression(sc, r.Hint.Type, graph.Hint{})
	for hops := 0; v.kind == valDef && len(v.alts) == 0 && !v.open && hops < 4; hops++ {
		held := b.valueOf(v)
		if held.kind == valDef && held.syms[0] == v.syms[0] {
			break
		}
		v = held
	}
	switch {
	case v.kind == valExternal && len(unknown.Targets) == 0:
		return graph.Binding{External: true}
	case v.kind != valDef, len(v.alts) > 0, v.open, v.reason == graph.ReasonUnique:
		return unknown
	}
	switch d := b.def(v.syms[0]); {
	case d == nil:
		return unknown
	case d.Kind == graph.KindClass, d.Kind == graph.KindFunction, d.Kind == graph.KindMethod:
	default:
		return unknown
	}
	out := bind(b.run(b.choose(v.syms, r.Use)), graph.ReasonConstructed, derived, graph.Inferred)
	out.Dynamic = true
	return out
}

// requiredCall binds the call of a module: of what it set module.exports to.
func (b *binder) requiredCall(sc scope, r *graph.Ref) graph.Binding {
	switch v := b.expression(sc, r.Hint.Type, graph.Hint{}); v.kind {
	case valDef:
		return b.binding(found{syms: v.syms, reason: v.reason}, r.Use)
	case valExternal:
		return graph.Binding{External: true}
	default:
	}
	return graph.Binding{}
}

func (b *binder) qualifiedType(sc scope, r *graph.Ref) graph.Binding {
	res := b.typeName(sc, r.Qualifier+"."+r.Name)
	if res.reason == graph.ReasonMember {
		res.reason = graph.ReasonModule
	}
	return b.binding(res, r.Use)
}

// superCall binds super(...) to the constructor that it runs.
func (b *binder) superCall(sc scope, r *graph.Ref) graph.Binding {
	v := b.root(sc, "super", graph.Hint{Rule: graph.HintSuper, Type: r.Hint.Type})
	if v.kind != valType {
		v = b.bareRoot(sc, "super")
	}
	made := false // by a call, from a class that is handed to it
	for hops := 0; v.kind == valType && v.typ.sym.File != 0 && hops < 8; hops++ {
		s := v.typ.sym
		f := b.facts(s.File)
		next := graph.Symbol{}
		for i := range f.Heritage {
			h := &f.Heritage[i]
			if h.Def != s.Def || h.Rel == graph.RelImplements || next.File != 0 {
				continue
			}
			made = made || h.Rel == graph.RelEmbeds
			base := b.baseOf(scope{f, s.File, f.Defs[s.Def].Container}, h)
			if base.external || len(base.syms) == 0 {
				return graph.Binding{External: base.external}
			}
			next = base.syms[0]
		}
		if next.File == 0 {
			break
		}
		if c, ok := b.constructorOf(next); ok {
			return superBinding(c, made)
		}
		if hops > 0 || !b.hasBase(next) {
			return superBinding(next, made)
		}
		v.typ.sym = next
	}
	return graph.Binding{}
}

func superBinding(s graph.Symbol, made bool) graph.Binding {
	if !made {
		return bind([]graph.Symbol{s}, graph.ReasonInherited, sure, graph.Extracted)
	}
	out := bind([]graph.Symbol{s}, graph.ReasonInherited, guessed, graph.Inferred)
	out.Dynamic = true
	return out
}

func (b *binder) hasBase(s graph.Symbol) bool {
	f := b.facts(s.File)
	for i := range f.Heritage {
		if f.Heritage[i].Def == s.Def && f.Heritage[i].Rel == graph.RelExtends {
			return true
		}
	}
	return false
}

// memberRef binds a member of an evaluated receiver.
func (b *binder) memberRef(r *graph.Ref, recv value) graph.Binding {
	m := b.memberOfAny(recv, r.Name)
	if !m.ok() {
		return b.fieldRef(r, recv, m.external)
	}
	if m.module != 0 {
		return b.binding(m.found, r.Use)
	}
	reason := memberReason(recv, m)
	if len(m.syms) > 1 && b.oneName(m.syms) {
		m.syms = b.choose(m.syms, r.Use)
	}
	syms := m.syms
	if len(syms) == 1 {
		syms = b.choose(b.overloadFor(syms, r), r.Use)
		if r.Use.Calls() && r.Use != graph.UseDecorator {
			syms = b.run(syms)
		}
	}
	confidence, provenance := float32(likely), graph.Inferred
	switch {
	case proven(reason), b.told(recv, m):
		confidence, provenance = sure, graph.Extracted
	case reason == graph.ReasonMember || reason == graph.ReasonConstructed:
		confidence = derived
	}
	if len(m.syms) > 1 {
		confidence, provenance = derived/float32(len(m.syms)), graph.Ambiguous
	}
	if m.open {
		confidence = min(confidence, guessed/float32(len(m.syms)))
	}
	out := bind(syms, reason, confidence, provenance)
	out.Dynamic = m.open || m.iface || b.abstract(syms[0])
	if len(m.syms) == 1 && m.through.File != 0 && b.replaceable(syms[0]) && !b.valueOf(recv).exact {
		out.Through = m.through
	}
	return out
}

// fieldRef binds a call of a member of an object literal that is a name of another function.
func (b *binder) fieldRef(r *graph.Ref, recv value, external bool) graph.Binding {
	if !r.Use.Calls() || external {
		return graph.Binding{External: external}
	}
	v := each(recv, func(v value) value { return b.field(v, r.Name) })
	if v.kind == valExternal {
		return graph.Binding{External: true}
	}
	if v.kind != valDef || len(v.alts) > 0 || v.open {
		return graph.Binding{}
	}
	switch d := b.def(v.syms[0]); {
	case d == nil:
	case d.Kind == graph.KindFunction, d.Kind == graph.KindMethod, d.Kind == graph.KindClass:
		return bind(b.run(b.choose(v.syms, r.Use)), graph.ReasonMember, derived, graph.Inferred)
	}
	return graph.Binding{}
}

// replaceable reports whether a derived type may have a definition of its own in
// place of a member.
func (b *binder) replaceable(s graph.Symbol) bool {
	d := b.def(s)
	if d == nil || d.Container < 0 || d.Kind != graph.KindMethod && d.Kind != graph.KindProperty || d.Name[0] == '#' {
		return false
	}
	return isTypeKind(b.facts(s.File).Defs[d.Container].Kind)
}

// overloadFor picks the signature that a call fits where a method has several and
// no implementation, as in interfaces and declaration files.
func (b *binder) overloadFor(syms []graph.Symbol, r *graph.Ref) []graph.Symbol {
	d := b.def(syms[0])
	if r.Args < 0 || d == nil || !d.Has(graph.FlagAbstract) || d.Kind != graph.KindMethod && d.Kind != graph.KindFunction {
		return syms
	}
	for _, o := range b.overloads(syms[0], d) {
		if od := b.def(o); od.Has(graph.FlagOverload) && acceptsCount(signatureParams(od.Signature), int(r.Args)) {
			return []graph.Symbol{o}
		}
	}
	return syms
}

func acceptsCount(params []param, n int) bool {
	least, most := 0, len(params)
	for _, p := range params {
		if p.rest {
			most = n
		} else if !p.optional {
			least++
		}
	}
	return least <= n && n <= max(most, least)
}

func (b *binder) abstract(s graph.Symbol) bool {
	d := b.def(s)
	return d != nil && d.Has(graph.FlagAbstract) && d.Kind != graph.KindFunction
}

// memberReason names the rule that found a member.
func memberReason(recv value, m member) graph.Reason {
	if m.open || len(recv.alts) > 0 {
		return graph.ReasonConstructed
	}
	if recv.kind == valModule {
		if m.reason == graph.ReasonReexport {
			return m.reason
		}
		return graph.ReasonModule
	}
	if m.inherited {
		return graph.ReasonInherited
	}
	if recv.kind == valDef {
		switch recv.reason {
		case graph.ReasonScope, graph.ReasonImport, graph.ReasonReexport, graph.ReasonModule:
			return graph.ReasonModule // a static member, or a member of a namespace or literal
		default:
		}
		return graph.ReasonMember
	}
	if recv.reason == "" {
		return graph.ReasonMember
	}
	return recv.reason
}

// typeless reports whether nothing is known of a receiver.
func (b *binder) typeless(v value) bool {
	return v.kind == valUnknown || v.kind == valObject || v.kind == valType && len(b.objects(v.typ)) == 0
}
