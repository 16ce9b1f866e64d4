// Package csharp extracts the facts of C# files: namespaces, types with their members,
// constructors, the bases of types, calls, and what using directives take.
//
// Only extract calls it.
package csharp

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for C#.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare = prepare
	return l
}

func table() rules.Table {
	class := func(kind graph.Kind) rules.Rule {
		return rules.Rule{Define: kind, Name: "name", Body: "body|<base_list>", Open: true}
	}
	block := rules.Rule{Open: true}
	property := rules.Rule{Define: graph.KindProperty, Name: "name", Type: "type", Body: "accessors|value", Open: true}
	return rules.Table{
		Name: "csharp", Version: "csharp/4", Grammar: sitter.CSharp(),
		Comments: []string{"comment"}, Mark: "//", Self: []string{"this"}, Super: []string{"base"},
		Rules: map[string]rules.Rule{
			"compilation_unit":      {Visit: unit},
			"namespace_declaration": {Define: graph.KindNamespace, Name: "name", Body: "body"},
			"using_directive":       {Visit: using},
			"class_declaration":     class(graph.KindClass), "struct_declaration": class(graph.KindStruct), "record_declaration": class(graph.KindClass),
			"interface_declaration": class(graph.KindInterface), "enum_declaration": class(graph.KindEnum),
			"base_list":               {Visit: bases},
			"enum_member_declaration": {Define: graph.KindEnumMember, Name: "name"},
			"delegate_declaration":    {Define: graph.KindType, Name: "name", Type: "type", Open: true},
			"method_declaration":      {Define: graph.KindMethod, Name: "name", Type: "returns", Body: "body", Open: true},
			"constructor_declaration": {Define: graph.KindMethod, Name: "name", Body: "body", Open: true},
			"destructor_declaration":  {Visit: destructor},
			"property_declaration":    property, "event_declaration": property,
			"indexer_declaration": block, "operator_declaration": {Visit: operator}, "conversion_operator_declaration": {Visit: operator},
			"field_declaration": {Visit: fields}, "event_field_declaration": {Visit: fields},
			"local_function_statement": {Define: graph.KindFunction, Name: "name", Type: "type", Body: "body", Open: true},
			"parameter":                {Visit: parameter},
			"parameter_list":           {Visit: parameters},
			"variable_declaration":     {Visit: variables},
			"foreach_statement":        {Visit: foreach},
			"declaration_pattern":      {Visit: pattern}, "declaration_expression": {Visit: pattern}, "catch_declaration": {Visit: pattern}, "recursive_pattern": {Visit: pattern},
			"from_clause":        {Bind: "name"},
			"implicit_parameter": {Bind: "."},
			"lambda_expression":  {Visit: lambda}, "anonymous_method_expression": block, "block": block, "for_statement": block, "using_statement": block,
			"invocation_expression":      {Visit: invocation},
			"object_creation_expression": {Visit: creation},
			"member_access_expression":   {Visit: access}, "conditional_access_expression": {Visit: conditional},
			"initializer_expression": {Visit: initializer}, "implicit_object_creation_expression": {Visit: implicit}, "constructor_initializer": {Visit: chained},
			"attribute":           {Visit: attribute},
			"argument":            {Visit: argument},
			"type_parameter_list": {Visit: typeParameters}, "type_parameter_constraints_clause": {Visit: constraints},
			"generic_name":                 {Visit: generic},
			"explicit_interface_specifier": {Opaque: true}, "implicit_type": {Opaque: true}, "predefined_type": {Opaque: true}, "modifier": {Opaque: true},
			"labeled_statement": {Visit: labeled}, "goto_statement": {Opaque: true},
		},
		Names:    map[string]graph.Use{"identifier": graph.UseRead, "qualified_name": graph.UseType, "alias_qualified_name": graph.UseType},
		Compound: map[string]string{"qualified_name": ".", "alias_qualified_name": "::"},
		Kinds: []string{
			"identifier", "qualified_name", "generic_name", "file_scoped_namespace_declaration", "predefined_type", "implicit_type", "primary_constructor_base_type",
			"variable_declarator", "object_creation_expression", "member_access_expression", "conditional_access_expression", "member_binding_expression", "invocation_expression",
			"array_type", "nullable_type", "record_declaration", "class_declaration", "struct_declaration", "modifier", "assignment_expression", "argument_list", "type_argument_list",
			"parameter_list", "constructor_declaration", "interface_declaration", "bracketed_argument_list", "type_parameter",
			"parenthesized_expression", "checked_expression", "cast_expression", "default_expression", "array_creation_expression", "as_expression", "element_access_expression", "await_expression",
			"conditional_expression", "binary_expression", "postfix_unary_expression", "prefix_unary_expression", "typeof_expression", "is_expression", "is_pattern_expression", "lambda_expression",
			"implicit_object_creation_expression", "string_literal", "verbatim_string_literal", "interpolated_string_expression", "raw_string_literal", "character_literal", "boolean_literal",
			"null_literal", "integer_literal", "real_literal", "argument", "attribute_argument", "declaration_expression", "property_declaration", "arrow_expression_clause", "return_statement",
			"method_declaration", "local_function_statement", "accessor_declaration", "anonymous_method_expression", "alias_qualified_name", "parameter", "element_binding_expression",
		},
		Paths: []rules.Path{
			"name", "body", "type", "left", "parameters|<parameter_list>", "right", "function", "arguments", "expression", "condition", "<variable_declaration>", "<variable_declarator>", "<identifier>",
			"<modifier>", "<attribute_list>/<attribute>", "<argument_list>", "<object_creation_expression>", "initializer", "<member_binding_expression>", "~member_binding_expression", "<generic_name>/<identifier>|<identifier>",
			"<bracketed_argument_list>", "<type_argument_list>", "<type_parameter>", "<array_type>", "returns", "consequence", "alternative", "<attribute_argument_list>", "<assignment_expression>",
			"<element_binding_expression>", "<parameter_list>",
		},
		Flags: flags,
	}
}

