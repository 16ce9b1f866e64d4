package c

import "github.com/ralph-index/ralph-index/graph"

// A file is C only after macros are expanded, and the parser sees it before. What
// stands where the grammar takes none (export marks before a type, attributes behind a
// parameter list, calls without a semicolon, calls before a body) would take whole
// functions with it, so it is found by its place in a declaration, noted, and hidden.

// attributes hides the attributes of compilers.
func (p *preparer) attributes() {
	for i := 0; i < len(p.toks); i++ {
		t := p.toks[i]
		if t.kind != tokIdent {
			continue
		}
		switch p.str(t) {
		case "__attribute__", "__attribute", "__declspec":
			if i+1 < len(p.toks) && p.is(p.toks[i+1], '(') {
				end := p.match(i + 1)
				p.hide(i, end+1, true)
				i = end
			}
		case "WINAPI", "CALLBACK", "APIENTRY", "__cdecl", "__stdcall", "__fastcall":
			p.hide(i, i+1, false)
		case "__extension__", "__restrict", "__restrict__", "__inline", "__inline__", "__forceinline":
			p.hide(i, i+1, false)
		}
	}
	p.dropNotes()
	p.compact()
}

// dropNotes forgets the attributes' own names.
func (p *preparer) dropNotes() {
	kept := p.notes.hidden[:0]
	for _, h := range p.notes.hidden {
		switch string(p.src[h.name.start:h.name.end]) {
		case "format", "aligned", "nonnull", "alloc_size", "section", "alias", "visibility", "__format__", "__aligned__", "regparm",
			"__nonnull__", "deprecated", "malloc", "constructor", "sentinel", "mode", "cleanup", "no_sanitize", "target", "align":
		default:
			kept = append(kept, h)
		}
	}
	p.notes.hidden = kept
}

// match returns the token that closes the bracket at open, or the last token.
func (p *preparer) match(open int) int {
	if at := p.pairs[open]; at >= 0 {
		return int(at)
	}
	return len(p.toks) - 1
}

// pair finds out which brackets belong together: an opening one and the next that
// closes, of whatever form.
func (p *preparer) pair() {
	p.pairs = make([]int32, len(p.toks))
	var open []int32
	for i, t := range p.toks {
		p.pairs[i] = -1
		if t.kind != tokPunct {
			continue
		}
		switch p.src[t.start] {
		case '(', '[', '{':
			open = append(open, int32(i))
		case ')', ']', '}':
			if n := len(open); n > 0 {
				p.pairs[i], p.pairs[open[n-1]] = open[n-1], int32(i)
				open = open[:n-1]
			}
		}
	}
}

// item is a piece of a declaration's head: a token, or a group in brackets.
type item struct {
	tok   int
	end   int // the last token of a group; else tok
	word  word
	ident bool // a name that the language does not know
	group byte // '(', '[', '<' or 0
	punct byte
}

// declarations reads what stands outside functions, and hands the bodies of functions
// to statements.
func (p *preparer) declarations() {
	p.scope(0, len(p.toks), "", 0)
}

// maxNesting bounds the nesting of scopes that are read; what is deeper stays as it is.
const maxNesting = 64

// scope reads the declarations from one token up to another. class is the name of the
// type that they stand in.
func (p *preparer) scope(i, to int, class string, depth int) {
	for i < to {
		i = p.declaration(i, to, class, depth)
	}
}

