// Package elixir extracts the facts of Elixir files: modules, protocols and their
// implementations, functions and macros, types, tests, calls, and what alias, import,
// require and use name.
//
// Only extract calls it.
package elixir

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Elixir.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	return rules.Table{
		Name: "elixir", Version: "elixir/3", Grammar: sitter.Elixir(),
		Comments: []string{"comment"}, Mark: "#", Self: []string{"__MODULE__"},
		Rules: map[string]rules.Rule{
			"call":            {Visit: call},
			"unary_operator":  {Visit: unary},
			"binary_operator": {Visit: binary},
			"stab_clause":     {Visit: clause},
			"do_block":        {Open: true}, "anonymous_function": {Open: true},
			"identifier": {Visit: identifier},
			"keyword":    {Opaque: true},
		},
		Names:    map[string]graph.Use{"alias": graph.UseRead},
		Compound: map[string]string{"alias": "."},
		Kinds:    []string{"alias", "identifier", "call", "dot", "binary_operator", "unary_operator", "arguments", "do_block", "keywords", "tuple", "string", "atom", "pair", "body", "list", "map"},
		Paths: []rules.Path{
			"target", "<arguments>", "<arguments>/<alias>", "left", "right", "operand", "<do_block>", "<arguments>/<keywords>/<pair>", "key", "value", "<alias>", "<arguments>/<string>",
			"<tuple>", "<arguments>/<dot>",
		},
		Flags: flags,
	}
}

// flags says that what is not private is exported.
func flags(r *rules.Reader, n sitter.Node, d *graph.Def) graph.DefFlags {
	if target := r.Find(n, "target"); target != sitter.None {
		switch r.Text(target) {
		case "defp", "defmacrop", "defguardp":
			return 0
		}
	}
	return graph.FlagExported
}

// call reads a call, of which many define something.
func call(r *rules.Reader, n sitter.Node) bool {
	target, args := r.Find(n, "target"), r.Find(n, "<arguments>")
	if r.Is(target, "identifier") && word(r, n, r.Text(target), args) {
		return true
	}
	count := piped(r, n)
	if args != sitter.None {
		count += r.CountChildren(args)
	}
	if r.Find(n, "<do_block>") != sitter.None {
		count++
	}
	switch {
	case r.Is(target, "identifier"):
		if !isWord(r.Text(target)) {
			r.Call(target, count)
		}
	case r.Is(target, "dot"):
		member(r, target, count)
		record(r, n, target, args)
	case target != sitter.None:
		r.AddValueCall()
		r.Visit(target)
	}
	r.ChildrenBut(n, target)
	return true
}

// record reads Record.defrecord(:name, …), which makes macros of that name.
func record(r *rules.Reader, n, dot, args sitter.Node) {
	word := r.Text(dot)
	if args == sitter.None || word != "Record.defrecord" && word != "Record.defrecordp" {
		return
	}
	atom := r.Tree.First(args)
	if !r.Is(atom, "atom") || r.Tree.End(atom) < r.Start(atom)+2 || r.Src[r.Start(atom)] != ':' {
		return
	}
	start, end := r.Start(atom)+1, r.Tree.End(atom)
	r.Define(n, graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)})
}

func member(r *rules.Reader, dot sitter.Node, count int) {
	left, right := r.Find(dot, "left"), r.Find(dot, "right")
	r.Visit(left)
	switch {
	case left == sitter.None:
	case r.Is(right, "identifier"):
		r.Member(right, left, graph.UseCall, count)
	case right == sitter.None: // f.()
		r.AddValueCall()
	default:
		r.Visit(right)
	}
}

// word reads what is part of the language, and reports whether the call is done with.
func word(r *rules.Reader, n sitter.Node, name string, args sitter.Node) bool {
	switch name {
	case "defmodule", "defprotocol", "defimpl":
		return module(r, n, name)
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate":
		return args != sitter.None && function(r, n, args)
	case "alias", "import", "require", "use":
		return args != sitter.None && imports(r, n, name)
	case "test":
		return test(r, n)
	case "defstruct", "defexception":
		r.Visit(args)
		return true
	}
	return false
}

