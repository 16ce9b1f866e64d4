package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// value is one thing that an expression may give: an object of a class, or a list.
type value struct {
	class   sym // its f is nil where the value is no object of a class of the tree
	element *spelled
	outer   string // the full name of its class, where that is not in the tree
}

// spelled is a value as the text has it, where it stands, and the class of the object
// whose method runs there.
type spelled struct {
	text string
	at   place
	this sym
}

// values is what an expression may give.
type values struct {
	all     []value
	open    bool // or something of which nothing is known
	outside bool // or an object of a class that the tree does not define
	chain   bool // members led to it
}

func (v *values) add(o values) {
	for _, x := range o.all {
		if !v.has(x) {
			v.all = append(v.all, x)
		}
	}
	v.open = v.open || o.open
	v.outside = v.outside || o.outside
	v.chain = v.chain || o.chain
}

func (v *values) has(x value) bool {
	for _, y := range v.all {
		if x.outer != "" && x.outer == y.outer {
			return true
		}
		if x.class.f != nil && y.class.f != nil && x.class.symbol() == y.class.symbol() && (x.element == nil) == (y.element == nil) {
			return true
		}
	}
	return false
}

func unknown() values { return values{open: true} }

// parser reads the spelling of a value.
type parser struct {
	r    *run
	s    spelled
	pos  int
	deep int
}

// eval tells what a spelled value may be.
func (r *run) eval(s spelled, depth int) values {
	if depth > maxDepth || !r.spend() {
		return unknown()
	}
	p := parser{r: r, s: s, deep: depth}
	out := p.union()
	if p.pos < len(p.s.text) {
		out.open = true
	}
	return out
}

func (p *parser) peek(s string) bool { return strings.HasPrefix(p.s.text[p.pos:], s) }

