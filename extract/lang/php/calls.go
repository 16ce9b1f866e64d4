package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// declare binds a variable to a type, or to what it is set to.
func declare(r *rules.Reader, name, typ, value sitter.Node) {
	hint := graph.Hint{Rule: graph.HintLocal}
	switch {
	case typ != sitter.None && !strings.ContainsAny(r.Text(typ), "|&"):
		hint = graph.Hint{Rule: graph.HintDeclared, Type: strings.TrimPrefix(r.Text(typ), "?")}
	case r.Is(value, "object_creation_expression"):
		if class := r.Find(value, "<name>|<qualified_name>"); class != sitter.None && !ownClass(r.Text(class)) {
			hint = graph.Hint{Rule: graph.HintAssigned, Type: r.Text(class)}
		}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
}

// variableName reads $a: what is not known is a local all the same.
func variableName(r *rules.Reader, n sitter.Node) bool {
	if name := r.Text(n); name != "$this" && r.Scopes.Lookup(name) == nil {
		declare(r, n, sitter.None, sitter.None)
	}
	return true
}

func ownClass(name string) bool { return name == "static" || name == "self" || name == "parent" }

// arrow reads fn ($a) => …, which sees the variables around it.
func arrow(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	r.Children(n)
	r.Scopes.Close()
	return true
}

func assignment(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	if left == sitter.None {
		return false
	}
	switch {
	case r.Is(left, "member_access_expression"):
		access(r, left, graph.UseWrite, -1)
		r.Visit(right)
	case r.Is(left, "variable_name"):
		r.Visit(right)
		declare(r, left, sitter.None, right)
	default:
		r.Visit(left)
		r.Visit(right)
	}
	return true
}

// foreach binds the variables of foreach ($list as $k => $v).
func foreach(r *rules.Reader, n sitter.Node) bool {
	body := r.Find(n, "body")
	for c := range r.Tree.Children(n) {
		if c == body {
			break
		}
		r.Visit(c)
		for v := c; v < r.Tree.After(c); v++ {
			if r.Is(v, "variable_name") && r.Scopes.Lookup(r.Text(v)) == nil {
				declare(r, v, sitter.None, sitter.None)
			}
		}
	}
	r.Visit(body)
	return true
}

func catch(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	r.Visit(typ)
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.Visit(r.Find(n, "body"))
	return true
}

func countArgs(r *rules.Reader, n sitter.Node) int {
	args := r.Find(n, "arguments")
	if args == sitter.None {
		args = r.Find(n, "<arguments>")
	}
	if args == sitter.None {
		return 0
	}
	return r.CountChildren(args)
}

func functionCall(r *rules.Reader, n sitter.Node) bool {
	callee := r.Find(n, "function")
	if callee == sitter.None {
		return false
	}
	args := r.Find(n, "arguments")
	switch {
	case r.Is(callee, "name"):
		if r.Text(callee) == "define" && args != sitter.None {
			defineConstant(r, n, args)
		}
		r.Call(callee, countArgs(r, n))
	case r.Is(callee, "qualified_name"):
		r.Call(callee, countArgs(r, n))
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.Visit(args)
	return true
}

// defineConstant reads define('NAME', …).
func defineConstant(r *rules.Reader, n, args sitter.Node) {
	name := r.Find(args, "~string_content")
	if name == sitter.None || r.InFunction() || r.Start(name) > r.Start(args)+3 || r.Text(name) == "" {
		return
	}
	r.Define(n, graph.Def{Name: r.Text(name), Local: r.Text(name), Kind: graph.KindConstant, Span: r.Span(n), NameSpan: r.Span(name), Doc: r.DocAbove(r.Start(n))})
}

// creation reads new C(…), and new class { … }.
func creation(r *rules.Reader, n sitter.Node) bool {
	class := r.Find(n, "<name>|<qualified_name>")
	switch {
	case class == sitter.None:
		if body := r.Find(n, "<declaration_list>"); body != sitter.None {
			r.Visit(r.Find(n, "<arguments>"))
			for _, at := range [...]rules.Path{"<base_clause>/<name>", "<base_clause>/<qualified_name>"} {
				for base := range r.All(n, at) {
					r.Name(base, graph.UseType)
				}
			}
			r.Within(graph.NoDef, true, func() { r.Visit(body) })
			return true
		}
		r.AddValueCall()
		r.Children(n)
		return true
	case !ownClass(r.Text(class)):
		r.Call(class, countArgs(r, n))
	}
	r.ChildrenBut(n, class)
	return true
}

// member reads $a->b, $a->b(), A::b() and A::$b.
func member(r *rules.Reader, n sitter.Node) bool {
	use, args := graph.UseRead, -1
	if r.Is(n, "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression") {
		use, args = graph.UseCall, countArgs(r, n)
	}
	return access(r, n, use, args)
}

func access(r *rules.Reader, n sitter.Node, use graph.Use, args int) bool {
	name, object := r.Find(n, "name"), r.Find(n, "object")
	if object == sitter.None {
		object = r.Find(n, "scope")
	}
	if name == sitter.None || object == sitter.None {
		return false
	}
	r.Visit(object)
	switch {
	case r.Is(name, "name"):
		r.Member(name, object, use, args)
	case r.Is(name, "variable_name") && use == graph.UseRead && r.Tree.End(name) > r.Start(name)+1:
		field(r, name, object)
	case use == graph.UseCall:
		r.AddValueCall()
		r.Visit(name)
	default:
		r.Visit(name)
	}
	r.Visit(r.Find(n, "arguments"))
	return true
}

// field reads A::$b, whose name is b.
func field(r *rules.Reader, name, object sitter.Node) {
	for c := range r.Tree.Children(name) {
		r.Member(c, object, graph.UseRead, -1)
		return
	}
}

// constantAccess reads A::B; A::class is the name of A.
func constantAccess(r *rules.Reader, n sitter.Node) bool {
	var parts []sitter.Node
	for c := range r.Tree.Children(n) {
		parts = append(parts, c)
	}
	if len(parts) != 2 {
		return false
	}
	r.Visit(parts[0])
	if r.Is(parts[1], "name") && r.Text(parts[1]) != "class" {
		r.Member(parts[1], parts[0], graph.UseRead, -1)
	}
	return true
}

func named(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<name>|<qualified_name>")
	if name != sitter.None && !ownClass(r.Text(name)) {
		r.Name(name, graph.UseType)
	}
	return true
}

func attribute(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<name>|<qualified_name>")
	if name != sitter.None {
		r.Name(name, graph.UseDecorator)
	}
	r.ChildrenBut(n, name)
	return true
}

// include reads require 'a.php' and include __DIR__ . '/a.php'.
func include(r *rules.Reader, n sitter.Node) bool {
	text := r.Find(n, "~string_content")
	if text != sitter.None {
		if module := strings.TrimPrefix(r.Text(text), "/"); module != "" {
			r.AddImport(graph.Import{Module: module, Span: r.Span(n), Flags: graph.ImportDynamic})
		}
	}
	return false
}
