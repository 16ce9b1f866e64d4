package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// maxQualifier is the limit of Ref.Qualifier.
const maxQualifier = 160

// visitExpression walks an expression and adds its references.
func (x *extractor) visitExpression(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseRead, -1)
	case kAttribute:
		x.attribute(n, graph.UseRead, -1)
	case kCall:
		x.call(n)
	case kKeywordArgument:
		x.visit(x.t.Child(n, fValue))
	case kLambda:
		x.lambda(n)
	case kListComprehension, kSetComprehension, kDictComprehension, kGenerator:
		x.comprehension(n)
	case kNamedExpression:
		name, value := x.t.Child(n, fName), x.t.Child(n, fValue)
		x.visit(value)
		if name != sitter.None && value != sitter.None {
			x.setHint(x.b.Text(name), x.hintOf(value))
		}
	case kType:
		x.typeRefs(n)
	case kYield:
		x.visitChildren(n)
		x.noteYield(n)
	case kDottedName:
		x.dottedRefs(n, graph.UseRead)
	default:
		x.visitChildren(n)
	}
}

// name adds a reference to a bare name, unless a function binds it.
func (x *extractor) name(n sitter.Node, use graph.Use, args int16) {
	name := x.b.Text(n)
	if x.scope.isLocal(name) {
		if use.Calls() {
			x.b.AddValueCall()
		}
		return
	}
	if b, _ := x.scope.lookup(name); b != nil && use.Calls() {
		x.called = append(x.called, calledName{len(x.b.Facts.Refs), b})
	}
	x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(n), Args: args})
}

// attribute adds the references of a.b: those of a, and b as a member of it.
func (x *extractor) attribute(n sitter.Node, use graph.Use, args int16) {
	x.visit(x.t.Child(n, fObject))
	x.member(n, use, args)
}

// member adds the reference of b in a.b.
func (x *extractor) member(n sitter.Node, use graph.Use, args int16) {
	object, attr := x.t.Child(n, fObject), x.t.Child(n, fAttribute)
	if attr == sitter.None || object == sitter.None {
		return
	}
	x.closed = nil
	q, h := x.qualifier(object)
	if x.closed != nil && x.b.Text(attr) != "" {
		x.closed.ref = len(x.b.Facts.Refs)
		x.late = append(x.late, *x.closed)
	}
	x.b.AddRef(graph.Ref{Name: x.b.Text(attr), Qualifier: q, Use: use, Span: x.b.Span(attr), Hint: h, Args: args})
}

func (x *extractor) call(n sitter.Node) {
	x.callee(x.t.Child(n, fFunction), n, graph.UseCall)
	args := x.t.Child(n, fArguments)
	if args == sitter.None {
		return
	}
	if k := x.t.Kind(args); k == kGenerator {
		x.comprehension(args)
	} else {
		x.visitChildren(args)
	}
	fn := x.t.Child(n, fFunction)
	if fn == sitter.None {
		return
	}
	callee := x.dotted(fn)
	x.dynamicImport(n, callee)
	if list, method, _ := strings.Cut(callee, "."); list == "__all__" && x.scope.kind == moduleScope {
		x.changeExports(method, args)
	}
	switch callee[strings.LastIndexByte(callee, '.')+1:] {
	case "getattr":
		x.dynamicUse(n, graph.UseDynamic)
	case "setattr", "__setattr__", "add_to_class":
		if x.t.Kind(fn) == kIdentifier {
			x.dynamicUse(n, graph.UseWrite)
			if refs := x.b.Facts.Refs; len(refs) > 0 && x.replaces(&refs[len(refs)-1]) {
				refs[len(refs)-1].Use = graph.UseReplace
			}
		}
		x.namedField(n, fn)
	}
}

