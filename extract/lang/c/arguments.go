package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxArgument   = 60  // bytes of what is said of one argument
	maxArguments  = 158 // of a qualifier with its arguments
	maxInArgument = 6
)

// arguments appends to the reference of a call, which was read last, what is known of
// the object and of the arguments: C++ chooses by them among functions of one name.
// before counts the references that stood there before the callee was read.
func (x *extractor) arguments(before int, fn, args sitter.Node) {
	n := len(x.b.Facts.Refs)
	if !x.n.cpp || n == before {
		return
	}
	r := &x.b.Facts.Refs[n-1]
	if r.Use != graph.UseCall || r.Args < 0 || x.t.Kind(fn) == kFieldExpr && r.Span.Start < x.t.Start(x.t.Child(fn, fField)) {
		return
	}
	object := x.constness(fn)
	list, known := x.argumentList(args)
	if object == "" && !known {
		return
	}
	if q := r.Qualifier + "{" + object + list + "}"; len(q) <= maxArguments {
		r.Qualifier = q
	}
}

// constness says of the object of a member call whether it is const: "c:" or "m:".
func (x *extractor) constness(fn sitter.Node) string {
	if x.t.Kind(fn) != kFieldExpr {
		return ""
	}
	obj := x.t.Child(fn, fArgument)
	if obj == sitter.None {
		return ""
	}
	full := ""
	switch x.t.Kind(obj) {
	case kIdentifier:
		if l := x.scopes.Lookup(x.b.Text(obj)); l != nil {
			full = l.Full
		}
	case kThis:
		full = x.thisType()
	}
	switch {
	case full == "" || strings.HasSuffix(full, "**") || strings.Contains(full, "<"): // a smart pointer says nothing of what it points to
		return ""
	case strings.HasPrefix(full, "const "):
		return "c:"
	}
	return "m:"
}

func (x *extractor) thisType() string {
	if x.self == "" {
		return ""
	}
	if x.constant {
		return "const " + x.self + "*"
	}
	return x.self + "*"
}

func (x *extractor) argumentList(args sitter.Node) (list string, known bool) {
	if args == sitter.None {
		return "", false
	}
	var b strings.Builder
	first := true
	for a := range x.t.Children(args) {
		if x.t.Kind(a) == kComment {
			continue
		}
		if !first {
			b.WriteByte(';')
		}
		first = false
		p := x.argument(a, 0)
		if len(p) > maxArgument || strings.ContainsAny(p, ";{}") {
			p = "?"
		}
		known = known || p != "?"
		b.WriteString(p)
	}
	return b.String(), known
}

// argument writes a value: "(T)" of a type with its pointers, "&p" or "*p" of a path,
// or a path that names no locals.
func (x *extractor) argument(n sitter.Node, depth int) string {
	if n == sitter.None || depth > maxInArgument {
		return "?"
	}
	switch x.t.Kind(n) {
	case kNumber:
		return "(" + numberType(x.b.Text(n)) + ")"
	case kChar:
		return literalType(x.b.Text(n), "char")
	case kString, kConcatenated:
		return literalType(x.b.Text(n), "const char*")
	case kTrue, kFalse, kNot:
		return x.logical(n, depth)
	case kNull:
		return "(nullptr)"
	case kSizeof:
		return "(unsigned long)"
	case kThis:
		if t := x.thisType(); t != "" {
			return "(" + t + ")"
		}
	case kIdentifier:
		return x.namedArgument(n)
	case kParen:
		return x.argument(x.lastChild(n), depth+1)
	case kCast, kCompoundLiteral, kNew:
		return x.madeArgument(n)
	case kPointerExpr:
		return x.pointed(n, depth)
	case kBinary:
		return x.binary(n, depth)
	case kConditional:
		return x.either(n, depth)
	case kCall, kFieldExpr, kQualified:
		return x.reached(n, depth)
	}
	return "?"
}

// literalType tells plain literals from those with a prefix.
func literalType(text, plain string) string {
	if text == "" || text[0] == '"' || text[0] == '\'' {
		return "(" + plain + ")"
	}
	return "?"
}

