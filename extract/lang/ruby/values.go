package ruby

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// The value of an expression is written so that what binds names can tell what it is:
//
//	A::B       what the constant is          self, @a, @@a, $a
//	E.m()      what a method gives           m()  what a method of self gives
//	E@         an element of E               list<E>  a list of E
//	=String    a literal                     nil
//	?          of whatever class             (E|E)  one of several
//
// Locals do not appear: what they are set to stands in their place.
//
// Behind the value of what an attribute is set of stands " =".
//
// The Type of a method is the value that it returns. The Type of a class is a list, with
// ";" between its parts: @a=E what its methods set a variable to, <M a module that is
// prepended, +M one by which classes are extended that include this one, and "functions"
// for a module whose functions are its methods too.

const (
	maxNested = 24 // how deep an expression is looked into
	maxTable  = 4000
)

// known drops a value of which nothing is known.
func known(s string) string {
	if s == "?" {
		return ""
	}
	return s
}

// behind writes what stands behind a value: .f().
func behind(value, rest string) string {
	if value == "" || value == "?" {
		return ""
	}
	if strings.Contains(value, "|") {
		value = "(" + value + ")"
	}
	return rules.Limited(value + rest)
}

// below returns the children of a node; none has none.
func below(r *rules.Reader, n sitter.Node) func(yield func(sitter.Node) bool) {
	if n == sitter.None {
		return func(func(sitter.Node) bool) {}
	}
	return r.Tree.Children(n)
}

func first(r *rules.Reader, n sitter.Node) sitter.Node {
	if n == sitter.None {
		return sitter.None
	}
	return r.Tree.First(n)
}

// last returns the last child of a node that is no comment.
func last(r *rules.Reader, n sitter.Node) sitter.Node {
	found := sitter.None
	for c := range below(r, n) {
		if !r.Is(c, "comment", "heredoc_body") {
			found = c
		}
	}
	return found
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
	case r.Is(n, "identifier"):
		return nameValue(r, n)
	case r.Is(n, "self"), r.Is(n, "instance_variable", "class_variable", "global_variable", "constant"):
		return rules.Limited(r.Text(n))
	case r.Is(n, "scope_resolution"):
		if text := r.Text(n); !strings.ContainsAny(text, " \t\n(.") {
			return rules.Limited(text)
		}
	case r.Is(n, "nil"):
		return "nil"
	case r.Is(n, "call"):
		return callValue(r, n)
	case r.Is(n, "super"):
		return "super()"
	case r.Is(n, "parenthesized_statements", "begin", "then", "else", "body_statement", "block_body", "ensure", "do"):
		return sequenceValue(r, n)
	case r.Is(n, "if", "unless", "elsif", "conditional"):
		return known(rules.Union(valueOf(r, r.Find(n, "consequence")), orNil(r, r.Find(n, "alternative"))))
	case r.Is(n, "if_modifier", "unless_modifier"):
		return known(rules.Union(valueOf(r, r.Find(n, "body")), "nil"))
	case r.Is(n, "rescue_modifier"):
		return valueOf(r, r.Find(n, "body"))
	case r.Is(n, "case"):
		return caseValue(r, n)
	case r.Is(n, "assignment"):
		return valueOf(r, r.Find(n, "right"))
	case r.Is(n, "operator_assignment"):
		return assignedValue(r, n)
	case r.Is(n, "binary"):
		return binaryValue(r, n)
	case r.Is(n, "element_reference"):
		return behind(valueOf(r, r.Find(n, "object")), "@")
	case r.Is(n, "array"):
		return listValue(r, n)
	}
	return literal(r, n)
}

func literal(r *rules.Reader, n sitter.Node) string {
	switch {
	case r.Is(n, "string", "chained_string", "heredoc_beginning"):
		return "=String"
	case r.Is(n, "simple_symbol", "delimited_symbol"):
		return "=Symbol"
	case r.Is(n, "integer"):
		return "=Integer"
	case r.Is(n, "float"):
		return "=Float"
	case r.Is(n, "hash"):
		return "=Hash"
	case r.Is(n, "regex"):
		return "=Regexp"
	case r.Is(n, "string_array", "symbol_array"):
		return "=Array"
	case r.Is(n, "true", "false"):
		return "=Boolean"
	case r.Is(n, "lambda"):
		return "=Proc"
	}
	return ""
}

func orNil(r *rules.Reader, n sitter.Node) string {
	if n == sitter.None {
		return "nil"
	}
	return valueOf(r, n)
}

// nameValue writes the value of a local, of what let defines, or of a method of self.
func nameValue(r *rules.Reader, n sitter.Node) string {
	s, name := stateOf(r), r.Text(n)
	if r.Scopes.Lookup(name) != nil {
		return s.vars[name]
	}
	if l := s.let(name); l != nil {
		return l.value
	}
	if len(s.described) > 0 {
		switch subject := s.described[len(s.described)-1]; name {
		case "described_class":
			return subject
		case "subject":
			return behind(subject, ".new()")
		}
	}
	return rules.Limited(name + "()")
}

// sequenceValue writes the value of the last of several expressions. One that rescues may
// have another.
func sequenceValue(r *rules.Reader, n sitter.Node) string {
	value, body := "", sitter.None
	for c := range below(r, n) {
		switch {
		case r.Is(c, "comment", "heredoc_body", "ensure"):
		case r.Is(c, "rescue"):
			value = rules.Union(value, valueOf(r, r.Find(c, "body")))
		default:
			body = c
			value = ""
			if r.Tree.Next(c) == sitter.None || r.Is(r.Tree.Next(c), "rescue", "ensure", "comment", "heredoc_body", "else") {
				value = valueOf(r, c)
			}
		}
	}
	if body == sitter.None && value == "" {
		return "nil"
	}
	return known(value)
}

