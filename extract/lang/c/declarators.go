package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// head hides what macros there are in the head of a declaration, which ends in ';',
// '=' or '{', or in nothing.
func (p *preparer) head(head []item, end byte, class string) {
	if end == '{' {
		if n := p.initList(head); n >= 0 {
			p.expressions(head[n].tok, head[len(head)-1].end+1)
			head = head[:n]
		}
	}
	for end == '{' && p.endsInBraces(head) {
		p.hideCall(head, 0)
		head = head[2:]
	}
	head = p.skipTemplate(head)
	if len(head) == 0 || p.untouched(head) {
		return
	}
	if n := p.madeType(head); n > 0 {
		p.hide(head[n].tok, head[n].end+1, true)
		return
	}
	fn := p.declarator(head, end)
	if fn > 1 && fn+2 == len(head) && end != '{' && shouts(p.plainWord(head[fn])) && p.declaresBefore(head[:fn]) { // T name GUARDED_BY(x);
		p.hideCall(head, fn)
		head, fn = head[:fn], -1
	}
	if fn < 0 && end == 0 {
		for _, it := range head {
			p.hideItem(it)
		}
		return
	}
	if fn < 0 {
		p.variable(head, class)
		return
	}
	if fn == 0 && !p.qualified(head, fn) {
		p.first1(head, end, class)
		return
	}
	if rest := head[fn+2:]; fn > 0 && shouts(p.plainWord(head[fn])) && len(rest) > 0 && (rest[0].word != wordNone && !p.trailing(rest[0]) || rest[0].ident && len(rest) > 1 && end == '=') && !p.oldStyle(head[fn+1]) {
		p.hideCall(head, fn) // a macro without a semicolon behind
		p.head(append(head[:fn:fn], rest...), end, class)
		return
	}
	pointer := p.pointerTo(head, fn)
	if pointer {
		p.asType(head[fn])
	}
	if fn > 0 {
		start := p.startOf(head, fn)
		p.before1(head[:start], pointer || head[start].punct == '~' || class != "" && p.plainWord(head[fn]) == class)
	}
	p.parameters(head[fn+1])
	p.behind(head[fn+2:], end)
}

// endsInBraces reports whether a head begins with the call of a macro that the text says to hold
// braces, and more stands behind it: what the macro makes ends there. Without a semicolon
// it looks like an old function, "f(a) int a; {".
func (p *preparer) endsInBraces(head []item) bool {
	return len(head) > 2 && head[0].ident && head[1].group == '(' && strings.Contains(p.known[p.plainWord(head[0])].value, "{")
}

// pointerTo reports whether what looks like the name of a function is a type before a
// pointer to one: size_t (*f)(int).
func (p *preparer) pointerTo(head []item, fn int) bool {
	return !p.cpp && fn+2 < len(head) && head[fn+2].group == '(' && p.is(p.toks[head[fn+1].tok+1], '*')
}

// asType puts a word of the language in the place of a type's name, where the grammar
// would read a call.
func (p *preparer) asType(it item) {
	t := p.toks[it.tok]
	if t.end-t.start < 3 {
		return
	}
	p.note(t, graph.UseType, -1)
	p.blank(t.start, t.end)
	copy(p.text[t.start:], "int")
	p.notes.types[t.start] = span{t.start, t.end}
	p.toks[it.tok].kind = tokDead
}

// parameters hides macros among the words of parameters.
func (p *preparer) parameters(group item) {
	var one []item
	for i := group.tok + 1; i <= group.end; i++ {
		t := p.toks[i]
		switch {
		case i == group.end || p.is(t, ','):
			if len(one) > 1 {
				p.variable(one, "")
			}
			one = nil
		case t.kind == tokPunct && (p.src[t.start] == '(' || p.src[t.start] == '[' || p.src[t.start] == '{'):
			end := min(p.match(i), group.end-1)
			one = append(one, item{tok: i, end: end, group: p.src[t.start]})
			i = max(i, end)
		case t.kind == tokIdent:
			w := wordOf(p.str(t), p.cpp)
			one = append(one, item{tok: i, end: i, word: w, ident: w == wordNone})
		case t.kind == tokPunct:
			if b := p.src[t.start]; b == '<' || b == '=' || b == '.' {
				return // C++, or "..."
			}
			one = append(one, item{tok: i, end: i, punct: p.src[t.start]})
		default:
			return
		}
	}
}

// declaresBefore reports whether a type and a name stand in a head.
func (p *preparer) declaresBefore(head []item) bool {
	n := 0
	for _, it := range head {
		if it.ident || it.word == wordType {
			n++
		}
	}
	return n > 1 && (head[len(head)-1].ident || head[len(head)-1].group == '[')
}

