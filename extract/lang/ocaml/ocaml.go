// Package ocaml extracts the facts of OCaml files and interfaces: modules and module types,
// values, types with their constructors and fields, classes, applications, and what open
// and include name.
//
// A file is the module of its name. Only extract calls it.
package ocaml

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for OCaml.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	block := rules.Rule{Open: true}
	path := rules.Rule{Visit: named}
	return rules.Table{
		Name: "ocaml", Version: "ocaml/4", Grammar: sitter.OCaml(), Comments: []string{"comment"},
		Rules: map[string]rules.Rule{
			"open_module":             {Visit: open},
			"include_module":          {Visit: include},
			"module_binding":          {Define: graph.KindModule, Name: "name", Body: "body", Type: "<module_application>/functor|<module_path>"},
			"module_type_definition":  {Define: graph.KindInterface, Name: "name", Body: "body"},
			"type_binding":            {Visit: typeBinding},
			"constructor_declaration": {Define: graph.KindEnumMember, Name: "<constructor_name>"},
			"exception_definition":    {Visit: exception},
			"field_declaration":       {Define: graph.KindField, Name: "<field_name>", Type: "<type_constructor_path>"},
			"external":                {Define: graph.KindFunction, Name: "<value_name>"},
			"value_specification":     {Visit: specification},
			"value_definition":        {Visit: definition},
			"tag_specification":       {Visit: tagged},
			"let_expression":          block, "match_case": block, "fun_expression": block, "function_expression": block, "for_expression": block,
			"value_pattern":          {Bind: "."},
			"field_pattern":          {Visit: fieldPattern},
			"application_expression": {Visit: application},
			"method_invocation":      {Visit: invocation},
			"infix_expression":       {Visit: infix},
			"new_expression":         {Visit: construct},
			"value_path":             path, "constructor_path": path, "type_constructor_path": path, "module_path": path, "module_type_path": path, "class_path": path,
			"field_path": {Opaque: true}, "label_name": {Opaque: true}, "attribute": {Opaque: true},
			"class_binding":                {Define: graph.KindClass, Name: "name", Body: "body", Open: true},
			"class_type_binding":           {Define: graph.KindInterface, Name: "name", Body: "body"},
			"method_definition":            {Define: graph.KindMethod, Name: "name", Body: "body", Open: true},
			"method_specification":         {Define: graph.KindMethod, Name: "<method_name>"},
			"instance_variable_definition": {Define: graph.KindField, Name: "name"},
			"inheritance_definition":       {Visit: inherits},
		},
		Kinds: []string{
			"value_name", "value_path", "constructor_path", "type_constructor_path", "module_path", "module_type_path", "class_path", "method_invocation", "variant_declaration", "record_declaration", "value_pattern",
			"parameter", "fun_expression", "function_expression", "function_type", "let_binding", "type_constructor", "parenthesized_operator", "value_definition", "typed_pattern", "application_expression",
		},
		Paths: []rules.Path{
			"name", "left", "operator", "right", "pattern", "body", "<value_name>|<parenthesized_operator>", "<tag>", "function", "argument", "<module_path>", "<value_name>", "<let_binding>", "<parameter>", "<constructor_declaration>", "<constructor_name>",
			"<function_type>", "<value_path>", "<method_name>", "<class_path>", "<field_path>/<field_name>",
		},
		Start: start, Finish: declared,
	}
}

// start names the module that the file is.
func start(r *rules.Reader) {
	stem := strings.TrimSuffix(r.Path.Base(), r.Path.Ext())
	if stem != "" {
		r.Facts.Package = strings.ToUpper(stem[:1]) + stem[1:]
	}
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '\'' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func kindOf(text string) graph.Kind {
	if strings.Contains(text, "->") {
		return graph.KindFunction
	}
	return graph.KindVariable
}

func open(r *rules.Reader, n sitter.Node) bool {
	if path := r.Find(n, "<module_path>"); path != sitter.None {
		r.AddImport(graph.Import{Module: r.Text(path), Name: "*", Span: r.Span(n)})
		return true
	}
	return false
}

// include reads include M, which takes all of M into the module around.
func include(r *rules.Reader, n sitter.Node) bool {
	path := r.Find(n, "<module_path>")
	if path == sitter.None {
		return false
	}
	if d := r.EnclosingDef(); d != nil && (d.Kind == graph.KindModule || d.Kind == graph.KindInterface) {
		r.AddBase(r.Enclosing(), path, graph.RelEmbeds)
		return true
	}
	r.AddImport(graph.Import{Module: r.Text(path), Name: "*", Span: r.Span(n), Flags: graph.ImportReexport})
	return true
}

func typeBinding(r *rules.Reader, n sitter.Node) bool {
	name, body := r.Find(n, "name"), r.Find(n, "body")
	if !r.Is(name, "type_constructor") || r.Text(name) == "" {
		return false
	}
	if !introduced(r, r.Start(name)) {
		r.Children(n)
		return true
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindType, Doc: r.DocAbove(r.Start(n))}
	switch {
	case r.Is(body, "variant_declaration"):
		d.Kind = graph.KindEnum
	case r.Is(body, "record_declaration"):
		d.Kind = graph.KindStruct
	}
	if p := r.Tree.Parent(n); p != sitter.None && d.Doc == "" {
		d.Doc = r.DocAbove(r.Start(p))
	}
	def := r.Define(n, d)
	r.Within(def, false, func() { r.ChildrenBut(n, name) })
	return true
}

func exception(r *rules.Reader, n sitter.Node) bool {
	c := r.Find(n, "<constructor_declaration>")
	if c == sitter.None {
		return false
	}
	name := r.Find(c, "<constructor_name>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	def := r.Define(n, graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindType, Doc: r.DocAbove(r.Start(n))})
	r.Within(def, false, func() { r.ChildrenBut(c, name) })
	return true
}

// specification reads val f : t of a signature.
func specification(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<value_name>|<parenthesized_operator>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	text, span := value(r, name)
	d := graph.Def{
		Name: text, NameSpan: span, Span: r.Span(n), Kind: kindOf(r.Slice(r.Start(n), r.Tree.End(n))), Doc: r.DocAbove(r.Start(n)),
		Signature: r.Signature(r.Start(n), r.Tree.End(n)), Flags: graph.FlagAbstract,
	}
	def := r.Define(n, d)
	r.Within(def, false, func() { r.ChildrenBut(n, name) })
	return true
}

// value returns the name of a value: f, or the operator in ( + ).
func value(r *rules.Reader, n sitter.Node) (string, graph.Span) {
	if !r.Is(n, "parenthesized_operator") {
		return r.Text(n), r.Span(n)
	}
	start, end := r.Start(n)+1, max(r.Start(n)+1, r.Tree.End(n)-1)
	text := r.Slice(start, end)
	start += uint32(len(text) - len(strings.TrimLeft(text, " \t\n")))
	text = strings.TrimSpace(text)
	return text, r.SpanBetween(start, start+uint32(len(text)))
}

// tagged reads `A of t where it stands in the definition of a type.
func tagged(r *rules.Reader, n sitter.Node) bool {
	name, around := r.Find(n, "<tag>"), r.EnclosingDef()
	if name == sitter.None || around == nil || around.Kind != graph.KindType || r.Tree.End(name) < r.Start(name)+2 {
		return false
	}
	start := r.Start(name) + 1
	r.Define(n, graph.Def{Name: r.Slice(start, r.Tree.End(name)), NameSpan: r.SpanBetween(start, r.Tree.End(name)), Span: r.Span(n), Kind: graph.KindEnumMember, Doc: r.DocAbove(r.Start(n))})
	return false
}
