package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// between stands between the alternatives of a type text.
const between = " | "

// choice renders an expression that constructs one of several classes as the type
// text of them all: "K() | L()". "" is any other.
func (x *extractor) choice(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	switch x.t.Kind(n) {
	case kParenthesized:
		return x.choice(x.t.First(n))
	case kConditional:
		first := x.t.First(n)
		if first == sitter.None || x.t.Next(first) == sitter.None {
			return ""
		}
		return either(x.option(first), x.option(x.t.Next(x.t.Next(first))))
	case kBooleanOperator:
		if x.operator(n) == "or" {
			return either(x.option(x.t.Child(n, fLeft)), x.option(x.t.Child(n, fRight)))
		}
	default:
	}
	return ""
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
	all := strings.Split(a, between)
	for _, s := range strings.Split(b, between) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) < 2 || len(all) > 4 {
		return ""
	}
	return strings.Join(all, between)
}

// constructs reports whether each alternative of a text calls what is named like a
// class.
func constructs(s string) bool {
	for _, part := range strings.Split(s, between) {
		callee, ok := strings.CutSuffix(part, "()")
		last := callee[strings.LastIndexByte(callee, '.')+1:]
		if !ok || strings.ContainsAny(callee, "()[]") || last == "" || last[0] < 'A' || last[0] > 'Z' {
			return false
		}
	}
	return true
}

// made is what a hint says of constructions, or "".
func made(h graph.Hint) string {
	switch h.Rule {
	case graph.HintAssigned:
		return h.Type + "()"
	case graph.HintValue:
		return h.Type
	default:
	}
	return ""
}

// rehint sets what a local holds, and remembers what it held before the branch.
func (x *extractor) rehint(b *binding, h graph.Hint) {
	if _, ok := x.branch[b]; x.branch != nil && !ok {
		x.branch[b] = b.hint
	}
	b.hint = h
}

// join collects what locals hold at the ends of the branches of one statement.
type join struct {
	branches int
	whole    bool // one of the branches is taken in any case
	order    []*binding
	ends     map[*binding][]graph.Hint
}

// branchOf walks a branch, which starts from what locals hold before all of them.
func (x *extractor) branchOf(j *join, n sitter.Node) {
	outer := x.branch
	x.branch = map[*binding]graph.Hint{}
	x.visit(n)
	for b, before := range x.branch {
		if j.ends == nil {
			j.ends = map[*binding][]graph.Hint{}
		}
		if j.ends[b] == nil {
			j.order = append(j.order, b)
		}
		j.ends[b] = append(j.ends[b], b.hint)
		b.hint = before
	}
	j.branches++
	x.branch = outer
}

// joinBranches lets locals hold what any branch may have left, where all of it is
// constructed, and else what the last one did.
func (x *extractor) joinBranches(j *join) {
	for _, b := range j.order {
		ends := j.ends[b]
		h := ends[len(ends)-1]
		if !j.whole || len(ends) < j.branches {
			ends = append(ends, b.hint)
		}
		all := made(ends[0])
		for _, e := range ends[1:] {
			if more := made(e); more != all {
				if u := either(all, more); u != "" {
					all = u
				} else {
					break
				}
			}
		}
		if strings.Contains(all, between) {
			h = graph.Hint{Rule: graph.HintValue, Type: all}
		}
		x.rehint(b, h)
	}
}

// unbind notes that del takes names of the module away.
func (x *extractor) unbind(n sitter.Node) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		if !x.scope.isLocal(x.b.Text(n)) {
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
