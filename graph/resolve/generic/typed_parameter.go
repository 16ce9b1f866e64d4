package generic

// parameterFor returns the parameter that an argument is for, the object of an extension
// method aside.
func (h *header) parameterFor(i int, name string) *parameter {
	if name != "" {
		for j := range h.params {
			if h.params[j].name == name {
				return &h.params[j]
			}
		}
		return nil
	}
	if len(h.params) > 0 && h.params[0].first {
		i++
	}
	if n := len(h.params); i >= lastParameter && n > 0 {
		return &h.params[n-1]
	}
	for j := range min(i, len(h.params)) { // what is behind it is named
		if h.params[j].many {
			return &h.params[j]
		}
	}
	if i < len(h.params) {
		return &h.params[i]
	}
	if n := len(h.params); n > 0 && h.params[n-1].many {
		return &h.params[n-1]
	}
	return nil
}

// parameterType returns the type of a parameter of what is called, where all overloads
// that have it agree.
func (s site) parameterType(v value, n int) (out typ) {
	for _, m := range v.group {
		h := s.headerOf(m.sym)
		p := h.parameterFor(n, "")
		if p == nil {
			continue
		}
		t := s.in(m.sym).typeAt(p.typ, m.sym, m.env, 0)
		if out.known() && !t.equal(out) {
			return typ{}
		}
		out = t
	}
	return out
}

// lambdaParameter returns the type of a parameter of a function that is an argument.
func (s site) lambdaParameter(p *path) typ {
	v := s.eval(p.from)
	t := s.parameterType(v, p.n)
	if t.known() {
		switch {
		case t.name == "->":
			k := p.k
			if t.ext {
				k++
			}
			if k+1 < len(t.args) {
				return t.args[k]
			}
			return typ{}
		case t.name == "Expression" && len(t.args) == 1:
			t = t.args[0]
		}
		switch t.name {
		case "Func", "Action", "Predicate", "Comparison", "Converter":
			if p.k < len(t.args) {
				return t.args[p.k]
			}
		}
		return typ{}
	}
	if len(v.group) == 0 && p.from.op == '.' && (p.n == 0 || p.n == lastParameter) && p.k == 0 && elementwise(p.from.text) {
		return s.elementOf(s.asValue(s.eval(p.from.from)))
	}
	return typ{}
}
