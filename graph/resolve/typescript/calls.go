package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// typeOf is the type of the object that a value is. It is invalid where the value
// is not an object of a known type: a class, a module, something unknown.
func (b *binder) typeOf(v value) closure {
	r := b.valueOf(v)
	if r.kind == valType {
		return r.typ
	}
	return closure{}
}

// valueOf replaces a variable, field or property by the value it holds.
func (b *binder) valueOf(v value) value {
	if v.kind != valDef || !b.step() {
		return v
	}
	s := v.syms[0]
	d := b.def(s)
	if d == nil {
		return value{}
	}
	switch d.Kind {
	case graph.KindVariable, graph.KindConstant, graph.KindField, graph.KindProperty:
	case graph.KindEnumMember:
		return value{kind: valType, typ: closure{sym: graph.Symbol{File: s.File, Def: d.Container}}, reason: graph.ReasonMember}
	default:
		return v
	}
	if d.Type == "" {
		return value{}
	}
	at := b.scopeOf(s)
	if callee, ok := strings.CutSuffix(d.Type, "()"); ok {
		made := b.declared(at, callee+"()", graph.ReasonMember)
		made.exact = made.exact && d.Kind == graph.KindConstant // others may be set elsewhere
		return made
	}
	if alias, ok := strings.CutPrefix(d.Type, "="); ok {
		return each(b.expression(at, alias, graph.Hint{}), b.valueOf)
	}
	return value{kind: valType, typ: closure{t: parseType(d.Type), at: at, env: b.envOf(v)}, reason: graph.ReasonMember}
}

// envOf is the binding of type parameters of the object that a member was reached
// through, as seen from the declaration that holds the member.
func (b *binder) envOf(v value) *bindings {
	if v.recv == nil || len(v.syms) == 0 {
		return nil
	}
	d := b.def(v.syms[0])
	if d == nil || d.Container < 0 {
		return nil
	}
	holder := graph.Symbol{File: v.syms[0].File, Def: d.Container}
	t := b.typeOf(*v.recv)
	if !t.valid() {
		return nil
	}
	for _, o := range b.objects(t) {
		if env, ok := b.envAt(o, holder, 0); ok {
			return env
		}
	}
	return nil
}

// envAt follows the type arguments from an object up to one of its bases.
func (b *binder) envAt(o object, holder graph.Symbol, hops int) (*bindings, bool) {
	if o.sym == holder {
		return o.env, true
	}
	if o.sym.File == 0 || hops > 8 || !b.step() {
		return nil, false
	}
	f := b.facts(o.sym.File)
	for i := range f.Heritage {
		h := &f.Heritage[i]
		if h.Def != o.sym.Def {
			continue
		}
		for _, bs := range b.baseOf(scope{f, o.sym.File, f.Defs[h.Def].Container}, h).syms {
			if env, ok := b.envAt(object{sym: bs, env: b.baseEnv(o.sym, f, h, bs, o.env)}, holder, hops+1); ok {
				return env, true
			}
		}
	}
	return nil, false
}

// result is what calling, or constructing with, a value yields.
func (b *binder) result(v value) value {
	if !b.step() {
		return value{}
	}
	switch v.kind {
	case valExternal:
		return b.externalResult(v)
	case valModule:
		r := b.commonValue(v.module, valueSpace)
		if !r.ok() {
			return value{}
		}
		return b.result(r.asValue())
	case valType:
		return b.callType(v.typ)
	case valDef:
		return b.callDef(v)
	default:
	}
	return value{}
}

func (b *binder) callDef(v value) value {
	s := v.syms[0]
	d := b.def(s)
	if d == nil {
		return value{}
	}
	switch d.Kind {
	case graph.KindClass:
		return value{kind: valType, typ: closure{sym: s}, reason: graph.ReasonConstructed, exact: v.reason != graph.ReasonSelf}
	case graph.KindFunction, graph.KindMethod:
		return b.callFunction(v, s, d)
	default:
	}
	if d.Type == "" && b.def(s) != nil && len(v.syms) > 1 {
		for _, o := range v.syms[1:] { // a constant merged with an interface of its name
			if od := b.def(o); od != nil && isTypeKind(od.Kind) {
				return value{kind: valType, typ: closure{sym: o}, reason: graph.ReasonConstructed}
			}
		}
	}
	return each(b.valueOf(v), func(held value) value {
		if held.kind == valDef && held.syms[0] == s {
			return value{}
		}
		return b.result(held)
	})
}

