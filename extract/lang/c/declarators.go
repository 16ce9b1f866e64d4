package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// head hides what macros there are in the head of a declaration, which ends in ';',
// '=' or '{'.
func (p *preparer) head(head []item, end byte, class string) {
	if end == '{' {
		if n := p.initList(head); n >= 0 {
			p.expressions(head[n].tok, head[len(head)-1].end+1)
			head = head[:n]
		}
	}
	head = p.skipTemplate(head)
	if len(head) == 0 || p.untouched(head) {
		return
	}
	fn := p.declarator(head, end)
	if fn < 0 {
		p.variable(head, class)
		return
	}
	if fn == 0 && !p.qualified(head, fn) {
		p.first1(head, end, class)
		return
	}
	if fn > 0 {
		p.before1(head[:p.startOf(head, fn)])
	}
	p.behind(head[fn+2:], end)
}

// untouched reports whether a head is of a kind that has no macros, or that the
// grammar reads by itself.
func (p *preparer) untouched(head []item) bool {
	switch p.plainWord(head[0]) {
	case "using", "static_assert", "_Static_assert", "namespace", "friend", "requires", "concept", "template", "asm", "__asm__", "__asm":
		return true
	}
	return false
}

// skipTemplate leaves out "template <...>" at the head of a declaration.
func (p *preparer) skipTemplate(head []item) []item {
	for len(head) > 1 && p.plainWord(head[0]) == "template" && head[1].group == '<' {
		head = head[2:]
	}
	return head
}

// declarator finds the name before the parameter list of a function, or -1.
func (p *preparer) declarator(head []item, end byte) int {
	best := -1
	for n := 0; n+1 < len(head); n++ {
		it := head[n]
		if p.plainWord(it) == "operator" {
			return -1
		}
		if head[n+1].group != '(' || !it.ident {
			continue
		}
		if n > 0 && head[n-1].word == wordTag && p.plainWord(head[n-1]) != "typename" && n+2 < len(head) && head[n+2].ident {
			continue // struct ATTR(x) name
		}
		switch {
		case best < 0:
			best = n
		case end == '=' || !p.separates(head, best, n):
		case shouts(p.plainWord(head[best])) || best == 0 && p.typed(head[2:n]):
			best = n
		}
	}
	return best
}

// separates reports whether the names at two places of a head may be of two macros, or
// of a macro and a function: nothing between them ends a declarator.
func (p *preparer) separates(head []item, a, b int) bool {
	for _, it := range head[a+2 : b] {
		if it.punct == ',' || it.punct == '=' {
			return false
		}
	}
	return !shouts(p.plainWord(head[b])) || p.typed(head[a+2:b])
}

// typed reports whether a type stands among items.
func (p *preparer) typed(items []item) bool {
	for _, it := range items {
		if it.word == wordType || it.word == wordTag || it.word == wordStorage || it.ident {
			return true
		}
	}
	return false
}

// qualified reports whether "::" or "~" stands before the name at n.
func (p *preparer) qualified(head []item, n int) bool {
	return n > 0 && (head[n-1].punct == ':' || head[n-1].punct == '~')
}

// startOf returns the place where the name at n begins with what qualifies it.
func (p *preparer) startOf(head []item, n int) int {
	for n > 0 {
		switch {
		case head[n-1].punct == '~', head[n-1].punct == ':', head[n-1].group == '<':
			n--
		case n > 1 && head[n].punct == ':' && head[n-1].ident, n > 1 && head[n].group == '<' && head[n-1].ident:
			n--
		case n == 1 && head[n].punct == ':' && head[0].ident:
			return 0
		default:
			return n
		}
	}
	return n
}

// before1 hides macros among the words before a declarator: the last name is the type
// where the language has no word for it there.
func (p *preparer) before1(items []item) {
	typed, last := false, -1
	for n, it := range items {
		switch {
		case it.word == wordType || it.word == wordTag || p.plainWord(it) == "auto":
			typed = true
		case it.punct == ':' || it.group == '<':
			if p.cpp {
				p.leading(items)
				return
			}
		case it.ident && !p.isCall(items, n):
			last = n
		}
	}
	for n, it := range items {
		if !it.ident {
			continue
		}
		if p.isCall(items, n) {
			p.hideCall(items, n)
			continue
		}
		if n > 0 && items[n-1].word == wordTag || n == last && !typed {
			continue
		}
		p.hideItem(it, graph.UseRead)
	}
}