// callee adds the references of what is called or decorates.
func (x *extractor) callee(fn, call sitter.Node, use graph.Use) {
	if fn == sitter.None {
		return
	}
	args := int16(-1)
	if call != sitter.None {
		args = x.countArgs(call)
	}
	switch x.t.Kind(fn) {
	case kIdentifier:
		x.name(fn, use, args)
	case kAttribute:
		x.attribute(fn, use, args)
	case kParenthesized:
		for c := range x.t.Children(fn) {
			if x.t.Kind(c) == kComment {
				x.visit(c)
			} else {
				x.callee(c, call, use)
			}
		}
	case kConditional, kBooleanOperator:
		x.chosen(fn, call, use)
	case kLambda: // it runs what is written there
		x.visit(fn)
	default:
		x.b.AddValueCall()
		x.visit(fn)
	}
}

// chosen reads a callee that is one of several.
func (x *extractor) chosen(fn, call sitter.Node, use graph.Use) {
	if use == graph.UseDecorator {
		x.visit(fn)
		return
	}
	t := x.t
	if t.Kind(fn) == kBooleanOperator {
		left, right := t.Child(fn, fLeft), t.Child(fn, fRight)
		if x.operator(fn) == "or" {
			x.callee(left, call, graph.UseChoice)
			x.callee(right, call, graph.UseChoice)
		} else { // the left side is nothing that can be called
			x.visit(left)
			x.callee(right, call, use)
		}
		return
	}
	i := 0
	for c := range t.Children(fn) {
		switch {
		case t.Kind(c) == kComment:
			x.visit(c)
			continue
		case i == 1:
			x.visit(c) // the condition
		default:
			x.callee(c, call, graph.UseChoice)
		}
		i++
	}
}

func (x *extractor) countArgs(call sitter.Node) int16 {
	args := x.t.Child(call, fArguments)
	if args == sitter.None {
		return 0
	}
	if x.t.Kind(args) == kGenerator {
		return 1
	}
	n := int16(0)
	for c := range x.t.Children(args) {
		if x.t.Kind(c) != kComment && n < 1<<14 {
			n++
		}
	}
	return n
}

// argument returns the i-th positional argument of a call, or None.
func (x *extractor) argument(call sitter.Node, i int) sitter.Node {
	args := x.t.Child(call, fArguments)
	if args == sitter.None || x.t.Kind(args) != kArgumentList {
		return sitter.None
	}
	for c := range x.t.Children(args) {
		switch x.t.Kind(c) {
		case kComment:
			continue
		case kKeywordArgument, kListSplat, kDictSplat:
			return sitter.None
		default:
		}
		if i == 0 {
			return c
		}
		i--
	}
	return sitter.None
}

// literal returns the text of a plain one-piece string.
func (x *extractor) literal(n sitter.Node) (string, bool) {
	content := x.content(n)
	if content == sitter.None {
		return "", false
	}
	return x.b.Text(content), true
}

// content returns the inner part of a one-piece string, or None.
func (x *extractor) content(n sitter.Node) sitter.Node {
	if n == sitter.None || x.t.Kind(n) != kString {
		return sitter.None
	}
	found := sitter.None
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kStringContent:
			if found != sitter.None {
				return sitter.None
			}
			found = c
		case kInterpolation:
			return sitter.None
		default:
		}
	}
	return found
}

