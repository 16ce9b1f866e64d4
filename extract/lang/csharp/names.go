package csharp

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// visitType reads a type: its names are types.
func visitType(r *rules.Reader, n sitter.Node) {
	switch {
	case n == sitter.None:
	case r.Is(n, "identifier"):
		r.Name(n, graph.UseType)
	case r.Is(n, "generic_name"):
		generic(r, n)
	case r.Is(n, "qualified_name"):
		r.Name(n, graph.UseType)
	default:
		for c := range r.Tree.Children(n) {
			visitType(r, c)
		}
	}
}

// generic reads A<B, C> where it stands as a type.
func generic(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<identifier>"); name != sitter.None {
		r.Name(name, graph.UseType)
	}
	arguments(r, n)
	return true
}

// arguments reads the type arguments of a generic name.
func arguments(r *rules.Reader, n sitter.Node) {
	if list := r.Find(n, "<type_argument_list>"); list != sitter.None {
		for c := range r.Tree.Children(list) {
			visitType(r, c)
		}
	}
}

// declare binds a name by its type, or else by its value.
func declare(r *rules.Reader, name, typ, value sitter.Node) {
	p := ""
	switch {
	case typ != sitter.None && !r.Is(typ, "implicit_type"):
		if l := r.Scopes.Lookup(r.Text(typ)); l == nil || !l.Type {
			p = typePath(r, typ)
		}
	case value != sitter.None:
		p = path(r, value, 0)
	}
	bind(r, name, p)
}

// parameter binds a parameter; those of a record are its properties.
func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	visitType(r, typ)
	if name == sitter.None || r.Text(name) == "" {
		return true
	}
	if d := r.EnclosingDef(); d != nil && r.Is(r.Tree.Parent(r.Tree.Parent(n)), "record_declaration") {
		p := graph.Def{Name: r.Text(name), NameSpan: r.Span(name), Span: r.Span(n), Kind: graph.KindProperty, Flags: graph.FlagExported}
		if typ != sitter.None {
			p.Type = r.Text(typ)
		}
		r.Define(n, p)
	} else {
		declare(r, name, typ, sitter.None)
	}
	for c := range r.Tree.Children(n) {
		if c != name && c != typ {
			r.Visit(c)
		}
	}
	return true
}

// parameters binds what stands in a list without a node of its own: params int[] rest.
func parameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.Tree.Children(n) {
		if r.Is(c, "identifier") {
			declare(r, c, r.Find(n, "<array_type>"), sitter.None)
		} else if r.Is(c, "array_type") {
			visitType(r, c)
		} else {
			r.Visit(c)
		}
	}
	return true
}

// variables reads int a = 1, b; of a block.
func variables(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	visitType(r, typ)
	for v := range r.All(n, "<variable_declarator>") {
		name, value := r.Find(v, "name"), sitter.None
		for c := range r.Tree.Children(v) {
			if c != name {
				value = c
				r.Visit(c)
			}
		}
		if name != sitter.None {
			declare(r, name, typ, value)
		}
	}
	return true
}

func foreach(r *rules.Reader, n sitter.Node) bool {
	typ, left, right := r.Find(n, "type"), r.Find(n, "left"), r.Find(n, "right")
	visitType(r, typ)
	r.Visit(right)
	r.Scopes.Open()
	switch {
	case r.Is(left, "identifier") && r.Is(typ, "implicit_type"):
		bind(r, left, after(path(r, right, 0), "@"))
	case r.Is(left, "identifier"):
		declare(r, left, typ, sitter.None)
	default:
		r.Visit(left)
	}
	r.Visit(r.Find(n, "body"))
	r.Scopes.Close()
	return true
}

func countArgs(r *rules.Reader, n sitter.Node) int {
	if list := r.Find(n, "arguments"); list != sitter.None {
		return r.CountChildren(list)
	}
	return 0
}

