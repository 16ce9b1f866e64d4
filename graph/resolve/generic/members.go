package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// member binds a name that stands behind a qualifier.
func (b binder) member(ref *graph.Ref) result {
	simple := !strings.ContainsAny(ref.Qualifier, "([{") && !strings.Contains(ref.Qualifier, "->")
	switch ref.Hint.Rule {
	case graph.HintSelf, graph.HintClass:
		if t, ok := b.local(ref.Hint.Type); ok && b.plain(ref.Qualifier) {
			return b.of(t, ref.Name, graph.Extracted, graph.ReasonSelf, confSelf)
		} else if field := b.field(ref.Qualifier); ok && field != "" {
			return b.ofField(t, field, ref.Name)
		}
	case graph.HintSuper:
		if t, ok := b.local(ref.Hint.Type); ok {
			r := b.inherited(t, ref.Name, 0)
			r.prov = graph.Extracted
			return r
		}
	case graph.HintDeclared:
		if b.plain(ref.Qualifier) {
			return b.ofType(ref.Hint.Type, ref, graph.ReasonDeclared, confDeclared)
		}
	case graph.HintAssigned:
		if b.plain(ref.Qualifier) {
			return b.made(ref)
		}
	case graph.HintLiteral:
		return result{external: true}
	case graph.HintNone:
		if simple {
			if r := b.static(ref); r.found() {
				return r
			}
			if head, _ := b.headOf(ref.Qualifier); b.proper(head) && len(b.name(head, ref.Enclosing).syms) == 0 {
				return result{external: true}
			}
		}
	}
	return b.onlyMember(ref.Name)
}

// field returns the name of a field of self: b of self.b and $this->b.
func (b binder) field(qualifier string) string {
	for _, sep := range [...]string{"->", "."} {
		if _, field, ok := strings.Cut(qualifier, sep); ok {
			if field = strings.TrimSuffix(field, "?"); b.plain(field) {
				return field
			}
			return ""
		}
	}
	return ""
}

// ofField finds a member of what a field of a type holds, by the type that it is declared with.
func (b binder) ofField(t sym, field, name string) result {
	for _, s := range b.of(t, field, graph.Inferred, graph.ReasonMember, confDeclared).syms {
		in := b.in(s)
		r := in.typeNamed(s.d().Type, s.d().Container)
		for _, held := range r.syms {
			if m := b.of(held, name, graph.Inferred, graph.ReasonMember, confMade); m.found() {
				return m
			}
		}
		if r.external {
			return result{external: true}
		}
	}
	return result{}
}

// plain reports whether a qualifier is one name.
func (b binder) plain(qualifier string) bool {
	return !strings.ContainsAny(qualifier, ".:([{\\->?!/")
}

// local finds a type of the file by the name that hints give it.
func (b binder) local(name string) (sym, bool) {
	if name == "" {
		return sym{}, false
	}
	for i := range b.f.Defs {
		if b.f.Defs[i].Local == name {
			return sym{b.f, b.id, int32(i)}, true
		}
	}
	return sym{}, false
}

// of finds a member of a type, or of one of its bases.
func (b binder) of(t sym, name string, prov graph.Provenance, reason graph.Reason, conf float32) result {
	if r := b.own(t, name); len(r.syms) > 0 {
		r.prov, r.reason, r.conf, r.through = prov, reason, conf, t
		return r
	}
	return b.inherited(t, name, 0)
}

// own finds a member of a type itself: what it contains, and what names it as the owner.
func (b binder) own(t sym, name string) result {
	in := b.in(t)
	r := result{}
	for i := in.next(t.f, name, 0); i != graph.NoDef; i = in.next(t.f, name, i+1) {
		d := &t.f.Defs[i]
		if d.Container == t.def || b.standsIn(t.f, d) == t.def || d.Owner != "" && d.Owner == t.d().Name {
			r.syms = append(r.syms, sym{t.f, t.id, i})
		}
	}
	if len(r.syms) == 0 {
		r.syms = in.reopened(t, name)
	}
	return r.overloaded()
}

