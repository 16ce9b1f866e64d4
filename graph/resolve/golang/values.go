package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

type valueKind uint8

const (
	isUnknown  valueKind = iota
	isExternal           // of the language, or outside the tree
	isPackage            // dir
	isFunc               // sig
	isValue              // text: a type, or a value of it
)

// value is what a path denotes. The text of a type means something only in the file
// that it was written in: by.
type value struct {
	kind  valueKind
	dir   graph.Path
	sig   string // signature of a function
	text  string // of a type; the first result of a function; of what is external, its path
	by    *binder
	near  int32   // definition around the text, for types of function bodies
	steps int     // declarations gone through
	env   *env    // of the type parameters in text and sig
	inst  []value // explicit type arguments
	maybe bool    // external: what it gives may be of a type of the tree

	args    []string // arguments of the call that follows, as paths
	argNear int32
}

// receiverPath writes the qualifier of a reference as a path over names that mean
// something outside the function.
func receiverPath(r *graph.Ref) (string, bool) {
	q := r.Qualifier
	head := 0
	for head < len(q) && isIdent(q[head:head+1]) {
		head++
	}
	rest := q[head:]
	if r.Hint.Type == q && r.Hint.Rule == graph.HintDeclared {
		rest = "" // a key of a literal: the qualifier is its type
	}
	switch r.Hint.Rule {
	case graph.HintNone:
		return q, q != "?"
	case graph.HintSelf, graph.HintDeclared, graph.HintLiteral:
		return "(" + r.Hint.Type + ")" + rest, true
	case graph.HintElement:
		return "(" + r.Hint.Type + ")[]" + rest, true
	case graph.HintAssigned:
		callee, result := r.Hint.Type, ""
		if n := len(callee); n > 2 && callee[n-2] == '#' {
			callee, result = callee[:n-2], callee[n-2:]
		}
		return callee + "()" + result + rest, true
	case graph.HintValue:
		return r.Hint.Type + rest, true
	default:
	}
	return "", false
}

// eval follows a path.
func (b *binder) eval(path string, near int32) value {
	if b.fuel--; b.fuel < 0 {
		return value{}
	}
	cur, rest := b.primary(path, near)
	for rest != "" && cur.kind != isUnknown {
		switch rest[0] {
		case '.':
			end := 1
			for end < len(rest) && !strings.ContainsRune(".([#{", rune(rest[end])) {
				end++
			}
			cur, rest = b.selectFrom(cur, rest[1:end]), rest[end:]
		case '(':
			end := matching(rest, 0)
			if end < 0 {
				return value{}
			}
			rest = rest[end+1:]
			n := 0
			if len(rest) > 1 && rest[0] == '#' {
				n, rest = int(rest[1]-'0'), rest[2:]
			}
			cur = b.called(cur, n)
		case '[':
			end := matching(rest, 0)
			if end < 0 {
				return value{}
			}
			cur, rest = b.indexed(cur, rest[1:end], near), rest[end+1:]
		case '{':
			end := matching(rest, 0)
			if end < 0 {
				return value{}
			}
			cur.args, cur.argNear, rest = splitTop(rest[1:end]), near, rest[end+1:]
		default:
			return value{}
		}
	}
	return cur
}

// primary reads the name or type that a path starts with.
func (b *binder) primary(path string, near int32) (value, string) {
	path = strings.TrimLeft(path, "*&")
	if path == "" {
		return value{}, ""
	}
	if path[0] == '(' {
		end := matching(path, 0)
		if end < 0 {
			return value{}, ""
		}
		return b.typeAt(path[1:end], near), path[end+1:]
	}
	if isTypeLiteral(path) {
		return b.typeAt(path, near), ""
	}
	end := 0
	for end < len(path) && isIdent(path[end:end+1]) {
		end++
	}
	name, rest := path[:end], path[end:]
	if im := b.importNamed(name); im != nil {
		dir, ok := b.importDir(im.Module)
		if !ok {
			return value{kind: isPackage, text: im.Module}, rest
		}
		return value{kind: isPackage, dir: dir}, rest
	}
	if i := b.localType(name, near); i != graph.NoDef {
		return value{kind: isValue, text: name, by: b, near: near}, rest
	}
	return b.valueOf(b.bareSyms(name), name), rest
}

// typeAt returns a type that stands in the binder's file, in the definition near.
func (b *binder) typeAt(text string, near int32) value {
	return value{kind: isValue, text: text, by: b, near: near, env: b.envAt(near)}
}

