package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// valueKind says what an expression was found to be.
type valueKind uint8

const (
	valUnknown  valueKind = iota
	valExternal           // something of another package, or built in
	valDef                // a definition itself: a function, a class, a namespace, a constant
	valType               // a value of a type
	valModule             // a module taken as a whole
	valNone               // nothing: what a function adds to its own result by calling itself
	valObject             // an object literal, as name has it, in the scope at
)

// value is what an expression was found to be.
type value struct {
	kind   valueKind
	syms   []graph.Symbol // valDef, merged declarations
	typ    closure        // valType
	module graph.FileID
	recv   *value // valDef reached as a member: the object, for results of type this
	reason graph.Reason
	name   string  // valExternal: the member of recv that it is, or the built-in
	elem   *value  // valExternal: what it holds, where that is known
	order  []value // valExternal: what it holds in order, where they differ
	exact  bool    // valType: made by new of that very class, not of one that derives from it
	alts   []value // what it may be instead, each without alternatives of its own
	open   bool    // or something else

	at      scope // valObject
	wrapped bool  // valModule: the object whose member exports the module is
}

// all lists what a value may be.
func (v *value) all() []value {
	first := *v
	first.alts, first.open = nil, false
	return append([]value{first}, v.alts...)
}

// either makes one value of several that an expression may be: the first known, with
// the others beside it.
func either(all []value) value {
	var out value
	open := false
	for _, v := range all {
		switch {
		case v.kind == valNone:
		case v.kind == valUnknown:
			open = true
		case out.kind == valUnknown:
			out = v
		default:
			out.alts = append(out.alts[:len(out.alts):len(out.alts)], v.all()...)
			out.open = out.open || v.open
		}
	}
	if len(out.alts) > maxAlternatives {
		out.alts, open = out.alts[:maxAlternatives], true
	}
	out.open = out.open || open && out.kind != valUnknown
	out.exact = out.exact && len(out.alts) == 0 && !out.open
	return out
}

// maxAlternatives bounds what is followed beside the first.
const maxAlternatives = 4

// each applies a step to all that a value may be.
func each(v value, step func(value) value) value {
	if len(v.alts) == 0 && !v.open {
		return step(v)
	}
	all := v.all()
	for i := range all {
		all[i] = step(all[i])
	}
	if v.open {
		all = append(all, value{})
	}
	return either(all)
}

func external(name string) value { return value{kind: valExternal, name: name} }

// asValue turns what a name denotes into a value.
func (r found) asValue() value {
	switch {
	case r.external:
		return external("")
	case r.module != 0:
		return value{kind: valModule, module: r.module, reason: r.reason}
	case len(r.syms) > 0:
		return value{kind: valDef, syms: r.syms, reason: r.reason}
	}
	return value{}
}

// expression evaluates a canonical expression: an identifier, this, super, a
// literal or a parenthesised group, followed by members, calls (), elements [],
// callback parameters #argument#parameter and awaits ~. hint speaks of its root.
func (b *binder) expression(sc scope, text string, hint graph.Hint) value {
	if !b.step() {
		return value{}
	}
	if val, rest, ok := b.required(sc, text); ok {
		return b.chain(val, rest)
	}
	root, rest := cutRoot(text)
	val := b.root(sc, root, hint)
	return b.chain(val, rest)
}

// required evaluates require("module") and import("module") at the front of a text.
func (b *binder) required(sc scope, text string) (v value, rest string, ok bool) {
	call, whole := strings.CutPrefix(text, `require("`)
	if !whole {
		if call, ok = strings.CutPrefix(text, `import("`); !ok {
			return value{}, "", false
		}
	}
	module, rest, ok := strings.Cut(call, `")`)
	if !ok || !sc.valid() {
		return value{}, "", false
	}
	file, outside := b.module(sc.f.Path, module)
	switch {
	case file == 0 && outside:
		return external(""), rest, true
	case file == 0:
		return value{}, rest, true
	case whole:
		if r := b.commonValue(file, valueSpace); r.ok() {
			return r.asValue(), rest, true
		}
	}
	return value{kind: valModule, module: file, reason: graph.ReasonModule}, rest, true
}

