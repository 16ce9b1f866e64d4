package csharp

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// visitType reads a type: its names are types.
func visitType(r *rules.Reader, n sitter.Node) {
	switch {
	case n == sitter.None:
	case r.Is(n, "identifier"):
		r.Name(n, graph.UseType)
	case r.Is(n, "generic_name"):
		generic(r, n)
	case r.Is(n, "qualified_name"):
		r.Name(n, graph.UseType)
	default:
		for c := range r.Tree.Children(n) {
			visitType(r, c)
		}
	}
}

// generic reads A<B, C> where it stands as a type.
func generic(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<identifier>"); name != sitter.None {
		r.Name(name, graph.UseType)
	}
	arguments(r, n)
	return true
}

// arguments reads the type arguments of a generic name.
func arguments(r *rules.Reader, n sitter.Node) {
	if list := r.Find(n, "<type_argument_list>"); list != sitter.None {
		for c := range r.Tree.Children(list) {
			visitType(r, c)
		}
	}
}

func declare(r *rules.Reader, name, typ, value sitter.Node) {
	hint := graph.Hint{Rule: graph.HintLocal}
	switch {
	case typ != sitter.None && !r.Is(typ, "implicit_type", "predefined_type", "array_type"):
		if l := r.Scopes.Lookup(r.Text(typ)); l == nil || !l.Type {
			hint = graph.Hint{Rule: graph.HintDeclared, Type: strings.TrimSuffix(r.Text(typ), "?")}
		}
	case r.Is(value, "object_creation_expression"):
		if made := r.Find(value, "type"); made != sitter.None {
			hint = graph.Hint{Rule: graph.HintDeclared, Type: withoutArguments(r.Text(made))}
		}
	case r.Is(value, "invocation_expression"):
		if callee := r.Find(value, "function"); r.Is(callee, "identifier", "member_access_expression") {
			hint = graph.Hint{Rule: graph.HintAssigned, Type: withoutArguments(r.Qualifier(r.Start(callee), r.Tree.End(callee)))}
		}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
}

// parameter binds a parameter; those of a record are its properties.
func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	visitType(r, typ)
	if name == sitter.None || r.Text(name) == "" {
		return true
	}
	if d := r.EnclosingDef(); d != nil && r.Is(r.Tree.Parent(r.Tree.Parent(n)), "record_declaration") {
		p := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindProperty, Flags: graph.FlagExported}
		if typ != sitter.None {
			p.Type = r.Text(typ)
		}
		r.Define(n, p)
	} else {
		declare(r, name, typ, sitter.None)
	}
	for c := range r.Tree.Children(n) {
		if c != name && c != typ {
			r.Visit(c)
		}
	}
	return true
}

// parameters binds what stands in a list without a node of its own: params int[] rest.
func parameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		if r.Is(c, "identifier") {
			declare(r, c, sitter.None, sitter.None)
		} else if r.Is(c, "array_type") {
			visitType(r, c)
		} else {
			r.Visit(c)
		}
	}
	return true
}

// variables reads int a = 1, b; of a block.
func variables(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	visitType(r, typ)
	for v := range r.All(n, "<variable_declarator>") {
		name, value := r.Find(v, "name"), sitter.None
		for c := range r.Tree.Children(v) {
			if c != name {
				value = c
				r.Visit(c)
			}
		}
		if name != sitter.None {
			declare(r, name, typ, value)
		}
	}
	return true
}

func foreach(r *rules.Reader, n sitter.Node) bool {
	typ, left, right := r.Find(n, "type"), r.Find(n, "left"), r.Find(n, "right")
	visitType(r, typ)
	r.Visit(right)
	r.Scopes.Open()
	if r.Is(left, "identifier") {
		declare(r, left, typ, sitter.None)
	} else {
		r.Visit(left)
	}
	r.Visit(r.Find(n, "body"))
	r.Scopes.Close()
	return true
}

func countArgs(r *rules.Reader, n sitter.Node) int {
	if list := r.Find(n, "arguments"); list != sitter.None {
		return r.CountChildren(list)
	}
	return 0
}

