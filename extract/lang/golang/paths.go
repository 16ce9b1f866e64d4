package golang

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

const maxPath = 160

// qualifier returns the path of an expression with local names as they are; what
// has no path ends it at the front: "?".
func (x *extractor) qualifier(n sitter.Node) string {
	x.buf = x.buf[:0]
	if !x.path(n, false) || len(x.buf) > maxPath {
		return "?"
	}
	return string(x.buf)
}

// path appends the path of n to x.buf. With global set, local names are replaced by
// the path of what they hold; ok is false when that is not known.
func (x *extractor) path(n sitter.Node, global bool) (ok bool) {
	if n == sitter.None || len(x.buf) > maxPath {
		return false
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		return x.namePath(x.b.Text(n), global)
	case kSelector:
		field := x.t.Child(n, fField)
		if field == sitter.None || !x.path(x.t.Child(n, fOperand), global) {
			return false
		}
		x.buf = append(x.buf, '.')
		x.buf = append(x.buf, x.b.Text(field)...)
		return true
	case kCall:
		return x.callPath(n, global)
	case kIndex, kInstantiation:
		if !x.path(x.t.First(n), global) {
			return false
		}
		x.buf = append(x.buf, "[]"...)
		return true
	case kParen, kSlice:
		return x.path(x.t.First(n), global)
	case kUnary:
		switch x.b.Src[x.t.Start(n)] {
		case '&', '*':
			return x.path(x.t.First(n), global)
		case '<':
			if !x.path(x.t.First(n), global) {
				return false
			}
			x.buf = append(x.buf, "[]"...)
			return true
		}
		return false
	case kAssertion, kComposite:
		return x.typePath(x.t.Child(n, fType))
	case kConversion:
		return x.conversionPath(n)
	case kFuncLit:
		if body := x.t.Child(n, fBody); body != sitter.None {
			text := x.marked(n, x.t.Start(n), x.t.Start(body))
			x.buf = append(append(append(x.buf, '('), text...), ')')
			return true
		}
	case kString, kRawString:
		x.buf = append(x.buf, "(string)"...)
		return true
	default:
	}
	return false
}

func (x *extractor) namePath(name string, global bool) bool {
	if global {
		if l := x.scopes.Lookup(name); l != nil {
			return x.appendHint(l.Hint)
		}
	}
	x.buf = append(x.buf, name...)
	return true
}

// appendHint writes the path of what a local holds.
func (x *extractor) appendHint(h graph.Hint) bool {
	switch h.Rule {
	case graph.HintSelf, graph.HintDeclared, graph.HintLiteral, graph.HintElement:
		x.buf = append(x.buf, '(')
		x.buf = append(x.buf, h.Type...)
		x.buf = append(x.buf, ')')
		if h.Rule == graph.HintElement {
			x.buf = append(x.buf, "[]"...)
		}
	case graph.HintAssigned:
		callee, result := splitResult(h.Type)
		x.buf = append(append(append(x.buf, callee...), "()"...), result...)
	case graph.HintValue:
		x.buf = append(x.buf, h.Type...)
	default:
		return false
	}
	return true
}

func (x *extractor) typePath(n sitter.Node) bool {
	if n == sitter.None {
		return false
	}
	h := x.declaredHint(n)
	return h.Rule != graph.HintLocal && x.appendHint(h)
}

func (x *extractor) callPath(n sitter.Node, global bool) bool {
	fn := x.t.Child(n, fFunction)
	if fn == sitter.None {
		return false
	}
	switch x.t.Kind(fn) {
	case kIdentifier:
		name := x.b.Text(fn)
		if x.redefined[name] || x.scopes.Lookup(name) != nil {
			name = ""
		}
		switch name {
		case "new", "make":
			args := x.t.Child(n, fArguments)
			if args == sitter.None || x.t.First(args) == sitter.None {
				return false
			}
			first := x.t.First(args)
			if x.t.Kind(first) == kIdentifier { // the type came out as an expression
				x.buf = append(append(append(x.buf, '('), x.b.Text(first)...), ')')
				return true
			}
			return x.typePath(first)
		case "append":
			if args := x.t.Child(n, fArguments); args != sitter.None {
				return x.path(x.t.First(args), global)
			}
			return false
		case "len", "cap", "copy":
			x.buf = append(x.buf, "(int)"...)
			return true
		}
	case kParen:
		if in := x.t.First(fn); in != sitter.None && x.t.Kind(in) == kUnary && x.b.Src[x.t.Start(in)] == '*' {
			if id := x.firstName(in); id != sitter.None && x.scopes.Lookup(x.b.Text(id)) == nil { // (*T)(v)
				x.buf = append(append(append(x.buf, '('), x.b.Qualifier(x.t.Start(in), x.t.End(in))...), ')')
				return true
			}
		}
	default:
	}
	if !x.instance(fn, global) {
		return false
	}
	if types := x.t.Child(n, fTypeArguments); types != sitter.None {
		x.typeArguments(fn, types)
	}
	x.arguments(n, fn)
	x.buf = append(x.buf, "()"...)
	return true
}

