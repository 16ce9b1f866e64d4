package ruby

import (
	"strings"
)

// value is one thing that an expression may give: an object of a class, a class as an
// object, or a list.
type value struct {
	full    string // of the class; "" where it is none of the tree
	static  bool   // the class itself
	element *spelled
}

// spelled is a value as the text has it, where it stands, and what self is there.
type spelled struct {
	text string
	at   place
	self value
}

// values is what an expression may give.
type values struct {
	all     []value
	open    bool // or something of which nothing is known
	outside bool // or an object of a class that the tree does not define
	chain   bool // methods led to it
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
		if x.full != "" && x.full == y.full && x.static == y.static {
			return true
		}
	}
	return false
}

func unknown() values { return values{open: true} }

func one(v value) values { return values{all: []value{v}} }

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
	if p.pos < len(s.text) {
		out.open = true
	}
	return out
}

func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.s.text[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *parser) union() values {
	out := p.postfix()
	for p.take("|") {
		out.add(p.postfix())
	}
	return out
}

// word reads a name up to what cannot be a part of it.
func (p *parser) word() string {
	from := p.pos
	for p.pos < len(p.s.text) && !strings.ContainsRune(".()|<>@:;", rune(p.s.text[p.pos])) {
		p.pos++
	}
	return p.s.text[from:p.pos]
}

func (p *parser) postfix() values {
	out := p.primary()
	for {
		switch {
		case p.take("."):
			name := p.word()
			if name == "" && p.pos < len(p.s.text) { // an operator
				p.pos = len(p.s.text)
				return unknown()
			}
			p.take("()")
			out = p.r.results(out, name, p.deep+1)
		case p.take("@"):
			out = p.r.elements(out, p.deep+1)
		default:
			return out
		}
	}
}

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
	case p.take("list<"):
		return p.list()
	case p.take("="):
		name := p.word()
		if len(p.r.open(name)) > 0 {
			return values{all: []value{{full: name}}, outside: true}
		}
		return values{outside: true}
	case p.take("@@"):
		return p.r.variable(p.s.self, "@@"+p.word(), p.deep+1)
	case p.take("@"):
		return p.r.variable(p.s.self, "@"+p.word(), p.deep+1)
	case p.take("$"):
		p.word()
		return unknown()
	}
	if p.pos < len(p.s.text) && (p.s.text[p.pos] == ':' || p.s.text[p.pos] >= 'A' && p.s.text[p.pos] <= 'Z') {
		return p.constant()
	}
	name := p.word()
	switch {
	case name == "self":
		return p.self()
	case name == "nil":
		return values{}
	case name != "" && p.take("()"):
		if name == "super" {
			return unknown()
		}
		return p.r.called(p.s, name, p.deep+1)
	}
	p.pos = len(p.s.text)
	return unknown()
}

func (p *parser) self() values {
	if p.s.self.full == "" {
		return unknown()
	}
	return one(p.s.self)
}