// cutRoot separates the first operand from the steps behind it.
func cutRoot(text string) (root, rest string) {
	i := 0
	text = strings.TrimPrefix(text, "new ")
	switch {
	case text == "":
		return "", ""
	case strings.IndexByte("([{<", text[0]) >= 0:
		i = skipBalanced(text, 0)
	case strings.IndexByte("'\"`", text[0]) >= 0:
		i = skipString(text, 0)
	case text[0] == '/':
		i = len(text)
	default:
		for i < len(text) && isIdent(text[i]) && (text[i] != '#' || i == 0) {
			i++
		}
	}
	return text[:i], text[i:]
}

// root evaluates the first operand by its hint, or as a name.
func (b *binder) root(sc scope, root string, hint graph.Hint) value {
	switch hint.Rule {
	case graph.HintDeclared:
		return b.declared(sc, hint.Type, graph.ReasonDeclared)
	case graph.HintElement:
		return b.indexStep(b.declared(sc, hint.Type, graph.ReasonMember), "")
	case graph.HintAssigned:
		return b.constructed(b.expression(sc, hint.Type, graph.Hint{}))
	case graph.HintValue, graph.HintCallback:
		return b.expression(sc, hint.Type, graph.Hint{})
	case graph.HintSelf, graph.HintSuper, graph.HintClass:
		return b.self(sc, hint)
	case graph.HintLiteral:
		if hint.Type == "object" {
			return value{}
		}
		return external(literalType(hint.Type))
	case graph.HintLocal:
		return value{}
	default:
	}
	return b.bareRoot(sc, root)
}

// bareRoot evaluates an operand that no hint speaks of.
func (b *binder) bareRoot(sc scope, root string) value {
	if root == "" {
		return value{}
	}
	switch root[0] {
	case '\'', '"', '`':
		return external("String")
	case '[':
		return b.arrayLiteral(sc, root)
	case '{':
		return b.objectLiteral(sc, root)
	case '/':
		return external("RegExp")
	case '<': // a type in place of an operand: what substitution leaves of a typed local
		return b.declared(sc, strings.TrimSuffix(root[1:], ">"), graph.ReasonDeclared)
	case '(':
		return b.group(sc, root)
	}
	if root[0] >= '0' && root[0] <= '9' {
		return external("Number")
	}
	switch root {
	case "this", "super":
		for e := sc.encl; e >= 0; e = sc.f.Defs[e].Container {
			if k := sc.f.Defs[e].Kind; k == graph.KindClass || k == graph.KindInterface {
				h := graph.Hint{Rule: graph.HintSelf, Type: sc.f.Defs[e].Local}
				if root == "super" {
					h.Rule = graph.HintSuper
				}
				return b.self(scope{sc.f, sc.id, e}, h)
			}
		}
		return value{}
	}
	v := b.name(sc, root, valueSpace).asValue()
	if v.kind == valExternal && sc.f.Language == "javascript" && (root == "exports" || root == "module") {
		// What the module itself exports; as module it is reached by one member more.
		v = value{kind: valModule, module: sc.id, reason: graph.ReasonScope, wrapped: root == "module"}
	}
	return v
}

// constructed is the result of calling what an expression is.
func (b *binder) constructed(callee value) value {
	return each(callee, func(v value) value {
		v = b.result(v)
		if v.kind == valType {
			v.reason = graph.ReasonConstructed
		}
		return v
	})
}

// group evaluates a parenthesised operand: all of its alternatives.
func (b *binder) group(sc scope, root string) value {
	var all []value
	for _, alt := range splitAlternatives(strings.TrimSuffix(root[1:], ")")) {
		all = append(all, b.expression(sc, strings.TrimSpace(alt), graph.Hint{}))
	}
	return either(all)
}

// splitAlternatives cuts "a||b" and "a??b" into operands.
func splitAlternatives(s string) []string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "??", "\x00"), "||", "\x00")
	if !strings.Contains(s, "\x00") {
		return []string{s}
	}
	return splitTop(s, 0)
}

// self evaluates this, super or the class inside itself.
func (b *binder) self(sc scope, hint graph.Hint) value {
	def := enclosingNamed(sc, hint.Type)
	if def < 0 {
		return value{}
	}
	sym := graph.Symbol{File: sc.id, Def: def}
	switch hint.Rule {
	case graph.HintClass:
		return value{kind: valDef, syms: []graph.Symbol{sym}, reason: graph.ReasonSelf}
	case graph.HintSuper:
		return value{kind: valType, typ: closure{sym: sym, base: true}, reason: graph.ReasonInherited}
	default:
	}
	return value{kind: valType, typ: closure{sym: sym}, reason: graph.ReasonSelf}
}

