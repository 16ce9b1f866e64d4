package typescript

import (
	"iter"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// maxPositions bounds the elements of an array literal that are told apart.
const maxPositions = 8

// positions lists the elements of an array literal or pattern with their places, which
// those left out count for too.
func (w *walker) positions(n sitter.Node) iter.Seq2[sitter.Node, int] {
	return func(yield func(sitter.Node, int) bool) {
		i, from := 0, w.t.Start(n)
		for c := range w.t.Children(n) {
			i += strings.Count(w.b.Slice(from, w.t.Start(c)), ",")
			from = w.t.End(c)
			if w.kind(c) != kComment && !yield(c, i) {
				return
			}
		}
	}
}

// indexed writes the step of a subscript: "[2]", or "[]" where the text does not say
// which element it is.
func (w *walker) indexed(n sitter.Node) string {
	index := w.t.Child(n, fIndex)
	if index == sitter.None || w.kind(index) != kNumber || w.t.End(index)-w.t.Start(index) > 3 {
		return "[]"
	}
	return "[" + w.text(index) + "]"
}

// arrayExpr writes an array literal: "[a,b]" by its elements in order, and "[a]" where
// each may be the same. Those that are not known are "?".
func (w *walker) arrayExpr(n sitter.Node, depth int) string {
	var any choice
	var list []string
	ordered := true
	for c, i := range w.positions(n) {
		if ordered = ordered && i == len(list) && i < maxPositions && w.kind(c) != kSpread; !ordered && any.open {
			break
		}
		if w.isNothing(c) {
			list = append(list, unknown)
			continue
		}
		e, ok := "", false
		if w.kind(c) == kSpread {
			if e, ok = w.exprAt(w.t.First(c), depth+1); ok {
				e += "[]"
			}
		} else {
			e, ok = w.exprAt(c, depth+1)
		}
		if !ok {
			e = unknown
		}
		any.add(e, ok)
		list = append(list, e)
	}
	one, ok := any.expr()
	if !ok || one == `""` || one == "0" || len(one)+2 > maxExpr {
		return "[]"
	}
	if s := "[" + strings.Join(list, ",") + "]"; ordered && len(any.known) > 0 && strings.HasPrefix(one, "(") && len(s) <= maxExpr {
		return s
	}
	return "[" + one + "]"
}

// orElse is the hint of a variable that is given something else later.
func orElse(h graph.Hint) graph.Hint {
	if expr, ok := hintExpr(h); ok {
		return aliasHint("(" + expr + "||" + unknown + ")")
	}
	return h
}

// givenElsewhere reports whether the text within assigns to a name.
func (w *walker) givenElsewhere(name string, within sitter.Node) bool {
	if w.assigned == nil {
		w.noteAssigned()
	}
	for _, a := range w.assigned[name] {
		if a.at >= within && a.at < w.t.After(within) {
			return true
		}
	}
	return false
}
