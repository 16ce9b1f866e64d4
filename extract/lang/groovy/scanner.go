package groovy

import "bytes"

// token is the kind of a token.
type token uint8

const (
	end  token = iota
	word       // a name or keyword
	text       // in quotes, or a number
	sign       // one byte
)

// scanner reads tokens as far as it takes to know what stands in texts and comments.
type scanner struct {
	src         []byte
	start, stop uint32
	kind        token
}

func (s *scanner) text() string { return string(s.src[s.start:s.stop]) }

func (s *scanner) is(c byte) bool { return s.kind == sign && s.src[s.start] == c }

func (s *scanner) next() {
	last, at := *s, blank(s.src, int(s.stop))
	s.start = uint32(at)
	if at >= len(s.src) {
		s.kind, s.start, s.stop = end, uint32(len(s.src)), uint32(len(s.src))
		return
	}
	c := s.src[at]
	switch {
	case isNameByte(c):
		s.kind = word
		if c >= '0' && c <= '9' {
			s.kind = text
		}
		for at < len(s.src) && isNameByte(s.src[at]) {
			at++
		}
	case c == '"' || c == '\'':
		s.kind = text
		at = quoted(s.src, at, c)
	case c == '/' && last.kind != word && last.kind != text && !last.is(')') && !last.is(']'):
		s.kind = text
		at = pattern(s.src, at)
	default:
		s.kind = sign
		at++
	}
	s.stop = uint32(at)
}

// quoted returns the offset behind a text in quotes, of one line or of several.
func quoted(src []byte, at int, quote byte) int {
	long := bytes.HasPrefix(src[at:], []byte{quote, quote, quote})
	if long {
		at += 2
	}
	for at++; at < len(src); at++ {
		switch {
		case src[at] == '\\':
			at++
		case long && src[at] == quote && bytes.HasPrefix(src[at:], []byte{quote, quote, quote}):
			return at + 3
		case !long && src[at] == quote:
			return at + 1
		case !long && src[at] == '\n':
			return at // it has no end
		}
	}
	return len(src)
}

// pattern returns the offset behind /…/, or behind the sign where it has no end on its line.
func pattern(src []byte, at int) int {
	for i := at + 1; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case '/':
			return i + 1
		}
	}
	return at + 1
}

// blank goes over white space and comments.
func blank(src []byte, at int) int {
	for at < len(src) {
		switch c := src[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case bytes.HasPrefix(src[at:], []byte("//")), c == '#' && at == 0:
			i := bytes.IndexByte(src[at:], '\n')
			if i < 0 {
				return len(src)
			}
			at += i
		case bytes.HasPrefix(src[at:], []byte("/*")):
			i := bytes.Index(src[at:], []byte("*/"))
			if i < 0 {
				return len(src)
			}
			at += i + 2
		default:
			return at
		}
	}
	return len(src)
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
