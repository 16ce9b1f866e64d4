// Package byexample expands the macros that Rust code defines by example (macro_rules!).
//
// It works on tokens and knows no names of other crates. What a fragment such as $e:expr
// takes is found by the tokens that may stand behind it, not by parsing:
// https://doc.rust-lang.org/reference/macros-by-example.html#follow-set-ambiguity-restrictions
// Only extract/lang/rust uses it, to find what definitions the call of a macro makes.
package byexample

import "strings"

// Macro is a macro with its rules.
type Macro struct {
	rules []rule
}

type rule struct {
	match, make []Token
}

// maxRules and maxPattern bound what is kept of a macro.
const (
	maxRules   = 200
	maxPattern = 4000
)

// Parse reads the body of macro_rules: what stands between its brackets. A rule that is
// not well formed ends it.
func Parse(body []Token) *Macro {
	m := &Macro{}
	for i := 0; i < len(body) && len(m.rules) < maxRules; {
		match, next, ok := inner(body, i)
		if !ok || next >= len(body) || body[next].Text != "=>" {
			break
		}
		made, end, ok := inner(body, next+1)
		if !ok {
			break
		}
		if len(match) <= maxPattern {
			m.rules = append(m.rules, rule{match, made})
		}
		for i = end; i < len(body) && body[i].Text == ";"; i++ {
		}
	}
	return m
}

// inner returns what stands between the bracket at i and the one that closes it, and the
// index behind that.
func inner(toks []Token, i int) (in []Token, next int, ok bool) {
	if i >= len(toks) || !opens(toks[i]) {
		return nil, i, false
	}
	end := Group(toks, i)
	if end == i || !closes(toks[end]) {
		return nil, i, false
	}
	return toks[i+1 : end], end + 1, true
}

func opens(t Token) bool  { return t.Text == "(" || t.Text == "[" || t.Text == "{" }
func closes(t Token) bool { return t.Text == ")" || t.Text == "]" || t.Text == "}" }

// captures is what the variables of a pattern stand for.
type captures map[string]capture

type capture struct {
	toks []Token
	each []capture // of a variable in a repetition
}

// Expand returns what a call with the arguments makes, by the first rule that they match.
// budget is the number of tokens that may still be compared and made; Expand takes what it
// does from it, and ends where none is left. ok is false where no rule matches.
func (m *Macro) Expand(args []Token, budget *int) (out []Token, ok bool) {
	for _, r := range m.rules {
		c := captures{}
		x := matcher{args, budget}
		if at, ok := x.match(r.match, 0, c); ok && at == len(args) {
			e := expander{budget: budget}
			e.write(r.make, c)
			return e.out, true
		}
	}
	return nil, false
}

type matcher struct {
	toks   []Token
	budget *int
}

// match matches the tokens from at on with a pattern and returns where it ends.
func (m *matcher) match(pattern []Token, at int, c captures) (int, bool) {
	for i := 0; i < len(pattern); {
		if *m.budget <= 0 {
			return at, false
		}
		*m.budget--
		if pattern[i].Text != "$" || i+1 >= len(pattern) {
			if at >= len(m.toks) || m.toks[at].Text != pattern[i].Text {
				return at, false
			}
			i, at = i+1, at+1
			continue
		}
		if pattern[i+1].Text == "(" {
			r, next, ok := readRepeat(pattern, i+1)
			if !ok {
				return at, false
			}
			if at, ok = m.repeat(r, at, c); !ok {
				return at, false
			}
			i = next
			continue
		}
		if i+3 >= len(pattern) || pattern[i+2].Text != ":" {
			return at, false
		}
		end, ok := m.fragment(pattern[i+3].Text, at)
		if !ok {
			return at, false
		}
		c[pattern[i+1].Text] = capture{toks: m.toks[at:end]}
		i, at = i+4, end
	}
	return at, true
}

// repetition is "$( … ) sep op".
type repetition struct {
	of        []Token
	separator string
	op        string // *, + or ?
}

// readRepeat reads the repetition whose parenthesis stands at i.
func readRepeat(toks []Token, i int) (r repetition, next int, ok bool) {
	of, next, ok := inner(toks, i)
	if !ok || next >= len(toks) {
		return r, next, false
	}
	r.of = of
	if t := toks[next].Text; t != "*" && t != "+" && t != "?" || next+1 < len(toks) && t != "*" && (toks[next+1].Text == "*" || toks[next+1].Text == "+") {
		r.separator = t
		next++
	}
	if next >= len(toks) {
		return r, next, false
	}
	r.op = toks[next].Text
	return r, next + 1, r.op == "*" || r.op == "+" || r.op == "?"
}

// repeat matches a repetition as often as it can.
func (m *matcher) repeat(r repetition, at int, c captures) (int, bool) {
	names := variables(r.of)
	for _, n := range names {
		c[n] = capture{each: []capture{}}
	}
	for n := 0; ; n++ {
		from := at
		if n > 0 && r.separator != "" {
			if at >= len(m.toks) || m.toks[at].Text != r.separator {
				return from, true
			}
			at++
		}
		one := captures{}
		end, ok := m.match(r.of, at, one)
		if !ok || end == at && n > 0 {
			return from, n > 0 || r.op != "+"
		}
		for _, name := range names {
			v := c[name]
			v.each = append(v.each, one[name])
			c[name] = v
		}
		if at = end; r.op == "?" || end == from {
			return at, true
		}
	}
}

