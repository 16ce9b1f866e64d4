package ocaml

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// definition reads let a = b and c = d.
func definition(r *rules.Reader, n sitter.Node) bool {
	local := r.InFunction() || r.Scopes.Depth() > 0 && r.EnclosingDef() == nil
	if local {
		for b := range r.All(n, "<let_binding>") {
			bindAll(r, r.Find(b, "pattern"))
		}
	}
	for b := range r.All(n, "<let_binding>") {
		if local {
			r.Within(graph.NoDef, true, func() { r.ChildrenBut(b, r.Find(b, "pattern")) })
		} else {
			binding(r, n, b)
		}
	}
	return true
}

// bindAll binds the names of a pattern.
func bindAll(r *rules.Reader, pattern sitter.Node) {
	if pattern == sitter.None {
		return
	}
	for c := pattern; c < r.Tree.After(pattern); c++ {
		if r.Is(c, "value_name", "value_pattern") {
			r.Bind(c)
		}
	}
}

// binding reads one binding outside of functions.
func binding(r *rules.Reader, n, b sitter.Node) {
	pattern, body := r.Find(b, "pattern"), r.Find(b, "body")
	first := graph.NoDef
	function := r.Find(b, "<parameter>") != sitter.None || r.Is(body, "fun_expression", "function_expression")
	for c := pattern; pattern != sitter.None && c < r.Tree.After(pattern); c++ {
		if !r.Is(c, "value_name", "value_pattern", "parenthesized_operator") || r.Text(c) == "" {
			continue
		}
		text, span := value(r, c)
		if text == "" {
			continue
		}
		d := graph.Def{Name: text, NameSpan: span, Span: r.Span(b), Kind: graph.KindVariable, Doc: r.DocAbove(r.Start(n))}
		if function {
			d.Kind = graph.KindFunction
		}
		end := r.Tree.End(b)
		if body != sitter.None {
			end = r.Start(body)
		}
		d.Signature = "let " + strings.TrimRight(r.Signature(r.Start(b), end), " =")
		if def := r.Define(n, d); first == graph.NoDef {
			first = def
		}
	}
	r.Within(first, true, func() { r.ChildrenBut(b, pattern) })
}

// fieldPattern reads { a; b = c }: a alone binds a.
func fieldPattern(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<field_path>/<field_name>")
	if name != sitter.None && r.Tree.End(name) == r.Tree.End(n) {
		r.Bind(name)
	}
	return false
}

// application reads f a b.
func application(r *rules.Reader, n sitter.Node) bool {
	callee, count := r.Find(n, "function"), 0
	for range r.All(n, "argument") {
		count++
	}
	switch {
	case callee == sitter.None:
		return false
	case r.Is(callee, "value_path", "constructor_path"):
		name(r, callee, graph.UseCall, count)
	case r.Is(callee, "method_invocation"):
		method(r, callee, count)
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.ChildrenBut(n, callee)
	return true
}

// infix reads a + b: x |> f and f @@ x call f, and an operator that is not the language's
// own is a function.
func infix(r *rules.Reader, n sitter.Node) bool {
	op, called := r.Find(n, "operator"), sitter.None
	if op == sitter.None {
		return false
	}
	switch text := r.Text(op); text {
	case "|>":
		called = r.Find(n, "right")
	case "@@":
		called = r.Find(n, "left")
	case "+", "-", "*", "/", "+.", "-.", "*.", "/.", "**", "=", "<>", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "or", "@", "^", ":=", "::", "<-", "~-", "mod",
		"land", "lor", "lxor", "lsl", "lsr", "asr", "#":
	default:
		r.AddRef(graph.Ref{Name: text, Use: graph.UseCall, Span: r.Span(op), Args: 2})
	}
	if called != sitter.None && r.Is(called, "value_path", "constructor_path") {
		name(r, called, graph.UseCall, 1)
		r.ChildrenBut(n, called, op)
		return true
	}
	r.ChildrenBut(n, op)
	return true
}

// construct reads new c.
func construct(r *rules.Reader, n sitter.Node) bool {
	class := r.Find(n, "<class_path>")
	if class != sitter.None {
		name(r, class, graph.UseCall, 0)
	}
	r.ChildrenBut(n, class)
	return true
}

func named(r *rules.Reader, n sitter.Node) bool {
	use := graph.UseRead
	if r.Is(n, "type_constructor_path", "module_type_path", "class_path") {
		use = graph.UseType
	}
	name(r, n, use, -1)
	return true
}

// name reads a path: A.B.f.
func name(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	text, start := r.Text(n), r.Start(n)
	if strings.ContainsAny(text, " (\n\t") {
		return
	}
	i := strings.LastIndexByte(text, '.')
	switch {
	case i >= 0:
		r.AddRef(graph.Ref{
			Name: text[i+1:], Qualifier: r.Qualifier(start, start+uint32(i)), Use: use, Span: r.SpanBetween(start+uint32(i)+1, r.Tree.End(n)), Args: int16(min(args, 1<<15-1)),
		})
	case r.Scopes.Lookup(text) != nil && r.Is(n, "value_path"):
		if use == graph.UseCall {
			r.AddValueCall()
		}
	default:
		r.AddRef(graph.Ref{Name: text, Use: use, Span: r.Span(n), Args: int16(min(args, 1<<15-1))})
	}
}

func invocation(r *rules.Reader, n sitter.Node) bool {
	method(r, n, 0)
	return true
}

// method reads o#m. What o is is not known, unless it is the object itself.
func method(r *rules.Reader, n sitter.Node, args int) {
	object, id := r.Tree.First(n), r.Find(n, "<method_name>")
	if object == sitter.None || id == sitter.None {
		r.Children(n)
		return
	}
	r.Visit(object)
	ref := graph.Ref{Name: r.Text(id), Qualifier: r.Qualifier(r.Start(object), r.Tree.End(object)), Use: graph.UseCall, Span: r.Span(id), Args: int16(min(args, 1<<15-1)), Hint: graph.Hint{Rule: graph.HintLocal}}
	if t := r.EnclosingType(); t != nil && t.Kind == graph.KindClass && (ref.Qualifier == "self" || ref.Qualifier == "this") {
		ref.Hint = graph.Hint{Rule: graph.HintSelf, Type: t.Local}
	}
	r.AddRef(ref)
}

func inherits(r *rules.Reader, n sitter.Node) bool {
	base := r.Find(n, "<class_path>")
	if d := r.EnclosingDef(); base != sitter.None && d != nil && d.Kind == graph.KindClass {
		r.AddBase(r.Enclosing(), base, graph.RelExtends)
	}
	r.ChildrenBut(n, base)
	return true
}
