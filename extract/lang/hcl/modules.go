package hcl

import (
	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// module adds the import of the directory that a module is taken from, and what the block
// sets: variables of the module, but for what is Terraform's own.
func module(r *rules.Reader, body sitter.Node, name string) {
	for id, value := range attributes(r, body) {
		switch r.Text(id) {
		case "source":
			if text := r.Find(value, "~template_literal"); text != sitter.None {
				r.Builder.AddImport(graph.Import{Module: r.Text(text), Span: r.SpanBetween(r.Start(id), r.Tree.End(value))})
			}
		case "version", "count", "for_each", "providers", "depends_on":
		default:
			r.AddRef(graph.Ref{Name: r.Text(id), Qualifier: "module." + name, Use: graph.UseWrite, Span: r.Span(id)})
		}
	}
}

// attributes yields the names and values that stand directly in a body.
func attributes(r *rules.Reader, body sitter.Node) func(yield func(id, value sitter.Node) bool) {
	return func(yield func(id, value sitter.Node) bool) {
		if body == sitter.None {
			return
		}
		for a := range r.Tree.Children(body) {
			id, value := r.Find(a, "<identifier>"), r.Find(a, "<expression>")
			if id != sitter.None && value != sitter.None && !yield(id, value) {
				return
			}
		}
	}
}

// alias gives a provider that has one the address that tells it from others of its kind.
func alias(r *rules.Reader, body sitter.Node, d *graph.Def) {
	for id, value := range attributes(r, body) {
		if text := r.Find(value, "~template_literal"); r.Text(id) == "alias" && text != sitter.None {
			d.Name, d.NameSpan = r.Text(text), r.Span(text)
			d.Local += "." + d.Name
		}
	}
}

// iterator binds the name that a dynamic block gives to what it goes through.
func iterator(r *rules.Reader, body sitter.Node, name string) {
	for id, value := range attributes(r, body) {
		if r.Text(id) == "iterator" {
			name = r.Text(value)
		}
	}
	r.Scopes.Declare(spec.Local{Name: name, Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
}

// argument reads what an attribute of a block is set to. Some attributes name types,
// providers, or attributes of the block itself.
func argument(r *rules.Reader, name string, value sitter.Node) {
	switch around := r.EnclosingDef(); {
	case name == "type" && around.Kind == graph.KindVariable, name == "ignore_changes", name == "configuration_aliases":
	case name == "provider" && around.Kind == graph.KindStruct:
		provider(r, value)
	case name == "providers" && around.Kind == graph.KindModule:
		for c := value + 1; c < r.Tree.After(value); c++ {
			if r.Is(c, "object_elem") {
				provider(r, r.Find(c, "val"))
			}
		}
	default:
		r.Visit(value)
	}
}

// provider reads the name of a provider, or that with an alias.
func provider(r *rules.Reader, value sitter.Node) {
	head := r.Find(value, "<variable_expr>/<identifier>")
	if head == sitter.None {
		return
	}
	at, qualifier := head, "provider"
	if name := r.Find(value, "~get_attr/<identifier>"); name != sitter.None {
		at, qualifier = name, "provider."+r.Text(head)
	}
	r.AddRef(graph.Ref{Name: r.Text(at), Qualifier: qualifier, Use: graph.UseRead, Span: r.Span(at)})
}
