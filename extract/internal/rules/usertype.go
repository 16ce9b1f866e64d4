package rules

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// The grammars of Kotlin and Swift have the same node for the name of a type, a
// user_type. A table that has it says so of the paths <type_identifier> and
// <type_arguments>.

// UserType reads a user_type where a type is meant.
func UserType(r *Reader, n sitter.Node) bool {
	r.TypeName(n, graph.UseType, -1)
	return true
}

// TypeName reads the user_type A.B<C>: B is what is named, of A. args is the number of
// arguments of a call, and -1 for other uses.
func (r *Reader) TypeName(n sitter.Node, use graph.Use, args int) {
	first, before, last := sitter.None, sitter.None, sitter.None
	for c := range r.All(n, "<type_identifier>") {
		if first == sitter.None {
			first = c
		}
		before, last = last, c
	}
	switch {
	case last == sitter.None:
	case before == sitter.None && use == graph.UseCall:
		r.Call(last, args)
	case before == sitter.None:
		r.Name(last, use)
	default:
		r.MemberOf(last, first, r.Tree.End(before), use, args)
	}
	r.Visit(r.Find(n, "<type_arguments>"))
}
