package kotlin

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// declare binds a parameter or local by its type, or by what it is set to.
func declare(r *rules.Reader, name, typ, value sitter.Node) {
	p := typePath(r, typ)
	if p == "" && value != sitter.None {
		p = path(r, value, 0)
	}
	bind(r, r.Text(name), p)
}

// madeBy returns "F()" where a value is what a call of F gives, and else "". What a lambda
// of lazy gives is the value.
func madeBy(r *rules.Reader, value sitter.Node) string {
	if r.Is(value, "property_delegate") {
		call := r.Find(value, "<call_expression>")
		if call == sitter.None || r.Text(r.Tree.First(call)) != "lazy" {
			return ""
		}
		value = r.Find(call, "<call_suffix>/<annotated_lambda>/<lambda_literal>/<statements>")
		last := sitter.None
		if value != sitter.None {
			for c := range r.Tree.Children(value) {
				last = c
			}
		}
		value = last
	}
	if value == sitter.None {
		return ""
	}
	made := path(r, value, 0)
	if r.Is(value, "call_expression") {
		callee, _ := calleeOf(r, value)
		if of, ok := strings.CutPrefix(made, path(r, callee, 0)); !ok || of == "" || of[0] != '(' && of[0] != '<' {
			return inferred(made) // what a function of the library hands on
		}
		made = path(r, callee, 0)
	}
	return inferred(made)
}

// inferred spells what a value is, by its path, as the type of what holds it.
func inferred(p string) string {
	switch {
	case p == "" || p == "?" || p == "#n" || p[0] == '\\' || len(p) > maxPath:
		return ""
	case p[0] == '#':
		return map[byte]string{'s': "String", 'i': "Int", 'l': "Long", 'b': "Boolean", 'd': "Double", 'f': "Float", 'c': "Char", 'u': "UInt"}[p[1]] + "()"
	case p[0] == '(' && strings.IndexByte(p, ')') == len(p)-1:
		return p[1:len(p)-1] + "()"
	}
	return p + "()"
}

func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "<simple_identifier>"), r.Find(n, "<user_type>|<nullable_type>|<function_type>")
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.ChildrenBut(n, name)
	return true
}

// lambda reads { a, b -> … }, or { it … }, whose parameters and receiver are what the call
// that it is handed to says.
func lambda(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	defer r.Scopes.Close()
	receiver, parameter := handed(r, n)
	k := 0
	for v := range r.All(n, "<lambda_parameters>/<variable_declaration>") {
		if name, typ := r.Find(v, "<simple_identifier>"), r.Find(v, "<user_type>|<nullable_type>"); name != sitter.None {
			if typ != sitter.None {
				bind(r, r.Text(name), typePath(r, typ))
			} else {
				bind(r, r.Text(name), parameterPath(parameter, k))
			}
			r.Visit(typ)
		}
		k++
	}
	if k == 0 {
		bind(r, "it", parameterPath(parameter, 0))
	}
	if in := receiversOf(r); receiver != "" {
		in.paths = append(in.paths, receiver)
		defer func() { in.paths = in.paths[:len(in.paths)-1] }()
	}
	for c := range r.Tree.Children(n) {
		if r.Is(c, "lambda_parameters") {
			for v := range r.Tree.Children(c) {
				if !r.Is(v, "variable_declaration") {
					r.Visit(v)
				}
			}
			continue
		}
		r.Visit(c)
	}
	return true
}

// parameterPath is the path of a parameter of a lambda.
func parameterPath(of string, k int) string {
	if p, ok := strings.CutSuffix(of, ":"); ok {
		return p + ":" + strconv.Itoa(k)
	}
	if k > 0 {
		return ""
	}
	return of
}

