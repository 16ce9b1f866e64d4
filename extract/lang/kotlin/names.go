package kotlin

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// declare binds a parameter or local by its type, or by what it is set to.
func declare(r *rules.Reader, name, typ, value sitter.Node) {
	hint := graph.Hint{Rule: graph.HintLocal}
	if typ != sitter.None {
		hint = graph.Hint{Rule: graph.HintDeclared, Type: strings.TrimSuffix(typeText(r, typ), "?")}
	} else if made := madeBy(r, value); made != "" {
		hint = graph.Hint{Rule: graph.HintAssigned, Type: strings.TrimSuffix(made, "()")}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
}

// madeBy returns "F()" of a call of F, or "".
func madeBy(r *rules.Reader, value sitter.Node) string {
	if !r.Is(value, "call_expression") {
		return ""
	}
	callee := r.Tree.First(value)
	if callee == sitter.None || !r.Is(callee, "simple_identifier", "navigation_expression") {
		return ""
	}
	return r.Qualifier(r.Start(callee), r.Tree.End(callee)) + "()"
}

func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "<simple_identifier>"), r.Find(n, "<user_type>|<nullable_type>")
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.ChildrenBut(n, name)
	return true
}

// lambda reads { a, b -> … }, or { it … }.
func lambda(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	r.Scopes.Declare(spec.Local{Name: "it", Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
	r.Children(n)
	r.Scopes.Close()
	return true
}

func loop(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	r.Children(n)
	r.Scopes.Close()
	return true
}

func catch(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	name, typ := r.Find(n, "<simple_identifier>"), r.Find(n, "<user_type>")
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.ChildrenBut(n, name)
	r.Scopes.Close()
	return true
}

// call reads f(…), a.f(…) and f { … }.
func call(r *rules.Reader, n sitter.Node) bool {
	callee, count := r.Tree.First(n), 0
	if args := r.Find(n, "<call_suffix>/<value_arguments>"); args != sitter.None {
		count = r.CountChildren(args)
	}
	if r.Find(n, "<call_suffix>/<annotated_lambda>") != sitter.None {
		count++
	}
	switch {
	case callee == sitter.None:
		return true
	case r.Is(callee, "simple_identifier"):
		r.Call(callee, count)
	case r.Is(callee, "navigation_expression"):
		member(r, callee, graph.UseCall, count)
	default:
		if !r.Is(callee, "call_expression") { // f(x) { … } is a call in a call
			r.AddValueCall()
		}
		r.Visit(callee)
	}
	r.ChildrenBut(n, callee)
	return true
}

func navigation(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, -1)
	return true
}

func member(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	object, name := r.Tree.First(n), r.Find(n, "<navigation_suffix>/<simple_identifier>")
	if object == sitter.None || name == sitter.None {
		r.Children(n)
		return
	}
	r.Visit(object)
	r.Member(name, object, use, args)
}

// construct reads Base(…) in the head of a class.
func construct(r *rules.Reader, n sitter.Node) bool {
	if typ := r.Find(n, "<user_type>"); typ != sitter.None {
		count := 0
		if args := r.Find(n, "<value_arguments>"); args != sitter.None {
			count = r.CountChildren(args)
		}
		r.TypeName(typ, graph.UseCall, count)
	}
	r.ChildrenBut(n, r.Find(n, "<user_type>"))
	return true
}

// argument reads f(name = value), whose name is one of a parameter.
func argument(r *rules.Reader, n sitter.Node) bool {
	first := r.Tree.First(n)
	if first != sitter.None && r.Is(first, "simple_identifier") && int(r.Tree.After(first)) < int(r.Tree.After(n)) {
		r.ChildrenBut(n, first)
		return true
	}
	return false
}

func annotation(r *rules.Reader, n sitter.Node) bool {
	if typ := r.Find(n, "<constructor_invocation>/<user_type>|<user_type>"); typ != sitter.None {
		r.TypeName(typ, graph.UseDecorator, -1)
	}
	for c := range r.Tree.Children(n) {
		if r.Is(c, "constructor_invocation") {
			r.ChildrenBut(c, r.Find(c, "<user_type>"))
		}
	}
	return true
}
