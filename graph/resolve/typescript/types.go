package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// closure is a type together with what is needed to read it: the scope of its
// names and the bindings of type parameters. With sym set it is an instance of
// that class or interface; base then skips the members of the class itself.
type closure struct {
	t    *typeExpr
	at   scope
	env  *bindings
	sym  graph.Symbol
	base bool
}

func (c closure) valid() bool { return c.t != nil || c.sym.File != 0 }

// bindings are the type arguments of one declaration.
type bindings struct {
	params []typeParam
	args   []closure
}

func (e *bindings) lookup(name string) (closure, bool) {
	if e == nil {
		return closure{}, false
	}
	for i, p := range e.params {
		if p.name == name && i < len(e.args) {
			return e.args[i], true
		}
	}
	return closure{}, false
}

// object is one type that has members: a declaration of the tree, an object type
// literal, or something outside.
type object struct {
	sym      graph.Symbol // class, interface, enum, alias or namespace
	static   bool         // typeof C, or the class itself: its static side
	base     bool         // only what is inherited
	env      *bindings
	literal  closure // object or function type
	external string  // a built-in's name, or "?" for something of another package
	open     bool    // nothing is known of it: any among the alternatives of a union
}

// maxTypeHops bounds aliases that lead to aliases.
const maxTypeHops = 16

// objects expands a type into the objects that a value of it may be. An empty
// result means unknown.
func (b *binder) objects(c closure) []object {
	var out []object
	b.expand(c, 0, &out)
	return out
}

func (b *binder) expand(c closure, hops int, out *[]object) {
	if hops > maxTypeHops || !b.step() {
		return
	}
	if c.sym.File != 0 {
		*out = append(*out, object{sym: c.sym, base: c.base, env: c.env})
		return
	}
	if c.t == nil {
		return
	}
	with := func(t *typeExpr) closure { return closure{t: t, at: c.at, env: c.env} }
	switch c.t.kind {
	case typeUnion, typeBoth:
		for _, a := range c.t.args {
			b.expand(with(a), hops+1, out)
		}
		if c.t.kind == typeUnion && len(*out) > 0 && anyOf(c.t.args) {
			*out = append(*out, object{open: true})
		}
	case typeArray, typeTuple:
		*out = append(*out, object{external: "Array", literal: c})
	case typeLiteral:
		switch c.t.name {
		case "null", "undefined", "void", "never", "object":
		default:
			*out = append(*out, object{external: literalType(c.t.name)})
		}
	case typeFunc, typeObject:
		*out = append(*out, object{literal: c})
	case typeQuery:
		b.expandQuery(c, out)
	case typeNamed:
		b.expandNamed(c, hops, out)
	default:
	}
}

func anyOf(alternatives []*typeExpr) bool {
	for _, a := range alternatives {
		if a.kind == typeOther && a.name != "" {
			return true
		}
	}
	return false
}

func (b *binder) expandQuery(c closure, out *[]object) {
	v := b.expression(c.at, c.t.name, graph.Hint{})
	for _, s := range v.syms {
		if d := b.def(s); d != nil && d.Kind == graph.KindClass {
			*out = append(*out, object{sym: s, static: true})
			return
		}
	}
	if t := b.typeOf(v); t.valid() {
		b.expand(t, 1, out)
	}
}

// isTransparent reports whether the members of a built-in type are those of its
// argument.
func isTransparent(name string) bool {
	switch name {
	case "Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable", "Exclude", "Extract", "ThisType",
		"NoInfer":
		return true
	}
	return false
}

func (b *binder) expandNamed(c closure, hops int, out *[]object) {
	name := c.t.name
	if c.t.module != "" {
		b.expandImported(c, hops, out)
		return
	}
	if bound, ok := c.env.lookup(name); ok {
		b.expand(bound, hops+1, out)
		return
	}
	if name == "this" {
		b.expandThis(c, out)
		return
	}
	if tp, sc, ok := typeParamAt(c.at, name); ok {
		if tp.bound != "" {
			b.expand(closure{t: parseType(tp.bound), at: sc, env: c.env}, hops+1, out)
		}
		return
	}
	r := b.typeName(c.at, name)
	if !r.ok() {
		if isTransparent(name) && len(c.t.args) > 0 {
			b.expand(closure{t: c.t.args[0], at: c.at, env: c.env}, hops+1, out)
			return
		}
		if r.external || isBuiltinType(name) {
			ext := name
			if !isBuiltinType(name) {
				ext = "?"
			}
			*out = append(*out, object{external: ext, literal: c})
		}
		return
	}
	for _, s := range r.syms {
		b.expandDeclared(c, s, hops, out)
	}
}

