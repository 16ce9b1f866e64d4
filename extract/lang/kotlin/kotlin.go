// Package kotlin extracts the facts of Kotlin files: the package, classes, interfaces and
// objects with their members, functions and properties, calls, and imports.
//
// Only extract calls it.
package kotlin

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Kotlin.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare = prepare
	return l
}

func table() rules.Table {
	block := rules.Rule{Open: true}
	return rules.Table{
		Name: "kotlin", Version: "kotlin/5", Grammar: sitter.Kotlin(),
		Comments: []string{"line_comment", "multiline_comment"}, Mark: "//", Self: []string{"this"}, Super: []string{"super"},
		Rules: map[string]rules.Rule{
			"package_header":        {Visit: packageHeader},
			"import_header":         {Visit: importHeader},
			"class_declaration":     {Visit: class},
			"object_declaration":    {Visit: class},
			"companion_object":      {Visit: companion},
			"class_parameter":       {Visit: classParameter},
			"enum_entry":            {Define: graph.KindEnumMember, Name: "<simple_identifier>"},
			"type_alias":            {Define: graph.KindType, Name: "<type_identifier>"},
			"function_declaration":  {Visit: function},
			"secondary_constructor": {Visit: constructor},
			"property_declaration":  {Visit: property},
			"parameter":             {Visit: parameter},
			"getter":                block, "setter": block, "control_structure_body": block, "when_entry": block, "catch_block": {Visit: catch},
			"anonymous_function": block, "anonymous_initializer": block,
			"lambda_literal":       {Visit: lambda},
			"for_statement":        {Visit: loop},
			"variable_declaration": {Bind: "<simple_identifier>", Type: "<user_type>"},
			"call_expression":      {Visit: call}, "simple_identifier": {Visit: identifier}, "callable_reference": {Visit: reference}, "constructor_delegation_call": {Visit: chained},
			"if_expression": {Visit: choice}, "when_expression": {Visit: when}, "conjunction_expression": {Visit: both}, "disjunction_expression": {Visit: both},
			"constructor_invocation": {Visit: construct},
			"navigation_expression":  {Visit: navigation},
			"value_argument":         {Visit: argument},
			"annotation":             {Visit: annotation},
			"user_type":              {Visit: rules.UserType},
			"type_parameters":        {Opaque: true}, "label": {Opaque: true}, "import_alias": {Opaque: true}, "this_expression": {Opaque: true}, "super_expression": {Opaque: true},
		},
		Names: map[string]graph.Use{"simple_identifier": graph.UseRead},
		Kinds: []string{
			"simple_identifier", "type_identifier", "identifier", "user_type", "nullable_type", "function_value_parameters", "function_body", "modifiers", "annotation", "constructor_invocation",
			"delegation_specifier", "explicit_delegation", "navigation_expression", "call_expression", "value_arguments", "call_suffix", "annotated_lambda", "class_body", "enum_class_body",
			"variable_declaration", "multi_variable_declaration", "binding_pattern_kind", "primary_constructor", "type_arguments", "lambda_parameters", "property_delegate", "function_type",
			"type_parameters", "this_expression", "super_expression", "postfix_expression", "parenthesized_expression", "indexing_expression", "as_expression", "elvis_expression", "if_expression",
			"control_structure_body", "statements", "object_literal", "lambda_literal", "additive_expression", "string_literal", "character_literal", "boolean_literal", "check_expression",
			"equality_expression", "comparison_expression", "conjunction_expression", "disjunction_expression", "integer_literal", "hex_literal", "bin_literal", "long_literal", "unsigned_literal",
			"real_literal", "prefix_expression", "value_argument", "spread_expression", "jump_expression",
		},
		Paths: []rules.Path{
			"<identifier>", "<import_alias>/<type_identifier>", "<wildcard_import>", "<type_identifier>|<simple_identifier>", "<class_body>|<enum_class_body>", "<modifiers>",
			"<modifiers>/<annotation>", "<delegation_specifier>", "<constructor_invocation>/<user_type>", "<explicit_delegation>/<user_type>|<user_type>", "<simple_identifier>", "<user_type>",
			"<binding_pattern_kind>", "<user_type>|<nullable_type>", "<variable_declaration>", "<multi_variable_declaration>/<variable_declaration>|<variable_declaration>",
			"<call_suffix>/<value_arguments>", "<call_suffix>/<annotated_lambda>", "<value_arguments>", "<navigation_suffix>/<simple_identifier>", "<type_identifier>", "~type_identifier",
			"<call_expression>", "<function_body>", "<annotation>", "<type_arguments>", "<lambda_parameters>/<variable_declaration>", "<constructor_invocation>/<user_type>|<user_type>",
			"<control_structure_body>", "<delegation_specifier>/<constructor_invocation>/<user_type>|<delegation_specifier>/<user_type>", "<call_suffix>/<type_arguments>", "<lambda_literal>",
			"<call_suffix>/<annotated_lambda>/<lambda_literal>/<statements>", "<user_type>|<nullable_type>|<function_type>", "<when_subject>", "<when_condition>", "<when_condition>/<type_test>/<user_type>",
			"<function_value_parameters>",
		},
		Flags: flags,
	}
}

