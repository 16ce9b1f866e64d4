package typescript

import "bytes"

// prepare rewrites what the grammar of TypeScript does not know, at equal length: the
// variance of type parameters, as in interface Box<in out T>, becomes white space, a
// call signature that begins a line gets the semicolon that the line before may omit,
// and what the table of oddities has is made plain.
func prepare(src []byte) ([]byte, any) {
	p := preparer{src: src}
	p.typeParameters()
	for _, o := range oddities() {
		p.each(o.text, o.mend)
	}
	if p.out == nil {
		return src, nil
	}
	return p.out, nil
}

// preparer rewrites a copy of a text, which it makes with the first change.
type preparer struct{ src, out []byte }

// put writes a text over what stands at i.
func (p *preparer) put(i int, text string) {
	if p.out == nil {
		p.out = bytes.Clone(p.src)
	}
	copy(p.out[i:], text)
}

func (p *preparer) blank(from, to int) {
	for i := from; i < to; i++ {
		p.put(i, " ")
	}
}

// each calls mend with the offset of each place where a text stands.
func (p *preparer) each(text string, mend func(p *preparer, i int)) {
	for i := 0; ; i += len(text) {
		n := bytes.Index(p.src[i:], []byte(text))
		if n < 0 {
			return
		}
		i += n
		mend(p, i)
	}
}

// oddity is a text that the grammar does not know where it stands in some places.
type oddity struct {
	text string
	mend func(p *preparer, i int)
}

func oddities() []oddity {
	return []oddity{
		{"\\`", func(p *preparer, i int) { // a quote that is escaped in a template, which may be a type
			if slashes := p.src[:i+1]; (len(slashes)-len(bytes.TrimRight(slashes, "\\")))%2 == 1 {
				p.blank(i, i+2)
			}
		}},
		{"export type *", func(p *preparer, i int) { p.blank(i+len("export "), i+len("export type ")) }},
		{"(type extends ", func(p *preparer, i int) { p.put(i+1, "typ_") }}, // a type that is called type
		{"export default abstract class", func(p *preparer, i int) { // one without a name
			rest := bytes.TrimLeft(p.src[i+len("export default abstract class"):], " \t\r\n")
			if bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("extends ")) || bytes.HasPrefix(rest, []byte("implements ")) {
				p.blank(i+len("export default "), i+len("export default abstract "))
			}
		}},
		{"import(", importedArray},
	}
}

// importedArray takes the module out of import("m").T[].
func importedArray(p *preparer, i int) {
	line := p.src[i:min(len(p.src), i+maxSpecifier)]
	end := bytes.Index(line, []byte(")."))
	if end < 0 || bytes.IndexByte(line[:end], '\n') >= 0 {
		return
	}
	end += len(").")
	at := end
	for at < len(line) && (isNameByte(line[at]) || line[at] == '.') {
		at++
	}
	if bytes.HasPrefix(line[at:], []byte("[]")) {
		p.blank(i, i+end)
	}
}

// maxSpecifier bounds the length of a module that import(…) names.
const maxSpecifier = 400

// Bounds on the bytes that are looked at more than once: in proportion to the text.
const (
	maxTimes = 8
	minBytes = 1 << 20
)

// typeParameters mends lists of type parameters, and what stands before them.
func (p *preparer) typeParameters() {
	budget := minBytes + maxTimes*len(p.src)
	for i := 0; budget > 0; i++ {
		n := bytes.IndexByte(p.src[i:], '<')
		if n < 0 {
			return
		}
		i += n
		end, seen := typeParametersEnd(p.src, i)
		budget -= seen
		switch {
		case end < 0:
		case declaresType(p.src[:i]):
			blankVariance(p.src[i:end], func(from, to int) { p.blank(i+from, i+to) })
		default:
			at, seen := omittedSemicolon(p.src, i, end)
			if budget -= seen; at >= 0 {
				p.put(at, ";")
			}
		}
	}
}

// maxTypeParameters bounds the length of a list of type parameters.
const maxTypeParameters = 4000

// maxNesting bounds the brackets in brackets of one.
const maxNesting = 60

// typeParametersEnd returns the offset behind the list that opens at i, or -1 where
// what stands there is none, and how many bytes it has seen.
func typeParametersEnd(src []byte, i int) (at, seen int) {
	if i+1 >= len(src) || !isNameByte(src[i+1]) && src[i+1] > ' ' && src[i+1] != '/' {
		return -1, 0
	}
	depth, end := 0, min(len(src), i+maxTypeParameters)
	for j := i; j < end; j++ {
		switch c := src[j]; c {
		case '<', '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if src[j-1] != '=' {
				depth--
			}
		case '"', '\'', '`':
			n := bytes.IndexByte(src[j+1:end], c)
			if n < 0 || bytes.IndexByte(src[j+1:j+1+n], '\n') >= 0 {
				return -1, j - i
			}
			j += n + 1
		case '/':
			j += commentLen(src[j:end])
		case ';':
			if depth <= 1 {
				return -1, j - i
			}
		}
		if depth > maxNesting {
			return -1, j - i
		}
		if depth == 0 {
			if src[j] == '>' {
				return j + 1, j - i
			}
			return -1, j - i
		}
	}
	return -1, end - i
}