// invocation reads f(…), a.f(…), a?.f(…) and F<T>(…).
func invocation(r *rules.Reader, n sitter.Node) bool {
	callee, count := r.Find(n, "function"), countArgs(r, n)
	switch {
	case callee == sitter.None:
		return false
	case r.Is(callee, "member_access_expression"):
		member(r, callee, graph.UseCall, count)
	case r.Is(callee, "conditional_access_expression"):
		maybe(r, callee, graph.UseCall, count)
	case r.Is(callee, "identifier"):
		if r.Text(callee) != "nameof" || r.Scopes.Lookup("nameof") != nil {
			r.Call(callee, count)
		}
	case r.Is(callee, "generic_name"):
		if name := r.Find(callee, "<identifier>"); name != sitter.None {
			r.Call(name, count)
		}
		arguments(r, callee)
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.Visit(r.Find(n, "arguments"))
	return true
}

// access reads a.b that is not called.
func access(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, -1)
	return true
}

// member reads a.b; this and base are no nodes of their own.
func member(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	object, name := r.Find(n, "expression"), r.Find(n, "name")
	if name == sitter.None {
		r.Children(n)
		return
	}
	id := name
	if r.Is(name, "generic_name") {
		if id = r.Find(name, "<identifier>"); id == sitter.None {
			return
		}
	}
	switch word := r.Slice(r.Start(n), min(r.Start(n)+4, r.Tree.End(n))); {
	case object != sitter.None:
		r.Visit(object)
		r.Member(id, object, use, args)
	case word == "this" || word == "base":
		ref := graph.Ref{Name: r.Text(id), Qualifier: word, Use: use, Span: r.Span(id), Args: int16(min(args, 1<<15-1)), Hint: graph.Hint{Rule: graph.HintLocal}}
		if t := r.EnclosingType(); t != nil {
			ref.Hint = graph.Hint{Rule: graph.HintSelf, Type: t.Local}
			if word == "base" {
				ref.Hint.Rule = graph.HintSuper
			}
		}
		r.AddRef(ref)
	default: // a member of a built-in type: string.Join
		ref := graph.Ref{Name: r.Text(id), Qualifier: r.Qualifier(r.Start(n), r.Start(name)), Use: use, Span: r.Span(id), Args: int16(min(args, 1<<15-1))}
		ref.Qualifier = strings.TrimSuffix(ref.Qualifier, ".")
		ref.Hint = graph.Hint{Rule: graph.HintLiteral, Type: ref.Qualifier}
		r.AddRef(ref)
	}
	if id != name {
		arguments(r, name)
	}
}

func conditional(r *rules.Reader, n sitter.Node) bool {
	maybe(r, n, graph.UseRead, -1)
	return true
}

// maybe reads a?.b.
func maybe(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	object, binding := r.Find(n, "condition"), r.Find(n, "<member_binding_expression>")
	if object == sitter.None || binding == sitter.None {
		for c := range r.Tree.Children(n) {
			r.Visit(c)
		}
		return
	}
	r.Visit(object)
	if name := r.Find(binding, "<generic_name>/<identifier>|<identifier>"); name != sitter.None {
		r.Member(name, object, use, args)
	}
}

func creation(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	switch {
	case r.Is(typ, "generic_name"):
		if name := r.Find(typ, "<identifier>"); name != sitter.None {
			r.Call(name, countArgs(r, n))
		}
		arguments(r, typ)
	case r.Is(typ, "identifier", "qualified_name"):
		r.Call(typ, countArgs(r, n))
	default:
		visitType(r, typ)
	}
	r.ChildrenBut(n, typ)
	return true
}

// initializer reads { A = 1, B = x }: what stands on the left are members of what is made.
func initializer(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		if r.Is(c, "assignment_expression") {
			if left := r.Find(c, "left"); r.Is(left, "identifier") {
				r.ChildrenBut(c, left)
				continue
			}
		}
		r.Visit(c)
	}
	return true
}

func attribute(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name != sitter.None {
		r.Name(name, graph.UseDecorator)
	}
	r.ChildrenBut(n, name)
	return true
}

// argument reads f(name: value), whose name is one of a parameter.
func argument(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Find(n, "name"))
	return true
}

func labeled(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Tree.First(n))
	return true
}

// typeParameters binds the names of type parameters.
func typeParameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.All(n, "<type_parameter>") {
		if name := r.Find(c, "name"); name != sitter.None {
			r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef, Type: true})
		}
	}
	return true
}

func constraints(r *rules.Reader, n sitter.Node) bool {
	first := r.Tree.First(n)
	for c := range r.Tree.Children(n) {
		if c != first {
			visitType(r, c)
		}
	}
	return true
}