// unit reads a file. A namespace without braces lasts until its end.
func unit(r *rules.Reader, n sitter.Node) bool {
	def := graph.NoDef
	for c := range r.Tree.Children(n) {
		name := sitter.None
		if r.Is(c, "file_scoped_namespace_declaration") {
			name = r.Find(c, "name")
		}
		if name == sitter.None || r.Text(name) == "" {
			r.Within(def, false, func() { r.Visit(c) })
			continue
		}
		def = r.Define(c, graph.Def{
			Kind: graph.KindNamespace, Name: r.Text(name), NameSpan: r.Span(name), Span: r.SpanBetween(r.Start(c), r.Tree.End(n)), Doc: r.DocAbove(r.Start(c)),
		})
	}
	return true
}

// using reads using A.B, using static A.B and using C = A.B.
func using(r *rules.Reader, n sitter.Node) bool {
	alias, target := r.Find(n, "name"), sitter.None
	for c := range r.Tree.Children(n) {
		if c != alias {
			target = c
		}
	}
	if target == sitter.None {
		return true
	}
	im := graph.Import{Module: withoutArguments(r.Qualifier(r.Start(target), r.Tree.End(target))), Name: "*", Span: r.Span(n)}
	if alias != sitter.None {
		im.Alias, im.Name = r.Text(alias), ""
	}
	if strings.HasPrefix(r.Text(n), "global ") || strings.HasPrefix(r.Text(n), "global\t") {
		im.Flags |= graph.ImportReexport // for all files
	}
	if im.Module != "" {
		r.AddImport(im)
	}
	return true
}

func withoutArguments(s string) string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		return s[:i]
	}
	return strings.TrimPrefix(s, "global::")
}

// bases adds the bases of a type: which of them are interfaces is told by their names,
// as far as the text goes.
func bases(r *rules.Reader, n sitter.Node) bool {
	def := r.Enclosing()
	if def == graph.NoDef {
		return false
	}
	kind := r.Facts.Defs[def].Kind
	if kind == graph.KindEnum {
		return true
	}
	for c := range r.Tree.Children(n) {
		base := c
		if r.Is(c, "primary_constructor_base_type") {
			base = r.Find(c, "type")
			r.Visit(r.Find(c, "<argument_list>"))
		}
		if !r.Is(base, "identifier", "qualified_name", "generic_name") {
			continue
		}
		rel, name := graph.RelExtends, r.Text(base)
		if i := strings.LastIndexByte(withoutArguments(name), '.'); i >= 0 {
			name = name[i+1:]
		}
		if kind == graph.KindStruct || kind == graph.KindClass && len(name) > 1 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' {
			rel = graph.RelImplements
		}
		r.AddBase(def, base, rel)
		if r.Is(base, "generic_name") {
			r.Visit(r.Find(base, "<type_argument_list>"))
		}
	}
	return true
}

