package swift

import (
	"bytes"
	"time"
)

// patience bounds the parse: see what the grammar takes for texts that it does not know.
// Those that it reads take a millisecond for each kilobyte at most.
func patience(size int) time.Duration {
	return time.Second + time.Duration(size)*10*time.Microsecond
}

// prepare blanks what the grammar does not know yet: the sign before the name of a macro,
// which is then called like a function, and the type of what a function throws.
func prepare(src []byte) (text []byte, notes any) {
	text = src
	own := func() {
		if len(text) > 0 && &text[0] == &src[0] {
			text = bytes.Clone(src)
		}
	}
	for from := 0; ; {
		i := bytes.IndexByte(src[from:], '#')
		if i < 0 {
			break
		}
		at := from + i
		from = at + 1
		if end := nameEnd(src, at+1); end > at+1 && !known(string(src[at+1:end])) && (at == 0 || !quoteBefore(src[at-1])) {
			own()
			text[at] = ' '
		}
	}
	for from := 0; ; {
		i := bytes.Index(src[from:], []byte("throws("))
		if i < 0 {
			break
		}
		at := from + i + len("throws")
		from = at + 1
		end := at + 1
		for end < len(src) && (nameEnd(src, end) > end || src[end] == '.') {
			end++
		}
		if end < len(src) && src[end] == ')' && end > at+1 {
			own()
			for k := at; k <= end; k++ {
				text[k] = ' '
			}
		}
	}
	return text, nil
}

func quoteBefore(c byte) bool { return c == '"' || c == '#' || c == '\\' }

func nameEnd(src []byte, at int) int {
	for at < len(src) && (src[at] == '_' || src[at]|0x20 >= 'a' && src[at]|0x20 <= 'z' || src[at] >= '0' && src[at] <= '9') {
		at++
	}
	return at
}

// known reports whether the grammar knows a word behind #.
func known(word string) bool {
	switch word {
	case "if", "else", "elseif", "endif", "available", "unavailable", "selector", "keyPath", "colorLiteral", "fileLiteral", "imageLiteral", "file", "fileID", "filePath", "line",
		"column", "function", "dsohandle", "warning", "error", "sourceLocation":
		return true
	}
	return false
}
