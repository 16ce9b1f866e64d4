package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// maxType bounds a type text: a longer chain is not followed anyway.
const maxType = 240

// typeRefs adds the references of an annotation. A string in it is an annotation
// that is read later.
func (x *extractor) typeRefs(n sitter.Node) {
	t := x.t
	switch t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseType, -1)
	case kAttribute:
		x.attribute(n, graph.UseType, -1)
	case kString:
		x.quotedType(n)
	case kMemberType:
		x.visitTypeParts(n)
	case kCall, kLambda:
		x.visit(n)
	case kSubscript:
		if v := t.Child(n, fValue); v != sitter.None && t.Is(v, "Literal") {
			x.typeRefs(v)
			return
		}
		x.visitTypeParts(n)
	case kGenericType:
		if v := t.First(n); v != sitter.None && t.Is(v, "Literal") {
			x.typeRefs(v)
			return
		}
		x.visitTypeParts(n)
	default:
		x.visitTypeParts(n)
	}
}

func (x *extractor) visitTypeParts(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.typeRefs(c)
	}
}

// quotedType finds the names in "Foo" and "pkg.Foo[Bar]".
func (x *extractor) quotedType(n sitter.Node) {
	content := x.content(n)
	if content == sitter.None {
		return
	}
	text, base := x.b.Text(content), x.t.Start(content)
	if strings.ContainsAny(text, "\\ \n") && !strings.Contains(text, "|") {
		return
	}
	qualifier := ""
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (isIdentifier(text[i:j+1]) || text[j] >= 0x80) {
			j++
		}
		if j == i {
			if text[i] != '.' {
				qualifier = ""
			}
			i++
			continue
		}
		name := text[i:j]
		var h graph.Hint
		if qualifier != "" {
			h = x.nameHint(qualifier)
		}
		if qualifier != "" || name != "None" && !x.scope.isLocal(name) {
			x.b.AddRef(graph.Ref{
				Name: name, Qualifier: qualifier, Use: graph.UseType, Hint: h,
				Span: x.b.SpanBetween(base+uint32(i), base+uint32(j)),
			})
		}
		if qualifier != "" {
			name = qualifier + "." + name
		}
		qualifier, i = cut(name), j
	}
}

// annotation returns the text of a type node on one line, without the quotes of a
// type that is read later.
func (x *extractor) annotation(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	s := strings.Join(strings.Fields(x.b.Text(n)), " ")
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		s = s[1 : len(s)-1]
	}
	if len(s) > maxType {
		return ""
	}
	return s
}

