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
		left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
		if left == sitter.None || right == sitter.None {
			return nil, false
		}
		switch strings.TrimSpace(w.b.Slice(w.t.End(left), w.t.Start(right))) {
		case "||", "??":
			return either(left, right)
		}
	default:
	}
	return nil, false
}

// unionOf writes classes as one type, "" where there is no choice among them.
func unionOf(classes []string) string {
	slices.Sort(classes)
	classes = slices.Compact(classes)
	if len(classes) < 2 || len(classes) > maxMade {
		return ""
	}
	return strings.Join(classes, " | ")
}

// madeUnion writes a choice between constructions as an operand.
func (w *walker) madeUnion(n sitter.Node) (string, bool) {
	classes, ok := w.made(n, 0)
	if u := unionOf(classes); ok && u != "" {
		return "<" + u + ">", true
	}
	return "", false
}

// reassigned is the type of a variable that is made by value and, somewhere in the
// text within, by other constructions too; "" where no others are.
func (w *walker) reassigned(name string, value, within sitter.Node) string {
	classes, ok := w.made(value, 0)
	if !ok {
		return ""
	}
	if w.assigned == nil {
		w.assigned = map[string][]sitter.Node{}
		for n, end := sitter.Root, w.t.After(sitter.Root); n < end; n++ {
			if w.kind(n) != kAssignment {
				continue
			}
			l, r := w.t.Child(n, fLeft), w.t.Child(n, fRight)
			if l != sitter.None && r != sitter.None && w.kind(l) == kIdentifier {
				switch w.kind(r) {
				case kNew, kTernary, kBinary, kParenthesized:
					w.assigned[w.text(l)] = append(w.assigned[w.text(l)], r)
				default:
				}
			}
		}
	}
	for _, r := range w.assigned[name] {
		if r >= within && r < w.t.After(within) {
			more, _ := w.made(r, 0)
			classes = append(classes, more...)
		}
	}
	return unionOf(classes)
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
