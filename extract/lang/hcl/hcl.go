// Package hcl extracts the facts of HCL files, Terraform's above all: blocks under the
// address by which others refer to them, locals, attributes of the file, references
// by address, and the directories that modules are taken from.
//
// Only extract calls it.
package hcl

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for HCL.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	return rules.Table{
		Name: "hcl", Version: "hcl/2", Grammar: sitter.HCL(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"block":         {Visit: block},
			"attribute":     {Visit: attribute},
			"expression":    {Visit: expression},
			"function_call": {Call: "<identifier>", Args: "<function_arguments>"},
			"object_elem":   {Visit: element},
		},
		Names: map[string]graph.Use{"identifier": graph.UseRead},
		Kinds: []string{"identifier", "string_lit", "variable_expr", "get_attr"},
		Paths: []rules.Path{"<identifier>", "<body>", "<expression>", "val", "<variable_expr>/<identifier>", "<template_literal>", "~template_literal"},
	}
}

// label is the text of a block's label with its place.
type label struct {
	text       string
	start, end uint32
}

// block reads a block: resource "type" "name" is referred to as type.name, data "t" "n"
// as data.t.n, variable "v" as var.v.
func block(r *rules.Reader, n sitter.Node) bool {
	id := r.Find(n, "<identifier>")
	if id == sitter.None {
		return false
	}
	kind := r.Text(id)
	labels := labelsOf(r, n, id)
	body := r.Find(n, "<body>")
	inner := r.Enclosing() != graph.NoDef
	if kind == "locals" && len(labels) == 0 && !inner {
		r.Visit(body)
		return true
	}
	name, local := label{kind, r.Start(id), r.Tree.End(id)}, kind
	if len(labels) > 0 {
		name = labels[len(labels)-1]
		local = address(kind, labels)
	}
	if name.text == "" {
		r.Visit(body)
		return true
	}
	d := graph.Def{
		Name: name.text, Local: local, Kind: kindOf(kind), Span: r.Span(n), NameSpan: r.SpanBetween(name.start, name.end),
		Signature: r.Signature(r.Start(n), bodyStart(r, n, body)), Doc: r.DocAbove(r.Start(n)),
	}
	if inner {
		d.Kind, d.Local = graph.KindKey, r.EnclosingDef().Local+"."+local
	}
	def := r.Define(n, d)
	r.Within(def, false, func() {
		if kind == "module" {
			module(r, body)
		}
		r.Visit(body)
	})
	return true
}

func labelsOf(r *rules.Reader, n, id sitter.Node) (out []label) {
	for c := range r.Tree.Children(n) {
		switch {
		case c == id:
		case r.Is(c, "identifier"):
			out = append(out, label{r.Text(c), r.Start(c), r.Tree.End(c)})
		case r.Is(c, "string_lit"):
			if text := r.Find(c, "<template_literal>"); text != sitter.None {
				out = append(out, label{r.Text(text), r.Start(text), r.Tree.End(text)})
			}
		}
	}
	return out
}

// address is what an expression calls a block.
func address(kind string, labels []label) string {
	var parts []string
	switch kind {
	case "resource":
	case "variable":
		parts = []string{"var"}
	default:
		parts = []string{kind}
	}
	for _, l := range labels {
		parts = append(parts, l.text)
	}
	return strings.Join(parts, ".")
}

func kindOf(block string) graph.Kind {
	switch block {
	case "variable", "output":
		return graph.KindVariable
	case "module":
		return graph.KindModule
	}
	return graph.KindStruct
}

func bodyStart(r *rules.Reader, n, body sitter.Node) uint32 {
	if body != sitter.None {
		if i := strings.IndexByte(r.Slice(r.Start(n), r.Start(body)), '{'); i >= 0 {
			return r.Start(n) + uint32(i)
		}
	}
	end := r.Tree.End(n)
	if i := strings.IndexByte(r.Slice(r.Start(n), end), '{'); i >= 0 {
		end = r.Start(n) + uint32(i)
	}
	return end
}

// module adds the import of the directory that a module is taken from.
func module(r *rules.Reader, body sitter.Node) {
	if body == sitter.None {
		return
	}
	for a := range r.Tree.Children(body) {
		id := r.Find(a, "<identifier>")
		if id == sitter.None || r.Text(id) != "source" {
			continue
		}
		if text := r.Find(a, "~template_literal"); text != sitter.None {
			r.AddImport(graph.Import{Module: r.Text(text), Span: r.Span(a)})
		}
	}
}

// attribute reads name = value: of locals as local.name, else as a key of its block.
func attribute(r *rules.Reader, n sitter.Node) bool {
	id, value := r.Find(n, "<identifier>"), r.Find(n, "<expression>")
	if id == sitter.None || r.Text(id) == "" {
		return false
	}
	if r.Enclosing() != graph.NoDef {
		r.Visit(value)
		return true
	}
	d := graph.Def{Name: r.Text(id), Kind: graph.KindVariable, Span: r.Span(n), NameSpan: r.Span(id), Doc: r.DocAbove(r.Start(n))}
	if inLocals(r, n) {
		d.Local = "local." + d.Name
	} else {
		d.Kind = graph.KindKey
	}
	r.Within(r.Define(n, d), false, func() { r.Visit(value) })
	return true
}

func inLocals(r *rules.Reader, n sitter.Node) bool {
	body := r.Tree.Parent(n)
	if body == sitter.None {
		return false
	}
	around := r.Tree.Parent(body)
	if around == sitter.None {
		return false
	}
	id := r.Find(around, "<identifier>")
	return id != sitter.None && r.Text(id) == "locals"
}

// element reads a key and a value of an object: a key that is a name stands for itself.
func element(r *rules.Reader, n sitter.Node) bool {
	if value := r.Find(n, "val"); value != sitter.None {
		r.Visit(value)
		return true
	}
	return false
}

// expression reads an address as one reference: to name in type.name.attribute, with
// what stands before it as its qualifier.
func expression(r *rules.Reader, n sitter.Node) bool {
	head := r.Find(n, "<variable_expr>/<identifier>")
	if head == sitter.None {
		return false
	}
	steps := 1
	switch r.Text(head) {
	case "data":
		steps = 2
	case "each", "count", "self", "path", "terraform":
		return true
	}
	last, before := head, head
	for c := range r.Tree.Children(n) {
		if !r.Is(c, "get_attr") {
			if !r.Is(c, "variable_expr") {
				r.Visit(c)
			}
			continue
		}
		if id := r.Find(c, "<identifier>"); id != sitter.None && steps > 0 {
			before, last = last, id
			steps--
		}
	}
	if last == head {
		r.Name(head, graph.UseRead)
		return true
	}
	r.MemberOf(last, head, r.Tree.End(before), graph.UseRead, -1)
	return true
}
