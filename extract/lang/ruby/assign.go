package ruby

import (
	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// assignment defines constants and globals, and binds locals.
func assignment(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	switch {
	case left == sitter.None:
		return false
	case r.Is(left, "constant") && !r.InFunction():
		return constant(r, n, left, right)
	case r.Is(left, "class_variable", "instance_variable"):
		r.Visit(right)
		noteSet(r, variableOf(r, left), setValue(r, n, right))
		return true
	case r.Is(left, "global_variable"):
		r.Visit(right)
		return true
	}
	r.Visit(right)
	if r.Is(left, "left_assignment_list") && r.Is(right, "right_assignment_list") {
		var values []string
		for c := range below(r, right) {
			values = append(values, valueOf(r, c))
		}
		i := 0
		for c := range below(r, left) {
			v := ""
			if i < len(values) && r.Is(c, "identifier") {
				v = values[i]
			}
			target(r, c, v)
			i++
		}
		return true
	}
	target(r, left, setValue(r, n, right))
	return true
}

// setValue writes the value that an assignment gives.
func setValue(r *rules.Reader, n, right sitter.Node) string {
	if r.Is(n, "operator_assignment") {
		return assignedValue(r, n)
	}
	return valueOf(r, right)
}

// variableOf returns the name of a variable of an object. Those of a class as an object
// begin with a dot.
func variableOf(r *rules.Reader, n sitter.Node) string {
	s := stateOf(r)
	if r.Is(n, "class_variable") {
		return r.Text(n)
	}
	if len(s.functions) == 0 && !s.testFile || len(s.functions) > 0 && s.functions[len(s.functions)-1].static {
		return "." + r.Text(n)
	}
	return r.Text(n)
}

func target(r *rules.Reader, left sitter.Node, value string) {
	switch {
	case r.Is(left, "identifier"):
		r.Scopes.Declare(spec.Local{Name: r.Text(left), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
		stateOf(r).vars[r.Text(left)] = value
	case r.Is(left, "instance_variable"):
		noteSet(r, variableOf(r, left), value)
	case r.Is(left, "left_assignment_list", "destructured_left_assignment", "rest_assignment"):
		for c := range r.Tree.Children(left) {
			target(r, c, "")
		}
	case r.Is(left, "call"):
		if name, receiver := r.Find(left, "method"), r.Find(left, "receiver"); name != sitter.None && receiver != sitter.None {
			r.Visit(receiver)
			writer(r, name, receiver)
		}
	case r.Is(left, "constant", "scope_resolution", "element_reference"):
		r.Visit(left)
	}
}

// constant reads NAME = value; what Class.new, Module.new and Struct.new make is a class.
func constant(r *rules.Reader, n, left, right sitter.Node) bool {
	d := graph.Def{Name: r.Text(left), Kind: graph.KindConstant, Span: r.Span(n), NameSpan: r.Span(left), Doc: r.DocAbove(r.Start(n))}
	block := sitter.None
	if r.Is(right, "call") {
		if name := r.Find(right, "method"); name != sitter.None {
			made := r.Qualifier(r.Start(right), r.Tree.End(name))
			switch made {
			case "Class.new", "Struct.new", "Data.define", "Module.new":
				d.Kind, block = graph.KindClass, r.Find(right, "block")
			}
		}
	}
	if d.Kind == graph.KindConstant {
		d.Type = valueOf(r, right)
	}
	def := r.Define(n, d)
	if d.Kind != graph.KindClass {
		r.Within(def, false, func() { r.Visit(right) })
		return true
	}
	inside(r, def, false, func() {
		args := r.Find(right, "arguments")
		if args != sitter.None {
			for c := range r.Tree.Children(args) {
				switch {
				case r.Is(c, "simple_symbol"):
					defineMember(r, c, c, graph.KindProperty)
				case r.Is(c, "constant", "scope_resolution"):
					r.AddBase(def, c, graph.RelExtends)
				default:
					r.Visit(c)
				}
			}
		}
		if block != sitter.None {
			r.Children(block)
		}
	})
	return true
}

// writer reads a.b = v, which calls b=.
func writer(r *rules.Reader, name, receiver sitter.Node) {
	at := len(r.Facts.Refs)
	memberOf(r, name, receiver, graph.UseCall, 1)
	if at < len(r.Facts.Refs) {
		if ref := &r.Facts.Refs[at]; ref.Hint.Rule == graph.HintValue {
			ref.Hint.Type += " ="
		}
	}
}
