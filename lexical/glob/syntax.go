package glob

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// canonical checks a pattern and writes it so that no "/" of it is escaped or stands in a
// class, and that classes are made of members and ranges alone. The reason says what is
// wrong with it.
func canonical(pattern string) (text, reason string) {
	pattern = string([]rune(pattern)) // what braces put together must not become a character
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); {
		c := pattern[i]
		i++
		switch c {
		case '\\':
			if i == len(pattern) {
				return "", "a backslash stands at the end"
			}
			r, w := utf8.DecodeRuneInString(pattern[i:])
			writeLiteral(&b, r)
			i += w
			continue
		case '[':
			class, rest, why := parseClass(pattern[i:])
			if why != "" {
				return "", why
			}
			b.WriteString(class)
			i = len(pattern) - len(rest)
			continue
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return "", "unbalanced brace"
			}
		}
		b.WriteByte(c)
	}
	if depth > 0 {
		return "", "unbalanced brace"
	}
	return b.String(), ""
}

// writeLiteral writes a character that means itself.
func writeLiteral(b *strings.Builder, r rune) {
	if strings.ContainsRune(`*?[]{},\`, r) {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}

// runes is a range of characters, both ends included.
type runes struct{ from, to rune }

// parseClass reads what stands behind the bracket that opens a class: "!" or "^" for any
// character but those that follow, then characters, ranges and [:names:], up to a "]"
// that is not the first of them. A backslash takes the meaning of what follows it.
func parseClass(text string) (class, rest, reason string) {
	p := text
	negated := p != "" && (p[0] == '!' || p[0] == '^')
	if negated {
		p = p[1:]
	}
	var members []runes
	for first := true; ; first = false {
		if p == "" {
			return "", "", "unbalanced bracket"
		}
		if p[0] == ']' && !first {
			return writeClass(members, negated), p[1:], ""
		}
		if name, after, ok := className(p); ok {
			more, known := namedClass(name)
			if !known {
				return "", "", "there is no class [:" + name + ":]"
			}
			members, p = append(members, more...), after
			continue
		}
		var m runes
		if m.from, p = member(p); p == "" {
			return "", "", "unbalanced bracket"
		}
		m.to = m.from
		if len(p) > 1 && p[0] == '-' && p[1] != ']' {
			if m.to, p = member(p[1:]); p == "" {
				return "", "", "unbalanced bracket"
			}
		}
		members = append(members, m)
	}
}

// member reads one character, which a backslash may precede.
func member(p string) (rune, string) {
	if p[0] == '\\' && len(p) > 1 {
		p = p[1:]
	}
	r, w := utf8.DecodeRuneInString(p)
	return r, p[w:]
}

// className reads a "[:name:]".
func className(p string) (name, rest string, ok bool) {
	if p, ok = strings.CutPrefix(p, "[:"); !ok {
		return "", "", false
	}
	name, rest, ok = strings.Cut(p, "]")
	if !ok {
		return "", "", false
	}
	name, ok = strings.CutSuffix(name, ":")
	return name, rest, ok
}

// namedClass returns the characters of a POSIX class in ASCII.
func namedClass(name string) ([]runes, bool) {
	switch name {
	case "alnum":
		return []runes{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, true
	case "alpha":
		return []runes{{'A', 'Z'}, {'a', 'z'}}, true
	case "blank":
		return []runes{{' ', ' '}, {'\t', '\t'}}, true
	case "cntrl":
		return []runes{{0, 0x1f}, {0x7f, 0x7f}}, true
	case "digit":
		return []runes{{'0', '9'}}, true
	case "graph":
		return []runes{{'!', '~'}}, true
	case "lower":
		return []runes{{'a', 'z'}}, true
	case "print":
		return []runes{{' ', '~'}}, true
	case "punct":
		return []runes{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}, true
	case "space":
		return []runes{{'\t', '\r'}, {' ', ' '}}, true
	case "upper":
		return []runes{{'A', 'Z'}}, true
	case "xdigit":
		return []runes{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, true
	}
	return nil, false
}

// writeClass writes a class without the slash, which is no character of a name.
func writeClass(members []runes, negated bool) string {
	var b strings.Builder
	put := func(m runes) {
		if m.from > m.to {
			return // has no character
		}
		writeMember(&b, m.from)
		if m.to > m.from {
			b.WriteByte('-')
			writeMember(&b, m.to)
		}
	}
	for _, m := range members {
		if m.from <= '/' && '/' <= m.to {
			put(runes{m.from, '/' - 1})
			put(runes{'/' + 1, m.to})
			continue
		}
		put(m)
	}
	switch {
	case b.Len() == 0 && negated:
		return "?"
	case b.Len() == 0:
		return "[!\x00-" + string(utf8.MaxRune) + "]" // matches nothing
	case negated:
		return "[!" + b.String() + "]"
	}
	return "[" + b.String() + "]"
}

// writeMember writes a character of a class.
func writeMember(b *strings.Builder, r rune) {
	if slices.Contains([]rune(`\[]-!^`), r) {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}

// expand spells out the braces of a canonical pattern, if they give at most
// maxAlternatives patterns.
func expand(pattern string) (out []string, ok bool) {
	open, end := braces(pattern)
	if open < 0 {
		return []string{pattern}, true
	}
	for _, alt := range splitAlternatives(pattern[open+1 : end]) {
		more, ok := expand(pattern[:open] + alt + pattern[end+1:])
		if !ok || len(out)+len(more) > maxAlternatives {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// braces finds the first outermost pair.
func braces(p string) (open, end int) {
	depth := 0
	open = -1
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = skipClass(p, i)
		case '{':
			if depth == 0 {
				open = i
			}
			depth++
		case '}':
			if depth--; depth == 0 {
				return open, i
			}
		}
	}
	return -1, -1
}

// skipClass returns the place of the bracket that closes the class at i.
func skipClass(p string, i int) int {
	for i++; p[i] != ']'; i++ {
		if p[i] == '\\' {
			i++
		}
	}
	return i
}

func splitAlternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i = skipClass(s, i)
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}