func packageHeader(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<identifier>"); name != sitter.None {
		r.Facts.Package = r.Text(name)
	}
	return true
}

// importHeader reads import a.b.C, import a.b.C as D and import a.b.*.
func importHeader(r *rules.Reader, n sitter.Node) bool {
	path := r.Find(n, "<identifier>")
	if path == sitter.None {
		return true
	}
	im := graph.Import{Module: r.Text(path), Name: "*", Span: r.SpanBetween(r.Start(n), r.Tree.End(path))}
	if r.Find(n, "<wildcard_import>") == sitter.None {
		im.Name = im.Module
		if i := strings.LastIndexByte(im.Module, '.'); i >= 0 {
			im.Module, im.Name = im.Module[:i], im.Module[i+1:]
		} else {
			im.Module = ""
		}
		if alias := r.Find(n, "<import_alias>/<type_identifier>"); alias != sitter.None {
			im.Alias, im.Span = r.Text(alias), r.SpanBetween(r.Start(n), r.Tree.End(alias))
		}
	}
	r.AddImport(im)
	return true
}

// class reads a class, an interface, an enumeration or an object.
func class(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<type_identifier>|<simple_identifier>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	before := r.Slice(r.Start(n), r.Start(name))
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		before = r.Slice(r.Tree.End(m), r.Start(name))
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindClass, Doc: r.DocAbove(r.Start(n))}
	switch {
	case strings.Contains(before, "interface"):
		d.Kind = graph.KindInterface
	case modified(r, n, "enum"), strings.Contains(before, "enum"):
		d.Kind = graph.KindEnum
	}
	end := r.Tree.End(n)
	if body := r.Find(n, "<class_body>|<enum_class_body>"); body != sitter.None {
		end = r.Start(body)
	}
	d.Signature = r.Signature(r.Start(n), end)
	def := r.Define(n, d)
	for s := range r.All(n, "<delegation_specifier>") {
		base, rel := r.Find(s, "<constructor_invocation>/<user_type>"), graph.RelExtends
		if base == sitter.None {
			if base = r.Find(s, "<explicit_delegation>/<user_type>|<user_type>"); base == sitter.None {
				continue
			}
			if d.Kind != graph.KindInterface {
				rel = graph.RelImplements
			}
		}
		r.AddBase(def, base, rel)
	}
	r.Within(def, true, func() {
		for c := range r.Tree.Children(n) {
			switch {
			case c == name:
			case r.Is(c, "delegation_specifier"):
				specifier(r, c)
			default:
				r.Visit(c)
			}
		}
	})
	return true
}

// specifier reads what a base is made with, or what is delegated to.
func specifier(r *rules.Reader, n sitter.Node) {
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "constructor_invocation"):
			construct(r, c)
		case r.Is(c, "explicit_delegation"):
			r.ChildrenBut(c, r.Find(c, "<user_type>"))
		}
	}
}

func modified(r *rules.Reader, n sitter.Node, word string) bool {
	m := r.Find(n, "<modifiers>")
	if m == sitter.None {
		return false
	}
	for c := range r.Tree.Children(m) {
		if !r.Is(c, "annotation") && r.Text(c) == word {
			return true
		}
	}
	return false
}

