package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// What a qualifier may begin with, as the extractor writes it.
const (
	prefixCase     = "case:"     // a case label, and the path of what is switched on
	prefixNew      = "new:"      // what is constructed
	prefixAnon     = "anon:"     // what an anonymous class is built on
	prefixConstant = "constant:" // an enum's constant, which calls a constructor
)

// use is a reference taken apart.
type use struct {
	*graph.Ref
	q    string // without the arguments
	args []typ
	n    int // of arguments; -1 is unknown
	sc   scope
}

func (b *binder) ref(r *graph.Ref) graph.Binding {
	u := use{Ref: r, q: r.Qualifier, n: int(r.Args), sc: scope{f: b.f, id: b.id, def: r.Enclosing}}
	if strings.IndexByte(r.Hint.Type, '#') >= 0 && (r.Hint.Rule == graph.HintSelf || r.Hint.Rule == graph.HintSuper) {
		u.sc.anon = r.Hint.Type
	}
	if open := strings.IndexByte(u.q, '{'); open >= 0 && strings.HasSuffix(u.q, "}") {
		u.args = b.evalAll(u.q[open+1:len(u.q)-1], u.sc)
		u.q = u.q[:open]
	}
	if u.n >= 0 && len(u.args) != u.n {
		u.args = make([]typ, u.n)
	}
	switch {
	case r.Use == graph.UseType:
		return b.bindType(b.dottedType(join(u.q, r.Name), u.sc), u.sc)
	case r.Use == graph.UseFixture:
		return b.bareCall(&u)
	case r.Use == graph.UseCall:
		return b.call(&u)
	case strings.HasPrefix(u.q, prefixCase):
		return b.label(&u)
	case u.q == "":
		return b.bareName(&u)
	}
	return b.memberName(&u)
}

func (b *binder) call(u *use) graph.Binding {
	switch {
	case strings.HasPrefix(u.q, prefixNew):
		return b.construct(u, b.dottedType(join(u.q[len(prefixNew):], u.Name), u.sc))
	case u.q == prefixAnon+prefixConstant:
		return b.bindType(b.thisType(u.sc), u.sc)
	case strings.HasPrefix(u.q, prefixAnon):
		return b.bindType(b.dottedType(join(u.q[len(prefixAnon):], u.Name), u.sc), u.sc)
	case u.q == prefixConstant:
		return b.construct(u, b.thisType(u.sc))
	case u.q == "" && u.Name == "this":
		return b.construct(u, b.thisType(u.sc))
	case u.q == "" && u.Name == "super":
		return b.construct(u, b.superOf(b.thisType(u.sc)))
	case u.Name == "new":
		return b.construct(u, b.receiver(u))
	case u.q == "":
		return b.bareCall(u)
	}
	return b.memberCall(u)
}

// construct binds the call of a constructor; of a type that declares none the type is
// what is called.
func (b *binder) construct(u *use, t typ) graph.Binding {
	if t.kind != isClass || t.dims > 0 {
		return graph.Binding{External: t.kind != isUnknown}
	}
	reason := b.bindType(t, u.sc).Reason
	s := t.sym
	var list []member
	for i := s.f.NextNamed(s.d().Name, 0); i != graph.NoDef; i = s.f.NextNamed(s.d().Name, i+1) {
		if s.f.Defs[i].Container == s.def && isConstructor(s.f, i) {
			list = append(list, member{sym: sym{s.f, s.id, i}, env: envOf(t)})
		}
	}
	c := b.choose(list, u.args, u.n)
	switch {
	case len(list) == 0:
		return bindOne(s, reason, sureConfidence)
	case len(c.list) == 0: // which of its constructors is not known
		out := bindOne(s, reason, openConfidence)
		out.Provenance = graph.Inferred
		return out
	}
	return bindChoice(c, false, reason, sureConfidence)
}

