package sql

import (
	"bytes"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
)

// token is the kind of a token.
type token uint8

const (
	end  token = iota
	word       // a name, also in quotes, a keyword or a number
	text       // in quotes
	sign       // one byte
)

// scanner reads the tokens of a script, as far as the dialects have them in common.
type scanner struct {
	src         []byte
	start, stop uint32
	last        uint32 // where the token before ends
	kind        token
	doc         string // of the comment on the lines above
}

func (s *scanner) text() string { return string(s.src[s.start:s.stop]) }

func (s *scanner) lower() string { return strings.ToLower(s.text()) }

func (s *scanner) is(c byte) bool { return s.kind == sign && s.src[s.start] == c }

// word reports whether the token is a word of the language, given in lower case.
func (s *scanner) word(w string) bool {
	return s.kind == word && int(s.stop-s.start) == len(w) && strings.EqualFold(s.text(), w)
}

func (s *scanner) next() {
	s.last = s.stop
	at := s.blank(int(s.stop))
	s.start = uint32(at)
	if at >= len(s.src) {
		s.kind, s.start, s.stop = end, uint32(len(s.src)), uint32(len(s.src))
		return
	}
	c := s.src[at]
	switch {
	case isNameByte(c):
		for at < len(s.src) && isNameByte(s.src[at]) {
			at++
		}
		s.kind = word
	case c == '"' || c == '`' || c == '\'':
		if s.kind = word; c == '\'' {
			s.kind = text
		}
		at = closing(s.src, at+1, c)
	case c == '[' && at+1 < len(s.src) && isNameByte(s.src[at+1]):
		s.kind = word
		at = closing(s.src, at+1, ']')
	case c == '$':
		s.kind = text
		at = dollars(s.src, at)
	default:
		s.kind = sign
		at++
	}
	s.stop = uint32(at)
}

// closing returns the offset behind the quote that ends what begins at at.
func closing(src []byte, at int, quote byte) int {
	for at < len(src) {
		if src[at] == quote {
			if at+1 < len(src) && src[at+1] == quote {
				at += 2
				continue
			}
			return at + 1
		}
		at++
	}
	return len(src)
}

// dollars returns the offset behind $tag$ … $tag$, or behind the sign where it opens none.
func dollars(src []byte, at int) int {
	stop := at + 1
	for stop < len(src) && isNameByte(src[stop]) {
		stop++
	}
	if stop == len(src) || src[stop] != '$' {
		return at + 1
	}
	mark := src[at : stop+1]
	if i := bytes.Index(src[stop+1:], mark); i >= 0 {
		return stop + 1 + i + len(mark)
	}
	return at + 1
}

// blank goes over white space and comments.
func (s *scanner) blank(at int) int {
	s.doc = ""
	from, newlines, fresh := -1, 0, at == 0
	for at < len(s.src) {
		c := s.src[at]
		begin, stop := at, at
		switch {
		case c == '\n':
			fresh = true
			if newlines++; newlines > 1 {
				from = -1
			}
			at++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			at++
			continue
		case bytes.HasPrefix(s.src[at:], []byte("--")):
			if stop = bytes.IndexByte(s.src[at:], '\n'); stop < 0 {
				stop = len(s.src) - at
			}
			stop += at
		case bytes.HasPrefix(s.src[at:], []byte("/*")):
			if stop = bytes.Index(s.src[at:], []byte("*/")); stop < 0 {
				stop = len(s.src) - at - 2
			}
			stop += at + 2
		}
		if stop == begin {
			break
		}
		if fresh && from < 0 {
			from = begin
		}
		at, newlines = stop, 0
	}
	if from >= 0 {
		s.doc = spec.DocLine(string(s.src[from:at]))
	}
	return at
}

func isNameByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
