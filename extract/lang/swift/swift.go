// Package swift extracts the facts of Swift files: types, protocols and extensions with
// their members, functions, calls, and imported modules.
//
// Only extract calls it.
package swift

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Swift.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare, l.Time = prepare, patience
	return l
}

func table() rules.Table {
	block := rules.Rule{Open: true}
	function := rules.Rule{Visit: function}
	return rules.Table{
		Name: "swift", Version: "swift/5", Grammar: sitter.Swift(),
		Comments: []string{"comment", "multiline_comment"}, Mark: "//", Self: []string{"self", "Self"}, Super: []string{"super"},
		Rules: map[string]rules.Rule{
			"import_declaration":         {Visit: importDeclaration},
			"class_declaration":          {Visit: class},
			"protocol_declaration":       {Visit: class},
			"inheritance_specifier":      {Opaque: true},
			"typealias_declaration":      {Define: graph.KindType, Name: "name"},
			"associatedtype_declaration": {Define: graph.KindType, Name: "name"},
			"enum_entry":                 {Visit: cases},
			"function_declaration":       function, "protocol_function_declaration": function,
			"init_declaration": {Visit: initializer}, "deinit_declaration": block, "subscript_declaration": block,
			"property_declaration": {Visit: property}, "protocol_property_declaration": {Visit: property},
			"parameter": {Visit: parameter}, "lambda_parameter": {Visit: parameter},
			"lambda_literal":  {Visit: lambda},
			"computed_getter": block, "computed_setter": block, "computed_property": block, "switch_entry": block, "catch_block": block,
			"if_statement": {Visit: condition}, "while_statement": {Visit: condition}, "guard_statement": {Visit: guard},
			"for_statement":          {Visit: loop},
			"pattern":                {Visit: pattern},
			"call_expression":        {Visit: call},
			"navigation_expression":  {Visit: navigation},
			"constructor_expression": {Visit: construct},
			"user_type":              {Visit: rules.UserType},
			"attribute":              {Visit: attribute},
			"value_argument_label":   {Opaque: true}, "type_parameters": {Opaque: true}, "type_constraints": {Opaque: true}, "tuple_type_item": {Visit: typeItem},
			"self_expression": {Opaque: true}, "super_expression": {Opaque: true},
		},
		Names: map[string]graph.Use{"simple_identifier": graph.UseRead},
		Kinds: []string{
			"simple_identifier", "type_identifier", "user_type", "navigation_expression", "call_expression", "value_arguments", "call_suffix", "lambda_literal", "protocol_declaration",
			"class_body", "enum_class_body", "function_body", "optional_type", "pattern", "value_binding_pattern", "attribute", "modifiers", "type_annotation", "inheritance_specifier",
			"constructor_expression", "protocol_property_declaration", "type_arguments", "statements", "self_expression", "array_type",
		},
		Paths: []rules.Path{
			"name", "body", "value", "inherits_from", "<inheritance_specifier>/inherits_from", "target", "suffix/suffix", "<identifier>", "<modifiers>", "<type_identifier>",
			"<call_suffix>/<value_arguments>", "<call_suffix>/<lambda_literal>", "name/bound_identifier", "<type_annotation>/name", "computed_value", "constructed_type", "<type_arguments>",
			"bound_identifier", "<constructor_suffix>/<value_arguments>", "<user_type>", "condition", "item", "collection", "name/<pattern>", "<value_binding_pattern>", "type", "raw_value", "data_contents",
			"wrapped", "~type_identifier",
		},
		Flags: flags,
	}
}

func importDeclaration(r *rules.Reader, n sitter.Node) bool {
	if path := r.Find(n, "<identifier>"); path != sitter.None {
		r.AddImport(graph.Import{Module: r.Text(path), Name: "*", Span: r.Span(n)})
	}
	return true
}

// class reads a class, struct, enum, actor or protocol, or an extension of one.
func class(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	before := r.Slice(r.Start(n), r.Start(name))
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		before = r.Slice(r.Tree.End(m), r.Start(name))
	}
	if r.Is(name, "user_type") {
		return extension(r, n, name)
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindClass, Doc: r.DocAbove(r.Start(n))}
	switch {
	case r.Is(n, "protocol_declaration"):
		d.Kind = graph.KindInterface
	case strings.Contains(before, "struct"):
		d.Kind = graph.KindStruct
	case strings.Contains(before, "enum"):
		d.Kind = graph.KindEnum
	}
	end := r.Tree.End(n)
	if body := r.Find(n, "body"); body != sitter.None {
		end = r.Start(body)
	}
	d.Signature = r.Signature(r.Start(n), end)
	def := r.Define(n, d)
	rel := graph.RelExtends
	if d.Kind == graph.KindStruct || d.Kind == graph.KindEnum {
		rel = graph.RelImplements
	}
	for base := range r.All(n, "<inheritance_specifier>/inherits_from") {
		r.AddBase(def, base, rel)
		if d.Kind != graph.KindInterface {
			rel = graph.RelImplements
		}
	}
	r.Within(def, true, func() { r.ChildrenBut(n, name) })
	return true
}

