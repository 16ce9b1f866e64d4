package c

// typeHead hides what stands between the tag and the name of a type, and returns the
// name.
func (p *preparer) typeHead(head []item) string {
	at := -1
	for n, it := range head {
		if it.word == wordTag && p.plainWord(it) != "typename" {
			at = n
			break
		}
	}
	if at < 0 {
		return ""
	}
	for _, it := range head[:at] {
		if it.ident {
			p.hideItem(it)
		}
	}
	name := -1
	n := at + 1
	for ; n < len(head); n++ {
		it := head[n]
		w := p.plainWord(it)
		if it.punct == ':' && (n+1 >= len(head) || head[n+1].punct != ':') && (n == 0 || head[n-1].punct != ':') || w == "final" && name >= 0 {
			break
		}
		switch {
		case it.ident && n+1 < len(head) && head[n+1].group == '(':
			p.hideItem(it)
			p.hide(head[n+1].tok, head[n+1].end+1, true)
			n++
		case it.ident:
			if name >= 0 && (n == 0 || head[n-1].punct != ':') {
				if shouts(p.plainWord(it)) && !shouts(p.plainWord(head[name])) {
					p.hideItem(it)
					continue
				}
				p.hideItem(head[name])
			}
			name = n
		}
	}
	if name < 0 {
		return ""
	}
	return p.plainWord(head[name])
}

// afterType reads what follows the body of a type up to its semicolon.
func (p *preparer) afterType(i, to int) int {
	var head []item
	for i < to {
		t := p.toks[i]
		switch {
		case p.is(t, ';'):
			p.afterBody(head)
			return i + 1
		case p.is(t, '='):
			p.afterBody(head)
			return p.initializer(i+1, to)
		case p.is(t, '}'):
			return i
		case p.is(t, '('), p.is(t, '['):
			end := min(p.match(i), to-1)
			head = append(head, item{tok: i, end: end, group: p.src[t.start]})
			i = end + 1
		case t.kind == tokIdent:
			w := wordOf(p.str(t), p.cpp)
			if len(head) == 0 && (w == wordTag || w == wordStorage && p.str(t) != "const" && p.str(t) != "volatile") || w == wordType {
				return i // the semicolon is missing
			}
			head = append(head, item{tok: i, end: i, word: w, ident: w == wordNone})
			i++
		case p.is(t, '{'):
			return i
		default:
			head = append(head, item{tok: i, end: i, punct: p.src[t.start]})
			i++
		}
	}
	return i
}

// afterBody hides attributes between the body of a type and its semicolon.
func (p *preparer) afterBody(head []item) {
	named := false
	for n, it := range head {
		switch {
		case it.punct == ',':
			named = false
		case !it.ident:
		case n+1 < len(head) && head[n+1].group == '(' && shouts(p.plainWord(it)):
			p.hideItem(it)
			p.hide(head[n+1].tok, head[n+1].end+1, true)
		case named, shouts(p.plainWord(it)) && n+1 < len(head) && (head[n+1].ident || head[n+1].punct == '*'):
			p.hideItem(it)
		default:
			named = true
		}
	}
}

// enumerators hides the macros among the members of an enum.
func (p *preparer) enumerators(open, end int) {
	for i := open + 1; i+1 < end; i++ {
		t, prev := p.toks[i], p.toks[i-1]
		if t.kind != tokIdent || !p.is(prev, '{') && !p.is(prev, ',') && prev.kind != tokDead {
			continue
		}
		switch next := p.toks[i+1]; {
		case p.is(next, '('):
			p.hideCall([]item{{tok: i, end: i, ident: true}, {tok: i + 1, end: p.match(i + 1), group: '('}}, 0)
		case next.kind == tokIdent && shouts(p.str(t)) && p.lineBetween(t.end, next.start):
			p.hideItem(item{tok: i, end: i})
		}
	}
}
