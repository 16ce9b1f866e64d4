// Package ruby extracts the facts of Ruby files: modules and classes with what they
// include, methods, attributes, constants, examples of tests, calls, and what is required.
//
// Only extract calls it.
package ruby

import (
	"strings"

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
		Name: "ruby", Version: "ruby/3", Grammar: sitter.Ruby(),
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
			"comment":             {Visit: comment},
			"if":                  {Visit: branch}, "unless": {Visit: branch}, "elsif": {Visit: branch}, "conditional": {Visit: branch},
			"if_modifier": {Visit: branch}, "unless_modifier": {Visit: branch},
			"case": {Visit: caseOf}, "binary": {Visit: binary}, "rescue": {Visit: rescue}, "return": {Visit: returned}, "super": {Visit: super},
			"while": {Visit: loop}, "until": {Visit: loop},
			"method_parameters": {Visit: parameters}, "block_parameters": {Visit: parameters}, "lambda_parameters": {Visit: parameters},
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
			"comment", "heredoc_body", "heredoc_beginning", "chained_string", "delimited_symbol", "integer", "float", "hash", "regex", "string_array", "symbol_array", "true", "false", "nil",
			"lambda", "array", "parenthesized_statements", "begin", "then", "else", "body_statement", "block_body", "ensure", "do", "if", "unless", "elsif", "conditional", "if_modifier",
			"unless_modifier", "rescue_modifier", "case", "when", "pattern", "assignment", "operator_assignment", "binary", "unary", "rescue", "exceptions", "return", "next", "break", "redo",
			"right_assignment_list", "block_parameters", "block_argument", "pair", "hash_key_symbol",
		},
		Paths: []rules.Path{
			"name", "scope", "body", "superclass", "object", "parameters", "receiver", "method", "arguments", "block", "left", "right", "alias", "value",
			"superclass/<constant>|superclass/<scope_resolution>", "<string>/<string_content>|<string>", "<simple_symbol>", "<simple_symbol>|<string>/<string_content>", "<identifier>",
			"condition", "consequence", "alternative", "operand", "exceptions", "variable/<identifier>", "<pattern>", "<simple_symbol>", "key", "<block_argument>", "<pair>",
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

	vars      map[string]string // values of locals; "" is not known
	functions []*frame
	tables    []*notes
	lets      []let
	described []string // what the blocks of tests around are about
	doc       comments
	depth     int // of valueOf
}

// frame is what is known of the method being read.
type frame struct {
	name    string
	static  bool
	returns string
	last    string // the value of its last expression
	some    bool   // it has a return
}

func stateOf(r *rules.Reader) *state { return r.Data.(*state) }

// apart reads something whose locals are its own.
func (s *state) apart(read func()) {
	vars := s.vars
	s.vars = map[string]string{}
	for name, v := range vars {
		s.vars[name] = v
	}
	read()
	s.vars = vars
}

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
	functions := s.functions
	s.functions = nil
	s.tables = append(s.tables, &notes{sets: map[string]string{}})
	s.apart(func() { r.Within(def, true, read) })
	if def != graph.NoDef {
		r.Facts.Defs[def].Type = s.tables[len(s.tables)-1].text()
	}
	s.tables, s.functions = s.tables[:len(s.tables)-1], functions
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
	told := readDoc(docAbove(r, r.Start(n)))
	def := r.Define(n, d)
	f := &frame{name: d.Name, static: d.Has(graph.FlagStatic)}
	body(r, def, f, told.params, func() {
		r.ChildrenBut(n, name, object)
		if body := r.Find(n, "body"); body != sitter.None {
			f.last = valueOf(r, body)
		}
	})
	if def == graph.NoDef || d.Name == "initialize" || strings.HasSuffix(d.Name, "=") {
		return true
	}
	if f.returns != "" && f.returns != "?" && f.returns != "nil" {
		r.Facts.Defs[def].Type = f.returns
	} else if told.result != "" {
		r.Facts.Defs[def].Type = told.result
	}
	return true
}

// body reads the body of a method, and what it returns.
func body(r *rules.Reader, def int32, f *frame, params map[string]string, read func()) {
	s := stateOf(r)
	s.functions = append(s.functions, f)
	vars := s.vars
	s.vars = map[string]string{}
	r.Within(def, true, func() {
		for name, v := range params {
			s.vars[name] = v
		}
		read()
		if def == graph.NoDef {
			return
		}
		value := f.last
		if f.some {
			value = rules.Union(f.returns, value)
		}
		f.returns = known(value)
	})
	s.vars, s.functions = vars, s.functions[:len(s.functions)-1]
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
	def := graph.NoDef
	if name := r.Find(n, "name"); name != sitter.None {
		def = defineMember(r, n, name, graph.KindMethod)
	}
	if old := r.Find(n, "alias"); r.Is(old, "identifier", "simple_symbol") && def != graph.NoDef {
		aliasOf(r, def, old)
	}
	return true
}

// aliasOf records that a method is another by a name of its own.
func aliasOf(r *rules.Reader, def int32, old sitter.Node) {
	name := strings.TrimPrefix(r.Text(old), ":")
	start := r.Tree.End(old) - uint32(len(name))
	r.Within(def, false, func() {
		ref := graph.Ref{Name: name, Qualifier: "self", Use: graph.UseCall, Span: r.SpanBetween(start, r.Tree.End(old)), Args: -1, Hint: graph.Hint{Rule: graph.HintValue, Type: "self"}}
		r.AddRef(ref)
	})
	r.Facts.Defs[def].Type = "self." + name + "()"
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
		mark(r, "functions")
	case "__method__", "__dir__", "block_given?", "binding":
	case "new":
		makes(r, n, sitter.None, 0)
	default:
		plain(r, n, 0)
	}
	return true
}

// mark adds a part to the type of the class around.
func mark(r *rules.Reader, text string) {
	if s := stateOf(r); len(s.tables) > 0 {
		s.tables[len(s.tables)-1].mark(text)
	}
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
		if r.Is(name, "constant") && r.Is(before, "constant", "scope_resolution") {
			r.AddRef(graph.Ref{Name: r.Text(name), Qualifier: r.Qualifier(r.Start(before), r.Tree.End(before)), Use: graph.UseRead, Span: r.Span(name), Args: -1})
		} else {
			memberOf(r, name, before, graph.UseRead, -1)
		}
	}
	return true
}

// parameters binds the names of parameters.
func parameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "identifier"):
			bind(r, c, "")
		case r.Is(c, "destructured_parameter"):
			parameters(r, c)
		default:
			value := ""
			if node := r.Find(c, "value"); node != sitter.None {
				r.Visit(node)
				if value = valueOf(r, node); value != "" {
					value = rules.Union(value, "?")
				}
			}
			if name := r.Find(c, "name"); name != sitter.None {
				bind(r, name, value)
			}
		}
	}
	return true
}

// bind makes a name a local one, of a value that its default says unless a comment does.
func bind(r *rules.Reader, n sitter.Node, value string) {
	r.Bind(n)
	if vars := stateOf(r).vars; vars[r.Text(n)] == "" {
		vars[r.Text(n)] = value
	}
}