// declaration reads one declaration and returns the token behind it.
func (p *preparer) declaration(i, to int, class string, depth int) int {
	start := i
	var head []item
	for i < to {
		t := p.toks[i]
		if t.kind != tokPunct {
			if n := p.label(i, to); n > 0 {
				for _, h := range head { // Q_OBJECT
					p.hideItem(h)
				}
				return n
			}
			head = append(head, p.word(i))
			i++
			continue
		}
		switch b := p.src[t.start]; b {
		case ';':
			p.head(head, ';', class)
			return i + 1
		case '}':
			p.head(head, 0, class)
			return i + 1
		case '(', '[':
			end := min(p.match(i), to-1)
			head = append(head, item{tok: i, end: end, group: b})
			i = end + 1
		case '<':
			if end := p.angles(i, to); p.cpp && end > 0 {
				head = append(head, item{tok: i, end: end, group: '<'})
				i = end + 1
				continue
			}
			head = append(head, item{tok: i, end: i, punct: b})
			i++
		case '=':
			if p.operator(head) {
				head = append(head, item{tok: i, end: i, punct: b})
				i++
				continue
			}
			p.head(head, '=', class)
			return p.initializer(i+1, to)
		case '{':
			end := min(p.match(i), to-1)
			if p.memberInit(head) {
				head = append(head, item{tok: i, end: end, group: '{'})
				i = end + 1
				continue
			}
			return p.block(head, i, end, to, class, depth)
		default:
			head = append(head, item{tok: i, end: i, punct: b})
			i++
		}
	}
	p.head(head, 0, class)
	return max(i, start+1)
}

// word makes an item of a token that is no punctuation.
func (p *preparer) word(i int) item {
	it := item{tok: i, end: i}
	if t := p.toks[i]; t.kind == tokIdent {
		it.word = wordOf(p.str(t), p.cpp)
		it.ident = it.word == wordNone
	}
	return it
}

// label returns the token behind an access label, or 0.
func (p *preparer) label(i, to int) int {
	if !p.cpp || p.toks[i].kind != tokIdent || !p.access(p.toks[i]) {
		return 0
	}
	colon := func(n int) bool { return n < to && p.is(p.toks[n], ':') && (n+1 >= to || !p.is(p.toks[n+1], ':')) }
	if colon(i + 1) {
		return i + 2
	}
	if i+1 < to && p.toks[i+1].kind == tokIdent && colon(i+2) && i > 0 && !p.is(p.toks[i-1], ':') && !p.is(p.toks[i-1], ',') { // private slots:
		p.blank(p.toks[i+1].start, p.toks[i+1].end)
		return i + 3
	}
	return 0
}

func (p *preparer) access(t token) bool {
	switch p.str(t) {
	case "public", "private", "protected", "signals", "slots", "Q_SIGNALS":
		return true
	}
	return false
}

// operator reports whether a head ends in "operator" and what may follow it.
func (p *preparer) operator(head []item) bool {
	for n := len(head) - 1; n >= 0 && n >= len(head)-3; n-- {
		if it := head[n]; it.punct == 0 {
			return p.cpp && it.group == 0 && p.str(p.toks[it.tok]) == "operator"
		}
	}
	return false
}

// memberInit reports whether a brace behind the head initialises a member in the list
// behind a constructor's parameters: ": a(1), b{2} {".
func (p *preparer) memberInit(head []item) bool {
	if !p.cpp || len(head) == 0 || !head[len(head)-1].ident && head[len(head)-1].group != '<' {
		return false
	}
	return p.initList(head) >= 0
}

// initList returns the place of the colon behind a parameter list, or -1.
func (p *preparer) initList(head []item) int {
	for n := 1; n < len(head); n++ {
		if head[n].punct != ':' {
			continue
		}
		if head[n-1].punct == ':' || n+1 < len(head) && head[n+1].punct == ':' {
			continue
		}
		for k := n - 1; k >= 0; k-- {
			if head[k].group == '(' {
				return n
			}
		}
	}
	return -1
}

// angles returns the token that closes the template arguments opened at i, or 0.
func (p *preparer) angles(i, to int) int {
	if !p.cpp || i == 0 || p.toks[i-1].kind != tokIdent || p.str(p.toks[i-1]) == "operator" {
		return 0
	}
	depth := 0
	for n := i; n < to && n < i+400; n++ {
		t := p.toks[n]
		if t.kind != tokPunct {
			continue
		}
		switch p.src[t.start] {
		case '<':
			depth++
		case '>':
			if p.is(p.toks[n-1], '-') {
				continue
			}
			if depth--; depth == 0 {
				return n
			}
		case '(', '[', '{':
			n = p.match(n)
		case ';', ')', ']', '}':
			return 0
		}
	}
	return 0
}

