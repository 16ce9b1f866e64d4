package c

import "strings"

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
