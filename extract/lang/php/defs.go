package php

import (
	"maps"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// class reads a class, an interface, a trait or an enum.
func class(r *rules.Reader, n sitter.Node) bool {
	name, body := r.Find(n, "name"), r.Find(n, "body")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	kind := graph.KindClass
	switch {
	case r.Is(n, "interface_declaration"):
		kind = graph.KindInterface
	case r.Is(n, "enum_declaration"):
		kind = graph.KindEnum
	}
	doc, at := docAbove(r, r.Start(n)), stateOf(r).comment.start
	def := r.Define(n, newDef(r, n, name, body, kind))
	bases(r, n, def)
	classBody(r, def, doc, at, func() { r.ChildrenBut(n, name) })
	return true
}

func bases(r *rules.Reader, n sitter.Node, def int32) {
	for i, at := range [...]rules.Path{"<base_clause>/<name>", "<base_clause>/<qualified_name>", "<class_interface_clause>/<name>", "<class_interface_clause>/<qualified_name>"} {
		rel := graph.RelExtends
		if i >= 2 {
			rel = graph.RelImplements
		}
		for base := range r.All(n, at) {
			r.AddBase(def, base, rel)
		}
	}
}

// classBody reads what stands in a class, and what its methods set properties to.
func classBody(r *rules.Reader, def int32, doc string, at uint32, read func()) {
	s := stateOf(r)
	templates, vars, functions := len(s.templates), s.vars, s.functions
	s.vars, s.functions = map[string]string{}, nil
	s.classes = append(s.classes, &members{def: def, sets: map[string]string{}})
	r.Within(def, true, func() {
		readDoc(r, doc)
		read()
		if doc != "" {
			magic(r, doc, at)
		}
	})
	if def != graph.NoDef {
		typeProperties(r, s.classes[len(s.classes)-1])
	}
	s.classes = s.classes[:len(s.classes)-1]
	s.templates, s.vars, s.functions = s.templates[:templates], vars, functions
}

// typeProperties gives the properties without a type what the methods set them to.
func typeProperties(r *rules.Reader, m *members) {
	for i := range r.Facts.Defs {
		d := &r.Facts.Defs[i]
		if d.Container != m.def || d.Kind != graph.KindProperty || d.Type != "" && d.Type != "array" {
			continue
		}
		if v := known(m.sets[d.Name]); v != "" && v != "null" {
			d.Type = v
		}
	}
}

// function reads a function or a method.
func function(r *rules.Reader, n sitter.Node) bool {
	name, body := r.Find(n, "name"), r.Find(n, "body")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	kind := graph.KindFunction
	if around := r.EnclosingDef(); r.Is(n, "method_declaration") || around != nil && (around.Kind == graph.KindClass || around.Kind == graph.KindInterface) {
		kind = graph.KindMethod
	}
	s := stateOf(r)
	templates := len(s.templates)
	told := readDoc(r, docAbove(r, r.Start(n)))
	d := newDef(r, n, name, body, kind)
	d.Type = declaredType(r, r.Find(n, "return_type"), told.result)
	def := r.Define(n, d)
	vars := s.vars
	s.vars = map[string]string{}
	f := &frame{declared: d.Type != ""}
	s.functions = append(s.functions, f)
	maps.Copy(s.vars, told.params)
	r.Within(def, true, func() { r.ChildrenBut(n, name) })
	if !f.declared && !f.generator && def != graph.NoDef {
		if v := known(f.returns); v != "null" {
			r.Facts.Defs[def].Type = v
		}
	}
	s.functions = s.functions[:len(s.functions)-1]
	s.vars, s.templates = vars, s.templates[:templates]
	return true
}

// closure reads function () { … } and fn () => …, which may see the variables around it.
func closure(r *rules.Reader, n sitter.Node) bool {
	s := stateOf(r)
	vars := s.vars
	s.vars = maps.Clone(vars)
	s.functions = append(s.functions, &frame{declared: true})
	r.Scopes.Open()
	r.Children(n)
	r.Scopes.Close()
	s.functions = s.functions[:len(s.functions)-1]
	s.vars = vars
	return true
}

func returned(r *rules.Reader, n sitter.Node) bool {
	r.Children(n)
	s := stateOf(r)
	if len(s.functions) == 0 {
		return true
	}
	f, value := s.functions[len(s.functions)-1], first(r, n)
	switch {
	case f.declared || value == sitter.None:
	case f.returns == "":
		f.returns = rules.Union(valueOf(r, value), valueOf(r, value))
	default:
		f.returns = rules.Union(f.returns, valueOf(r, value))
	}
	return true
}

func yielded(r *rules.Reader, _ sitter.Node) bool {
	if s := stateOf(r); len(s.functions) > 0 {
		s.functions[len(s.functions)-1].generator = true
	}
	return false
}

// parameter binds ?T $a = 1.
func parameter(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	if name == sitter.None {
		return false
	}
	s := stateOf(r)
	r.ChildrenBut(n, name)
	value := declaredType(r, typ, s.vars[r.Text(name)])
	if typ == sitter.None && len(s.functions) > 0 && s.functions[len(s.functions)-1].declared && r.EnclosingDef() == nil {
		value = ""
	}
	if r.Is(n, "variadic_parameter") {
		value = behind(value, "[]")
	}
	s.vars[r.Text(name)] = value
	return true
}

// promoted reads a parameter of a constructor that is a property too.
func promoted(r *rules.Reader, n sitter.Node) bool {
	name, typ := r.Find(n, "name"), r.Find(n, "type")
	if name == sitter.None {
		return false
	}
	value := stateOf(r).vars[r.Text(name)]
	if told := readDoc(r, docAbove(r, r.Start(n))); told.value != "" {
		value = told.value
	}
	value = declaredType(r, typ, value)
	r.ChildrenBut(n, name)
	if def := variable(r, n, name, value); def != graph.NoDef {
		d := &r.Facts.Defs[def]
		if t := r.EnclosingType(); t != nil && d.Container >= 0 {
			d.Container = r.Facts.Defs[d.Container].Container
			d.Local = t.Local + "::" + d.Name
			d.Flags &^= graph.FlagLocal
		}
	}
	stateOf(r).vars[r.Text(name)] = value
	return true
}

// traits adds the traits that a class uses: those first that win where two have a method
// of one name. What use gives another name is a method of the class too.
func traits(r *rules.Reader, n sitter.Node) bool {
	def := r.Enclosing()
	if def == graph.NoDef {
		return true
	}
	old := len(r.Facts.Heritage)
	for c := range below(r, n) {
		if r.Is(c, "name", "qualified_name") {
			r.AddBase(def, c, graph.RelEmbeds)
		}
	}
	added := r.Facts.Heritage[old:]
	for c := range below(r, r.Find(n, "<use_list>")) {
		switch {
		case r.Is(c, "use_instead_of_clause"):
			chosen := first(r, c)
			if first(r, chosen) == sitter.None {
				continue
			}
			winner := r.Text(first(r, chosen))
			slices.SortStableFunc(added, func(a, b graph.Heritage) int {
				wins := func(h graph.Heritage) int {
					if winner[strings.LastIndexByte(winner, '\\')+1:] == h.Name {
						return 0
					}
					return 1
				}
				return wins(a) - wins(b)
			})
		case r.Is(c, "use_as_clause"):
			traitAlias(r, c)
		}
	}
	return true
}

// traitAlias reads m as n, and T::m as protected n.
func traitAlias(r *rules.Reader, n sitter.Node) {
	old := first(r, n)
	name := sitter.None
	for c := range below(r, n) {
		if c != old && r.Is(c, "name") {
			name = c
		}
	}
	if name == sitter.None {
		return
	}
	def := r.Define(n, graph.Def{Name: r.Text(name), Kind: graph.KindMethod, Span: r.Span(n), NameSpan: r.Span(name), Signature: r.Signature(r.Start(n), r.Tree.End(n))})
	if def == graph.NoDef {
		return
	}
	d := &r.Facts.Defs[def]
	d.Flags &^= graph.FlagAbstract
	class := r.EnclosingType()
	r.Within(def, false, func() {
		ref := graph.Ref{Name: r.Text(old), Qualifier: "self", Use: graph.UseRead, Span: r.Span(old), Args: -1}
		if class != nil {
			ref.Hint = graph.Hint{Rule: graph.HintSelf, Type: class.Local}
		}
		d.Type = "self::" + ref.Name + "()"
		if r.Is(old, "class_constant_access_expression") {
			trait := first(r, old)
			last := r.Tree.Next(trait)
			if last == sitter.None {
				return
			}
			className(r, trait, graph.UseRead, -1)
			d.Type = r.Text(trait) + "::" + r.Text(last) + "()"
			ref = graph.Ref{Name: r.Text(last), Qualifier: r.Text(trait), Use: graph.UseRead, Span: r.Span(last), Args: -1, Hint: graph.Hint{Rule: graph.HintClass, Type: hintMember}}
		}
		r.AddRef(ref)
	})
}

// propertyDeclaration reads public ?T $a = 1, $b.
func propertyDeclaration(r *rules.Reader, n sitter.Node) bool {
	typ := r.Find(n, "type")
	value := declaredType(r, typ, readDoc(r, docAbove(r, r.Start(n))).value)
	r.Visit(typ)
	for element := range r.All(n, "<property_element>") {
		name := r.Find(element, "<variable_name>")
		if name == sitter.None {
			continue
		}
		def := variable(r, n, name, value)
		if init := r.Find(element, "<property_initializer>"); init != sitter.None && def != graph.NoDef {
			r.Within(def, false, func() { r.Visit(init) })
		}
	}
	return true
}

// variable defines the property that $name names.
func variable(r *rules.Reader, n, name sitter.Node, typ string) int32 {
	start, end := r.Start(name)+1, r.Tree.End(name)
	if start >= end {
		return graph.NoDef
	}
	return r.Define(n, graph.Def{
		Name: r.Slice(start, end), Kind: graph.KindProperty, Span: r.Span(n), NameSpan: r.SpanBetween(start, end), Doc: r.DocAbove(r.Start(n)), Type: typ,
	})
}

func assignment(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	if left == sitter.None {
		return false
	}
	s := stateOf(r)
	switch {
	case r.Is(left, "member_access_expression"):
		access(r, left, graph.UseWrite, -1)
		r.Visit(right)
		if key := property(r, left); key != "" {
			value := valueOf(r, right)
			delete(s.vars, key)
			noteSet(s, strings.TrimPrefix(key, "$this->"), value)
		}
	case r.Is(left, "variable_name"):
		r.Visit(right)
		set(r, left, valueOf(r, right))
	case r.Is(left, "subscript_expression"):
		r.Visit(left)
		r.Visit(right)
		appended(r, left, right)
	default:
		r.Visit(left)
		r.Visit(right)
		for v := left; v < r.Tree.After(left); v++ {
			if r.Is(v, "variable_name") && r.Is(left, "list_literal", "array_creation_expression") {
				set(r, v, "")
			}
		}
	}
	return true
}

// noteSet remembers what a property of $this is set to.
func noteSet(s *state, name, value string) {
	if len(s.classes) == 0 {
		return
	}
	sets := s.classes[len(s.classes)-1].sets
	if old, ok := sets[name]; ok {
		value = rules.Union(old, value)
	} else if value == "" {
		value = "?"
	}
	sets[name] = value
}

// appended reads $a[] = v.
func appended(r *rules.Reader, left, right sitter.Node) {
	s, list := stateOf(r), first(r, left)
	value := valueOf(r, right)
	if value != "" {
		value = rules.Limited("list<" + value + ">")
	}
	if key := property(r, list); key != "" {
		noteSet(s, strings.TrimPrefix(key, "$this->"), value)
		return
	}
	if !r.Is(list, "variable_name") || r.Text(list) == "$this" {
		return
	}
	switch old := s.vars[r.Text(list)]; old {
	case "", "array":
		if old != "" {
			s.vars[r.Text(list)] = value
		}
	default:
		s.vars[r.Text(list)] = known(rules.Union(old, value))
	}
}
