package swift

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func declare(r *rules.Reader, name, typ, value sitter.Node) {
	hint := graph.Hint{Rule: graph.HintLocal}
	if r.Is(typ, "user_type", "optional_type") {
		hint = graph.Hint{Rule: graph.HintDeclared, Type: strings.TrimRight(r.Text(typ), "?!")}
	} else if made := madeBy(r, value); made != "" && typ == sitter.None {
		hint = graph.Hint{Rule: graph.HintAssigned, Type: made}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
}

// madeBy returns F of F(…), or "".
func madeBy(r *rules.Reader, value sitter.Node) string {
	if r.Is(value, "constructor_expression") {
		if typ := r.Find(value, "constructed_type"); typ != sitter.None {
			name, _, _ := strings.Cut(r.Text(typ), "<")
			return name
		}
	}
	if !r.Is(value, "call_expression") {
		return ""
	}
	callee := r.Tree.First(value)
	if callee == sitter.None || !r.Is(callee, "simple_identifier", "navigation_expression") {
		return ""
	}
	return strings.TrimSuffix(r.Qualifier(r.Start(callee), r.Tree.End(callee)), ".init")
}

// parameter reads a b: T, where b is what the function knows.
func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := sitter.None, sitter.None
	for c := range r.All(n, "name") {
		if r.Is(c, "simple_identifier") {
			name = c
		} else {
			typ = c
		}
	}
	r.Visit(typ)
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.Visit(r.Find(n, "value"))
	return true
}

func lambda(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	for _, name := range [...]string{"$0", "$1", "$2", "$3"} {
		r.Scopes.Declare(spec.Local{Name: name, Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
	}
	r.Children(n)
	r.Scopes.Close()
	return true
}

// condition reads if let a = b { }: a is known behind its value.
func condition(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	guard(r, n)
	r.Scopes.Close()
	return true
}

// guard reads guard let a = b, which binds a for the rest of the block.
func guard(r *rules.Reader, n sitter.Node) bool {
	bound := r.Find(n, "bound_identifier")
	pending := sitter.None
	for c := range r.Tree.Children(n) {
		switch {
		case bound != sitter.None && isBound(r, n, c):
			pending = c
			continue
		case r.Is(c, "value_binding_pattern", "self_expression"):
		default:
			r.Visit(c)
		}
		if pending != sitter.None && !r.Is(c, "value_binding_pattern") {
			if r.Text(pending) != "self" {
				declare(r, pending, sitter.None, c)
			}
			pending = sitter.None
		}
	}
	return true
}

func isBound(r *rules.Reader, n, c sitter.Node) bool {
	for b := range r.All(n, "bound_identifier") {
		if b == c {
			return true
		}
	}
	return false
}

func loop(r *rules.Reader, n sitter.Node) bool {
	item, list := r.Find(n, "item"), r.Find(n, "collection")
	r.Visit(list)
	r.Scopes.Open()
	for _, name := range identifiers(r, item, nil) {
		declare(r, name, sitter.None, sitter.None)
	}
	r.ChildrenBut(n, item, list)
	r.Scopes.Close()
	return true
}

// pattern reads .case(let a), whose names are bound.
func pattern(r *rules.Reader, n sitter.Node) bool {
	for _, name := range identifiers(r, n, nil) {
		r.Bind(name)
	}
	for c := n + 1; c < r.Tree.After(n); c++ {
		if r.Is(c, "user_type") {
			r.Visit(c)
		}
	}
	return true
}

// call reads f(…), a.f(…) and f { … }.
func call(r *rules.Reader, n sitter.Node) bool {
	callee, count := r.Tree.First(n), 0
	if args := r.Find(n, "<call_suffix>/<value_arguments>"); args != sitter.None {
		count = r.CountChildren(args)
	}
	if r.Find(n, "<call_suffix>/<lambda_literal>") != sitter.None {
		count++
	}
	switch {
	case callee == sitter.None:
		return true
	case subscripts(r, n):
		r.Visit(callee)
	case r.Is(callee, "simple_identifier"):
		r.Call(callee, count)
	case r.Is(callee, "navigation_expression"):
		access(r, callee, graph.UseCall, count)
	default:
		if !r.Is(callee, "call_expression") {
			r.AddValueCall()
		}
		r.Visit(callee)
	}
	r.ChildrenBut(n, callee)
	return true
}

// subscripts reports whether a call is one of a subscript: a[…].
func subscripts(r *rules.Reader, n sitter.Node) bool {
	args := r.Find(n, "<call_suffix>/<value_arguments>")
	return args != sitter.None && strings.HasPrefix(r.Text(args), "[")
}

func navigation(r *rules.Reader, n sitter.Node) bool {
	access(r, n, graph.UseRead, -1)
	return true
}

func access(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	object, name := r.Find(n, "target"), r.Find(n, "suffix/suffix")
	if object == sitter.None || !r.Is(name, "simple_identifier") {
		r.Children(n)
		return
	}
	r.Visit(object)
	r.Member(name, object, use, args)
}

// construct reads T<U>(…).
func construct(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "constructed_type")
	count := 0
	if args := r.Find(n, "<constructor_suffix>/<value_arguments>"); args != sitter.None {
		count = r.CountChildren(args)
	}
	if r.Is(typ, "user_type") {
		r.TypeName(typ, graph.UseCall, count)
	} else {
		r.Visit(typ)
	}
	r.ChildrenBut(n, typ)
	return true
}

// typeItem reads an element of a tuple of types, which may have a name.
func typeItem(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		if !r.Is(c, "simple_identifier") {
			r.Visit(c)
		}
	}
	return true
}

func attribute(r *rules.Reader, n sitter.Node) bool {
	if typ := r.Find(n, "<user_type>"); typ != sitter.None {
		r.TypeName(typ, graph.UseDecorator, -1)
	}
	return true
}
