package accuracy

import "strings"

// disputed reports whether not every tool would call something a definition: macros,
// which a compiler does not see, type parameters, and fields without a name.
func disputed(r *Record) bool {
	switch r.Kind {
	case "macro", "typeparam", "typaram", "type_parameter":
		return true
	}
	return strings.Trim(r.Name, "0123456789") == ""
}

// plainSites tells the calls that a reader of the text can see: the name stands in the
// text, not in what a macro is replaced by, and what is called, where it is in the tree,
// is one of the truth's definitions, not a declaration.
func (s *scorer) plainSites(truth []Record) func(site, *truthSite) bool {
	defs := map[Place]bool{}
	for i := range truth {
		if r := &truth[i]; r.K == "def" {
			defs[Place{r.File, r.Line}] = true
		}
	}
	return func(k site, t *truthSite) bool {
		defined := len(t.targets) == 0
		for p := range t.targets {
			defined = defined || defs[p]
		}
		return defined && (s.text == nil || s.named(k, t))
	}
}

// named reports whether the name that is called stands at its place.
func (s *scorer) named(k site, t *truthSite) bool {
	at := offset(s.text(k.file), k)
	return at >= 0 && t.rec.Name != "" && strings.HasPrefix(s.text(k.file)[at:], t.rec.Name)
}

// offset returns where a place stands in a text, or -1.
func offset(text string, k site) int {
	at := 0
	for line := 1; line < k.line; line++ {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	if at += k.col - 1; at < 0 || at >= len(text) {
		return -1
	}
	return at
}

// macroReach bounds how far before a call the brackets are looked at.
const macroReach = 20_000

// inMacro reports whether a place stands in the arguments of a Rust macro: whether one of
// the brackets around it has an exclamation mark before it.
func inMacro(text string, k site) bool {
	at := offset(text, k)
	if at < 0 || !strings.HasSuffix(k.file, ".rs") {
		return false
	}
	depth := 0
	for i := at - 1; i > max(0, at-macroReach); i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				depth = 0
				if strings.HasSuffix(strings.TrimRight(text[:i], " \t\r\n"), "!") {
					return true
				}
			}
		}
	}
	return false
}
