package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// between stands between the alternatives of a type text.
const between = " | "

// unknown is the type text of what is not known. In front of another it says that
// something else may be meant: "?K()".
const unknown = "?"

// orElse is a text of what s says, or of something else.
func orElse(s string) string {
	if rest, ok := strings.CutPrefix(s, "="); ok {
		return "=" + orElse(rest)
	}
	if s == "Self" {
		return "=" + unknown + "self"
	}
	return unknown + strings.TrimPrefix(s, unknown)
}

// inferred reports whether a type text was read off a value: it is no annotation.
func inferred(typ string) bool {
	return strings.HasSuffix(typ, "()") || strings.HasPrefix(typ, "=") || typ == "Self" ||
		strings.Contains(typ, between) && (strings.Contains(typ, "()") || strings.Contains(typ, between+"="))
}

// choice renders an expression that constructs one of several classes as the type
// text of them all: "K() | L()". "" is any other.
func (x *extractor) choice(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	if x.t.Kind(n) == kParenthesized {
		return x.choice(x.t.First(n))
	}
	a, b, ok := x.operands(n)
	if !ok {
		return ""
	}
	return either(x.option(a), x.option(b))
}

// operands returns the two alternatives of a conditional expression or an "or".
func (x *extractor) operands(n sitter.Node) (a, b sitter.Node, ok bool) {
	switch x.t.Kind(n) {
	case kConditional:
		a = x.t.First(n)
		if a == sitter.None || x.t.Next(a) == sitter.None {
			return a, b, false
		}
		b = x.t.Next(x.t.Next(a))
	case kBooleanOperator:
		a, b = x.t.Child(n, fLeft), x.t.Child(n, fRight)
		if x.operator(n) != "or" {
			return a, b, false
		}
	default:
		return a, b, false
	}
	return a, b, a != sitter.None && b != sitter.None
}

// oneOf renders one alternative of a choice as an operand, and whether there is
// another. Of an "and" it is the right side: the left one is nothing, or false.
func (x *extractor) oneOf(n sitter.Node) string {
	a, b, ok := x.operands(n)
	if !ok {
		if x.t.Kind(n) == kBooleanOperator {
			if s := x.expression(x.t.Child(n, fRight)); s != "" {
				return s
			}
			return x.expression(x.t.Child(n, fLeft))
		}
		return ""
	}
	if x.t.Kind(n) == kBooleanOperator {
		a, b = b, a // what stands in for nothing is written out
	}
	first, second := x.expression(a), x.expression(b)
	switch {
	case x.isNothing(a):
		return second
	case first == "" && second == "", x.isNothing(b), first == second:
		return first
	case first == "":
		return orElse(second)
	}
	return orElse(first)
}

func (x *extractor) isNothing(n sitter.Node) bool {
	return x.t.Kind(n) == kNone || x.t.Kind(n) == kFalse || x.t.Kind(n) == kParenthesized && x.t.First(n) != sitter.None && x.isNothing(x.t.First(n))
}

func (x *extractor) option(n sitter.Node) string {
	if s := x.choice(n); s != "" {
		return s
	}
	return x.expression(n)
}

// either joins two texts of constructions, "" where one is something else or both
// are the same.
func either(a, b string) string {
	if !constructs(a) || !constructs(b) {
		return ""
	}
	open := strings.HasPrefix(a, unknown) || strings.HasPrefix(b, unknown)
	all := strings.Split(strings.TrimPrefix(a, unknown), between)
	for _, s := range strings.Split(strings.TrimPrefix(b, unknown), between) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) < 2 || len(all) > 4 {
		return ""
	}
	if open {
		all[0] = orElse(all[0])
	}
	return strings.Join(all, between)
}

// constructs reports whether each alternative of a text calls what is named like a
// class.
func constructs(s string) bool {
	for _, part := range strings.Split(strings.TrimPrefix(s, unknown), between) {
		callee, ok := strings.CutSuffix(part, "()")
		last := callee[strings.LastIndexByte(callee, '.')+1:]
		if !ok || strings.ContainsAny(callee, "()[]") || last == "" || last[0] < 'A' || last[0] > 'Z' {
			return false
		}
	}
	return true
}

// unbind notes that del takes names of the module away.
func (x *extractor) unbind(n sitter.Node) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		if x.scope.isLocal(x.b.Text(n)) {
			x.setHint(x.b.Text(n), graph.Hint{Rule: graph.HintLocal})
		} else {
			x.b.AddRef(graph.Ref{Name: x.b.Text(n), Use: graph.UseWrite, Span: x.b.Span(n), Args: -1})
		}
	case kExpressionList, kTuple, kParenthesized:
		for c := range x.t.Children(n) {
			x.unbind(c)
		}
	default:
	}
}

// markRebound tells calls of names that the file also gives other values: in the scope
// that defines them, or anywhere by global and del.
func (x *extractor) markRebound() {
	refs := x.b.Facts.Refs
	written := map[string]bool{}
	for i := range refs {
		if r := &refs[i]; r.Qualifier == "" && r.Use == graph.UseWrite {
			written[r.Name] = true
		}
	}
	for _, c := range x.called {
		if c.name.rebound() {
			refs[c.ref].Hint = graph.Hint{Rule: graph.HintRebound}
		}
	}
	for i := range refs {
		if r := &refs[i]; r.Qualifier == "" && r.Use.Calls() && r.Hint.Rule == graph.HintNone && written[r.Name] {
			r.Hint = graph.Hint{Rule: graph.HintRebound}
		}
	}
}

// markReplaced flags the methods whose names the file also assigns as attributes: of
// which class or object is for the resolver to tell.
func (x *extractor) markReplaced() {
	var members map[string]bool
	for i := range x.b.Facts.Refs {
		if r := &x.b.Facts.Refs[i]; r.Use == graph.UseReplace {
			if members == nil {
				members = map[string]bool{}
			}
			members[r.Name] = true
		}
	}
	for i := range x.b.Facts.Defs {
		if d := &x.b.Facts.Defs[i]; d.Kind == graph.KindMethod && members[d.Name] {
			d.Flags |= graph.FlagRebound
		}
	}
}
