package typescript

import "strings"

// typeKind says which form a type expression has.
type typeKind uint8

const (
	typeOther   typeKind = iota // a form that yields no members: keyof, mapped, inferred, unreadable; name of any and unknown
	typeNamed                   // name, with args as type arguments
	typeUnion                   // args are the alternatives; conditional types count as unions of their branches
	typeBoth                    // intersection of args
	typeArray                   // args[0] is the element
	typeTuple                   // args are the elements; name is "..." where some stand for any number
	typeFunc                    // params and result; construct for new (...) => T
	typeObject                  // fields of an object type literal
	typeLiteral                 // a primitive or a literal; name is the primitive's
	typeQuery                   // typeof name
)

// typeExpr is one parsed type annotation.
type typeExpr struct {
	kind      typeKind
	name      string
	module    string // of import("module").name
	args      []*typeExpr
	params    []param
	this      string // type of the this parameter of a function type
	result    *typeExpr
	construct bool
}

// param is one parameter of a signature, or one field of an object type.
type param struct {
	name     string
	text     string // the type as written, "" where none is
	rest     bool
	optional bool
}

// maxTypeDepth bounds the nesting that the parser follows: types are written by
// hand, and machine-made ones beyond this carry no receiver worth having.
const maxTypeDepth = 24

// parseType reads a type annotation. It never fails: what it does not understand
// becomes typeOther.
func parseType(text string) *typeExpr {
	p := typeParser{s: text}
	t := p.conditional(0)
	return t
}

type typeParser struct {
	s string
	i int
}

func other() *typeExpr { return &typeExpr{kind: typeOther} }

func (p *typeParser) space() {
	for p.i < len(p.s) && isSpace(p.s[p.i]) {
		p.i++
	}
}

// eat consumes tok after white space.
func (p *typeParser) eat(tok string) bool {
	p.space()
	if strings.HasPrefix(p.s[p.i:], tok) {
		p.i += len(tok)
		return true
	}
	return false
}

// word consumes the keyword w, not a longer identifier.
func (p *typeParser) word(w string) bool {
	p.space()
	rest := p.s[p.i:]
	if !strings.HasPrefix(rest, w) || len(rest) > len(w) && isIdent(rest[len(w)]) {
		return false
	}
	p.i += len(w)
	return true
}