// extension reads the members that an extension adds to a type that stands elsewhere.
func extension(r *rules.Reader, n, name sitter.Node) bool {
	s, _ := r.Data.(string)
	owner := sitter.None
	for c := range r.All(name, "<type_identifier>") {
		owner = c
	}
	if owner == sitter.None {
		return false
	}
	rules.UserType(r, name)
	r.Data = r.Text(owner)
	for base := range r.All(n, "<inheritance_specifier>/inherits_from") {
		r.Visit(base)
		conforms(r, r.Text(owner), base)
	}
	r.Scopes.Open()
	r.ChildrenBut(n, name)
	r.Scopes.Close()
	r.Data = s
	return true
}

// conforms adds a base that an extension gives to a type of any file.
func conforms(r *rules.Reader, owner string, base sitter.Node) {
	def := graph.NoDef
	for i := range r.Facts.Defs {
		if d := &r.Facts.Defs[i]; d.Name == owner && isType(d.Kind) {
			def = int32(i)
			break
		}
	}
	before := len(r.Facts.Heritage)
	r.AddBase(def, base, graph.RelImplements)
	if def == graph.NoDef && len(r.Facts.Heritage) > before {
		r.Facts.Heritage[before].Of = owner
	}
}

// member turns what stands in an extension into a member of what is extended.
func member(r *rules.Reader, d *graph.Def) {
	if around := r.EnclosingDef(); around != nil {
		if isType(around.Kind) && d.Kind == graph.KindFunction {
			d.Kind = graph.KindMethod
		}
		if isType(around.Kind) && d.Kind == graph.KindVariable {
			d.Kind = graph.KindProperty
		}
		return
	}
	if owner, _ := r.Data.(string); owner != "" && !r.InFunction() {
		d.Owner, d.Local = owner, owner+"."+d.Name
		if d.Kind == graph.KindFunction {
			d.Kind = graph.KindMethod
		} else {
			d.Kind = graph.KindProperty
		}
	}
}

func isType(k graph.Kind) bool {
	return k == graph.KindClass || k == graph.KindInterface || k == graph.KindEnum || k == graph.KindStruct
}

// cases reads case a, b(Int).
func cases(r *rules.Reader, n sitter.Node) bool {
	for name := range r.All(n, "name") {
		if r.Is(name, "simple_identifier") && r.Text(name) != "" {
			r.Define(n, graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindEnumMember, Doc: r.DocAbove(r.Start(n))})
		}
	}
	for c := range r.All(n, "data_contents") {
		r.Visit(c)
	}
	for c := range r.All(n, "raw_value") {
		r.Visit(c)
	}
	return true
}

func function(r *rules.Reader, n sitter.Node) bool {
	name, result := sitter.None, sitter.None
	for c := range r.All(n, "name") {
		if name == sitter.None {
			name = c
		} else {
			result = c
		}
	}
	if at := operator(r, n); at.End > at.Start {
		define(r, n, graph.Def{Name: r.Slice(at.Start, at.End), NameSpan: at, Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))}, sitter.None)
		return true
	}
	if !r.Is(name, "simple_identifier") || r.Text(name) == "" {
		r.Scopes.Open()
		r.Children(n)
		r.Scopes.Close()
		return true
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))}
	if result != sitter.None {
		d.Type = r.Signature(r.Start(result), r.Tree.End(result))
	}
	define(r, n, d, name)
	return true
}

// operator says where the name of static func + (…) stands, if that is a sign.
func operator(r *rules.Reader, n sitter.Node) graph.Span {
	start := r.Start(n)
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		start = r.Tree.End(m)
	}
	text, found := strings.CutPrefix(strings.TrimLeft(r.Slice(start, r.Tree.End(n)), " \t\r\n"), "func ")
	if !found {
		return graph.Span{}
	}
	text = strings.TrimLeft(text, " ")
	start = r.Tree.End(n) - uint32(len(text))
	return r.SpanBetween(start, start+uint32(len(text)-len(strings.TrimLeft(text, "+-*/%=<>!&|^~?."))))
}