// handed returns the paths of what a lambda gets as its receiver and as its parameters; the
// number of the parameter is wanted behind one that ends in a colon.
func handed(r *rules.Reader, n sitter.Node) (receiver, parameter string) {
	up, index := r.Tree.Parent(n), lastParameter
	if r.Is(up, "value_argument") {
		list := r.Tree.Parent(up)
		i := 0
		for c := range r.Tree.Children(list) {
			if c == up {
				break
			}
			i++
		}
		up, index = list, strconv.Itoa(i)
	}
	call := r.Tree.Parent(r.Tree.Parent(up))
	if !r.Is(call, "call_expression") {
		return "", ""
	}
	callee, args := calleeOf(r, call)
	name := callee
	object := ""
	if r.Is(callee, "navigation_expression") {
		name = r.Find(callee, "<navigation_suffix>/<simple_identifier>")
		object = path(r, r.Tree.First(callee), 1)
	}
	if !r.Is(name, "simple_identifier") {
		return "", ""
	}
	asReceiver, asParameter := scoped(r.Text(name))
	switch {
	case callee != name && (object == "" || len(object) > maxPath/2):
		return "", ""
	case callee != name && asReceiver:
		return object, ""
	case callee != name && asParameter:
		return "", object
	case callee == name && r.Text(name) == "with" && len(args) == 2 && r.Is(args[0], "value_argument"):
		return path(r, r.Tree.First(args[0]), 1), ""
	case callee == name && asReceiver:
		return "", ""
	}
	p := path(r, callee, 1)
	if p == "" || len(p) > maxPath/2 {
		return "", ""
	}
	return p + "&" + index, p + "$" + index + ":"
}

// loop reads for (x in y).
func loop(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	defer r.Scopes.Close()
	one := r.Find(n, "<variable_declaration>")
	body := r.Find(n, "<control_structure_body>")
	over := sitter.None
	for c := range r.Tree.Children(n) {
		if c != one && c != body && !r.Is(c, "multi_variable_declaration", "annotation") {
			over = c
		}
	}
	r.Visit(over)
	if one != sitter.None {
		name, typ := r.Find(one, "<simple_identifier>"), r.Find(one, "<user_type>|<nullable_type>")
		if name != sitter.None && typ == sitter.None {
			bind(r, r.Text(name), after(path(r, over, 0), "@"))
		} else if name != sitter.None {
			declare(r, name, typ, sitter.None)
		}
		r.Visit(typ)
	}
	r.ChildrenBut(n, one, over)
	return true
}

func catch(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	name, typ := r.Find(n, "<simple_identifier>"), r.Find(n, "<user_type>")
	if name != sitter.None {
		declare(r, name, typ, sitter.None)
	}
	r.ChildrenBut(n, name)
	r.Scopes.Close()
	return true
}

// call reads f(…), a.f(…), f { … } and f(…) { … }.
func call(r *rules.Reader, n sitter.Node) bool {
	callee, args := calleeOf(r, n)
	switch {
	case callee == sitter.None:
		return true
	case r.Is(callee, "simple_identifier"):
		calledName(r, callee, args)
	case r.Is(callee, "navigation_expression"):
		member(r, callee, graph.UseCall, argumentPaths(r, args, 0), len(args))
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	suffixes(r, n)
	return true
}

// suffixes reads the arguments of a call, and of the call in it that has the same callee.
func suffixes(r *rules.Reader, n sitter.Node) {
	first := r.Tree.First(n)
	if r.Is(first, "call_expression") && r.Find(n, "<call_suffix>/<value_arguments>") == sitter.None {
		suffixes(r, first)
	}
	r.ChildrenBut(n, first)
}

func calledName(r *rules.Reader, name sitter.Node, args []sitter.Node) {
	if l := r.Scopes.Lookup(r.Text(name)); l != nil && l.Def == graph.NoDef {
		r.AddValueCall()
		return
	}
	r.AddRef(graph.Ref{
		Name: strings.Trim(r.Text(name), "`"), Use: graph.UseCall, Span: r.Span(name), Args: arity(len(args)), Hint: hint(implicit(r), argumentPaths(r, args, 0)),
	})
}

func arity(count int) int16 { return int16(min(count, 1<<15-1)) }

// identifier reads a name that stands alone.
func identifier(r *rules.Reader, n sitter.Node) bool {
	at := len(r.Facts.Refs)
	r.Name(n, graph.UseRead)
	if len(r.Facts.Refs) > at {
		r.Facts.Refs[at].Hint = hint(implicit(r), "")
	}
	return true
}

func navigation(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, "", -1)
	return true
}

