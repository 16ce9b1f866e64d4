package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

func (x *extractor) visitChildren(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.visit(c)
	}
}

// visit walks a statement or an expression. What it does not know, error nodes
// among it, is walked into, so that the parts of a broken text that parse are
// found.
func (x *extractor) visit(n sitter.Node) {
	if n == sitter.None {
		return
	}
	if !x.visitStatement(n) {
		x.visitExpression(n)
	}
}

// visitStatement handles the kinds that are no expressions, and reports whether n
// was one of them.
func (x *extractor) visitStatement(n sitter.Node) bool {
	switch x.t.Kind(n) {
	case kFunction:
		x.function(n, sitter.None)
	case kClass:
		x.class(n, sitter.None)
	case kDecorated:
		x.decorated(n)
	case kImport, kImportFrom:
		x.imports(n)
	case kFutureImport, kGlobal, kNonlocal:
	case kComment:
		x.b.NoteComment(n)
	case kAssignment:
		x.assignment(n)
	case kAugmented:
		x.augmented(n)
	case kDelete:
		x.deletion(n)
	case kTypeAlias:
		x.typeAlias(n)
	case kIf:
		x.ifStatement(n)
	case kTry:
		x.tryStatement(n)
	case kMatch:
		x.matchStatement(n)
	case kElif, kElse:
		x.conditional++
		x.visitChildren(n)
		x.conditional--
	case kFor:
		x.forLoop(n)
	case kWhile:
		x.loop(n)
	case kAsPattern:
		x.asPattern(n)
	case kCaseClause:
		x.caseClause(n)
	case kReturn:
		x.visitChildren(n)
		x.noteReturn(n)
	case kAssert:
		x.visitChildren(n)
		if c := x.t.First(n); c != sitter.None {
			x.narrow(c)
		}
	default:
		return false
	}
	return true
}

func (x *extractor) deletion(n sitter.Node) {
	c := x.t.First(n)
	if c != sitter.None && x.t.Kind(c) != kIdentifier {
		x.visit(c)
	}
	x.unbind(c)
}

func (x *extractor) forLoop(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	x.visit(right)
	x.loopTarget(left, right)
	x.loop(n)
}

// narrow takes isinstance(x, T) as a declaration of the local x, and returns what
// takes it back.
func (x *extractor) narrow(n sitter.Node) (undo func()) {
	nothing := func() {}
	t := x.t
	for n != sitter.None && (t.Kind(n) == kParenthesized || t.Kind(n) == kBooleanOperator && x.operator(n) == "and") {
		n = t.First(n)
	}
	if n == sitter.None || t.Kind(n) != kCall || !t.Is(t.Child(n, fFunction), "isinstance") {
		return nothing
	}
	name, class := x.argument(n, 0), x.argument(n, 1)
	if name == sitter.None || class == sitter.None || t.Kind(name) != kIdentifier {
		return nothing
	}
	if k := t.Kind(class); k != kIdentifier && k != kAttribute {
		return nothing
	}
	b, s := x.scope.lookup(x.b.Text(name))
	if b == nil || b.kind != boundValue || s.kind == moduleScope {
		return nothing
	}
	before := b.hint
	b.hint = graph.Hint{Rule: graph.HintDeclared, Type: x.dotted(class)}
	now := b.hint
	return func() {
		if b.hint == now {
			b.hint = before
		}
	}
}

// operator returns the operator of a boolean or binary operation: the text
// between its operands.
func (x *extractor) operator(n sitter.Node) string {
	l, r := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if l == sitter.None || r == sitter.None {
		return ""
	}
	op := x.b.Slice(x.t.End(l), x.t.Start(r))
	for len(op) > 0 && (op[0] <= ' ' || op[0] == '\\') {
		op = op[1:]
	}
	for len(op) > 0 && (op[len(op)-1] <= ' ' || op[len(op)-1] == '\\') {
		op = op[:len(op)-1]
	}
	return op
}

// asPattern walks "value as name" of with, except and case.
func (x *extractor) asPattern(n sitter.Node) {
	t := x.t
	value, target := t.First(n), t.Child(n, fAlias)
	if value == sitter.None {
		return
	}
	x.visit(value)
	if target == sitter.None {
		return
	}
	name := t.First(target)
	if name == sitter.None {
		return
	}
	if t.Kind(name) != kIdentifier {
		x.target(name, sitter.None, "", n)
		return
	}
	hint := x.hintOf(value)
	switch p := t.Parent(n); {
	case t.Kind(p) == kExcept || t.Kind(p) == kExceptGroup:
		hint = graph.Hint{Rule: graph.HintLocal}
		if k := t.Kind(value); k == kIdentifier || k == kAttribute {
			hint = graph.Hint{Rule: graph.HintDeclared, Type: x.dotted(value)}
		}
	case t.Kind(p) == kWithItem:
		hint = entered(hint)
	}
	x.setHint(x.b.Text(name), hint)
}

