// Package groovy extracts the facts of Groovy files and Gradle scripts: the package,
// classes with their members, functions, tasks, calls, and imports.
//
// Only extract calls it.
package groovy

import (
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Groovy.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare = plainHeads
	l.Textual = lost
	l.Time = patience
	return l
}

// patience bounds the parse: the grammar is ambiguous, and some short texts take it longer
// than anybody waits, while those that it reads take a millisecond for each kilobyte at most.
func patience(size int) time.Duration {
	return time.Second + time.Duration(size)*10*time.Microsecond
}

func table() rules.Table {
	function := rules.Rule{Define: graph.KindFunction, Member: graph.KindMethod, Name: "function", Type: "type", Body: "body", Open: true}
	return rules.Table{
		Name: "groovy", Version: "groovy/5", Grammar: sitter.Groovy(),
		Comments: []string{"comment", "groovy_doc"}, Mark: "//", Self: []string{"this"}, Super: []string{"super"},
		Rules: map[string]rules.Rule{
			"groovy_package":      {Visit: packageClause},
			"groovy_import":       {Visit: importClause},
			"class_definition":    {Visit: class},
			"function_definition": function, "function_declaration": function,
			"declaration":   {Visit: declaration},
			"parameter":     {Bind: "name", Type: "type"},
			"closure":       {Visit: closure},
			"function_call": {Visit: call}, "juxt_function_call": {Visit: call},
			"dotted_identifier": {Visit: dotted},
			"assignment":        {Visit: assignment},
			"map_item":          {Visit: item},
			"annotation":        {Visit: annotation},
			"label":             {Opaque: true}, "builtintype": {Opaque: true},
		},
		Names: map[string]graph.Use{"identifier": graph.UseRead},
		Kinds: []string{"identifier", "dotted_identifier", "closure", "function_call", "juxt_function_call", "string", "unary_op", "argument_list", "qualified_name", "builtintype", "generics", "type_with_generics", "modifier"},
		Paths: []rules.Path{"name", "type", "value", "function", "args", "body", "superclass", "import", "<qualified_name>|<identifier>", "<wildcard_import>", "key", "<identifier>", "<modifier>", "<access_modifier>",
			"<annotation>", "<annotation>/<identifier>", "<function_call>", "<type_with_generics>/<identifier>", "~string", "<string>"},
		Flags: flags, Finish: partly,
	}
}

func packageClause(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<qualified_name>|<identifier>"); name != sitter.None {
		r.Facts.Package = r.Qualifier(r.Start(name), r.Tree.End(name))
	}
	return true
}

// importClause reads import a.B, import static a.B.c and import a.*.
func importClause(r *rules.Reader, n sitter.Node) bool {
	path := r.Find(n, "import")
	if path == sitter.None {
		return true
	}
	im := graph.Import{Module: r.Qualifier(r.Start(path), r.Tree.End(path)), Name: "*", Span: r.Span(n)}
	if r.Find(n, "<wildcard_import>") == sitter.None {
		im.Name = im.Module
		if i := strings.LastIndexByte(im.Module, '.'); i >= 0 {
			im.Module, im.Name = im.Module[:i], im.Module[i+1:]
		} else {
			im.Module = ""
		}
	}
	if im.Name != "" {
		r.AddImport(im)
	}
	return true
}

// class reads a class, interface or trait. The grammar does not know implements: what
// stands behind it is text that it could not read.
func class(r *rules.Reader, n sitter.Node) bool {
	name, body, base := r.Find(n, "name"), r.Find(n, "body"), r.Find(n, "superclass")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindClass, Doc: r.DocAbove(r.Start(n))}
	if strings.Contains(r.Slice(r.Start(n), r.Start(name)), "interface ") {
		d.Kind = graph.KindInterface
	}
	end := r.Tree.End(n)
	if body != sitter.None {
		end = r.Start(body)
	}
	d.Signature = r.Signature(r.Start(n), end)
	def := r.Define(n, d)
	if base != sitter.None {
		r.AddBase(def, base, graph.RelExtends)
	}
	for c := range r.Tree.Children(n) {
		if !r.Tree.IsError(c) {
			continue
		}
		for m := range r.Tree.Children(c) {
			if r.Is(m, "identifier", "dotted_identifier") && r.Text(m) != "implements" {
				r.AddBase(def, m, graph.RelImplements)
			}
		}
	}
	r.Within(def, true, func() {
		for a := range r.All(n, "<annotation>") {
			r.Visit(a)
		}
		if body != sitter.None {
			r.Children(body)
		}
	})
	return true
}

