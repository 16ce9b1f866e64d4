package csharp

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// What an expression is, is written as a path: graph/resolve/generic says how it is read.
// Locals are replaced by what they hold.

const (
	maxPath  = 200 // of a receiver
	maxHint  = 360 // with the arguments
	maxDepth = 12  // of expressions
)

// pathOf returns the path of an expression, or "?".
func pathOf(r *rules.Reader, n sitter.Node, depth int) string {
	p := path(r, n, depth)
	if p == "" || len(p) > maxPath {
		return "?"
	}
	return p
}

func path(r *rules.Reader, n sitter.Node, depth int) string {
	if n == sitter.None || depth > maxDepth {
		return ""
	}
	switch {
	case r.Is(n, "identifier"):
		return namePath(r, r.Text(n))
	case r.Is(n, "generic_name"):
		return withoutSpace(r.Text(n))
	case r.Is(n, "member_access_expression"):
		return accessPath(r, n, depth)
	case r.Is(n, "conditional_access_expression"):
		return maybePath(r, n, depth)
	case r.Is(n, "invocation_expression"):
		return callPath(r, n, depth)
	case r.Is(n, "object_creation_expression"):
		if typ := r.Find(n, "type"); typ != sitter.None {
			return "+" + withoutSpace(r.Text(typ)) + "(" + argumentPaths(r, r.Find(n, "arguments"), depth) + ")"
		}
	case r.Is(n, "parenthesized_expression", "checked_expression"):
		return path(r, r.Tree.First(n), depth+1)
	case r.Is(n, "cast_expression", "default_expression", "array_creation_expression"):
		return typePath(r, r.Find(n, "type"))
	case r.Is(n, "as_expression"):
		return typePath(r, r.Find(n, "right"))
	case r.Is(n, "element_access_expression"):
		if object := r.Find(n, "expression"); object != sitter.None {
			return after(path(r, object, depth+1), "[]")
		}
	case r.Is(n, "await_expression"):
		return after(path(r, r.Tree.First(n), depth+1), "!")
	case r.Is(n, "conditional_expression"):
		return either(r, r.Find(n, "consequence"), r.Find(n, "alternative"), depth)
	case r.Is(n, "binary_expression"):
		return binaryPath(r, n, depth)
	case r.Is(n, "postfix_unary_expression", "prefix_unary_expression"):
		if strings.HasPrefix(r.Text(n), "!") {
			return "#b"
		}
		return path(r, r.Tree.First(n), depth+1)
	case r.Is(n, "assignment_expression"):
		return path(r, r.Find(n, "left"), depth+1)
	case r.Is(n, "typeof_expression"):
		return "(Type)"
	case r.Is(n, "is_expression", "is_pattern_expression"):
		return "#b"
	case r.Is(n, "lambda_expression"):
		return "\\" + strconv.Itoa(lambdaCount(r, n))
	case r.Is(n, "implicit_object_creation_expression"):
		return target(r, n, depth)
	}
	return literal(r, n)
}

func literal(r *rules.Reader, n sitter.Node) string {
	switch {
	case r.Is(n, "string_literal", "verbatim_string_literal", "interpolated_string_expression", "raw_string_literal"):
		return "#s"
	case r.Is(n, "character_literal"):
		return "#c"
	case r.Is(n, "boolean_literal"):
		return "#b"
	case r.Is(n, "null_literal"):
		return "#n"
	case r.Is(n, "integer_literal"):
		text := strings.ToLower(r.Text(n))
		switch {
		case strings.HasSuffix(text, "ul"), strings.HasSuffix(text, "lu"):
			return "(ulong)"
		case strings.HasSuffix(text, "l"):
			return "#l"
		case strings.HasSuffix(text, "u"):
			return "#u"
		}
		return "#i"
	case r.Is(n, "real_literal"):
		switch text := strings.ToLower(r.Text(n)); text[len(text)-1] {
		case 'f':
			return "#f"
		case 'm':
			return "#m"
		}
		return "#d"
	}
	return ""
}

func after(p, suffix string) string {
	if p == "" || p == "?" {
		return ""
	}
	return p + suffix
}

func typePath(r *rules.Reader, typ sitter.Node) string {
	if typ == sitter.None {
		return ""
	}
	return "(" + typeText(r, typ) + ")"
}

// typeText is a type as written, without white space and without the lengths of arrays.
func typeText(r *rules.Reader, typ sitter.Node) string {
	text := withoutSpace(r.Text(typ))
	if r.Is(typ, "array_type") {
		if i := strings.IndexByte(text, '['); i > 0 {
			return text[:i] + "[]"
		}
	}
	return text
}

