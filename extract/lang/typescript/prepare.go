package typescript

import "bytes"

// prepare rewrites what the grammar of TypeScript does not know, at equal length: the
// variance of type parameters, as in interface Box<in out T>, becomes white space, a
// call signature that begins a line gets the semicolon that the line before may omit,
// and quotes that are escaped in templates, which may be types, become white space.
func prepare(src []byte) ([]byte, any) {
	var out []byte
	edit := func() []byte {
		if out == nil {
			out = bytes.Clone(src)
		}
		return out
	}
	for i := 0; ; i++ {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			break
		}
		i += n
		switch end := typeParametersEnd(src, i); {
		case end < 0:
		case declaresType(src[:i]):
			blankVariance(src[i:end], func(from, to int) { copy(edit()[i+from:i+to], "      ") })
		default:
			if at := omittedSemicolon(src, i, end); at >= 0 {
				edit()[at] = ';'
			}
		}
	}
	for i := 0; ; i += 2 {
		n := bytes.Index(src[i:], []byte("\\`"))
		if n < 0 {
			break
		}
		i += n
		if slashes := src[:i+1]; (len(slashes)-len(bytes.TrimRight(slashes, "\\")))%2 == 1 {
			copy(edit()[i:i+2], "  ")
		}
	}
	if out == nil {
		return src, nil
	}
	return out, nil
}

// maxTypeParameters bounds the length of a list of type parameters.
const maxTypeParameters = 4000

// maxNesting bounds the brackets in brackets of one.
const maxNesting = 60

// typeParametersEnd returns the offset behind the list that opens at i, or -1 where
// what stands there is none.
func typeParametersEnd(src []byte, i int) int {
	if i+1 >= len(src) || !isNameByte(src[i+1]) && src[i+1] > ' ' && src[i+1] != '/' {
		return -1
	}
	depth := 0
	quote := byte(0)
	for j, c := range src[i:min(len(src), i+maxTypeParameters)] {
		if quote != 0 {
			switch c {
			case quote:
				quote = 0
			case '\n':
				return -1
			}
			continue
		}
		switch c {
		case '<', '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if src[i+j-1] != '=' {
				depth--
			}
		case '"', '\'', '`':
			quote = c
		case ';':
			if depth <= 1 {
				return -1
			}
		}
		if depth > maxNesting {
			return -1
		}
		if depth == 0 {
			if c == '>' {
				return i + j + 1
			}
			return -1
		}
	}
	return -1
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
// the line goes on with what stands there.
func omittedSemicolon(src []byte, i, end int) int {
	if end >= len(src) || src[end] != '(' {
		return -1
	}
	line := bytes.LastIndexByte(src[:i], '\n')
	if line < 0 || len(bytes.TrimSpace(src[line:i])) > 0 {
		return -1
	}
	from := max(0, line-maxComments)
	before := endOfCode(src[from:line])
	at := from + len(before)
	if len(before) == 0 || src[at] > ' ' {
		return -1
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
			return -1
		}
	default:
		return -1
	}
	return at
}

// maxComments bounds how far back the member before a call signature is looked for.
const maxComments = 20_000

// endOfCode cuts the comments and the white space that a text ends in.
func endOfCode(text []byte) []byte {
	for {
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
}
