package typescript

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// member is what looking a name up on a value yields: definitions, or only a type
// where the member is written inside an object type literal.
type member struct {
	found
	typ       closure
	inherited bool
	iface     bool // declared by an interface: what runs is another definition
	open      bool // what is meant may be another definition, which is not known
	// through is the type of the object on which an instance member was found, where
	// that is one type; else the zero value.
	through graph.Symbol
}

// maxBases bounds how far up a hierarchy a lookup climbs.
const maxBases = 32

// member finds a member of a value by name.
func (b *binder) member(v value, name string) member {
	if !b.step() {
		return member{}
	}
	switch v.kind {
	case valExternal:
		return member{found: found{external: true}}
	case valModule:
		if v.wrapped {
			return member{found: found{external: true}}
		}
		return member{found: b.moduleMember(v.module, name, anySpace)}
	case valDef:
		return b.memberOfDef(v, name)
	case valType:
		return b.memberOfType(v.typ, name)
	default:
	}
	return member{}
}

// memberOfDef finds a member of a definition that is used as a value.
func (b *binder) memberOfDef(v value, name string) member {
	d := b.def(v.syms[0])
	if d == nil {
		return member{}
	}
	if r := b.staticMember(v.syms, name); r.ok() {
		return member{found: r}
	}
	if f := b.facts(v.syms[0].File); d.Has(graph.FlagDefault) && f.Language == "javascript" {
		// module.exports.x = … beside module.exports = function …
		if syms := ownExports(f, v.syms[0].File, name, anySpace); len(syms) > 0 {
			return member{found: found{syms: syms, reason: graph.ReasonModule}}
		}
	}
	switch d.Kind {
	case graph.KindClass, graph.KindFunction, graph.KindMethod:
		if name == "prototype" {
			return member{typ: closure{sym: v.syms[0]}}
		}
		if isFunctionMember(name) {
			return member{found: found{external: true}}
		}
		if d.Kind == graph.KindClass {
			return b.memberOfObject(object{sym: v.syms[0], static: true}, name, map[graph.Symbol]bool{})
		}
		return member{}
	case graph.KindNamespace, graph.KindEnum, graph.KindInterface, graph.KindType, graph.KindModule:
		return member{}
	default:
	}
	switch held := b.valueOf(v); {
	case held.kind == valType, len(held.alts) > 0:
		if m := b.memberOfAny(held, name); m.ok() || m.external || m.typ.valid() {
			return m
		}
	case held.kind == valExternal:
		return member{found: found{external: true}}
	}
	if d.Type == "object" {
		return member{}
	}
	return member{}
}

// isFunctionMember reports whether every function and class has the member from
// the language.
func isFunctionMember(name string) bool {
	switch name {
	case "apply", "bind", "call", "length", "name", "prototype", "toString":
		return true
	}
	return false
}

// staticMember finds a member that stands inside a definition, or is assigned to
// it: static members, members of namespaces and enums, properties of a literal.
func (b *binder) staticMember(syms []graph.Symbol, name string) found {
	for _, s := range syms {
		f := b.facts(s.File)
		if f == nil {
			continue
		}
		if hit := membersOf(f, s, name, true); len(hit) > 0 {
			return found{syms: hit, reason: graph.ReasonMember}
		}
	}
	for _, s := range syms {
		if hit := b.mergedMember(s, name); len(hit) > 0 {
			return found{syms: hit, reason: graph.ReasonMember}
		}
	}
	return found{}
}

// mergedMember finds a member of a namespace in its other declarations in the file.
func (b *binder) mergedMember(s graph.Symbol, name string) []graph.Symbol {
	d := b.def(s)
	if d == nil || d.Kind != graph.KindNamespace {
		return nil
	}
	f := b.facts(s.File)
	for i := range f.Defs {
		if o := &f.Defs[i]; o.Kind == d.Kind && o.Local == d.Local && int32(i) != s.Def {
			if hit := membersOf(f, graph.Symbol{File: s.File, Def: int32(i)}, name, true); len(hit) > 0 {
				return hit
			}
		}
	}
	return nil
}

// membersOf returns the members of one declaration with the name: those inside it
// and those that name it as their owner.
func membersOf(f *graph.Facts, s graph.Symbol, name string, static bool) []graph.Symbol {
	if s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil
	}
	holder := &f.Defs[s.Def]
	var out []graph.Symbol
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Name != name {
			continue
		}
		switch {
		case d.Container == s.Def && d.Owner == "":
			if !visibleMember(holder, d, static) {
				continue
			}
		case d.Owner == holder.Name && (d.Container == holder.Container || d.Container == s.Def):
			if holder.Kind != graph.KindConstant && holder.Kind != graph.KindVariable && d.Has(graph.FlagStatic) != static {
				continue
			}
		default:
			continue
		}
		out = append(out, graph.Symbol{File: s.File, Def: int32(i)})
	}
	return preferMember(f, out)
}

