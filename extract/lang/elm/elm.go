// Package elm extracts the facts of Elm files: the module, functions, types with their
// variants, aliases, ports, calls, and imports.
//
// Only extract calls it.
package elm

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Elm.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	return rules.Table{
		Name: "elm", Version: "elm/2", Grammar: sitter.Elm(),
		Comments: []string{"line_comment", "block_comment"}, Mark: "--",
		Rules: map[string]rules.Rule{
			"module_declaration":     {Visit: module},
			"import_clause":          {Visit: importClause},
			"type_alias_declaration": {Define: graph.KindType, Name: "name", Body: "<eq>"},
			"type_declaration":       {Define: graph.KindEnum, Name: "name", Body: "<eq>"},
			"union_variant":          {Define: graph.KindEnumMember, Name: "name"},
			"field_type":             {Define: graph.KindField, Name: "name", Type: "typeExpression"},
			"port_annotation":        {Define: graph.KindFunction, Name: "name"},
			"type_annotation":        {Visit: annotation},
			"value_declaration":      {Visit: value},
			"let_in_expr":            {Visit: letIn},
			"case_of_branch":         {Open: true}, "anonymous_function_expr": {Open: true},
			"lower_pattern":      {Bind: "<lower_case_identifier>"},
			"function_call_expr": {Visit: call},
			"bin_op_expr":        {Visit: operation},
			"record_expr":        {Visit: record},
			"field_access_expr":  {Visit: access},
			"type_variable":      {Opaque: true}, "lower_type_name": {Opaque: true}, "infix_declaration": {Opaque: true}, "operator": {Opaque: true},
			"type_ref": {Visit: typeRef}, "value_qid": {Visit: valueName},
		},
		Names:    map[string]graph.Use{"upper_case_qid": graph.UseRead},
		Compound: map[string]string{"upper_case_qid": "."},
		Kinds: []string{
			"value_qid", "upper_case_qid", "lower_case_identifier", "value_expr", "function_declaration_left", "exposed_type", "exposed_value", "pattern", "record_type", "field", "value_declaration",
			"type_alias_declaration", "lower_pattern", "operator",
		},
		Paths: []rules.Path{
			"name", "moduleName", "asClause/name", "exposing", "doubleDot", "functionDeclarationLeft", "functionDeclarationLeft/<lower_case_identifier>", "pattern", "body", "target", "arg", "expression",
			"valueDeclaration", "target/name", "<upper_case_qid>", "baseRecord/<lower_case_identifier>", "<exposed_type>/<upper_case_identifier>", "<exposed_value>/<lower_case_identifier>",
			"functionDeclarationLeft/pattern", "<type_annotation>", "field", "<exposed_union_constructors>",
		},
	}
}

func module(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "name"); name != sitter.None && r.Text(name) != "" {
		r.Facts.Package = r.Text(name)
	}
	return true
}

// importClause reads import A.B as C exposing (d, E(..)).
func importClause(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "moduleName")
	if name == sitter.None || r.Text(name) == "" {
		return true
	}
	im := graph.Import{Module: r.Text(name), Alias: r.Text(name), Span: r.Span(n)}
	if as := r.Find(n, "asClause/name"); as != sitter.None {
		im.Alias = r.Text(as)
	}
	r.AddImport(im)
	list := r.Find(n, "exposing")
	if list == sitter.None {
		return true
	}
	if r.Find(list, "doubleDot") != sitter.None {
		r.AddImport(graph.Import{Module: im.Module, Name: "*", Span: im.Span})
	}
	for _, at := range [...]rules.Path{"<exposed_type>/<upper_case_identifier>", "<exposed_value>/<lower_case_identifier>"} {
		for c := range r.All(list, at) {
			r.AddImport(graph.Import{Module: im.Module, Name: r.Text(c), Span: im.Span})
		}
	}
	return true
}

// annotation reads f : A -> B, which stands before f itself.
func annotation(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Find(n, "name"))
	return true
}

