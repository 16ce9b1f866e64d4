// Package scala extracts the facts of Scala files: packages, classes, traits, objects and
// enumerations with their members, functions, values, calls, and imports.
//
// Only extract calls it.
package scala

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Scala.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	class := func(kind graph.Kind) rules.Rule {
		return rules.Rule{Define: kind, Name: "name", Body: "body", Open: true, Bases: []rules.Base{{At: "extend/type", Rel: graph.RelExtends}}}
	}
	function := rules.Rule{Define: graph.KindFunction, Member: graph.KindMethod, Name: "name", Type: "return_type", Body: "body", Open: true}
	enumCase := rules.Rule{Define: graph.KindEnumMember, Name: "name", Bases: []rules.Base{{At: "extend/type", Rel: graph.RelExtends}}}
	block := rules.Rule{Open: true}
	value := rules.Rule{Visit: value}
	return rules.Table{
		Name: "scala", Version: "scala/3", Grammar: sitter.Scala(),
		Comments: []string{"comment", "block_comment"}, Mark: "//", Self: []string{"this"}, Super: []string{"super"},
		Rules: map[string]rules.Rule{
			"package_clause":     {Visit: packageClause},
			"import_declaration": {Visit: importDeclaration},
			"export_declaration": {Opaque: true},
			"class_definition":   class(graph.KindClass), "object_definition": class(graph.KindClass), "trait_definition": class(graph.KindInterface),
			"enum_definition": class(graph.KindEnum), "package_object": class(graph.KindModule),
			"simple_enum_case": enumCase, "full_enum_case": enumCase,
			"type_definition":     {Define: graph.KindType, Name: "name"},
			"given_definition":    {Define: graph.KindVariable, Name: "name", Body: "body"},
			"function_definition": function, "function_declaration": function,
			"val_definition": value, "var_definition": value, "val_declaration": value, "var_declaration": value,
			"class_parameter": {Visit: classParameter},
			"parameter":       {Bind: "name", Type: "type"}, "binding": {Bind: "name", Type: "type"},
			"lambda_expression": {Visit: lambda},
			"block":             block, "case_block": block, "indented_block": block, "for_expression": block, "extension_definition": block,
			"case_clause":         {Visit: caseClause},
			"enumerator":          {Visit: enumerator},
			"call_expression":     {Visit: call},
			"field_expression":    {Visit: field},
			"infix_expression":    {Visit: infix},
			"instance_expression": {Visit: instance},
			"extends_clause":      {Visit: extends},
			"annotation":          {Visit: annotation},
			"type_parameters":     {Opaque: true}, "modifiers": {Opaque: true},
			"interpolated_string_expression": {Visit: interpolated},
		},
		Names:    map[string]graph.Use{"identifier": graph.UseRead, "type_identifier": graph.UseType, "stable_type_identifier": graph.UseType},
		Compound: map[string]string{"stable_type_identifier": "."},
		Kinds: []string{
			"identifier", "type_identifier", "stable_type_identifier", "generic_type", "generic_function", "field_expression", "call_expression", "instance_expression", "tuple_pattern",
			"case_class_pattern", "typed_pattern", "capture_pattern", "infix_pattern", "alternative_pattern", "arguments", "block", "case_block", "template_body", "modifiers", "bindings",
			"access_modifier", "class_definition", "operator_identifier", "identifiers", "string", "infix_expression",
		},
		Paths: []rules.Path{
			"name", "type", "body", "pattern", "value", "left", "right", "operator", "function", "arguments", "field", "parameters", "<modifiers>", "~access_modifier", "extend/type",
			"~type_identifier", "<generic_type>/<type_identifier>|<type_identifier>", "<arguments>", "~string", "<generic_type>|<type_identifier>|<stable_type_identifier>", "type_arguments", "interpolator", "<string>",
		},
		Flags: flags,
	}
}

func packageClause(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "name"); name != sitter.None && r.Find(n, "body") == sitter.None {
		if r.Facts.Package != "" {
			r.Facts.Package += "."
		}
		r.Facts.Package += r.Qualifier(r.Start(name), r.Tree.End(name))
	}
	r.Visit(r.Find(n, "body"))
	return true
}