// visibleMember reports whether d, which stands inside holder, is reached by a dot.
func visibleMember(holder, d *graph.Def, static bool) bool {
	switch holder.Kind {
	case graph.KindClass:
		return d.Has(graph.FlagStatic) == static && d.Name != "constructor" && !inBlock(d)
	case graph.KindInterface, graph.KindType:
		return !static
	case graph.KindEnum, graph.KindNamespace, graph.KindModule:
		return static
	case graph.KindFunction, graph.KindMethod:
		return false
	default:
	}
	return !d.Has(graph.FlagLocal) || holder.Has(graph.FlagLocal)
}

// preferMember puts one definition first where a name has several: the
// implementation before its overloads, the getter before the setter.
func preferMember(f *graph.Facts, syms []graph.Symbol) []graph.Symbol {
	syms = preferImplementation(f, syms)
	if len(syms) > 1 {
		return syms[:1]
	}
	return syms
}

// memberOfType finds a member of a type. Of a union the first alternative that has
// it decides; all that have it are returned.
func (b *binder) memberOfType(c closure, name string) member {
	var out member
	objs := b.objects(c)
	for _, o := range objs {
		m := b.memberOfObject(o, name, map[graph.Symbol]bool{})
		switch {
		case m.ok() && !out.ok():
			out = m
			if !o.static && !o.base {
				out.through = o.sym
			}
		case m.ok():
			out.syms = addSymbols(out.syms, m.syms)
			out.through = graph.Symbol{}
		case !out.ok() && !out.typ.valid():
			if m.typ.valid() {
				out.typ = m.typ
			}
			out.external = out.external || m.external
		}
	}
	if out.typ.valid() {
		out.external = false
	}
	if out.ok() {
		out.external = false
		out.open = out.open || slices.ContainsFunc(objs, func(o object) bool { return o.open })
	}
	return out
}

// memberOfAny finds a member on all that a value may be.
func (b *binder) memberOfAny(v value, name string) member {
	if len(v.alts) == 0 && !v.open {
		return b.member(v, name)
	}
	var out member
	var from value
	open := v.open
	for _, a := range v.all() {
		m := b.member(a, name)
		switch {
		case m.ok() && !out.ok():
			open = open || out.typ.valid() || out.external
			out, from = m, a
		case m.ok() && b.within(a, out.through): // what it overrides says the same
		case m.ok() && b.within(from, m.through):
			out, from = m, a
		case m.ok() && m.module == 0:
			if out.syms = addSymbols(out.syms, m.syms); out.through != m.through {
				out.through = graph.Symbol{}
			}
		default:
			out.external = out.external || m.external
			if m.typ.valid() && !out.ok() {
				out.typ = m.typ
			}
			open = true
		}
	}
	if out.ok() {
		out.external, out.open = false, out.open || open
	}
	return out
}

// within reports whether a value is of a type, or of one that derives from it.
func (b *binder) within(v value, t graph.Symbol) bool {
	if t.File == 0 {
		return false
	}
	objs := b.objects(b.typeOf(v))
	for _, o := range objs {
		steps := b.steps
		ok := o.sym == t || o.sym.File != 0 && b.derives(o.sym, t)
		if b.steps = steps; !ok {
			return false
		}
	}
	return len(objs) > 0
}

func addSymbols(to, from []graph.Symbol) []graph.Symbol {
	to = to[:len(to):len(to)]
	for _, s := range from {
		dup := false
		for _, t := range to {
			dup = dup || s == t
		}
		if !dup {
			to = append(to, s)
		}
	}
	return to
}

// memberOfObject finds a member on one object and up its hierarchy.
func (b *binder) memberOfObject(o object, name string, seen map[graph.Symbol]bool) member {
	if o.external != "" {
		return member{found: found{external: true}}
	}
	if o.sym.File == 0 {
		return literalMember(o.literal, name)
	}
	if seen[o.sym] || len(seen) > maxBases || !b.step() {
		return member{}
	}
	seen[o.sym] = true
	decls := b.merged(o.sym)
	if !o.base {
		for _, s := range decls {
			f := b.facts(s.File)
			if hit := membersOf(f, s, name, o.static); len(hit) > 0 {
				return member{
					found: found{syms: hit, reason: graph.ReasonMember},
					typ:   b.memberType(hit[0], o.env),
					iface: f.Defs[s.Def].Kind == graph.KindInterface,
				}
			}
		}
	}
	return b.inherited(decls, o, name, seen)
}

