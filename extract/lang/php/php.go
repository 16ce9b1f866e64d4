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
	bases := func(rel graph.HeritageRel) []rules.Base {
		return []rules.Base{
			{At: "<base_clause>/<name>", Rel: rel}, {At: "<base_clause>/<qualified_name>", Rel: rel},
			{At: "<class_interface_clause>/<name>", Rel: graph.RelImplements}, {At: "<class_interface_clause>/<qualified_name>", Rel: graph.RelImplements},
		}
	}
	class := func(kind graph.Kind) rules.Rule {
		return rules.Rule{Define: kind, Name: "name", Body: "body", Bases: bases(graph.RelExtends)}
	}
	function := rules.Rule{Open: true}
	parameter := rules.Rule{Bind: "name", Type: "type"}
	member := rules.Rule{Visit: member}
	return rules.Table{
		Name: "php", Version: "php/2", Grammar: sitter.PHP(),
		Comments: []string{"comment"}, Mark: "//", Separator: "::", Namespace: `\`,
		Self: []string{"$this", "self", "static"}, Super: []string{"parent"},
		Rules: map[string]rules.Rule{
			"program":                   {Visit: program},
			"namespace_use_declaration": {Visit: use},
			"class_declaration":         class(graph.KindClass),
			"interface_declaration":     class(graph.KindInterface),
			"trait_declaration":         class(graph.KindClass),
			"enum_declaration":          class(graph.KindEnum),
			"enum_case":                 {Define: graph.KindEnumMember, Name: "name"},
			"use_declaration":           {Visit: traits},
			"base_clause":               {Opaque: true}, "class_interface_clause": {Opaque: true},
			"const_element":                          {Define: graph.KindConstant, Name: "<name>", Var: true},
			"property_declaration":                   {Visit: property},
			"method_declaration":                     {Define: graph.KindMethod, Name: "name", Type: "return_type", Body: "body", Open: true},
			"function_definition":                    {Define: graph.KindFunction, Member: graph.KindMethod, Name: "name", Type: "return_type", Body: "body", Open: true},
			"anonymous_function_creation_expression": function, "arrow_function": {Visit: arrow},
			"simple_parameter": parameter, "variadic_parameter": parameter, "property_promotion_parameter": {Visit: promoted},
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
			"relative_scope": {Opaque: true}, "namespace_name": {Opaque: true}, "declare_directive": {Opaque: true}, "primitive_type": {Opaque: true},
			"anonymous_function_use_clause": {Opaque: true},
		},
		Names:    map[string]graph.Use{"name": graph.UseRead, "qualified_name": graph.UseRead},
		Compound: map[string]string{"qualified_name": `\`},
		Kinds: []string{
			"name", "qualified_name", "variable_name", "namespace_definition", "namespace_use_clause", "namespace_use_group_clause", "namespace_name", "pair", "by_ref",
			"list_literal", "array_creation_expression", "object_creation_expression", "arguments", "base_clause", "class_interface_clause", "declaration_list", "string", "encapsed_string",
			"relative_scope", "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "member_access_expression", "member_access_expression",
			"property_element", "property_initializer", "static_modifier", "abstract_modifier", "visibility_modifier", "attribute_list", "compound_statement", "static_variable_declaration",
		},
		Paths: []rules.Path{
			"name", "body", "type", "object", "scope", "arguments", "function", "left", "right", "<property_element>", "<variable_name>", "<property_initializer>",
			"<arguments>", "<declaration_list>", "<namespace_aliasing_clause>/<name>", "<namespace_use_group>/<namespace_use_group_clause>", "<namespace_use_clause>", "<namespace_name>",
			"<name>", "<qualified_name>", "<static_modifier>", "<abstract_modifier>", "<visibility_modifier>", "attributes", "~attribute", "<use_list>", "<name>|<qualified_name>", "parameters", "~string",
			"<base_clause>/<name>", "<base_clause>/<qualified_name>", "~string_content",
		},
		Flags: flags,
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

// use reads use A\B, C\{D, E as F}; functions and constants are imported like classes.
func use(r *rules.Reader, n sitter.Node) bool {
	prefix := ""
	if p := r.Find(n, "<namespace_name>"); p != sitter.None {
		prefix = strings.Trim(r.Text(p), `\`)
	}
	add := func(clause, name sitter.Node) {
		full := strings.Trim(prefix+`\`+strings.Trim(r.Text(name), `\`), `\`)
		im := graph.Import{Name: full, Span: r.Span(clause)}
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

// traits adds the traits that a class uses.
func traits(r *rules.Reader, n sitter.Node) bool {
	def := r.Enclosing()
	if def == graph.NoDef {
		return true
	}
	for c := range r.Tree.Children(n) {
		if r.Is(c, "name", "qualified_name") {
			r.AddBase(def, c, graph.RelEmbeds)
		}
	}
	return true
}

// property reads public ?T $a = 1, $b.
func property(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	r.Visit(typ)
	for element := range r.All(n, "<property_element>") {
		name := r.Find(element, "<variable_name>")
		if name == sitter.None {
			continue
		}
		def := variable(r, n, name, typ)
		if value := r.Find(element, "<property_initializer>"); value != sitter.None && def != graph.NoDef {
			r.Within(def, false, func() { r.Visit(value) })
		}
	}
	return true
}

// variable defines the property that $name names.
func variable(r *rules.Reader, n, name, typ sitter.Node) int32 {
	start, end := r.Start(name)+1, r.Tree.End(name)
	if start >= end {
		return graph.NoDef
	}
	d := graph.Def{Name: r.Slice(start, end), Kind: graph.KindProperty, Span: r.Span(n), NameSpan: r.SpanBetween(start, end), Doc: r.DocAbove(r.Start(n))}
	if typ != sitter.None {
		d.Type = r.Text(typ)
	}
	return r.Define(n, d)
}

// promoted reads a parameter of a constructor that is a property too.
func promoted(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	if name == sitter.None {
		return false
	}
	r.Visit(typ)
	if def := variable(r, n, name, typ); def != graph.NoDef {
		d := &r.Facts.Defs[def]
		if t := r.EnclosingType(); t != nil && d.Container >= 0 {
			d.Container = r.Facts.Defs[d.Container].Container
			d.Local = t.Local + "::" + d.Name
			d.Flags &^= graph.FlagLocal
		}
	}
	declare(r, name, typ, sitter.None)
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