// leading hides the macros that stand before a type with a qualified name.
func (p *preparer) leading(items []item) {
	for n, it := range items {
		switch {
		case it.word == wordStorage:
		case it.ident && n+1 < len(items) && (items[n+1].ident || items[n+1].word != wordNone):
			p.hideItem(it, graph.UseRead)
		case it.ident && n+2 < len(items) && p.isCall(items, n):
			p.hideCall(items, n)
		case it.group == '(':
		default:
			return
		}
	}
}

func (p *preparer) isCall(items []item, n int) bool {
	return n+1 < len(items) && items[n+1].group == '('
}

// hideCall hides a macro with its arguments; the calls among them are noted.
func (p *preparer) hideCall(items []item, n int) {
	t := p.toks[items[n].tok]
	p.note(t, graph.UseCall, p.countArgs(items[n+1].tok, items[n+1].end+1))
	p.blank(t.start, t.end)
	p.toks[items[n].tok].kind = tokDead
	p.hide(items[n+1].tok, items[n+1].end+1, true)
}

// behind hides macros behind a parameter list. What declares parameters in the old way
// stays.
func (p *preparer) behind(items []item, end byte) {
	if len(items) == 0 || items[0].word == wordType || items[0].word == wordTag || items[0].word == wordStorage && !p.trailing(items[0]) {
		return
	}
	for n, it := range items {
		if it.punct == '*' || it.punct == ',' || it.punct == '-' || it.word == wordType || it.word == wordTag || p.plainWord(it) == "requires" {
			return
		}
		_ = n
	}
	if end == ';' && len(items) == 2 && items[0].ident && items[1].ident && !shouts(p.plainWord(items[0])) && !shouts(p.plainWord(items[1])) {
		return // f(a) type_t a;
	}
	for n := 0; n < len(items); n++ {
		it := items[n]
		w := p.plainWord(it)
		switch {
		case !it.ident && w != "asm" && w != "__asm__" && w != "__asm", w == "override", w == "final":
		case p.isCall(items, n):
			p.hideCall(items, n)
			n++
		default:
			p.hideItem(it, graph.UseRead)
		}
	}
}

func (p *preparer) trailing(it item) bool {
	w := p.plainWord(it)
	return w == "const" || w == "volatile"
}

// variable hides macros in the declaration of variables, fields or types.
func (p *preparer) variable(head []item, class string) {
	cut := len(head)
	for n, it := range head {
		if it.punct == ',' || it.punct == '[' || it.group == '[' || it.punct == '*' || it.punct == '&' {
			cut = n
			break
		}
		if it.punct == ':' || it.group == '<' || it.punct == '~' || it.group == '(' {
			if p.cpp {
				return
			}
			cut = n
			break
		}
	}
	var names []int
	typed := -1
	for n, it := range head[:cut] {
		switch {
		case it.word == wordType:
			typed = n
		case it.ident && n > 0 && head[n-1].word == wordTag:
			typed = n
		case it.ident:
			names = append(names, n)
		}
	}
	declares := cut == len(head) || head[cut].punct != '*' && head[cut].punct != '&' && head[cut].group != '('
	keep := 1
	if typed >= 0 {
		keep = 0
	}
	if declares {
		keep++
	}
	for len(names) > keep {
		first, last := names[0], names[len(names)-1]
		switch {
		case typed >= 0 && first < typed, typed < 0 && (shouts(p.plainWord(head[first])) || !declares || !shouts(p.plainWord(head[last]))):
			p.hideItem(head[first], graph.UseRead)
			names = names[1:]
		default:
			p.hideItem(head[last], graph.UseRead)
			names = names[:len(names)-1]
		}
	}
	p.trailers(head, cut)
	_ = class
}

// trailers hides macros between a declarator and the end: int a[3] ALIGNED(8).
func (p *preparer) trailers(head []item, from int) {
	named := false
	for n := from; n < len(head); n++ {
		it := head[n]
		switch {
		case it.punct == ',':
			named = false
		case it.group == '[':
			named = true
		case it.ident && named && p.isCall(head, n):
			p.hideCall(head, n)
			n++
		case it.ident && named:
			p.hideItem(it, graph.UseRead)
		case it.ident:
			named = true
		}
	}
}

