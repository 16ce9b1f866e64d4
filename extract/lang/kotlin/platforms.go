package kotlin

import "bytes"

// prepare blanks the modifiers of declarations that are made anew for each platform, which
// the grammar does not know everywhere: expect and actual are names elsewhere.
func prepare(src []byte) (text []byte, notes any) {
	text = src
	for _, word := range [...]string{"actual", "expect"} {
		for from := 0; ; {
			i := bytes.Index(src[from:], []byte(word))
			if i < 0 {
				break
			}
			at, end := from+i, from+i+len(word)
			from = end
			if at > 0 && !bytes.ContainsRune([]byte(" \t\n(;{"), rune(src[at-1])) || end == len(src) || src[end] != ' ' && src[end] != '\n' || !modifies(src[end:]) {
				continue
			}
			if &text[0] == &src[0] {
				text = bytes.Clone(src)
			}
			copy(text[at:end], "      ")
		}
	}
	if len(src) > 0 && &text[0] == &src[0] {
		text = bytes.Clone(src)
	}
	separate(text)
	return text, nil
}

// modifies reports whether a declaration or another modifier follows.
func modifies(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	i := 0
	for i < len(rest) && rest[i] >= 'a' && rest[i] <= 'z' {
		i++
	}
	switch string(rest[:i]) {
	case "val", "var", "fun", "class", "interface", "object", "constructor", "typealias", "enum", "annotation", "abstract", "open", "sealed", "data", "value", "inline", "inner",
		"companion", "suspend", "operator", "infix", "override", "external", "tailrec", "const", "lateinit", "public", "private", "protected", "internal", "final":
		return true
	}
	return false
}