// isWord reports whether a name is a form of the language that reads like a call.
func isWord(name string) bool {
	switch name {
	case "case", "if", "unless", "cond", "with", "for", "quote", "unquote", "unquote_splicing", "try", "receive", "raise", "reraise", "super", "describe", "setup", "setup_all", "assert",
		"refute", "assert_raise", "doctest", "is_nil", "is_list", "is_map", "is_binary", "is_atom", "is_integer", "throw", "exit", "send", "self", "spawn", "inspect", "to_string",
		"def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defmodule", "defimpl", "defprotocol":
		return true
	}
	return false
}

// module reads defmodule A.B, defprotocol A and defimpl A, for: B.
func module(r *rules.Reader, n sitter.Node, word string) bool {
	name := r.Find(n, "<arguments>/<alias>")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	d := graph.Def{Kind: graph.KindModule, Span: r.Span(n), NameSpan: r.Span(name), Name: r.Text(name), Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)}
	if word == "defprotocol" {
		d.Kind = graph.KindInterface
	}
	d.Local = d.Name
	if around := r.EnclosingDef(); around != nil && word != "defimpl" {
		d.Local = around.Local + "." + d.Name
	}
	if word == "defimpl" {
		target := ""
		for p := range r.All(n, "<arguments>/<keywords>/<pair>") {
			if key, value := r.Find(p, "key"), r.Find(p, "value"); key != sitter.None && value != sitter.None && strings.HasPrefix(r.Text(key), "for:") {
				target = r.Text(value)
			}
		}
		if around := r.EnclosingDef(); target == "" && around != nil {
			target = around.Local
		}
		d.Local += "." + target
	}
	if i := strings.LastIndexByte(d.Name, '.'); i >= 0 {
		end := r.Tree.End(name)
		d.Name = d.Name[i+1:]
		d.NameSpan = r.SpanBetween(end-uint32(len(d.Name)), end)
	}
	if d.Name == "" {
		return false
	}
	def := r.Define(n, d)
	if word == "defimpl" {
		r.AddBase(def, name, graph.RelImplements)
	}
	r.Within(def, true, func() { r.Visit(r.Find(n, "<do_block>")) })
	return true
}

func firstLine(r *rules.Reader, n sitter.Node) string {
	text := r.Slice(r.Start(n), r.Tree.End(n))
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(strings.TrimSuffix(r.Signature(r.Start(n), r.Start(n)+uint32(len(text))), " do"), ",")
}

// function reads def f(a), do: …; clauses that follow one another are one function.
func function(r *rules.Reader, n, args sitter.Node) bool {
	head := r.Tree.First(args)
	guard := sitter.None
	if r.Is(head, "binary_operator") && operator(r, head) == "when" {
		guard, head = r.Find(head, "right"), r.Find(head, "left")
	}
	if r.Is(head, "binary_operator", "unary_operator") {
		return operatorFunction(r, n, args, head, guard)
	}
	name, parameters := head, sitter.None
	if r.Is(head, "call") {
		name, parameters = r.Find(head, "target"), r.Find(head, "<arguments>")
	}
	if !r.Is(name, "identifier") || r.Text(name) == "" || r.Text(name) == "unquote" {
		return false
	}
	arity := 0
	if parameters != sitter.None {
		arity = r.CountChildren(parameters)
	}
	def := clauseOf(r, n, r.Start(name), r.Tree.End(name), arity)
	r.Within(def, true, func() {
		if parameters != sitter.None {
			for c := range r.Tree.Children(parameters) {
				bind(r, c)
			}
		}
		delegated(r, n, name, arity)
		r.Visit(guard)
		first := r.Tree.First(args)
		r.ChildrenBut(args, first)
		r.ChildrenBut(n, args, r.Find(n, "target"))
	})
	return true
}

