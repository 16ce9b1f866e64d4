package c

import (
	"bytes"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxMacros bounds the macros of one file: headers that a hardware description was
// compiled into have hundreds of thousands, which nobody looks for by name.
const maxMacros = 20000

// preparer rewrites one text.
type preparer struct {
	src   []byte
	text  []byte // what the parser sees
	cpp   bool
	toks  []token
	pairs []int32 // by token: the bracket that belongs to it, or -1
	notes *notes
	// known has the macros that the text defines or undefines up to where it is read.
	known map[string]definition
}

// definition is what the text says of a macro. One that is defined where the text is
// not built has none.
type definition struct {
	known bool
	value string
}

// prepareFor returns Prepare for C or C++.
func prepareFor(cpp bool) func([]byte) ([]byte, any) {
	return func(src []byte) ([]byte, any) {
		p := &preparer{src: src, text: bytes.Clone(src), cpp: cpp, known: map[string]definition{}, notes: &notes{cpp: cpp, made: map[uint32]madeFunc{}, types: map[uint32]span{}}}
		p.toks = lex(src, cpp)
		p.directives()
		p.compact()
		p.attributes()
		p.declarations()
		p.escapes()
		return p.text, p.notes
	}
}

// blank writes spaces over a part of the text; lines stay.
func (p *preparer) blank(start, end uint32) {
	for i := start; i < end; i++ {
		if c := p.text[i]; c != '\n' && c != '\r' {
			p.text[i] = ' '
		}
	}
}

func (p *preparer) str(t token) string { return string(p.src[t.start:t.end]) }

// is reports whether a token is one byte of punctuation.
func (p *preparer) is(t token, b byte) bool { return t.kind == tokPunct && p.src[t.start] == b }

// escapes hides what is escaped in strings: the grammar does not know all that there is.
func (p *preparer) escapes() {
	for _, t := range p.toks {
		if t.kind != tokString {
			continue
		}
		for i := t.start; i+1 < t.end; i++ {
			if p.text[i] != '\\' || p.text[i+1] == '\n' || p.text[i+1] == '\r' {
				continue
			}
			p.text[i], p.text[i+1] = ' ', ' '
			i++
		}
	}
}

// compact drops dead tokens.
func (p *preparer) compact() {
	kept := p.toks[:0]
	for _, t := range p.toks {
		if t.kind != tokDead {
			kept = append(kept, t)
		}
	}
	p.toks = kept
	p.pair()
}

// condition is an #if group that is open.
type condition struct {
	start    uint32
	branches []branch
	guard    bool // #ifndef X at the head of a file
	met      bool // a branch before held
}

// branch is the tokens from one conditional directive to the next.
type branch struct {
	from, to int // in toks
	never    bool
	always   bool
	start    uint32
	held     bool // in a plain build, beside the conditions around
}

// directives reads the preprocessor's lines, hides them from the parser, and decides
// which branches of conditions it sees.
func (p *preparer) directives() {
	var open []condition
	seen := false
	for i := range p.toks {
		t := p.toks[i]
		if t.kind != tokDirective {
			seen = true
			continue
		}
		p.toks[i].kind = tokDead
		p.blank(t.start, t.end)
		word, rest := p.directive(t)
		switch word {
		case "define":
			p.define(t, rest, held(open))
		case "undef":
			p.learn(strings.TrimSpace(string(p.src[rest:t.end])), definition{}, held(open))
		case "include", "import", "include_next":
			p.include(t, rest)
		case "if", "ifdef", "ifndef":
			guard := word == "ifndef" || word == "if" && bytes.HasPrefix(bytes.TrimSpace(p.src[rest:t.end]), []byte("!"))
			c := condition{start: t.end, guard: guard && !seen && len(open) == 0 && len(p.notes.macros) == 0}
			b := p.judge(word, bytes.TrimSpace(p.src[rest:t.end]), i+1)
			b.start, b.held = t.end, c.guard || p.holds(word, p.condition(rest, t.end))
			c.met = b.held
			c.branches = append(c.branches, b)
			open = append(open, c)
		case "elif", "else", "elifdef", "elifndef":
			if n := len(open); n > 0 {
				c := &open[n-1]
				c.branches[len(c.branches)-1].to = i
				b := p.judge(word, bytes.TrimSpace(p.src[rest:t.end]), i+1)
				for _, o := range c.branches {
					b.never = b.never || o.always
				}
				b.start, b.held = t.end, !c.met && p.holds(word, p.condition(rest, t.end))
				c.met = c.met || b.held
				p.conditional(c, t.start)
				c.branches = append(c.branches, b)
			}
		case "endif":
			if n := len(open); n > 0 {
				c := open[n-1]
				open = open[:n-1]
				c.branches[len(c.branches)-1].to = i
				p.close(&c)
				p.conditional(&c, t.start)
			}
		}
	}
}

// conditional notes the branch that ends at an offset.
func (p *preparer) conditional(c *condition, end uint32) {
	if !c.guard {
		b := &c.branches[len(c.branches)-1]
		if end > b.start { // else the note of a branch stands already
			p.notes.conditional = append(p.notes.conditional, conditional{span{b.start, end}, b.held})
		}
	}
}

// held reports whether a plain build reads what stands within conditions.
func held(open []condition) bool {
	for i := range open {
		if b := open[i].branches; !b[len(b)-1].held {
			return false
		}
	}
	return true
}

// condition returns the text of a condition without comments and line ends.
func (p *preparer) condition(from, to uint32) string {
	s := string(p.src[from:to])
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			break
		}
		j := strings.Index(s[i:], "*/")
		if j < 0 {
			s = s[:i]
			break
		}
		s = s[:i] + " " + s[i+j+2:]
	}
	if i := strings.Index(s, "//"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// learn takes note of a definition, or of its end.
func (p *preparer) learn(name string, d definition, built bool) {
	if !built {
		if _, ok := p.known[name]; ok {
			return
		}
		d = definition{}
	}
	p.known[name] = d
}

// directive returns the word behind the "#" and the offset behind it.
func (p *preparer) directive(t token) (word string, rest uint32) {
	i := t.start + 1
	for i < t.end && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	from := i
	for i < t.end && isIdentByte(p.src[i]) {
		i++
	}
	return string(p.src[from:i]), i
}

// judge begins a branch. Only what no build can change is decided: 0 and 1, and
// whether the language is C++.
func (p *preparer) judge(word string, cond []byte, from int) branch {
	b := branch{from: from, to: from}
	if i := bytes.Index(cond, []byte("/*")); i >= 0 {
		cond = bytes.TrimSpace(cond[:i])
	}
	if i := bytes.Index(cond, []byte("//")); i >= 0 {
		cond = bytes.TrimSpace(cond[:i])
	}
	switch word {
	case "ifdef", "elifdef":
		if string(cond) == "__cplusplus" {
			b.always, b.never = p.cpp, !p.cpp
		}
	case "ifndef", "elifndef":
		if string(cond) == "__cplusplus" {
			b.always, b.never = !p.cpp, p.cpp
		}
	case "if", "elif":
		switch string(bytes.ReplaceAll(cond, []byte(" "), nil)) {
		case "0", "false":
			b.never = true
		case "1", "true":
			b.always = true
		case "defined(__cplusplus)", "defined__cplusplus", "__cplusplus":
			b.always, b.never = p.cpp, !p.cpp
		case "!defined(__cplusplus)", "!defined__cplusplus", "!__cplusplus":
			b.always, b.never = !p.cpp, p.cpp
		}
		if bytes.HasPrefix(cond, []byte("0 &&")) {
			b.never = true
		}
	}
	return b
}

// close decides which branches of a condition the parser sees. All, where each is
// whole in itself; else the first, for the text around it fits to one alone.
func (p *preparer) close(c *condition) {
	live := 0
	for i := range c.branches {
		b := &c.branches[i]
		if b.never {
			p.hide(b.from, b.to, false)
			b.to = b.from
			continue
		}
		if p.first(b.from, b.to) >= 0 {
			live++
		}
	}
	if live < 2 {
		return
	}
	all := p.boundary(p.before(c.branches[0].from))
	for _, b := range c.branches {
		all = all && p.whole(b.from, b.to)
	}
	if all {
		return
	}
	keep := -1
	for i, b := range c.branches {
		if p.first(b.from, b.to) >= 0 && (keep < 0 || b.held && !c.branches[keep].held) {
			keep = i
		}
	}
	for i, b := range c.branches {
		if i != keep {
			p.hide(b.from, b.to, true)
		}
	}
}

// first returns the first live token in a range, or -1.
func (p *preparer) first(from, to int) int {
	for i := from; i < to; i++ {
		if p.toks[i].kind != tokDead && p.toks[i].kind != tokDirective {
			return i
		}
	}
	return -1
}

// before returns the last live token before i, or -1.
func (p *preparer) before(i int) int {
	for i--; i >= 0; i-- {
		if p.toks[i].kind != tokDead && p.toks[i].kind != tokDirective {
			return i
		}
	}
	return -1
}

// boundary reports whether a statement, a declaration or an element may end with a
// token. None is the start of the file.
func (p *preparer) boundary(i int) bool {
	if i < 0 {
		return true
	}
	t := p.toks[i]
	if t.kind != tokPunct {
		return false
	}
	switch p.src[t.start] {
	case ';', '{', '}', ',', ':':
		return true
	}
	return false
}

// whole reports whether the brackets of a range match and it ends at a boundary.
func (p *preparer) whole(from, to int) bool {
	brace, paren, last := 0, 0, -1
	for i := from; i < to; i++ {
		t := p.toks[i]
		if t.kind == tokDead || t.kind == tokDirective {
			continue
		}
		last = i
		if t.kind != tokPunct {
			continue
		}
		switch p.src[t.start] {
		case '{':
			brace++
		case '}':
			brace--
		case '(':
			paren++
		case ')':
			paren--
		}
		if brace < 0 || paren < 0 {
			return false
		}
	}
	return brace == 0 && paren == 0 && (last < 0 || p.boundary(last))
}

// hide takes tokens from the parser. With keep the calls among them are noted.
func (p *preparer) hide(from, to int, keep bool) {
	for i := from; i < to; i++ {
		t := &p.toks[i]
		if t.kind == tokDead || t.kind == tokDirective {
			continue
		}
		if keep && t.kind == tokIdent && !isKeyword(p.str(*t), p.cpp) {
			if n := p.next(i, to); n >= 0 && p.is(p.toks[n], '(') {
				p.note(*t, graph.UseCall, p.countArgs(n, to))
			}
		}
		p.blank(t.start, t.end)
	}
	for i := from; i < to; i++ {
		if p.toks[i].kind != tokDirective {
			p.toks[i].kind = tokDead
		}
	}
}

func (p *preparer) next(i, to int) int { return p.first(i+1, to) }

// note records a name that the parser does not see.
func (p *preparer) note(t token, use graph.Use, args int) {
	p.notes.hidden = append(p.notes.hidden, hidden{span{t.start, t.end}, use, int16(min(args, 1<<14))})
}

// countArgs counts the arguments behind the parenthesis at open.
func (p *preparer) countArgs(open, to int) int {
	depth, n, some := 0, 0, false
	for i := open; i < to; i++ {
		t := p.toks[i]
		if t.kind == tokDead || t.kind == tokDirective {
			continue
		}
		switch {
		case p.is(t, '('), p.is(t, '['), p.is(t, '{'):
			depth++
			some = some || depth > 1
		case p.is(t, ')'), p.is(t, ']'), p.is(t, '}'):
			if depth--; depth == 0 {
				if some {
					n++
				}
				return n
			}
		case p.is(t, ',') && depth == 1:
			n++
		default:
			some = true
		}
	}
	return n
}

// define notes a macro.
func (p *preparer) define(t token, at uint32, built bool) {
	if len(p.notes.macros) >= maxMacros {
		p.notes.capped = true
		return
	}
	for at < t.end && (p.src[at] == ' ' || p.src[at] == '\t') {
		at++
	}
	m := macro{line: span{t.start, t.end}, name: span{at, at}}
	for m.name.end < t.end && isIdentByte(p.src[m.name.end]) {
		m.name.end++
	}
	if m.name.end == m.name.start {
		return
	}
	m.body = span{m.name.end, t.end}
	if at = m.name.end; at < t.end && p.src[at] == '(' {
		end := bytes.IndexByte(p.src[at:t.end], ')')
		if end < 0 {
			return
		}
		m.params = span{at + 1, at + uint32(end)}
		m.body.start = m.params.end + 1
	}
	p.learn(string(p.src[m.name.start:m.name.end]), definition{true, strings.TrimSpace(string(p.src[m.body.start:m.body.end]))}, built)
	p.notes.macros = append(p.notes.macros, m)
}

// include notes an #include.
func (p *preparer) include(t token, at uint32) {
	for at < t.end && (p.src[at] == ' ' || p.src[at] == '\t') {
		at++
	}
	if at >= t.end {
		return
	}
	end := byte('"')
	switch p.src[at] {
	case '<':
		end = '>'
	case '"':
	default:
		return
	}
	n := bytes.IndexByte(p.src[at+1:t.end], end)
	if n <= 0 {
		return
	}
	p.notes.includes = append(p.notes.includes, include{
		line: span{t.start, t.end}, path: span{at + 1, at + 1 + uint32(n)}, angle: end == '>',
	})
}
