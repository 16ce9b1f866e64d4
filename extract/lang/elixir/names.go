package elixir

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// imports reads alias A.B, as: C; alias A.{B, C}; import A; require A; use A.
func imports(r *rules.Reader, n sitter.Node, word string) bool {
	add := func(full, alias string) {
		im := graph.Import{Module: full, Alias: alias, Span: r.Span(n)}
		i := strings.LastIndexByte(full, '.')
		switch {
		case full == "":
			return
		case word == "import":
			im.Name = "*"
		case i >= 0:
			im.Module, im.Name = full[:i], full[i+1:]
		default:
			im.Module, im.Name = "", full
		}
		r.AddImport(im)
		if t := r.EnclosingDef(); t != nil && t.Kind == graph.KindModule {
			r.Facts.Imports[len(r.Facts.Imports)-1].Enclosing = graph.NoDef
		}
	}
	if dot := r.Find(n, "<arguments>/<dot>"); dot != sitter.None {
		left, list := r.Find(dot, "left"), r.Find(dot, "right")
		if !r.Is(left, "alias") || !r.Is(list, "tuple") {
			return false
		}
		for c := range r.Tree.Children(list) {
			if r.Is(c, "alias") {
				add(r.Text(left)+"."+r.Text(c), "")
			}
		}
		return true
	}
	name := r.Find(n, "<arguments>/<alias>")
	if name == sitter.None {
		return false
	}
	alias := ""
	for p := range r.All(n, "<arguments>/<keywords>/<pair>") {
		if key, value := r.Find(p, "key"), r.Find(p, "value"); r.Is(value, "alias") && strings.HasPrefix(r.Text(key), "as:") {
			alias = r.Text(value)
		}
	}
	add(r.Text(name), alias)
	if t := r.EnclosingDef(); word == "use" && t != nil && t.Kind == graph.KindModule {
		r.AddBase(r.Enclosing(), name, graph.RelEmbeds)
	}
	return true
}

// unary reads @attribute, which may define a type or a callback, and &f/1.
func unary(r *rules.Reader, n sitter.Node) bool {
	operand := r.Find(n, "operand")
	if r.Src[r.Start(n)] != '@' || !r.Is(operand, "call") {
		return r.Src[r.Start(n)] == '@'
	}
	name, args := r.Find(operand, "target"), r.Find(operand, "<arguments>")
	if name == sitter.None || args == sitter.None {
		return true
	}
	switch r.Text(name) {
	case "type", "typep", "opaque":
		declared(r, n, args, graph.KindType)
	case "callback", "macrocallback":
		declared(r, n, args, graph.KindFunction)
	case "behaviour":
		if base := r.Find(args, "<alias>"); base != sitter.None && r.EnclosingDef() != nil && r.EnclosingDef().Kind == graph.KindModule {
			r.AddBase(r.Enclosing(), base, graph.RelImplements)
		}
	case "spec", "doc", "moduledoc", "typedoc", "impl", "derive":
	default:
		r.Visit(args)
	}
	return true
}

// declared defines what @type and @callback name.
func declared(r *rules.Reader, n, args sitter.Node, kind graph.Kind) {
	head := r.Tree.First(args)
	if head == sitter.None {
		return
	}
	if operator(r, head) == "when" {
		head = r.Find(head, "left")
	}
	if r.Is(head, "binary_operator") {
		head = r.Find(head, "left")
	}
	if r.Is(head, "call") {
		head = r.Find(head, "target")
	}
	if !r.Is(head, "identifier") || r.Text(head) == "" {
		return
	}
	d := graph.Def{Name: r.Text(head), NameSpan: r.Span(head), Span: r.Span(n), Kind: kind, Doc: r.DocAbove(r.Start(n)), Signature: firstLine(r, n)}
	if kind == graph.KindFunction {
		d.Flags |= graph.FlagAbstract
	}
	r.Define(n, d)
}

// operator returns what stands between the two sides of a binary operator.
func operator(r *rules.Reader, n sitter.Node) string {
	if !r.Is(n, "binary_operator") {
		return ""
	}
	left, right := r.Find(n, "left"), r.Find(n, "right")
	if left == sitter.None || right == sitter.None || r.Tree.End(left) > r.Start(right) {
		return ""
	}
	between := r.Slice(r.Tree.End(left), r.Start(right))
	if strings.IndexByte(between, '#') < 0 {
		return strings.TrimSpace(between)
	}
	var code strings.Builder
	for line := range strings.Lines(between) {
		line, _, _ = strings.Cut(line, "#")
		code.WriteString(strings.TrimSpace(line))
	}
	return code.String()
}

// binary reads a = b and a <- b, whose left side binds names.
func binary(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	switch operator(r, n) {
	case "=", "<-":
		r.Visit(right)
		bind(r, left)
		return true
	case "::":
		r.Visit(left)
		return true
	case "/":
		return captured(r, n, left, right)
	}
	return false
}

// piped returns 1 for what stands behind |>, which gets one argument more.
func piped(r *rules.Reader, n sitter.Node) int {
	if around := r.Tree.Parent(n); around != sitter.None && operator(r, around) == "|>" && r.Find(around, "right") == n {
		return 1
	}
	return 0
}

// captured reads f/2 of &f/2.
func captured(r *rules.Reader, n, left, right sitter.Node) bool {
	around := r.Tree.Parent(n)
	if !r.Is(around, "unary_operator") || r.Src[r.Start(around)] != '&' {
		return false
	}
	count, err := strconv.Atoi(r.Text(right))
	if err != nil {
		return false
	}
	switch {
	case r.Is(left, "identifier"):
		r.Call(left, count)
	case r.Is(left, "call") && r.Is(r.Find(left, "target"), "dot") && r.Find(left, "<arguments>") == sitter.None:
		member(r, r.Find(left, "target"), count)
	default:
		return false
	}
	return true
}

// clause reads a -> b.
func clause(r *rules.Reader, n sitter.Node) bool {
	left := r.Find(n, "left")
	r.Scopes.Open()
	if left != sitter.None {
		if operator(r, left) == "when" {
			bind(r, r.Find(left, "left"))
			r.Visit(r.Find(left, "right"))
		} else {
			bind(r, left)
		}
	}
	r.ChildrenBut(n, left)
	r.Scopes.Close()
	return true
}

// bind binds the names of a pattern, and reads the modules in it.
func bind(r *rules.Reader, n sitter.Node) {
	switch {
	case n == sitter.None:
	case r.Is(n, "identifier"):
		if name := r.Text(n); name != "__MODULE__" {
			r.Scopes.Declare(spec.Local{Name: name, Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
		}
	case r.Is(n, "alias"):
		r.Visit(n)
	case r.Is(n, "call"):
		r.Visit(n)
	case r.Is(n, "unary_operator"):
	case operator(r, n) == `\\`:
		r.Visit(r.Find(n, "right"))
		bind(r, r.Find(n, "left"))
	case operator(r, n) == "when":
		bind(r, r.Find(n, "left"))
		r.Visit(r.Find(n, "right"))
	case operator(r, n) == "::":
		bind(r, r.Find(n, "left"))
	default:
		for c := range r.Tree.Children(n) {
			bind(r, c)
		}
	}
}

// identifier reads a bare name: a local, or a call without arguments.
func identifier(r *rules.Reader, n sitter.Node) bool {
	name := r.Text(n)
	if r.Scopes.Lookup(name) == nil && !isWord(name) && !strings.HasPrefix(name, "__") && name != "_" && name != "" {
		r.Call(n, piped(r, n))
	}
	return true
}