// declared makes a hint of an annotation: the one type that it allows besides
// None.
func declared(typ string) graph.Hint {
	typ = unwrap(typ)
	if typ == "" {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return graph.Hint{Rule: graph.HintDeclared, Type: typ}
}

// unwrap takes Optional[X], X | None, Annotated[X, …], ClassVar[X] and "X" apart.
func unwrap(typ string) string {
	for range 4 {
		typ = strings.Trim(strings.TrimSpace(typ), `"'`)
		if rest, ok := strings.CutSuffix(typ, "| None"); ok {
			typ = rest
			continue
		}
		if rest, ok := strings.CutPrefix(typ, "None |"); ok {
			typ = rest
			continue
		}
		open := strings.IndexByte(typ, '[')
		if open < 0 || !strings.HasSuffix(typ, "]") {
			return typ
		}
		head, inner := typ[:open], typ[open+1:len(typ)-1]
		switch head[strings.LastIndexByte(head, '.')+1:] {
		case "Optional", "ClassVar", "Final", "Required", "NotRequired":
			typ = inner
		case "Annotated":
			typ, _, _ = strings.Cut(inner, ",")
		case "Union":
			one := strings.TrimSuffix(strings.ReplaceAll(inner, " ", ""), ",None")
			if strings.Contains(one, ",") {
				return typ
			}
			typ = one
		default:
			return typ
		}
	}
	return typ
}

// expression renders what an expression evaluates to as a type text without its
// leading "=": locals are replaced by what they hold. "" is unknown.
func (x *extractor) expression(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	s := x.express(n)
	if len(s) > maxType {
		return ""
	}
	return s
}

func (x *extractor) express(n sitter.Node) string {
	t := x.t
	switch t.Kind(n) {
	case kIdentifier:
		name := x.b.Text(n)
		if b := x.scope.holds(name); b != nil {
			return fromHint(b.heldIn(x.scope))
		}
		return name
	case kAttribute:
		o, a := x.expression(t.Child(n, fObject)), t.Child(n, fAttribute)
		if o == "" || a == sitter.None {
			return ""
		}
		return suffix(o, "."+x.b.Text(a))
	case kCall:
		return x.expressCall(n)
	case kSubscript:
		return suffix(x.expression(t.Child(n, fValue)), x.indexText(n))
	case kParenthesized, kAwait:
		for c := range t.Children(n) {
			if t.Kind(c) != kComment {
				return x.expression(c)
			}
		}
	case kConditional, kBooleanOperator:
		return x.oneOf(n)
	case kNamedExpression:
		return x.expression(t.Child(n, fValue))
	case kBinaryOperator:
		switch l := x.expression(t.Child(n, fLeft)); l {
		case "str()", "int()", "float()", "list()", "bytes()":
			return l
		default:
			return ""
		}
	default:
	}
	return suffix(literalType(t, n), "()")
}

// indexText writes the index of a subscript as far as it says which element is meant:
// "[0]", "[:]" for a slice, else "[]".
func (x *extractor) indexText(n sitter.Node) string {
	text, count := "[]", 0
	for c := range x.t.Children(n) {
		switch k := x.t.Kind(c); {
		case x.t.Field(c) == fValue, k == kComment:
			continue
		case k == kInteger && len(x.b.Text(c)) < 3:
			text = "[" + x.b.Text(c) + "]"
		case k == kSlice:
			text = "[:]"
		}
		count++
	}
	if count != 1 {
		return "[]"
	}
	return text
}

func suffix(s, end string) string {
	if s == "" {
		return ""
	}
	return strings.ReplaceAll(s, between, end+between) + end
}

// literalType names the built-in type of a literal or comprehension.
func literalType(t *sitter.Tree, n sitter.Node) string {
	switch t.Kind(n) {
	case kString, kConcatenatedString, kFormatExpression:
		if b := t.Bytes(n); b[0]|0x20 == 'b' {
			return "bytes"
		}
		return "str"
	case kInteger:
		return "int"
	case kFloat:
		return "float"
	case kTrue, kFalse, kComparison, kNot:
		return "bool"
	case kList, kListComprehension:
		return "list"
	case kTuple, kExpressionList:
		return "tuple"
	case kSet, kSetComprehension:
		return "set"
	case kDictionary, kDictComprehension:
		return "dict"
	default:
	}
	return ""
}

// expressCall knows the calls whose result is not what their name says.
func (x *extractor) expressCall(n sitter.Node) string {
	fn := x.t.Child(n, fFunction)
	if fn == sitter.None {
		return ""
	}
	switch x.dotted(fn) {
	case "cast", "typing.cast":
		return suffix(unwrap(x.annotation(x.argument(n, 0))), "()")
	case "copy.copy", "copy.deepcopy", "copy", "deepcopy":
		if s := x.expression(x.argument(n, 0)); s != "" {
			return s
		}
	case "type":
		if arg := x.argument(n, 0); arg != sitter.None && x.argument(n, 1) == sitter.None {
			return suffix(x.expression(arg), ".__class__")
		}
	case "getattr", "globals", "locals", "vars":
		return ""
	case "__import__", "import_module", "importlib.import_module":
		if _, ok := x.literal(x.argument(n, 0)); ok {
			return x.givenTo(n) // the import goes by that name
		}
	}
	if arg := x.superArgument(n); arg != "" {
		return "super(" + arg + ")"
	}
	return suffix(x.expression(fn), "()")
}

// hintOf says what is known of the value of an expression.
func (x *extractor) hintOf(n sitter.Node) graph.Hint {
	if n == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	if h, ok := x.parts[n]; ok {
		return h
	}
	if lit := literalType(x.t, n); lit != "" {
		return graph.Hint{Rule: graph.HintLiteral, Type: lit}
	}
	if x.t.Kind(n) == kIdentifier {
		if b := x.scope.holds(x.b.Text(n)); b != nil {
			return b.heldIn(x.scope)
		}
	}
	if s := x.choice(n); s != "" {
		return graph.Hint{Rule: graph.HintValue, Type: s}
	}
	return x.assigned(x.expression(n))
}

// assigned makes a hint of a rendered expression.
func (x *extractor) assigned(s string) graph.Hint {
	switch s {
	case "":
		return graph.Hint{Rule: graph.HintLocal}
	case "self", "cls":
		if h := x.selfHint(); h.Rule != graph.HintNone {
			if s == "cls" {
				h.Rule = graph.HintClass
			}
			return h
		}
	case "super().__new__()":
		if h := x.selfHint(); h.Rule != graph.HintNone {
			return h
		}
	case "str()", "int()", "float()", "bool()", "bytes()", "list()", "tuple()", "set()", "dict()":
		return graph.Hint{Rule: graph.HintLiteral, Type: s[:len(s)-2]}
	}
	if strings.Contains(s, between) {
		var a alternatives
		for _, part := range strings.Split(s, between) {
			a.text(typeText(part))
		}
		return a.hint()
	}
	if callee, ok := strings.CutSuffix(s, "()"); ok {
		return graph.Hint{Rule: graph.HintAssigned, Type: callee}
	}
	return graph.Hint{Rule: graph.HintValue, Type: s}
}

// selfHint is the hint of the enclosing class.
func (x *extractor) selfHint() graph.Hint {
	for s := x.scope; s != nil; s = s.parent {
		if s.kind == classScope {
			return graph.Hint{Rule: graph.HintSelf, Type: x.b.Facts.Defs[s.def].Local}
		}
	}
	return graph.Hint{}
}

// fromHint is the expression that yields what a hint says.
func fromHint(h graph.Hint) string {
	switch h.Rule {
	case graph.HintDeclared, graph.HintLiteral:
		return h.Type + "()"
	case graph.HintAssigned:
		return h.Type + "()"
	case graph.HintValue:
		if strings.Contains(h.Type, between) {
			return operand(h.Type)
		}
		return h.Type
	case graph.HintSelf:
		return "self"
	case graph.HintClass:
		return "cls"
	case graph.HintElement:
		return h.Type + "()[*]"
	default:
	}
	return ""
}

// elementOf is the hint of one element of a container.
func elementOf(h graph.Hint) graph.Hint {
	switch h.Rule {
	case graph.HintDeclared:
		return graph.Hint{Rule: graph.HintElement, Type: h.Type}
	case graph.HintAssigned, graph.HintValue, graph.HintSelf:
		if s := fromHint(h); s != "" && len(s) < maxType-2 {
			if s = suffix(s, "[*]"); strings.Contains(s, between) {
				s = typeTexts(s)
			}
			return graph.Hint{Rule: graph.HintValue, Type: s}
		}
	default:
	}
	return graph.Hint{Rule: graph.HintLocal}
}

// typeText turns what an expression yields into Def.Type.
func typeText(s string) string {
	switch {
	case s == "", s == unknown:
		return ""
	case s == "self", s == "cls()":
		return "Self"
	case strings.Contains(s, between):
		return typeTexts(s)
	case strings.HasSuffix(s, "()"):
		return s
	}
	return "=" + s
}
