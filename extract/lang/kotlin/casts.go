package kotlin

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// What is tests of a local say holds where they are true.

// narrow binds again, in the innermost scope, the locals that a condition says the type of,
// where it holds; with not, where it does not.
func narrow(r *rules.Reader, n sitter.Node, not bool) {
	switch {
	case n == sitter.None:
	case r.Is(n, "check_expression"):
		first, typ := r.Tree.First(n), r.Find(n, "<user_type>|<nullable_type>")
		if !r.Is(first, "simple_identifier") || typ == sitter.None {
			return
		}
		between := strings.TrimSpace(r.Slice(r.Tree.End(first), r.Start(typ)))
		if between == "is" && !not || between == "!is" && not {
			cast(r, first, typ)
		}
	case r.Is(n, "conjunction_expression") && !not, r.Is(n, "disjunction_expression") && not, r.Is(n, "parenthesized_expression"):
		for c := range r.Tree.Children(n) {
			narrow(r, c, not)
		}
	}
}

func cast(r *rules.Reader, name, typ sitter.Node) {
	if l := r.Scopes.Lookup(r.Text(name)); l != nil && !l.Type {
		bind(r, r.Text(name), typePath(r, typ))
	}
}

// both reads a && b, and a || b: what a says of a local holds in b.
func both(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	for c := range r.Tree.Children(n) {
		r.Visit(c)
		narrow(r, c, r.Is(n, "disjunction_expression"))
	}
	r.Scopes.Close()
	return true
}

// choice reads if (a) b else c.
func choice(r *rules.Reader, n sitter.Node) bool {
	condition := r.Tree.First(n)
	r.Visit(condition)
	k, left := 0, false
	for c := range r.Tree.Children(n) {
		if c == condition {
			continue
		}
		r.Scopes.Open()
		narrow(r, condition, k > 0)
		r.Visit(c)
		r.Scopes.Close()
		if k == 0 {
			left = leaves(r, c)
		}
		k++
	}
	if k == 1 && left {
		narrow(r, condition, true)
	}
	return true
}

// leaves reports whether what stands in a branch ends the block around.
func leaves(r *rules.Reader, body sitter.Node) bool {
	last := body
	for r.Is(last, "control_structure_body", "statements") {
		end := sitter.None
		for c := range r.Tree.Children(last) {
			end = c
		}
		if end == sitter.None {
			return false
		}
		last = end
	}
	return r.Is(last, "jump_expression")
}

// when reads when (x) { is A -> … }.
func when(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	defer r.Scopes.Close()
	subject := r.Find(n, "<when_subject>")
	name := sitter.None
	if subject != sitter.None {
		declared := r.Find(subject, "<variable_declaration>")
		for c := range r.Tree.Children(subject) {
			if c != declared {
				r.Visit(c)
				if name = c; declared != sitter.None {
					name = r.Find(declared, "<simple_identifier>")
					declare(r, name, r.Find(declared, "<user_type>|<nullable_type>"), c)
				}
			}
		}
	}
	for c := range r.Tree.Children(n) {
		if c == subject {
			continue
		}
		r.Scopes.Open()
		if typ := r.Find(c, "<when_condition>/<type_test>/<user_type>"); r.Is(name, "simple_identifier") && typ != sitter.None && single(r, c) {
			cast(r, name, typ)
		} else if condition := r.Find(c, "<when_condition>"); subject == sitter.None && condition != sitter.None && single(r, c) {
			r.Visit(condition)
			narrow(r, r.Tree.First(condition), false)
			r.ChildrenBut(c, condition)
			r.Scopes.Close()
			continue
		}
		r.Children(c)
		r.Scopes.Close()
	}
	return true
}

// single reports whether an entry of when has one condition, which says is and not !is.
func single(r *rules.Reader, n sitter.Node) bool {
	count := 0
	for c := range r.All(n, "<when_condition>") {
		count++
		if strings.HasPrefix(strings.TrimSpace(r.Text(c)), "!is") {
			return false
		}
	}
	return count == 1
}