// bindChoice binds what overload resolution chose. guess says that the type on which it
// was found is not what declarations alone say.
func bindChoice(c choice, guess bool, reason graph.Reason, conf float32) graph.Binding {
	if len(c.list) == 0 {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: graph.Extracted, Reason: reason}
	switch {
	case len(c.list) > 1:
		out.Provenance, conf = graph.Ambiguous, anyConfidence/float32(len(c.list))
	case guess || !c.sure:
		out.Provenance, conf = graph.Inferred, min(conf, guessConfidence)
	}
	for _, m := range c.list {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: m.symbol(), Confidence: conf - inheritedDiscount*float32(min(m.depth, 3))})
		out.Dynamic = out.Dynamic || m.d().Has(graph.FlagAbstract)
	}
	return out
}

// virtual says through which type a method was found that another may stand in for.
func virtual(out *graph.Binding, c choice, on typ) {
	if len(c.list) != 1 || on.kind != isClass || on.static {
		return
	}
	d := c.list[0].d()
	if d.Has(graph.FlagStatic) || strings.HasPrefix(d.Signature, "private ") || strings.Contains(d.Signature, "final ") && onlyModifiers(before(d.Signature, "final ")) {
		return
	}
	out.Through = on.sym.symbol()
}

func before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}

func (b *binder) bareCall(u *use) graph.Binding {
	if !b.hasMember(u.Name) && !objectMethod(u.Name) {
		return graph.Binding{External: b.openAround(u.sc) || b.importsOutside(u.Name, u.sc)}
	}
	ms, on, reason := b.bareMethods(u.Name, u.sc)
	if ms.unseen && b.takenByNone(ms.list, u.args) {
		return graph.Binding{External: true}
	}
	c := b.choose(ms.list, u.args, u.n)
	if len(c.list) == 0 {
		return graph.Binding{External: ms.open}
	}
	conf := float32(sureConfidence)
	if ms.open {
		conf = outerConfidence
	}
	out := bindChoice(c, ms.open && on.kind != isAnon, reason, conf)
	virtual(&out, c, on)
	return out
}

// openAround reports whether a type around a place is built on one that is not in the
// tree.
func (b *binder) openAround(sc scope) bool {
	for _, t := range b.around(sc) {
		if !b.step() {
			return false
		}
		if t.kind == isClass {
			if b.openAbove(t.sym) {
				return true
			}
			continue
		}
		for _, base := range b.bases(t) {
			if base.kind != isClass || b.openAbove(base.sym) {
				return true
			}
		}
	}
	return false
}

// importsOutside reports whether a static import of a type that is not in the tree may
// bring a name.
func (b *binder) importsOutside(name string, sc scope) bool {
	for i := range sc.f.Imports {
		im := &sc.f.Imports[i]
		if (im.Name == name || im.Name == "*" && startsUpper(graph.LastElement(im.Module))) && !b.qualifiedType(im.Module, sc.f).ok() {
			return true
		}
	}
	return false
}

// receiver returns what stands before the dot.
func (b *binder) receiver(u *use) typ {
	switch u.Hint.Rule {
	case graph.HintDeclared:
		return b.typeAt(u.Hint.Type, u.sc, nil, 0)
	case graph.HintValue:
		return b.eval(u.Hint.Type, u.sc)
	case graph.HintLocal:
		return typ{}
	default:
	}
	return b.eval(u.q, u.sc)
}

func (b *binder) memberCall(u *use) graph.Binding {
	t := b.receiver(u)
	if t.dims > 0 {
		return graph.Binding{External: true}
	}
	switch t.kind {
	case isClass, isAnon:
	case isPackage:
		return graph.Binding{External: b.rootPackage(t.name)}
	default:
		return graph.Binding{External: t.kind != isUnknown || t.jdk && !b.hasMember(u.Name)}
	}
	ms := b.namedMembers(t, u.Name, isMethod)
	if ms.open && b.takenByNone(ms.list, u.args) {
		return graph.Binding{External: true}
	}
	c := b.choose(ms.list, u.args, u.n)
	if len(c.list) == 0 {
		return b.unlistedCall(u, t, ms)
	}
	if u.q == "super" {
		c.list[0].depth = 0
	}
	out := bindChoice(c, t.guess, receiverReason(u, c), typedConfidence)
	if u.q != "super" {
		virtual(&out, c, t)
	}
	return out
}