// importDeclaration reads import a.B, a.{C, D => E}, a._.
func importDeclaration(r *rules.Reader, n sitter.Node) bool {
	text := strings.TrimSpace(strings.TrimPrefix(r.Signature(r.Start(n), r.Tree.End(n)), "import"))
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == ',' && depth == 0 {
			imported(r, n, strings.TrimSpace(text[from:i]))
			from = i + 1
			continue
		}
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	return true
}

func imported(r *rules.Reader, n sitter.Node, text string) {
	text, selectors, braces := strings.Cut(text, "{")
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	if !braces {
		if i := strings.LastIndexByte(text, '.'); i >= 0 {
			text, selectors = text[:i], text[i+1:]
		} else {
			text, selectors = "", text
		}
	}
	for one := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(selectors), "}"), ",") {
		one = strings.ReplaceAll(one, " as ", "=>")
		name, alias, _ := strings.Cut(one, "=>")
		im := graph.Import{Module: text, Name: strings.TrimSpace(name), Alias: strings.TrimSpace(alias), Span: r.Span(n)}
		switch {
		case im.Name == "" || im.Alias == "_" || strings.HasPrefix(im.Name, "given"):
			continue
		case im.Name == "_" || im.Name == "*":
			im.Name = "*"
		}
		r.AddImport(im)
	}
}

// extends reads what a base is made with; the bases themselves are heritage.
func extends(r *rules.Reader, n sitter.Node) bool {
	first := true
	for c := range r.All(n, "type") {
		if args := r.Find(n, "arguments"); first && args != sitter.None && r.Is(c, "type_identifier", "stable_type_identifier") {
			r.Call(c, r.CountChildren(args))
		} else if r.Is(c, "generic_type") {
			r.Visit(r.Find(c, "type_arguments"))
		}
		first = false
	}
	r.Visit(r.Find(n, "arguments"))
	return true
}

// value reads val a = b, var (a, b) = c and val A(b) = c.
func value(r *rules.Reader, n sitter.Node) bool {
	pattern, typ, set := r.Find(n, "pattern"), r.Find(n, "type"), r.Find(n, "value")
	if pattern == sitter.None {
		pattern = r.Find(n, "name")
	}
	if pattern == sitter.None {
		return false
	}
	names := bound(r, pattern, nil)
	r.Visit(typ)
	if r.InFunction() {
		r.Visit(set)
		for _, name := range names {
			if len(names) > 1 {
				declare(r, name, sitter.None, sitter.None)
			} else {
				declare(r, name, typ, set)
			}
		}
		return true
	}
	first := graph.NoDef
	for _, name := range names {
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindVariable, Doc: r.DocAbove(r.Start(n))}
		if r.EnclosingType() != nil {
			d.Kind = graph.KindProperty
		}
		if typ != sitter.None {
			d.Type = r.Text(typ)
		} else if made := madeBy(r, set); made != "" && len(names) == 1 {
			d.Type = made + "()"
		}
		if def := r.Define(n, d); first == graph.NoDef {
			first = def
		}
	}
	r.Within(first, false, func() { r.Visit(set) })
	return true
}

// bound lists the names that a pattern binds.
func bound(r *rules.Reader, n sitter.Node, out []sitter.Node) []sitter.Node {
	if r.Is(n, "identifier") {
		return append(out, n)
	}
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "identifier") && r.Src[r.Start(c)] >= 'A' && r.Src[r.Start(c)] <= 'Z' && !r.Is(n, "identifiers"):
		case r.Is(c, "type_identifier", "stable_type_identifier", "generic_type"):
		default:
			out = bound(r, c, out)
		}
	}
	return out
}

// flags says what is seen outside of its type, and what is a test.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	if d.Has(graph.FlagLocal) {
		return 0
	}
	f = graph.FlagExported
	if m := r.Find(n, "<modifiers>"); m != sitter.None {
		text := r.Text(m)
		if strings.Contains(text, "private") {
			f = 0
		}
	}
	if d.Kind == graph.KindMethod && !d.Has(graph.FlagTest) && r.Find(n, "body") == sitter.None {
		f |= graph.FlagAbstract
	}
	return f
}
