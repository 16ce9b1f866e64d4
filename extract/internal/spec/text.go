package spec

import "strings"

// OneLine returns s with each run of white space as one space, none at the ends.
// A text that is like that already is returned as it is.
func OneLine(s string) string {
	s = strings.TrimSpace(s)
	clean := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '\n' || c == '\t' || c == '\r' || c == ' ' && s[i+1] == ' ' {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func dropSpace(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n':
			return -1
		}
		return r
	}, s)
}

// maxDoc bounds a doc line: it is shown beside a name, not read for itself.
const maxDoc = 240

// DocLine returns the first line of a comment or doc string that says something,
// without comment marks or quotes.
func DocLine(s string) string {
	for len(s) > 0 {
		line := s
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			line, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if line = trimMarks(line); line != "" {
			if len(line) > maxDoc {
				line = strings.ToValidUTF8(line[:maxDoc], "")
			}
			return line
		}
	}
	return ""
}

func trimMarks(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range [...]string{"/**", "/*!", "/*", "///", "//!", "//", "---", "--", "#", "\"\"\"", "'''", "*/", "*"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			line = rest
			break
		}
	}
	for _, mark := range [...]string{"*/", "\"\"\"", "'''"} {
		line = strings.TrimSuffix(line, mark)
	}
	return OneLine(line)
}