// flags says what is private, static or a test.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) (f graph.DefFlags) {
	if d.Has(graph.FlagLocal) {
		return 0
	}
	f = graph.FlagExported
	if a := r.Find(n, "<access_modifier>"); a != sitter.None && r.Text(a) == "private" {
		f = 0
	}
	for m := range r.All(n, "<modifier>") {
		if r.Text(m) == "static" {
			f |= graph.FlagStatic
		}
	}
	if d.Kind != graph.KindMethod {
		return f
	}
	for a := range r.All(n, "<annotation>/<identifier>") {
		switch r.Text(a) {
		case "Test", "ParameterizedTest":
			f |= graph.FlagTest
		case "Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll":
			f |= graph.FlagFixture
		}
	}
	if t := r.EnclosingDef(); t != nil && strings.HasSuffix(t.Name, "Spec") && (d.Name == "setup" || d.Name == "cleanup" || d.Name == "setupSpec" || d.Name == "cleanupSpec") {
		f |= graph.FlagFixture
	}
	return f
}

// declaration reads def a = b and T a: of a class, of a script, or of a function.
func declaration(r *rules.Reader, n sitter.Node) bool {
	name, typ, value := r.Find(n, "name"), r.Find(n, "type"), r.Find(n, "value")
	if name == sitter.None {
		return false
	}
	if r.Is(typ, "identifier") && r.Text(typ) == "enum" {
		def := r.Define(n, graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindEnum, Doc: r.DocAbove(r.Start(n))})
		if def != graph.NoDef {
			constants(r, n, def, r.Tree.End(name))
		}
		return true
	}
	if r.Is(typ, "identifier") && r.Text(typ) == "task" && value == sitter.None && r.EnclosingType() == nil { // task hello { … }
		r.Define(n, graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))})
		return true
	}
	words := r.Slice(r.Start(n), r.Start(name))
	if value == sitter.None && r.Is(typ, "identifier") && (r.EnclosingType() == nil || r.InFunction()) && r.Src[r.Start(typ)] >= 'a' && !strings.Contains(words, "final") && !strings.Contains(words, "def") {
		r.Call(typ, 1) // helper x
		r.Visit(name)
		return true
	}
	typeName(r, typ)
	if r.InFunction() || r.EnclosingDef() != nil && r.EnclosingType() == nil {
		r.Visit(value)
		r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hintOf(r, typ, value), Def: graph.NoDef})
		return true
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindVariable, Doc: r.DocAbove(r.Start(n))}
	if r.EnclosingType() != nil {
		d.Kind = graph.KindField
	}
	if typ != sitter.None {
		d.Type = r.Text(typ)
	}
	if d.Name == "" {
		return false
	}
	for a := range r.All(n, "<annotation>") {
		r.Visit(a)
	}
	def := r.Define(n, d)
	r.Within(def, false, func() { r.Visit(value) })
	return true
}

func typeName(r *rules.Reader, typ sitter.Node) {
	switch {
	case r.Is(typ, "identifier"):
		r.Name(typ, graph.UseType)
	default:
		r.Visit(typ)
	}
}

// hintOf says what a local is by its type, or by new C(…).
func hintOf(r *rules.Reader, typ, value sitter.Node) graph.Hint {
	if typ != sitter.None && !r.Is(typ, "builtintype") {
		return graph.Hint{Rule: graph.HintDeclared, Type: r.Text(typ)}
	}
	made := value
	if r.Is(value, "unary_op") {
		made = r.Find(value, "<function_call>")
	}
	if r.Is(made, "function_call") {
		if callee := r.Find(made, "function"); r.Is(callee, "identifier", "dotted_identifier") {
			return graph.Hint{Rule: graph.HintAssigned, Type: r.Qualifier(r.Start(callee), r.Tree.End(callee))}
		}
	}
	return graph.Hint{Rule: graph.HintLocal}
}
