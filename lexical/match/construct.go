package match

import "strings"

// construct is a piece of syntax that RE2 lacks.
type construct struct {
	prefix     string
	name       string
	backtracks bool // the backtracking matcher takes it
}

// constructs is ordered so that a longer prefix comes before its own prefix.
func constructs() []construct {
	return []construct{
		{"(?=", "lookahead", true},
		{"(?!", "negative lookahead", true},
		{"(?<=", "lookbehind", true},
		{"(?<!", "negative lookbehind", true},
		{"(?>", "atomic group", true},
		{"(?(", "conditional", true},
		{"(?P=", "named backreference", true},
		{"(?|", "branch reset", false},
		{"(?R)", "recursion", false},
		{"(?&", "recursion", false},
		{"(?P>", "recursion", false},
		{"(?+", "recursion", false},
		{"(?#", "comment", true},
		{"(*", "verb", false},
		{`\k`, "named backreference", true},
		{`\K`, `reset of the match start (\K)`, false},
		{`\R`, `any line break (\R)`, false},
		{`\X`, `grapheme (\X)`, false},
		{`\G`, `continuation (\G)`, false},
		{`\h`, `horizontal space (\h)`, false},
		{`\g`, "subroutine or relative backreference", false},
	}
}

// constructOf names the construct that keeps RE2 from taking the text: one that no
// matcher takes before one that backtracking does.
func constructOf(text string) (name string, backtracks bool) {
	for i := 0; i < len(text); {
		found, takes := constructAt(text[i:])
		if found == "" && possessive(text, i) {
			found = "possessive quantifier"
		}
		if found != "" && !takes {
			return found, false
		}
		if found != "" && name == "" {
			name, backtracks = found, true
		}
		if i = skipAtom(text, i); i < 0 {
			break
		}
	}
	return name, backtracks
}

func constructAt(text string) (name string, backtracks bool) {
	for _, c := range constructs() {
		if strings.HasPrefix(text, c.prefix) {
			return c.name, c.backtracks
		}
	}
	switch {
	case len(text) > 1 && text[0] == '\\' && '1' <= text[1] && text[1] <= '9':
		return "backreference", true
	case len(text) > 3 && strings.HasPrefix(text, "(?") && '0' <= text[2] && text[2] <= '9':
		return "recursion", false
	}
	return "", false
}

// possessive reports whether the byte at i is the plus of a*+, a++, a?+ or a{2}+.
// An escaped or bracketed quantifier never gets here: escapes and classes are
// skipped whole, so only the byte before must be looked at.
func possessive(text string, i int) bool {
	if text[i] != '+' || i < 2 {
		return false
	}
	switch text[i-1] {
	case '*', '+', '?', '}':
		return text[i-2] != '\\'
	}
	return false
}