// value reads f a b = …, and a pattern that is taken apart.
func value(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "functionDeclarationLeft/<lower_case_identifier>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	left := r.Find(n, "functionDeclarationLeft")
	if r.InFunction() { // of let: its name is bound already
		r.Within(graph.NoDef, true, func() { r.ChildrenBut(left, name); r.ChildrenBut(n, left) })
		return true
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n)), Signature: r.Signature(r.Start(n), r.Tree.End(left))}
	def := r.Define(n, d)
	r.Within(def, true, func() { r.ChildrenBut(left, name); r.ChildrenBut(n, left) })
	return true
}

// letIn binds all names of let before it reads what they are.
func letIn(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	for v := range r.All(n, "valueDeclaration") {
		if name := r.Find(v, "functionDeclarationLeft/<lower_case_identifier>"); name != sitter.None {
			r.Bind(name)
		} else if p := r.Find(v, "pattern"); p != sitter.None {
			for c := p + 1; c < r.Tree.After(p); c++ {
				if r.Is(c, "lower_pattern") {
					r.Bind(c)
				}
			}
		}
	}
	r.Children(n)
	r.Scopes.Close()
	return true
}

// call reads f a b.
func call(r *rules.Reader, n sitter.Node) bool {
	target := r.Find(n, "target")
	name := sitter.None
	if r.Is(target, "value_expr") {
		name = r.Find(n, "target/name")
	}
	count := 0
	for range r.All(n, "arg") {
		count++
	}
	switch {
	case r.Is(name, "upper_case_qid"):
		r.Call(name, count)
	case r.Is(name, "value_qid"):
		named(r, name, graph.UseCall, count)
	default:
		r.AddValueCall()
		r.Visit(target)
	}
	r.ChildrenBut(n, target)
	return true
}

// operation reads a |> f and f <| a, which call f, and other operations.
func operation(r *rules.Reader, n sitter.Node) bool {
	var parts []sitter.Node
	for c := range r.Tree.Children(n) {
		parts = append(parts, c)
	}
	for i, c := range parts {
		piped := i > 0 && r.Is(parts[i-1], "operator") && r.Text(parts[i-1]) == "|>" || i+1 < len(parts) && r.Is(parts[i+1], "operator") && r.Text(parts[i+1]) == "<|"
		name := sitter.None
		if piped && r.Is(c, "value_expr") {
			name = r.Find(c, "name")
		}
		switch {
		case r.Is(name, "upper_case_qid"):
			r.Call(name, 1)
		case r.Is(name, "value_qid"):
			named(r, name, graph.UseCall, 1)
		default:
			r.Visit(c)
		}
	}
	return true
}

// named reads A.B.f.
func named(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	text, start := r.Text(n), r.Start(n)
	i := strings.LastIndexByte(text, '.')
	if i < 0 {
		if use == graph.UseCall {
			r.Call(n, args)
		} else {
			r.Name(n, use)
		}
		return
	}
	r.AddRef(graph.Ref{
		Name: text[i+1:], Qualifier: r.Qualifier(start, start+uint32(i)), Use: use, Span: r.SpanBetween(start+uint32(i)+1, r.Tree.End(n)), Args: int16(min(args, 1<<15-1)),
	})
}

func typeRef(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<upper_case_qid>")
	if name != sitter.None {
		r.Name(name, graph.UseType)
	}
	r.ChildrenBut(n, name)
	return true
}

// record reads { a | b = c }, whose b names a field.
func record(r *rules.Reader, n sitter.Node) bool {
	if base := r.Find(n, "baseRecord/<lower_case_identifier>"); base != sitter.None {
		r.Name(base, graph.UseRead)
	}
	for f := range r.All(n, "field") {
		r.ChildrenBut(f, r.Find(f, "name"))
	}
	return true
}

// access reads a.b.
func access(r *rules.Reader, n sitter.Node) bool {
	target, name := r.Find(n, "target"), sitter.None
	for c := range r.Tree.Children(n) {
		name = c
	}
	r.Visit(target)
	if target != sitter.None && r.Is(name, "lower_case_identifier") {
		r.Member(name, target, graph.UseRead, -1)
	}
	return true
}

func valueName(r *rules.Reader, n sitter.Node) bool {
	named(r, n, graph.UseRead, -1)
	return true
}
