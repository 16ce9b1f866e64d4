// Package hcl extracts the facts of HCL files, Terraform's above all: blocks under the
// address by which others refer to them, locals, attributes of the file, references
// by address, and the directories that modules are taken from, with the variables that
// these are given and the outputs that they give.
//
// Only extract calls it.
package hcl

import (
	"slices"
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
		Name: "hcl", Version: "hcl/3", Grammar: sitter.HCL(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"block":         {Visit: block},
			"attribute":     {Visit: attribute},
			"expression":    {Visit: expression},
			"function_call": {Call: "<identifier>", Args: "<function_arguments>"},
			"object_elem":   {Visit: element},
			"get_attr":      {Opaque: true},

			"for_tuple_expr":  {Open: true},
			"for_object_expr": {Open: true},
			"for_intro":       {Bind: "<identifier>"},
		},
		Names: map[string]graph.Use{"identifier": graph.UseRead},
		Kinds: []string{"identifier", "string_lit", "variable_expr", "get_attr", "splat", "index", "object_elem", "operation", "binary_operation", "unary_operation", "conditional"},
		Paths: []rules.Path{"<identifier>", "<body>", "<expression>", "key", "val", "<variable_expr>/<identifier>", "<template_literal>", "~template_literal", "~get_attr/<identifier>"},
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
	if kind == "provider" && !inner {
		alias(r, body, &d)
	}
	def := r.Define(n, d)
	r.Within(def, false, func() {
		switch {
		case kind == "module" && !inner:
			module(r, body, name.text)
		case kind == "dynamic":
			r.Scopes.Open()
			defer r.Scopes.Close()
			iterator(r, body, name.text)
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

// attribute reads name = value: of locals as local.name, else as a key of its block.
func attribute(r *rules.Reader, n sitter.Node) bool {
	id, value := r.Find(n, "<identifier>"), r.Find(n, "<expression>")
	if id == sitter.None || r.Text(id) == "" {
		return false
	}
	if r.Enclosing() != graph.NoDef {
		argument(r, r.Text(id), value)
		return true
	}
	d := graph.Def{Name: r.Text(id), Kind: graph.KindVariable, Span: r.Span(n), NameSpan: r.Span(id), Doc: r.DocAbove(r.Start(n))}
	if inLocals(r, n) {
		d.Local = "local." + d.Name
	} else {
		d.Kind = graph.KindKey
	}
	r.Within(r.Define(n, d), false, func() {
		if strings.HasSuffix(string(r.Path), ".tfvars") {
			r.AddRef(graph.Ref{Name: d.Name, Qualifier: "var", Use: graph.UseWrite, Span: d.NameSpan})
		}
		r.Visit(value)
	})
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
	if key := r.Find(n, "key"); key != sitter.None && (strings.HasPrefix(r.Text(key), "(") || strings.HasPrefix(r.Text(key), "\"")) {
		r.Visit(key)
	}
	if value := r.Find(n, "val"); value != sitter.None {
		r.Visit(value)
		return true
	}
	return false
}

// expression reads an address as one reference: to name in type.name.attribute, with
// what stands before it as its qualifier. module.name.output is one to each.
func expression(r *rules.Reader, n sitter.Node) bool {
	a := &addresses{r: r}
	a.walk(n)
	a.flush()
	return true
}

// addresses joins the parts of addresses: to the parser, what stands behind the last
// operand of an operation is a part of the operation.
type addresses struct {
	r     *rules.Reader
	names []sitter.Node // of the address that is read
	end   uint32        // behind what was read of it
}

func (a *addresses) walk(n sitter.Node) {
	r := a.r
	for c := range r.Tree.Children(n) {
		follows := len(a.names) > 0 && r.Tree.Start(c) == a.end
		switch {
		case r.Is(c, "operation", "binary_operation", "unary_operation", "conditional"):
			a.walk(c)
			continue
		case r.Is(c, "variable_expr"):
			a.flush()
			a.names = append(a.names, r.Find(c, "<identifier>"))
		case follows && r.Is(c, "get_attr"):
			a.names = append(a.names, r.Find(c, "<identifier>"))
		case follows && r.Is(c, "splat"):
			a.names = append(a.names, r.Find(c, "~get_attr/<identifier>"))
			r.Visit(c)
		case follows && r.Is(c, "index"):
			r.Visit(c)
		default:
			a.flush()
			r.Visit(c)
		}
		a.end = r.Tree.End(c)
	}
}

func (a *addresses) flush() {
	if len(a.names) > 0 {
		refer(a.r, a.names[0], a.names[1:])
	}
	a.names = nil
}

// refer adds the references of an address: its first name, and the attributes behind it.
func refer(r *rules.Reader, head sitter.Node, attrs []sitter.Node) {
	attrs = slices.DeleteFunc(attrs, func(a sitter.Node) bool { return a == sitter.None })
	steps := 1
	switch r.Text(head) {
	case "data":
		steps = 2
	case "each", "count", "self", "path", "terraform":
		return
	}
	steps = min(steps, len(attrs))
	switch {
	case r.Scopes.Lookup(r.Text(head)) != nil:
	case steps == 0:
		r.Name(head, graph.UseRead)
	default:
		before := append([]sitter.Node{head}, attrs...)[steps-1]
		r.MemberOf(attrs[steps-1], head, r.Tree.End(before), graph.UseRead, -1)
		if r.Text(head) == "module" && len(attrs) > 1 {
			r.AddRef(graph.Ref{Name: r.Text(attrs[1]), Qualifier: "module." + r.Text(attrs[0]), Use: graph.UseRead, Span: r.Span(attrs[1])})
		}
	}
}
