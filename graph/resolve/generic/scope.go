package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// name finds a name without a qualifier, as it is seen in a definition of the file.
func (b binder) name(name string, from int32) result {
	if r := b.lexical(name, from); r.found() {
		return r
	}
	if r := b.imported(name); r.found() {
		return r
	}
	if b.Scoped {
		if r := b.scoped(name, from, graph.ReasonPackage, confPackage); r.found() {
			return r
		}
	} else if r := b.samePackage(name); r.found() {
		return r
	}
	if r := b.starImported(name); r.found() {
		return r
	}
	if b.Variants {
		if r := b.variant(name); r.found() {
			return r
		}
	}
	if b.builtin(name) {
		return result{external: true}
	}
	if b.Open {
		if r := b.anywhere(name); len(r.syms) > 0 {
			return r
		}
	}
	if b.Schemas {
		if r := b.onlyMember(name); len(r.syms) > 0 {
			return r
		}
	}
	return result{external: b.Outside || b.proper(name)}
}

// lexical looks through the definitions around a place, innermost first: for what they
// contain, and where one is a type, for what its bases contain.
func (b binder) lexical(name string, from int32) result {
	for at := from; ; at = b.f.Defs[at].Container {
		if r := b.directly(name, at); len(r.syms) > 0 {
			return r
		}
		if at == graph.NoDef || b.Closed && !b.proper(name) && b.f.Defs[at].Kind == graph.KindModule {
			return result{}
		}
		if owner := b.f.Defs[at].Owner; b.proper(owner) && b.f.Defs[at].Container == graph.NoDef && b.spend() {
			for _, t := range b.typeNamed(owner, graph.NoDef).syms { // what an extension adds sees the type
				if r := b.of(t, name, graph.Inferred, graph.ReasonSelf, confDeclared); len(r.syms) > 0 {
					return r
				}
			}
		}
		if b.Scoped && holdsMembers(b.f.Defs[at].Kind) && b.f.Defs[at].Kind != graph.KindNamespace {
			if syms := b.reopened(sym{b.f, b.id, at}, name); len(syms) > 0 {
				return result{syms: syms, prov: graph.Extracted, reason: graph.ReasonSelf, conf: confSelf}.overloaded()
			}
		}
		if holdsMembers(b.f.Defs[at].Kind) && b.spend() {
			if r := b.inherited(sym{b.f, b.id, at}, name, 0); len(r.syms) > 0 {
				return r
			}
		}
	}
}

// directly finds what a definition of the file, or the file itself, contains.
func (b binder) directly(name string, in int32) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonScope, conf: confScope}
	for i := b.next(b.f, name, 0); i != graph.NoDef; i = b.next(b.f, name, i+1) {
		d := &b.f.Defs[i]
		constructor := in != graph.NoDef && d.Kind == graph.KindMethod && name == b.f.Defs[in].Name // stands for its type
		if b.standsIn(b.f, d) == in && (d.Owner == "" || in != graph.NoDef) && !constructor && b.admits(d) {
			r.syms = append(r.syms, sym{b.f, b.id, i})
		}
	}
	if in != graph.NoDef && holdsMembers(b.f.Defs[in].Kind) && b.f.Defs[in].Kind != graph.KindNamespace {
		r.reason, r.conf = graph.ReasonSelf, confSelf
	}
	return r.overloaded()
}

// next is Facts.NextNamed for a language that may fold case.
func (b binder) next(f *graph.Facts, name string, from int32) int32 {
	if !b.Fold {
		return f.NextNamed(name, from)
	}
	for i := from; int(i) < len(f.Defs); i++ {
		if strings.EqualFold(f.Defs[i].Name, name) {
			return i
		}
	}
	return graph.NoDef
}

// overloaded drops declarations that have a body elsewhere in the list.
func (r result) overloaded() result {
	if len(r.syms) < 2 {
		return r
	}
	var whole []sym
	for _, s := range r.syms {
		if !s.d().Has(graph.FlagOverload) {
			whole = append(whole, s)
		}
	}
	if len(whole) > 0 {
		r.syms = whole
	}
	return r
}

func holdsMembers(k graph.Kind) bool {
	switch k {
	case graph.KindClass, graph.KindStruct, graph.KindInterface, graph.KindEnum, graph.KindType, graph.KindModule, graph.KindNamespace:
		return true
	}
	return false
}

