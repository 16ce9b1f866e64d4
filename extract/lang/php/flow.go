package php

import (
	"maps"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// narrowing says what a condition tells of variables where it holds, and where not.
type narrowing struct{ yes, no map[string]string }

func narrow(r *rules.Reader, cond sitter.Node) (out narrowing) {
	switch {
	case r.Is(cond, "parenthesized_expression"):
		return narrow(r, first(r, cond))
	case r.Is(cond, "unary_op_expression"):
		if strings.HasPrefix(r.Text(cond), "!") {
			in := narrow(r, r.Find(cond, "argument"))
			return narrowing{in.no, in.yes}
		}
	case r.Is(cond, "binary_expression"):
		left, right := r.Find(cond, "left"), r.Find(cond, "right")
		switch operator(r, cond) {
		case "instanceof":
			if key := variableKey(r, left); key != "" && r.Is(right, "name", "qualified_name") {
				out.yes = map[string]string{key: rules.Limited(r.Text(right))}
			}
		case "&&", "and":
			a, b := narrow(r, left), narrow(r, right)
			out.yes = map[string]string{}
			maps.Copy(out.yes, a.yes)
			maps.Copy(out.yes, b.yes)
		case "||", "or":
			a, b := narrow(r, left), narrow(r, right)
			out.no = map[string]string{}
			maps.Copy(out.no, a.no)
			maps.Copy(out.no, b.no)
			out.yes = map[string]string{}
			for key, v := range a.yes {
				if w, ok := b.yes[key]; ok {
					out.yes[key] = rules.Union(v, w)
				}
			}
		}
	}
	return out
}

// variableKey returns the name by which state.vars knows an expression, or "".
func variableKey(r *rules.Reader, n sitter.Node) string {
	switch {
	case r.Is(n, "variable_name"):
		if r.Text(n) != "$this" {
			return r.Text(n)
		}
	case r.Is(n, "parenthesized_expression"):
		return variableKey(r, first(r, n))
	case r.Is(n, "assignment_expression"):
		return variableKey(r, r.Find(n, "left"))
	}
	return property(r, n)
}

// with returns what is known where more is known of some variables.
func (s *state) with(more map[string]string) map[string]string {
	out := maps.Clone(s.vars)
	maps.Copy(out, more)
	return out
}

func ifStatement(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	cond, body := r.Find(n, "condition"), r.Find(n, "body")
	r.Visit(cond)
	told := narrow(r, cond)
	before := s.vars
	rest := s.with(told.no)
	s.vars = s.with(told.yes)
	r.Visit(body)
	var ways []map[string]string
	if !leaves(r, body) {
		ways = append(ways, s.vars)
	}
	s.vars = rest
	whole := false
	for c := range below(r, n) {
		if !r.Is(c, "else_if_clause", "else_clause") {
			continue
		}
		s.vars = maps.Clone(rest)
		body := r.Find(c, "body")
		if cond := r.Find(c, "condition"); cond != sitter.None {
			r.Visit(cond)
			told := narrow(r, cond)
			rest = s.with(told.no)
			s.vars = s.with(told.yes)
		} else {
			whole = true
		}
		r.Visit(body)
		if !leaves(r, body) {
			ways = append(ways, s.vars)
		}
	}
	if !whole {
		ways = append(ways, rest)
	}
	if len(ways) == 0 {
		ways = append(ways, before)
	}
	s.vars = merge(ways)
	return true
}

// leaves reports whether what stands behind a statement is not reached through it.
func leaves(r *rules.Reader, n sitter.Node) bool {
	last := n
	for r.Is(last, "compound_statement", "expression_statement") {
		inner := sitter.None
		for c := range below(r, last) {
			if !r.Is(c, "comment") {
				inner = c
			}
		}
		last = inner
	}
	return r.Is(last, "return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement")
}

// binary reads a && b: b is read where a holds.
func binary(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	var told map[string]string
	switch operator(r, n) {
	case "instanceof":
		r.Visit(left)
		visitObject(r, right)
		return true
	case "&&", "and":
		told = narrow(r, left).yes
	case "||", "or":
		told = narrow(r, left).no
	}
	if len(told) == 0 {
		return false
	}
	r.Visit(left)
	under(r, told, right)
	return true
}

// under reads an expression where more is known of some variables.
func under(r *rules.Reader, told map[string]string, n sitter.Node) {
	s := stateOf(r)
	old := map[string]string{}
	for key, v := range told {
		if before, ok := s.vars[key]; ok {
			old[key] = before
		}
		s.vars[key] = v
	}
	r.Visit(n)
	for key, v := range told {
		if s.vars[key] != v {
			continue
		}
		if before, ok := old[key]; ok {
			s.vars[key] = before
		} else {
			delete(s.vars, key)
		}
	}
}

func conditional(r *rules.Reader, n sitter.Node) bool {
	cond := r.Find(n, "condition")
	told := narrow(r, cond)
	r.Visit(cond)
	under(r, told.yes, r.Find(n, "body"))
	under(r, told.no, r.Find(n, "alternative"))
	return true
}

// loop reads a statement that may run often: what it sets is not known at its start.
func loop(r *rules.Reader, n sitter.Node) bool {
	again(r, n, func() {
		s := stateOf(r)
		cond := r.Find(n, "condition")
		for c := range below(r, n) {
			if c == r.Find(n, "body") && cond != sitter.None && cond < c {
				maps.Copy(s.vars, narrow(r, cond).yes)
			}
			r.Visit(c)
		}
	})
	return true
}

// again reads a loop with what is known before it and behind a turn of it.
func again(r *rules.Reader, n sitter.Node, read func()) {
	s := stateOf(r)
	before := maps.Clone(s.vars)
	for c := n + 1; c < r.Tree.After(n); c++ {
		if !r.Is(c, "assignment_expression") {
			continue
		}
		if v, ok := s.vars[variableKey(r, r.Find(c, "left"))]; ok && v != "" {
			s.vars[variableKey(r, r.Find(c, "left"))] = rules.Union(v, "?")
		}
	}
	read()
	s.vars = merge([]map[string]string{s.vars, before})
}

// foreach binds the variables of foreach ($list as $k => $v).
func foreach(r *rules.Reader, n sitter.Node) bool {
	body := r.Find(n, "body")
	list := first(r, n)
	r.Visit(list)
	element := behind(valueOf(r, list), "@")
	again(r, n, func() {
		for c := range below(r, n) {
			if c == list || c == body || r.Is(c, "comment") {
				continue
			}
			last := sitter.None // the value stands behind its key
			for v := c; v < r.Tree.After(c); v++ {
				if !r.Is(v, "variable_name") {
					continue
				}
				if last != sitter.None {
					set(r, last, "")
				}
				last = v
			}
			switch {
			case last == sitter.None:
			case r.Is(c, "list_literal", "array_creation_expression"):
				set(r, last, "")
			default:
				set(r, last, element)
			}
		}
		r.Visit(body)
	})
	return true
}

func switchStatement(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	r.Visit(r.Find(n, "condition"))
	before := s.vars
	ways := []map[string]string{before}
	for c := range below(r, r.Find(n, "body")) {
		s.vars = maps.Clone(before)
		r.Visit(c)
		last := sitter.None
		for d := range below(r, c) {
			last = d
		}
		if !leaves(r, last) || r.Is(last, "break_statement") {
			ways = append(ways, s.vars)
		}
	}
	s.vars = merge(ways)
	return true
}

func try(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	body := r.Find(n, "body")
	before := maps.Clone(s.vars)
	r.Visit(body)
	var ways []map[string]string
	thrown := merge([]map[string]string{before, maps.Clone(s.vars)})
	if !leaves(r, body) {
		ways = append(ways, s.vars)
	}
	for c := range below(r, n) {
		if c == body || !r.Is(c, "catch_clause") {
			continue
		}
		s.vars = maps.Clone(thrown)
		r.Visit(c)
		if !leaves(r, r.Find(c, "body")) {
			ways = append(ways, s.vars)
		}
	}
	if len(ways) == 0 {
		ways = append(ways, before)
	}
	s.vars = merge(ways)
	for c := range below(r, n) {
		if c != body && !r.Is(c, "catch_clause") {
			r.Visit(c)
		}
	}
	return true
}

func catch(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	r.Visit(typ)
	if name != sitter.None {
		value := ""
		if typ != sitter.None {
			value = typeText(r.Text(typ))
		}
		set(r, name, value)
	}
	r.Visit(r.Find(n, "body"))
	return true
}
