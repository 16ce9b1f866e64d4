package php

import (
	"maps"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// The value of an expression is written so that what binds names can tell its type. A
// type stands for its values, as the text has it: Foo, Foo|null, Foo[], list<Foo>. Then:
//
//	new Foo()      a value that is made       $this, self, static, parent
//	E->f(), E->p   what a member gives        C::f(), C::$p, C::K
//	f()            what a function gives      E@ an element of E
//	?              one of whatever type       (E|E) one of several
//
// Variables do not appear: what they are set to stands in their place.

// maxNested is how deep an expression is looked into.
const maxNested = 24

// state is what is known at the place being read.
type state struct {
	vars      map[string]string // by variable, or by $this->property: its value; "" is not known
	pinned    map[string]pin    // what comments say of variables
	comment   comments
	functions []*frame
	templates []string // names that stand for types
	handed    string   // the one whose class a function is handed
	classes   []*members
	depth     int // of valueOf
}

// pin is what a comment says of a variable that is set behind it.
type pin struct {
	value string
	at    uint32
}

// frame is what is known of the function being read.
type frame struct {
	returns   string
	generator bool
	declared  bool
}

// members is what the methods of a class set properties to.
type members struct {
	def  int32
	sets map[string]string
}

func stateOf(r *rules.Reader) *state { return r.Data.(*state) }

// behind writes what stands behind a value: ->f().
func behind(value, rest string) string {
	if value == "" || value == "?" {
		return ""
	}
	if strings.ContainsAny(value, "|&") || strings.HasPrefix(value, "new ") {
		value = "(" + value + ")"
	}
	return rules.Limited(value + rest)
}

// valueOf writes the value of an expression, or "" where nothing is known of it.
func valueOf(r *rules.Reader, n sitter.Node) string {
	s := stateOf(r)
	if n == sitter.None || s.depth > maxNested {
		return ""
	}
	s.depth++
	defer func() { s.depth-- }()
	switch {
	case r.Is(n, "variable_name"):
		if r.Text(n) == "$this" {
			return "$this"
		}
		return stateOf(r).vars[r.Text(n)]
	case r.Is(n, "null"):
		return "null"
	case r.Is(n, "name", "qualified_name", "relative_scope"):
		return rules.Limited(r.Text(n))
	case r.Is(n, "object_creation_expression"):
		return created(r, n)
	case r.Is(n, "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "member_access_expression",
		"nullsafe_member_access_expression", "scoped_property_access_expression", "class_constant_access_expression"):
		return memberValue(r, n)
	case r.Is(n, "function_call_expression"):
		if callee := r.Find(n, "function"); r.Is(callee, "name", "qualified_name") && !reference(r, n) {
			return rules.Limited(r.Text(callee) + "()")
		}
	case r.Is(n, "parenthesized_expression", "clone_expression", "array_element_initializer", "argument"):
		return valueOf(r, first(r, n))
	case r.Is(n, "assignment_expression"):
		return valueOf(r, r.Find(n, "right"))
	case r.Is(n, "conditional_expression"):
		body := r.Find(n, "body")
		if body == sitter.None {
			body = r.Find(n, "condition")
		}
		return known(rules.Union(valueOf(r, body), valueOf(r, r.Find(n, "alternative"))))
	case r.Is(n, "binary_expression"):
		if operator(r, n) == "??" {
			return known(rules.Union(valueOf(r, r.Find(n, "left")), valueOf(r, r.Find(n, "right"))))
		}
	case r.Is(n, "match_expression"):
		return matched(r, n)
	case r.Is(n, "subscript_expression"):
		return behind(valueOf(r, first(r, n)), "@")
	case r.Is(n, "array_creation_expression"):
		return listValue(r, n)
	}
	return ""
}

// known drops a value of which nothing is known.
func known(s string) string {
	if s == "?" {
		return ""
	}
	return s
}

func matched(r *rules.Reader, n sitter.Node) string {
	all := ""
	for c := range below(r, r.Find(n, "body")) {
		if v := valueOf(r, r.Find(c, "return_expression")); all == "" {
			all = v
		} else {
			all = rules.Union(all, v)
		}
	}
	return known(all)
}

// listValue writes the value of [a, b].
func listValue(r *rules.Reader, n sitter.Node) string {
	all := ""
	for c := range r.All(n, "<array_element_initializer>") {
		last := sitter.None
		for e := range r.Tree.Children(c) {
			last = e
		}
		v := valueOf(r, last)
		if v == "" {
			return ""
		}
		if all == "" {
			all = v
		} else {
			all = rules.Union(all, v)
		}
	}
	if all == "" {
		return "array"
	}
	return rules.Limited("list<" + all + ">")
}

// created writes the value of new C(…).
func created(r *rules.Reader, n sitter.Node) string {
	class := r.Find(n, "<name>|<qualified_name>")
	switch {
	case class != sitter.None:
		return rules.Limited("new " + r.Text(class) + "()")
	case r.Find(n, "<declaration_list>") != sitter.None:
		for _, at := range [...]rules.Path{"<base_clause>/<name>", "<base_clause>/<qualified_name>", "<class_interface_clause>/<name>", "<class_interface_clause>/<qualified_name>"} {
			if base := r.Find(n, at); base != sitter.None {
				return rules.Limited(r.Text(base))
			}
		}
	default:
		return valueOf(r, r.Find(n, "<variable_name>")) // of what names a class
	}
	return ""
}

// memberValue writes the value of a member, by the property where that is narrowed.
func memberValue(r *rules.Reader, n sitter.Node) string {
	if reference(r, n) {
		return `\Closure`
	}
	if r.Is(n, "class_constant_access_expression") {
		class := first(r, n)
		switch last := textAfter(r, class); last {
		case "":
			return ""
		case "class":
			return valueOf(r, class)
		default:
			return behind(valueOf(r, class), "::"+last)
		}
	}
	name, object := r.Find(n, "name"), r.Find(n, "object")
	sep := "->"
	if object == sitter.None {
		object, sep = r.Find(n, "scope"), "::"
	}
	switch {
	case name == sitter.None || object == sitter.None:
		return ""
	case r.Is(n, "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"):
		if r.Is(name, "name") {
			return behind(valueOf(r, object), sep+r.Text(name)+"("+classArgument(r, n)+")")
		}
		return ""
	case r.Is(n, "scoped_property_access_expression"):
		return behind(valueOf(r, object), sep+r.Text(name))
	}
	if v, ok := stateOf(r).vars[property(r, n)]; ok {
		return v
	}
	if r.Is(name, "name") {
		return behind(valueOf(r, object), sep+r.Text(name))
	}
	return ""
}

// property returns $this->p as it is known by, or "".
func property(r *rules.Reader, n sitter.Node) string {
	if !r.Is(n, "member_access_expression", "nullsafe_member_access_expression") {
		return ""
	}
	if name := r.Find(n, "name"); r.Is(name, "name") && r.Text(r.Find(n, "object")) == "$this" {
		return "$this->" + r.Text(name)
	}
	return ""
}

// reference reports whether f(...) makes a callable of f.
func reference(r *rules.Reader, n sitter.Node) bool {
	args := r.Find(n, "arguments")
	return args != sitter.None && r.Is(first(r, args), "variadic_placeholder")
}

// operator returns what stands between the two sides of an expression.
func operator(r *rules.Reader, n sitter.Node) string {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	if left == sitter.None || right == sitter.None || r.Tree.End(left) > r.Start(right) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(r.Slice(r.Tree.End(left), r.Start(right))))
}