func withoutSpace(s string) string {
	if strings.ContainsAny(s, " \t\r\n") {
		return strings.Join(strings.Fields(s), "")
	}
	return s
}

// namePath returns what a name stands for: that which a local holds, or the name.
func namePath(r *rules.Reader, name string) string {
	l := r.Scopes.Lookup(name)
	switch {
	case l == nil:
		return name
	case l.Hint.Rule == graph.HintValue:
		return l.Hint.Type
	case l.Def != graph.NoDef:
		return name
	}
	return ""
}

func accessPath(r *rules.Reader, n sitter.Node, depth int) string {
	name := r.Find(n, "name")
	if name == sitter.None {
		return ""
	}
	object, text := r.Find(n, "expression"), withoutSpace(r.Text(name))
	if object != sitter.None {
		if r.Is(object, "alias_qualified_name") { // global::A
			return strings.TrimPrefix(withoutSpace(r.Text(object)), "global::") + "." + text
		}
		return after(path(r, object, depth+1), "."+text)
	}
	return keyword(r, n, name) + "." + text
}

// keyword returns the path of what is no node before a dot: this, base or a built-in type.
func keyword(r *rules.Reader, n, name sitter.Node) string {
	word := strings.TrimSuffix(r.Qualifier(r.Start(n), r.Start(name)), ".")
	switch word {
	case "this", "base":
		return word
	case "(this)":
		return "this"
	}
	return word
}

// maybePath is of a?.b, and of all that follows the question mark.
func maybePath(r *rules.Reader, n sitter.Node, depth int) string {
	object := path(r, r.Find(n, "condition"), depth+1)
	if binding := r.Find(n, "<member_binding_expression>"); binding != sitter.None {
		if name := r.Find(binding, "name"); name != sitter.None {
			return after(object, "."+withoutSpace(r.Text(name)))
		}
		return ""
	}
	if r.Find(n, "<element_binding_expression>") != sitter.None {
		return after(object, "[]")
	}
	return ""
}

func callPath(r *rules.Reader, n sitter.Node, depth int) string {
	callee := r.Find(n, "function")
	if r.Is(callee, "identifier") && r.Text(callee) == "nameof" {
		return "#s"
	}
	p := path(r, callee, depth+1)
	if p == "" || p == "?" {
		return ""
	}
	args := argumentPaths(r, r.Find(n, "arguments"), depth)
	if len(p)+len(args) > maxPath {
		args = "*"
	}
	return p + "(" + args + ")"
}

