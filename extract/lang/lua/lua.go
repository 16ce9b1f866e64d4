// Package lua extracts the facts of Lua files: functions and methods, the fields that
// tables are given by name, locals of the file, calls, and what require takes.
//
// Only extract calls it.
package lua

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Lua.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	block := rules.Rule{Open: true}
	return rules.Table{
		Name: "lua", Version: "lua/5", Grammar: sitter.Lua(),
		Comments: []string{"comment", "emmy_documentation"}, Mark: "--",
		Rules: map[string]rules.Rule{
			"function_statement":   {Visit: function},
			"function":             {Visit: literal},
			"parameter_list":       {Bind: "<identifier>"},
			"variable_declaration": {Visit: assignment},
			"function_call":        {Visit: call},
			"field":                {Visit: field},
			"for_generic":          {Bind: "identifier_list/<identifier>|<identifier>"},
			"for_numeric":          {Bind: "var"},
			"do_statement":         block, "while_statement": block, "repeat_statement": block, "for_statement": block,
			"if_statement": block,
		},
		Names: map[string]graph.Use{"identifier": graph.UseRead},
		Kinds: []string{"identifier", "local", "function", "function_name", "function_call", "table_colon", "self_call_colon",
			"function_call_paren", "function_arguments", "string_argument", "table_argument", "string"},
		Paths: []rules.Path{"name", "name/<identifier>", "value", "prefix", "args", "<local>", "<identifier>", "<table_colon>", "<function_body>", "<string>"},
		Flags: flags,
	}
}

// flags says that what is not local to its file is exported.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) graph.DefFlags {
	if d.Has(graph.FlagLocal) || r.Find(n, "<local>") != sitter.None {
		return 0
	}
	return graph.FlagExported
}

// function reads a function statement: function f, local function f, function a.b:c.
func function(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None {
		return false
	}
	d := graph.Def{Kind: graph.KindFunction, Span: r.Span(n), Doc: r.DocAbove(r.Start(n)), Signature: signature(r, n)}
	id := name
	if r.Is(name, "function_name") {
		for c := range r.All(name, "<identifier>") {
			id = c
		}
		d.Local = r.Text(name)
		if r.Find(name, "<table_colon>") != sitter.None {
			d.Kind = graph.KindMethod
		}
		d.Owner = owner(r, name, id)
	}
	d.Name, d.NameSpan = r.Text(id), r.Span(id)
	if d.Name == "" {
		return false
	}
	def := r.Define(n, d)
	r.Within(def, true, func() {
		if d.Kind == graph.KindMethod {
			r.Scopes.Declare(spec.Local{Name: "self", Hint: graph.Hint{Rule: graph.HintSelf, Type: d.Owner}, Def: graph.NoDef})
		}
		r.ChildrenBut(n, name)
	})
	return true
}

// owner returns the table in whose field a function is kept: B of function a.B:c.
func owner(r *rules.Reader, name, last sitter.Node) (text string) {
	for c := range r.All(name, "<identifier>") {
		if c != last {
			text = r.Text(c)
		}
	}
	return text
}

func signature(r *rules.Reader, n sitter.Node) string {
	end := r.Tree.End(n)
	if body := r.Find(n, "<function_body>"); body != sitter.None {
		end = r.Tree.Start(body)
	}
	return r.Signature(r.Start(n), end)
}

// literal reads a function without a name.
func literal(r *rules.Reader, n sitter.Node) bool {
	r.Within(graph.NoDef, true, func() { r.Children(n) })
	return true
}

// assignment reads a local declaration or an assignment, which are one kind of node.
func assignment(r *rules.Reader, n sitter.Node) bool {
	names, values := slices.Collect(r.All(n, "name")), slices.Collect(r.All(n, "value"))
	local := r.Find(n, "<local>") != sitter.None
	var binds []spec.Local
	for i, name := range names {
		value := sitter.None
		if i < len(values) {
			value = values[i]
		}
		ids := slices.Collect(r.All(name, "<identifier>"))
		switch {
		case len(ids) == 0:
		case r.Is(value, "function") && r.Text(ids[len(ids)-1]) != "" && plainName(r.Text(name)):
			define(r, n, name, ids, value, len(names) == 1)
			continue
		case len(ids) == 1 && local && r.InFunction():
			binds = append(binds, spec.Local{Name: r.Text(ids[0]), Hint: hint(r, value), Def: graph.NoDef})
		case len(ids) == 1 && r.InFunction():
			r.Name(ids[0], graph.UseWrite)
		case r.InFunction():
			r.Visit(ids[0])
			r.MemberOf(ids[len(ids)-1], ids[0], r.Tree.End(ids[len(ids)-2]), graph.UseWrite, -1)
		case r.Text(ids[len(ids)-1]) != "":
			define(r, n, name, ids, value, len(names) == 1)
			continue
		}
		r.Visit(value)
	}
	for _, value := range values[min(len(values), len(names)):] {
		r.Visit(value)
	}
	for _, l := range binds {
		r.Scopes.Declare(l)
	}
	return true
}

// plainName reports whether a name is one of names with dots: not t[k].f.
func plainName(text string) bool { return !strings.ContainsAny(text, "[]()\"' \n") }

