// Package ruby extracts the facts of Ruby files: modules and classes with what they
// include, methods, attributes, constants, examples of tests, calls, and what is required.
//
// Only extract calls it.
package ruby

import (
	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Ruby.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	bind := rules.Rule{Bind: "name"}
	return rules.Table{
		Name: "ruby", Version: "ruby/1", Grammar: sitter.Ruby(),
		Comments: []string{"comment"}, Mark: "#", Separator: "::", Self: []string{"self"},
		Rules: map[string]rules.Rule{
			"module":              {Visit: class},
			"class":               {Visit: class},
			"singleton_class":     {Visit: singletonClass},
			"method":              {Visit: method},
			"singleton_method":    {Visit: method},
			"alias":               {Visit: alias},
			"call":                {Visit: call},
			"assignment":          {Visit: assignment},
			"operator_assignment": {Visit: assignment},
			"identifier":          {Visit: identifier},
			"scope_resolution":    {Visit: scope},
			"method_parameters":   {Visit: parameters}, "block_parameters": {Visit: parameters}, "lambda_parameters": {Visit: parameters},
			"block_parameter": bind, "keyword_parameter": bind,
			"for":                {Bind: "pattern"},
			"exception_variable": {Bind: "<identifier>"},
			"block":              {Open: true}, "do_block": {Open: true}, "lambda": {Open: true},
		},
		Names: map[string]graph.Use{"constant": graph.UseRead},
		Kinds: []string{
			"module", "class", "singleton_class", "constant", "scope_resolution", "identifier", "simple_symbol", "string", "string_content", "self", "super", "call",
			"class_variable", "global_variable", "instance_variable", "left_assignment_list", "destructured_left_assignment", "optional_parameter", "keyword_parameter",
			"destructured_parameter", "splat_parameter", "hash_splat_parameter", "block_parameter", "method", "argument_list", "rest_assignment", "element_reference", "do_block", "block",
		},
		Paths: []rules.Path{
			"name", "scope", "body", "superclass", "object", "parameters", "receiver", "method", "arguments", "block", "left", "right", "alias", "value",
			"superclass/<constant>|superclass/<scope_resolution>", "<string>/<string_content>|<string>", "<simple_symbol>", "<simple_symbol>|<string>/<string_content>", "<identifier>",
		},
		Start: start, Flags: flags,
	}
}

// state is what is known of the place being read.
type state struct {
	testFile  bool
	hidden    bool // behind private or protected
	singleton bool // in class << self
	tests     []bool
}

func stateOf(r *rules.Reader) *state { return r.Data.(*state) }

// class reads a module or class: class A::B < C.
func class(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None {
		return false
	}
	d := graph.Def{Kind: graph.KindModule, Span: r.Span(n), Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)}
	if r.Is(n, "class") {
		d.Kind = graph.KindClass
	}
	last := name
	if r.Is(name, "scope_resolution") {
		if last = r.Find(name, "name"); last == sitter.None {
			return false
		}
		d.Local = local(r, r.Text(name))
	}
	d.Name, d.NameSpan = r.Text(last), r.Span(last)
	if d.Name == "" {
		return false
	}
	def := r.Define(n, d)
	base := r.Find(n, "superclass/<constant>|superclass/<scope_resolution>")
	if base != sitter.None {
		r.AddBase(def, base, graph.RelExtends)
	}
	if body := r.Find(n, "superclass"); body != sitter.None && base == sitter.None {
		r.Visit(body)
	}
	inside(r, def, isTestClass(r, base), func() { r.ChildrenBut(n, name, r.Find(n, "superclass")) })
	return true
}

// inside reads the body of a class.
func inside(r *rules.Reader, def int32, test bool, read func()) {
	s := stateOf(r)
	hidden, singleton := s.hidden, s.singleton
	s.hidden, s.singleton, s.tests = false, false, append(s.tests, test)
	r.Within(def, true, read)
	s.hidden, s.singleton, s.tests = hidden, singleton, s.tests[:len(s.tests)-1]
}

func singletonClass(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	hidden, singleton := s.hidden, s.singleton
	s.hidden, s.singleton = false, true
	r.Visit(r.Find(n, "body"))
	s.hidden, s.singleton = hidden, singleton
	return true
}

// local returns the name inside the file of what is named by a path of constants.
func local(r *rules.Reader, path string) string {
	if around := r.EnclosingDef(); around != nil && around.Local != "" && path[0] != ':' {
		return around.Local + "::" + path
	}
	for len(path) > 0 && path[0] == ':' {
		path = path[1:]
	}
	return path
}

