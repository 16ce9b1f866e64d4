package csharp

import "bytes"

// prepare blanks the lines of #if and its like, and all branches but the first of each, as
// the grammar does where they part statements, and does not where they part half of one.
func prepare(src []byte) (text []byte, notes any) {
	if !bytes.Contains(src, []byte("#if")) {
		return src, nil
	}
	text = bytes.Clone(src)
	var others []bool // of each #if around: a branch behind the first
	for from := 0; from < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
			end = from + i
		}
		line := bytes.TrimLeft(src[from:end], " \t\ufeff")
		word := directive(line)
		hidden := false
		for _, other := range others {
			hidden = hidden || other
		}
		switch word {
		case "if":
			others = append(others, false)
		case "elif", "else":
			if n := len(others); n > 0 {
				others[n-1] = true
			}
		case "endif":
			if n := len(others); n > 0 {
				others = others[:n-1]
			}
		}
		if hidden || word == "if" || word == "elif" || word == "else" || word == "endif" {
			blank(text[from:end])
		}
		from = end + 1
	}
	return text, nil
}

// directive returns the word behind the # of a line, or "".
func directive(line []byte) string {
	if len(line) == 0 || line[0] != '#' {
		return ""
	}
	word := bytes.TrimLeft(line[1:], " \t")
	i := 0
	for i < len(word) && word[i] >= 'a' && word[i] <= 'z' {
		i++
	}
	return string(word[:i])
}

func blank(line []byte) {
	for i := range line {
		if line[i] != '\r' {
			line[i] = ' '
		}
	}
}
