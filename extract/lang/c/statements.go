package c

import "github.com/ralph-index/ralph-index/graph"

// statements reads the body of a function between two braces: calls of macros that
// stand for the head of a loop, or that end without a semicolon.
func (p *preparer) statements(open, end int) {
	code := []bool{} // of the open braces: whether they hold statements
	for i := open; i <= end; i++ {
		t := p.toks[i]
		if p.cpp && t.kind == tokIdent && p.str(t) == "new" {
			p.newArray(i, end)
			continue
		}
		if t.kind == tokString {
			p.joined(i, end)
			continue
		}
		if t.kind == tokIdent && i > open && len(code) > 0 && code[len(code)-1] && p.starts(i) {
			p.local(i, end)
		}
		if t = p.toks[i]; t.kind == tokIdent && !p.cpp && i > open && p.is(p.toks[i-1], '=') && !isKeyword(p.str(t), false) {
			p.joined(i, end)
		}
		if t.kind == tokPunct {
			switch p.src[t.start] {
			case '{':
				code = append(code, i == open || p.opensBlock(i))
			case '}':
				code = code[:max(0, len(code)-1)]
			}
			continue
		}
		if t.kind != tokIdent || i+1 > end || i == open {
			continue
		}
		if p.is(p.toks[i+1], '(') {
			p.call(i, end, len(code) > 0 && code[len(code)-1])
			continue
		}
		if len(code) > 0 && code[len(code)-1] && p.starts(i) && p.toks[i+1].kind == tokIdent && !isKeyword(p.str(t), p.cpp) &&
			shouts(p.str(t)) && p.lineBetween(t.end, p.toks[i+1].start) {
			p.hideItem(item{tok: i, end: i})
		}
	}
}

// newArray hides the "*" in "new T*[n]", which the grammar does not read.
func (p *preparer) newArray(i, end int) {
	for n := i + 1; n < end && n < i+24; n++ {
		t := p.toks[n]
		switch {
		case t.kind == tokIdent, p.is(t, ':'), p.is(t, '<'), p.is(t, '>'), p.is(t, ','):
		case p.is(t, '*') && (p.is(p.toks[n+1], '[') || p.is(p.toks[n+1], '*')):
			p.blank(t.start, t.end)
		default:
			return
		}
	}
}

// local hides macros in the declaration of a local variable.
func (p *preparer) local(i, end int) {
	var head []item
	for n := i; n < end; n++ {
		t := p.toks[n]
		if t.kind != tokIdent {
			break
		}
		w := wordOf(p.str(t), p.cpp)
		if w == wordStmt {
			return
		}
		head = append(head, item{tok: n, end: n, word: w, ident: w == wordNone})
	}
	last := len(head) - 1
	if last < 1 || i+last+1 > end {
		return
	}
	if p.is(p.toks[i+last+1], '*') { // T *n INIT(0);
		n := i + last + 1
		for n < end && p.is(p.toks[n], '*') {
			n++
		}
		if n+2 < end && p.toks[n].kind == tokIdent && p.toks[n+1].kind == tokIdent && shouts(p.str(p.toks[n+1])) && p.is(p.toks[n+2], '(') {
			p.hideCall([]item{{tok: n + 1, end: n + 1, ident: true}, {tok: n + 2, end: min(p.match(n+2), end), group: '('}}, 0)
		}
	}
	switch next := p.toks[i+last+1]; {
	case p.is(next, '(') && last > 1 && head[last].ident && shouts(p.plainWord(head[last])): // int n INIT(0);
		shut := min(p.match(i+last+1), end)
		p.hideCall(append(head, item{tok: i + last + 1, end: shut, group: '('}), last)
		head = head[:last]
	case p.is(next, '(') && p.is(p.toks[min(p.match(i+last+1), end-1)+1], ';') && last == 1 && head[0].ident:
		return // T f(x);
	case p.is(next, '*'), p.is(next, '&'): // what follows is the name
		head = append(head, item{tok: i + last + 1, end: i + last + 1, punct: '*'})
	case next.kind != tokPunct || p.is(next, ':') || p.is(next, '<') || p.is(next, '.'):
		return
	}
	p.variable(head, "")
}

// expressions reads values outside functions: initialisers and arguments.
func (p *preparer) expressions(from, to int) {
	for i := from; i < to; i++ {
		switch t := p.toks[i]; {
		case t.kind == tokString:
			p.joined(i, to-1)
		case t.kind == tokIdent && i+1 < to && p.is(p.toks[i+1], '('):
			p.call(i, to-1, false)
		}
	}
}

