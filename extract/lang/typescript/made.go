package typescript

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// maxMade bounds the classes that a variable is said to be of.
const maxMade = 4

// made lists the classes that an expression may construct; ok is false where it may
// be anything else.
func (w *walker) made(n sitter.Node, depth int) (classes []string, ok bool) {
	if n == sitter.None || depth > 8 {
		return nil, false
	}
	either := func(a, b sitter.Node) ([]string, bool) {
		left, ok := w.made(a, depth+1)
		right, too := w.made(b, depth+1)
		return append(left, right...), ok && too
	}
	switch w.kind(n) {
	case kNew:
		c := w.t.Child(n, fConstructor)
		if c == sitter.None || w.kind(c) != kIdentifier {
			return nil, false
		}
		name := w.text(c)
		if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef {
			return nil, false
		}
		if args := w.child(n, kTypeArguments); args != sitter.None {
			name += w.typeText(args)
		}
		return []string{name}, true
	case kParenthesized:
		return w.made(w.t.First(n), depth+1)
	case kTernary:
		return either(w.t.Child(n, fConsequence), w.t.Child(n, fAlternative))
	case kBinary:
		if op := w.operator(n); op == "||" || op == "??" {
			return either(w.t.Child(n, fLeft), w.t.Child(n, fRight))
		}
	default:
	}
	return nil, false
}

// unionOf writes classes as one type, "" where there is no choice among them. Open
// says that there are others.
func unionOf(classes []string, open bool) string {
	slices.Sort(classes)
	classes = slices.Compact(classes)
	if open {
		classes = append(classes, "unknown")
	}
	if len(classes) < 2 || len(classes) > maxMade {
		return ""
	}
	return strings.Join(classes, " | ")
}

// madeUnion writes a choice between constructions as an operand.
func (w *walker) madeUnion(n sitter.Node) (string, bool) {
	classes, ok := w.made(n, 0)
	if u := unionOf(classes, false); ok && u != "" {
		return "<" + u + ">", true
	}
	return "", false
}

// reassigned is the type of a variable that is made by value and, somewhere in the
// text within, is given something else too; "" where it is not.
func (w *walker) reassigned(name string, value, within sitter.Node) string {
	classes, ok := w.made(value, 0)
	if !ok {
		return ""
	}
	if w.assigned == nil {
		w.noteAssigned()
	}
	open := false
	for _, a := range w.assigned[name] {
		if a.at < within || a.at >= w.t.After(within) {
			continue
		}
		more, ok := w.made(a.value, 0)
		classes = append(classes, more...)
		open = open || !ok && (a.value == sitter.None || !w.isNothing(a.value))
	}
	return unionOf(classes, open)
}

// assigned is an assignment to a bare name. Its value is None where that is a part of
// what stands on the right.
type assigned struct{ at, value sitter.Node }

// noteAssigned collects the assignments to bare names in the file.
func (w *walker) noteAssigned() {
	w.assigned = map[string][]assigned{}
	for n, end := sitter.Root, w.t.After(sitter.Root); n < end; n++ {
		l, value := sitter.None, sitter.None
		switch w.kind(n) {
		case kAssignment:
			l, value = w.t.Child(n, fLeft), w.t.Child(n, fRight)
		case kAugmented: // a ||= b
			l, value = w.t.Child(n, fLeft), w.t.Child(n, fRight)
		case kForIn: // one that declares its name is of another variable
			if l = w.t.Child(n, fLeft); l != sitter.None && endsInWord(w.b.Slice(w.t.Start(n), w.t.Start(l)), "const", "let", "var") {
				l = sitter.None
			}
		default:
		}
		switch {
		case l == sitter.None:
		case w.kind(l) == kIdentifier:
			w.assigned[w.text(l)] = append(w.assigned[w.text(l)], assigned{n, value})
		default:
			w.patternNames(l, graph.Hint{Rule: graph.HintLocal}, func(name sitter.Node, _ graph.Hint) {
				w.assigned[w.text(name)] = append(w.assigned[w.text(name)], assigned{n, sitter.None})
			})
		}
	}
}

// bodyAround returns the innermost function around a node, or the file.
func (w *walker) bodyAround(n sitter.Node) sitter.Node {
	for n != sitter.Root && n != sitter.None {
		switch w.kind(n) {
		case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef:
			return n
		default:
		}
		n = w.t.Parent(n)
	}
	return sitter.Root
}