// first1 reads a head that begins with a name and parentheses: a macro call, a
// constructor, or a function without a type.
func (p *preparer) first1(head []item, end byte, class string) {
	name, args := p.plainWord(head[0]), head[1]
	rest := head[2:]
	if name == class {
		p.behind(rest, end)
		return
	}
	switch end {
	case ';', '=':
		switch {
		case len(rest) == 0 && (class == "" || p.cpp && !shouts(name)):
			if class == "" && end == ';' {
				p.macroArguments(args.tok, args.end)
			}
		case len(rest) == 0:
			p.hideCall(head, 0)
			p.blankByte(head[1].end+1, ';')
		case rest[0].group != 0, rest[0].punct != 0 && rest[0].punct != '*':
		default:
			p.hideCall(head, 0)
			p.head(rest, end, class)
		}
	case '{':
		if len(rest) > 0 && (rest[0].word == wordType || rest[0].word == wordTag || rest[0].word == wordStorage && !p.trailing(rest[0])) &&
			!p.oldStyle(args) {
			p.hideCall(head, 0)
			p.head(rest, end, class)
			return
		}
		p.made(head, rest)
	}
}

// oldStyle reports whether parentheses hold names alone, and at least one.
func (p *preparer) oldStyle(args item) bool {
	for i := args.tok + 1; i < args.end; i++ {
		if t := p.toks[i]; t.kind != tokIdent && !p.is(t, ',') || t.kind == tokIdent && shouts(p.str(t)) {
			return false
		}
	}
	return args.end > args.tok+1
}

func (p *preparer) blankByte(i int, b byte) {
	if i < len(p.toks) && p.is(p.toks[i], b) {
		p.blank(p.toks[i].start, p.toks[i].end)
	}
}

// made rewrites "MACRO(name, ...) {" into the head of a function, and notes what it is.
func (p *preparer) made(head []item, rest []item) {
	id, args := p.toks[head[0].tok], head[1]
	open, shut := p.toks[args.tok], p.toks[args.end]
	m := madeFunc{macro: span{id.start, id.end}, name: span{id.start, id.end}, args: span{open.end, shut.start}}
	p.nameMade(&m, args)
	if len(rest) > 0 {
		p.hide(rest[0].tok, rest[len(rest)-1].end+1, true)
	}
	const form = "int x()"
	if int(shut.end-id.start) < len(form) || p.is(shut, '{') {
		return
	}
	p.hide(args.tok, args.end+1, true)
	p.blank(id.start, shut.end)
	copy(p.text[id.start:], form)
	if i := strings.IndexByte(string(p.src[id.start:id.start+uint32(len(form))]), '\n'); i >= 0 {
		// Lines must stay as they are: a head this short is not worth the care.
		copy(p.text[id.start:id.start+uint32(len(form))], p.src[id.start:id.start+uint32(len(form))])
		return
	}
	p.notes.made[id.start] = m
}

// nameMade finds the argument that names the function.
func (p *preparer) nameMade(m *madeFunc, args item) {
	var names []token
	for i := args.tok + 1; i < args.end; i++ {
		t := p.toks[i]
		if i > args.tok+1 && !p.is(p.toks[i-1], ',') || t.kind == tokPunct {
			continue
		}
		if t.kind == tokString && len(names) == 0 && t.end-t.start > 2 {
			m.name = span{t.start + 1, t.end - 1}
			m.test = strings.Contains(strings.ToUpper(p.str(token{m.macro.start, m.macro.end, tokIdent})), "TEST")
			return
		}
		if t.kind != tokIdent || isKeyword(p.str(t), p.cpp) {
			break
		}
		names = append(names, t)
	}
	macro := p.str(token{m.macro.start, m.macro.end, tokIdent})
	if len(names) > 0 {
		m.name = span{names[0].start, names[0].end}
	}
	if strings.Contains(macro, "TEST") {
		m.test = true
		if len(names) > 1 {
			m.scope, m.name = m.name, span{names[1].start, names[1].end}
		}
	}
}
