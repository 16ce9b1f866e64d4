package swift

import (
	"bytes"
	"time"
)

// patience bounds the parse: see what the grammar takes for texts that it does not know.
// Those that it reads take a millisecond for each kilobyte at most.
func patience(size int) time.Duration {
	return time.Second + time.Duration(size)*10*time.Microsecond
}

// prepare blanks what the grammar does not know: the sign before the name of a macro,
// which is then called like a function; the type of what a function throws; the empty
// parentheses of an attribute; try and await in the head of a loop; and a comment at the end of a
// line where the next one goes on with a member.
func prepare(src []byte) (text []byte, notes any) {
	p := plain{src: src, text: src}
	for at := 0; at < len(src); at++ {
		switch c := src[at]; c {
		case '#':
			if end := nameEnd(src, at+1); end > at+1 && !known(string(src[at+1:end])) && (at == 0 || !quoteBefore(src[at-1])) {
				p.blank(at, at+1)
			}
		case '@':
			if end := nameEnd(src, at+1); end > at+1 && bytes.HasPrefix(src[end:], []byte("()")) {
				p.blank(end, end+2)
			}
		case '/':
			at = p.comment(at)
		case 't':
			if p.word(at, "throws") && at+6 < len(src) && src[at+6] == '(' {
				p.thrown(at + 6)
			}
		case 'f':
			if p.word(at, "for") {
				p.loop(at + 3)
			}
		case 'i':
			if p.word(at, "in") {
				p.loop(at + 2)
			}
		}
	}
	return p.text, nil
}

// plain is a text with what the grammar does not know taken out.
type plain struct{ src, text []byte }

func (p *plain) blank(from, to int) {
	if &p.text[0] == &p.src[0] {
		p.text = bytes.Clone(p.src)
	}
	for i := from; i < to; i++ {
		if p.src[i] != '\n' && p.src[i] != '\r' {
			p.text[i] = ' '
		}
	}
}

// word reports whether a word stands at a place.
func (p *plain) word(at int, word string) bool {
	return bytes.HasPrefix(p.src[at:], []byte(word)) && (at == 0 || nameEnd(p.src, at-1) == at-1) && nameEnd(p.src, at) == at+len(word)
}

// thrown blanks the type that stands behind throws.
func (p *plain) thrown(at int) {
	end := at + 1
	for end < len(p.src) && (nameEnd(p.src, end) > end || p.src[end] == '.') {
		end++
	}
	if end < len(p.src) && p.src[end] == ')' && end > at+1 {
		p.blank(at, end+1)
	}
}

// loop blanks try and await behind for and in.
func (p *plain) loop(at int) {
	for at < len(p.src) {
		switch {
		case p.src[at] == ' ':
			at++
		case p.word(at, "try"):
			p.blank(at, at+3)
			at += 3
		case p.word(at, "await"):
			p.blank(at, at+5)
			at += 5
		default:
			return
		}
	}
}

// comment goes to the end of a comment that begins at a place, and blanks it where it
// stands behind code and a line with a member follows.
func (p *plain) comment(at int) int {
	if !bytes.HasPrefix(p.src[at:], []byte("//")) || at > 0 && p.src[at-1] == ':' { // a text with an address
		return at
	}
	end := len(p.src)
	if i := bytes.IndexByte(p.src[at:], '\n'); i >= 0 {
		end = at + i
	}
	line := p.src[bytes.LastIndexByte(p.src[:at], '\n')+1 : at]
	next := bytes.TrimLeft(p.src[end:], " \t\r\n")
	if len(bytes.TrimSpace(line)) > 0 && len(next) > 1 && next[0] == '.' && nameEnd(next, 1) > 1 {
		p.blank(at, end)
	}
	return end
}

func quoteBefore(c byte) bool { return c == '"' || c == '#' || c == '\\' }

func nameEnd(src []byte, at int) int {
	for at < len(src) && (src[at] == '_' || src[at]|0x20 >= 'a' && src[at]|0x20 <= 'z' || src[at] >= '0' && src[at] <= '9') {
		at++
	}
	return at
}

// known reports whether the grammar knows a word behind #.
func known(word string) bool {
	switch word {
	case "if", "else", "elseif", "endif", "available", "unavailable", "selector", "keyPath", "colorLiteral", "fileLiteral", "imageLiteral", "file", "fileID", "filePath", "line",
		"column", "function", "dsohandle", "warning", "error", "sourceLocation":
		return true
	}
	return false
}
