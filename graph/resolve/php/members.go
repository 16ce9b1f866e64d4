package php

import (
	"github.com/ralph-index/ralph-index/graph"
)

const constructor = "__construct"

// what is the sort of member that a text can mean.
type what uint8

const (
	aMethod what = iota
	aProperty
	aConstant
)

func (w what) is(k graph.Kind) bool {
	switch w {
	case aMethod:
		return k == graph.KindMethod
	case aProperty:
		return k == graph.KindProperty
	default:
		return k == graph.KindConstant || k == graph.KindEnumMember
	}
}

// lookup is what a search through a class and what it builds on gives.
type lookup struct {
	member sym
	ok     bool
	own    bool // the class itself holds it
	open   bool // a part of what it builds on is not in the tree
}

// member finds a member as an object of a class has it: its own, those of its traits,
// those of its parents, and those that interfaces declare.
func (r *run) member(class sym, name string, w what) lookup {
	out := r.search(class, name, w, 0)
	out.own = out.ok && out.member.id == class.id && out.member.d().Container == class.def
	return out
}

func (r *run) search(class sym, name string, w what, depth int) (out lookup) {
	if depth > maxDepth || !r.spend() {
		return lookup{open: true}
	}
	declared := graph.NoDef
	for i := class.f.NextNamed(name, 0); i != graph.NoDef; i = class.f.NextNamed(name, i+1) {
		d := &class.f.Defs[i]
		if d.Container != class.def || !w.is(d.Kind) {
			continue
		}
		if d.Has(graph.FlagDeclaration) { // a comment says it: what is written comes first
			declared = i
			continue
		}
		return lookup{member: sym{class.f, class.id, i}, ok: true}
	}
	for _, rel := range [...]graph.HeritageRel{graph.RelEmbeds, graph.RelExtends, graph.RelImplements} {
		for i := range class.f.Heritage {
			h := &class.f.Heritage[i]
			if h.Def != class.def || h.Rel != rel {
				continue
			}
			base := r.base(place{class.f, class.id, class.def}, h)
			if len(base.syms) == 0 {
				out.open = true
				continue
			}
			in := r.search(base.syms[0], name, w, depth+1)
			if in.ok && rel == graph.RelExtends && !in.member.d().Has(graph.FlagExported) {
				in = lookup{} // private: to that parent, or to the one that uses the trait
			}
			if in.ok {
				in.open = in.open || out.open && rel != graph.RelEmbeds
				return in
			}
			out.open = out.open || in.open
		}
	}
	if declared != graph.NoDef {
		return lookup{member: sym{class.f, class.id, declared}, ok: true}
	}
	return out
}

// made finds what new C runs: the constructor, its own or an inherited one, or the class.
func (r *run) made(class found) found {
	if len(class.syms) == 0 {
		return class
	}
	out := class
	out.syms = nil
	for _, c := range class.syms {
		m := r.member(c, constructor, aMethod)
		switch {
		case m.ok:
			out.syms = append(out.syms, m.member)
		default:
			out.syms = append(out.syms, c)
		}
	}
	return out
}

// users finds a member of the classes that use a trait, which its methods see.
func (r *run) users(trait sym, name string, w what) found {
	if !isTrait(trait) {
		return found{}
	}
	out := found{prov: graph.Inferred, reason: graph.ReasonOverride, conf: confWithin}
	outside := false
	for _, user := range r.heirs(trait) {
		if user.symbol() == trait.symbol() || user.def == graph.NoDef {
			continue
		}
		m := newRun(r.v).member(user, name, w)
		outside = outside || m.open
		if m.ok && !has(out.syms, m.member) {
			out.syms = append(out.syms, m.member)
		}
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	out.external = len(out.syms) == 0 && outside
	return out
}

func has(list []sym, s sym) bool {
	for _, x := range list {
		if x.symbol() == s.symbol() {
			return true
		}
	}
	return false
}

func isTrait(s sym) bool {
	sig := s.d().Signature
	return len(sig) > 6 && sig[:6] == "trait "
}

// implementer is a class of the tree with its method of a name.
type implementer struct {
	class  sym
	member sym
}

// implementing lists the methods of a name of the classes that build on one that is not
// in the tree.
func (r *run) implementing(full, name string) (out []implementer) {
	last := lastName(full)
	seen := map[graph.Symbol]bool{}
	for n, id := range graph.ByPath(r.v, r.v.Referrers(last)) {
		f := r.facts(id)
		if f == nil || n >= 2*maxFiles || len(out) > maxImplementers {
			continue
		}
		for i := range f.Heritage {
			h := &f.Heritage[i]
			if h.Def == graph.NoDef || !r.spend() {
				continue
			}
			at := place{f, id, h.Def}
			text := h.Name
			if h.Qualifier != "" {
				text = h.Qualifier + `\` + h.Name
			}
			if base, _ := at.full(text); base != full {
				continue
			}
			for _, c := range r.heirs(sym{f, id, h.Def}) {
				if m := r.member(c, name, aMethod); m.ok && !seen[m.member.symbol()] {
					seen[m.member.symbol()] = true
					out = append(out, implementer{c, m.member})
				}
			}
		}
	}
	return out
}