// invocation reads f(…), a.f(…), a?.f(…) and F<T>(…).
func invocation(r *rules.Reader, n sitter.Node) bool {
	callee, count := r.Find(n, "function"), countArgs(r, n)
	args := argumentPaths(r, r.Find(n, "arguments"), 0)
	switch {
	case callee == sitter.None:
		return false
	case r.Is(callee, "member_access_expression"):
		member(r, callee, graph.UseCall, args, count)
	case r.Is(callee, "conditional_access_expression"):
		maybe(r, callee, graph.UseCall, args, count)
	case r.Is(callee, "identifier"):
		if r.Text(callee) != "nameof" || r.Scopes.Lookup("nameof") != nil {
			calledName(r, callee, args, count)
		}
	case r.Is(callee, "generic_name"):
		if name := r.Find(callee, "<identifier>"); name != sitter.None {
			at := len(r.Facts.Refs)
			calledName(r, name, args, count)
			if len(r.Facts.Refs) > at {
				r.Facts.Refs[at].Hint = withGenerics(r, r.Facts.Refs[at].Hint, callee)
			}
		}
		arguments(r, callee)
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.Visit(r.Find(n, "arguments"))
	return true
}

// calledName reads the name in f(…). A local function is one of the file's definitions.
func calledName(r *rules.Reader, name sitter.Node, args string, count int) {
	if l := r.Scopes.Lookup(r.Text(name)); l != nil && l.Def == graph.NoDef {
		r.AddValueCall()
		return
	}
	r.AddRef(graph.Ref{Name: r.Text(name), Use: graph.UseCall, Span: r.Span(name), Args: arity(count), Hint: hint("", args)})
}

func arity(count int) int16 { return int16(min(count, 1<<15-1)) }

// access reads a.b that is not called.
func access(r *rules.Reader, n sitter.Node) bool {
	member(r, n, graph.UseRead, "", -1)
	return true
}

// member reads a.b; this and base are no nodes of their own.
func member(r *rules.Reader, n sitter.Node, use graph.Use, args string, count int) {
	object, name := r.Find(n, "expression"), r.Find(n, "name")
	if name == sitter.None {
		r.Children(n)
		return
	}
	id := name
	if r.Is(name, "generic_name") {
		if id = r.Find(name, "<identifier>"); id == sitter.None {
			return
		}
	}
	ref := graph.Ref{Name: r.Text(id), Use: use, Span: r.Span(id), Args: arity(count)}
	ref.Qualifier = strings.TrimSuffix(r.Qualifier(r.Start(n), r.Start(name)), ".")
	p := ""
	if object != sitter.None {
		r.Visit(object)
		ref.Qualifier = r.Qualifier(r.Start(object), r.Tree.End(object))
		p = pathOf(r, object, 0)
		if r.Is(object, "alias_qualified_name") {
			p = strings.TrimPrefix(ref.Qualifier, "global::")
		}
	} else if p = keyword(r, n, name); p == "" {
		p = "?"
	}
	ref.Hint = hint(p, args)
	if use == graph.UseCall {
		ref.Hint = withGenerics(r, ref.Hint, name)
	}
	r.AddRef(ref)
	if id != name {
		arguments(r, name)
	}
}

func conditional(r *rules.Reader, n sitter.Node) bool {
	maybe(r, n, graph.UseRead, "", -1)
	return true
}

// maybe reads a?.b.
func maybe(r *rules.Reader, n sitter.Node, use graph.Use, args string, count int) {
	object, binding := r.Find(n, "condition"), r.Find(n, "<member_binding_expression>")
	if object == sitter.None || binding == sitter.None {
		for c := range r.Tree.Children(n) {
			r.Visit(c)
		}
		return
	}
	r.Visit(object)
	if name := r.Find(binding, "<generic_name>/<identifier>|<identifier>"); name != sitter.None {
		r.AddRef(graph.Ref{
			Name: r.Text(name), Qualifier: r.Qualifier(r.Start(object), r.Tree.End(object)), Use: use, Span: r.Span(name), Args: arity(count), Hint: hint(pathOf(r, object, 0), args),
		})
	}
}

// creation reads new T(…).
func creation(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	made := graph.Hint{Rule: graph.HintValue, Type: "={" + argumentPaths(r, r.Find(n, "arguments"), 0) + "}"}
	if len(made.Type) > maxHint {
		made.Type = "="
	}
	name := typ
	switch {
	case r.Is(typ, "generic_name"):
		name = r.Find(typ, "<identifier>")
		if text := typeText(r, typ); len(text)+len(made.Type) < maxHint {
			made.Type = "=(" + text + ")" + made.Type[1:]
		}
		arguments(r, typ)
	case r.Is(typ, "qualified_name"):
		part := r.Find(typ, "name")
		id := part
		if r.Is(part, "generic_name") {
			id = r.Find(part, "<identifier>")
			arguments(r, part)
		}
		if r.Is(id, "identifier") {
			qualifier := strings.TrimSuffix(r.Qualifier(r.Start(typ), r.Start(part)), ".")
			r.AddRef(graph.Ref{
				Name: r.Text(id), Qualifier: withoutArguments(qualifier), Use: graph.UseCall, Span: r.Span(id),
				Args: arity(countArgs(r, n)), Hint: made,
			})
		}
		name = sitter.None
	case r.Is(typ, "identifier"):
	default:
		visitType(r, typ)
		name = sitter.None
	}
	if name != sitter.None {
		if l := r.Scopes.Lookup(r.Text(name)); l == nil || !l.Type {
			r.AddRef(graph.Ref{Name: r.Text(name), Use: graph.UseCall, Span: r.Span(name), Args: arity(countArgs(r, n)), Hint: made})
		}
	}
	r.ChildrenBut(n, typ)
	return true
}

// implicit reads new(…), whose type is said by where it stands.
func implicit(r *rules.Reader, n sitter.Node) bool {
	list := r.Find(n, "<argument_list>")
	p := target(r, n, 0)
	if p == "" || len(p) > maxPath {
		p = "?"
	}
	count, start := 0, r.Start(n)
	if list != sitter.None {
		count = r.CountChildren(list)
	}
	text := "=" + p
	if args := argumentPaths(r, list, 0); len(args)+len(p) < maxHint {
		text += "{" + args + "}"
	}
	r.AddRef(graph.Ref{
		Name: "new", Use: graph.UseCall, Span: r.SpanBetween(start, start+uint32(len("new"))), Args: arity(count), Hint: graph.Hint{Rule: graph.HintValue, Type: text},
	})
	r.Children(n)
	return true
}

// chained reads : this(…) and : base(…) of a constructor.
func chained(r *rules.Reader, n sitter.Node) bool {
	list, text := r.Find(n, "<argument_list>"), r.Text(n)
	if list == sitter.None {
		return false
	}
	for _, word := range [...]string{"this", "base"} {
		if i := strings.Index(text, word); i >= 0 && i < int(r.Start(list)-r.Start(n)) {
			start := r.Start(n) + uint32(i)
			r.AddRef(graph.Ref{
				Name: word, Use: graph.UseCall, Span: r.SpanBetween(start, start+uint32(len(word))), Args: arity(r.CountChildren(list)), Hint: hint("", argumentPaths(r, list, 0)),
			})
		}
	}
	r.Visit(list)
	return true
}

// initializer reads { A = 1, B = x }: what stands on the left are members of what is made.
func initializer(r *rules.Reader, n sitter.Node) bool {
	made := initialized(r, n, 0)
	for c := range r.Tree.Children(n) {
		if r.Is(c, "assignment_expression") {
			if left := r.Find(c, "left"); r.Is(left, "identifier") {
				if made != "" {
					r.AddRef(graph.Ref{Name: r.Text(left), Qualifier: "new", Use: graph.UseRead, Span: r.Span(left), Args: -1, Hint: hint(made, "")})
				}
				r.ChildrenBut(c, left)
				continue
			}
		}
		r.Visit(c)
	}
	return true
}

// initialized returns the path of the value whose members an initializer sets.
func initialized(r *rules.Reader, n sitter.Node, depth int) string {
	up := r.Tree.Parent(n)
	switch {
	case up == sitter.None || depth > maxDepth:
	case r.Is(up, "object_creation_expression"):
		return typePath(r, r.Find(up, "type"))
	case r.Is(up, "implicit_object_creation_expression"):
		return target(r, up, depth+1)
	case r.Is(up, "assignment_expression"):
		if left := r.Find(up, "left"); r.Is(left, "identifier") {
			return after(initialized(r, r.Tree.Parent(up), depth+1), "."+r.Text(left))
		}
	}
	return ""
}

func attribute(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name != sitter.None {
		at := len(r.Facts.Refs)
		r.Name(name, graph.UseDecorator)
		if list := r.Find(n, "<attribute_argument_list>"); len(r.Facts.Refs) == at+1 {
			ref := &r.Facts.Refs[at]
			ref.Args = 0
			if list != sitter.None {
				ref.Args, ref.Hint = arity(positional(r, list)), hint("", argumentPaths(r, list, 0))
			}
		}
	}
	r.ChildrenBut(n, name)
	return true
}

// positional counts the arguments of an attribute that its constructor takes.
func positional(r *rules.Reader, list sitter.Node) (count int) {
	for a := range r.Tree.Children(list) {
		if r.Is(a, "attribute_argument") && r.Find(a, "<assignment_expression>") == sitter.None {
			count++
		}
	}
	return count
}

// argument reads f(name: value), whose name is one of a parameter.
func argument(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Find(n, "name"))
	return true
}