// caseClause walks one case: class and value patterns refer, captures do not.
func (x *extractor) caseClause(n sitter.Node) {
	t := x.t
	end := t.After(n)
	for c := n + 1; c < end; {
		switch t.Kind(c) {
		case kBlock:
			x.visitChildren(c)
			c = t.After(c)
			continue
		case kDottedName:
			x.patternName(c)
			if first := t.First(c); x.isCapture(first) {
				x.setHint(x.b.Text(first), graph.Hint{Rule: graph.HintLocal})
			}
			c = t.After(c)
			continue
		case kAsPattern:
			x.caseAs(c)
		default:
		}
		if t.Parent(c) == n && t.Kind(c) != kCasePattern {
			x.visit(c) // a guard
			c = t.After(c)
			continue
		}
		c++
	}
}

// caseAs says what "case Class(…) as name" gives the name.
func (x *extractor) caseAs(n sitter.Node) {
	t := x.t
	pattern := t.First(n)
	if pattern == sitter.None {
		return
	}
	name := t.Next(pattern)
	if t.Kind(pattern) == kCasePattern {
		pattern = t.First(pattern)
	}
	if name == sitter.None || pattern == sitter.None || t.Kind(pattern) != kClassPattern || t.Kind(name) != kIdentifier {
		return
	}
	if class := t.First(pattern); class != sitter.None && t.Kind(class) == kDottedName {
		x.setHint(x.b.Text(name), graph.Hint{Rule: graph.HintDeclared, Type: x.dotted(class)})
	}
}

// entered is the hint of what a with statement gives for what is known of its object.
func entered(h graph.Hint) graph.Hint {
	switch h.Rule {
	case graph.HintDeclared, graph.HintAssigned, graph.HintValue:
		if s := fromHint(h); s != "" && !strings.Contains(s, between) && len(s)+len(enter) < maxType {
			return graph.Hint{Rule: graph.HintValue, Type: s + enter}
		}
	default:
	}
	return h
}

// enter is what a with statement calls on its object.
const enter = ".__enter__()"

func (x *extractor) patternName(n sitter.Node) {
	first := x.t.First(n)
	if first == sitter.None || x.isCapture(first) {
		return
	}
	use := graph.UseRead
	if x.t.Kind(x.t.Parent(n)) == kClassPattern {
		use = graph.UseType
	}
	x.dottedRefs(n, use)
}

// dottedRefs adds one reference for each part of a.b.c.
func (x *extractor) dottedRefs(n sitter.Node, use graph.Use) {
	qualifier := ""
	var hint graph.Hint
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kIdentifier {
			continue
		}
		name := x.b.Text(c)
		u := graph.UseRead
		if x.t.Next(c) == sitter.None {
			u = use
		}
		if qualifier == "" {
			hint = x.nameHint(name)
			if !x.scope.isLocal(name) {
				x.b.AddRef(graph.Ref{Name: name, Use: u, Span: x.b.Span(c)})
			}
			qualifier = cut(name)
			continue
		}
		x.b.AddRef(graph.Ref{Name: name, Qualifier: qualifier, Use: u, Span: x.b.Span(c), Hint: hint})
		qualifier = cut(qualifier + "." + name)
	}
}

// loopTarget gives the targets of a for the element type of what is iterated.
func (x *extractor) loopTarget(left, right sitter.Node) {
	if left == sitter.None {
		return
	}
	if x.t.Kind(left) != kIdentifier {
		x.target(left, sitter.None, "", left)
		x.loopParts(left, right)
		return
	}
	x.setHint(x.b.Text(left), elementOf(x.hintOf(right)))
}

// loopParts gives the names of a tuple the parts of what is iterated: for k, v in d.items().
func (x *extractor) loopParts(left, right sitter.Node) {
	if right == sitter.None {
		return
	}
	h := elementOf(x.hintOf(right))
	s := fromHint(h)
	if s == "" || strings.Contains(s, between) || len(s)+3 > maxType {
		return
	}
	for i, c := range slices.Collect(x.t.Children(left)) {
		switch {
		case i > 9 || x.t.Kind(c) == kListSplatPattern:
			return
		case x.t.Kind(c) == kIdentifier && (x.scope.kind == innerScope || x.scope.kind == functionScope):
			x.setHint(x.b.Text(c), graph.Hint{Rule: graph.HintValue, Type: s + "[" + strconv.Itoa(i) + "]"})
		}
	}
}

// setHint records what a local holds from here on.
func (x *extractor) setHint(name string, h graph.Hint) {
	b, s := x.scope.lookup(name)
	if b != nil && (b.kind == boundValue || b.rebound()) && s.kind >= functionScope {
		x.rehint(b, h)
		b.given = append(b.given, h)
		if x.scope.function() != b.home.function() {
			b.shared = append(b.shared, h)
		}
	}
}