func caseValue(r *rules.Reader, n sitter.Node) string {
	value, some, whole := "", false, false
	for c := range below(r, n) {
		v := ""
		switch {
		case r.Is(c, "when"):
			v = valueOf(r, r.Find(c, "body"))
		case r.Is(c, "else"):
			v, whole = valueOf(r, c), true
		default:
			continue
		}
		if !some {
			value, some = v, true
			continue
		}
		value = rules.Union(value, v)
	}
	if !whole {
		value = rules.Union(value, "nil")
	}
	return known(value)
}

func assignedValue(r *rules.Reader, n sitter.Node) string {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	value := valueOf(r, right)
	switch between(r, left, right) {
	case "||=":
		if r.Is(left, "identifier") && stateOf(r).vars[r.Text(left)] != "" {
			return rules.Union(stateOf(r).vars[r.Text(left)], value)
		}
		return value
	case "&&=":
		return value
	}
	return ""
}

func binaryValue(r *rules.Reader, n sitter.Node) string {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	switch between(r, left, right) {
	case "||", "or":
		return known(rules.Union(valueOf(r, left), valueOf(r, right)))
	case "&&", "and":
		return known(rules.Union(valueOf(r, right), "nil"))
	case "<<":
		return valueOf(r, left)
	}
	return ""
}

// between returns the text between two nodes.
func between(r *rules.Reader, left, right sitter.Node) string {
	if left == sitter.None || right == sitter.None || r.Tree.End(left) > r.Start(right) {
		return ""
	}
	return strings.TrimSpace(r.Slice(r.Tree.End(left), r.Start(right)))
}

func listValue(r *rules.Reader, n sitter.Node) string {
	all, some := "", false
	for c := range below(r, n) {
		v := valueOf(r, c)
		if v == "" {
			return "=Array"
		}
		if !some {
			all, some = v, true
		} else {
			all = rules.Union(all, v)
		}
	}
	if !some || rules.Limited("list<"+all+">") == "" {
		return "=Array"
	}
	return "list<" + all + ">"
}

// callValue writes the value of a call.
func callValue(r *rules.Reader, n sitter.Node) string {
	name, receiver, args := r.Find(n, "method"), r.Find(n, "receiver"), r.Find(n, "arguments")
	if name == sitter.None {
		return ""
	}
	text := r.Text(name)
	switch {
	case r.Is(name, "super"):
		return "super()"
	case receiver == sitter.None && text == "lambda", receiver == sitter.None && text == "proc":
		return "=Proc"
	case receiver == sitter.None && r.Is(name, "constant"):
		return ""
	case receiver == sitter.None && text == "raise":
		return "nil"
	case receiver == sitter.None:
		if args == sitter.None && r.Is(name, "identifier") {
			return nameValue(r, name)
		}
		return rules.Limited(text + "()")
	}
	of := valueOf(r, receiver)
	block := r.Find(n, "block")
	switch text {
	case "first", "last", "sample", "pop", "shift", "find", "detect", "fetch", "min_by", "max_by", "dig":
		if strings.HasPrefix(of, "list<") {
			return behind(of, "@")
		}
	case "select", "reject", "filter", "sort_by", "sort", "reverse", "compact", "uniq", "to_a", "each", "each_with_index", "sort!", "take", "drop", "shuffle":
		if strings.HasPrefix(of, "list<") {
			return of
		}
	case "map", "collect", "flat_map", "filter_map":
		if v := blockValue(r, block); v != "" && strings.HasPrefix(of, "list<") {
			return rules.Limited("list<" + v + ">")
		}
		if args != sitter.None || block != sitter.None {
			return "=Array"
		}
	case "send", "public_send", "__send__":
		if symbol := r.Find(args, "<simple_symbol>"); args != sitter.None && symbol != sitter.None && symbol == first(r, args) {
			return behind(of, "."+strings.TrimPrefix(r.Text(symbol), ":")+"()")
		}
		return ""
	}
	return behind(of, "."+text+"()")
}

// blockValue writes what a block gives.
func blockValue(r *rules.Reader, block sitter.Node) string {
	if block == sitter.None {
		return ""
	}
	return valueOf(r, r.Find(block, "body"))
}

// noteSet remembers what a variable of an object is set to.
func noteSet(r *rules.Reader, name, value string) {
	s := stateOf(r)
	if len(s.tables) == 0 {
		return
	}
	t := s.tables[len(s.tables)-1]
	if old, ok := t.sets[name]; ok {
		value = rules.Union(old, value)
	} else {
		t.order = append(t.order, name)
		if value == "" {
			value = "?"
		}
	}
	t.sets[name] = value
}

// notes is what is known of a class besides its definitions.
type notes struct {
	sets  map[string]string
	order []string
	marks []string // parts of the type that stand for themselves
}

func (t *notes) mark(text string) {
	if !slices.Contains(t.marks, text) {
		t.marks = append(t.marks, text)
	}
}

// text writes the type of the class.
func (t *notes) text() string {
	parts := slices.Clone(t.marks)
	for _, name := range t.order {
		if v := known(t.sets[name]); v != "" && v != "nil" {
			parts = append(parts, name+"="+v)
		}
	}
	out := strings.Join(parts, ";")
	for len(out) > maxTable {
		parts = parts[:len(parts)-1]
		out = strings.Join(parts, ";")
	}
	return out
}

// hintFor says what is known of what a member is looked up in.
func hintFor(r *rules.Reader, object sitter.Node) graph.Hint {
	if v := valueOf(r, object); v != "" {
		return graph.Hint{Rule: graph.HintValue, Type: v}
	}
	return graph.Hint{Rule: graph.HintLocal}
}