// merged returns all declarations of the same name beside s: an interface and a
// class of one name are one type.
func (b *binder) merged(s graph.Symbol) []graph.Symbol {
	f := b.facts(s.File)
	if f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil
	}
	d := &f.Defs[s.Def]
	out := []graph.Symbol{s}
	for i := range f.Defs {
		o := &f.Defs[i]
		if int32(i) != s.Def && o.Name == d.Name && o.Container == d.Container && (o.Kind == graph.KindInterface || o.Kind == graph.KindClass) {
			out = append(out, graph.Symbol{File: s.File, Def: int32(i)})
		}
	}
	return out
}

// inherited looks the name up on the bases of the declarations. What a base that a
// call makes has of its own is not known: what it may be built on is looked at.
func (b *binder) inherited(decls []graph.Symbol, o object, name string, seen map[graph.Symbol]bool) member {
	var made member
	unseen, unknown := false, false
	for _, s := range decls {
		f := b.facts(s.File)
		for i := range f.Heritage {
			h := &f.Heritage[i]
			if h.Def != s.Def {
				continue
			}
			base := b.baseOf(scope{f, s.File, f.Defs[s.Def].Container}, h)
			embeds := h.Rel == graph.RelEmbeds
			unknown = unknown || embeds && !base.external
			if base.external || len(base.syms) == 0 {
				unseen = true
				continue
			}
			m := b.memberOfBase(base, s, h, o, name, seen)
			switch {
			case m.ok() && !embeds:
				return m
			case m.ok() && !made.ok():
				made, made.open = m, true
			case m.ok():
				made.syms = addSymbols(made.syms, m.syms)
			}
			unseen = unseen || m.external
		}
	}
	if made.ok() {
		return made
	}
	return member{found: found{external: unseen && !unknown}}
}

// memberOfBase looks the name up on one base.
func (b *binder) memberOfBase(base found, s graph.Symbol, h *graph.Heritage, o object, name string, seen map[graph.Symbol]bool) member {
	unseen := false
	for _, bs := range base.syms {
		bo := object{sym: bs, static: o.static, env: b.baseEnv(s, b.facts(s.File), h, bs, o.env)}
		if d := b.def(bs); d != nil && d.Kind == graph.KindType {
			c := closure{t: parseType(d.Type), at: b.scopeOf(bs), env: bo.env}
			if m := b.memberOfType(c, name); m.ok() {
				return m
			}
		}
		m := b.memberOfObject(bo, name, seen)
		if m.ok() {
			m.reason, m.inherited = graph.ReasonInherited, true
			return m
		}
		unseen = unseen || m.external
	}
	return member{found: found{external: unseen}}
}

// baseOf resolves the base that a heritage clause names.
func (b *binder) baseOf(sc scope, h *graph.Heritage) found {
	if h.Qualifier == "" {
		r := b.name(sc, h.Name, typeSpace)
		if !r.ok() && !r.external {
			r = b.name(sc, h.Name, anySpace)
		}
		if !r.ok() && isBuiltinType(h.Name) {
			r.external = true
		}
		return r
	}
	v := b.expression(sc, h.Qualifier, graph.Hint{})
	m := b.member(v, h.Name)
	return m.found
}

// baseEnv binds the base's type parameters to what the heritage clause hands on.
func (b *binder) baseEnv(s graph.Symbol, f *graph.Facts, h *graph.Heritage, base graph.Symbol, env *bindings) *bindings {
	args := baseArgs(f.Defs[s.Def].Signature, h.Name)
	d := b.def(base)
	if len(args) == 0 || d == nil {
		return nil
	}
	out := &bindings{params: signatureTypeParams(d.Signature)}
	for _, a := range args {
		out.args = append(out.args, closure{t: parseType(a), at: scope{f, s.File, s.Def}, env: env})
	}
	return out
}

// memberType is the declared type of a member with the object's type arguments.
func (b *binder) memberType(s graph.Symbol, env *bindings) closure {
	d := b.def(s)
	if d == nil || d.Type == "" || d.Kind == graph.KindMethod {
		return closure{}
	}
	if n := len(d.Type); n > 2 && d.Type[n-2:] == "()" || d.Type[0] == '=' {
		return closure{}
	}
	return closure{t: parseType(d.Type), at: b.scopeOf(s), env: env}
}

// literalMember finds a field of an object type literal. It has no definition of
// its own, but its type leads on.
func literalMember(c closure, name string) member {
	if c.t == nil || c.t.kind != typeObject {
		if c.t != nil && c.t.kind == typeFunc {
			return member{found: found{external: isFunctionMember(name)}}
		}
		return member{}
	}
	for _, p := range c.t.params {
		if p.name == name && p.text != "" {
			return member{typ: closure{t: parseType(p.text), at: c.at, env: c.env}}
		}
	}
	return member{}
}