// reopened finds a member that another file adds to a type: one of the same full name
// that stands there, or a member that names the type as its owner.
func (b binder) reopened(t sym, name string) (out []sym) {
	full := b.full(t)
	for _, s := range b.definers(name) {
		d := s.d()
		switch {
		case s.id == t.id || d.Has(graph.FlagLocal):
		case d.Container != graph.NoDef && b.full(sym{s.f, s.id, d.Container}) == full, d.Owner != "" && d.Owner == t.d().Name && d.Container == graph.NoDef:
			out = append(out, s)
		}
	}
	return out
}

// full returns the full name of a definition.
func (b binder) full(s sym) string { return Resolver{b.Family}.Qualify(b.v, s.f, s.id, s.def) }

// inherited finds a member of the bases of a type.
func (b binder) inherited(t sym, name string, depth int) result {
	if depth == maxBases {
		return result{}
	}
	in := b.in(t)
	outside := false
	for i := range t.f.Heritage {
		h := &t.f.Heritage[i]
		if h.Def != t.def || !b.spend() {
			continue
		}
		base := in.base(h)
		outside = outside || base.external
		for _, s := range base.syms {
			if s.symbol() == t.symbol() {
				continue
			}
			if r := b.own(s, name); len(r.syms) > 0 {
				r.prov, r.reason, r.conf, r.through = graph.Inferred, graph.ReasonInherited, confInherited, t
				return r
			}
			if r := b.inherited(s, name, depth+1); r.found() {
				return r
			}
		}
	}
	return result{external: outside}
}

// base finds the type that a heritage entry names.
func (b binder) base(h *graph.Heritage) result {
	around := b.f.Defs[h.Def].Container
	if h.Qualifier == "" {
		return b.types(b.name(h.Name, around))
	}
	return b.types(b.qualified(h.Qualifier, h.Name, around))
}

// types drops what cannot be built on, or hold members.
func (b binder) types(r result) result {
	kept := r.syms[:0:0]
	for _, s := range r.syms {
		if s.def != graph.NoDef && (holdsMembers(s.d().Kind) || b.Tables && s.d().Kind == graph.KindVariable) {
			kept = append(kept, s)
		}
	}
	r.syms = kept
	return r
}

// derives reports whether a type is built on another, at whatever distance.
func (b binder) derives(t, top sym) bool {
	in := b.in(t)
	for i := range t.f.Heritage {
		h := &t.f.Heritage[i]
		if h.Def != t.def || !b.spend() {
			continue
		}
		for _, s := range in.base(h).syms {
			if s.symbol() == top.symbol() || s.symbol() != t.symbol() && b.in(s).derives(s, top) {
				return true
			}
		}
	}
	return false
}

// ofType finds a member of a type that is known by its text.
func (b binder) ofType(text string, ref *graph.Ref, reason graph.Reason, conf float32) result {
	r := b.typeNamed(text, ref.Enclosing)
	if r.external {
		if m := b.extension(text, ref.Name); len(m.syms) > 0 {
			return m
		}
		return result{external: true}
	}
	for _, t := range r.syms {
		if m := b.of(t, ref.Name, graph.Inferred, reason, conf); m.found() {
			return m
		}
	}
	if len(r.syms) > 0 {
		return result{}
	}
	return b.onlyMember(ref.Name)
}

// extension finds a member that the workspace adds to a type from outside.
func (b binder) extension(text, name string) result {
	if i := strings.IndexAny(text, "<[(?!"); i > 0 {
		text = text[:i]
	}
	r := result{prov: graph.Inferred, reason: graph.ReasonDeclared, conf: confMade}
	for _, s := range b.definers(name) {
		if d := s.d(); d.Container == graph.NoDef && d.Owner != "" && d.Owner == b.lastPart(text) {
			r.syms = append(r.syms, s)
		}
	}
	return r.overloaded()
}