// delegated adds the call that defdelegate f(x), to: M makes of M.f, or of what as: names.
func delegated(r *rules.Reader, n, name sitter.Node, arity int) {
	if r.Text(r.Find(n, "target")) != "defdelegate" {
		return
	}
	start, end, to := r.Start(name), r.Tree.End(name), sitter.None
	for p := range r.All(n, "<arguments>/<keywords>/<pair>") {
		key, value := r.Find(p, "key"), r.Find(p, "value")
		switch {
		case key == sitter.None || value == sitter.None:
		case strings.HasPrefix(r.Text(key), "to:") && r.Is(value, "alias"):
			to = value
		case strings.HasPrefix(r.Text(key), "as:") && r.Is(value, "atom") && len(r.Text(value)) > 1:
			start, end = r.Start(value)+1, r.Tree.End(value)
		}
	}
	if to != sitter.None {
		r.AddRef(graph.Ref{Name: r.Slice(start, end), Qualifier: r.Text(to), Use: graph.UseCall, Span: r.SpanBetween(start, end), Args: int16(arity)})
	}
}

// operatorFunction reads def left + right and def -value.
func operatorFunction(r *rules.Reader, n, args, head, guard sitter.Node) bool {
	start, end, arity := r.Start(head), r.Start(head), 1
	if left, right := r.Find(head, "left"), r.Find(head, "right"); left != sitter.None && right != sitter.None && r.Tree.End(left) < r.Start(right) {
		start, end, arity = r.Tree.End(left), r.Start(right), 2
	} else if operand := r.Find(head, "operand"); operand != sitter.None {
		end = r.Start(operand)
	}
	name := r.Slice(start, end)
	start += uint32(len(name) - len(strings.TrimLeft(name, " \t\n")))
	end = start + uint32(len(strings.TrimSpace(name)))
	if start >= end || strings.ContainsAny(r.Slice(start, end), "\\@&\n") {
		return false
	}
	def := clauseOf(r, n, start, end, arity)
	r.Within(def, true, func() {
		for c := range r.Tree.Children(head) {
			bind(r, c)
		}
		r.Visit(guard)
		r.ChildrenBut(args, r.Tree.First(args))
		r.ChildrenBut(n, args, r.Find(n, "target"))
	})
	return true
}

// arities remembers how many parameters the functions of a file have.
type arities map[int32]int

// clauseOf defines a function, or continues the one that the clause before it belongs to.
func clauseOf(r *rules.Reader, n sitter.Node, start, stop uint32, arity int) int32 {
	name := r.Slice(start, stop)
	known, _ := r.Data.(arities)
	if known == nil {
		known = arities{}
		r.Data = known
	}
	for i := len(r.Facts.Defs) - 1; i >= 0; i-- {
		d := &r.Facts.Defs[i]
		if d.Container != r.Enclosing() || d.Kind != graph.KindFunction {
			continue
		}
		if a, ok := known[int32(i)]; ok && d.Name == name && a == arity {
			end := r.Span(n)
			d.Span.End, d.Span.To = end.End, end.To
			return int32(i)
		}
		break
	}
	d := graph.Def{Name: name, NameSpan: r.SpanBetween(start, stop), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)}
	if around := r.EnclosingDef(); around != nil && around.Kind == graph.KindInterface {
		d.Flags |= graph.FlagAbstract
	}
	def := r.Define(n, d)
	known[def] = arity
	return def
}

// test reads test "name" do.
func test(r *rules.Reader, n sitter.Node) bool {
	text, body := r.Find(n, "<arguments>/<string>"), r.Find(n, "<do_block>")
	if text == sitter.None || body == sitter.None || r.Tree.End(text) < r.Start(text)+3 || !strings.HasSuffix(string(r.Path), ".exs") && r.EnclosingDef() == nil {
		return false
	}
	start, end := r.Start(text)+1, r.Tree.End(text)-1
	def := r.Define(n, graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindFunction, Flags: graph.FlagTest})
	r.Within(def, true, func() {
		for c := range r.Tree.Children(r.Find(n, "<arguments>")) {
			bind(r, c)
		}
		r.Visit(body)
	})
	return true
}