// argumentPaths returns the paths of the arguments of a call.
func argumentPaths(r *rules.Reader, list sitter.Node, depth int) string {
	if list == sitter.None {
		return ""
	}
	var out strings.Builder
	first := true
	for a := range r.Tree.Children(list) {
		if !r.Is(a, "argument", "attribute_argument") {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		name, value := r.Find(a, "name"), sitter.None
		for c := range r.Tree.Children(a) {
			if c != name {
				value = c
			}
		}
		if name != sitter.None {
			out.WriteString(r.Text(name) + ":")
		}
		out.WriteString(argumentPath(r, a, value, depth))
	}
	return out.String()
}

func argumentPath(r *rules.Reader, a, value sitter.Node, depth int) string {
	switch text := r.Text(a); {
	case value == sitter.None && text == "this":
		return "this"
	case value == sitter.None, r.Is(value, "implicit_object_creation_expression"):
		return "?"
	case r.Is(value, "declaration_expression"):
		if typ := r.Find(value, "type"); typ != sitter.None && !r.Is(typ, "implicit_type") {
			return typePath(r, typ)
		}
		return "?"
	}
	if p := pathOf(r, value, depth+1); len(p) <= maxPath/3 {
		return p
	}
	return "?"
}

func either(r *rules.Reader, a, b sitter.Node, depth int) string {
	p := path(r, a, depth+1)
	if p == "" || p == "#n" {
		return path(r, b, depth+1)
	}
	return p
}

// binaryPath is of a + b and of what compares.
func binaryPath(r *rules.Reader, n sitter.Node, depth int) string {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	if left == sitter.None || right == sitter.None {
		return ""
	}
	switch strings.TrimSpace(r.Slice(r.Tree.End(left), r.Start(right))) {
	case "??":
		return either(r, right, left, depth) // which is not null where both are known
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "#b"
	}
	a, b := path(r, left, depth+1), path(r, right, depth+1)
	switch {
	case a == "#s" || b == "#s":
		return "#s"
	case a == b && strings.HasPrefix(a, "#"):
		return a
	}
	return ""
}

func lambdaCount(r *rules.Reader, n sitter.Node) int {
	list := r.Find(n, "parameters|<parameter_list>")
	if r.Is(list, "parameter_list") {
		return r.CountChildren(list)
	}
	if list != sitter.None {
		return 1
	}
	return 0
}

// target returns the path of a value of the type that new(…) makes where it stands.
func target(r *rules.Reader, n sitter.Node, depth int) string {
	up := r.Tree.Parent(n)
	switch {
	case up == sitter.None || depth > maxDepth:
	case r.Is(up, "variable_declarator"):
		if typ := r.Find(r.Tree.Parent(up), "type"); typ != sitter.None && !r.Is(typ, "implicit_type") {
			return typePath(r, typ)
		}
	case r.Is(up, "property_declaration"):
		return typePath(r, r.Find(up, "type"))
	case r.Is(up, "arrow_expression_clause"):
		return resultPath(r, r.Tree.Parent(up))
	case r.Is(up, "return_statement"):
		for at := up; at != sitter.None; at = r.Tree.Parent(at) {
			if r.Is(at, "method_declaration", "local_function_statement", "lambda_expression", "accessor_declaration", "anonymous_method_expression") {
				return resultPath(r, at)
			}
		}
	case r.Is(up, "assignment_expression"):
		if left := r.Find(up, "left"); left != n {
			return path(r, left, depth+1)
		}
	case r.Is(up, "argument"):
		list := r.Tree.Parent(up)
		if call := r.Tree.Parent(list); r.Is(call, "invocation_expression") {
			if p := path(r, r.Find(call, "function"), depth+1); p != "" {
				return p + "^" + strconv.Itoa(indexOf(r, list, up))
			}
		}
	}
	return ""
}

func resultPath(r *rules.Reader, n sitter.Node) string {
	switch {
	case r.Is(n, "method_declaration"):
		return typePath(r, r.Find(n, "returns"))
	case r.Is(n, "property_declaration", "local_function_statement"):
		return typePath(r, r.Find(n, "type"))
	}
	return ""
}

func indexOf(r *rules.Reader, list, arg sitter.Node) (i int) {
	for a := range r.Tree.Children(list) {
		if a == arg {
			return i
		}
		if r.Is(a, "argument") {
			i++
		}
	}
	return i
}

// lambdaParameter returns the path of a parameter of a function that is an argument.
func lambdaParameter(r *rules.Reader, lambda sitter.Node, k int) string {
	arg := r.Tree.Parent(lambda)
	if !r.Is(arg, "argument") {
		return ""
	}
	list := r.Tree.Parent(arg)
	call := r.Tree.Parent(list)
	if !r.Is(call, "invocation_expression") {
		return ""
	}
	p := path(r, r.Find(call, "function"), 1)
	if p == "" || len(p) > maxPath {
		return ""
	}
	return p + "$" + strconv.Itoa(indexOf(r, list, arg)) + ":" + strconv.Itoa(k)
}

// hint says what is known of the receiver and of the arguments of a use.
func hint(receiver, args string) graph.Hint {
	text := receiver
	if args != "" && len(receiver)+len(args) < maxHint {
		text += "{" + args + "}"
	}
	if text == "" {
		return graph.Hint{}
	}
	return graph.Hint{Rule: graph.HintValue, Type: text}
}

// withGenerics adds the type arguments of what is called.
func withGenerics(r *rules.Reader, h graph.Hint, name sitter.Node) graph.Hint {
	if !r.Is(name, "generic_name") {
		return h
	}
	list := r.Find(name, "<type_argument_list>")
	if list == sitter.None || len(h.Type) > maxHint {
		return h
	}
	text := h.Type
	if !strings.HasSuffix(text, "}") {
		text += "{}"
	}
	return graph.Hint{Rule: graph.HintValue, Type: text + withoutSpace(r.Text(list))}
}

// bind makes a name a local one that holds what a path says.
func bind(r *rules.Reader, name sitter.Node, p string) {
	h := graph.Hint{Rule: graph.HintLocal}
	if p != "" && p != "?" && len(p) <= maxPath {
		h = graph.Hint{Rule: graph.HintValue, Type: p}
	}
	r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: h, Def: graph.NoDef})
}