// numberType is the type of a number. Zero is told, for it is a pointer too.
func numberType(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, "'", ""))
	hex := strings.HasPrefix(s, "0x")
	if !hex && strings.ContainsAny(s, ".e") || hex && strings.Contains(s, "p") {
		switch {
		case strings.HasSuffix(s, "f"):
			return "float"
		case strings.HasSuffix(s, "l"):
			return "long double"
		}
		return "double"
	}
	digits := strings.TrimRight(s, "ul")
	suffix := s[len(digits):]
	longs := strings.Count(suffix, "l")
	typ := [...]string{"int", "long", "long long"}[min(longs, 2)]
	if longs == 0 && (!hex && len(digits) > 9 || hex && len(digits) > 10) {
		typ = "long"
	}
	switch {
	case strings.Contains(suffix, "u"):
		return "unsigned " + typ
	case digits == "0" && suffix == "":
		return "0"
	}
	return typ
}

// logical is what "true" and "!x" are; other operators before an operand keep it.
func (x *extractor) logical(n sitter.Node, depth int) string {
	if x.t.Kind(n) != kNot {
		return "(bool)"
	}
	in := x.t.Child(n, fArgument)
	if in == sitter.None {
		return "?"
	}
	text := x.b.Text(n)
	if text == "" { // the parser put it there
		return "?"
	}
	switch text[0] {
	case '!':
		return "(bool)"
	case '-', '+', '~':
		if p := x.argument(in, depth+1); p != "(0)" && arithmetic(p) {
			return promoted(p)
		}
		return "(int)"
	}
	return "?"
}

// arithmetic reports whether a path is of a number's type that has a word.
func arithmetic(p string) bool {
	switch strings.TrimPrefix(strings.Trim(p, "()&"), "const ") {
	case "0", "int", "long", "long long", "unsigned int", "unsigned", "unsigned long", "unsigned long long", "char", "short", "bool", "float", "double":
		return strings.HasPrefix(p, "(")
	}
	return false
}

func promoted(p string) string {
	switch t := strings.TrimPrefix(strings.Trim(p, "()&"), "const "); t {
	case "0", "char", "short", "bool":
		return "(int)"
	default:
		return "(" + t + ")"
	}
}

func (x *extractor) binary(n sitter.Node, depth int) string {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return "?"
	}
	op := strings.TrimSpace(x.b.Slice(x.t.End(left), x.t.Start(right)))
	switch op {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "(bool)"
	case "+", "-", "*", "/", "%", "&", "|", "^":
		p, q := x.argument(left, depth+1), x.argument(right, depth+1)
		if !arithmetic(p) || !arithmetic(q) {
			return "?"
		}
		p, q = promoted(p), promoted(q)
		switch {
		case p == q:
			return p
		case p == "(double)" || q == "(double)":
			return "(double)"
		case p == "(int)":
			return q
		case q == "(int)":
			return p
		}
	}
	return "?"
}

// either is a choice of two values of one type.
func (x *extractor) either(n sitter.Node, depth int) string {
	var last []string
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kComment {
			last = append(last, x.argument(c, depth+1))
		}
	}
	if k := len(last); k == 3 && last[1] == last[2] {
		return last[1]
	}
	return "?"
}

// pointed writes "&x" and "*x".
func (x *extractor) pointed(n sitter.Node, depth int) string {
	in := x.argument(x.t.Child(n, fArgument), depth+1)
	if in == "?" {
		return in
	}
	star := strings.HasPrefix(x.b.Text(n), "*")
	if !strings.HasPrefix(in, "(") || !strings.HasSuffix(in, ")") || strings.Count(in, "(") != 1 {
		if star {
			return "*" + in
		}
		return "&" + in
	}
	t := strings.TrimRight(in[1:len(in)-1], "&")
	switch {
	case !star:
		return "(" + t + "*)"
	case strings.HasSuffix(t, "*"):
		return "(" + t[:len(t)-1] + "&)"
	}
	return "?" // an operator of a class
}