// companion reads a companion object: its members are those of the class.
func companion(r *rules.Reader, n sitter.Node) bool {
	at := len(r.Facts.Defs)
	around := r.Enclosing()
	r.Children(n)
	for i := at; i < len(r.Facts.Defs); i++ {
		if d := &r.Facts.Defs[i]; d.Container == around {
			d.Flags |= graph.FlagStatic
		}
	}
	if start := r.Start(n); r.Find(n, "<type_identifier>|<simple_identifier>") == sitter.None {
		if i := strings.Index(r.Slice(start, r.Tree.End(n)), "companion"); i >= 0 { // the name that the language gives it
			at := start + uint32(i)
			r.Define(n, graph.Def{Name: "Companion", NameSpan: r.SpanBetween(at, at+uint32(len("companion"))), Span: r.Span(n), Kind: graph.KindClass, Flags: graph.FlagStatic})
		}
	}
	return true
}

// classParameter reads a parameter of a constructor, which with val or var is a property.
func classParameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "<simple_identifier>"), r.Find(n, "<user_type>|<nullable_type>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	if r.Find(n, "<binding_pattern_kind>") != sitter.None {
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindProperty, Type: typeText(r, typ)}
		r.Define(n, d)
	} else {
		declare(r, name, typ, sitter.None)
	}
	r.ChildrenBut(n, name)
	return true
}

// function reads fun f(), fun <T> T.f() and the functions of types.
func function(r *rules.Reader, n sitter.Node) bool {
	name, receiver, result, end := sitter.None, sitter.None, sitter.None, r.Tree.End(n)
	parameters := false
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "simple_identifier") && name == sitter.None:
			name = c
		case r.Is(c, "user_type", "nullable_type") && name == sitter.None:
			receiver = c
		case r.Is(c, "function_value_parameters"):
			parameters = true
		case r.Is(c, "user_type", "nullable_type") && parameters && result == sitter.None:
			result = c
		case r.Is(c, "function_body"):
			end = r.Start(c)
		}
	}
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	d := graph.Def{
		Name: strings.Trim(r.Text(name), "`"), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n)),
		Signature: r.Signature(r.Start(n), end), Type: typeText(r, result), NameSpan: r.Span(name),
	}
	if t := r.EnclosingDef(); t != nil && isType(t.Kind) {
		d.Kind = graph.KindMethod
	}
	if receiver != sitter.None {
		if owner := ownerOf(r, receiver); owner != "" {
			d.Owner = owner
			d.Local = d.Owner + "." + d.Name
		}
	}
	def := r.Define(n, d)
	r.Within(def, true, func() {
		if d.Owner != "" {
			bind(r, "this", typePath(r, receiver))
		}
		outer := *receiversOf(r)
		*receiversOf(r) = receivers{}
		for c := range r.Tree.Children(n) {
			if r.Is(c, "function_body") && d.Type == "" && def != graph.NoDef {
				r.Facts.Defs[def].Type = madeBy(r, r.Tree.First(c))
			}
			if c != name {
				r.Visit(c)
			}
		}
		*receiversOf(r) = outer
	})
	return true
}

// extended returns the type that a property is added to: the one before its name.
func extended(r *rules.Reader, n, name sitter.Node) sitter.Node {
	for c := range r.Tree.Children(n) {
		if c == name {
			break
		}
		if r.Is(c, "user_type", "nullable_type") {
			return c
		}
	}
	return sitter.None
}

// ownerOf returns the name of an extended type. What extends a companion is seen as its
// class has it.
func ownerOf(r *rules.Reader, receiver sitter.Node) string {
	last, before := sitter.None, sitter.None
	if !r.Is(receiver, "user_type") {
		if receiver = r.Find(receiver, "<user_type>"); receiver == sitter.None {
			return ""
		}
	}
	for c := range r.All(receiver, "<type_identifier>") {
		before, last = last, c
	}
	switch {
	case last == sitter.None:
		return ""
	case r.Text(last) == "Companion" && before != sitter.None:
		return r.Text(before)
	}
	return r.Text(last)
}

func isType(k graph.Kind) bool {
	return k == graph.KindClass || k == graph.KindInterface || k == graph.KindEnum
}

// constructor reads constructor(…) { … }, which is called as its type is.
func constructor(r *rules.Reader, n sitter.Node) bool {
	around, parameters := r.EnclosingDef(), r.Find(n, "<function_value_parameters>")
	if around == nil || !isType(around.Kind) || parameters == sitter.None {
		r.Within(graph.NoDef, true, func() { r.Children(n) })
		return true
	}
	start := r.Start(n)
	if i := strings.Index(r.Slice(start, r.Start(parameters)), "constructor"); i > 0 {
		start += uint32(i)
	}
	def := r.Define(n, graph.Def{
		Name: around.Name, Kind: graph.KindMethod, Span: r.Span(n), NameSpan: r.SpanBetween(start, start+uint32(len("constructor"))), Doc: r.DocAbove(r.Start(n)),
		Signature: r.Signature(r.Start(n), r.Tree.End(parameters)),
	})
	r.Within(def, true, func() { r.Children(n) })
	return true
}

