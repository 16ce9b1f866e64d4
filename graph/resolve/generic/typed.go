package generic

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// typed binds a reference of a family whose extractor writes paths.
func (b binder) typed(ref *graph.Ref) result {
	var c call
	if ref.Hint.Rule == graph.HintValue {
		c = parseHint(ref.Hint.Type)
	}
	s := b.site(ref.Enclosing)
	for i := range c.implicit {
		v := s.eval(&c.implicit[i])
		if t := s.asValue(v); t.known() {
			s.implicit = append(s.implicit, t)
		} else if !v.open {
			s.unsure = true
		}
	}
	if ref.Args >= 0 && len(c.args) != int(ref.Args) && ref.Use != graph.UseDecorator {
		c.args = make([]path, min(ref.Args, maxTypedArgs))
		for i := range c.args {
			c.args[i].op = '?'
		}
	}
	c.known = ref.Args >= 0
	switch {
	case ref.Use == graph.UseDecorator:
		return s.attribute(ref, &c)
	case c.makes:
		return s.made(ref, &c)
	case ref.Qualifier == "" && ref.Use == graph.UseCall && (ref.Name == "this" || ref.Name == "base" || ref.Name == "super"):
		return s.chained(ref, &c)
	case ref.Qualifier == "" && ref.Use == graph.UseCall:
		return s.called(ref, &c)
	case ref.Qualifier == "" && len(s.implicit) > 0:
		for _, t := range s.implicit {
			if v := s.named(t, ref); len(v.group) > 0 {
				return s.result(v.group, graph.Inferred, graph.ReasonMember, confMade)
			}
		}
		return b.name(ref.Name, ref.Enclosing)
	case ref.Qualifier == "" && ref.Use == graph.UseType:
		if found, _ := b.typeSymbol(ref.Name, 0, s.at); found.f != nil {
			if r := b.name(ref.Name, ref.Enclosing); len(r.syms) == 1 && r.syms[0].symbol() == found.symbol() {
				return r
			}
			return result{syms: []sym{found}, prov: graph.Inferred, reason: graph.ReasonScope, conf: confPackage}
		}
		return b.name(ref.Name, ref.Enclosing)
	case ref.Qualifier == "":
		if r := b.name(ref.Name, ref.Enclosing); len(r.syms) > 0 {
			return r
		}
		if r := b.globallyImported(ref.Name); len(r.syms) > 0 {
			return r
		}
		return b.name(ref.Name, ref.Enclosing)
	case c.receiver == nil:
		return b.narrowed(b.member(ref), ref)
	}
	return s.memberRef(ref, &c)
}

// result makes one of members.
func (s site) result(list []reached, prov graph.Provenance, reason graph.Reason, conf float32) result {
	r := result{prov: prov, reason: reason, conf: conf}
	for _, m := range list {
		r.syms = append(r.syms, m.sym)
	}
	if len(list) > 0 && list[0].depth > 0 {
		r.reason = graph.ReasonInherited
		if prov == graph.Inferred || reason == graph.ReasonSelf {
			r.prov, r.conf = graph.Inferred, min(conf, confInherited)
		}
	}
	return r.overloaded()
}

// chosen narrows what a call means, and says so where that took something away.
func (s site) chosen(v value, ref *graph.Ref, c *call, prov graph.Provenance, reason graph.Reason, conf float32) result {
	list := v.group
	if ref.Use == graph.UseCall {
		list = s.withGenerics(s.pick(s.withGenerics(list, c.generics), c.args, c.known), c.generics)
	} else {
		list = nearest(list)
	}
	if len(list) == 0 {
		return result{external: v.open}
	}
	if s.unsure && ref.Qualifier == "" && prov == graph.Extracted {
		prov, conf = graph.Inferred, min(conf, confTyped)
	}
	if len(list) < len(v.group) && prov == graph.Extracted && list[0].depth == v.group[len(v.group)-1].depth {
		prov, conf = graph.Inferred, min(conf, confTyped)
	}
	return s.result(list, prov, reason, conf)
}

const maxTypedArgs = 64

const confTyped = 0.9 // an overload that arguments tell apart