func (p *typeParser) peek() byte {
	p.space()
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// conditional reads a whole type: A extends B ? C : D has the members of C or D.
func (p *typeParser) conditional(depth int) *typeExpr {
	if depth > maxTypeDepth {
		p.i = len(p.s)
		return other()
	}
	t := p.union(depth + 1)
	if !p.word("extends") {
		return t
	}
	p.union(depth + 1)
	if !p.eat("?") {
		return t
	}
	yes := p.conditional(depth + 1)
	if !p.eat(":") {
		return yes
	}
	return &typeExpr{kind: typeUnion, args: []*typeExpr{yes, p.conditional(depth + 1)}}
}

func (p *typeParser) union(depth int) *typeExpr {
	p.eat("|")
	first := p.intersection(depth)
	if p.peek() != '|' {
		return first
	}
	u := &typeExpr{kind: typeUnion, args: []*typeExpr{first}}
	for p.eat("|") {
		u.args = append(u.args, p.intersection(depth))
	}
	return u
}

func (p *typeParser) intersection(depth int) *typeExpr {
	p.eat("&")
	first := p.postfix(depth)
	if p.peek() != '&' {
		return first
	}
	u := &typeExpr{kind: typeBoth, args: []*typeExpr{first}}
	for p.eat("&") {
		u.args = append(u.args, p.postfix(depth))
	}
	return u
}

// postfix reads a primary type and the [] and [K] behind it.
func (p *typeParser) postfix(depth int) *typeExpr {
	t := p.primary(depth)
	for p.peek() == '[' {
		inside, ok := p.balanced('[', ']')
		switch {
		case !ok:
			return other()
		case strings.TrimSpace(inside) == "":
			t = &typeExpr{kind: typeArray, args: []*typeExpr{t}}
		default:
			t = other() // an indexed access type
		}
	}
	return t
}

func (p *typeParser) primary(depth int) *typeExpr {
	for _, mod := range [...]string{"readonly", "unique", "abstract"} {
		if p.word(mod) {
			return p.primary(depth)
		}
	}
	for _, op := range [...]string{"keyof", "infer"} {
		if p.word(op) {
			p.postfix(depth)
			return other()
		}
	}
	construct := p.word("new")
	switch c := p.peek(); {
	case c == '(' || c == '<':
		return p.parenthesised(depth, construct)
	case c == '{':
		return p.object()
	case c == '[':
		inside, _ := p.balanced('[', ']')
		t := &typeExpr{kind: typeTuple}
		for _, e := range splitTop(inside, ',') {
			e, rest := strings.CutPrefix(strings.TrimSpace(e), "...")
			if colon := topIndex(e, ':'); colon >= 0 {
				e = e[colon+1:]
			}
			arg := parseNested(e, depth)
			if rest {
				t.name, arg = "...", elementType(arg)
			}
			t.args = append(t.args, arg)
		}
		return t
	case c == '\'' || c == '"' || c == '`':
		p.i = skipString(p.s, p.i)
		return &typeExpr{kind: typeLiteral, name: "string"}
	case c >= '0' && c <= '9' || c == '-':
		p.i++
		for p.i < len(p.s) && (isIdent(p.s[p.i]) || p.s[p.i] == '.') {
			p.i++
		}
		return &typeExpr{kind: typeLiteral, name: "number"}
	case isIdent(c):
		return p.named(depth)
	}
	p.i = len(p.s)
	return other()
}

// parenthesised reads (T), or a function type.
func (p *typeParser) parenthesised(depth int, construct bool) *typeExpr {
	if p.peek() == '<' {
		if _, ok := p.balanced('<', '>'); !ok {
			return other()
		}
	}
	inside, ok := p.balanced('(', ')')
	if !ok {
		return other()
	}
	if p.eat("=>") {
		t := &typeExpr{kind: typeFunc, result: p.conditional(depth + 1), construct: construct}
		t.params, t.this = parseParams(inside)
		return t
	}
	return parseNested(inside, depth)
}

func (p *typeParser) object() *typeExpr {
	inside, _ := p.balanced('{', '}')
	t := &typeExpr{kind: typeObject}
	for _, part := range splitTop(strings.ReplaceAll(inside, ";", ","), ',') {
		part = strings.TrimPrefix(strings.TrimSpace(part), "readonly ")
		colon, paren := topIndex(part, ':'), strings.IndexByte(part, '(')
		switch {
		case part == "" || part[0] == '[':
		case paren > 0 && (colon < 0 || paren < colon):
			t.params = append(t.params, param{name: strings.TrimRight(part[:paren], "? "), text: methodType(part[paren:])})
		case colon > 0:
			t.params = append(t.params, param{name: strings.TrimRight(part[:colon], "? "), text: strings.TrimSpace(part[colon+1:])})
		}
	}
	return t
}

// methodType turns "(a: A): R" into the function type "(a: A) => R".
func methodType(s string) string {
	end := skipBalanced(s, 0)
	rest := strings.TrimSpace(s[end:])
	if r, ok := strings.CutPrefix(rest, ":"); ok {
		return s[:end] + " => " + strings.TrimSpace(r)
	}
	return s[:end] + " => any"
}

func (p *typeParser) named(depth int) *typeExpr {
	start := p.i
	for p.i < len(p.s) && (isIdent(p.s[p.i]) || p.s[p.i] == '.' && p.i+1 < len(p.s) && isIdent(p.s[p.i+1])) {
		p.i++
	}
	name := p.s[start:p.i]
	switch name {
	case "typeof":
		p.space()
		from := p.i
		for p.i < len(p.s) && (isIdent(p.s[p.i]) || p.s[p.i] == '.') {
			p.i++
		}
		return &typeExpr{kind: typeQuery, name: p.s[from:p.i]}
	case "string", "number", "boolean", "bigint", "symbol", "null", "undefined", "void", "never", "true", "false", "object":
		return &typeExpr{kind: typeLiteral, name: name}
	case "any", "unknown":
		return &typeExpr{kind: typeOther, name: name}
	case "asserts":
		p.i = len(p.s)
		return &typeExpr{kind: typeLiteral, name: "void"}
	}
	if p.word("is") {
		p.i = len(p.s)
		return &typeExpr{kind: typeLiteral, name: "boolean"}
	}
	t := &typeExpr{kind: typeNamed, name: name}
	if name == "import" && p.peek() == '(' {
		inside, _ := p.balanced('(', ')')
		t.module = strings.Trim(strings.TrimSpace(inside), `"'`)
		start = p.i
		for p.i < len(p.s) && (isIdent(p.s[p.i]) || p.s[p.i] == '.') {
			p.i++
		}
		t.name = strings.TrimPrefix(p.s[start:p.i], ".")
	}
	if p.peek() == '<' {
		if inside, ok := p.balanced('<', '>'); ok {
			for _, a := range splitTop(inside, ',') {
				t.args = append(t.args, parseNested(a, depth))
			}
		}
	}
	return t
}

// balanced consumes a bracketed run and returns what stands inside.
func (p *typeParser) balanced(open, closing byte) (string, bool) {
	if p.peek() != open {
		return "", false
	}
	end := skipBalanced(p.s, p.i)
	if end <= p.i+1 || p.s[end-1] != closing {
		p.i = len(p.s)
		return "", false
	}
	inside := p.s[p.i+1 : end-1]
	p.i = end
	return inside, true
}

func parseNested(s string, depth int) *typeExpr {
	p := typeParser{s: s}
	return p.conditional(depth + 1)
}