// commentLen is how many bytes of a comment stand behind the first at the front of a text.
func commentLen(text []byte) int {
	end := []byte("\n")
	switch {
	case bytes.HasPrefix(text, []byte("//")):
	case bytes.HasPrefix(text, []byte("/*")):
		end = []byte("*/")
	default:
		return 0
	}
	if n := bytes.Index(text[2:], end); n >= 0 {
		return n + 2 + len(end) - 1
	}
	return len(text) - 1
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c-'0' < 10 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// lastWord splits off the name that a text ends in.
func lastWord(text []byte) (before, word []byte) {
	end := len(text)
	for end > 0 && isNameByte(text[end-1]) {
		end--
	}
	return text[:end], text[end:]
}

// declaresType reports whether a text ends in the head of a declaration of a type: the
// type parameters behind it may have a variance.
func declaresType(text []byte) bool {
	before, name := lastWord(text)
	if string(name) == "class" {
		return true
	}
	if len(name) == 0 || len(before) == 0 || before[len(before)-1] != ' ' {
		return false
	}
	switch _, word := lastWord(bytes.TrimRight(before, " ")); string(word) {
	case "interface", "class", "type":
		return true
	}
	return false
}

// blankVariance calls blank for each in and out before a type parameter of a list.
func blankVariance(list []byte, blank func(from, to int)) {
	depth, fresh := 0, false // fresh: at the front of a parameter
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '<' || c == '(' || c == '[' || c == '{':
			depth++
			fresh = depth == 1
		case c == ')' || c == ']' || c == '}' || c == '>' && list[i-1] != '=':
			depth--
			fresh = false
		case c == ',':
			fresh = depth == 1
		case c == '/':
			i += commentLen(list[i:])
		case c <= ' ':
		case isNameByte(c):
			end := i
			for end < len(list) && isNameByte(list[end]) {
				end++
			}
			if word := string(list[i:end]); fresh && (word == "in" || word == "out") && nameFollows(list[end:]) {
				blank(i, end)
			} else if word != "const" {
				fresh = false
			}
			i = end - 1
		default:
			fresh = false
		}
	}
}

// nameFollows reports whether white space and a name stand at the front of a text.
func nameFollows(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t\r\n")
	return len(rest) < len(text) && len(rest) > 0 && isNameByte(rest[0])
}

// omittedSemicolon returns where the semicolon belongs that ends the member before a
// call signature, whose type parameters stand from i to end, or -1: there is one, or
// the line goes on with what stands there; and how many bytes it has seen.
func omittedSemicolon(src []byte, i, end int) (at, seen int) {
	if end >= len(src) || src[end] != '(' {
		return -1, seen
	}
	line := bytes.LastIndexByte(src[max(0, i-maxComments):i], '\n') + max(0, i-maxComments)
	if line < max(0, i-maxComments) || len(bytes.TrimSpace(src[line:i])) > 0 {
		return -1, seen
	}
	from := max(0, line-maxComments)
	before := endOfCode(src[from:line])
	seen = line - from
	at = from + len(before)
	if len(before) == 0 || src[at] > ' ' {
		return -1, seen
	}
	switch c := before[len(before)-1]; {
	case c == '>' && len(before) > 1 && before[len(before)-2] != '=', c == ']', c == '}', c == ')':
	case isNameByte(c): // a type, and not what the list is of
		rest, _ := lastWord(before)
		for len(rest) > 0 && rest[len(rest)-1] == '.' {
			rest, _ = lastWord(rest[:len(rest)-1])
		}
		rest = bytes.TrimRight(rest, " ")
		if len(rest) == 0 || !bytes.HasSuffix(rest, []byte("=>")) && bytes.IndexByte([]byte(":|&"), rest[len(rest)-1]) < 0 {
			return -1, seen
		}
	default:
		return -1, seen
	}
	return at, seen
}

// maxComments bounds how far back the member before a call signature is looked for.
const maxComments = 10_000

// endOfCode cuts the comments and the white space that a text ends in.
func endOfCode(text []byte) []byte {
	for range maxRemarks {
		text = bytes.TrimRight(text, " \t\r\n")
		if bytes.HasSuffix(text, []byte("*/")) {
			open := bytes.LastIndex(text, []byte("/*"))
			if open < 0 {
				return text
			}
			text = text[:open]
			continue
		}
		line := text[bytes.LastIndexByte(text, '\n')+1:]
		if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//")) {
			return text
		}
		text = text[:len(text)-len(line)]
	}
	return nil
}

// maxRemarks bounds the comments in a row that are cut.
const maxRemarks = 100