// called binds a call of a name without a receiver.
func (s site) called(ref *graph.Ref, c *call) result {
	for _, t := range s.implicit {
		if v := s.named(t, ref); len(v.group) > 0 {
			if r := s.chosen(v, ref, c, graph.Inferred, graph.ReasonMember, confMade); len(r.syms) > 0 {
				r.through = t.sym
				return r
			}
		}
		if ext := s.extensions(t, ref.Name, s.at.def); len(ext) > 0 {
			if r := s.chosen(value{group: ext}, ref, c, graph.Inferred, graph.ReasonMember, confMade); len(r.syms) > 0 {
				return r
			}
		}
	}
	open := len(s.implicit) == 0 && strings.HasPrefix(ref.Hint.Type, "~")
	apart := false // no object of the types further out is at hand
	for def := s.at.def; def != graph.NoDef && s.at.f.Defs[def].Kind != graph.KindNamespace; def = s.at.f.Defs[def].Container {
		here := sym{s.at.f, s.at.id, def}
		if !isTypeDef(here.d()) {
			apart = apart || s.Receivers && here.d().Has(graph.FlagStatic)
			if list := s.within(here, ref.Name); len(list) > 0 {
				if r := s.chosen(value{group: list}, ref, c, graph.Extracted, graph.ReasonScope, confScope); len(r.syms) > 0 {
					return r
				}
			}
			if t := s.receiverOf(def); t.known() {
				if r := s.onReceiver(t, ref, c); len(r.syms) > 0 {
					return r
				}
			}
			continue
		}
		t := typ{sym: here}
		ms := s.named(t, ref)
		if apart {
			ms.group = slices.DeleteFunc(slices.Clone(ms.group), func(m reached) bool { return !m.d().Has(graph.FlagStatic) })
		}
		if r := s.chosen(value{group: ms.group}, ref, c, graph.Extracted, graph.ReasonSelf, confSelf); len(r.syms) > 0 {
			r.through = here
			return r
		}
		if s.Receivers && !apart {
			if ext := s.extensions(t, ref.Name, s.at.def); len(ext) > 0 {
				if r := s.chosen(value{group: ext}, ref, c, graph.Inferred, graph.ReasonDeclared, confDeclared); len(r.syms) > 0 {
					return r
				}
			}
		}
		open = open || ms.open
		// A class within another has an object of that only where it says inner.
		apart = apart || s.Receivers && !here.d().Has(graph.FlagLocal) && !isInner(here.d())
	}
	if s.Receivers {
		return s.topCall(ref, c)
	}
	if list := s.topLevel(ref.Name); len(list) > 0 {
		if r := s.chosen(value{group: list}, ref, c, graph.Extracted, graph.ReasonStar, confPackage); len(r.syms) > 0 {
			return r
		}
	}
	return result{external: open || s.proper(ref.Name) && len(s.definers(ref.Name)) == 0}
}

// isInner reports whether a class says of itself that each of its objects has one of the
// class around it.
func isInner(d *graph.Def) bool {
	modifiers, _, _ := strings.Cut(d.Signature, "class ")
	return slices.Contains(strings.Fields(modifiers), "inner")
}

// onReceiver binds a call inside of an extension to a member of what it extends.
func (s site) onReceiver(t typ, ref *graph.Ref, c *call) result {
	v := s.named(t, ref)
	if r := s.chosen(v, ref, c, graph.Inferred, graph.ReasonSelf, confDeclared); len(r.syms) > 0 {
		r.through = t.sym
		return r
	}
	return s.chosen(value{group: s.extensions(t, ref.Name, s.at.def)}, ref, c, graph.Inferred, graph.ReasonSelf, confDeclared)
}

// topCall binds a call of Kotlin that no type around has: of a function of the top level,
// or of what constructs a type.
func (s site) topCall(ref *graph.Ref, c *call) result {
	list := s.topLevel(ref.Name)
	found, outside := s.typeSymbol(ref.Name, 0, s.at)
	if len(list) > 0 {
		reason := graph.ReasonScope
		if list[0].id != s.id {
			reason = graph.ReasonPackage
			if r := s.imported(ref.Name); len(r.syms) > 0 {
				reason = graph.ReasonImport
			} else if list[0].f.Package != s.f.Package {
				reason = graph.ReasonStar
			}
		}
		if found.f != nil {
			list = append(append([]reached(nil), list...), s.constructors(typ{sym: found})...)
		}
		if r := s.chosen(value{group: list}, ref, c, graph.Extracted, reason, confPackage); len(r.syms) > 0 {
			return r
		}
	}
	if found.f != nil {
		r := s.construct(typ{sym: found}, c, graph.Extracted)
		if base := s.name(ref.Name, ref.Enclosing); len(r.syms) > 0 && len(base.syms) > 0 {
			r.reason = base.reason
		}
		return r
	}
	return result{external: s.imported(ref.Name).external || s.builtin(ref.Name) || outside && s.proper(ref.Name)}
}