// destructor reads ~C(), which nothing calls.
func destructor(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	r.ChildrenBut(n, r.Find(n, "name"))
	r.Scopes.Close()
	return true
}

// operator reads the definition of operator + and of operator T, which are called so.
func operator(r *rules.Reader, n sitter.Node) bool {
	parameters := r.Find(n, "parameters|<parameter_list>")
	if parameters == sitter.None {
		return false
	}
	head := r.Slice(r.Start(n), r.Start(parameters))
	i := strings.LastIndex(head, "operator")
	if i < 0 {
		return false
	}
	start := r.Start(n) + uint32(i)
	name := spec.OneLine(head[i:])
	def := r.Define(n, graph.Def{
		Name: name, NameSpan: r.SpanBetween(start, start+uint32(len(strings.TrimSpace(head[i:])))), Span: r.Span(n), Kind: graph.KindMethod, Doc: r.DocAbove(r.Start(n)),
		Signature: r.Signature(r.Start(n), r.Tree.End(parameters)), Flags: graph.FlagStatic,
	})
	r.Within(def, true, func() { r.Children(n) })
	return true
}

// fields reads int a = 1, b; as members of a type.
func fields(r *rules.Reader, n sitter.Node) bool {
	list := r.Find(n, "<variable_declaration>")
	if list == sitter.None {
		return false
	}
	for a := range r.All(n, "<attribute_list>/<attribute>") {
		r.Visit(a)
	}
	typ := r.Find(list, "type")
	visitType(r, typ)
	for v := range r.All(list, "<variable_declarator>") {
		name := r.Find(v, "name")
		if name == sitter.None || r.Text(name) == "" {
			continue
		}
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindField, Doc: r.DocAbove(r.Start(n))}
		if typ != sitter.None {
			d.Type = r.Text(typ)
		}
		if has(r, n, "const") {
			d.Kind = graph.KindConstant
		}
		def := r.Define(n, d)
		r.Within(def, false, func() { r.ChildrenBut(v, name) })
	}
	return true
}

func has(r *rules.Reader, n sitter.Node, modifier string) bool {
	for m := range r.All(n, "<modifier>") {
		if r.Text(m) == modifier {
			return true
		}
	}
	return false
}

// flags says what is seen outside of its assembly or type, and what runners run.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	around := r.EnclosingDef()
	if d.Kind == graph.KindMethod && d.Signature != "" && r.Find(n, "body") == sitter.None { // attributes may stand on lines before
		d.Signature = strings.TrimRight(r.Signature(r.Start(n), r.Tree.End(n)), " {")
	}
	if d.Has(graph.FlagLocal) {
		return 0
	}
	if has(r, n, "public") || has(r, n, "protected") || d.Kind == graph.KindNamespace || d.Kind == graph.KindEnumMember ||
		around != nil && around.Kind == graph.KindInterface {
		f |= graph.FlagExported
	}
	if has(r, n, "static") {
		f |= graph.FlagStatic
	}
	if has(r, n, "async") {
		f |= graph.FlagAsync
	}
	if has(r, n, "abstract") || around != nil && around.Kind == graph.KindInterface && d.Kind == graph.KindMethod && r.Find(n, "body") == sitter.None {
		f |= graph.FlagAbstract
	}
	if d.Kind == graph.KindMethod {
		for a := range r.All(n, "<attribute_list>/<attribute>") {
			f |= testFlags(r, a)
		}
	}
	return f
}

func testFlags(r *rules.Reader, a sitter.Node) graph.DefFlags {
	name := r.Find(a, "name")
	if name == sitter.None {
		return 0
	}
	text := r.Text(name)
	switch text[strings.LastIndexByte(text, '.')+1:] {
	case "Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod":
		return graph.FlagTest
	case "SetUp", "TearDown", "OneTimeSetUp", "OneTimeTearDown", "TestInitialize", "TestCleanup", "ClassInitialize", "ClassCleanup":
		return graph.FlagFixture
	}
	return 0
}