// conversionPath reads "[]T(v)" as the type and "F[int](v)" as a call.
func (x *extractor) conversionPath(n sitter.Node) bool {
	typ := x.t.Child(n, fType)
	if typ == sitter.None {
		return false
	}
	if x.t.Kind(typ) == kGenericType {
		if name := x.t.First(typ); name != sitter.None {
			x.buf = append(x.buf, x.b.Text(name)...)
			x.typeArguments(name, typ)
			x.buf = append(x.buf, "()"...)
			return true
		}
		return false
	}
	return x.typePath(typ)
}

// hintOf returns the hint for the i-th of the names that take the values in the
// expression list.
func (x *extractor) hintOf(list sitter.Node, i int) graph.Hint {
	if list == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	first := list
	if x.t.Kind(list) == kExprList {
		first = x.t.First(list)
	}
	if first == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	e, k := first, 0
	for ; k < i && e != sitter.None; k++ {
		e = x.t.Next(e)
	}
	if first != list && x.t.Next(first) != sitter.None {
		if e == sitter.None {
			return graph.Hint{Rule: graph.HintLocal}
		}
		return x.hint(e)
	}
	if i == 0 {
		return x.hint(first)
	}
	h := x.hint(first) // one expression with several values
	if h.Rule == graph.HintAssigned && i < 10 {
		h.Type += "#" + strconv.Itoa(i)
		return h
	}
	return graph.Hint{Rule: graph.HintLiteral, Type: "bool"} // v, ok
}

// hint returns what is known of a local that takes the value of e.
func (x *extractor) hint(e sitter.Node) graph.Hint {
	unknown := graph.Hint{Rule: graph.HintLocal}
	switch x.t.Kind(e) {
	case kIdentifier:
		if l := x.scopes.Lookup(x.b.Text(e)); l != nil {
			return l.Hint
		}
	case kString, kRawString:
		return graph.Hint{Rule: graph.HintLiteral, Type: "string"}
	case kInt:
		return graph.Hint{Rule: graph.HintLiteral, Type: "int"}
	case kFloat:
		return graph.Hint{Rule: graph.HintLiteral, Type: "float64"}
	case kRune:
		return graph.Hint{Rule: graph.HintLiteral, Type: "rune"}
	default:
	}
	x.buf = x.buf[:0]
	if !x.path(e, true) || len(x.buf) > maxPath {
		return unknown
	}
	p := string(x.buf)
	if t, ok := wholeType(p); ok {
		return graph.Hint{Rule: graph.HintDeclared, Type: t}
	}
	if callee, ok := strings.CutSuffix(p, "()"); ok {
		return graph.Hint{Rule: graph.HintAssigned, Type: callee}
	}
	return graph.Hint{Rule: graph.HintValue, Type: p}
}

// splitResult takes "f#1" apart into "f" and "#1"; the second part is "" for a callee
// whose first result is meant.
func splitResult(callee string) (fn, result string) {
	if n := len(callee); n > 2 && callee[n-2] == '#' && callee[n-1] >= '0' && callee[n-1] <= '9' {
		return callee[:n-2], callee[n-2:]
	}
	return callee, ""
}

// wholeType returns the type when a path is one type in parentheses.
func wholeType(p string) (string, bool) {
	if p == "" || p[0] != '(' || p[len(p)-1] != ')' {
		return "", false
	}
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(p)-1 {
				return "", false
			}
		}
	}
	return p[1 : len(p)-1], len(p) > 2
}

// rangeHints returns what the two variables of a range over e hold.
func (x *extractor) rangeHints(e sitter.Node) (key, elem graph.Hint) {
	unknown := graph.Hint{Rule: graph.HintLocal}
	x.buf = x.buf[:0]
	if !x.path(e, true) || len(x.buf)+len("[#]") > maxPath {
		return unknown, unknown
	}
	p := string(x.buf)
	key = graph.Hint{Rule: graph.HintValue, Type: p + "[#]"}
	if t, ok := wholeType(p); ok {
		return key, graph.Hint{Rule: graph.HintElement, Type: t}
	}
	return key, graph.Hint{Rule: graph.HintValue, Type: p + "[]"}
}
