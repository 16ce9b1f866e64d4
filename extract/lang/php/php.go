// Package php extracts the facts of PHP files: namespaces, classes, interfaces, traits
// and enums with their members, functions, constants, calls, and what use statements take.
//
// Only extract calls it.
package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for PHP.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	parameter := rules.Rule{Visit: parameter}
	member := rules.Rule{Visit: member}
	return rules.Table{
		Name: "php", Version: "php/3", Grammar: sitter.PHP(),
		Comments: []string{"comment"}, Mark: "//", Separator: "::", Namespace: `\`,
		Self: []string{"$this", "self", "static"}, Super: []string{"parent"},
		Rules: map[string]rules.Rule{
			"program":                   {Visit: program},
			"namespace_use_declaration": {Visit: use},
			"class_declaration":         {Visit: class},
			"interface_declaration":     {Visit: class},
			"trait_declaration":         {Visit: class},
			"enum_declaration":          {Visit: class},
			"comment":                   {Visit: comment},
			"enum_case":                 {Define: graph.KindEnumMember, Name: "name"},
			"use_declaration":           {Visit: traits},
			"base_clause":               {Opaque: true}, "class_interface_clause": {Opaque: true},
			"const_element":        {Define: graph.KindConstant, Name: "<name>", Var: true},
			"property_declaration": {Visit: propertyDeclaration}, "array_creation_expression": {Visit: list},
			"method_declaration":                     {Visit: function},
			"function_definition":                    {Visit: function},
			"anonymous_function_creation_expression": {Visit: closure}, "arrow_function": {Visit: closure},
			"if_statement":    {Visit: ifStatement},
			"while_statement": {Visit: loop}, "do_statement": {Visit: loop}, "for_statement": {Visit: loop},
			"switch_statement":       {Visit: switchStatement},
			"try_statement":          {Visit: try},
			"binary_expression":      {Visit: binary},
			"conditional_expression": {Visit: conditional},
			"return_statement":       {Visit: returned},
			"yield_expression":       {Visit: yielded},
			"simple_parameter":       parameter, "variadic_parameter": parameter, "property_promotion_parameter": {Visit: promoted},
			"assignment_expression":      {Visit: assignment},
			"foreach_statement":          {Visit: foreach},
			"catch_clause":               {Visit: catch},
			"function_call_expression":   {Visit: functionCall},
			"object_creation_expression": {Visit: creation},
			"member_call_expression":     member, "nullsafe_member_call_expression": member, "member_access_expression": member,
			"nullsafe_member_access_expression": member, "scoped_call_expression": member, "scoped_property_access_expression": member,
			"class_constant_access_expression": {Visit: constantAccess},
			"variable_name":                    {Visit: variableName},
			"named_type":                       {Visit: named},
			"attribute":                        {Visit: attribute},
			"require_expression":               {Visit: include}, "require_once_expression": {Visit: include},
			"include_expression": {Visit: include}, "include_once_expression": {Visit: include},
			"qualified_name": {Visit: qualifiedName},
			"relative_scope": {Opaque: true}, "namespace_name": {Opaque: true}, "declare_directive": {Opaque: true}, "primitive_type": {Opaque: true},
			"anonymous_function_use_clause": {Opaque: true},
		},
		Names: map[string]graph.Use{"name": graph.UseRead},
		Kinds: []string{
			"name", "qualified_name", "variable_name", "namespace_definition", "namespace_use_clause", "namespace_use_group_clause", "namespace_name", "pair", "by_ref",
			"list_literal", "array_creation_expression", "object_creation_expression", "arguments", "base_clause", "class_interface_clause", "declaration_list", "string", "encapsed_string",
			"relative_scope", "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "member_access_expression", "member_access_expression",
			"property_element", "property_initializer", "static_modifier", "abstract_modifier", "visibility_modifier", "attribute_list", "compound_statement", "static_variable_declaration",
			"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "method_declaration", "function_definition", "arrow_function",
			"function_call_expression", "parenthesized_expression", "assignment_expression", "clone_expression", "conditional_expression", "binary_expression", "unary_op_expression",
			"subscript_expression", "scoped_property_access_expression", "class_constant_access_expression", "array_element_initializer", "argument", "null", "match_expression",
			"match_conditional_expression", "match_default_expression", "else_if_clause", "else_clause", "catch_clause", "case_statement", "default_statement", "return_statement",
			"throw_expression", "continue_statement", "break_statement", "exit_statement", "expression_statement", "if_statement", "variadic_placeholder",
			"use_instead_of_clause", "use_as_clause", "anonymous_function_creation_expression", "argument", "variadic_parameter",
		},
		Paths: []rules.Path{
			"name", "body", "type", "object", "scope", "arguments", "function", "left", "right", "<property_element>", "<variable_name>", "<property_initializer>",
			"<arguments>", "<declaration_list>", "<namespace_aliasing_clause>/<name>", "<namespace_use_group>/<namespace_use_group_clause>", "<namespace_use_clause>", "<namespace_name>",
			"<name>", "<qualified_name>", "<static_modifier>", "<abstract_modifier>", "<visibility_modifier>", "attributes", "~attribute", "<use_list>", "<name>|<qualified_name>", "parameters", "~string",
			"<base_clause>/<name>", "<base_clause>/<qualified_name>", "~string_content", "<string>/<string_content>",
			"<class_interface_clause>/<name>", "<class_interface_clause>/<qualified_name>", "condition", "alternative", "argument", "return_type", "return_expression",
			"<array_element_initializer>", "<visibility_modifier>", "<argument>", "<class_constant_access_expression>",
		},
		Start: func(r *rules.Reader) { r.Data = &state{vars: map[string]string{}} }, Flags: flags,
	}
}

// program reads a file, in which a namespace lasts until the next one.
func program(r *rules.Reader, n sitter.Node) bool {
	def, end := graph.NoDef, r.Tree.End(n)
	for c := range r.Tree.Children(n) {
		if !r.Is(c, "namespace_definition") {
			r.Within(def, false, func() { r.Visit(c) })
			continue
		}
		name, body := r.Find(c, "name"), r.Find(c, "body")
		def = graph.NoDef
		if name != sitter.None && r.Text(name) != "" {
			d := graph.Def{Kind: graph.KindNamespace, Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(c), Doc: r.DocAbove(r.Start(c))}
			if body == sitter.None {
				d.Span = r.SpanBetween(r.Start(c), until(r, c, end))
			}
			def = r.Define(c, d)
		}
		if body != sitter.None {
			r.Within(def, false, func() { r.Visit(body) })
			def = graph.NoDef
		}
	}
	return true
}

// until returns where the namespace that a node begins ends: at the next one.
func until(r *rules.Reader, n sitter.Node, end uint32) uint32 {
	for c := r.Tree.After(n); int(c) < r.Tree.Len(); c = r.Tree.After(c) {
		if r.Is(c, "namespace_definition") {
			return r.Start(c)
		}
	}
	return end
}

// use reads use A\B, C\{D, E as F}. What names types and namespaces is marked: functions
// and constants have names of their own.
func use(r *rules.Reader, n sitter.Node) bool {
	prefix := ""
	if p := r.Find(n, "<namespace_name>"); p != sitter.None {
		prefix = strings.Trim(r.Text(p), `\`)
	}
	valued := func(text string) bool {
		return strings.HasPrefix(text, "function ") || strings.HasPrefix(text, "const ")
	}
	values := valued(strings.TrimSpace(strings.TrimPrefix(r.Text(n), "use")))
	add := func(clause, name sitter.Node) {
		full := strings.Trim(prefix+`\`+strings.Trim(r.Text(name), `\`), `\`)
		im := graph.Import{Name: full, Span: r.Span(clause)}
		if !values && !valued(r.Text(clause)) {
			im.Flags = graph.ImportType
		}
		if i := strings.LastIndexByte(full, '\\'); i >= 0 {
			im.Module, im.Name = full[:i], full[i+1:]
		}
		if alias := r.Find(clause, "<namespace_aliasing_clause>/<name>"); alias != sitter.None {
			im.Alias = r.Text(alias)
		}
		if im.Name != "" {
			r.AddImport(im)
		}
	}
	for c := range r.All(n, "<namespace_use_group>/<namespace_use_group_clause>") {
		if name := r.Find(c, "<namespace_name>"); name != sitter.None {
			add(c, name)
		}
	}
	for c := range r.All(n, "<namespace_use_clause>") {
		if name := r.Find(c, "<name>|<qualified_name>"); name != sitter.None {
			add(c, name)
		}
	}
	return true
}

// flags says what is private, static or a test.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	if d.Has(graph.FlagLocal) {
		return 0
	}
	f = graph.FlagExported
	if v := r.Find(n, "<visibility_modifier>"); v != sitter.None && r.Text(v) == "private" {
		f = 0
	}
	if r.Find(n, "<static_modifier>") != sitter.None {
		f |= graph.FlagStatic
	}
	if d.Kind != graph.KindMethod {
		return f
	}
	if t := r.EnclosingType(); r.Find(n, "body") == sitter.None || r.Find(n, "<abstract_modifier>") != sitter.None {
		f |= graph.FlagAbstract
	} else if t != nil && strings.HasSuffix(t.Name, "Test") || strings.HasSuffix(r.Path.Base(), "Test.php") {
		f |= testFlags(r, n, d)
	}
	return f
}

func testFlags(r *rules.Reader, n sitter.Node, d *graph.Def) graph.DefFlags {
	switch d.Name {
	case "setUp", "tearDown", "setUpBeforeClass", "tearDownAfterClass":
		return graph.FlagFixture
	}
	marked := strings.HasPrefix(d.Name, "test")
	for a := range r.All(n, "attributes") {
		marked = marked || strings.Contains(r.Text(a), "Test]") || strings.Contains(r.Text(a), "Test(")
	}
	if marked {
		return graph.FlagTest
	}
	return 0
}