// callFunction reads the declared result of a function: of its overloads, where it has
// any, each of which may be meant.
func (b *binder) callFunction(v value, s graph.Symbol, d *graph.Def) value {
	if b.calling[s] {
		return value{kind: valNone}
	}
	if b.calling == nil {
		b.calling = map[graph.Symbol]bool{}
	}
	b.calling[s] = true
	defer delete(b.calling, s)
	own := true // whether d's own type is one that callers see
	var all []value
	seen := map[string]bool{}
	for _, o := range b.overloads(s, d) {
		od := b.def(o)
		if !od.Has(graph.FlagAbstract) {
			continue
		}
		own = d.Has(graph.FlagAbstract)
		if head := typeHead(od.Type); !seen[head] && (head != typeHead(d.Type) || d.Type == "") {
			seen[head] = true
			all = append(all, b.resultType(v, o, od.Type))
		} else if head == typeHead(d.Type) {
			own = true // in its own form, which knows no type arguments of one call
		}
	}
	if own {
		all = append([]value{b.resultType(v, s, d.Type)}, all...)
	}
	if len(all) == 1 {
		return all[0]
	}
	return either(all)
}

// typeHead is a type text without its type arguments: "A" of "A<B>".
func typeHead(typ string) string {
	head, _, ok := strings.Cut(typ, "<")
	if !ok || strings.ContainsAny(typ, "|&?[{(=") {
		return typ
	}
	return head
}

// resultType is what a function that is declared to return a type yields.
func (b *binder) resultType(v value, s graph.Symbol, typ string) value {
	d, at := b.def(s), b.scopeOf(s)
	switch {
	case typ == "":
		if d.Owner == "" && d.Kind == graph.KindFunction && b.isConstructor(s, d) {
			return value{kind: valType, typ: closure{sym: s}, reason: graph.ReasonConstructed}
		}
		return value{}
	case typ == "this":
		if v.recv == nil {
			return value{}
		}
		recv := *v.recv
		recv.typ.base = false // what super's method returns is this
		return recv
	case typ[0] == '=':
		return b.expression(at, typ[1:], graph.Hint{})
	case strings.HasSuffix(typ, "()"):
		return b.declared(at, typ, graph.ReasonMember)
	}
	return value{kind: valType, typ: closure{t: parseType(typ), at: at, env: b.envOf(v)}, reason: graph.ReasonMember}
}

// isConstructor reports whether old-style members are assigned to the prototype of
// a function.
func (b *binder) isConstructor(s graph.Symbol, d *graph.Def) bool {
	f := b.facts(s.File)
	for i := range f.Defs {
		if f.Defs[i].Owner == d.Name {
			return true
		}
	}
	return false
}

// overloads returns the other signatures of a function or method.
func (b *binder) overloads(s graph.Symbol, d *graph.Def) []graph.Symbol {
	f := b.facts(s.File)
	var out []graph.Symbol
	for i := range f.Defs {
		o := &f.Defs[i]
		if o.Name == d.Name && o.Container == d.Container && o.Kind == d.Kind && int32(i) != s.Def {
			out = append(out, graph.Symbol{File: s.File, Def: int32(i)})
		}
	}
	return out
}

// callType is the result of calling a value of a type.
func (b *binder) callType(c closure) value {
	for _, o := range b.objects(c) {
		if o.external != "" {
			return external("")
		}
		if o.static {
			return value{kind: valType, typ: closure{sym: o.sym}, reason: graph.ReasonConstructed}
		}
		if lit := b.callable(o, 0); lit.t != nil && lit.t.result != nil {
			return value{kind: valType, typ: closure{t: lit.t.result, at: lit.at, env: lit.env}, reason: graph.ReasonMember}
		}
	}
	return value{}
}

// callable returns the function type that calling an object goes by: its own, or
// the call signature of an interface, which stands as its type, or of its bases.
func (b *binder) callable(o object, hops int) closure {
	if o.sym.File == 0 {
		if o.literal.t != nil && o.literal.t.kind == typeFunc {
			return o.literal
		}
		return closure{}
	}
	f := b.facts(o.sym.File)
	if f == nil || o.static || hops > 6 || !b.step() {
		return closure{}
	}
	d := &f.Defs[o.sym.Def]
	if d.Kind != graph.KindInterface {
		return closure{}
	}
	if d.Type != "" {
		return closure{t: parseType(d.Type), at: b.scopeOf(o.sym), env: o.env}
	}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		if h.Def != o.sym.Def {
			continue
		}
		for _, bs := range b.baseOf(scope{f, o.sym.File, d.Container}, h).syms {
			if c := b.callable(object{sym: bs, env: b.baseEnv(o.sym, f, h, bs, o.env)}, hops+1); c.t != nil {
				return c
			}
		}
	}
	return closure{}
}

