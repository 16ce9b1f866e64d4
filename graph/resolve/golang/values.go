package golang

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

type valueKind uint8

const (
	isUnknown  valueKind = iota
	isExternal           // of the language, or outside the tree
	isPackage            // dir
	isFunc               // fn
	isValue              // text: a type, or a value of it
)

// value is what a path denotes. The text of a type means something only in the file
// that it was written in: by.
type value struct {
	kind  valueKind
	dir   graph.Path
	fn    sym
	text  string
	by    *binder
	near  int32 // definition around the text, for types of function bodies
	steps int   // declarations gone through
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
	for rest != "" && cur.kind != isUnknown && cur.kind != isExternal {
		switch rest[0] {
		case '.':
			end := 1
			for end < len(rest) && !strings.ContainsRune(".([#", rune(rest[end])) {
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
			cur, rest = b.indexed(cur, rest[1:end]), rest[end+1:]
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
		return value{kind: isValue, text: path[1:end], by: b, near: near}, path[end+1:]
	}
	if isTypeLiteral(path) {
		return value{kind: isValue, text: path, by: b, near: near}, ""
	}
	end := 0
	for end < len(path) && isIdent(path[end:end+1]) {
		end++
	}
	name, rest := path[:end], path[end:]
	if im := b.importNamed(name); im != nil {
		dir, ok := b.importDir(im.Module)
		if !ok {
			return value{kind: isExternal}, ""
		}
		return value{kind: isPackage, dir: dir}, rest
	}
	if i := b.localType(name, near); i != graph.NoDef {
		return value{kind: isValue, text: name, by: b, near: near}, rest
	}
	return b.valueOf(b.bareSyms(name), name), rest
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
		return value{kind: isFunc, fn: s, by: b.at(s)}
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
	if b.isTypeParam(s, text) {
		return value{}
	}
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

// isTypeParam reports whether a type is a type parameter of the declaration s or of
// what contains it.
func (b *binder) isTypeParam(s sym, text string) bool {
	name := bareType(text)
	if !isIdent(name) {
		return false
	}
	for at := s.def; at != graph.NoDef; at = s.f.Defs[at].Container {
		if slices.Contains(typeParams(s.f.Defs[at].Signature), name) {
			return true
		}
	}
	return false
}

// selectFrom follows ".name".
func (b *binder) selectFrom(v value, name string) value {
	switch v.kind {
	case isPackage:
		return b.valueOf(b.exportedIn(v.dir, name), "")
	case isValue:
		m := b.member(v, name)
		if m.external {
			return value{kind: isExternal}
		}
		if len(m.syms) == 0 {
			return value{}
		}
		out := b.valueOf(m.syms, "")
		out.steps += v.steps + 1
		return out
	default:
	}
	return value{}
}

// called follows "()": the n-th result of a function, or a conversion.
func (b *binder) called(v value, n int) value {
	switch v.kind {
	case isFunc:
		d := v.fn.d()
		text := d.Type
		if n > 0 {
			res := results(d.Signature)
			if n >= len(res) {
				return value{}
			}
			text = res[n]
		}
		if text == "" || b.isTypeParam(v.fn, text) {
			return value{}
		}
		return value{kind: isValue, text: text, by: v.by, near: v.fn.def, steps: v.steps + 1}
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
func (b *binder) indexed(v value, what string) value {
	switch v.kind {
	case isFunc:
		return v
	case isValue:
		if what == "#" {
			if key, ok := yielded(v.text); ok {
				v.text = key
				v.steps++
				return v
			}
		}
		u := b.underlying(v)
		if u.kind != isValue {
			return u
		}
		elem, key, ok := elementType(u.text)
		if !ok {
			if bareType(u.text) == "string" || what == "#" && predeclared(bareType(u.text)) {
				return value{kind: isExternal}
			}
			if what == "#" {
				return value{}
			}
			return v
		}
		u.text = elem
		if what == "#" {
			u.text = key
		}
		u.steps++
		return u
	default:
	}
	return value{}
}

// underlying replaces a named type by what it is declared as, as far as that is a
// type without fields and methods of its own.
func (b *binder) underlying(v value) value {
	for range 8 {
		s, ok := v.by.named(v)
		if !ok || s.d().Kind != graph.KindType || s.d().Type == "" {
			return v
		}
		v = value{kind: isValue, text: s.d().Type, by: v.by.at(s), near: s.def, steps: v.steps + 1}
	}
	return v
}

// named finds the definition of the type that a value has.
func (b *binder) named(v value) (sym, bool) {
	if v.kind != isValue || v.by == nil {
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
