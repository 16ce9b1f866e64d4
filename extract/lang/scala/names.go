package scala

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func declare(r *rules.Reader, name, typ, set sitter.Node) {
	hint := graph.Hint{Rule: graph.HintLocal}
	if typ != sitter.None {
		hint = graph.Hint{Rule: graph.HintDeclared, Type: r.Text(typ)}
	} else if made := madeBy(r, set); made != "" {
		hint = graph.Hint{Rule: graph.HintAssigned, Type: made}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
}

// madeBy returns what a value is made by: C of new C(…), f of f(…).
func madeBy(r *rules.Reader, set sitter.Node) string {
	switch {
	case r.Is(set, "instance_expression"):
		if typ := r.Find(set, "<generic_type>/<type_identifier>|<type_identifier>"); typ != sitter.None {
			return r.Text(typ)
		}
	case r.Is(set, "call_expression"):
		if callee := r.Find(set, "function"); r.Is(callee, "identifier", "field_expression") {
			return r.Qualifier(r.Start(callee), r.Tree.End(callee))
		}
	}
	return ""
}

// classParameter reads a parameter of a class: with val or var, or of a case class, it is
// a property, and otherwise seen in the class all the same.
func classParameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	if name == sitter.None {
		return false
	}
	d := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindProperty}
	if typ != sitter.None {
		d.Type = r.Text(typ)
	}
	if d.Name != "" {
		r.Define(n, d)
	}
	r.ChildrenBut(n, name)
	return true
}

func lambda(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	parameters := r.Find(n, "parameters")
	if r.Is(parameters, "identifier") {
		r.Bind(parameters)
		r.ChildrenBut(n, parameters)
	} else {
		r.Children(n)
	}
	r.Scopes.Close()
	return true
}

func caseClause(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	pattern := r.Find(n, "pattern")
	if pattern != sitter.None {
		bindPattern(r, pattern)
	}
	r.ChildrenBut(n, pattern)
	r.Scopes.Close()
	return true
}

// bindPattern binds the names of a pattern, and reads the types in it.
func bindPattern(r *rules.Reader, pattern sitter.Node) {
	names := bound(r, pattern, nil)
	if len(names) == 1 && names[0] == pattern && r.Src[r.Start(pattern)] >= 'A' && r.Src[r.Start(pattern)] <= 'Z' {
		r.Visit(pattern)
		return
	}
	for c := pattern + 1; c < r.Tree.After(pattern); c++ {
		if r.Is(c, "type_identifier") && !r.Is(r.Tree.Parent(c), "stable_type_identifier") || r.Is(c, "stable_type_identifier") {
			r.Visit(c)
		}
	}
	typ := sitter.None
	if r.Is(pattern, "typed_pattern") {
		typ = r.Find(pattern, "type")
	}
	for _, name := range names {
		declare(r, name, typ, sitter.None)
	}
}

// enumerator reads a <- b, a = b and if a.
func enumerator(r *rules.Reader, n sitter.Node) bool {
	first := r.Tree.First(n)
	if first == sitter.None || int(r.Tree.After(first)) >= int(r.Tree.After(n)) {
		return false
	}
	r.ChildrenBut(n, first)
	bindPattern(r, first)
	return true
}

// call reads f(…), a.f(…), f[T](…) and f { … }.
func call(r *rules.Reader, n sitter.Node) bool {
	callee, args, count := r.Find(n, "function"), r.Find(n, "arguments"), 0
	if r.Is(args, "arguments") {
		count = r.CountChildren(args)
	} else if args != sitter.None {
		count = 1
	}
	if r.Is(callee, "generic_function") {
		r.Visit(r.Find(callee, "type_arguments"))
		callee = r.Find(callee, "function")
	}
	switch {
	case callee == sitter.None:
	case r.Is(callee, "identifier"):
		if text := r.Text(callee); text == "test" && !r.InFunction() && r.EnclosingType() != nil {
			return example(r, n, callee, args)
		}
		r.Call(callee, count)
	case r.Is(callee, "field_expression"):
		member(r, callee, graph.UseCall, count)
	case r.Is(callee, "call_expression") && example(r, n, callee, args):
		return true
	default:
		if !r.Is(callee, "call_expression") {
			r.AddValueCall()
		}
		r.Visit(callee)
	}
	r.Visit(args)
	return true
}

