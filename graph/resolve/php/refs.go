package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Ref implements graph.Resolver.
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r, ref := newRun(v), &f.Refs[i]
	at := place{f, id, ref.Enclosing}
	switch ref.Hint.Rule {
	case graph.HintFlow:
		return r.flow(at, ref).binding()
	case graph.HintNone:
		return r.plain(at, ref).binding()
	case graph.HintClass:
		return r.ofClass(at, ref).binding()
	case graph.HintSelf, graph.HintSuper:
		return r.own(at, ref).binding()
	case graph.HintValue:
		return r.through(at, ref, ref.Hint.Type).binding()
	}
	return r.guess(ref).binding()
}

// sort tells what kind of member a reference can mean.
func sort(ref *graph.Ref) what {
	if ref.Use == graph.UseCall || ref.Use == graph.UseDynamic {
		return aMethod
	}
	return aProperty
}

// text returns a path of names as it is written.
func text(ref *graph.Ref) string {
	switch ref.Qualifier {
	case "":
		return ref.Name
	case `\`:
		return `\` + ref.Name
	}
	return ref.Qualifier + `\` + ref.Name
}

// plain binds the name of a function or of a constant.
func (r *run) plain(at place, ref *graph.Ref) found {
	if ref.Use == graph.UseCall || ref.Use == graph.UseDynamic {
		return r.value(at, text(ref), isFunction)
	}
	if out := r.value(at, text(ref), isConstant); len(out.syms) > 0 {
		return out
	}
	return r.value(at, text(ref), isFunction) // f(...)
}

// ofClass binds the name of a class, or a member of one that is named.
func (r *run) ofClass(at place, ref *graph.Ref) found {
	if ref.Hint.Type != "" {
		class := r.class(at, ref.Qualifier)
		if len(class.syms) == 0 {
			return class
		}
		return r.static(class, ref)
	}
	class := r.class(at, text(ref))
	if ref.Use.Calls() {
		return r.made(class)
	}
	return class
}

// static binds a member of a class that is named.
func (r *run) static(class found, ref *graph.Ref) found {
	for _, c := range class.syms {
		m := r.staticMember(c, ref)
		if !m.ok {
			continue
		}
		out := found{syms: []sym{m.member}, prov: graph.Extracted, reason: graph.ReasonModule, conf: confStatic}
		if !m.own {
			out.reason, out.conf = graph.ReasonInherited, confInherited
		}
		if len(class.syms) > 1 {
			out.prov = graph.Inferred
		}
		if m.open && !m.own {
			out.prov, out.conf = graph.Inferred, confDeclared
		}
		return out
	}
	return found{external: r.opaque(class.syms[0], ref)}
}

// staticMember finds C::m(), C::K and C::$p.
func (r *run) staticMember(c sym, ref *graph.Ref) lookup {
	if ref.Use == graph.UseCall || ref.Use == graph.UseDynamic {
		return r.member(c, ref.Name, aMethod)
	}
	for _, w := range [...]what{aConstant, aProperty, aMethod} {
		if m := r.member(c, ref.Name, w); m.ok {
			return m
		}
	}
	return lookup{}
}

// opaque reports whether a member that was not found may be one from outside, or be
// answered by code.
func (r *run) opaque(c sym, ref *graph.Ref) bool {
	m := r.member(c, ref.Name, sort(ref))
	if m.open && !m.ok {
		return true
	}
	if c.d().Kind == graph.KindEnum {
		switch ref.Name {
		case "cases", "from", "tryFrom", "name", "value":
			return true
		}
	}
	for _, name := range [...]string{"__call", "__callStatic", "__get", "__set"} {
		if r.member(c, name, aMethod).ok {
			return true
		}
	}
	return false
}

// own binds a member of $this, self, static and parent.
func (r *run) own(at place, ref *graph.Ref) found {
	c, ok := at.class()
	if !ok {
		return found{}
	}
	if ref.Hint.Rule == graph.HintSuper {
		return r.ofParent(c, ref)
	}
	m := r.ownMember(c, ref)
	if m.ok {
		out := found{syms: []sym{m.member}, prov: graph.Extracted, reason: graph.ReasonSelf, conf: confSelf, through: c}
		if ref.Qualifier == "self" {
			out.through = sym{}
		}
		if !m.own {
			out.reason, out.conf = graph.ReasonInherited, confInherited
			if m.open {
				out.prov, out.conf = graph.Inferred, confDeclared
			}
		}
		return out
	}
	if out := r.users(c, ref.Name, sort(ref)); out.ok() {
		return out
	}
	if r.opaque(c, ref) {
		return found{external: true}
	}
	return found{}
}

func (r *run) ownMember(c sym, ref *graph.Ref) lookup {
	if ref.Qualifier != "$this" {
		return r.staticMember(c, ref)
	}
	if m := r.member(c, ref.Name, sort(ref)); m.ok || ref.Use != graph.UseRead {
		return m
	}
	return r.member(c, ref.Name, aMethod) // $this->m(...)
}

// ofParent binds parent::m().
func (r *run) ofParent(c sym, ref *graph.Ref) found {
	p := r.parent(c)
	for _, v := range p.all {
		if m := r.staticMember(v.class, ref); m.ok {
			out := found{syms: []sym{m.member}, prov: graph.Extracted, reason: graph.ReasonInherited, conf: confInherited}
			if m.open && !m.own {
				out.prov, out.conf = graph.Inferred, confDeclared
			}
			return out
		}
		if r.opaque(v.class, ref) {
			return found{external: true}
		}
	}
	if isTrait(c) {
		return r.parentsOfUsers(c, ref)
	}
	return found{external: p.outside}
}

// parentsOfUsers binds parent::m() of a trait, which is that of the classes that use it.
func (r *run) parentsOfUsers(trait sym, ref *graph.Ref) found {
	out := found{prov: graph.Inferred, reason: graph.ReasonInherited, conf: confWithin}
	for _, user := range r.heirs(trait) {
		for _, v := range newRun(r.v).parent(user).all {
			if m := newRun(r.v).member(v.class, ref.Name, aMethod); m.ok && !has(out.syms, m.member) {
				out.syms = append(out.syms, m.member)
			}
		}
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	return out
}

// through binds a member of what an expression gives.
func (r *run) through(at place, ref *graph.Ref, text string) found {
	this, _ := at.class()
	of := r.eval(spelled{text, at, this}, 0)
	out := found{prov: graph.Inferred, reason: reasonOf(text, of), conf: confDeclared}
	var missing []sym
	for _, v := range of.all {
		if v.outer != "" && sort(ref) == aMethod {
			of.outside = true
			for _, m := range r.implementing(v.outer, ref.Name) {
				if !has(out.syms, m.member) {
					out.syms = append(out.syms, m.member)
				}
				out.reason = graph.ReasonImplements
			}
			continue
		}
		if v.class.f == nil {
			of.outside = true
			continue
		}
		m := r.valueMember(v.class, ref)
		switch {
		case m.ok:
			if !has(out.syms, m.member) {
				out.syms = append(out.syms, m.member)
			}
			if !m.own && out.reason == graph.ReasonDeclared {
				out.reason = graph.ReasonInherited
			}
			out.through = v.class
		case r.opaque(v.class, ref):
			of.outside = true
		default:
			missing = append(missing, v.class)
		}
	}
	switch {
	case len(out.syms) > maxImplementers && out.reason == graph.ReasonImplements, len(out.syms) == 0 && of.outside && !of.open:
		return found{external: true, reason: out.reason}
	case len(out.syms) == 0 && len(missing) > 0:
		return r.below(missing, ref)
	case len(out.syms) == 0:
		return r.guess(ref)
	case of.open || of.outside:
		out.conf = confOpen
	}
	return out
}

// below finds a method of the classes that build on some that do not have it.
func (r *run) below(classes []sym, ref *graph.Ref) found {
	out := found{prov: graph.Inferred, reason: graph.ReasonOverride, conf: confOpen}
	if sort(ref) != aMethod || len(r.v.Definers(ref.Name)) == 0 {
		return found{}
	}
	for _, c := range classes {
		for _, heir := range r.heirs(c)[1:] {
			if m := newRun(r.v).member(heir, ref.Name, aMethod); m.ok && !has(out.syms, m.member) {
				out.syms = append(out.syms, m.member)
			}
		}
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	return out
}

func (r *run) valueMember(c sym, ref *graph.Ref) lookup {
	if strings.HasPrefix(ref.Qualifier, "$") || ref.Use == graph.UseCall || ref.Use == graph.UseDynamic {
		if m := r.member(c, ref.Name, sort(ref)); m.ok || ref.Use != graph.UseRead {
			return m
		}
	}
	for _, w := range [...]what{aProperty, aConstant, aMethod} {
		if m := r.member(c, ref.Name, w); m.ok {
			return m
		}
	}
	return lookup{}
}

func reasonOf(text string, of values) graph.Reason {
	switch {
	case of.chain:
		return graph.ReasonMember
	case strings.HasPrefix(text, "new ") || strings.HasPrefix(text, "(new "):
		return graph.ReasonConstructed
	}
	return graph.ReasonDeclared
}

// flow binds new static, new self and new parent, and calls of objects.
func (r *run) flow(at place, ref *graph.Ref) found {
	if ref.Name == "__invoke" {
		out := r.through(at, ref, ref.Hint.Type)
		if len(out.syms) > 0 && out.reason != graph.ReasonUnique && out.reason != graph.ReasonCandidates {
			return out
		}
		return found{external: true}
	}
	c, ok := at.class()
	if !ok {
		return found{}
	}
	if ref.Hint.Type != "parent" {
		out := r.made(found{syms: []sym{c}, prov: graph.Extracted, reason: graph.ReasonSelf, conf: confSelf})
		if ref.Hint.Type == "static" {
			out.prov = graph.Inferred
		}
		return out
	}
	p := r.parent(c)
	out := found{prov: graph.Extracted, reason: graph.ReasonInherited, conf: confInherited, external: p.outside}
	for _, v := range p.all {
		out.syms = append(out.syms, v.class)
	}
	return r.made(out)
}

// guess finds the methods of a name where nothing is known of the object.
func (r *run) guess(ref *graph.Ref) found {
	if ref.Use != graph.UseCall && ref.Use != graph.UseDynamic || isCore(ref.Name) {
		return found{}
	}
	out := found{prov: graph.Inferred, reason: graph.ReasonUnique, conf: confUnique}
	for n, id := range graph.ByPath(r.v, r.v.Definers(ref.Name)) {
		g := r.facts(id)
		if g == nil || n >= maxFiles {
			continue
		}
		for i := g.NextNamed(ref.Name, 0); i != graph.NoDef; i = g.NextNamed(ref.Name, i+1) {
			if d := &g.Defs[i]; d.Kind == graph.KindMethod && d.Container != graph.NoDef && isType(g.Defs[d.Container].Kind) {
				out.syms = append(out.syms, sym{g, id, i})
			}
		}
	}
	out.syms = r.tops(out.syms)
	switch {
	case len(out.syms) > maxCandidates:
		return found{}
	case len(out.syms) > 1:
		out.reason = graph.ReasonCandidates
	}
	return out
}

// tops drops the methods that stand in for another of the list.
func (r *run) tops(syms []sym) []sym {
	if len(syms) < 2 || len(syms) > 4*maxCandidates {
		return syms
	}
	var out []sym
	for _, s := range syms {
		top := true
		for _, t := range syms {
			if s.symbol() != t.symbol() && newRun(r.v).derives(sym{s.f, s.id, s.d().Container}, graph.Symbol{File: t.id, Def: t.d().Container}, 0) {
				top = false
				break
			}
		}
		if top {
			out = append(out, s)
		}
	}
	return out
}