// isTypeLiteral reports whether a text starts like a type without a name.
func isTypeLiteral(t string) bool {
	for _, p := range [...]string{"[", "map[", "chan ", "chan<-", "<-chan", "func(", "struct{", "interface{"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

func (b *binder) bareSyms(name string) []sym {
	syms, _ := b.typeName("", name, graph.NoDef)
	return syms
}

// valueOf returns what definitions denote. Of variants under build constraints the
// first speaks for all.
func (b *binder) valueOf(syms []sym, name string) value {
	if len(syms) == 0 {
		if predeclared(name) {
			return value{kind: isExternal}
		}
		return value{}
	}
	if len(syms) > 1 {
		syms = b.variants(syms)
	}
	s := syms[0]
	d := s.d()
	switch {
	case isType(d.Kind):
		return value{kind: isValue, text: d.Name, by: b.at(s), near: s.def}
	case d.Kind == graph.KindFunction || d.Kind == graph.KindMethod:
		return value{kind: isFunc, sig: d.Signature, text: d.Type, by: b.at(s), near: s.def}
	}
	return b.typed(s, d.Type)
}

// typed returns a value of the type, or the path, that stands in a declaration.
func (b *binder) typed(s sym, text string) value {
	in := b.at(s)
	if in.fuel--; in.fuel < 0 || text == "" {
		return value{}
	}
	owner := s.d()
	if owner.Kind != graph.KindField && strings.Contains(text, "()") { // a path
		v := in.eval(text, s.def)
		v.steps++
		return v
	}
	if owner.Kind == graph.KindVariable || owner.Kind == graph.KindConstant {
		if owner.Signature == "var "+owner.Name && !isTypeLiteral(bareType(text)) { // no declared type: a path
			v := in.eval(text, s.def)
			v.steps++
			return v
		}
	}
	return value{kind: isValue, text: text, by: in, near: s.def, steps: 1}
}

// selectFrom follows ".name".
func (b *binder) selectFrom(v value, name string) value {
	switch v = v.bound(); v.kind {
	case isPackage:
		if v.text != "" {
			return b.stdFunc(v.text, name)
		}
		return b.valueOf(b.exportedIn(v.dir, name), "")
	case isExternal:
		return value{kind: isExternal, maybe: v.maybe}
	case isValue:
		m := b.member(v, name)
		switch {
		case m.field.kind != isUnknown:
			m.field.steps += v.steps + 1
			return m.field
		case m.external:
			return b.stdMember(m.outside, name)
		case len(m.syms) == 0:
			return value{}
		}
		out := b.valueOf(m.syms, "")
		out.steps += v.steps + 1
		if out.env == nil {
			out.env = b.memberEnv(m.of, m.syms[0])
		}
		return out
	default:
	}
	return value{}
}

// called follows "()": the n-th result of a function, or a conversion.
func (b *binder) called(v value, n int) value {
	switch v = v.bound(); v.kind {
	case isExternal:
		if len(v.args) > 0 && !v.maybe {
			if module, _, _ := cutLast(v.text); !ofStdlib(module) {
				for _, a := range v.args {
					v.maybe = v.maybe || a == "?" || a != "" && b.carries([]value{b.argument(a, v.argNear)})
				}
			}
		}
		return value{kind: isExternal, maybe: v.maybe}
	case isFunc:
		text := v.text
		if n > 0 || text == "" {
			res := results(v.sig)
			if n >= len(res) {
				return value{}
			}
			text = res[n]
		}
		return value{kind: isValue, text: text, by: v.by, near: v.near, steps: v.steps + 1, env: b.infer(v)}
	case isValue:
		u := b.underlying(v)
		if u.kind != isValue || !strings.HasPrefix(bareType(u.text), "func(") {
			return v // a conversion
		}
		res := results(bareType(u.text))
		if n >= len(res) {
			return value{}
		}
		u.text = res[n]
		u.steps++
		return u
	default:
	}
	return value{}
}

// indexed follows "[]": an element, or an instance of a generic name.
func (b *binder) indexed(v value, what string, near int32) value {
	switch v = v.bound(); v.kind {
	case isExternal:
		if what != "" && what != "#" {
			v.maybe = v.maybe || b.carries(b.typesAt(what, near))
		}
		return v
	case isFunc:
		v.inst = b.typesAt(what, near)
		return v
	case isValue:
		if what != "" && what != "#" && b.isGeneric(v) {
			v.inst = b.typesAt(what, near)
			return v
		}
		return b.element(v, what == "#")
	default:
	}
	return value{}
}

// typesAt returns the types of a list that stands in the binder's file.
func (b *binder) typesAt(list string, near int32) []value {
	return b.typeAt("", near).list(list)
}

// isGeneric reports whether v is the name of a generic type without arguments.
func (b *binder) isGeneric(v value) bool {
	s, ok := b.named(v)
	return ok && len(v.typeArgs()) == 0 && len(typeParamList(s.d().Signature)) > 0
}

// element returns an element of a container, or with first set what the first variable
// of a range over it holds.
func (b *binder) element(v value, first bool) value {
	n := 1
	if first {
		n = 0
	}
	if t, ok := yielded(v.text, n); ok {
		v = v.with(t)
		v.steps++
		return v.bound()
	}
	u := b.underlying(v)
	if u.kind != isValue {
		return u
	}
	elem, key, ok := elementType(u.text)
	switch {
	case ok && first:
		u = u.with(key)
	case ok:
		u = u.with(elem)
	case bareType(u.text) == "string" || first && predeclared(bareType(u.text)):
		return value{kind: isExternal}
	case first:
		return value{}
	default:
		return v
	}
	u.steps++
	return u.bound()
}

// underlying replaces a named type by what it is declared as, as far as that is a
// type without fields and methods of its own.
func (b *binder) underlying(v value) value {
	for range 8 {
		if v = v.bound(); v.kind != isValue || v.by == nil {
			return v
		}
		s, ok := v.by.named(v)
		if !ok || s.d().Kind != graph.KindType || s.d().Type == "" {
			return v
		}
		by := v.by.at(s)
		e := newEnv(typeParamList(s.d().Signature), v.typeArgs(), value{by: by, near: s.def})
		v = value{kind: isValue, text: s.d().Type, by: by, near: s.def, steps: v.steps + 1, env: e}
	}
	return v
}

// named finds the definition of the type that a value has.
func (b *binder) named(v value) (sym, bool) {
	if v = v.bound(); v.kind != isValue || v.by == nil {
		return sym{}, false
	}
	q, name, ok := splitName(v.text)
	if !ok {
		return sym{}, false
	}
	syms, _ := v.by.typeName(q, name, v.near)
	if len(syms) == 0 {
		return sym{}, false
	}
	if len(syms) > 1 {
		syms = b.variants(syms)
	}
	return syms[0], isType(syms[0].d().Kind)
}