// namedArgument writes a name: a local by its type, another as it is.
func (x *extractor) namedArgument(id sitter.Node) string {
	name := x.b.Text(id)
	l := x.scopes.Lookup(name)
	switch {
	case l == nil && name == "NULL":
		return "(nullptr)"
	case l == nil:
		return name
	case l.Full != "":
		return "(" + strings.TrimRight(l.Full, "&") + "&)"
	case l.Hint.Rule == graph.HintAssigned:
		return l.Hint.Type + "()"
	case l.Hint.Rule == graph.HintValue:
		return l.Hint.Type
	}
	return "?"
}

// madeArgument writes what a cast makes, braces behind a type, and new.
func (x *extractor) madeArgument(n sitter.Node) string {
	typ := x.t.Child(n, fType)
	if typ == sitter.None {
		return "?"
	}
	t := plainType(x.b.Text(typ))
	if x.t.Kind(n) == kNew {
		t += "*"
	}
	if t == "auto" || strings.ContainsAny(t, "()") {
		return "?"
	}
	return "(" + t + ")"
}

// reached writes what calls, members and qualified names lead to.
func (x *extractor) reached(n sitter.Node, depth int) string {
	if x.t.Kind(n) == kCall {
		if fn := x.t.Child(n, fFunction); fn != sitter.None {
			text := plainType(x.b.Text(fn))
			for _, cast := range [...]string{"static_cast<", "reinterpret_cast<", "const_cast<", "dynamic_cast<"} {
				if t, ok := strings.CutPrefix(text, cast); ok && strings.HasSuffix(t, ">") {
					return "(" + strings.TrimSuffix(t, ">") + ")"
				}
			}
			if text == "std::move" || text == "move" || strings.HasPrefix(text, "std::forward<") {
				if list := x.t.Child(n, fArguments); list != sitter.None {
					in := x.argument(x.lastChild(list), depth+1)
					return strings.Replace(in, "&)", ")", 1)
				}
			}
			if x.t.Kind(fn) == kPrimitiveType {
				return "(" + text + ")"
			}
		}
	}
	p := x.path(n)
	if p == "?" || p == "" {
		return "?"
	}
	h := x.through(graph.Hint{Rule: graph.HintValue, Type: p}, n)
	if h.Rule != graph.HintValue {
		return "?"
	}
	return h.Type
}

// fullType writes the type of a declared name with what points to it: "const char*".
// n is the declaration, at its declarator.
func (x *extractor) fullType(n, typ, at sitter.Node) string {
	t := x.typeText(typ)
	if !x.n.cpp || t == "" || t == "auto" {
		return ""
	}
	marks := ""
	for range maxDeclarator {
		if at == sitter.None {
			break
		}
		next := x.t.Child(at, fDeclarator)
		switch x.t.Kind(at) {
		case kPointerDecl, kArrayDecl:
			marks += "*"
		case kReferenceDecl:
			marks += "&"
			next = x.lastChild(at)
		case kFunctionDecl:
			return ""
		case kParenDecl, kAttributedDecl, kVariadicDecl:
			next = x.lastChild(at)
		}
		at = next
	}
	if marks = strings.ReplaceAll(marks, "&&", "&"); len(t)+len(marks) > maxArgument {
		return ""
	}
	for c := range x.t.Children(n) {
		if x.t.Kind(c) == kTypeQualifier && x.t.Is(c, "const") {
			return "const " + t + marks
		}
		if x.t.Field(c) == fDeclarator {
			break
		}
	}
	return t + marks
}

// constMethod reports whether a method says that it leaves its object as it is.
func (x *extractor) constMethod(n sitter.Node) bool {
	for range maxDeclarator {
		if n == sitter.None {
			return false
		}
		if x.t.Kind(n) == kFunctionDecl {
			for c := range x.t.Children(n) {
				if x.t.Kind(c) == kTypeQualifier && x.t.Is(c, "const") {
					return true
				}
			}
			return false
		}
		next := x.t.Child(n, fDeclarator)
		if k := x.t.Kind(n); k == kReferenceDecl || k == kParenDecl {
			next = x.lastChild(n)
		}
		n = next
	}
	return false
}
