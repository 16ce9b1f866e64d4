package java

import (
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxPath     = 150
	maxArgument = 64
	maxNesting  = 24 // of expressions in a path
)

// pathOf returns the path of an expression, or "?". Where the arguments of its calls
// make it too long, they are left out.
func (x *extractor) pathOf(n sitter.Node) string {
	for _, brief := range [...]bool{false, true} {
		x.buf, x.brief = x.buf[:0], brief
		ok := x.path(n, 0)
		if ok && len(x.buf) <= maxPath {
			return string(x.buf)
		}
		if !ok && len(x.buf) <= maxPath {
			break
		}
	}
	return "?"
}

// withArgs appends to a qualifier what is known of the arguments of a call.
func (x *extractor) withArgs(q string, args sitter.Node) string {
	if args == sitter.None || x.t.First(args) == sitter.None {
		return q
	}
	x.buf, x.brief = append(x.buf[:0], q...), false
	x.buf = append(x.buf, '{')
	if !x.argumentPaths(args, 0) || len(x.buf) >= maxPath {
		return q
	}
	return string(append(x.buf, '}'))
}

// argumentPaths appends the paths of arguments and reports whether any is known.
func (x *extractor) argumentPaths(args sitter.Node, nesting int) (known bool) {
	first := true
	for a := range x.t.Children(args) {
		if k := x.t.Kind(a); k == kLineComment || k == kBlockComment {
			continue
		}
		if !first {
			x.buf = append(x.buf, ',')
		}
		first = false
		at := len(x.buf)
		if x.brief || len(x.buf) > maxPath || !x.argumentPath(a, nesting+1) || len(x.buf)-at > maxArgument {
			x.buf = append(x.buf[:at], '?')
			continue
		}
		known = true
	}
	return known
}

func (x *extractor) argumentPath(n sitter.Node, nesting int) bool {
	switch x.t.Kind(n) {
	case kLambda:
		x.buf = append(x.buf, "->"...)
		x.buf = strconv.AppendInt(x.buf, int64(x.lambdaParams(n)), 10)
		x.buf = append(x.buf, x.lambdaBody(n))
		return true
	case kMethodReference:
		x.buf = append(x.buf, "::"...)
		return true
	}
	return x.path(n, nesting)
}

func (x *extractor) lambdaParams(n sitter.Node) int {
	params := x.t.Child(n, fParameters)
	if params == sitter.None {
		return 0
	}
	if x.t.Kind(params) == kIdentifier {
		return 1
	}
	return int(x.count(params))
}

// lambdaBody tells how the body of a lambda returns; see the package comment.
func (x *extractor) lambdaBody(n sitter.Node) byte {
	body := x.t.Child(n, fBody)
	if body == sitter.None || x.t.Kind(body) != kBlock {
		return 'e'
	}
	for c := body + 1; c < x.t.After(body); c++ {
		switch x.t.Kind(c) {
		case kLambda, kClassBody:
			c = x.t.After(c) - 1
		case kReturn:
			if x.t.First(c) != sitter.None {
				return 'r'
			}
		default:
		}
	}
	return 'v'
}

// path appends the path of n to x.buf; ok is false where it has none.
func (x *extractor) path(n sitter.Node, nesting int) (ok bool) {
	if n == sitter.None || len(x.buf) > maxPath || nesting > maxNesting {
		return false
	}
	switch k := x.t.Kind(n); k {
	case kIdentifier:
		return x.namePath(x.b.Text(n))
	case kThis, kSuper:
		return x.selfPath(k)
	case kFieldAccess:
		return x.accessPath(n, nesting)
	case kCall:
		return x.callPath(n, nesting)
	case kCreation:
		return x.typePath(x.t.Child(n, fType), "")
	case kArrayCreation:
		return x.arrayPath(n)
	case kArrayAccess:
		if !x.path(x.t.Child(n, fArray), nesting+1) {
			return false
		}
		x.buf = append(x.buf, "[]"...)
		return true
	case kCast:
		return x.typePath(x.t.Child(n, fType), "")
	case kParen:
		return x.path(x.inner(n), nesting+1)
	case kTernary:
		return x.ternaryPath(n, nesting)
	case kAssign:
		return x.path(x.t.Child(n, fLeft), nesting+1)
	case kUpdate:
		return x.path(x.t.First(n), nesting+1)
	case kUnary:
		if x.b.Src[x.t.Start(n)] == '!' {
			return x.typed("boolean")
		}
		return x.path(x.t.Child(n, fOperand), nesting+1)
	case kBinary:
		return x.binaryPath(n, nesting)
	case kClassLiteral:
		return x.classPath(n)
	default:
		return x.literalPath(n, k)
	}
}

// selfPath appends this or super.
func (x *extractor) selfPath(k sitter.Kind) bool {
	switch {
	case k == kThis && x.anon != "":
		return x.typed(x.anon)
	case k == kThis:
		x.buf = append(x.buf, "this"...)
		return true
	case x.anon != "":
		return false
	}
	x.buf = append(x.buf, "super"...)
	return true
}

// inner returns what stands in parentheses, or None.
func (x *extractor) inner(n sitter.Node) sitter.Node {
	for c := range x.t.Children(n) {
		if k := x.t.Kind(c); k != kLineComment && k != kBlockComment {
			return c
		}
	}
	return sitter.None
}

// typed appends a type in parentheses.
func (x *extractor) typed(t string) bool {
	x.buf = append(append(append(x.buf, '('), t...), ')')
	return true
}

