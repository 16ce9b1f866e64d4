package c

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokDead      tokenKind = iota // hidden from the parser
	tokIdent                      // a name or a key word
	tokNumber                     //
	tokString                     // a string or character
	tokPunct                      // one byte
	tokDirective                  // "#" up to the end of the line and its continuations
)

// token is a piece of the text. Comments and white space are none.
type token struct {
	start, end uint32
	kind       tokenKind
}

// lexer cuts a text into tokens. It accepts every text.
type lexer struct {
	src []byte
	cpp bool
	at  int
	out []token
}

// lex returns the tokens of a text.
func lex(src []byte, cpp bool) []token {
	l := lexer{src: src, cpp: cpp, out: make([]token, 0, len(src)/6+8)}
	fresh := true // nothing but white space stands before on the line
	for l.at < len(src) {
		ch := src[l.at]
		switch {
		case ch == '\n':
			fresh = true
			l.at++
			continue
		case ch == ' ' || ch == '\t' || ch == '\r' || ch == '\f' || ch == '\v':
			l.at++
			continue
		case ch == '\\' && l.newlineAt(l.at+1) > 0:
			l.at = l.newlineAt(l.at + 1)
			continue
		case ch == '/' && l.comment():
			continue
		}
		start := l.at
		kind := tokPunct
		switch {
		case ch == '#' && fresh:
			kind = tokDirective
			l.directive()
		case isIdentStart(ch):
			kind = l.word()
		case ch >= '0' && ch <= '9' || ch == '.' && l.at+1 < len(src) && src[l.at+1] >= '0' && src[l.at+1] <= '9':
			kind = tokNumber
			l.number()
		case ch == '"' || ch == '\'':
			kind = tokString
			l.quoted(ch)
		default:
			l.at++
		}
		fresh = false
		l.out = append(l.out, token{uint32(start), uint32(l.at), kind})
	}
	return l.out
}

// newlineAt returns the offset behind the line end at i, or 0.
func (l *lexer) newlineAt(i int) int {
	if i < len(l.src) && l.src[i] == '\n' {
		return i + 1
	}
	if i+1 < len(l.src) && l.src[i] == '\r' && l.src[i+1] == '\n' {
		return i + 2
	}
	return 0
}

// comment skips a comment and reports whether one stands here.
func (l *lexer) comment() bool {
	end := commentEnd(l.src, l.at)
	if end == 0 {
		return false
	}
	l.at = end
	return true
}

// commentEnd returns the offset behind the comment at i, or 0. The line end behind a
// line comment is not part of it.
func commentEnd(src []byte, i int) int {
	if i+1 >= len(src) || src[i] != '/' {
		return 0
	}
	switch src[i+1] {
	case '/':
		for i += 2; i < len(src) && src[i] != '\n'; i++ {
			if src[i] == '\\' && i+1 < len(src) {
				i++
				if src[i] == '\r' && i+1 < len(src) {
					i++
				}
			}
		}
		return min(i, len(src))
	case '*':
		for i += 2; i+1 < len(src); i++ {
			if src[i] == '*' && src[i+1] == '/' {
				return i + 2
			}
		}
		return len(src)
	}
	return 0
}

// directive skips a preprocessor line with its continuations and the comments in it.
func (l *lexer) directive() {
	for l.at < len(l.src) {
		switch ch := l.src[l.at]; {
		case ch == '\n':
			if l.at > 0 && l.src[l.at-1] == '\r' {
				l.at--
			}
			return
		case ch == '\\':
			if next := l.newlineAt(l.at + 1); next > 0 {
				l.at = next
				continue
			}
			l.at++
		case ch == '/' && l.at+1 < len(l.src) && l.src[l.at+1] == '*':
			l.at = commentEnd(l.src, l.at)
			continue
		case ch == '/' && l.at+1 < len(l.src) && l.src[l.at+1] == '/':
			l.at = commentEnd(l.src, l.at)
			return
		case ch == '"':
			l.quoted(ch)
			continue
		default:
			l.at++
		}
	}
}

// word skips a name, or a string with a prefix.
func (l *lexer) word() tokenKind {
	start := l.at
	for l.at < len(l.src) && isIdentByte(l.src[l.at]) {
		l.at++
	}
	if l.at == len(l.src) || l.src[l.at] != '"' && l.src[l.at] != '\'' {
		return tokIdent
	}
	switch string(l.src[start:l.at]) {
	case "L", "u", "U", "u8":
		l.quoted(l.src[l.at])
		return tokString
	case "R", "LR", "uR", "UR", "u8R":
		if l.cpp && l.src[l.at] == '"' {
			l.raw()
			return tokString
		}
	}
	return tokIdent
}

// raw skips R"x(...)x".
func (l *lexer) raw() {
	open := l.at + 1
	i := open
	for i < len(l.src) && i-open <= 16 && l.src[i] != '(' && l.src[i] != '\n' {
		i++
	}
	if i >= len(l.src) || l.src[i] != '(' {
		l.quoted('"')
		return
	}
	mark := ")" + string(l.src[open:i]) + "\""
	for i++; i < len(l.src); i++ {
		if l.src[i] == ')' && len(l.src)-i >= len(mark) && string(l.src[i:i+len(mark)]) == mark {
			l.at = i + len(mark)
			return
		}
	}
	l.at = len(l.src)
}

// quoted skips a string or character; one that is not closed ends with its line.
func (l *lexer) quoted(q byte) {
	for l.at++; l.at < len(l.src); l.at++ {
		switch l.src[l.at] {
		case q:
			l.at++
			return
		case '\n':
			return
		case '\\':
			if l.at+1 < len(l.src) {
				l.at++
				if l.src[l.at] == '\r' && l.at+1 < len(l.src) && l.src[l.at+1] == '\n' {
					l.at++
				}
			}
		}
	}
}

func (l *lexer) number() {
	for l.at < len(l.src) {
		ch := l.src[l.at]
		switch {
		case isIdentByte(ch) || ch == '.':
			l.at++
		case (ch == '+' || ch == '-') && isExponent(l.src[l.at-1]) && !isHex(l.src, l.at):
			l.at++
		case ch == '\'' && l.cpp && l.at+1 < len(l.src) && isIdentByte(l.src[l.at+1]):
			l.at++
		default:
			return
		}
	}
}

func isExponent(ch byte) bool { return ch == 'e' || ch == 'E' || ch == 'p' || ch == 'P' }

// isHex reports whether the number that ends before i is hexadecimal with an "e" at
// its end, which is a digit.
func isHex(src []byte, i int) bool {
	if ch := src[i-1]; ch != 'e' && ch != 'E' {
		return false
	}
	start := i
	for start > 0 && (isIdentByte(src[start-1]) || src[start-1] == '.') {
		start--
	}
	return i-start > 1 && src[start] == '0' && (src[start+1] == 'x' || src[start+1] == 'X')
}

func isIdentStart(ch byte) bool {
	return ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch == '_' || ch == '$' || ch >= 0x80
}

func isIdentByte(ch byte) bool { return isIdentStart(ch) || ch >= '0' && ch <= '9' }
