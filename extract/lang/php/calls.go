package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// variableName reads $a, which is no name that is looked up.
func variableName(*rules.Reader, sitter.Node) bool { return true }

func ownClass(name string) bool { return name == "static" || name == "self" || name == "parent" }

func countArgs(r *rules.Reader, n sitter.Node) int {
	args := r.Find(n, "arguments")
	if args == sitter.None {
		args = r.Find(n, "<arguments>")
	}
	if args == sitter.None {
		return 0
	}
	return r.CountChildren(args)
}

// global stands before a full name that begins with it: \strlen.
const global = `\`

func qualifiedName(r *rules.Reader, n sitter.Node) bool {
	reading(r, n, graph.UseRead, -1, graph.Hint{})
	return true
}

// Types of graph.HintClass: what stands there is the name of a class, or that of a member
// of the class that is named before it.
const (
	hintClass  = ""
	hintMember = "::"
)

// className reads the name of a class where the text says that it is one.
func className(r *rules.Reader, n sitter.Node, use graph.Use, args int) {
	if !ownClass(r.Text(n)) {
		reading(r, n, use, args, graph.Hint{Rule: graph.HintClass, Type: hintClass})
	}
}

// visitObject reads what stands before -> or ::.
func visitObject(r *rules.Reader, n sitter.Node) {
	if r.Is(n, "name", "qualified_name") {
		className(r, n, graph.UseRead, -1)
		return
	}
	r.Visit(n)
}

// reading reads a name, or a path of names.
func reading(r *rules.Reader, n sitter.Node, use graph.Use, args int, hint graph.Hint) {
	if !r.Is(n, "qualified_name") {
		if name := r.Text(n); name != "" && !r.Tree.IsMissing(n) && !ownClass(name) && (hint.Rule != graph.HintNone || r.Scopes.Lookup(name) == nil) {
			r.AddRef(graph.Ref{Name: name, Use: use, Span: r.Span(n), Args: int16(args), Hint: hint})
		}
		return
	}
	text, start := r.Text(n), r.Start(n)
	at := strings.LastIndexByte(text, '\\')
	if at < 0 || strings.ContainsAny(text, " \t\r\n") {
		return
	}
	from := start + uint32(at) + 1
	qualifier := text[:at]
	if at == 0 {
		qualifier = global
	}
	r.AddRef(graph.Ref{Name: text[at+1:], Qualifier: qualifier, Use: use, Span: r.SpanBetween(from, r.Tree.End(n)), Args: int16(args), Hint: hint})
}

func functionCall(r *rules.Reader, n sitter.Node) bool {
	callee := r.Find(n, "function")
	if callee == sitter.None {
		return false
	}
	args := r.Find(n, "arguments")
	use, count := graph.UseCall, countArgs(r, n)
	if reference(r, n) {
		use, count = graph.UseRead, -1
	}
	switch {
	case r.Is(callee, "name", "qualified_name"):
		name := strings.TrimPrefix(r.Text(callee), global)
		if name == "define" && args != sitter.None {
			defineConstant(r, n, args)
		}
		reading(r, callee, use, count, graph.Hint{})
		if args != sitter.None && takesCallable(name) {
			callables(r, args)
		}
	case r.Is(callee, "variable_name") && invoked(r, callee, use, count):
	default:
		r.AddValueCall()
		r.Visit(callee)
	}
	r.Visit(args)
	if name := r.Text(callee); name == "assert" && args != sitter.None {
		for key, v := range narrow(r, first(r, first(r, args))).yes {
			stateOf(r).vars[key] = v
		}
	}
	return true
}

// invoked reads a call of what a variable holds, where that is an object.
func invoked(r *rules.Reader, callee sitter.Node, use graph.Use, args int) bool {
	value := valueOf(r, callee)
	if value == "" || use != graph.UseCall || strings.Contains(value, "Closure") || strings.Contains(value, "callable") {
		return false
	}
	r.AddRef(graph.Ref{
		Name: "__invoke", Qualifier: r.Text(callee), Use: use, Span: r.Span(callee), Args: int16(args), Hint: graph.Hint{Rule: graph.HintFlow, Type: value},
	})
	return true
}

// takesCallable reports whether a function of the language calls what a string or a list
// among its arguments names.
func takesCallable(name string) bool {
	switch name {
	case "call_user_func", "call_user_func_array", "array_map", "array_filter", "array_reduce", "array_walk", "usort", "uasort", "uksort", "is_callable",
		"preg_replace_callback", "register_shutdown_function", "set_error_handler", "set_exception_handler", "spl_autoload_register", "iterator_apply", "ob_start",
		"forward_static_call", "func_overload":
		return true
	}
	return false
}

// callables reads the strings among arguments: 'f', 'C::m'.
func callables(r *rules.Reader, args sitter.Node) {
	for arg := range r.All(args, "<argument>") {
		text := r.Find(arg, "<string>/<string_content>")
		if text == sitter.None {
			continue
		}
		start := r.Start(text)
		path := r.Text(text)
		class, name, member := strings.Cut(path, "::")
		if !member {
			class, name = "", path
		}
		at := strings.LastIndexByte(name, '\\')
		if !isName(name[at+1:]) || member && at >= 0 {
			continue
		}
		from := start + uint32(len(path)-len(name)+at+1)
		ref := graph.Ref{Name: name[at+1:], Use: graph.UseDynamic, Span: r.SpanBetween(from, r.Tree.End(text)), Args: -1, Qualifier: global}
		switch {
		case member:
			ref.Qualifier, ref.Hint = global+strings.TrimPrefix(class, global), graph.Hint{Rule: graph.HintClass, Type: hintMember}
		case at > 0:
			ref.Qualifier = global + strings.TrimPrefix(name[:at], global)
		}
		r.AddRef(ref)
	}
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// list reads [$a, 'm'] and [C::class, 'm'], which may name a method.
func list(r *rules.Reader, n sitter.Node) bool {
	var parts []sitter.Node
	for c := range below(r, n) {
		if !r.Is(c, "comment") {
			parts = append(parts, c)
		}
	}
	if len(parts) != 2 || !r.Is(parts[0], "array_element_initializer") || !r.Is(parts[1], "array_element_initializer") {
		return false
	}
	object, name := first(r, parts[0]), r.Find(parts[1], "<string>/<string_content>")
	if name == sitter.None || object == sitter.None || !isName(r.Text(name)) || r.Tree.After(object) != r.Tree.After(parts[0]) {
		return false
	}
	if r.Is(object, "class_constant_access_expression") {
		if class := first(r, object); textAfter(r, class) == "class" {
			visitObject(r, class)
			memberOf(r, name, class, graph.UseDynamic, -1)
			return true
		}
	}
	if valueOf(r, object) == "" || !r.Is(object, "variable_name", "member_access_expression") {
		return false
	}
	r.Visit(object)
	memberOf(r, name, object, graph.UseDynamic, -1)
	return true
}

// defineConstant reads define('NAME', …).
func defineConstant(r *rules.Reader, n, args sitter.Node) {
	name := r.Find(args, "~string_content")
	if name == sitter.None || r.InFunction() || r.Start(name) > r.Start(args)+3 || r.Text(name) == "" {
		return
	}
	r.Define(n, graph.Def{Name: r.Text(name), Local: r.Text(name), Kind: graph.KindConstant, Span: r.Span(n), NameSpan: r.Span(name), Doc: r.DocAbove(r.Start(n))})
}

// creation reads new C(…), and new class { … }.
func creation(r *rules.Reader, n sitter.Node) bool {
	class := r.Find(n, "<name>|<qualified_name>")
	switch {
	case class == sitter.None:
		if body := r.Find(n, "<declaration_list>"); body != sitter.None {
			anonymous(r, n, body)
			return true
		}
		r.AddValueCall()
		r.Children(n)
		return true
	case !ownClass(r.Text(class)):
		className(r, class, graph.UseCall, countArgs(r, n))
	default:
		makesOwn(r, n, class)
	}
	r.ChildrenBut(n, class)
	return true
}

// makesOwn reads new static, new self and new parent, under the name of the class.
func makesOwn(r *rules.Reader, n, class sitter.Node) {
	t := r.EnclosingType()
	if t == nil {
		r.AddValueCall()
		return
	}
	ref := graph.Ref{Name: t.Name, Qualifier: r.Text(class), Use: graph.UseCall, Span: r.Span(class), Args: int16(countArgs(r, n))}
	ref.Hint = graph.Hint{Rule: graph.HintFlow, Type: ref.Qualifier}
	if ref.Qualifier == "parent" {
		for i := range r.Facts.Heritage {
			if h := &r.Facts.Heritage[i]; h.Rel == graph.RelExtends && &r.Facts.Defs[h.Def] == t {
				ref.Name = h.Name
			}
		}
	}
	r.AddRef(ref)
}

// anonymous reads new class(…) extends B { … }.
func anonymous(r *rules.Reader, n, body sitter.Node) {
	r.Visit(r.Find(n, "<arguments>"))
	for _, at := range [...]rules.Path{"<base_clause>/<name>", "<base_clause>/<qualified_name>"} {
		for base := range r.All(n, at) {
			className(r, base, graph.UseType, -1)
		}
	}
	start := r.Start(n)
	def := r.Define(n, graph.Def{
		Name: "class@anonymous", Kind: graph.KindClass, Span: r.Span(n), NameSpan: r.SpanBetween(start, start+3), Signature: r.Signature(start, r.Start(body)), Flags: graph.FlagLocal,
	})
	bases(r, n, def)
	classBody(r, def, "", 0, func() { r.Visit(body) })
}

// member reads $a->b, $a->b(), A::b() and A::$b.
func member(r *rules.Reader, n sitter.Node) bool {
	use, args := graph.UseRead, -1
	if r.Is(n, "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression") && !reference(r, n) {
		use, args = graph.UseCall, countArgs(r, n)
	}
	return access(r, n, use, args)
}

func access(r *rules.Reader, n sitter.Node, use graph.Use, args int) bool {
	name, object := r.Find(n, "name"), r.Find(n, "object")
	if object == sitter.None {
		object = r.Find(n, "scope")
	}
	if name == sitter.None || object == sitter.None {
		return false
	}
	visitObject(r, object)
	switch {
	case r.Is(name, "name"):
		memberOf(r, name, object, use, args)
	case r.Is(name, "variable_name") && use != graph.UseCall && r.Tree.End(name) > r.Start(name)+1:
		if field := first(r, name); field != sitter.None && r.Find(n, "scope") == object { // A::$b, whose name is b
			memberOf(r, field, object, use, -1)
		}
	case use == graph.UseCall:
		r.AddValueCall()
		r.Visit(name)
	default:
		r.Visit(name)
	}
	r.Visit(r.Find(n, "arguments"))
	return true
}

// memberOf records a use of a member of what stands at object.
func memberOf(r *rules.Reader, n, object sitter.Node, use graph.Use, args int) {
	ref := graph.Ref{Name: r.Text(n), Qualifier: r.Qualifier(r.Start(object), r.Tree.End(object)), Use: use, Span: r.Span(n), Args: int16(args)}
	own := func(rule graph.HintRule) graph.Hint {
		if t := r.EnclosingType(); t != nil {
			return graph.Hint{Rule: rule, Type: t.Local}
		}
		return graph.Hint{Rule: graph.HintLocal}
	}
	switch text := r.Text(object); {
	case text == "$this" || text == "self" || text == "static":
		ref.Hint = own(graph.HintSelf)
	case text == "parent":
		ref.Hint = own(graph.HintSuper)
	case r.Is(object, "name", "qualified_name"):
		ref.Hint = graph.Hint{Rule: graph.HintClass, Type: hintMember}
	default:
		if ref.Hint = (graph.Hint{Rule: graph.HintLocal}); valueOf(r, object) != "" {
			ref.Hint = graph.Hint{Rule: graph.HintValue, Type: valueOf(r, object)}
		}
	}
	r.AddRef(ref)
}

// constantAccess reads A::B; A::class is the name of A.
func constantAccess(r *rules.Reader, n sitter.Node) bool {
	var parts []sitter.Node
	for c := range below(r, n) {
		parts = append(parts, c)
	}
	if len(parts) != 2 {
		return false
	}
	visitObject(r, parts[0])
	if r.Is(parts[1], "name") && r.Text(parts[1]) != "class" {
		memberOf(r, parts[1], parts[0], graph.UseRead, -1)
	}
	return true
}

func named(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<name>|<qualified_name>")
	if name != sitter.None {
		className(r, name, graph.UseType, -1)
	}
	return true
}

func attribute(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<name>|<qualified_name>")
	if name != sitter.None {
		className(r, name, graph.UseDecorator, -1)
	}
	r.ChildrenBut(n, name)
	return true
}

// include reads require 'a.php' and include __DIR__ . '/a.php'.
func include(r *rules.Reader, n sitter.Node) bool {
	text := r.Find(n, "~string_content")
	if text != sitter.None {
		if module := strings.TrimPrefix(r.Text(text), "/"); module != "" {
			r.AddImport(graph.Import{Module: module, Span: r.Span(n), Flags: graph.ImportDynamic})
		}
	}
	return false
}