// callbackParam is the parameter par of the function that is passed as argument
// arg to a callee.
func (b *binder) callbackParam(v value, arg, par int) value {
	if v.kind == valDef {
		d := b.def(v.syms[0])
		if d == nil {
			return value{}
		}
		if d.Kind == graph.KindClass {
			return b.constructorCallback(v, arg, par)
		}
		if d.Kind == graph.KindFunction || d.Kind == graph.KindMethod {
			return b.signatureCallback(v, v.syms[0], d, arg, par)
		}
		v = b.valueOf(v)
		if len(v.alts) > 0 {
			return each(v, func(v value) value { return b.callbackParam(v, arg, par) })
		}
	}
	if v.kind == valExternal {
		return b.externalCallback(v, arg, par)
	}
	if v.kind != valType {
		return value{}
	}
	for _, o := range b.objects(v.typ) {
		lit := b.callable(o, 0)
		if lit.t == nil || arg >= len(lit.t.params) {
			continue
		}
		c := closure{t: parseType(lit.t.params[arg].text), at: lit.at, env: lit.env}
		if r := b.paramOf(c, par); r.kind != valUnknown {
			return r
		}
	}
	return value{}
}

// constructorCallback looks at the constructor's parameters, up the hierarchy.
func (b *binder) constructorCallback(v value, arg, par int) value {
	s := v.syms[0]
	for hops := 0; hops < 8; hops++ {
		f := b.facts(s.File)
		for i := range f.Defs {
			d := &f.Defs[i]
			if d.Container == s.Def && d.Name == "constructor" && !d.Has(graph.FlagOverload) {
				return b.signatureCallback(v, graph.Symbol{File: s.File, Def: int32(i)}, d, arg, par)
			}
		}
		next := graph.Symbol{}
		for i := range f.Heritage {
			if h := &f.Heritage[i]; h.Def == s.Def && h.Rel == graph.RelExtends {
				if base := b.baseOf(scope{f, s.File, f.Defs[s.Def].Container}, h); len(base.syms) > 0 {
					next = base.syms[0]
				}
			}
		}
		if next.File == 0 || b.def(next) == nil {
			break
		}
		s = next
	}
	return value{}
}

// signatureCallback reads the parameter from the function's signature, and from
// its overloads where that does not say.
func (b *binder) signatureCallback(v value, s graph.Symbol, d *graph.Def, arg, par int) value {
	for _, o := range append([]graph.Symbol{s}, b.overloads(s, d)...) {
		od := b.def(o)
		params := signatureParams(od.Signature)
		i := arg
		if i >= len(params) && len(params) > 0 && params[len(params)-1].rest {
			i = len(params) - 1
		}
		if i >= len(params) || params[i].text == "" {
			continue
		}
		c := closure{t: parseType(params[i].text), at: b.scopeOf(o), env: b.envOf(v)}
		if params[i].rest {
			c.t = elementType(c.t)
		}
		if r := b.paramOf(c, par); r.kind != valUnknown {
			return r
		}
	}
	return value{}
}

func elementType(t *typeExpr) *typeExpr {
	if (t.kind == typeArray || t.kind == typeNamed && isIterable(t.name)) && len(t.args) > 0 {
		return t.args[0]
	}
	return t
}

// paramOf is parameter par of a function type.
func (b *binder) paramOf(c closure, par int) value {
	for _, o := range b.objects(c) {
		lit := b.callable(o, 0)
		if par == thisParam && lit.t != nil && lit.t.this != "" {
			return value{kind: valType, typ: closure{t: parseType(lit.t.this), at: lit.at, env: lit.env}, reason: graph.ReasonMember}
		}
		if lit.t == nil || par < 0 || par >= len(lit.t.params) || lit.t.params[par].text == "" {
			continue
		}
		t := closure{t: parseType(lit.t.params[par].text), at: lit.at, env: lit.env}
		if lit.t.params[par].rest {
			t.t = elementType(t.t)
		}
		return value{kind: valType, typ: t, reason: graph.ReasonMember}
	}
	return value{}
}