// expandImported expands import("module").name.
func (b *binder) expandImported(c closure, hops int, out *[]object) {
	if !c.at.valid() {
		return
	}
	file, external := b.module(c.at.f.Path, c.t.module)
	if file == 0 {
		if external {
			*out = append(*out, object{external: "?", literal: c})
		}
		return
	}
	r := b.commonValue(file, typeSpace)
	if c.t.name != "" {
		head, rest, dotted := strings.Cut(c.t.name, ".")
		r = b.moduleMember(file, head, typeSpace)
		for dotted && r.ok() && b.step() {
			head, rest, dotted = strings.Cut(rest, ".")
			r = b.qualified(r, head, typeSpace)
		}
	}
	for _, s := range r.syms {
		b.expandDeclared(c, s, hops, out)
	}
}

// expandDeclared expands one declaration that a type name denotes.
func (b *binder) expandDeclared(c closure, s graph.Symbol, hops int, out *[]object) {
	d := b.def(s)
	if d == nil {
		return
	}
	env := b.bind(c, d)
	switch d.Kind {
	case graph.KindType:
		if b.hasMembers(s) {
			*out = append(*out, object{sym: s, env: env})
		}
		if t := parseType(d.Type); d.Type != "" && (t.kind != typeObject || !b.hasMembers(s)) {
			b.expand(closure{t: t, at: b.scopeOf(s), env: env}, hops+1, out)
		}
	case graph.KindClass, graph.KindInterface, graph.KindEnum, graph.KindNamespace:
		*out = append(*out, object{sym: s, env: env})
	case graph.KindFunction: // a constructor function of old-style JavaScript
		*out = append(*out, object{sym: s})
	default:
	}
}

func (b *binder) hasMembers(s graph.Symbol) bool {
	f := b.facts(s.File)
	for i := range f.Defs {
		if f.Defs[i].Container == s.Def {
			return true
		}
	}
	return false
}

// bind pairs the type parameters of a declaration with the arguments of a use.
func (b *binder) bind(c closure, d *graph.Def) *bindings {
	if c.t == nil || len(c.t.args) == 0 {
		return nil
	}
	params := signatureTypeParams(d.Signature)
	if len(params) == 0 {
		return nil
	}
	env := &bindings{params: params}
	for _, a := range c.t.args {
		env.args = append(env.args, closure{t: a, at: c.at, env: c.env})
	}
	return env
}

func (b *binder) expandThis(c closure, out *[]object) {
	for e := c.at.encl; c.at.valid() && e >= 0; e = c.at.f.Defs[e].Container {
		if isTypeKind(c.at.f.Defs[e].Kind) {
			*out = append(*out, object{sym: graph.Symbol{File: c.at.id, Def: e}})
			return
		}
	}
}

// typeParamAt finds a type parameter of the declarations around the scope.
func typeParamAt(sc scope, name string) (typeParam, scope, bool) {
	if !sc.valid() || strings.Contains(name, ".") {
		return typeParam{}, scope{}, false
	}
	for e := sc.encl; e >= 0 && int(e) < len(sc.f.Defs); e = sc.f.Defs[e].Container {
		for _, tp := range signatureTypeParams(sc.f.Defs[e].Signature) {
			if tp.name == name {
				if tp.bound == name {
					tp.bound = ""
				}
				return tp, scope{sc.f, sc.id, e}, true
			}
		}
	}
	return typeParam{}, scope{}, false
}

// typeName resolves a dotted type name.
func (b *binder) typeName(sc scope, name string) found {
	if !sc.valid() {
		return found{}
	}
	head, rest, dotted := strings.Cut(name, ".")
	in := typeSpace
	if dotted {
		in = anySpace
	}
	r := b.name(sc, head, in)
	for dotted && (r.ok() || r.external) && b.step() {
		head, rest, dotted = strings.Cut(rest, ".")
		r = b.qualified(r, head, typeSpace)
	}
	if !r.ok() && !r.external && name == head && sc.f.Language == "javascript" {
		r = b.name(sc, name, valueSpace) // a constructor function
	}
	if !r.ok() && !r.external && !isScript(sc.f) {
		r.external = true // undeclared in a module: ambient, so not of this tree
	}
	return r
}

// qualified finds a name inside a namespace, module, enum or class.
func (b *binder) qualified(r found, name string, in space) found {
	if r.external {
		return r
	}
	if r.module != 0 {
		return b.moduleMember(r.module, name, in)
	}
	return b.staticMember(r.syms, name)
}
