package kotlin

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
	// lastParameter stands for the number of the parameter that a lambda behind the
	// arguments is for.
	lastParameter = "99"
)

// receivers are the objects whose members lambdas see without naming them, the innermost
// last. Reader.Data holds them.
type receivers struct{ paths []string }

func receiversOf(r *rules.Reader) *receivers {
	if r.Data == nil {
		r.Data = &receivers{}
	}
	return r.Data.(*receivers)
}

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
	case r.Is(n, "simple_identifier"):
		return namePath(r, r.Text(n))
	case r.Is(n, "this_expression"):
		in := receiversOf(r).paths
		for i := len(in) - 1; i >= 0 && r.Text(n) == "this"; i-- {
			if strings.IndexByte(in[i], '&') < 0 { // whether the others are receivers is not known here
				return in[i]
			}
		}
		return thisPath(r, r.Text(n))
	case r.Is(n, "super_expression"):
		return "super"
	case r.Is(n, "navigation_expression"):
		name := r.Find(n, "<navigation_suffix>/<simple_identifier>")
		if name == sitter.None {
			return ""
		}
		return after(path(r, r.Tree.First(n), depth+1), "."+strings.Trim(r.Text(name), "`"))
	case r.Is(n, "call_expression"):
		return callPath(r, n, depth)
	case r.Is(n, "postfix_expression", "parenthesized_expression"):
		return path(r, r.Tree.First(n), depth+1)
	case r.Is(n, "indexing_expression"):
		return after(path(r, r.Tree.First(n), depth+1), "[]")
	case r.Is(n, "as_expression"):
		return typePath(r, r.Find(n, "<user_type>|<nullable_type>"))
	case r.Is(n, "elvis_expression", "if_expression", "control_structure_body"):
		return eitherPath(r, n, depth)
	case r.Is(n, "object_literal"):
		return typePath(r, r.Find(n, "<delegation_specifier>/<constructor_invocation>/<user_type>|<delegation_specifier>/<user_type>"))
	case r.Is(n, "lambda_literal"):
		return "\\" + strconv.Itoa(lambdaCount(r, n))
	case r.Is(n, "additive_expression"):
		if path(r, r.Tree.First(n), depth+1) == "#s" {
			return "#s"
		}
		return ""
	}
	return literal(r, n)
}

// eitherPath is of what has one of several values: of a ?: b, if and their branches.
func eitherPath(r *rules.Reader, n sitter.Node, depth int) string {
	switch {
	case r.Is(n, "elvis_expression"):
		first := r.Tree.First(n)
		last := sitter.None
		for c := range r.Tree.Children(n) {
			last = c
		}
		if p := path(r, last, depth+1); p != "" && p != "#n" {
			return p
		}
		return path(r, first, depth+1)
	case r.Is(n, "if_expression"):
		for body := range r.All(n, "<control_structure_body>") {
			if p := path(r, body, depth+1); p != "" && p != "#n" {
				return p
			}
		}
		return ""
	case r.Is(n, "control_structure_body"):
		if first := r.Tree.First(n); !r.Is(first, "statements") {
			return path(r, first, depth+1)
		}
		return ""
	}
	return ""
}