// initializer skips the value behind "=" and returns the token behind its semicolon.
func (p *preparer) initializer(i, to int) int {
	from := i
	for i < to {
		t := p.toks[i]
		if t.kind == tokPunct {
			switch p.src[t.start] {
			case ';':
				p.expressions(from, i)
				return i + 1
			case '(', '[', '{':
				i = p.match(i)
			case '}', ')':
				return i + 1
			}
		}
		i++
	}
	return max(i, from)
}

// block reads what stands in braces behind a head, and returns the token behind.
func (p *preparer) block(head []item, open, end, to int, class string, depth int) int {
	tag, isFunc := p.blockKind(head)
	inner := func(name string) {
		if depth < maxNesting {
			p.scope(open+1, end, name, depth+1)
		}
	}
	switch {
	case isFunc:
		p.head(head, '{', class)
		p.statements(open, end)
		return end + 1
	case tag == "namespace", tag == "extern":
		if tag == "namespace" {
			for _, it := range head { // BEGIN namespace a
				if p.plainWord(it) == tag {
					break
				}
				if it.ident {
					p.hideItem(it)
				}
			}
		}
		inner("")
		return end + 1
	case tag == "enum":
		p.typeHead(head)
		p.enumerators(open, end)
		return p.afterType(end+1, to)
	case tag != "":
		inner(p.typeHead(head))
		return p.afterType(end+1, to)
	case len(head) == 1 && head[0].ident: // BEGIN_NAMESPACE {
		p.hideItem(head[0])
		inner("")
		return end + 1
	}
	p.statements(open, end) // of a function whose parameters are declared in the old way
	return end + 1
}

// blockKind tells what a brace behind a head opens: the body of a function, or of what
// the tag says.
func (p *preparer) blockKind(head []item) (tag string, isFunc bool) {
	group := -1
	for n, it := range head {
		if it.group == '(' && n > 0 && (head[n-1].ident || head[n-1].word == wordNone || head[n-1].group != 0 || p.plainWord(head[n-1]) == "operator") {
			group = n
		}
	}
	for n, it := range head {
		if it.group != 0 || it.punct != 0 {
			continue
		}
		switch w := p.plainWord(it); w {
		case "namespace":
			return w, false
		case "extern":
			if n+1 < len(head) && p.toks[head[n+1].tok].kind == tokString && n+2 >= len(head) {
				return w, false
			}
		case "struct", "union", "class", "enum":
			if group < 0 || !p.behindGroup(head, group) {
				return w, false
			}
		}
	}
	return "", group >= 0
}

// behindGroup reports whether the last parentheses of a head are a parameter list:
// nothing follows them that makes them an attribute of a type.
func (p *preparer) behindGroup(head []item, group int) bool {
	rest := head[group+1:]
	if len(rest) == 0 {
		return true
	}
	for _, it := range rest {
		if it.ident && len(rest) == 1 && !shouts(p.plainWord(it)) && p.plainWord(it) != "override" && p.plainWord(it) != "final" {
			return false // struct ATTR(x) name {
		}
		if it.punct == ':' {
			return p.initList(head) >= 0 && p.plainWord(head[0]) != "class" && p.plainWord(head[0]) != "struct"
		}
	}
	return true
}

func (p *preparer) plainWord(it item) string {
	if it.group != 0 || it.punct != 0 {
		return ""
	}
	return p.str(p.toks[it.tok])
}

// hideItem hides a name and notes its use.
func (p *preparer) hideItem(it item) {
	t := p.toks[it.tok]
	if t.kind != tokIdent {
		return
	}
	p.note(t, graph.UseRead, -1)
	p.blank(t.start, t.end)
	p.toks[it.tok].kind = tokDead
}
