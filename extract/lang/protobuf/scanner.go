package protobuf

import "github.com/ralph-index/ralph-index/extract/internal/spec"

// token is the kind of a token.
type token uint8

const (
	end  token = iota
	word       // a name, keyword or number
	text       // in quotes
	sign       // one byte
)

// scanner reads tokens, one after another. The current one is src[start:stop].
type scanner struct {
	src         []byte
	start, stop uint32
	last        uint32 // where the token before ends
	kind        token
	doc         string // of the comment above the token
}

func (s *scanner) text() string { return string(s.src[s.start:s.stop]) }

func (s *scanner) is(c byte) bool { return s.kind == sign && s.src[s.start] == c }

// ahead returns a scanner at the token behind the current one.
func (s *scanner) ahead() scanner {
	ahead := *s
	ahead.next()
	return ahead
}

// peek returns the text of the token behind the current one.
func (s *scanner) peek() string {
	ahead := s.ahead()
	return ahead.text()
}

// next goes on to the token behind the current one.
func (s *scanner) next() {
	s.last = s.stop
	at := s.blank(int(s.stop))
	s.start = uint32(at)
	if at == len(s.src) {
		s.kind, s.stop = end, s.start
		return
	}
	c := s.src[at]
	at++
	switch {
	case isWordByte(c):
		for at < len(s.src) && isWordByte(s.src[at]) {
			at++
		}
		s.kind = word
	case c == '"' || c == '\'':
		for at < len(s.src) && s.src[at] != c && s.src[at] != '\n' {
			if s.src[at] == '\\' {
				at++
			}
			at++
		}
		at = min(at+1, len(s.src))
		s.kind = text
	default:
		s.kind = sign
	}
	s.stop = uint32(at)
}

// blank goes over white space and comments, and keeps what the last comment says where no
// empty line and no code on its own line parts it from what follows.
func (s *scanner) blank(at int) int {
	s.doc = ""
	from, fresh, newlines := -1, at == 0, 0
	for at < len(s.src) {
		c := s.src[at]
		switch {
		case c == '\n':
			at++
			fresh = true
			if newlines++; newlines > 1 {
				from = -1
			}
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			at++
		case c == '/' && at+1 < len(s.src) && (s.src[at+1] == '/' || s.src[at+1] == '*'):
			begin := at
			at = commentEnd(s.src, at)
			if fresh && (from < 0 || newlines > 1) {
				from = begin
			}
			newlines = 0
		default:
			if from >= 0 {
				s.doc = spec.DocLine(string(s.src[from:at]))
			}
			return at
		}
	}
	return len(s.src)
}

func commentEnd(src []byte, at int) int {
	line := src[at+1] == '/'
	for at += 2; at < len(src); at++ {
		if line && src[at] == '\n' {
			return at
		}
		if !line && src[at] == '*' && at+1 < len(src) && src[at+1] == '/' {
			return at + 2
		}
	}
	return len(src)
}

func isWordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

func isWord(token string) bool { return token != "" && isWordByte(token[0]) }