// list reads the elements of a list.
func (p *parser) list() values {
	from := p.pos
	for depth := 1; p.pos < len(p.s.text); p.pos++ {
		switch p.s.text[p.pos] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	in := spelled{p.s.text[from:p.pos], p.s.at, p.s.self}
	p.take(">")
	return one(value{element: &in})
}

func (p *parser) constant() values {
	from := p.pos
	p.take("::")
	p.word()
	for p.take("::") {
		p.word()
	}
	return p.r.constantValue(p.s.at, p.s.text[from:p.pos], p.deep+1)
}

// constantValue tells what a constant holds.
func (r *run) constantValue(at place, path string, depth int) values {
	full, ok := r.constant(at, path, true)
	if !ok {
		return values{outside: true}
	}
	if len(r.open(full)) > 0 {
		return one(value{full: full, static: true})
	}
	var out values
	for _, s := range r.defined(full, isConstant) {
		if s.d().Type == "" {
			out.open = true
			continue
		}
		self := value{full: ownerOf(s.f, s.def), static: true}
		out.add(r.eval(spelled{s.d().Type, place{s.f, s.id, s.d().Container}, self}, depth))
	}
	return out
}

// variable tells what a variable of an object holds.
func (r *run) variable(self value, name string, depth int) values {
	if self.full == "" {
		return unknown()
	}
	if self.static && !strings.HasPrefix(name, "@@") {
		if out, ok := r.set(self, "."+name, depth); ok {
			return out
		}
		self.static = false // a block in the body of a class, which an object runs
	}
	out, ok := r.set(self, name, depth)
	out.open = out.open || !ok
	return out
}

// set tells what methods set a variable to, by the key that the types of classes have it
// under.
func (r *run) set(self value, key string, depth int) (out values, some bool) {
	out.chain = true
	for _, full := range r.order(self.full).list {
		for _, s := range r.open(full) {
			for part := range parts(s.d().Type) {
				text, ok := strings.CutPrefix(part, key+"=")
				if !ok {
					continue
				}
				some = true
				out.add(r.eval(spelled{text, s.place(), self}, depth))
			}
		}
	}
	return out, some
}

// called tells what a call without a receiver gives.
func (r *run) called(s spelled, name string, depth int) values {
	if s.self.full != "" {
		if out := r.results(one(s.self), name, depth); len(out.all) > 0 || !out.open {
			return out
		}
		if s.self.static { // a block in the body of a class, which an object runs
			if out := r.results(one(value{full: s.self.full}), name, depth); len(out.all) > 0 {
				return out
			}
		}
	}
	if fn := r.function(s.at, name); len(fn.syms) == 1 && fn.syms[0].d().Type != "" {
		f := fn.syms[0]
		return r.eval(spelled{f.d().Type, f.place(), value{}}, depth)
	}
	return unknown()
}

// results tells what a method of some objects returns.
func (r *run) results(of values, name string, depth int) values {
	out := values{open: of.open, outside: of.outside, chain: name != "new" || of.chain}
	for _, v := range of.all {
		out.add(r.result(v, name, depth))
	}
	return out
}

func (r *run) result(v value, name string, depth int) values {
	if v.full == "" {
		return r.ofList(v, name, depth)
	}
	steps, open := r.steps(v.full, v.static)
	syms, _, ok := r.lookup(steps, name)
	if ok {
		out := values{}
		for _, s := range syms {
			if s.d().Type == "" {
				out.open = true
				continue
			}
			out.add(r.eval(spelled{s.d().Type, s.place(), v}, depth))
		}
		return out
	}
	switch name {
	case "new", "allocate", "instance":
		if v.static {
			return one(value{full: v.full})
		}
	case "class", "singleton_class":
		if !v.static {
			return one(value{full: v.full, static: true})
		}
	case "tap", "freeze", "dup", "clone", "itself", "extend", "presence":
		return one(v)
	}
	if !open && isCore(name) {
		return values{outside: true}
	}
	return unknown()
}

// ofList tells what a method of a list gives.
func (r *run) ofList(v value, name string, depth int) values {
	if v.element == nil {
		return unknown()
	}
	switch name {
	case "first", "last", "sample", "pop", "shift", "find", "detect", "fetch", "min_by", "max_by":
		return r.eval(*v.element, depth)
	case "select", "reject", "filter", "sort_by", "sort", "reverse", "compact", "uniq", "to_a", "each", "each_with_index", "take", "drop", "dup", "freeze", "tap", "clone":
		return one(v)
	}
	return values{outside: true}
}

// elements tells what an element of some lists is.
func (r *run) elements(of values, depth int) values {
	out := values{open: of.open, chain: true}
	if of.outside {
		out.open = true
	}
	for _, v := range of.all {
		if v.element == nil {
			out.open = true
			continue
		}
		out.add(r.eval(*v.element, depth))
	}
	return out
}

// self tells what self is at a place.
func (p place) self() value {
	full, static, _ := p.around()
	return value{full: full, static: static}
}
