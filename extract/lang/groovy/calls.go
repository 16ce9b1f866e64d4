package groovy

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// closure reads { a -> … }, or { it … }.
func closure(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	r.Scopes.Declare(spec.Local{Name: "it", Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
	r.Children(n)
	r.Scopes.Close()
	return true
}

// call reads f(…), f x, a.f(…), and what Gradle makes of such calls.
func call(r *rules.Reader, n sitter.Node) bool {
	callee, args, count := r.Find(n, "function"), r.Find(n, "args"), 0
	if args != sitter.None {
		count = r.CountChildren(args)
	}
	switch {
	case callee == sitter.None:
		return false
	case r.Is(callee, "string"):
		return feature(r, n, callee, args)
	case r.Is(callee, "identifier"):
		switch r.Text(callee) {
		case "task":
			if task(r, n, args) {
				return true
			}
		case "apply":
			if applied(r, n, args) {
				return true
			}
		case "super", "this", "throw", "assert", "return":
			r.Visit(args)
			return true
		}
		r.Call(callee, count)
	case r.Is(callee, "dotted_identifier"):
		if text := r.Text(callee); text == "tasks.register" || text == "tasks.create" {
			registered(r, n, args)
		}
		member(r, callee, graph.UseCall, count)
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.Visit(args)
	return true
}

// feature reads "name"() of a specification, whose body stands behind it.
func feature(r *rules.Reader, n, callee, args sitter.Node) bool {
	t := r.EnclosingDef()
	if t == nil || r.EnclosingType() == nil || r.InFunction() || r.Tree.End(callee) < r.Start(callee)+3 || strings.HasSuffix(strings.TrimRight(r.Slice(0, r.Start(callee)), " \t"), ":") {
		r.Visit(args)
		return true
	}
	start, end := r.Start(callee)+1, r.Tree.End(callee)-1
	d := graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindMethod, Flags: graph.FlagTest}
	r.Define(n, d)
	return true
}

// task reads task name(…) { … } and task name { … }.
func task(r *rules.Reader, n, args sitter.Node) bool {
	if args == sitter.None {
		return false
	}
	first := r.Tree.First(args)
	name := first
	if r.Is(first, "function_call", "juxt_function_call") {
		name = r.Find(first, "function")
	}
	if !r.Is(name, "identifier") || r.Text(name) == "" {
		return false
	}
	r.Define(n, graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))})
	for c := range r.Tree.Children(args) {
		if c == first && c != name {
			r.ChildrenBut(c, name)
		} else if c != name {
			r.Visit(c)
		}
	}
	return true
}

// registered reads tasks.register('name').
func registered(r *rules.Reader, n, args sitter.Node) {
	if args == sitter.None {
		return
	}
	if name := r.Find(args, "<string>"); name != sitter.None && r.Tree.End(name) > r.Start(name)+2 {
		start, end := r.Start(name)+1, r.Tree.End(name)-1
		r.Define(n, graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindFunction, Doc: r.DocAbove(r.Start(n))})
	}
}

// applied reads apply from: 'other.gradle'.
func applied(r *rules.Reader, n, args sitter.Node) bool {
	if args == sitter.None || !strings.HasPrefix(strings.TrimLeft(r.Text(args), "("), "from:") {
		return false
	}
	text := r.Find(args, "~string")
	if text == sitter.None {
		return false
	}
	path := rules.Unquote(r.Text(text))
	if i := strings.LastIndexByte(path, '}'); i >= 0 {
		path = path[i+1:]
	}
	if strings.HasPrefix(path, "$") {
		_, path, _ = strings.Cut(path, "/")
	}
	if path = strings.TrimLeft(path, "/"); path != "" {
		r.AddImport(graph.Import{Module: path, Name: "*", Span: r.Span(n)})
	}
	return true
}

func dotted(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, -1)
	return true
}

// member reads a.b.c: c of a.b.
func member(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	first, before, last := sitter.None, sitter.None, sitter.None
	for c := range r.Tree.Children(n) {
		if first == sitter.None {
			first = c
		}
		before, last = last, c
	}
	if before == sitter.None || !r.Is(last, "identifier") {
		r.Children(n)
		return
	}
	r.Visit(first)
	r.MemberOf(last, first, r.Tree.End(before), use, args)
}

func assignment(r *rules.Reader, n sitter.Node) bool {
	left := r.Tree.First(n)
	switch {
	case r.Is(left, "identifier"):
		r.Name(left, graph.UseWrite)
	case r.Is(left, "dotted_identifier"):
		member(r, left, graph.UseWrite, -1)
	default:
		r.Visit(left)
	}
	r.ChildrenBut(n, left)
	return true
}

// item reads a: b, whose a is no name.
func item(r *rules.Reader, n sitter.Node) bool {
	key := r.Find(n, "key")
	if r.Is(key, "identifier") {
		r.ChildrenBut(n, key)
		return true
	}
	return false
}

func annotation(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<identifier>")
	if name != sitter.None {
		r.Name(name, graph.UseDecorator)
	}
	r.ChildrenBut(n, name)
	return true
}