// typeNamed finds a type by its text: without arguments, marks of nullability and
// what says that there are many.
func (b binder) typeNamed(text string, from int32) result {
	text = strings.Trim(text, "?!&* ")
	if i := strings.IndexAny(text, "<[(|"); i >= 0 {
		text = text[:i]
	}
	if text == "" || strings.ContainsAny(text, " \t") {
		return result{}
	}
	qualifier, name := b.split(text)
	if qualifier == "" {
		return b.types(b.name(name, from))
	}
	return b.types(b.qualified(qualifier, name, from))
}

// split divides a full name before its last part.
func (b binder) split(text string) (qualifier, name string) {
	at, width := -1, 0
	for _, sep := range [...]string{b.separator(), ".", "::"} {
		if i := strings.LastIndex(text, sep); i > at {
			at, width = i, len(sep)
		}
	}
	if at < 0 {
		return "", text
	}
	return text[:at], text[at+width:]
}

func (b binder) lastPart(text string) string {
	_, name := b.split(text)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// made binds a member of what a call gave: of the type that it makes, or that the
// function says it returns.
func (b binder) made(ref *graph.Ref) result {
	qualifier, name := b.split(ref.Hint.Type)
	var callee result
	switch {
	case qualifier != "" && b.constructor(name):
		return b.ofType(qualifier, ref, graph.ReasonConstructed, confMade)
	case qualifier != "":
		callee = b.qualified(qualifier, name, ref.Enclosing)
	default:
		callee = b.name(name, ref.Enclosing)
	}
	if callee.external {
		return result{external: true}
	}
	for _, s := range callee.syms {
		if s.def == graph.NoDef {
			continue
		}
		if holdsMembers(s.d().Kind) {
			if m := b.of(s, ref.Name, graph.Inferred, graph.ReasonConstructed, confMade); m.found() {
				return m
			}
			continue
		}
		if typ := s.d().Type; typ != "" {
			in := b.in(s)
			for _, t := range in.typeNamed(typ, s.d().Container).syms {
				if m := b.of(t, ref.Name, graph.Inferred, graph.ReasonMember, confMade); m.found() {
					return m
				}
			}
		}
	}
	return b.onlyMember(ref.Name)
}

// static binds a member of a type, a package or a module that the qualifier names.
func (b binder) static(ref *graph.Ref) result {
	r := b.qualified(ref.Qualifier, ref.Name, ref.Enclosing)
	if len(r.syms) == 0 && !r.external {
		if head, _ := b.headOf(ref.Qualifier); b.builtin(head) {
			return result{external: true}
		}
	}
	return r
}

func (b binder) headOf(qualifier string) (head, rest string) {
	for _, sep := range [...]string{b.separator(), ".", "::"} {
		if i := strings.Index(qualifier, sep); i > 0 {
			return qualifier[:i], qualifier[i+len(sep):]
		}
	}
	return qualifier, ""
}

// qualified finds qualifier.name: where the qualifier is a package, a module that is
// imported, or a type.
func (b binder) qualified(qualifier, name string, from int32) result {
	if !b.spend() {
		return result{}
	}
	if b.Scoped {
		if r := b.scopedMember(qualifier, name, from); r.found() {
			return r
		}
	}
	if b.Outward && !strings.HasPrefix(qualifier, b.separator()) { // a.b sees what stands in a
		for pkg := b.f.Package; pkg != ""; pkg, _ = b.split(pkg) {
			if r := b.inPackage(name, pkg+b.separator()+qualifier, graph.ReasonModule, confStatic); len(r.syms) > 0 {
				return r
			}
		}
	}
	qualifier = strings.TrimPrefix(qualifier, b.separator())
	if b.Schemas {
		if r := b.inSchema(qualifier + b.separator() + name); len(r.syms) > 0 {
			return r
		}
	}
	if b.Keyed {
		return b.key(qualifier, name)
	}
	if b.Addresses {
		return b.addressed(qualifier + b.separator() + name)
	}
	if b.Imports == ImportsNames || b.f.Package != "" {
		if r := b.inPackage(name, qualifier, graph.ReasonModule, confStatic); len(r.syms) > 0 {
			return r
		}
	}
	outer, last := b.split(qualifier)
	var holder result
	if outer == "" {
		holder = b.module(last, from)
	} else if holder = b.imported(qualifier); !holder.found() {
		holder = b.qualified(outer, last, from)
	}
	for _, s := range holder.syms {
		if s.def == graph.NoDef {
			if r := b.inFile(s, name); len(r.syms) > 0 {
				return r
			}
			continue
		}
		if holdsMembers(s.d().Kind) {
			if r := b.of(s, name, graph.Extracted, graph.ReasonModule, confStatic); r.found() {
				r.through = sym{}
				return r
			}
			if typ := s.d().Type; s.d().Kind == graph.KindModule && typ != "" { // another name of a module, or what a functor makes
				if r := b.in(s).qualified(typ, name, s.d().Container); r.found() {
					return r
				}
			}
		} else if r := b.own(s, name); len(r.syms) > 0 {
			r.prov, r.reason, r.conf = graph.Inferred, graph.ReasonMember, confStatic
			return r
		} else if typ := s.d().Type; typ != "" {
			in := b.in(s)
			for _, t := range in.typeNamed(typ, s.d().Container).syms {
				if m := b.of(t, name, graph.Inferred, graph.ReasonMember, confMade); m.found() {
					return m
				}
			}
		}
	}
	return result{external: holder.external && len(holder.syms) == 0}
}

// inSchema finds the definition of any file that has the name inside its file.
func (b binder) inSchema(local string) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonUnique, conf: confStatic}
	_, name := b.split(local)
	for _, s := range b.definers(name) {
		if b.same(s.d().Local, local) && !s.d().Has(graph.FlagLocal) {
			r.syms = append(r.syms, s)
		}
	}
	return r.overloaded()
}