// define adds what an assignment outside of functions defines, and the functions of all
// assignments.
func define(r *rules.Reader, n, name sitter.Node, ids []sitter.Node, value sitter.Node, alone bool) {
	last := ids[len(ids)-1]
	d := graph.Def{Name: r.Text(last), NameSpan: r.Span(last), Span: r.Span(name), Kind: graph.KindVariable, Doc: r.DocAbove(r.Start(n))}
	if alone {
		d.Span = r.Span(n)
	}
	if len(ids) > 1 {
		d.Kind, d.Local, d.Owner = graph.KindField, r.Text(name), owner(r, name, last)
	}
	function := r.Is(value, "function")
	if function {
		d.Kind = graph.KindFunction
	}
	def := r.Define(n, d)
	if _, index := metatable(r, value); index != sitter.None && def != graph.NoDef {
		r.AddBase(def, index, graph.RelExtends)
	}
	r.Within(def, function, func() {
		if function {
			r.Children(value)
		} else {
			r.Visit(value)
		}
	})
}

// metatable returns what setmetatable(…, T) or setmetatable(…, { __index = T }) makes a
// table look into.
func metatable(r *rules.Reader, value sitter.Node) (name string, index sitter.Node) {
	if !r.Is(value, "function_call") {
		return "", sitter.None
	}
	callee, _, before := called(r, value)
	args := r.Find(value, "args")
	if before != sitter.None || args == sitter.None || r.Text(callee) != "setmetatable" {
		return "", sitter.None
	}
	last := sitter.None
	for c := range r.Tree.Children(args) {
		last = c
	}
	if r.Is(last, "identifier") {
		return r.Text(last), sitter.None
	}
	for f := last + 1; last != sitter.None && f < r.Tree.After(last); f++ {
		if r.Is(f, "field") && r.Text(r.Find(f, "name")) == "__index" {
			if index = r.Find(f, "value"); r.Is(index, "identifier") {
				return "", index
			}
		}
	}
	return "", sitter.None
}

func hint(r *rules.Reader, value sitter.Node) graph.Hint {
	if name, _ := metatable(r, value); name != "" {
		return graph.Hint{Rule: graph.HintDeclared, Type: name}
	}
	if r.Is(value, "function_call") {
		if callee, _, _ := called(r, value); callee != sitter.None {
			return graph.Hint{Rule: graph.HintAssigned, Type: r.Qualifier(r.Start(value), r.Tree.End(callee))}
		}
	}
	return graph.Hint{Rule: graph.HintLocal}
}

// field reads an entry of a table: its key names nothing that is looked up, but a function
// there is one of that name.
func field(r *rules.Reader, n sitter.Node) bool {
	name, value := r.Find(n, "name"), r.Find(n, "value")
	switch {
	case name == sitter.None:
		return false
	case r.Is(value, "function") && r.Is(name, "identifier"):
		d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n)), Signature: signature(r, value)}
		def := r.Define(n, d)
		r.Within(def, true, func() { r.Children(value) })
	default:
		r.ChildrenBut(n, name)
	}
	return true
}

// called returns what a call names, and the first and the last node before it: c, a
// and b of a.b:c().
func called(r *rules.Reader, n sitter.Node) (callee, first, before sitter.Node) {
	callee, first, before = sitter.None, sitter.None, sitter.None
	for c := range r.Tree.Children(n) {
		switch {
		case r.Is(c, "function_call_paren", "function_arguments", "string_argument", "table_argument"):
			return callee, first, before
		case r.Is(c, "self_call_colon"):
		default:
			if first == sitter.None {
				first = c
			}
			before, callee = callee, c
		}
	}
	return callee, first, before
}

func call(r *rules.Reader, n sitter.Node) bool {
	callee, first, before := called(r, n)
	if callee == sitter.None {
		return false
	}
	args := r.Find(n, "args")
	if before == sitter.None && r.Is(callee, "identifier") && r.Text(callee) == "require" && args != sitter.None {
		return require(r, n, args)
	}
	count := 0
	if args != sitter.None {
		count = 1
		if r.Is(args, "function_arguments") {
			count = r.CountChildren(args)
		}
	}
	switch {
	case !r.Is(callee, "identifier"):
		r.AddValueCall()
		r.Visit(callee)
	case before == sitter.None:
		r.Call(callee, count)
	default:
		r.Visit(first)
		r.MemberOf(callee, first, r.Tree.End(before), graph.UseCall, count)
	}
	if args != sitter.None {
		r.Children(args)
	}
	return true
}

// require reads require "a.b", and binds it to the local that it is assigned to.
func require(r *rules.Reader, n, args sitter.Node) bool {
	text := args
	if s := r.Find(args, "<string>"); s != sitter.None {
		text = s
	} else if !r.Is(args, "string_argument") {
		return false
	}
	im := graph.Import{Module: rules.Unquote(r.Text(text)), Span: r.Span(n), Flags: graph.ImportDynamic}
	if p := r.Tree.Parent(n); p != sitter.None {
		if name := r.Find(p, "name/<identifier>"); name != sitter.None {
			im.Alias = r.Text(name)
		}
	}
	r.AddImport(im)
	return true
}