func (p *preparer) lineBetween(from, to uint32) bool {
	for i := from; i < to; i++ {
		if p.src[i] == '\n' {
			return true
		}
	}
	return false
}

// opensBlock reports whether the brace at i opens statements rather than the list of
// an initialiser.
func (p *preparer) opensBlock(i int) bool {
	t := p.toks[i-1]
	switch t.kind {
	case tokIdent:
		w := p.str(t)
		return w == "else" || w == "do" || w == "try" || !p.cpp || w == "const" || w == "mutable" || w == "noexcept"
	case tokPunct:
		switch p.src[t.start] {
		case ';', '{', '}', ':':
			return true
		case ')':
			return p.callee(i-1) != ""
		case ']':
			return p.cpp
		case '(':
			return true // ({ ... })
		}
	case tokDead:
		return true
	}
	return false
}

// callee returns the name before the parentheses that end at shut, or "".
func (p *preparer) callee(shut int) string {
	open := int(p.pairs[shut])
	if open < 1 {
		return ""
	}
	switch b := p.toks[open-1]; {
	case b.kind == tokIdent:
		return p.str(b)
	case p.cpp && p.is(b, ']'):
		return "[]" // a lambda
	}
	return ""
}

// starts reports whether a statement begins at i.
func (p *preparer) starts(i int) bool {
	t := p.toks[i-1]
	switch t.kind {
	case tokPunct:
		b := p.src[t.start]
		if b == ')' {
			w := p.callee(i - 1)
			return w == "if" || w == "while" || w == "for" || w == "switch"
		}
		return b == ';' || b == '{' || b == '}'
	case tokIdent:
		w := p.str(t)
		return w == "else" || w == "do"
	}
	return false
}

// call reads a call. statement says that it stands among statements.
func (p *preparer) call(i, end int, statement bool) {
	t := p.toks[i]
	if wordOf(p.str(t), p.cpp) != wordNone {
		return
	}
	shut := p.match(i + 1)
	if shut >= end {
		return
	}
	if prev := p.toks[i-1]; prev.kind != tokIdent || p.str(prev) == "return" || p.str(prev) == "else" || p.str(prev) == "do" || p.str(prev) == "case" {
		if !p.is(prev, '*') && !p.is(prev, '>') || !p.declares(i) {
			p.macroArguments(i+1, shut)
		}
	}
	if p.toks[shut+1].kind == tokString && !p.is(p.toks[i+1], '{') { // MACRO("x") "y"
		p.note(t, graph.UseCall, p.countArgs(i+1, shut+1))
		p.blank(t.start, t.end)
		p.toks[i].kind = tokDead
		p.hide(i+1, shut+1, true)
		return
	}
	if p.braced(i+1, shut) {
		p.hide(i+1, shut+1, true)
		p.blank(p.toks[i+1].start, p.toks[shut].end)
		p.text[p.toks[i+1].start], p.text[p.toks[shut].end-1] = '(', ')'
		return
	}
	if !statement || !p.starts(i) {
		return
	}
	if p.statementArgument(i+1, shut) {
		p.note(t, graph.UseCall, p.countArgs(i+1, shut+1))
		p.blank(t.start, p.toks[i+1].end)
		p.blank(p.toks[shut].start, p.toks[shut].end)
		return
	}
	next := p.toks[shut+1]
	behind := p.toks[shut].end
	switch {
	case p.is(next, '{'):
		p.note(t, graph.UseCall, p.countArgs(i+1, shut+1))
		if t.end-t.start >= 2 {
			p.blank(t.start, t.end)
			copy(p.text[t.start:], "if")
		}
	case next.kind == tokIdent && p.str(next) != "and" && p.str(next) != "or" && p.str(next) != "const":
		if p.lineBetween(behind, next.start) {
			p.endCall(i, shut)
		} else if t.end-t.start >= 2 { // every(10) f();
			p.note(t, graph.UseCall, p.countArgs(i+1, shut+1))
			p.blank(t.start, t.end)
			copy(p.text[t.start:], "if")
		}
	case p.is(next, '}'):
		p.endCall(i, shut)
	}
}

// endCall ends a call of a macro with a semicolon, or hides it where there is no room.
func (p *preparer) endCall(i, shut int) {
	if behind := p.toks[shut].end; p.semicolon(behind) {
		return
	}
	p.note(p.toks[i], graph.UseCall, p.countArgs(i+1, shut+1))
	p.toks[i].kind = tokDead
	p.hide(i+1, shut+1, true)
	p.blank(p.toks[i].start, p.toks[shut].end)
	p.text[p.toks[i].start] = ';'
}

