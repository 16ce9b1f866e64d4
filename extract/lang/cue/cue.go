// Package cue extracts the facts of CUE files: fields and definitions, however deep,
// let clauses, imports, and the names that expressions use.
//
// Only extract calls it.
package cue

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for CUE.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	return rules.Table{
		Name: "cue", Version: "cue/1", Grammar: sitter.CUE(),
		Comments: []string{"comment"}, Mark: "//",
		Rules: map[string]rules.Rule{
			"package_clause":      {Visit: packageClause},
			"import_spec":         {Import: &rules.Import{Module: "path", Alias: "name"}},
			"field":               {Visit: field},
			"let_clause":          {Define: graph.KindVariable, Var: true, Name: "left", Value: "right"},
			"for_clause":          {Visit: forClause},
			"comprehension":       {Open: true},
			"selector_expression": {Visit: selector},
			"call_expression":     {Visit: call},
		},
		Names: map[string]graph.Use{"identifier": graph.UseRead},
		Kinds: []string{"identifier", "selector_expression", "string"},
		Paths: []rules.Path{"<package_identifier>", "<label>", "<value>", "~identifier", "~string", "function", "<arguments>"},
	}
}

func packageClause(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<package_identifier>"); name != sitter.None {
		r.Facts.Package = r.Text(name)
	}
	return true
}

// field reads a: b: value, each label inside the one before it.
func field(r *rules.Reader, n sitter.Node) bool {
	entered := 0
	for l := range r.All(n, "<label>") {
		name, start, end := nameOf(r, l)
		if name == "" {
			r.Visit(l)
			continue
		}
		d := graph.Def{Name: name, Kind: graph.KindField, Span: r.Span(n), NameSpan: r.SpanBetween(start, end), Doc: r.DocAbove(r.Start(n))}
		if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "_#") {
			d.Kind = graph.KindStruct
		}
		if line, _, _ := strings.Cut(r.Text(n), "\n"); len(line) <= 120 {
			d.Signature = strings.TrimRight(spec.OneLine(line), " {")
		}
		r.Enter(r.Define(n, d))
		entered++
	}
	r.Visit(r.Find(n, "<value>"))
	for range entered {
		r.Leave()
	}
	return true
}

// nameOf returns the name of a label, with its place.
func nameOf(r *rules.Reader, label sitter.Node) (name string, start, end uint32) {
	if id := r.Find(label, "~identifier"); id != sitter.None {
		return r.Text(id), r.Start(id), r.Tree.End(id)
	}
	if s := r.Find(label, "~string"); s != sitter.None && r.Tree.End(s) > r.Start(s)+2 {
		start, end = r.Start(s)+1, r.Tree.End(s)-1
		if text := r.Slice(start, end); !strings.ContainsAny(text, "\"\\\n") {
			return text, start, end
		}
	}
	return "", 0, 0
}

// forClause binds the variables of for k, v in list: all names but the last.
func forClause(r *rules.Reader, n sitter.Node) bool {
	var before []sitter.Node
	for c := range r.Tree.Children(n) {
		before = append(before, c)
	}
	if len(before) == 0 {
		return true
	}
	r.Visit(before[len(before)-1])
	for _, c := range before[:len(before)-1] {
		if r.Is(c, "identifier") {
			r.Bind(c)
		}
	}
	return true
}

// selector reads a.b.
func selector(r *rules.Reader, n sitter.Node) bool { return member(r, n, graph.UseRead, -1) }

// call reads f(x) and a.f(x).
func call(r *rules.Reader, n sitter.Node) bool {
	callee, args := r.Find(n, "function"), r.Find(n, "<arguments>")
	if callee == sitter.None || args == sitter.None {
		return false
	}
	switch count := r.CountChildren(args); {
	case r.Is(callee, "identifier"):
		r.Call(callee, count)
	case r.Is(callee, "selector_expression") && member(r, callee, graph.UseCall, count):
	default:
		r.Visit(callee)
	}
	r.Children(args)
	return true
}

func member(r *rules.Reader, n sitter.Node, use graph.Use, args int) bool {
	first, last := r.Tree.First(n), sitter.None
	for c := range r.Tree.Children(n) {
		last = c
	}
	if first == last || first == sitter.None || !r.Is(last, "identifier") {
		return false
	}
	r.Visit(first)
	r.Member(last, first, use, args)
	return true
}