func (x *extractor) literalPath(n sitter.Node, k sitter.Kind) bool {
	switch k {
	case kString:
		return x.typed("String")
	case kChar:
		return x.typed("char")
	case kTrue, kFalse, kInstanceof:
		return x.typed("boolean")
	case kNull:
		return x.typed("null")
	case kInt, kHex, kOctal, kBinaryInt:
		if c := x.b.Src[x.t.End(n)-1]; c == 'L' || c == 'l' {
			return x.typed("long")
		}
		return x.typed("int")
	case kFloat, kHexFloat:
		if c := x.b.Src[x.t.End(n)-1]; c == 'f' || c == 'F' {
			return x.typed("float")
		}
		return x.typed("double")
	}
	return false
}

func (x *extractor) namePath(name string) bool {
	h := x.local(name)
	if h == nil {
		x.buf = append(x.buf, name...)
		return name != ""
	}
	switch h.Rule {
	case graph.HintDeclared:
		return x.typed(h.Type)
	case graph.HintValue:
		x.buf = append(x.buf, h.Type...)
		return true
	default:
	}
	return false
}

func (x *extractor) typePath(n sitter.Node, dims string) bool {
	t := x.typeText(n)
	return t != "" && x.typed(t+dims)
}

func (x *extractor) accessPath(n sitter.Node, nesting int) bool {
	object, field := x.t.Child(n, fObject), x.t.Child(n, fField)
	if object == sitter.None || field == sitter.None {
		return false
	}
	if x.t.Kind(field) == kThis {
		return x.typed(x.pathText(object))
	}
	if !x.path(object, nesting+1) {
		return false
	}
	x.buf = append(append(x.buf, '.'), x.b.Text(field)...)
	return true
}

func (x *extractor) callPath(n sitter.Node, nesting int) bool {
	id, args := x.t.Child(n, fName), x.t.Child(n, fArguments)
	object := x.t.Child(n, fObject)
	if super := x.t.ChildOfKind(n, kSuper); super != sitter.None {
		object = super
	}
	if id == sitter.None || args == sitter.None {
		return false
	}
	if object != sitter.None {
		if !x.path(object, nesting+1) {
			return false
		}
		x.buf = append(x.buf, '.')
	}
	x.buf = append(append(x.buf, x.b.Text(id)...), '(')
	x.argumentPaths(args, nesting)
	x.buf = append(x.buf, ')')
	return true
}

func (x *extractor) arrayPath(n sitter.Node) bool {
	dims := ""
	for c := range x.t.Children(n) {
		switch {
		case x.t.Field(c) != fDimensions:
		case x.t.Kind(c) == kDimensions:
			for i := x.t.Start(c); i < x.t.End(c); i++ {
				if x.b.Src[i] == '[' {
					dims += "[]"
				}
			}
		default:
			dims += "[]"
		}
	}
	return len(dims) < 32 && x.typePath(x.t.Child(n, fType), dims)
}

// ternaryPath takes the path of the branch that is not null.
func (x *extractor) ternaryPath(n sitter.Node, nesting int) bool {
	then, other := x.t.Child(n, fConsequence), x.t.Child(n, fAlternative)
	if then == sitter.None || other == sitter.None {
		return false
	}
	if x.t.Kind(then) == kNull {
		then = other
	}
	at := len(x.buf)
	if x.path(then, nesting+1) {
		return true
	}
	x.buf = x.buf[:at]
	return x.path(other, nesting+1)
}

// binaryPath is boolean for comparisons, String for a sum with one, and else the path of
// the operand whose type is the wider one, as far as the text says.
func (x *extractor) binaryPath(n sitter.Node, nesting int) bool {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return false
	}
	op := ""
	for i := x.t.End(left); i < x.t.Start(right); i++ {
		if c := x.b.Src[i]; c > ' ' && len(op) < 3 {
			op += string(c)
		}
	}
	switch op {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return x.typed("boolean")
	}
	at := len(x.buf)
	okRight := x.path(right, nesting+1)
	r := string(x.buf[at:])
	x.buf = x.buf[:at]
	if r == "(String)" && op == "+" {
		return x.typed("String")
	}
	okLeft := x.path(left, nesting+1)
	l := string(x.buf[at:])
	shift := op == "<<" || op == ">>" || op == ">>>"
	if !okLeft || okRight && !shift && (width(l) > 0 && width(r) > width(l) || width(l) > 0 && width(r) == 0) {
		x.buf = append(x.buf[:at], r...)
		return okRight && (okLeft || l == "" && op != "+")
	}
	if w := width(l); w > 0 && w < width("(int)") {
		x.buf = x.buf[:at]
		return x.typed("int")
	}
	return true
}

// width orders the primitive types by what they hold; other paths have none.
func width(p string) int {
	switch p {
	case "(byte)":
		return 1
	case "(short)", "(char)":
		return 2
	case "(int)":
		return 3
	case "(long)":
		return 4
	case "(float)":
		return 5
	case "(double)":
		return 6
	}
	return 0
}

func (x *extractor) classPath(n sitter.Node) bool {
	typ := x.t.First(n)
	if typ == sitter.None {
		return false
	}
	t := x.typeText(typ)
	return t != "" && x.typed("Class<"+t+">")
}

// wholeType returns the type where a path is one type in parentheses.
func wholeType(p string) (string, bool) {
	if p == "" || p[0] != '(' || p[len(p)-1] != ')' {
		return "", false
	}
	for i := 1; i < len(p)-1; i++ {
		if p[i] == '(' || p[i] == ')' {
			return "", false
		}
	}
	return p[1 : len(p)-1], true
}