// braced reports whether an argument is a list in braces, which only macros of C take.
func (p *preparer) braced(open, shut int) bool {
	if p.cpp {
		return false
	}
	for i := open + 1; i < shut; i++ {
		t := p.toks[i]
		if t.kind != tokPunct {
			continue
		}
		switch p.src[t.start] {
		case '{':
			if p.is(p.toks[i-1], ',') || p.is(p.toks[i-1], '(') && i-1 == open {
				return true
			}
			i = min(p.match(i), shut)
		case '(', '[':
			i = min(p.match(i), shut)
		}
	}
	return false
}

// statementArgument reports whether a macro is handed statements.
func (p *preparer) statementArgument(open, shut int) bool {
	if open+1 >= shut {
		return false
	}
	if t := p.toks[open+1]; t.kind == tokIdent {
		switch p.str(t) {
		case "if", "for", "while", "do", "return", "switch":
			return true
		}
	}
	for i := open + 1; i < shut; i++ {
		t := p.toks[i]
		if t.kind != tokPunct {
			continue
		}
		switch p.src[t.start] {
		case '(', '[', '{':
			i = min(p.match(i), shut)
		case ';':
			return true
		}
	}
	return false
}

// declares reports whether the "*" before i stands in a declaration: behind a name that
// begins a statement.
func (p *preparer) declares(i int) bool {
	i--
	for i > 0 && (p.is(p.toks[i], '*') || p.is(p.toks[i], '>')) {
		i--
	}
	return p.toks[i].kind == tokIdent && (wordOf(p.str(p.toks[i]), p.cpp) == wordType || p.starts(i))
}

// semicolon writes one into the white space at i, and reports whether there is any. Line
// ends stay.
func (p *preparer) semicolon(i uint32) bool {
	for ; int(i) < len(p.src); i++ {
		switch p.src[i] {
		case ' ', '\t':
			p.text[i] = ';'
			return true
		case '\n', '\r':
		default:
			return false
		}
	}
	return false
}

// macroArguments makes expressions of the types among the arguments of a call, which
// only macros take: va_arg(ap, char *).
func (p *preparer) macroArguments(open, shut int) {
	from := open + 1
	for i := open + 1; i <= shut; i++ {
		t := p.toks[i]
		if i < shut && t.kind == tokPunct && (p.src[t.start] == '(' || p.src[t.start] == '[' || p.src[t.start] == '{') {
			i = min(p.match(i), shut)
			continue
		}
		if i == shut || p.is(t, ',') {
			p.macroArgument(from, i)
			from = i + 1
		}
	}
}

func (p *preparer) macroArgument(from, to int) {
	if from >= to {
		return
	}
	t := p.toks[from]
	w := wordNone
	if t.kind == tokIdent {
		w = wordOf(p.str(t), p.cpp)
	}
	typ := w == wordType || w == wordTag || w == wordStorage && p.str(t) != "auto" || w == wordNone && t.kind == tokIdent && p.is(p.toks[to-1], '*')
	if !typ || p.cpp && to > from+1 && (p.is(p.toks[from+1], '(') || p.is(p.toks[from+1], '{')) {
		names := w == wordNone
		for i := from; i < to; i++ {
			names = names && p.toks[i].kind == tokIdent && !isKeyword(p.str(p.toks[i]), p.cpp)
		}
		for i := from; names && i < to-1; i++ {
			p.hideItem(item{tok: i, end: i})
		}
		return
	}
	at := t.start
	for i := from; i < to; i++ {
		if a := p.toks[i]; a.kind == tokIdent && wordOf(p.str(a), p.cpp) == wordNone {
			p.note(a, graph.UseType, -1)
		}
	}
	p.hide(from, to, false)
	p.text[at] = '0'
}

// joined hides the macros between the parts of a string.
func (p *preparer) joined(i, end int) {
	if p.cpp && i < end && p.toks[i+1].start == p.toks[i].end {
		return // "x"_suffix
	}
	for n := i + 1; n <= end && p.toks[n].kind == tokIdent && !isKeyword(p.str(p.toks[n]), p.cpp); n++ {
		if n+1 <= end && p.is(p.toks[n+1], '(') {
			shut := p.match(n + 1)
			p.note(p.toks[n], graph.UseCall, p.countArgs(n+1, shut+1))
			t := p.toks[n]
			p.blank(t.start, t.end)
			p.toks[n].kind = tokDead
			p.hide(n+1, min(shut, end)+1, true)
			n = shut
			continue
		}
		p.hideItem(item{tok: n, end: n})
	}
}