func member(r *rules.Reader, n sitter.Node, use graph.Use, args string, count int) {
	object, name := r.Tree.First(n), r.Find(n, "<navigation_suffix>/<simple_identifier>")
	if object == sitter.None || name == sitter.None {
		r.Children(n)
		return
	}
	r.Visit(object)
	r.AddRef(graph.Ref{
		Name: strings.Trim(r.Text(name), "`"), Qualifier: r.Qualifier(r.Start(object), r.Tree.End(object)), Use: use, Span: r.Span(name), Args: arity(count), Hint: hint(within(r, pathOf(r, object, 0)), args),
	})
}

// reference reads ::f and T::f.
func reference(r *rules.Reader, n sitter.Node) bool {
	typ, name := r.Find(n, "<type_identifier>"), r.Find(n, "<simple_identifier>")
	switch {
	case name == sitter.None:
		return false
	case typ == sitter.None:
		return identifier(r, name)
	}
	p := namePath(r, r.Text(typ))
	if r.Scopes.Lookup(r.Text(typ)) == nil {
		r.Name(typ, graph.UseType)
		p = "(" + r.Text(typ) + ")"
	}
	if p == "" {
		p = "?"
	}
	r.AddRef(graph.Ref{Name: r.Text(name), Qualifier: r.Text(typ), Use: graph.UseRead, Span: r.Span(name), Args: -1, Hint: hint(p, "")})
	return true
}

// construct reads Base(…) in the head of a class.
func construct(r *rules.Reader, n sitter.Node) bool {
	if typ := r.Find(n, "<user_type>"); typ != sitter.None {
		var args []sitter.Node
		if list := r.Find(n, "<value_arguments>"); list != sitter.None {
			for c := range r.Tree.Children(list) {
				if r.Is(c, "value_argument") {
					args = append(args, c)
				}
			}
		}
		at := len(r.Facts.Refs)
		r.TypeName(typ, graph.UseCall, len(args))
		if len(r.Facts.Refs) > at && r.Facts.Refs[at].Use == graph.UseCall {
			ref := &r.Facts.Refs[at]
			ref.Hint = graph.Hint{Rule: graph.HintValue, Type: "="}
			if text := argumentPaths(r, args, 0); text != "" && len(text) < maxHint {
				ref.Hint.Type += "{" + text + "}"
			}
		}
	}
	r.ChildrenBut(n, r.Find(n, "<user_type>"))
	return true
}

// chained reads : this(…) and : super(…) of a constructor.
func chained(r *rules.Reader, n sitter.Node) bool {
	list, word := r.Find(n, "<value_arguments>"), "this"
	if strings.HasPrefix(r.Text(n), "super") {
		word = "super"
	}
	if list == sitter.None {
		return false
	}
	var args []sitter.Node
	for c := range r.Tree.Children(list) {
		if r.Is(c, "value_argument") {
			args = append(args, c)
		}
	}
	start := r.Start(n)
	r.AddRef(graph.Ref{
		Name: word, Use: graph.UseCall, Span: r.SpanBetween(start, start+uint32(len(word))), Args: arity(len(args)), Hint: hint("", argumentPaths(r, args, 0)),
	})
	r.Children(n)
	return true
}

// argument reads f(name = value), whose name is one of a parameter.
func argument(r *rules.Reader, n sitter.Node) bool {
	first := r.Tree.First(n)
	if first != sitter.None && r.Is(first, "simple_identifier") && int(r.Tree.After(first)) < int(r.Tree.After(n)) {
		r.ChildrenBut(n, first)
		return true
	}
	return false
}

func annotation(r *rules.Reader, n sitter.Node) bool {
	if typ := r.Find(n, "<constructor_invocation>/<user_type>|<user_type>"); typ != sitter.None {
		r.TypeName(typ, graph.UseDecorator, -1)
	}
	for c := range r.Tree.Children(n) {
		if r.Is(c, "constructor_invocation") {
			r.ChildrenBut(c, r.Find(c, "<user_type>"))
		}
	}
	return true
}