// dynamicUse records getattr(x, "name") and setattr(x, "name", value).
func (x *extractor) dynamicUse(call sitter.Node, use graph.Use) {
	object, name := x.argument(call, 0), x.content(x.argument(call, 1))
	if object == sitter.None || name == sitter.None || !isIdentifier(x.b.Text(name)) {
		return
	}
	q, h := x.qualifier(object)
	x.b.AddRef(graph.Ref{Name: x.b.Text(name), Qualifier: q, Use: use, Span: x.b.Span(name), Hint: h})
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !letter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// qualifier renders the expression before a dot, with arguments and indices left
// out, and says what is known of its first name.
func (x *extractor) qualifier(n sitter.Node) (string, graph.Hint) {
	t := x.t
	root := n
	for {
		switch t.Kind(root) {
		case kAttribute:
			root = t.Child(root, fObject)
		case kCall:
			root = t.Child(root, fFunction)
		case kSubscript:
			root = t.Child(root, fValue)
		case kIdentifier:
			name := x.b.Text(root)
			h := x.nameHint(name)
			if name == "super" && h.Rule == graph.HintNone {
				h = x.superHint()
			}
			return cut(x.render(n)), h
		default:
			return cut(x.render(n)), x.hintOf(n)
		}
		if root == sitter.None {
			return "", graph.Hint{Rule: graph.HintLocal}
		}
	}
}

func cut(s string) string {
	if len(s) > maxQualifier {
		return strings.ToValidUTF8(s[:maxQualifier], "")
	}
	return s
}

// render writes a chain without its arguments, and any other expression without
// its white space.
func (x *extractor) render(n sitter.Node) string {
	t := x.t
	switch t.Kind(n) {
	case kAttribute:
		o, a := t.Child(n, fObject), t.Child(n, fAttribute)
		if o != sitter.None && a != sitter.None {
			return x.render(o) + "." + x.b.Text(a)
		}
	case kCall:
		if f := t.Child(n, fFunction); f != sitter.None {
			return x.render(f) + "(" + x.superArgument(n) + ")"
		}
	case kSubscript:
		if v := t.Child(n, fValue); v != sitter.None {
			return x.render(v) + x.indexText(n)
		}
	case kIdentifier:
		return x.b.Text(n)
	default:
	}
	end := min(t.End(n), t.Start(n)+2*maxQualifier)
	return strings.Join(strings.Fields(x.b.Slice(t.Start(n), end)), "")
}

// nameHint says what the text knows of a name that stands before a dot.
func (x *extractor) nameHint(name string) graph.Hint {
	b := x.scope.holds(name)
	if b == nil {
		return graph.Hint{}
	}
	if b.late(x.scope) {
		x.closed = &lateRead{name: b, given: len(b.given), before: joined(append([]graph.Hint{b.hint}, b.shared...)...)}
	}
	return b.held()
}

// superArgument returns X of super(X, self), the one argument that a chain keeps:
// it says where the search begins.
func (x *extractor) superArgument(call sitter.Node) string {
	if !x.t.Is(x.t.Child(call, fFunction), "super") {
		return ""
	}
	class := x.argument(call, 0)
	if class == sitter.None {
		return ""
	}
	return x.dotted(class)
}

func (x *extractor) superHint() graph.Hint {
	for s := x.scope; s != nil; s = s.parent {
		if s.kind == classScope {
			return graph.Hint{Rule: graph.HintSuper, Type: x.b.Facts.Defs[s.def].Local}
		}
	}
	return graph.Hint{Rule: graph.HintLocal}
}

func (x *extractor) lambda(n sitter.Node) {
	outer := x.scope
	params := x.t.Child(n, fParameters)
	if params != sitter.None {
		x.defaults(params)
	}
	x.scope = newScope(innerScope, outer, outer.def)
	x.scope.deferred = true
	if params != sitter.None {
		for c := range x.t.Children(params) {
			if name := x.paramName(c); name != sitter.None {
				x.bindTarget(name, boundValue)
			}
		}
	}
	x.visit(x.t.Child(n, fBody))
	x.scope = outer
}

// comprehension walks the clauses first, since they bind what the body uses.
func (x *extractor) comprehension(n sitter.Node) {
	outer := x.scope
	inner := newScope(innerScope, outer, outer.def)
	first := true
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kForIn {
			continue
		}
		left, right := x.t.Child(c, fLeft), x.t.Child(c, fRight)
		// The first iterable belongs to the scope around.
		if x.scope = inner; first {
			x.scope = outer
		}
		x.visit(right)
		hint := graph.Hint{Rule: graph.HintLocal}
		if right != sitter.None {
			hint = elementOf(x.hintOf(right))
		}
		first, x.scope = false, inner
		x.bindTarget(left, boundValue)
		if left != sitter.None && x.t.Kind(left) == kIdentifier {
			inner.names[x.b.Text(left)].hint = hint
		} else if left != sitter.None {
			x.loopParts(left, right)
		}
	}
	x.scope = inner
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kForIn {
			x.visit(c)
		}
	}
	x.scope = outer
}