// variables lists the variables that a pattern binds.
func variables(pattern []Token) (out []string) {
	for i := 0; i+3 < len(pattern); i++ {
		if pattern[i].Text == "$" && pattern[i+1].Class == Ident && pattern[i+2].Text == ":" {
			out = append(out, pattern[i+1].Text)
		}
	}
	return out
}

// fragment finds where what a variable of a kind takes ends.
func (m *matcher) fragment(kind string, at int) (end int, ok bool) {
	if kind == "vis" {
		if at < len(m.toks) && m.toks[at].Text == "pub" {
			if at++; at < len(m.toks) && m.toks[at].Text == "(" {
				at = Group(m.toks, at) + 1
			}
		}
		return at, true
	}
	if at >= len(m.toks) || closes(m.toks[at]) {
		return at, false
	}
	t := m.toks[at]
	switch kind {
	case "ident":
		return at + 1, t.Class == Ident && t.Text != "_"
	case "lifetime":
		return at + 1, t.Class == Lifetime
	case "tt":
		return Group(m.toks, at) + 1, true
	case "block":
		return Group(m.toks, at) + 1, t.Text == "{"
	case "literal":
		if t.Text == "-" && at+1 < len(m.toks) {
			at++
			t = m.toks[at]
		}
		return at + 1, t.Class == Literal || t.Text == "true" || t.Text == "false"
	case "item":
		return m.item(at)
	case "meta":
		return m.until(at, ",", ";", "=>")
	case "ty", "path":
		return m.typ(at)
	case "pat", "pat_param":
		return m.until(at, "=>", ",", "=", "if", "in")
	case "expr", "expr_2021", "stmt":
		return m.until(at, "=>", ",", ";")
	}
	return at, false
}

// until goes to the first of the tokens, outside brackets.
func (m *matcher) until(at int, ends ...string) (int, bool) {
	i := at
	for i < len(m.toks) && !closes(m.toks[i]) {
		for _, e := range ends {
			if m.toks[i].Text == e {
				return i, i > at
			}
		}
		i = Group(m.toks, i) + 1
	}
	return i, i > at
}

// typ goes behind a type.
func (m *matcher) typ(at int) (int, bool) {
	depth, i := 0, at
	for i < len(m.toks) && !closes(m.toks[i]) {
		switch t := m.toks[i].Text; {
		case t == "<":
			depth++
		case t == ">":
			if depth == 0 {
				return i, i > at
			}
			depth--
		case depth == 0 && (strings.Contains(",;=:|{", t) || t == "=>" || t == "as" || t == "where" || t == "[" && i > at && m.toks[i-1].Class == Ident):
			return i, i > at
		}
		i = Group(m.toks, i) + 1
	}
	return i, i > at
}

// item goes behind the first block or semicolon.
func (m *matcher) item(at int) (int, bool) {
	for i := at; i < len(m.toks) && !closes(m.toks[i]); {
		end := Group(m.toks, i)
		if t := m.toks[i].Text; t == ";" || t == "{" {
			return end + 1, true
		}
		i = end + 1
	}
	return at, false
}

type expander struct {
	out    []Token
	budget *int
}

// write writes what a rule makes.
func (e *expander) write(make []Token, c captures) {
	for i := 0; i < len(make) && *e.budget > 0; i++ {
		t := make[i]
		if t.Text != "$" || i+1 >= len(make) {
			e.put(t)
			continue
		}
		next := make[i+1]
		if next.Text == "(" {
			r, end, ok := readRepeat(make, i+1)
			if !ok {
				return
			}
			e.repeat(r, c)
			i = end - 1
			continue
		}
		i++
		if v, ok := c[next.Text]; ok {
			for _, t := range v.toks {
				e.put(t)
			}
		} else {
			e.put(next) // $crate
		}
	}
}

func (e *expander) put(t Token) {
	if *e.budget > 0 {
		*e.budget--
		e.out = append(e.out, t)
	}
}

// repeat writes a repetition as often as its variables have values.
func (e *expander) repeat(r repetition, c captures) {
	n := -1
	for i := 0; i+1 < len(r.of); i++ {
		if r.of[i].Text != "$" {
			continue
		}
		if v, ok := c[r.of[i+1].Text]; ok && v.each != nil {
			n = max(n, len(v.each))
		}
	}
	for k := 0; k < n && *e.budget > 0; k++ {
		one := captures{}
		for name, v := range c {
			switch {
			case v.each == nil:
				one[name] = v
			case k < len(v.each):
				one[name] = v.each[k]
			}
		}
		if k > 0 && r.separator != "" {
			e.put(Token{Text: r.separator})
		}
		e.write(r.of, one)
	}
}
