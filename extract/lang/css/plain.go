package css

import "bytes"

// plain keeps from the parser what stands in texts and behind backslashes: to tell a
// declaration from a selector it looks for the next brace, wherever that stands.
func plain(src []byte) ([]byte, any) {
	text := src
	put := func(at int) {
		if at >= len(src) || src[at] == '\n' || src[at] == '\r' {
			return
		}
		if &text[0] == &src[0] {
			text = bytes.Clone(src)
		}
		text[at] = '_'
	}
	for at := 0; at < len(src); at++ {
		switch c := src[at]; {
		case c == '/' && bytes.HasPrefix(src[at:], []byte("/*")):
			end := bytes.Index(src[at+2:], []byte("*/"))
			if end < 0 {
				return text, nil
			}
			at += end + 3
		case c == '\\':
			put(at)
			put(at + 1)
			at++
		case c == '"' || c == '\'':
			for at++; at < len(src) && src[at] != c && src[at] != '\n'; at++ {
				switch src[at] {
				case '\\':
					put(at)
					put(at + 1)
					at++
				case '{', '}', ';', ':', '/':
					put(at)
				}
			}
		}
	}
	return text, nil
}
