package kotlin

import "bytes"

// separate rewrites, in place and byte for byte, what the grammar cannot read though it is
// right: members on one line that nothing separates get a semicolon in place of a space,
// heads of classes that go over several lines are joined, and what stands nowhere else in
// the grammar's way is blanked: the fun of fun interface, what a class delegates to, the
// comma that ends a list of conditions.
func separate(text []byte) {
	s := separator{text: text}
	s.run()
}

// block is what a brace opens.
type block struct {
	kind  byte // c: members; e: entries of an enumeration; x: statements
	paren int  // parentheses open around it
}

// separator goes over a text, token by token.
type separator struct {
	text   []byte
	at     int
	blocks []block
	paren  int
	head   byte // kind of the block that the declaration being read may open, or 0
	held   int  // parentheses open where its head began
	last   int  // the last byte of the token before, or -1
	word   int  // where the word before begins, if the token before is one
}

func (s *separator) run() {
	s.last = -1
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
			continue
		case c == '/' && s.comment():
			continue
		case c == '"' || c == '\'':
			s.quoted(c)
			s.last = s.at - 1
			continue
		case c == '`':
			if end := bytes.IndexByte(s.text[s.at+1:], '`'); end >= 0 {
				s.at += end + 1
			}
		case letter(c):
			s.named()
			continue
		case c == '{':
			s.open()
		case c == '}':
			s.close()
		case c == '(' || c == '[':
			s.paren++
		case c == ')' || c == ']':
			s.paren = max(s.paren-1, 0)
		case c == ';':
			s.semicolon()
		case c == '=' && s.paren == s.held:
			s.head = 0
		case c == ',' && s.arrow(s.at+1):
			s.text[s.at] = ' '
			s.at++
			continue
		}
		s.last = s.at
		s.at++
	}
}

func letter(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// comment skips one, which may hold others.
func (s *separator) comment() bool {
	rest := s.text[s.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			s.at += end
		} else {
			s.at = len(s.text)
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		depth, i := 0, 0
		for ; i+1 < len(rest); i++ {
			if rest[i] == '/' && rest[i+1] == '*' {
				depth++
				i++
			} else if rest[i] == '*' && rest[i+1] == '/' {
				i++
				if depth--; depth == 0 {
					break
				}
			}
		}
		s.at = min(s.at+i+1, len(s.text))
	default:
		return false
	}
	return true
}

// quoted skips a text or a character.
func (s *separator) quoted(quote byte) {
	end := []byte{quote}
	if quote == '"' && bytes.HasPrefix(s.text[s.at:], []byte(`"""`)) {
		end = []byte(`"""`)
	}
	s.at += len(end)
	for depth := 0; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '\\' && len(end) == 1:
			s.at++
		case depth == 0 && c == '\n' && len(end) == 1:
			return
		case c == '$' && s.at+1 < len(s.text) && s.text[s.at+1] == '{':
			depth++
			s.at++
		case depth > 0 && c == '{':
			depth++
		case depth > 0 && c == '}':
			depth--
		case depth > 0 && c == '"':
			s.quoted('"')
			s.at--
		case depth == 0 && bytes.HasPrefix(s.text[s.at:], end):
			s.at += len(end)
			return
		}
	}
	s.at = min(s.at, len(s.text))
}

// named reads a word.
func (s *separator) named() {
	from := s.at
	for s.at < len(s.text) && letter(s.text[s.at]) {
		s.at++
	}
	word := string(s.text[from:s.at])
	member := s.last >= 0 && (s.text[s.last] == '.' || s.text[s.last] == ':' && s.last > 0 && s.text[s.last-1] == ':')
	if !member {
		s.keyword(word, from)
	}
	s.last, s.word = s.at-1, from
}

func (s *separator) keyword(word string, from int) {
	switch word {
	case "class", "object", "interface":
		s.begin('c')
		if word == "class" && s.before("enum") {
			s.head = 'e'
		}
		if word == "interface" && s.before("fun") {
			blank(s.text[s.word : s.word+len("fun")])
		}
		if word == "class" {
			s.joinHead()
		}
	case "fun", "val", "var", "init", "typealias":
		if s.paren == s.held {
			s.head = 0
		}
	case "by":
		if s.head == 'c' && s.paren == s.held {
			s.delegate(from)
		}
	}
}

func (s *separator) begin(kind byte) { s.head, s.held = kind, s.paren }

// before reports whether the token before is a word.
func (s *separator) before(word string) bool {
	return s.last >= 0 && s.word+len(word) == s.last+1 && string(s.text[s.word:s.last+1]) == word
}

