package ruby

import (
	"maps"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// let is what a block of a test gives a name.
type let struct {
	name, value string
	def         int32
}

// let returns the innermost one of a name.
func (s *state) let(name string) *let {
	for i := len(s.lets) - 1; i >= 0; i-- {
		if s.lets[i].name == name {
			return &s.lets[i]
		}
	}
	return nil
}

// narrow says what a condition tells of locals where it holds, and where not.
func narrow(r *rules.Reader, cond sitter.Node) (yes, no map[string]string) {
	switch {
	case r.Is(cond, "parenthesized_statements"):
		return narrow(r, first(r, cond))
	case r.Is(cond, "unary"):
		if strings.HasPrefix(r.Text(cond), "!") || strings.HasPrefix(r.Text(cond), "not") {
			no, yes = narrow(r, r.Find(cond, "operand"))
			return yes, no
		}
	case r.Is(cond, "binary"):
		left, right := r.Find(cond, "left"), r.Find(cond, "right")
		switch between(r, left, right) {
		case "&&", "and":
			a, _ := narrow(r, left)
			b, _ := narrow(r, right)
			yes = map[string]string{}
			maps.Copy(yes, a)
			maps.Copy(yes, b)
		case "===":
			if r.Is(right, "identifier") && r.Is(left, "constant", "scope_resolution") {
				yes = map[string]string{r.Text(right): behind(valueOf(r, left), ".new()")}
			}
		}
	case r.Is(cond, "call"):
		object, name, args := r.Find(cond, "receiver"), r.Find(cond, "method"), r.Find(cond, "arguments")
		if !r.Is(object, "identifier", "instance_variable") || name == sitter.None || args == sitter.None {
			return nil, nil
		}
		switch r.Text(name) {
		case "is_a?", "kind_of?", "instance_of?":
			if class := first(r, args); r.Is(class, "constant", "scope_resolution") && r.Is(object, "identifier") {
				yes = map[string]string{r.Text(object): behind(valueOf(r, class), ".new()")}
			}
		}
	}
	return yes, no
}

// with sets the values of some locals.
func (s *state) with(more map[string]string) map[string]string {
	out := maps.Clone(s.vars)
	maps.Copy(out, more)
	return out
}

// merge joins what is known where several ways come together.
func merge(ways []map[string]string) map[string]string {
	if len(ways) == 1 {
		return ways[0]
	}
	out := map[string]string{}
	for i, way := range ways {
		for name, v := range way {
			if old, ok := out[name]; i > 0 && ok && old != v {
				out[name] = known(rules.Union(old, v))
			} else if i == 0 || !ok {
				out[name] = v
			}
		}
	}
	return out
}

// branch reads if, unless, elsif and a ? b : c.
func branch(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	cond, body, other := r.Find(n, "condition"), r.Find(n, "consequence"), r.Find(n, "alternative")
	if r.Is(n, "if_modifier", "unless_modifier") {
		body = r.Find(n, "body")
	}
	r.Visit(cond)
	yes, no := narrow(r, cond)
	if r.Is(n, "unless", "unless_modifier") {
		yes, no = no, yes
	}
	rest := s.with(no)
	s.vars = s.with(yes)
	r.Visit(body)
	var ways []map[string]string
	if !leaves(r, body) {
		ways = append(ways, s.vars)
	}
	s.vars = rest
	r.Visit(other)
	if !leaves(r, other) {
		ways = append(ways, s.vars)
	}
	if len(ways) > 0 {
		s.vars = merge(ways)
	}
	return true
}

// leaves reports whether what stands behind an expression is not reached through it.
func leaves(r *rules.Reader, n sitter.Node) bool {
	for r.Is(n, "then", "else", "body_statement") {
		n = last(r, n)
	}
	if r.Is(n, "call") && r.Find(n, "receiver") == sitter.None {
		name := r.Find(n, "method")
		return name != sitter.None && r.Text(name) == "raise"
	}
	return r.Is(n, "return", "next", "break", "redo")
}

func caseOf(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	value := r.Find(n, "value")
	r.Visit(value)
	before := s.vars
	ways := []map[string]string{}
	whole, subject := false, ""
	if value != sitter.None {
		subject = r.Text(value)
	}
	for c := range below(r, n) {
		if c == value {
			continue
		}
		s.vars = maps.Clone(before)
		if r.Is(c, "when") && r.Is(value, "identifier") {
			class, some := "", false
			for p := range r.All(c, "<pattern>") {
				v := ""
				if in := first(r, p); r.Is(in, "constant", "scope_resolution") {
					v = behind(valueOf(r, in), ".new()")
				}
				if !some {
					class, some = v, true
				} else {
					class = rules.Union(class, v)
				}
			}
			if class != "" && !strings.Contains(class, "?") {
				s.vars[r.Text(value)] = class
			}
		}
		whole = whole || r.Is(c, "else")
		r.Visit(c)
		in := c
		if r.Is(c, "when") {
			in = r.Find(c, "body")
		}
		if !leaves(r, in) {
			if old, ok := before[subject]; ok { // what the case told is forgotten
				if s.vars[subject] != old {
					s.vars[subject] = old
				}
			}
			ways = append(ways, s.vars)
		}
	}
	if !whole || len(ways) == 0 {
		ways = append(ways, before)
	}
	s.vars = merge(ways)
	return true
}

// binary reads a && b, where b is read where a holds, and a << b.
func binary(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	switch between(r, left, right) {
	case "&&", "and":
		yes, _ := narrow(r, left)
		if len(yes) == 0 {
			return false
		}
		r.Visit(left)
		s := stateOf(r)
		old := maps.Clone(s.vars)
		maps.Copy(s.vars, yes)
		r.Visit(right)
		for name, v := range yes {
			if s.vars[name] == v {
				s.vars[name] = old[name]
			}
		}
		return true
	case "<<":
		r.Children(n)
		value := valueOf(r, right)
		if value != "" {
			value = rules.Limited("list<" + value + ">")
		}
		switch {
		case r.Is(left, "instance_variable", "class_variable"):
			noteSet(r, r.Text(left), value)
		case r.Is(left, "identifier") && r.Scopes.Lookup(r.Text(left)) != nil:
			s := stateOf(r)
			switch old := s.vars[r.Text(left)]; old {
			case "":
			case "=Array":
				s.vars[r.Text(left)] = value
			default:
				s.vars[r.Text(left)] = known(rules.Union(old, value))
			}
		}
		return true
	}
	return false
}

// loop reads what may run often: what it sets is not known at its start.
func loop(r *rules.Reader, n sitter.Node) bool {
	again(r, n, func() { r.Children(n) })
	return true
}

func again(r *rules.Reader, n sitter.Node, read func()) {
	s := stateOf(r)
	before := maps.Clone(s.vars)
	for c := n + 1; c < r.Tree.After(n); c++ {
		if !r.Is(c, "assignment") {
			continue
		}
		if left := r.Find(c, "left"); r.Is(left, "identifier") && s.vars[r.Text(left)] != "" {
			s.vars[r.Text(left)] = rules.Union(s.vars[r.Text(left)], "?")
		}
	}
	read()
	s.vars = merge([]map[string]string{s.vars, before})
}

// block reads { |a| … } of a call, whose parameters may be elements of its receiver.
func block(r *rules.Reader, n sitter.Node, values []string) {
	if n == sitter.None {
		return
	}
	s := stateOf(r)
	outer := maps.Clone(s.vars)
	again(r, n, func() {
		r.Scopes.Open()
		i := 0
		for c := range below(r, n) {
			if !r.Is(c, "block_parameters") {
				r.Visit(c)
				continue
			}
			r.Visit(c)
			for p := range below(r, c) {
				if !r.Is(p, "identifier") {
					if i++; r.Is(p, "comment") {
						i--
					}
					continue
				}
				s.vars[r.Text(p)] = ""
				if i < len(values) {
					s.vars[r.Text(p)] = values[i]
				}
				outer[r.Text(p)] = outer[r.Text(p)]
				i++
			}
		}
		r.Scopes.Close()
	})
	for name := range s.vars { // what the block alone knows
		if v, ok := outer[name]; ok && r.Scopes.Lookup(name) == nil {
			s.vars[name] = v
		}
	}
}

// blockValues says what a method hands to its block.
func blockValues(name, of string) []string {
	switch name {
	case "each", "map", "collect", "select", "reject", "filter", "find", "detect", "each_with_index", "flat_map", "any?", "all?", "none?", "sort_by", "min_by", "max_by",
		"group_by", "partition", "each_with_object", "reverse_each", "filter_map", "sum", "count", "find_index", "delete_if", "keep_if", "reject!", "select!", "map!",
		"each_entry", "take_while", "drop_while", "index_by", "find_each", "uniq":
		return []string{behind(of, "@")}
	case "inject", "reduce":
		return []string{"", behind(of, "@")}
	case "tap", "then", "yield_self":
		return []string{of}
	case "new": // by the habit of builders
		return nil
	}
	return nil
}

// rescue reads rescue A, B => e.
func rescue(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	s.vars = maps.Clone(s.vars)
	value := ""
	for c := range below(r, r.Find(n, "exceptions")) {
		v := ""
		if r.Is(c, "constant", "scope_resolution") {
			v = behind(valueOf(r, c), ".new()")
		}
		if value == "" {
			value = v
		} else {
			value = rules.Union(value, v)
		}
	}
	r.Visit(r.Find(n, "exceptions"))
	if name := r.Find(n, "variable/<identifier>"); name != sitter.None {
		r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
		s.vars[r.Text(name)] = value
	}
	r.Visit(r.Find(n, "body"))
	return true
}

func returned(r *rules.Reader, n sitter.Node) bool {
	r.Children(n)
	s := stateOf(r)
	if len(s.functions) == 0 {
		return true
	}
	value := "nil"
	if args := first(r, n); args != sitter.None {
		value = valueOf(r, args)
		if r.Is(args, "argument_list") {
			if value = valueOf(r, first(r, args)); r.CountChildren(args) > 1 {
				value = "=Array"
			}
		}
	}
	f := s.functions[len(s.functions)-1]
	if f.some {
		value = rules.Union(f.returns, value)
	} else if value == "" {
		value = "?"
	}
	f.returns, f.some = value, true
	return true
}
