package typescript

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// unknown stands among alternatives for what is not understood.
const unknown = "?"

// maxAlternatives bounds how many are written; more count as unknown.
const maxAlternatives = 4

// choice collects what an expression may be.
type choice struct {
	known []string // as expressions
	open  bool     // or something that is not understood
}

func (c *choice) add(e string, ok bool) {
	switch {
	case !ok, e == unknown:
		c.open = true
	case slices.Contains(c.known, e):
	case len(c.known) == maxAlternatives:
		c.open = true
	default:
		c.known = append(c.known, e)
	}
}

// expr writes the alternatives as one operand: "(a||b||?)". Where there is no choice
// it is the expression itself.
func (c *choice) expr() (string, bool) {
	switch {
	case len(c.known) == 0:
		return "", false
	case len(c.known) == 1 && !c.open:
		return c.known[0], true
	}
	list := c.known
	if c.open {
		list = append(slices.Clone(list), unknown)
	}
	s := "(" + strings.Join(list, "||") + ")"
	if len(s) > maxExpr {
		s = "(" + c.known[0] + "||" + unknown + ")"
	}
	return s, len(s) <= maxExpr
}

// choiceExpr writes an operand that is one of several.
func (w *walker) choiceExpr(n sitter.Node, depth int) (string, bool) {
	if union, ok := w.madeUnion(n); ok {
		return union, true
	}
	var c choice
	w.alternatives(n, depth, &c)
	return c.expr()
}

// alternatives adds what an expression may be. Constructions come first. What is
// nothing (null, undefined, false) has no members, and is no alternative.
func (w *walker) alternatives(n sitter.Node, depth int, c *choice) {
	if n == sitter.None || depth > 40 {
		c.open = true
		return
	}
	switch w.kind(n) {
	case kParenthesized:
		if inner := w.t.First(n); w.docCast(n) == "" && inner != sitter.None && w.kind(inner) != kComment {
			w.alternatives(inner, depth+1, c)
			return
		}
	case kTernary:
		yes, no := w.t.Child(n, fConsequence), w.t.Child(n, fAlternative)
		w.inOrder(yes, no, depth, c)
		c.open = c.open || w.narrows(w.t.Child(n, fCondition), yes) || w.narrows(w.t.Child(n, fCondition), no)
		return
	case kBinary:
		left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
		switch w.operator(n) {
		case "||", "??":
			w.inOrder(left, right, depth, c)
			return
		case "&&": // the left side where it is nothing
			w.alternatives(right, depth+1, c)
			return
		default:
			c.open = true
			return
		}
	default:
	}
	if !w.isNothing(n) {
		c.add(w.exprAt(n, depth+1))
	}
}

func (w *walker) inOrder(a, b sitter.Node, depth int, c *choice) {
	if b != sitter.None && w.kind(b) == kNew {
		a, b = b, a
	}
	w.alternatives(a, depth+1, c)
	w.alternatives(b, depth+1, c)
}

// narrows reports whether a condition tests of what type an alternative is, in ways
// that are not followed: its declared type then says too much.
func (w *walker) narrows(condition, n sitter.Node) bool {
	if condition == sitter.None || n == sitter.None || w.kind(n) != kIdentifier && w.kind(n) != kMember {
		return false
	}
	test, name := w.text(condition), w.text(n)
	if !strings.Contains(test, name) {
		return false
	}
	return strings.Contains(test, "("+name+")") || strings.Contains(test, "typeof ") || strings.Contains(test, " instanceof ") ||
		strings.Contains(test, " in ")
}

// isNothing reports whether an expression has no members: null and the like.
func (w *walker) isNothing(n sitter.Node) bool {
	switch w.kind(n) {
	case kNull, kUndefined:
		return true
	case kParenthesized:
		c := w.t.First(n)
		return c != sitter.None && w.isNothing(c)
	default:
	}
	s := w.text(n)
	return s == "undefined" || s == "false" || strings.HasPrefix(s, "void ")
}

// noteReturn remembers what a function returns, of which its result is one.
func (w *walker) noteReturn(n sitter.Node) {
	k := len(w.returns)
	if k == 0 || w.isNothing(n) {
		return
	}
	r := &w.returns[k-1]
	if r.typ == "" {
		r.typ = w.valueType(n)
	}
	w.alternatives(n, 0, &r.choice)
}

// returned is what the return statements of a function say.
type returned struct {
	typ string // the first type known of them
	choice
}

// result is the type of what a function without annotation returns, as of Def.Type.
func (r *returned) result() string {
	if r.typ == "" || len(r.known) < 2 && !r.open {
		return r.typ
	}
	if e, ok := r.expr(); ok && !strings.Contains(e, "#") {
		return "=" + e
	}
	return r.typ
}