// unlistedCall binds a call of a method that a type does not declare: an accessor of a
// record, or what the language or a type outside the tree gives it.
func (b *binder) unlistedCall(u *use, t typ, ms members) graph.Binding {
	if u.n == 0 && isRecord(t) {
		if f := b.namedMembers(t, u.Name, isField); len(f.list) > 0 {
			return bindOne(f.list[0].sym, graph.ReasonDeclared, typedConfidence)
		}
	}
	return graph.Binding{External: ms.open || len(ms.list) == 0 && impliedMethod(t, u.Name)}
}

func receiverReason(u *use, c choice) graph.Reason {
	switch {
	case c.list[0].depth > 0:
		return graph.ReasonInherited
	case u.q == "this":
		return graph.ReasonSelf
	case u.Hint.Rule == graph.HintDeclared:
		return graph.ReasonDeclared
	case u.Hint.Rule == graph.HintValue:
		return graph.ReasonConstructed
	}
	return graph.ReasonMember
}

// label binds a name in a case label: a constant of the enum that is switched on, or
// else what it means anywhere.
func (b *binder) label(u *use) graph.Binding {
	if t := b.eval(u.q[len(prefixCase):], u.sc); t.kind == isClass && t.dims == 0 {
		if ms := b.namedMembers(t, u.Name, isField); len(ms.list) > 0 {
			return bindOne(ms.list[0].sym, graph.ReasonMember, typedConfidence)
		}
	}
	return b.bareName(u)
}

// bareName binds a name that stands alone: a field, a type or a package.
func (b *binder) bareName(u *use) graph.Binding {
	m, reason, open := b.bareField(u.Name, u.sc)
	if m.ok() {
		return bindOne(m.sym, reason, sureConfidence)
	}
	if t := b.simpleType(u.Name, u.sc); t.kind != isUnknown {
		return b.bindType(t, u.sc)
	}
	return graph.Binding{External: open && b.openAround(u.sc) || b.rootPackage(u.Name) || b.importsOutside(u.Name, u.sc)}
}

// rootPackage reports whether a name is the first of a package that the file speaks of.
func (b *binder) rootPackage(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	switch name {
	case "java", "javax", "com", "org", "net", "io", "jdk", "sun":
		return true
	}
	begins := func(pkg string) bool {
		return strings.HasPrefix(pkg, name) && len(pkg) > len(name) && pkg[len(name)] == '.'
	}
	if begins(b.f.Package) {
		return true
	}
	for i := range b.f.Imports {
		if begins(b.f.Imports[i].Module) {
			return true
		}
	}
	return false
}

// memberName binds a member that is not called: a field, or a type in a type.
func (b *binder) memberName(u *use) graph.Binding {
	t := b.receiver(u)
	if t.dims > 0 {
		return graph.Binding{External: true}
	}
	switch t.kind {
	case isClass, isAnon:
	case isPackage:
		if s := b.packageType(t.name, u.Name, u.sc.f); s.ok() {
			return bindOne(s, graph.ReasonPackage, sureConfidence)
		}
		return graph.Binding{External: b.rootPackage(t.name)}
	default:
		return graph.Binding{External: t.kind != isUnknown || t.jdk && !b.hasMember(u.Name)}
	}
	ms := b.namedMembers(t, u.Name, anyMember)
	if len(ms.list) > 0 {
		c := choice{ms.list[:1], true}
		return bindChoice(c, t.guess, receiverReason(u, c), typedConfidence)
	}
	if t.kind == isClass {
		if s := b.memberType(t.sym, u.Name); s.ok() {
			return bindOne(s, graph.ReasonMember, sureConfidence)
		}
	}
	return graph.Binding{External: ms.open}
}