func firstLine(r *rules.Reader, n sitter.Node) string {
	start, end := r.Start(n), r.Tree.End(n)
	if body := r.Find(n, "body"); body != sitter.None && r.Start(body) > start {
		end = r.Start(body)
	}
	for i := start; i < end; i++ {
		if c := r.Src[i]; c == '\n' || c == ';' {
			end = i
			break
		}
	}
	return r.Signature(start, end)
}

// method reads def m, def self.m and def Const.m.
func method(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	d := graph.Def{Kind: graph.KindMethod, Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)}
	d.Flags = memberFlags(r)
	object := r.Find(n, "object")
	if object != sitter.None {
		d.Flags |= graph.FlagStatic
	}
	switch {
	case r.Is(object, "constant") && (r.EnclosingType() == nil || r.EnclosingType().Name != r.Text(object)):
		d.Owner = r.Text(object)
		d.Local = local(r, d.Owner) + "." + d.Name
	default:
		nameMember(r, &d)
	}
	def := r.Define(n, d)
	r.Within(def, true, func() { r.ChildrenBut(n, name, object) })
	return true
}

// nameMember sets the name inside the file of a method: A::B#m, A::B.m.
func nameMember(r *rules.Reader, d *graph.Def) {
	around := r.EnclosingDef()
	switch {
	case around == nil:
		d.Local = d.Name
		if d.Kind == graph.KindMethod {
			d.Kind = graph.KindFunction
		}
	case d.Has(graph.FlagStatic):
		d.Local = around.Local + "." + d.Name
	default:
		d.Local = around.Local + "#" + d.Name
	}
}

func memberFlags(r *rules.Reader) graph.DefFlags {
	s := stateOf(r)
	if s.singleton {
		return graph.FlagStatic
	}
	return 0
}

// flags says what is exported, and what runners run.
func flags(r *rules.Reader, _ sitter.Node, d *graph.Def) (f graph.DefFlags) {
	s := stateOf(r)
	if !d.Has(graph.FlagLocal) && !s.hidden {
		f |= graph.FlagExported
	}
	if n := len(s.tests); n > 0 && s.tests[n-1] && d.Kind == graph.KindMethod {
		f |= testFlags(d.Name)
	}
	return f
}

// alias reads alias NEW OLD.
func alias(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "name"); name != sitter.None {
		defineMember(r, n, name, graph.KindMethod)
	}
	if old := r.Find(n, "alias"); r.Is(old, "identifier") {
		r.Name(old, graph.UseRead)
	}
	return true
}

// defineMember defines what a symbol, a string or a name gives the name of.
func defineMember(r *rules.Reader, n, name sitter.Node, kind graph.Kind) int32 {
	start, end := r.Start(name), r.Tree.End(name)
	if start < end && r.Src[start] == ':' {
		start++
	}
	if start >= end {
		return graph.NoDef
	}
	d := graph.Def{Kind: kind, Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Flags: memberFlags(r)}
	nameMember(r, &d)
	return r.Define(n, d)
}

// identifier reads a bare name: a local, or a call without arguments.
func identifier(r *rules.Reader, n sitter.Node) bool {
	name := r.Text(n)
	if r.Scopes.Lookup(name) != nil {
		return true
	}
	switch name {
	case "private", "protected", "private_class_method":
		stateOf(r).hidden = true
	case "public":
		stateOf(r).hidden = false
	case "module_function":
		stateOf(r).singleton = true
	case "__method__", "__dir__", "block_given?", "binding":
	default:
		r.Call(n, 0)
	}
	return true
}

// scope reads A::B.
func scope(r *rules.Reader, n sitter.Node) bool {
	name, before := r.Find(n, "name"), r.Find(n, "scope")
	switch {
	case name == sitter.None:
		return false
	case before == sitter.None:
		r.Name(name, graph.UseRead)
	default:
		r.Visit(before)
		r.Member(name, before, graph.UseRead, -1)
	}
	return true
}

// parameters binds the names of parameters.
func parameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "identifier"):
			r.Bind(c)
		case r.Is(c, "destructured_parameter"):
			parameters(r, c)
		default:
			if value := r.Find(c, "value"); value != sitter.None {
				r.Visit(value)
			}
			if name := r.Find(c, "name"); name != sitter.None {
				r.Bind(name)
			}
		}
	}
	return true
}