// joinHead joins the name of a class and the constructor on a line below it, for which only
// modifiers may come between.
func (s *separator) joinHead() {
	i := s.skip(s.at, false)
	for i < len(s.text) && (letter(s.text[i]) || s.text[i] == '`') {
		i++
	}
	from := i
	if i = s.skip(i, true); i < len(s.text) && s.text[i] == '<' {
		for depth := 0; i < len(s.text); i++ {
			if s.text[i] == '<' {
				depth++
			} else if s.text[i] == '>' {
				if depth--; depth == 0 {
					i++
					break
				}
			}
		}
		from = i
	}
	to := s.skip(from, true)
	if bytes.IndexByte(s.text[from:min(to, len(s.text))], '\n') < 0 {
		return
	}
	for i = to; i < len(s.text); {
		end := i
		for end < len(s.text) && letter(s.text[end]) {
			end++
		}
		switch string(s.text[i:end]) {
		case "internal", "private", "protected", "public", "actual", "expect":
			i = s.skip(end, true)
			continue
		case "constructor":
			if end < len(s.text) && s.text[end] == '(' {
				for k := from; k < to; k++ {
					s.text[k] = ' '
				}
			}
		}
		return
	}
}

// skip goes over white space, and with more over line ends and comments too.
func (s *separator) skip(i int, more bool) int {
	at := s.at
	defer func() { s.at = at }()
	for s.at = i; s.at < len(s.text); {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || more && (c == '\n' || c == '\r'):
			s.at++
		case more && c == '/' && s.comment():
		default:
			return s.at
		}
	}
	return s.at
}

// delegate blanks what the bases of a class are made by, up to its body: the grammar takes
// the body for an argument.
func (s *separator) delegate(from int) {
	depth := 0
	for i := s.at; i < len(s.text); i++ {
		switch s.text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',', '"', '\n', '}', ';', '=':
			if depth == 0 {
				return
			}
		case '{':
			if depth == 0 {
				blank(s.text[from:i])
				s.at = i
				return
			}
		}
	}
}

func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
}

func (s *separator) open() {
	b := block{kind: 'x', paren: s.paren}
	switch {
	case s.head != 0 && s.paren == s.held:
		b.kind = s.head
	case s.inside() == 'e' && s.paren == s.blocks[len(s.blocks)-1].paren: // of an entry
		b.kind = 'c'
	}
	s.blocks = append(s.blocks, b)
	s.head = 0
}

// inside returns the kind of the block around.
func (s *separator) inside() byte {
	if len(s.blocks) == 0 {
		return 'c'
	}
	return s.blocks[len(s.blocks)-1].kind
}

// close reads the end of a block, and parts it from what stands behind it, and in a type
// from what stands before it.
func (s *separator) close() {
	kind := s.inside()
	if n := len(s.blocks); n > 0 {
		s.paren = s.blocks[n-1].paren
		s.blocks = s.blocks[:n-1]
	}
	if at := s.at - 1; kind == 'c' && s.last >= 0 && s.text[s.last] != '{' && s.text[s.last] != ';' && s.last < at && s.text[at] == ' ' &&
		bytes.IndexByte(s.text[s.last:s.at], '\n') < 0 {
		s.text[at] = ';'
	}
	s.head = 0
	if s.inside() != 'c' {
		return
	}
	next := s.skip(s.at+1, false)
	if next > s.at+1 && next < len(s.text) && (s.text[next] == '@' || declares(s.text[next:])) {
		s.text[s.at+1] = ';'
	}
}

// semicolon reads the end of the entries of an enumeration, which the grammar wants behind
// a comma where the last has a body.
func (s *separator) semicolon() {
	if s.paren == s.held || s.inside() != 'e' {
		s.head = 0
	}
	n := len(s.blocks)
	if n == 0 || s.blocks[n-1].kind != 'e' || s.paren != s.blocks[n-1].paren {
		return
	}
	s.blocks[n-1].kind = 'c'
	if s.last < 0 || s.text[s.last] != '}' {
		return
	}
	switch {
	case s.last+1 < s.at:
		s.text[s.at-1] = ','
	case s.at+1 < len(s.text) && (s.text[s.at+1] == ' ' || s.text[s.at+1] == '\n'):
		s.text[s.at], s.text[s.at+1] = ',', ';'
		s.at++
	}
}

// arrow reports whether -> follows.
func (s *separator) arrow(i int) bool {
	return bytes.HasPrefix(s.text[min(s.skip(i, true), len(s.text)):], []byte("->"))
}

// declares reports whether a text begins with a declaration.
func declares(text []byte) bool {
	i := 0
	for i < len(text) && text[i] >= 'a' && text[i] <= 'z' {
		i++
	}
	switch string(text[:i]) {
	case "fun", "val", "var", "class", "interface", "object", "typealias":
		return true
	case "init", "constructor":
		rest := bytes.TrimLeft(text[i:], " ")
		return len(rest) > 0 && (rest[0] == '{' || rest[0] == '(')
	case "enum", "annotation", "abstract", "open", "sealed", "data", "value", "inline", "inner", "companion", "suspend", "operator", "infix", "override", "external", "tailrec", "const",
		"lateinit", "public", "private", "protected", "internal", "final":
		return declares(bytes.TrimLeft(text[i:], " "))
	}
	return false
}