// construct finds what constructs a type with the arguments of a call.
func (s site) construct(t typ, c *call, prov graph.Provenance) result {
	if !t.inTree() {
		return result{external: t.known()}
	}
	r := result{prov: prov, reason: graph.ReasonScope, conf: confPackage}
	switch {
	case t.sym.id == s.id:
	case packageOf(t.sym.f, t.sym.def) == packageOf(s.f, s.at.def):
		r.reason = graph.ReasonPackage
	default:
		r.reason = graph.ReasonImport
	}
	list := s.constructors(t)
	picked := s.pick(list, c.args, c.known)
	if len(picked) == 0 { // implied by the language
		r.syms = []sym{t.sym}
		if len(list) > 0 {
			r.prov, r.conf = graph.Inferred, confTyped
			if t.sym.d().Kind == graph.KindClass && len(c.args) > 0 {
				r.conf = confUnique
			}
		}
		return r
	}
	for _, m := range picked {
		r.syms = append(r.syms, m.sym)
	}
	if len(list) > 1 {
		r.prov, r.conf = graph.Inferred, confTyped
	}
	return r
}

// made binds new T(…), and new(…), whose receiver says what of.
func (s site) made(ref *graph.Ref, c *call) result {
	if ref.Name == "new" {
		return s.construct(s.asOrNamed(s.eval(c.receiver)), c, graph.Inferred)
	}
	text := ref.Name
	if ref.Qualifier != "" {
		text = ref.Qualifier + "." + text
	}
	if c.receiver != nil && c.receiver.op == 't' {
		text = c.receiver.text
	}
	t := s.typeAt(text, s.at, nil, 0)
	if !t.inTree() {
		return result{external: t.known() || s.proper(ref.Name) && len(s.definers(ref.Name)) == 0}
	}
	r := s.construct(t, c, graph.Extracted)
	if base := s.types(s.name(ref.Name, ref.Enclosing)); ref.Qualifier == "" && len(base.syms) == 1 && base.syms[0].symbol() == t.sym.symbol() {
		r.reason = base.reason
		if len(r.syms) == 1 && r.syms[0].symbol() == t.sym.symbol() && r.prov == graph.Extracted {
			r.prov, r.conf = base.prov, base.conf
		}
	}
	return r
}

// asOrNamed returns the type that a path is a value of, or names.
func (s site) asOrNamed(v value) typ {
	if t := s.asValue(v); t.known() {
		return t
	}
	return v.static
}

// chained binds : this(…) and : base(…) of a constructor.
func (s site) chained(ref *graph.Ref, c *call) result {
	t := s.enclosingType()
	if !t.inTree() {
		return result{}
	}
	if ref.Name == "this" {
		r := s.construct(t, c, graph.Extracted)
		r.reason = graph.ReasonSelf
		return r
	}
	for _, base := range s.bases(t) {
		if base.inTree() && base.sym.d().Kind == graph.KindInterface {
			continue
		}
		r := s.construct(base, c, graph.Extracted)
		r.reason = graph.ReasonInherited
		return r
	}
	return result{external: true}
}

// attribute binds [A(…)], whose type may be called AAttribute.
func (s site) attribute(ref *graph.Ref, c *call) result {
	name := ref.Name
	if ref.Qualifier != "" {
		name = ref.Qualifier + "." + name
	}
	for _, text := range [...]string{name + "Attribute", name} {
		if s.Receivers && text != name {
			continue
		}
		if found, _ := s.typeSymbol(text, 0, s.at); found.f != nil {
			t := typ{sym: found}
			if r := s.construct(t, c, graph.Extracted); len(r.syms) > 0 && c.known && ref.Args >= 0 {
				return r
			}
			return s.construct(t, &call{}, graph.Extracted)
		}
	}
	r := s.name(ref.Name, ref.Enclosing)
	r.syms = s.types(r).syms
	r.external = len(r.syms) == 0
	return r
}

// memberRef binds a member of what a path is.
func (s site) memberRef(ref *graph.Ref, c *call) result {
	p := c.receiver
	if p.op == 'n' && (p.text == "super" || p.text == "base") {
		return s.ofBases(ref, c)
	}
	v := s.eval(p)
	if s.Receivers && v.static.inTree() && len(v.group) == 0 && !v.known() {
		return s.ofStatic(v.static, ref, c)
	}
	if t := s.asValue(v); t.known() {
		if r := s.ofValue(t, v, ref, c); r.found() || !v.static.known() && len(v.group) == 0 {
			return r
		}
	}
	static := v.static
	if !static.known() && len(v.group) > 0 {
		static = s.typeAt(v.group[0].d().Name, s.at, nil, 0)
		if !static.inTree() {
			return result{external: v.open}
		}
	}
	switch {
	case static.inTree():
		return s.ofStatic(static, ref, c)
	case static.known():
		return result{external: true}
	case v.space != "":
		return s.ofSpace(v.space, ref, c)
	case v.open:
		return result{external: true}
	}
	return result{}
}

// ofBases binds a member of what the type around builds on.
func (s site) ofBases(ref *graph.Ref, c *call) result {
	open := false
	for _, t := range s.bases(s.enclosingType()) {
		r := s.ofValue(t, value{typ: t}, ref, c)
		if len(r.syms) > 0 {
			return r
		}
		open = open || r.external
	}
	return result{external: open}
}