// define adds a function, and reads what is in it.
func define(r *rules.Reader, n sitter.Node, d graph.Def, name sitter.Node) {
	end := r.Tree.End(n)
	if body := r.Find(n, "body"); body != sitter.None {
		end = r.Start(body)
	}
	d.Signature = r.Signature(r.Start(n), end)
	member(r, &d)
	def := r.Define(n, d)
	r.Within(def, true, func() {
		if d.Owner != "" {
			r.Scopes.Declare(spec.Local{Name: "self", Hint: graph.Hint{Rule: graph.HintDeclared, Type: d.Owner}, Def: graph.NoDef})
		}
		r.ChildrenBut(n, name)
	})
}

// initializer reads init(…).
func initializer(r *rules.Reader, n sitter.Node) bool {
	start := r.Start(n)
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		start = r.Tree.End(m)
	}
	i := strings.Index(r.Slice(start, r.Tree.End(n)), "init")
	if i < 0 {
		return false
	}
	start += uint32(i)
	define(r, n, graph.Def{Name: "init", NameSpan: r.SpanBetween(start, start+4), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))}, sitter.None)
	return true
}

// property reads let a: T = b, var (a, b) = c.
func property(r *rules.Reader, n sitter.Node) bool {
	typ, value := r.Find(n, "<type_annotation>/name"), r.Find(n, "value")
	var names []sitter.Node
	for p := range r.All(n, "name") {
		names = identifiers(r, p, names)
	}
	if r.InFunction() {
		for _, name := range names {
			defer declare(r, name, typ, value)
		}
		for c := range r.Tree.Children(n) {
			if !r.Is(c, "pattern") {
				r.Visit(c)
			}
		}
		return true
	}
	first := graph.NoDef
	for _, name := range names {
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindVariable, Doc: r.DocAbove(r.Start(n))}
		if typ != sitter.None {
			d.Type = r.Text(typ)
		} else if made := madeBy(r, value); made != "" {
			d.Type = made + "()"
		}
		member(r, &d)
		if def := r.Define(n, d); first == graph.NoDef {
			first = def
		}
	}
	r.Within(first, false, func() {
		for c := range r.Tree.Children(n) {
			if !r.Is(c, "pattern") {
				r.Visit(c)
			}
		}
	})
	return true
}

// identifiers lists the names that a pattern binds.
func identifiers(r *rules.Reader, n sitter.Node, out []sitter.Node) []sitter.Node {
	if !r.Is(n, "pattern") {
		return out
	}
	direct := r.Find(n, "bound_identifier")
	if direct != sitter.None {
		return append(out, direct)
	}
	only := sitter.None
	for c := range r.Tree.Children(n) {
		if r.Is(c, "pattern") {
			out = identifiers(r, c, out)
		} else if r.Is(c, "simple_identifier") && r.Start(c) == r.Start(n) && r.Tree.End(c) == r.Tree.End(n) {
			only = c
		}
	}
	if only != sitter.None {
		out = append(out, only)
	}
	return out
}

// flags says what is seen outside of its file or type, and what is a test.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	if d.Has(graph.FlagLocal) {
		return 0
	}
	f = graph.FlagExported
	text := ""
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		text = r.Text(m)
	}
	if strings.Contains(text, "private") {
		f = 0
	}
	if strings.Contains(text, "static") || strings.HasPrefix(r.Slice(r.Start(n), r.Tree.End(n)), "class func") {
		f |= graph.FlagStatic
	}
	around := r.EnclosingDef()
	if around != nil && around.Kind == graph.KindInterface && d.Kind == graph.KindMethod && r.Find(n, "body") == sitter.None {
		f |= graph.FlagAbstract
	}
	if d.Kind != graph.KindMethod && d.Kind != graph.KindFunction {
		return f
	}
	suite := around != nil && (strings.HasSuffix(around.Name, "Tests") || strings.HasSuffix(around.Name, "TestCase") || strings.HasSuffix(around.Name, "Test"))
	switch {
	case suite && strings.HasPrefix(d.Name, "test"), strings.Contains(text, "@Test"):
		f |= graph.FlagTest
	case suite && (d.Name == "setUp" || d.Name == "tearDown" || d.Name == "setUpWithError" || d.Name == "tearDownWithError"):
		f |= graph.FlagFixture
	}
	return f
}