func labeled(r *rules.Reader, n sitter.Node) bool {
	r.ChildrenBut(n, r.Tree.First(n))
	return true
}

// typeParameters binds the names of type parameters.
func typeParameters(r *rules.Reader, n sitter.Node) bool {
	for c := range r.All(n, "<type_parameter>") {
		if name := r.Find(c, "name"); name != sitter.None {
			r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef, Type: true})
		}
	}
	return true
}

func constraints(r *rules.Reader, n sitter.Node) bool {
	first := r.Tree.First(n)
	for c := range r.Tree.Children(n) {
		if c != first {
			visitType(r, c)
		}
	}
	return true
}

// pattern binds the name in o is T x, and in case T x.
func pattern(r *rules.Reader, n sitter.Node) bool {
	typ, name := r.Find(n, "type"), r.Find(n, "name")
	r.ChildrenBut(n, typ, name)
	visitType(r, typ)
	switch {
	case !r.Is(name, "identifier"):
	case r.Is(typ, "implicit_type"):
		bind(r, name, outPath(r, n))
	default:
		declare(r, name, typ, sitter.None)
	}
	return true
}

// outPath is of out var x: the parameter that it is for says what it is.
func outPath(r *rules.Reader, n sitter.Node) string {
	arg := r.Tree.Parent(n)
	if !r.Is(arg, "argument") {
		return ""
	}
	list := r.Tree.Parent(arg)
	if call := r.Tree.Parent(list); r.Is(call, "invocation_expression") {
		if p := path(r, r.Find(call, "function"), 1); p != "" {
			return p + "^" + strconv.Itoa(indexOf(r, list, arg))
		}
	}
	return ""
}

// lambda reads x => …, whose parameters are what the call that it is handed to says.
func lambda(r *rules.Reader, n sitter.Node) bool {
	r.Scopes.Open()
	list := r.Find(n, "parameters|<parameter_list>")
	switch {
	case r.Is(list, "parameter_list"):
		k := 0
		for p := range r.Tree.Children(list) {
			if !r.Is(p, "parameter") {
				continue
			}
			if name := r.Find(p, "name"); name != sitter.None && r.Find(p, "type") == sitter.None {
				bind(r, name, lambdaParameter(r, n, k))
			} else {
				r.Visit(p)
			}
			k++
		}
	case list != sitter.None:
		bind(r, list, lambdaParameter(r, n, 0))
	}
	r.ChildrenBut(n, list)
	r.Scopes.Close()
	return true
}