// ofValue binds a member of a value of a known type.
func (s site) ofValue(t typ, v value, ref *graph.Ref, c *call) result {
	prov, reason, conf := graph.Inferred, graph.ReasonMember, float32(confMade)
	switch p := c.receiver; {
	case p.op == 'n' && (p.text == "this" || p.text == "base" || p.text == "super") && (len(s.implicit) == 0 || p.text != "this"):
		prov, reason, conf = graph.Extracted, graph.ReasonSelf, confSelf
		if p.text == "this" && s.Receivers && !isTypeDef(t.def()) {
			prov = graph.Inferred
		}
	case p.op == 't':
		reason, conf = graph.ReasonDeclared, confDeclared
	case p.op == '+':
		reason, conf = graph.ReasonConstructed, confDeclared
	case p.op == '(' && s.eval(p.from).static.known():
		reason, conf = graph.ReasonConstructed, confDeclared
	}
	m := s.named(t, ref)
	exact := s
	exact.strict = true
	r := exact.chosen(m, ref, c, prov, reason, conf)
	if len(r.syms) > 0 {
		if c.receiver.text != "base" && c.receiver.text != "super" || c.receiver.op != 'n' {
			r.through = t.sym
		} else {
			r.reason = graph.ReasonInherited
		}
		return r
	}
	if ext := s.extensions(t, ref.Name, s.at.def); len(ext) > 0 && !ownLibraryMember(t, ref.Name) {
		if r := s.chosen(value{group: ext}, ref, c, graph.Inferred, reason, min(conf, confMade)); len(r.syms) > 0 {
			return r
		}
	}
	if r := s.chosen(m, ref, c, prov, reason, conf); len(r.syms) > 0 {
		r.through = t.sym
		return r
	}
	if s.Receivers && len(m.group) == 0 && t.inTree() {
		if nested := s.ofType(t, ref.Name, isTypeDef); len(nested.group) > 0 {
			if ref.Use == graph.UseCall {
				return s.construct(typ{sym: nested.group[0].sym}, c, graph.Inferred)
			}
			return s.result(nested.group[:1], graph.Inferred, reason, conf)
		}
	}
	return result{external: !t.inTree() || m.open || v.open && len(v.group) == 0 || s.Receivers && addedToAll(ref.Name)}
}

func (t typ) def() *graph.Def {
	if t.inTree() {
		return t.sym.d()
	}
	return &graph.Def{}
}

// ofStatic binds a member of a type that is named.
func (s site) ofStatic(t typ, ref *graph.Ref, c *call) result {
	m := s.named(t, ref)
	r := s.chosen(m, ref, c, graph.Extracted, graph.ReasonModule, confStatic)
	if len(r.syms) > 0 {
		return r
	}
	if nested := s.ofType(t, ref.Name, isTypeDef); len(nested.group) > 0 {
		if ref.Use == graph.UseCall {
			return s.construct(typ{sym: nested.group[0].sym}, c, graph.Extracted)
		}
		return s.result(nested.group[:1], graph.Extracted, graph.ReasonModule, confStatic)
	}
	if s.Receivers { // an object, or an extension of a companion
		if ext := s.extensions(t, ref.Name, s.at.def); len(ext) > 0 {
			if r := s.chosen(value{group: ext}, ref, c, graph.Inferred, graph.ReasonMember, confMade); len(r.syms) > 0 {
				return r
			}
		}
	}
	return result{external: r.external || m.open || t.sym.d().Kind == graph.KindEnum}
}

// ofSpace binds what a namespace or package holds.
func (s site) ofSpace(space string, ref *graph.Ref, c *call) result {
	if s.Receivers {
		var group []reached
		for _, f := range s.inPackage(ref.Name, space, graph.ReasonModule, confStatic).syms {
			if isValueDef(f.d()) {
				group = append(group, reached{sym: f})
			}
		}
		if len(group) > 0 {
			if r := s.chosen(value{group: group}, ref, c, graph.Extracted, graph.ReasonModule, confStatic); len(r.syms) > 0 {
				return r
			}
		}
	}
	t := s.typeAt(space+"."+ref.Name, s.at, nil, 0)
	switch {
	case t.inTree() && ref.Use == graph.UseCall:
		return s.construct(t, c, graph.Extracted)
	case t.inTree():
		return result{syms: []sym{t.sym}, prov: graph.Extracted, reason: graph.ReasonModule, conf: confStatic}
	}
	head, _ := s.headOf(space)
	return result{external: s.proper(head) && len(s.definers(head)) == 0 || s.Receivers && strings.Contains(space, ".")}
}
