package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

type kind uint8

const (
	isUnknown   kind = iota
	isPrimitive      // name; also void
	isNull
	isClass    // sym
	isLibrary  // name: of a type outside the tree, as it is written, without its package
	isAnon     // name: Foo#1; sym is the definition around it
	isFunction // a lambda: name is what the path says of it; :: for a method reference
	isPackage  // name
)

// typ is a type, or a value of it.
type typ struct {
	kind   kind
	name   string
	outer  string // of a type of the library: the type around it
	sym    sym
	args   []typ
	dims   int
	static bool // the type itself, and no value of it
	guess  bool // not by declarations alone
	jdk    bool // of the library: it comes with the language
	any    bool // of a type parameter without a bound, or of a wildcard: it may be more than it says
}

// env says what the type parameters of a type or method stand for.
type env struct {
	of     sym
	params []string
	args   []typ
	next   *env
}

func (e *env) find(of sym, name string) (typ, bool) {
	for ; e != nil; e = e.next {
		if e.of.id != of.id || e.of.def != of.def {
			continue
		}
		for i, p := range e.params {
			if p == name && i < len(e.args) {
				return e.args[i], e.args[i].kind != isUnknown
			}
		}
	}
	return typ{}, false
}

// classType returns the type that a definition is, with its own parameters unbound.
func (b *binder) classType(s sym) typ { return typ{kind: isClass, sym: s} }

// envOf returns what the parameters of a type stand for in one of its instances.
func envOf(t typ) *env {
	if t.kind != isClass || len(t.args) == 0 {
		return nil
	}
	names := paramNames(typeParams(t.sym.d()))
	if len(names) != len(t.args) {
		return nil
	}
	return &env{of: t.sym, params: names, args: t.args}
}

// maxTypeDepth bounds the nesting of types in types that are read.
const maxTypeDepth = 5

// typeAt reads the text of a type.
func (b *binder) typeAt(text string, sc scope, e *env, depth int) typ {
	if text == "" || depth > maxTypeDepth || !b.step() {
		return typ{}
	}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		return typ{kind: isAnon, name: text, sym: sym{sc.f, sc.id, sc.def}}
	}
	base, args, dims := splitType(text)
	if base == "?" || base == "" {
		return typ{kind: isLibrary, name: "Object", dims: dims, any: true}
	}
	var t typ
	switch {
	case isPrimitiveName(base):
		t = typ{kind: isPrimitive, name: base}
	case base == "null":
		return typ{kind: isNull}
	case strings.IndexByte(base, '.') < 0:
		if p, ok := b.typeParam(base, sc, e, depth); ok {
			p.dims += dims
			return p
		}
		if t = b.simpleType(base, sc); t.kind == isUnknown && b.climbing == 0 && b.openAround(sc) {
			t = typ{kind: isLibrary, name: base} // a member of a type that is not in the tree
		}
	default:
		t = b.dottedType(base, sc)
	}
	if t.kind != isClass && t.kind != isLibrary {
		t.dims += dims
		return t
	}
	if len(args) > 0 {
		t.args = make([]typ, len(args))
		for i, a := range args {
			t.args[i] = b.typeAt(a, sc, e, depth+1)
		}
	}
	t.dims += dims
	return t
}

// typeParam finds a type parameter of the methods and types around a place: what it
// stands for, or else its bound.
func (b *binder) typeParam(name string, sc scope, e *env, depth int) (typ, bool) {
	for def := sc.def; def >= 0 && int(def) < len(sc.f.Defs); def = sc.f.Defs[def].Container {
		d := &sc.f.Defs[def]
		if d.Kind != graph.KindMethod && !isTypeKind(d.Kind) {
			continue
		}
		for _, p := range typeParams(d) {
			if p.name != name {
				continue
			}
			if t, ok := e.find(sym{sc.f, sc.id, def}, name); ok {
				return t, true
			}
			if p.bound == "" || depth > 2 {
				return typ{kind: isLibrary, name: "Object", any: true}, true
			}
			return b.bound(p.bound, scope{f: sc.f, id: sc.id, def: def}, e, depth+2), true
		}
	}
	return typ{}, false
}

// bound reads the bound of a type parameter: of several types the first that stands in
// the tree.
func (b *binder) bound(text string, sc scope, e *env, depth int) typ {
	var out typ
	for i := 0; ; i++ {
		one, rest := text, ""
		if at := topIndex(text, "&"); at >= 0 {
			one, rest = text[:at], text[at+1:]
		}
		t := b.typeAt(one, sc, e, depth)
		if i == 0 || t.kind == isClass {
			out = t
		}
		if text = rest; text == "" || out.kind == isClass {
			break
		}
	}
	out.any = true
	return out
}

// splitType takes a type apart: its name without arguments, the arguments of its last
// part, and its dimensions. Of several bounds or alternatives the first counts, and of
// a wildcard its bound.
func splitType(t string) (base string, args []string, dims int) {
	t = strings.TrimSpace(t)
	if rest, ok := strings.CutPrefix(t, "?"); ok {
		rest = strings.TrimSpace(rest)
		if bound, ok := strings.CutPrefix(rest, "extends "); ok {
			return splitType(bound)
		}
		if bound, ok := strings.CutPrefix(rest, "super "); ok {
			return splitType(bound)
		}
		return "?", nil, 0
	}
	if i := topIndex(t, "&|"); i >= 0 {
		t = strings.TrimSpace(t[:i])
	}
	for {
		switch {
		case strings.HasSuffix(t, "[]"):
			t, dims = strings.TrimSpace(t[:len(t)-2]), dims+1
			continue
		case strings.HasSuffix(t, "..."):
			t, dims = strings.TrimSpace(t[:len(t)-3]), dims+1
			continue
		}
		break
	}
	open := strings.IndexByte(t, '<')
	if open < 0 {
		return t, nil, dims
	}
	out := make([]byte, 0, len(t))
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == '<':
			end := closing(t, i)
			if end < 0 {
				return string(out), nil, dims
			}
			args = splitTop(t[i+1 : end])
			i = end
		case t[i] == '.':
			args = nil
			out = append(out, '.')
		case t[i] != ' ':
			out = append(out, t[i])
		}
	}
	return string(out), args, dims
}

// closing returns the index of the bracket that closes the one at i, or -1.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(', '<', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '>':
			if i > 0 && s[i-1] == '-' { // of a lambda
				continue
			}
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// topIndex returns the index of the first of some bytes outside brackets, or -1.
func topIndex(s, any string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '<', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' {
				depth--
			}
		default:
			if depth == 0 && strings.IndexByte(any, c) >= 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits at the commas outside brackets.
func splitTop(s string) []string {
	var out []string
	for {
		i := topIndex(s, ",")
		if i < 0 {
			break
		}
		out = append(out, strings.TrimSpace(s[:i]))
		s = s[i+1:]
	}
	if s = strings.TrimSpace(s); s != "" || len(out) > 0 {
		out = append(out, s)
	}
	return out
}

func isPrimitiveName(s string) bool {
	switch s {
	case "int", "long", "boolean", "char", "byte", "short", "double", "float", "void":
		return true
	}
	return false
}
