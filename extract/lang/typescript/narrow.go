package typescript

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// Tests narrow what a local is: x instanceof C, and isC(x), which may be a function that
// is declared to tell.

// narrowed is a local with what a test says of it.
type narrowed struct {
	name string
	hint graph.Hint
}

// narrowings lists what a condition says of locals where it holds, or where it does not.
func (w *walker) narrowings(n sitter.Node, holds bool, depth int) []narrowed {
	if n == sitter.None || depth > 8 {
		return nil
	}
	switch w.kind(n) {
	case kParenthesized:
		return w.narrowings(w.t.First(n), holds, depth+1)
	case kUnary:
		if operand := w.t.First(n); operand != sitter.None && w.b.Slice(w.t.Start(n), w.t.Start(n)+1) == "!" {
			return w.narrowings(operand, !holds, depth+1)
		}
	case kBinary:
		left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
		switch op := w.operator(n); {
		case op == "&&" && holds, op == "||" && !holds:
			return append(w.narrowings(left, holds, depth+1), w.narrowings(right, holds, depth+1)...)
		case op == "instanceof" && holds:
			return w.instanceOf(left, right)
		}
	case kCall:
		if holds {
			return w.told(n)
		}
	default:
	}
	return nil
}

// instanceOf reads x instanceof C.
func (w *walker) instanceOf(left, right sitter.Node) []narrowed {
	if w.kind(left) != kIdentifier || w.kind(right) != kIdentifier && w.kind(right) != kMember {
		return nil
	}
	name, class := w.text(left), w.text(right)
	if !w.isValue(name) || len(class) > maxType {
		return nil
	}
	if root, _ := w.expr(right); root != class { // a local, or no plain name
		return nil
	}
	return []narrowed{{name, graph.Hint{Rule: graph.HintDeclared, Type: class}}}
}

// told reads isC(x). Whether the function tells what x is, its declaration says.
func (w *walker) told(n sitter.Node) []narrowed {
	fn, args := w.t.Child(n, fFunction), w.t.Child(n, fArguments)
	if fn == sitter.None || args == sitter.None || w.kind(args) != kArguments || w.argCount(args) != 1 {
		return nil
	}
	x := w.t.First(args)
	if w.kind(x) != kIdentifier || !w.isValue(w.text(x)) || !tells(w.lastName(fn)) {
		return nil
	}
	callee, ok := w.expr(fn)
	if !ok {
		return nil
	}
	was, _ := w.expr(x)
	s := "{?" + callee + "," + was + "}"
	if len(s) > maxExpr {
		return nil
	}
	return []narrowed{{w.text(x), graph.Hint{Rule: graph.HintValue, Type: s}}}
}

func (w *walker) lastName(fn sitter.Node) string {
	switch w.kind(fn) {
	case kIdentifier:
		return w.text(fn)
	case kMember:
		if p := w.t.Child(fn, fProperty); p != sitter.None {
			return w.text(p)
		}
	default:
	}
	return ""
}

// tells reports whether a function is called what functions are that tell types apart.
func tells(name string) bool {
	return len(name) > 2 && name[:2] == "is" && (name[2] == '_' || name[2] >= 'A' && name[2] <= 'Z')
}

// isValue reports whether a name is a local value that has no definition.
func (w *walker) isValue(name string) bool {
	l := w.locals.Lookup(name)
	return l != nil && l.Def == graph.NoDef && !l.Type
}

// narrow makes what a test says hold in the scope that is open.
func (w *walker) narrow(list []narrowed) {
	for _, n := range list {
		w.locals.Declare(local(n.name, n.hint))
	}
}

// where visits a part of the tree in which a condition holds, or does not.
func (w *walker) where(condition sitter.Node, holds bool, part sitter.Node) {
	list := w.narrowings(condition, holds, 0)
	if len(list) == 0 {
		w.visit(part)
		return
	}
	w.locals.Open()
	w.narrow(list)
	w.visit(part)
	w.locals.Close()
}

// branches reads an if or a ternary, each branch where its condition holds or does not.
func (w *walker) branches(n sitter.Node) {
	condition := w.t.Child(n, fCondition)
	for c := range w.t.Children(n) {
		switch w.t.Field(c) {
		case fConsequence:
			w.where(condition, true, c)
		case fAlternative:
			w.where(condition, false, c)
		default:
			w.visit(c)
		}
	}
}

// ifStatement reads an if. What follows one that ends in a jump is where its condition
// does not hold.
func (w *walker) ifStatement(n sitter.Node) {
	condition, yes := w.t.Child(n, fCondition), w.t.Child(n, fConsequence)
	w.branches(n)
	if w.locals.Depth() > 0 && w.t.Child(n, fAlternative) == sitter.None && yes != sitter.None && w.jumps(yes) {
		w.narrow(w.narrowings(condition, false, 0))
	}
}

// jumps reports whether a statement ends in return or throw.
func (w *walker) jumps(n sitter.Node) bool {
	if w.kind(n) == kBlock {
		last := sitter.None
		for c := range w.t.Children(n) {
			if w.kind(c) != kComment {
				last = c
			}
		}
		if last == sitter.None {
			return false
		}
		n = last
	}
	return w.kind(n) == kReturn || containsWord(w.b.Slice(w.t.Start(n), min(w.t.Start(n)+6, w.t.End(n))), "throw")
}
