package byexample

import "strings"

// Class is what kind of token one is.
type Class uint8

// The classes of tokens.
const (
	Punct    Class = iota // also brackets
	Ident                 // a name, keywords included
	Lifetime              // 'a
	Literal
)

// Token is one token. Start and End are the offsets of its first byte and of the first
// one behind it in the source; a copy that an expansion makes keeps them.
type Token struct {
	Text       string
	Start, End uint32
	Class      Class
}

// Lex reads the tokens of src[from:to]. Comments are left out, but those that document
// what follows are the attributes that the language makes of them. It reads any text;
// what does not end goes to the end.
func Lex(src string, from, to uint32) []Token {
	l := lexer{src: src[:min(int(to), len(src))], at: int(from)}
	for l.at < len(l.src) {
		l.next()
	}
	return l.out
}

type lexer struct {
	src string
	at  int
	out []Token
}

func (l *lexer) emit(n int, c Class) {
	end := min(l.at+max(n, 1), len(l.src))
	l.out = append(l.out, Token{l.src[l.at:end], uint32(l.at), uint32(end), c})
	l.at = end
}

func (l *lexer) next() {
	rest := l.src[l.at:]
	switch c := rest[0]; {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		l.at++
	case strings.HasPrefix(rest, "//"):
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		l.comment(rest[:n], strings.HasPrefix(rest, "///") && !strings.HasPrefix(rest, "////"))
	case strings.HasPrefix(rest, "/*"):
		l.comment(rest[:blockComment(rest)], strings.HasPrefix(rest, "/**") && !strings.HasPrefix(rest, "/***") && !strings.HasPrefix(rest, "/**/"))
	case c == '"':
		l.emit(quoted(rest, '"'), Literal)
	case c == '\'':
		l.quote(rest)
	case c >= '0' && c <= '9':
		l.emit(number(rest), Literal)
	case isWord(c):
		l.word(rest)
	default:
		// What else has several characters comes as single ones, in patterns as in what they match.
		for _, j := range [...]string{"...", "..=", "::", "->", "=>", ".."} {
			if strings.HasPrefix(rest, j) {
				l.emit(len(j), Punct)
				return
			}
		}
		l.emit(1, Punct)
	}
}

// comment skips a comment, or makes an attribute of it.
func (l *lexer) comment(text string, doc bool) {
	start, end := uint32(l.at), uint32(l.at+len(text))
	l.at = int(end)
	if !doc {
		return
	}
	for _, t := range [...]Token{{Text: "#"}, {Text: "["}, {Text: "doc", Class: Ident}, {Text: "="}, {Text: `""`, Class: Literal}, {Text: "]"}} {
		t.Start, t.End = start, end
		l.out = append(l.out, t)
	}
}

// blockComment is the length of a comment, which may hold others.
func blockComment(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// quoted is the length of a literal between quotation marks.
func quoted(s string, mark byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case mark:
			return i + 1
		}
	}
	return len(s)
}

// quote reads a lifetime or a character.
func (l *lexer) quote(rest string) {
	n := 1
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if n > 1 && (n == len(rest) || rest[n] != '\'') {
		l.emit(n, Lifetime)
		return
	}
	l.emit(quoted(rest, '\''), Literal)
}

// word reads a name, or a literal that begins with a letter: b"x", r#"x"#, b'x'.
func (l *lexer) word(rest string) {
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	behind := rest[n:]
	switch rest[:n] {
	case "b", "c", "r", "br", "cr":
		if raw := strings.TrimLeft(behind, "#"); strings.HasSuffix(rest[:n], "r") && strings.HasPrefix(raw, `"`) {
			marks := behind[:len(behind)-len(raw)]
			end := strings.Index(raw[1:], `"`+marks)
			if end < 0 {
				l.emit(len(rest), Literal)
				return
			}
			l.emit(n+len(marks)+1+end+1+len(marks), Literal)
			return
		}
		if n == 1 && rest[0] != 'r' && behind != "" && (behind[0] == '"' || behind[0] == '\'') {
			l.emit(n+quoted(behind, behind[0]), Literal)
			return
		}
		if rest[:n] == "r" && len(behind) > 1 && behind[0] == '#' && isWord(behind[1]) { // r#type
			for n++; n < len(rest) && isWord(rest[n]); n++ {
			}
		}
	}
	l.emit(n, Ident)
}

// number is the length of a number, with its suffix.
func number(s string) int {
	n := 0
	for n < len(s) {
		switch {
		case isWord(s[n]):
		case s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' && s[n+1] <= '9' && !strings.Contains(s[:n], "."):
		case (s[n] == '+' || s[n] == '-') && (s[n-1] == 'e' || s[n-1] == 'E') && !strings.HasPrefix(s, "0x"):
		default:
			return n
		}
		n++
	}
	return n
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// Group returns the index of the bracket that closes the one at i, or len(toks)-1 where
// none does; i itself where no bracket opens there.
func Group(toks []Token, i int) int {
	depth := 0
	for j := i; j < len(toks); j++ {
		switch toks[j].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth <= 0 {
			return j
		}
	}
	return len(toks) - 1
}