// pinReach is the most bytes between a comment about a variable and where that is set.
const pinReach = 120

// set gives the variable that stands at a node a value, or the one that a comment says.
func set(r *rules.Reader, n sitter.Node, value string) {
	s, name := stateOf(r), r.Text(n)
	if p, ok := s.pinned[name]; ok {
		if at := r.Start(n); at >= p.at && at-p.at < pinReach {
			value = p.value
		}
		delete(s.pinned, name)
	}
	s.vars[name] = value
}

// merge joins what is known where several ways come together.
func merge(ways []map[string]string) map[string]string {
	if len(ways) == 1 {
		return ways[0]
	}
	out := map[string]string{}
	for i, way := range ways {
		for name, v := range way {
			if i == 0 {
				out[name] = v
			} else if old, ok := out[name]; !ok {
				if !strings.Contains(name, "->") {
					out[name] = v
				}
			} else if old != v {
				out[name] = known(rules.Union(old, v))
			}
		}
		if i > 0 {
			maps.DeleteFunc(out, func(name, _ string) bool { // what is narrowed on one way alone
				_, ok := way[name]
				return !ok && strings.Contains(name, "->")
			})
		}
	}
	return out
}

// typeText writes a declared type without white space and marks of nullability.
func typeText(text string) string {
	text = strings.Join(strings.Fields(text), "")
	if rest, ok := strings.CutPrefix(text, "?"); ok {
		text = rest + "|null"
	}
	return rules.Limited(text)
}

// declaredType is the type of a parameter, property or result: as the text declares it, or where
// that says little, as the comment does.
func declaredType(r *rules.Reader, typ sitter.Node, doc string) string {
	text := ""
	if typ != sitter.None {
		text = typeText(r.Text(typ))
	}
	switch strings.TrimSuffix(text, "|null") {
	case "", "array", "iterable", "object", "mixed":
	case "self":
		if doc == "$this" || doc == "static" {
			return doc
		}
		return text
	default:
		if doc != ofArgument && !strings.ContainsAny(doc, "<[") {
			return text
		}
	}
	if doc != "" {
		return doc
	}
	return text
}

// newDef begins the definition of what a node names.
func newDef(r *rules.Reader, n, name, body sitter.Node, kind graph.Kind) graph.Def {
	start, end := r.Start(n), r.Tree.End(n)
	if body != sitter.None && r.Start(body) > start {
		end = r.Start(body)
	} else if i := strings.IndexByte(r.Slice(start, end), '\n'); i >= 0 {
		end = start + uint32(i)
	}
	return graph.Def{
		Name: r.Text(name), Kind: kind, Span: r.Span(n), NameSpan: r.Span(name), Doc: r.DocAbove(start), Signature: r.Signature(start, end),
	}
}

// below returns the children of a node; none has none.
func below(r *rules.Reader, n sitter.Node) func(yield func(sitter.Node) bool) {
	if n == sitter.None {
		return func(func(sitter.Node) bool) {}
	}
	return r.Tree.Children(n)
}

// first returns the first child of a node.
func first(r *rules.Reader, n sitter.Node) sitter.Node {
	if n == sitter.None {
		return sitter.None
	}
	return r.Tree.First(n)
}

// textAfter returns the text of the next sibling of a node, or "".
func textAfter(r *rules.Reader, n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	if next := r.Tree.Next(n); next != sitter.None {
		return r.Text(next)
	}
	return ""
}

// classArgument returns the class that is the first argument of a call: C::class.
func classArgument(r *rules.Reader, n sitter.Node) string {
	arg := first(r, first(r, r.Find(n, "arguments")))
	if !r.Is(arg, "class_constant_access_expression") || textAfter(r, first(r, arg)) != "class" {
		return ""
	}
	if class := first(r, arg); r.Is(class, "name", "qualified_name") {
		return r.Text(class)
	}
	return ""
}