func literal(r *rules.Reader, n sitter.Node) string {
	switch {
	case r.Is(n, "string_literal"):
		return "#s"
	case r.Is(n, "character_literal"):
		return "#c"
	case r.Is(n, "boolean_literal", "check_expression", "equality_expression", "comparison_expression", "conjunction_expression", "disjunction_expression"):
		return "#b"
	case r.Is(n, "integer_literal", "hex_literal", "bin_literal"):
		return "#i"
	case r.Is(n, "long_literal"):
		return "#l"
	case r.Is(n, "unsigned_literal"):
		return "#u"
	case r.Is(n, "real_literal"):
		if text := r.Text(n); text[len(text)-1]|0x20 == 'f' {
			return "#f"
		}
		return "#d"
	case r.Is(n, "prefix_expression"):
		if strings.HasPrefix(r.Text(n), "!") {
			return "#b"
		}
		return path(r, r.Tree.First(n), maxDepth-1)
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

// namePath returns what a name stands for: that which a local holds, or the name.
func namePath(r *rules.Reader, name string) string {
	if name == "null" {
		return "#n"
	}
	l := r.Scopes.Lookup(name)
	switch {
	case l == nil:
		return strings.Trim(name, "`")
	case l.Hint.Rule == graph.HintValue:
		return l.Hint.Type
	case l.Def != graph.NoDef:
		return name
	}
	return ""
}

// thisPath is of this, and of this@Name.
func thisPath(r *rules.Reader, text string) string {
	if l := r.Scopes.Lookup("this"); l != nil && text == "this" && l.Hint.Rule == graph.HintValue {
		return l.Hint.Type
	}
	return text
}

// scoped says what a function of the library hands to the lambda that it is given: the
// value that it is called on, as the receiver or as the parameter.
func scoped(name string) (receiver, parameter bool) {
	switch name {
	case "apply", "run":
		return true, false
	case "let", "also", "takeIf", "takeUnless", "use":
		return false, true
	}
	return false, false
}

func callPath(r *rules.Reader, n sitter.Node, depth int) string {
	callee, args := calleeOf(r, n)
	if r.Is(callee, "navigation_expression") {
		if name := r.Find(callee, "<navigation_suffix>/<simple_identifier>"); name != sitter.None {
			switch r.Text(name) {
			case "apply", "also", "takeIf", "takeUnless":
				return path(r, r.Tree.First(callee), depth+1)
			}
		}
	}
	p := path(r, callee, depth+1)
	if p == "" || p == "?" {
		return ""
	}
	if types := r.Find(n, "<call_suffix>/<type_arguments>"); types != sitter.None && len(p) < maxPath/2 {
		p += withoutSpace(r.Text(types))
	}
	list := argumentPaths(r, args, depth)
	if len(p)+len(list) > maxPath {
		list = "*"
	}
	return p + "(" + list + ")"
}

// calleeOf returns what a call calls and its arguments: f(x) { … } is a call in a call.
func calleeOf(r *rules.Reader, n sitter.Node) (callee sitter.Node, args []sitter.Node) {
	callee = r.Tree.First(n)
	if r.Is(callee, "call_expression") && r.Find(n, "<call_suffix>/<value_arguments>") == sitter.None {
		var before []sitter.Node
		callee, before = calleeOf(r, callee)
		args = append(args, before...)
	}
	if list := r.Find(n, "<call_suffix>/<value_arguments>"); list != sitter.None {
		for c := range r.Tree.Children(list) {
			if r.Is(c, "value_argument") {
				args = append(args, c)
			}
		}
	}
	if l := r.Find(n, "<call_suffix>/<annotated_lambda>"); l != sitter.None {
		args = append(args, l)
	}
	return callee, args
}

// argumentPaths returns the paths of the arguments of a call.
func argumentPaths(r *rules.Reader, args []sitter.Node, depth int) string {
	out := make([]string, len(args))
	for i, a := range args {
		if r.Is(a, "annotated_lambda") {
			out[i] = pathOf(r, r.Find(a, "<lambda_literal>"), depth+1)
			continue
		}
		first := r.Tree.First(a)
		name, value := argumentParts(r, a)
		switch {
		case first == sitter.None && r.Text(a) == "null":
			out[i] = "#n"
		case value == sitter.None && strings.HasSuffix(r.Text(a), "null"):
			out[i] = "#n"
		case r.Is(value, "spread_expression"):
			out[i] = "?"
		default:
			if out[i] = pathOf(r, value, depth+1); len(out[i]) > maxPath/3 {
				out[i] = "?"
			}
		}
		if name != "" {
			out[i] = name + ":" + out[i]
		}
	}
	return strings.Join(out, ",")
}

// argumentParts parts name = value.
func argumentParts(r *rules.Reader, a sitter.Node) (name string, value sitter.Node) {
	value = sitter.None
	first := r.Tree.First(a)
	for c := range r.Tree.Children(a) {
		value = c
	}
	if !r.Is(first, "simple_identifier") {
		return "", value
	}
	if rest := strings.TrimSpace(r.Slice(r.Tree.End(first), r.Tree.End(a))); first != value || strings.HasPrefix(rest, "=") {
		if first == value {
			value = sitter.None
		}
		return r.Text(first), value
	}
	return "", value
}

func lambdaCount(r *rules.Reader, n sitter.Node) (count int) {
	for range r.All(n, "<lambda_parameters>/<variable_declaration>") {
		count++
	}
	return count
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

// implicit returns what precedes the arguments of a name without a receiver: the objects
// whose members the lambdas around see.
func implicit(r *rules.Reader) string {
	var out string
	in := receiversOf(r).paths
	for i := len(in) - 1; i >= 0 && i >= len(in)-2; i-- {
		if len(in[i])+len(out) < maxPath {
			out += "~" + in[i]
		}
	}
	return out
}

// within is a receiver with the objects whose members it may begin with.
func within(r *rules.Reader, receiver string) string {
	if receiver == "" || !named(receiver[0]) || receiver == "this" || receiver == "super" || strings.HasPrefix(receiver, "this.") {
		return receiver
	}
	if in := implicit(r); in != "" {
		return in + ";" + receiver
	}
	return receiver
}

func named(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// bind makes a name a local one that holds what a path says.
func bind(r *rules.Reader, name, p string) {
	h := graph.Hint{Rule: graph.HintLocal}
	if p != "" && p != "?" && len(p) <= maxPath {
		h = graph.Hint{Rule: graph.HintValue, Type: p}
	}
	r.Scopes.Declare(spec.Local{Name: name, Hint: h, Def: graph.NoDef})
}

// typeText is a type on one line, without white space that says nothing.
func typeText(r *rules.Reader, n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	return r.Signature(r.Start(n), r.Tree.End(n))
}

func withoutSpace(s string) string {
	if strings.ContainsAny(s, " \t\r\n") {
		return strings.Join(strings.Fields(s), "")
	}
	return s
}