// madeType returns the place of a macro's arguments in "typedef MACRO(x) name", or 0.
func (p *preparer) madeType(head []item) int {
	n := len(head)
	if n >= 4 && p.plainWord(head[0]) == "typedef" && head[n-1].ident && head[n-2].group == '(' && head[n-3].ident && !shouts(p.plainWord(head[n-1])) {
		return n - 2
	}
	return 0
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
	if !shouts(p.plainWord(head[b])) {
		return true
	}
	for n := a + 2; n < b; n++ {
		if it := head[n]; it.word == wordType || it.word == wordTag || it.word == wordStorage || it.ident && !p.isCall(head, n) {
			return true
		}
	}
	return false
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

// before1 hides macros among the words before a declarator: of several names one is the
// type, unless the language has a word for it, or typed says that there is no type.
func (p *preparer) before1(items []item, typed bool) {
	var names []int
	star := false
	for n, it := range items {
		switch {
		case it.word == wordType || it.word == wordTag || p.plainWord(it) == "auto":
			typed = true
		case it.punct == ':' || it.group == '<':
			if p.cpp {
				p.leading(items)
				return
			}
		case it.punct == '*' || it.punct == '&':
			star = true
		case !it.ident || n > 0 && items[n-1].word == wordTag:
		case p.isCall(items, n):
			p.hideCall(items, n)
		case star:
			p.hideItem(it)
		default:
			names = append(names, n)
		}
	}
	keep := 1
	if typed {
		keep = 0
	}
	for len(names) > keep {
		at := p.mark(items, names)
		p.hideItem(items[names[at]])
		names = slices.Delete(names, at, at+1)
	}
}

// mark chooses the name that is most like a macro.
func (p *preparer) mark(items []item, names []int) int {
	under := func(n int) bool { return strings.HasPrefix(p.plainWord(items[n]), "__") }
	if at := slices.IndexFunc(names, under); at >= 0 {
		return at
	}
	return max(0, slices.IndexFunc(names, func(n int) bool { return shouts(p.plainWord(items[n])) }))
}

// leading hides the macros that stand before a type with a qualified name.
func (p *preparer) leading(items []item) {
	for n, it := range items {
		switch {
		case it.word == wordStorage:
		case it.ident && n+1 < len(items) && (items[n+1].ident || items[n+1].word != wordNone):
			p.hideItem(it)
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
			p.hideItem(it)
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
		at := len(names) - 1 // behind the name of something with a built-in type
		if typed < 0 || names[0] < typed {
			at = p.mark(head, names)
		}
		p.hideItem(head[names[at]])
		names = slices.Delete(names, at, at+1)
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
		case it.punct == ',', it.punct == ':':
			named = false
		case it.group == '[', it.group == '(':
			named = true
		case it.ident && named && p.isCall(head, n):
			p.hideCall(head, n)
			n++
		case it.ident && named:
			p.hideItem(it)
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
	case ';', '=', 0:
		switch {
		case end == 0 && len(rest) == 0:
			p.hideCall(head, 0)
		case len(rest) == 0 && (class == "" || p.cpp && !shouts(name)):
			switch {
			case class != "" || end != ';':
			case p.braced(args.tok, args.end):
				p.hideCall(head, 0)
				p.blankByte(args.end+1, ';')
			default:
				p.macroArguments(args.tok, args.end)
			}
		case len(rest) == 0:
			p.hideCall(head, 0)
			p.blankByte(head[1].end+1, ';')
		case end != 0 && p.pointerTo(head, 0):
			p.asType(head[0])
		case rest[0].group != 0, rest[0].punct != 0 && rest[0].punct != '*':
		case rest[0].ident && !shouts(p.plainWord(rest[0])) && (len(rest) == 1 || rest[1].punct == ',' || rest[1].group == '['):
			p.hide(args.tok, args.end+1, true) // a macro that makes a type
		default:
			p.hideCall(head, 0)
			p.head(rest, end, class)
		}
	case '{':
		tagged := len(rest) == 2 && rest[0].word == wordTag && rest[1].ident // a type behind a macro without a semicolon
		if len(rest) > 0 && (rest[0].word == wordType || rest[0].word == wordTag || rest[0].word == wordStorage && !p.trailing(rest[0])) &&
			(tagged || !p.oldStyle(args)) {
			p.hideCall(head, 0)
			p.head(rest, end, class)
			return
		}
		p.made(head, rest)
	}
}