// property reads val a = b, var a: T by c, val (a, b) = c.
func property(r *rules.Reader, n sitter.Node) bool {
	value := sitter.None
	var names []sitter.Node
	for v := range r.All(n, "<multi_variable_declaration>/<variable_declaration>|<variable_declaration>") {
		names = append(names, v)
	}
	for c := range r.Tree.Children(n) {
		if !r.Is(c, "modifiers", "binding_pattern_kind", "variable_declaration", "multi_variable_declaration", "type_parameters") {
			value = c
		}
	}
	if local := r.InFunction(); local {
		r.Visit(value)
		for _, v := range names {
			typ := r.Find(v, "<user_type>|<nullable_type>")
			r.Visit(typ)
			if name := r.Find(v, "<simple_identifier>"); name != sitter.None {
				declare(r, name, typ, value)
			}
		}
		return true
	}
	first := graph.NoDef
	for _, v := range names {
		name, typ := r.Find(v, "<simple_identifier>"), r.Find(v, "<user_type>|<nullable_type>")
		if name == sitter.None || r.Text(name) == "" {
			continue
		}
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindVariable, Type: typeText(r, typ), Doc: r.DocAbove(r.Start(n))}
		if t := r.EnclosingDef(); t != nil && isType(t.Kind) {
			d.Kind = graph.KindProperty
		}
		if receiver := extended(r, n, v); receiver != sitter.None {
			d.Owner, d.Signature = ownerOf(r, receiver), r.Signature(r.Start(n), r.Tree.End(v))
			d.Local = d.Owner + "." + d.Name
		}
		if modified(r, n, "const") {
			d.Kind = graph.KindConstant
		}
		if d.Type == "" {
			d.Type = madeBy(r, value)
		}
		if def := r.Define(n, d); first == graph.NoDef {
			first = def
		}
	}
	defer func() {
		for _, v := range names { // functions see the property, and not the parameter of its name
			if name := r.Find(v, "<simple_identifier>"); name != sitter.None {
				if l := r.Scopes.Lookup(r.Text(name)); l != nil && l.Def == graph.NoDef {
					l.Hint = graph.Hint{Rule: graph.HintValue, Type: "this." + r.Text(name)}
				}
			}
		}
	}()
	r.Within(first, false, func() {
		for c := range r.Tree.Children(n) {
			if r.Is(c, "variable_declaration", "multi_variable_declaration") {
				for _, v := range names {
					r.Visit(r.Find(v, "<user_type>|<nullable_type>"))
				}
			} else {
				r.Visit(c)
			}
		}
	})
	return true
}

// flags says what is seen outside of its file, and what runners run.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	if d.Has(graph.FlagLocal) {
		return 0
	}
	before := strings.TrimRight(r.Slice(max(r.Start(n), 16)-16, r.Start(n)), " \t\n")
	for _, word := range [...]string{"expect", "actual"} { // which the parser does not get
		if strings.HasSuffix(before, word) && d.Signature != "" {
			d.Signature = word + " " + d.Signature
		}
	}
	if !modified(r, n, "private") {
		f |= graph.FlagExported
	}
	if modified(r, n, "suspend") {
		f |= graph.FlagAsync
	}
	if t := r.EnclosingDef(); d.Kind == graph.KindMethod && (modified(r, n, "abstract") || t != nil && t.Kind == graph.KindInterface && r.Find(n, "<function_body>") == sitter.None) {
		f |= graph.FlagAbstract
	}
	if d.Kind != graph.KindMethod && d.Kind != graph.KindFunction {
		return f
	}
	for a := range r.All(n, "<modifiers>/<annotation>") {
		name := r.Find(a, "~type_identifier")
		if name == sitter.None {
			continue
		}
		switch r.Text(name) {
		case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory":
			f |= graph.FlagTest
		case "Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll", "BeforeTest", "AfterTest":
			f |= graph.FlagFixture
		}
	}
	return f
}