// module is name, but for a variable that holds what an import gave.
func (b binder) module(name string, from int32) result {
	if b.Imports == ImportsDotted {
		for i := range b.f.Imports {
			if im := &b.f.Imports[i]; im.Name == "" && im.Alias == name {
				return b.importOf(im)
			}
		}
	}
	r := b.name(name, from)
	if len(r.syms) == 1 && r.syms[0].id == b.id && r.syms[0].def != graph.NoDef && r.syms[0].d().Kind == graph.KindVariable {
		if im := b.imported(name); im.found() {
			return im
		}
	}
	return r
}

// inFile finds what a module that is a file defines at its top level.
func (b binder) inFile(s sym, name string) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonModule, conf: confImport}
	for i := b.next(s.f, name, 0); i != graph.NoDef; i = b.next(s.f, name, i+1) {
		if d := &s.f.Defs[i]; b.standsIn(s.f, d) == graph.NoDef && !d.Has(graph.FlagLocal) && b.admits(d) {
			r.syms = append(r.syms, sym{s.f, s.id, i})
		}
	}
	return r.overloaded()
}

// onlyMember finds the only member of a name, where nothing is known of the object.
func (b binder) onlyMember(name string) result {
	if b.builtin(name) || b.Addresses || b.Strict {
		return result{}
	}
	var out []sym
	for _, s := range b.definers(name) {
		d := s.d()
		if d.Has(graph.FlagLocal) || b.top(s) && d.Owner == "" {
			continue
		}
		if out = append(out, s); len(out) > 1 {
			return result{}
		}
	}
	return result{syms: out, prov: graph.Inferred, reason: graph.ReasonUnique, conf: confMember}
}