// implemented drops declarations without a body where there are some with one.
func (r result) implemented() result {
	var whole []sym
	for _, s := range r.syms {
		if !s.d().Has(graph.FlagAbstract) {
			whole = append(whole, s)
		}
	}
	if len(whole) > 0 {
		r.syms = whole
	}
	return r
}

// packageOf returns the namespace that a definition stands in, or else what the file
// claims as its package.
func packageOf(f *graph.Facts, def int32) string {
	for ; def != graph.NoDef; def = f.Defs[def].Container {
		if f.Defs[def].Kind == graph.KindNamespace {
			return f.Defs[def].Local
		}
	}
	return f.Package
}

// samePackage finds what another file of the same package defines at its top level.
func (b binder) samePackage(name string) result {
	if b.f.Package == "" {
		return result{}
	}
	return b.inPackage(name, b.f.Package, graph.ReasonPackage, confPackage)
}

// inPackage finds what files that claim a package define at their top level.
func (b binder) inPackage(name, pkg string, reason graph.Reason, conf float32) result {
	r := result{prov: graph.Extracted, reason: reason, conf: conf}
	for _, s := range b.definers(name) {
		if b.same(packageOf(s.f, s.d().Container), pkg) && b.top(s) {
			r.syms = append(r.syms, s)
		}
	}
	return b.defined(r.implemented()).overloaded()
}

// defined drops what a file only declares where another defines it.
func (b binder) defined(r result) result {
	if b.Declares == "" || len(r.syms) < 2 {
		return r
	}
	var whole []sym
	for _, s := range r.syms {
		if !strings.HasSuffix(string(s.f.Path), b.Declares) {
			whole = append(whole, s)
		}
	}
	if len(whole) > 0 {
		r.syms = whole
	}
	return r
}

// top reports whether a definition is not inside another, except a namespace.
func (b binder) top(s sym) bool {
	d := s.d()
	if d.Has(graph.FlagLocal) || d.Owner != "" {
		return false
	}
	in := b.standsIn(s.f, d)
	return in == graph.NoDef || s.f.Defs[in].Kind == graph.KindNamespace
}

// standsIn returns what a definition is seen in.
func (b binder) standsIn(f *graph.Facts, d *graph.Def) int32 {
	if in := d.Container; b.Variants && d.Kind == graph.KindEnumMember && in != graph.NoDef {
		return f.Defs[in].Container
	}
	return d.Container
}

// definers lists the definitions of a name in the family, of maxDefiners files at most.
func (b binder) definers(name string) []sym {
	var out []sym
	for _, spelling := range b.spellings(name) {
		for n, id := range graph.ByPath(b.v, b.v.Definers(spelling)) {
			if n == maxDefiners {
				break
			}
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := f.NextNamed(spelling, 0); i != graph.NoDef; i = f.NextNamed(spelling, i+1) {
				out = append(out, sym{f, id, i})
			}
		}
	}
	return out
}

// spellings lists those of a name that definitions of other files are looked up under:
// where case does not matter, the usual ones.
func (b binder) spellings(name string) []string {
	out := []string{name}
	if b.Fold {
		out = appendNew(appendNew(out, strings.ToLower(name)), strings.ToUpper(name))
	}
	return out
}

// anywhere finds the only definition of a name that files see without an import: that
// of the folder before that of the workspace.
func (b binder) anywhere(name string) result {
	var near, far []sym
	for _, s := range b.definers(name) {
		if !b.top(s) || s.id == b.id || b.Scoped && packageOf(s.f, s.d().Container) != "" {
			continue
		}
		far = append(far, s)
		if s.f.Path.Dir() == b.f.Path.Dir() {
			near = append(near, s)
		}
	}
	switch {
	case len(near) == 1:
		return result{syms: near, prov: graph.Inferred, reason: graph.ReasonUnique, conf: confNear}
	case len(near) > 1:
		far = near
	case len(far) == 1:
		return result{syms: far, prov: graph.Inferred, reason: graph.ReasonUnique, conf: confUnique}
	}
	if len(far) > maxCandidates {
		return result{}
	}
	return result{syms: far, prov: graph.Ambiguous, reason: graph.ReasonCandidates}
}