// enclosingNamed finds the definition with the Local name, around the place first.
func enclosingNamed(sc scope, local string) int32 {
	for e := sc.encl; e >= 0 && int(e) < len(sc.f.Defs); e = sc.f.Defs[e].Container {
		if sc.f.Defs[e].Local == local {
			return e
		}
	}
	for i := range sc.f.Defs {
		if sc.f.Defs[i].Local == local && !sc.f.Defs[i].Has(graph.FlagOverload) {
			return int32(i)
		}
	}
	return graph.NoDef
}

// declared is a value of a type that is written in the scope.
func (b *binder) declared(sc scope, text string, reason graph.Reason) value {
	if callee, ok := strings.CutSuffix(text, "()"); ok {
		return b.constructed(b.expression(sc, callee, graph.Hint{}))
	}
	if text == "" {
		return value{}
	}
	return value{kind: valType, typ: closure{t: parseType(text), at: sc}, reason: reason}
}

// chain applies the steps behind an operand.
func (b *binder) chain(v value, rest string) value {
	for rest != "" && v.kind != valUnknown && b.step() {
		rest = strings.TrimPrefix(rest, "!")
		rest = strings.TrimPrefix(rest, "?.")
		switch {
		case rest == "":
		case rest[0] == '.':
			v, rest = b.memberStep(v, rest[1:])
		case rest[0] == '(':
			rest = rest[skipBalanced(rest, 0):]
			v = each(v, b.result)
		case rest[0] == '`':
			rest = rest[skipString(rest, 0):]
			v = each(v, b.result)
		case rest[0] == '<':
			rest = rest[skipBalanced(rest, 0):]
		case rest[0] == '[':
			end := skipBalanced(rest, 0)
			v, rest = b.indexStep(v, rest[1:max(1, end-1)]), rest[end:]
		case rest[0] == '#':
			var arg, par int
			arg, par, rest = callbackStep(rest)
			v = each(v, func(v value) value { return b.callbackParam(v, arg, par) })
		case rest[0] == '~':
			v, rest = each(v, b.awaited), rest[1:]
		case isIdent(rest[0]): // behind ?.
			v, rest = b.memberStep(v, rest)
		default:
			return value{}
		}
	}
	return v
}

func (b *binder) memberStep(v value, rest string) (value, string) {
	i := 0
	for i < len(rest) && isIdent(rest[i]) && (rest[i] != '#' || i == 0) {
		i++
	}
	return each(v, func(v value) value { return b.memberValue(v, rest[:i]) }), rest[i:]
}

func (b *binder) indexStep(v value, index string) value {
	if n := len(index); n > 2 && (index[0] == '\'' || index[0] == '"') && index[n-1] == index[0] {
		return each(v, func(v value) value { return b.memberValue(v, index[1:n-1]) })
	}
	return each(v, func(v value) value {
		if index == "" { // a map yields its entries
			if pair, ok := b.mapEntry(v); ok {
				return pair
			}
		}
		return b.elementAt(v, place(index))
	})
}

// thisParam stands for the this parameter of a callback.
const thisParam = -1

// callbackStep reads "#argument#parameter" or "#argument#this".
func callbackStep(s string) (arg, par int, rest string) {
	number := func() (n int) {
		s = strings.TrimPrefix(s, "#")
		for s != "" && s[0]-'0' < 10 && n < 1<<10 {
			n, s = n*10+int(s[0]-'0'), s[1:]
		}
		return n
	}
	arg = number()
	if rest, ok := strings.CutPrefix(s, "#this"); ok {
		return arg, thisParam, rest
	}
	par = number()
	return arg, par, s
}

// memberValue is the value of a member: a definition, read no further.
func (b *binder) memberValue(v value, name string) value {
	if v.kind == valExternal {
		return value{kind: valExternal, name: name, recv: &v}
	}
	if v.wrapped {
		if v.wrapped = false; name == "exports" {
			return v
		}
		return external(name)
	}
	r := b.member(v, name)
	switch {
	case r.external:
		return value{kind: valExternal, name: name, recv: &v}
	case r.module != 0:
		return value{kind: valModule, module: r.module, reason: r.reason}
	case len(r.syms) == 0:
		if r.typ.valid() {
			return value{kind: valType, typ: r.typ, reason: graph.ReasonMember}
		}
		return b.field(v, name)
	}
	recv := v
	return value{kind: valDef, syms: r.syms, recv: &recv, reason: graph.ReasonMember}
}