// example reads test("name") { … } of a suite.
func example(r *rules.Reader, n, callee, body sitter.Node) bool {
	name, args := r.Find(callee, "function"), r.Find(callee, "arguments")
	if name == sitter.None || args == sitter.None || r.InFunction() || r.EnclosingType() == nil {
		return false
	}
	text := r.Find(args, "<string>")
	if r.Text(name) != "test" || text == sitter.None || r.Tree.End(text) < r.Start(text)+3 {
		return false
	}
	start, end := r.Start(text)+1, r.Tree.End(text)-1
	d := graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindMethod, Flags: graph.FlagTest}
	r.Call(name, 1)
	def := r.Define(n, d)
	r.Within(def, true, func() { r.Visit(body) })
	return true
}

func field(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, -1)
	return true
}

func member(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	object, name := r.Find(n, "value"), r.Find(n, "field")
	if object == sitter.None || name == sitter.None {
		r.Children(n)
		return
	}
	r.Visit(object)
	r.Member(name, object, use, args)
}

// infix reads a f b, which calls f of a where f is a word.
func infix(r *rules.Reader, n sitter.Node) bool {
	left, operator, right := r.Find(n, "left"), r.Find(n, "operator"), r.Find(n, "right")
	r.Visit(left)
	if word := r.Text(operator); word == "in" && specified(r, n, left, operator, right) {
		return true
	} else if word == "with" && r.Is(left, "instance_expression") {
		r.Name(right, graph.UseType)
		return true
	}
	if r.Is(operator, "identifier") && left != sitter.None {
		r.Member(operator, left, graph.UseCall, 1)
	}
	r.Visit(right)
	return true
}

// specified reads "name" in { … } and "subject" should "name" in { … } of a suite.
func specified(r *rules.Reader, n, left, operator, body sitter.Node) bool {
	text := left
	if r.Is(left, "infix_expression") {
		text = r.Find(left, "right")
	}
	if r.InFunction() || r.EnclosingType() == nil || !r.Is(body, "block") || !r.Is(text, "string") || r.Tree.End(text) < r.Start(text)+3 {
		return false
	}
	start, end := r.Start(text)+1, r.Tree.End(text)-1
	r.Member(operator, left, graph.UseCall, 1)
	def := r.Define(n, graph.Def{Name: r.Slice(start, end), NameSpan: r.SpanBetween(start, end), Span: r.Span(n), Kind: graph.KindMethod, Flags: graph.FlagTest})
	r.Within(def, true, func() { r.Visit(body) })
	return true
}

// instance reads new C(…).
func instance(r *rules.Reader, n sitter.Node) bool {
	typ, count := r.Find(n, "<generic_type>|<type_identifier>|<stable_type_identifier>"), 0
	if args := r.Find(n, "<arguments>"); args != sitter.None {
		count = r.CountChildren(args)
	}
	if typ == sitter.None {
		return false
	}
	name := typ
	if r.Is(typ, "generic_type") {
		name = r.Find(typ, "type")
	}
	if r.Is(name, "type_identifier", "stable_type_identifier") {
		r.Call(name, count)
	}
	if name != typ {
		r.Visit(r.Find(typ, "type_arguments"))
	}
	for c := range r.Tree.Children(n) {
		if r.Is(c, "template_body") {
			r.Within(graph.NoDef, true, func() { r.Children(c) })
		} else if c != typ {
			r.Visit(c)
		}
	}
	return true
}

func annotation(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if r.Is(name, "type_identifier", "stable_type_identifier") && !strings.ContainsAny(r.Text(name), " \n") {
		r.Name(name, graph.UseDecorator)
	}
	r.ChildrenBut(n, name)
	return true
}

func interpolated(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Find(n, "interpolator"))
	return true
}