func (p *parser) take(s string) bool {
	if p.peek(s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *parser) union() values {
	out := p.postfix()
	for p.take("|") || p.take("&") {
		out.add(p.postfix())
	}
	return out
}

// word reads a name with what stands before it.
func (p *parser) word() string {
	from := p.pos
	for p.pos < len(p.s.text) {
		c := p.s.text[p.pos]
		if c == '-' && (p.pos+1 == len(p.s.text) || p.s.text[p.pos+1] == '>') {
			break
		}
		if c != '_' && c != '\\' && c != '$' && c != '-' && c != '@' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c < 0x80 {
			break
		}
		if c == '@' {
			break
		}
		p.pos++
	}
	return p.s.text[from:p.pos]
}

func (p *parser) postfix() values {
	out := p.primary()
	for {
		switch {
		case p.take("[]"):
			out = listOf(p.spelledFrom(out))
		case p.take("@"):
			out = p.r.elements(out, p.deep+1)
		case p.take("->") || p.take("::"):
			name := p.word()
			switch {
			case name == "":
				return unknown()
			case p.take("()"):
				out = p.r.results(out, name, p.deep+1)
			case p.take("("): // of a class that is handed on
				of := p.word()
				p.take(")")
				out = p.r.given(out, name, spelled{of, p.s.at, p.s.this}, p.deep+1)
			case name[0] == '$':
				out = p.r.held(out, name[1:], aProperty, p.deep+1)
			default:
				static := p.s.text[p.pos-len(name)-1] == ':'
				if static {
					out = p.r.held(out, name, aConstant, p.deep+1)
				} else {
					out = p.r.held(out, name, aProperty, p.deep+1)
				}
			}
		default:
			return out
		}
	}
}

// spelledFrom returns the text of what was read last, of which there are many.
func (p *parser) spelledFrom(values) spelled {
	text := p.s.text[:p.pos-len("[]")]
	depth := 0
	from := len(text)
	for from > 0 {
		c := text[from-1]
		if c == ')' || c == '>' {
			depth++
		}
		if c == '(' || c == '<' {
			if depth == 0 {
				break
			}
			depth--
		}
		if depth == 0 && (c == '|' || c == '&' || c == ',') {
			break
		}
		from--
	}
	return spelled{text[from:], p.s.at, p.s.this}
}

func listOf(s spelled) values { return values{all: []value{{element: &s}}} }

func (p *parser) primary() values {
	switch {
	case p.take("?"):
		return unknown()
	case p.take("("):
		out := p.union()
		if !p.take(")") {
			return unknown()
		}
		return out
	case p.take("new "):
		out := p.named(p.word())
		p.take("()")
		return out
	}
	name := p.word()
	if name == "" {
		p.pos = len(p.s.text)
		return unknown()
	}
	switch {
	case p.take("()"):
		return p.r.called(p.s, name, p.deep+1)
	case p.peek("{"), p.peek("("): // a shape, or a function
		p.skip()
		if p.take(":") {
			p.postfix()
		}
		return values{outside: true}
	case p.take("<"):
		return p.generic(name)
	}
	return p.named(name)
}

// skip passes brackets.
func (p *parser) skip() {
	depth := 0
	for p.pos < len(p.s.text) {
		switch p.s.text[p.pos] {
		case '{', '(', '<':
			depth++
		case '}', ')', '>':
			depth--
		}
		p.pos++
		if depth == 0 {
			return
		}
	}
}

// generic reads the arguments of a type: of a list the last is what it holds.
func (p *parser) generic(name string) values {
	from, last := p.pos, p.pos
	for depth := 0; p.pos < len(p.s.text); p.pos++ {
		switch p.s.text[p.pos] {
		case '<', '(', '{':
			depth++
		case '>', ')', '}':
			if p.s.text[p.pos-1] != '-' {
				depth--
			}
		case ',':
			if depth == 0 {
				last = p.pos + 1
			}
		}
		if depth < 0 {
			break
		}
	}
	args := spelled{p.s.text[last:min(p.pos, len(p.s.text))], p.s.at, p.s.this}
	p.take(">")
	switch strings.ToLower(strings.TrimPrefix(name, `\`)) {
	case "class-string", "interface-string":
		return p.r.eval(args, p.deep+1)
	case "array", "list", "iterable", "non-empty-array", "non-empty-list":
		return listOf(args)
	case "generator": // keys, values, what is sent, what is returned
		if parts := strings.Split(p.s.text[from:p.pos-1], ","); len(parts) > 1 && !strings.ContainsAny(p.s.text[from:p.pos-1], "<({") {
			args.text = parts[1]
		}
	}
	out := p.named(name)
	for i := range out.all {
		out.all[i].element = &args
	}
	return out
}

// named tells what the values of a type are.
func (p *parser) named(name string) values {
	switch strings.ToLower(strings.TrimPrefix(name, `\`)) {
	case "$this", "static":
		if p.s.this.f != nil {
			return values{all: []value{{class: p.s.this}}}
		}
		return unknown()
	case "self":
		return p.own(func(c sym) values { return values{all: []value{{class: c}}} })
	case "parent":
		return p.own(p.r.parent)
	case "null", "void", "false", "never":
		return values{}
	case "int", "float", "string", "bool", "true", "array", "iterable", "resource", "callable", "integer", "boolean", "double", "scalar", "list", "class-string",
		"non-empty-string", "positive-int", "numeric-string", "numeric", "array-key":
		return values{outside: true}
	case "mixed", "object":
		return unknown()
	}
	if strings.Contains(name, "-") || strings.HasPrefix(name, "$") {
		return unknown()
	}
	c := p.r.class(p.s.at, name)
	out := values{outside: c.external}
	if c.external {
		full, _ := p.s.at.full(name)
		out.all = append(out.all, value{outer: full})
	}
	for _, s := range c.syms {
		out.all = append(out.all, value{class: s})
	}
	return out
}

// own is about the class around the text. In a trait it is the one that uses it.
func (p *parser) own(of func(sym) values) values {
	c, ok := p.s.at.class()
	switch {
	case !ok:
		return unknown()
	case isTrait(c) && p.s.this.f != nil:
		c = p.s.this
	}
	return of(c)
}

// parent tells what class a class extends.
func (r *run) parent(c sym) (out values) {
	for i := range c.f.Heritage {
		if h := &c.f.Heritage[i]; h.Def == c.def && h.Rel == graph.RelExtends {
			base := r.base(place{c.f, c.id, c.def}, h)
			out.outside = out.outside || base.external
			for _, s := range base.syms {
				out.all = append(out.all, value{class: s})
			}
		}
	}
	return out
}

// called tells what a function returns.
func (r *run) called(s spelled, name string, depth int) values {
	fn := r.value(s.at, name, isFunction)
	if fn.external {
		return values{open: true}
	}
	var out values
	for _, f := range fn.syms {
		if f.d().Type == "" {
			out.open = true
			continue
		}
		out.add(r.eval(spelled{f.d().Type, place{f.f, f.id, f.def}, sym{}}, depth))
	}
	return out
}

// given tells what a method returns that is handed the name of a class: what it says, or
// else by the habit of factories an object of the class.
func (r *run) given(of values, name string, class spelled, depth int) values {
	out := values{chain: true, open: true}
	said := r.results(of, name, depth)
	if len(said.all) > 0 && !said.open {
		return said
	}
	for _, v := range of.all {
		if v.class.f == nil {
			continue
		}
		if m := r.member(v.class, name, aMethod); m.ok && m.member.d().Type == ofArgument {
			out.open = false
		}
	}
	for _, v := range r.eval(class, depth).all {
		out.add(values{all: []value{v}})
	}
	out.outside = true
	if !out.open {
		out.outside = false
	}
	return out
}

// ofArgument is the type of a method that returns an object of the class that it is handed.
const ofArgument = "class-string@"

// results tells what a method of some objects returns.
func (r *run) results(of values, name string, depth int) values {
	out := values{open: of.open, outside: of.outside, chain: true}
	for _, v := range of.all {
		if v.outer != "" {
			out.open = true
			for _, m := range r.implementing(v.outer, name) {
				out.add(r.eval(spelled{m.member.d().Type, place{m.member.f, m.member.id, m.member.def}, m.class}, depth))
			}
			continue
		}
		if v.class.f == nil {
			out.open = true
			continue
		}
		m := r.member(v.class, name, aMethod)
		switch {
		case v.class.d().Kind == graph.KindEnum && !m.ok && (name == "from" || name == "tryFrom"):
			out.add(values{all: []value{v}})
		case v.class.d().Kind == graph.KindEnum && !m.ok && name == "cases":
			out.add(listOf(spelled{"self", place{v.class.f, v.class.id, v.class.def}, v.class}))
		case !m.ok || m.member.d().Type == "" || m.member.d().Type == ofArgument:
			out.open = true
		default:
			in := spelled{m.member.d().Type, place{m.member.f, m.member.id, m.member.def}, v.class}
			out.add(r.eval(in, depth))
		}
	}
	return out
}

// held tells what a property or a constant of some objects holds.
func (r *run) held(of values, name string, w what, depth int) values {
	out := values{open: of.open, outside: of.outside, chain: true}
	for _, v := range of.all {
		if v.class.f == nil {
			out.open = true
			continue
		}
		m := r.member(v.class, name, w)
		switch {
		case m.ok && m.member.d().Kind == graph.KindEnumMember:
			out.add(values{all: []value{{class: sym{m.member.f, m.member.id, m.member.d().Container}}}})
		case m.ok && m.member.d().Type != "":
			in := spelled{m.member.d().Type, place{m.member.f, m.member.id, m.member.def}, v.class}
			out.add(r.eval(in, depth))
		default:
			out.open = true
		}
	}
	return out
}

// elements tells what an element of some lists is.
func (r *run) elements(of values, depth int) values {
	out := values{open: of.open || of.outside, chain: true}
	for _, v := range of.all {
		switch {
		case v.element != nil:
			out.add(r.eval(*v.element, depth))
		case v.class.f != nil:
			m := r.member(v.class, "current", aMethod)
			if !m.ok || m.member.d().Type == "" {
				m = r.member(v.class, "getIterator", aMethod)
				if !m.ok || m.member.d().Type == "" {
					out.open = true
					continue
				}
				in := spelled{m.member.d().Type, place{m.member.f, m.member.id, m.member.def}, v.class}
				out.add(r.elements(r.eval(in, depth), depth+1))
				continue
			}
			out.add(r.eval(spelled{m.member.d().Type, place{m.member.f, m.member.id, m.member.def}, v.class}, depth))
		default:
			out.open = true
		}
	}
	return out
}
