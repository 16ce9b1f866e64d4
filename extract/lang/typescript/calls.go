package typescript

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// call reads a call: imports, tests and definitions that are written as calls
// first.
func (w *walker) call(n sitter.Node) {
	fn, args := w.t.Child(n, fFunction), w.t.Child(n, fArguments)
	if fn == sitter.None {
		w.children(n)
		return
	}
	if w.importCall(n, fn, args) || w.testCall(n, fn, args) {
		return
	}
	count := w.argCount(args)
	w.callee(fn, graph.UseCall, count)
	for c := range w.t.Children(n) {
		if w.kind(c) == kTypeArguments {
			w.visit(c)
		}
	}
	w.arguments(fn, args)
}

// callee reads what is called. use says whether it is, or is one of several of which
// one is.
func (w *walker) callee(fn sitter.Node, use graph.Use, count int16) {
	switch w.kind(fn) {
	case kIdentifier:
		w.bareCall(fn, use, count)
	case kSuper:
		w.b.AddRef(graph.Ref{Name: "super", Use: graph.UseCall, Span: w.b.Span(fn), Hint: w.superHint(), Args: count})
	case kMember:
		w.member(fn, use, count)
		w.noteMemberCall(fn, use, count)
	case kSubscript:
		name, ok := w.stringValue(w.t.Child(fn, fIndex))
		if !ok || !isName(name) {
			w.valueCall(fn, count)
		}
		w.subscript(fn, count)
		if o := w.t.Child(fn, fObject); ok && o != sitter.None && w.kind(o) == kIdentifier {
			w.noteFlow(fn, w.t.Child(fn, fIndex), count, w.lastRef())
		}
	case kNonNull, kParenthesized:
		if c := w.t.First(fn); c != sitter.None && w.kind(c) != kComment {
			w.callee(c, use, count)
			return
		}
		w.children(fn)
	case kAs, kSatisfies:
		for c := range w.t.Children(fn) {
			if c == w.t.First(fn) {
				w.callee(c, use, count)
			} else {
				w.visit(c)
			}
		}
	case kTernary:
		w.visitBut(fn, fConsequence, fAlternative, graph.UseChoice, count)
	case kBinary:
		switch w.operator(fn) {
		case "||", "??":
			w.visitBut(fn, fLeft, fRight, graph.UseChoice, count)
		case "&&": // the left side runs nothing, or is no function
			w.visitBut(fn, fRight, fRight, use, count)
		default:
			w.visit(fn)
		}
	case kArrow, kFunctionExpr, kGeneratorExpr, kClass: // it runs what is written there
		w.visit(fn)
	case kCall:
		if !w.requiredCall(fn, use, count) {
			w.valueCall(fn, count)
		}
		w.visit(fn)
	case kSequence: // (0, a)()
		w.visitBut(fn, fRight, fRight, use, count)
	default:
		w.valueCall(fn, count)
		w.visit(fn)
	}
}

// valueCall counts the call of a value, and remembers it.
func (w *walker) valueCall(fn sitter.Node, count int16) {
	w.b.AddValueCall()
	at := fn
	for c := w.t.First(at); c != sitter.None; c = w.t.First(at) {
		at = c
	}
	w.noteFlow(fn, at, count, graph.NoDef)
}

// visitBut visits the children of a callee, of which those in two fields are callees.
func (w *walker) visitBut(n sitter.Node, a, b sitter.Field, use graph.Use, count int16) {
	for c := range w.t.Children(n) {
		if f := w.t.Field(c); f == a || f == b {
			w.callee(c, use, count)
		} else {
			w.visit(c)
		}
	}
}

// operator returns the operator of a binary expression.
func (w *walker) operator(n sitter.Node) string {
	left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return ""
	}
	return strings.TrimSpace(w.b.Slice(w.t.End(left), w.t.Start(right)))
}

func (w *walker) argCount(args sitter.Node) int16 {
	if args == sitter.None || w.kind(args) != kArguments {
		return 1 // a template
	}
	var count int16
	for c := range w.t.Children(args) {
		if w.kind(c) != kComment {
			count++
		}
	}
	return count
}

// arguments visits the arguments of a call; functions among them learn who calls
// them back.
func (w *walker) arguments(callee, args sitter.Node) {
	if args == sitter.None {
		return
	}
	expr, known := "", false
	for i, c := 0, w.t.First(args); c != sitter.None; c = w.t.Next(c) {
		if w.kind(c) == kComment {
			w.comment(c)
			continue
		}
		if !known && w.mayCallBack(c) {
			expr, _ = w.expr(callee)
			known = true
		}
		callback := ""
		if expr != "" {
			callback = expr + "#" + strconv.Itoa(i)
		}
		w.argument(c, callback)
		i++
	}
}

func (w *walker) mayCallBack(n sitter.Node) bool {
	switch w.kind(n) {
	case kArrow, kFunctionExpr, kGeneratorExpr, kTernary, kParenthesized:
		return true
	default:
	}
	return false
}

// argument visits one argument; a function, or one of two to choose from, knows
// its caller.
func (w *walker) argument(n sitter.Node, callback string) {
	switch w.kind(n) {
	case kArrow, kFunctionExpr, kGeneratorExpr:
		w.functionExpr(n, callback)
	case kParenthesized:
		for c := range w.t.Children(n) {
			w.argument(c, callback)
		}
	case kTernary:
		for c := range w.t.Children(n) {
			if f := w.t.Field(c); f == fConsequence || f == fAlternative {
				w.argument(c, callback)
			} else {
				w.visit(c)
			}
		}
	default:
		w.visit(n)
	}
}

func (w *walker) construct(n sitter.Node) {
	class := w.t.Child(n, fConstructor)
	if class == sitter.None {
		w.children(n)
		return
	}
	args := w.t.Child(n, fArguments)
	count := int16(0)
	if args != sitter.None {
		count = w.argCount(args)
	}
	w.callee(class, graph.UseCall, count)
	for c := range w.t.Children(n) {
		if w.kind(c) == kTypeArguments {
			w.visit(c)
		}
	}
	w.arguments(class, args)
}

func (w *walker) decorator(n sitter.Node) {
	c := w.t.First(n)
	if c == sitter.None {
		return
	}
	args := sitter.None
	if w.kind(c) == kCall {
		c, args = w.t.Child(c, fFunction), w.t.Child(c, fArguments)
	}
	switch {
	case c == sitter.None:
	case w.kind(c) == kIdentifier:
		w.bareCall(c, graph.UseDecorator, -1)
	case w.kind(c) == kMember:
		w.member(c, graph.UseDecorator, -1)
	default:
		w.visit(c)
	}
	w.arguments(c, args)
}
