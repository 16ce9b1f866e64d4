package typescript

import "strings"

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isIdent reports whether c can stand in an identifier. Bytes above ASCII count:
// letters of other scripts are legal there, and nothing else in a type uses them.
func isIdent(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= 0x80 || c-'0' < 10 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// skipString returns the offset behind the quoted text that starts at i.
func skipString(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(s)
}

// skipBalanced returns the offset behind the bracketed run that starts at i. The
// '>' of an arrow closes nothing.
func skipBalanced(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i == 0 || s[i-1] != '=' {
				depth--
			}
		case ')', ']', '}':
			depth--
		case '\'', '"', '`':
			i = skipString(s, i)
			continue
		}
		i++
		if depth <= 0 {
			return i
		}
	}
	return len(s)
}

// topIndex returns the offset of c outside brackets and strings, or -1.
func topIndex(s string, c byte) int {
	for i := 0; i < len(s); {
		switch s[i] {
		case c:
			return i
		case '(', '[', '{', '<':
			i = skipBalanced(s, i)
		case '\'', '"', '`':
			i = skipString(s, i)
		default:
			i++
		}
	}
	return -1
}

// splitTop cuts s at each sep outside brackets and strings and drops empty parts.
func splitTop(s string, sep byte) []string {
	var parts []string
	for s != "" {
		i := topIndex(s, sep)
		if i < 0 {
			i = len(s)
		}
		if strings.TrimSpace(s[:i]) != "" {
			parts = append(parts, s[:i])
		}
		if i == len(s) {
			break
		}
		s = s[i+1:]
	}
	return parts
}

// parseParams reads the inside of a parameter list. The type of a this parameter
// is apart: no argument fills it.
func parseParams(s string) (out []param, this string) {
	for _, part := range splitTop(s, ',') {
		part = strings.TrimSpace(part)
		rest := strings.HasPrefix(part, "...")
		part = strings.TrimPrefix(part, "...")
		optional := false
		if eq := topIndex(part, '='); eq >= 0 && !strings.HasPrefix(part[eq:], "=>") {
			part, optional = part[:eq], true
		}
		name, text := part, ""
		if colon := topIndex(part, ':'); colon >= 0 {
			name, text = part[:colon], strings.TrimSpace(part[colon+1:])
		}
		optional = optional || strings.HasSuffix(strings.TrimSpace(name), "?")
		name = strings.TrimRight(name, "? ")
		if strings.IndexByte("{[", (name + " ")[0]) >= 0 {
			name = "" // a pattern
		}
		name = name[strings.LastIndexByte(name, ' ')+1:] // private readonly x
		if name == "this" {
			this = text
			continue
		}
		out = append(out, param{name: name, text: text, rest: rest, optional: optional})
	}
	return out, this
}

// signatureParams returns the parameters that a signature text declares.
func signatureParams(sig string) []param {
	i := paramStart(sig)
	if i < 0 {
		return nil
	}
	end := skipBalanced(sig, i)
	if end-1 <= i {
		return nil
	}
	params, _ := parseParams(sig[i+1 : end-1])
	return params
}

// paramStart finds the parenthesis that opens the parameters: the first outside
// type parameters and decorators' arguments.
func paramStart(sig string) int {
	for i := 0; i < len(sig); {
		switch sig[i] {
		case '<':
			i = skipBalanced(sig, i)
		case '\'', '"':
			i = skipString(sig, i)
		case '(':
			return i
		default:
			i++
		}
	}
	return -1
}

// typeParam is one type parameter with the bound it extends, "" for none.
type typeParam struct{ name, bound string }

// signatureTypeParams reads the type parameters of a class, interface, alias or
// function from its signature text.
func signatureTypeParams(sig string) []typeParam {
	lt := strings.IndexByte(sig, '<')
	if lt < 0 {
		return nil
	}
	if paren := strings.IndexByte(sig, '('); paren >= 0 && paren < lt {
		return nil
	}
	if ext := strings.Index(sig, " extends "); ext >= 0 && ext < lt {
		return nil // the arguments of the base, not parameters of its own
	}
	if eq := strings.IndexByte(sig, '='); eq >= 0 && eq < lt && strings.TrimSpace(sig[eq+1:lt]) != "" {
		return nil // of the value, unless it is a generic arrow function
	}
	if colon := strings.IndexByte(sig, ':'); colon >= 0 && colon < lt {
		return nil
	}
	end := skipBalanced(sig, lt)
	if end-1 <= lt {
		return nil
	}
	var out []typeParam
	for _, part := range splitTop(sig[lt+1:end-1], ',') {
		if eq := topIndex(part, '='); eq >= 0 && !strings.HasPrefix(part[eq:], "=>") {
			part = part[:eq]
		}
		name, bound, _ := strings.Cut(strings.TrimSpace(part), " extends ")
		for _, word := range [...]string{"const ", "in ", "out "} {
			name = strings.TrimPrefix(name, word)
		}
		out = append(out, typeParam{strings.TrimSpace(name), strings.TrimSpace(bound)})
	}
	return out
}

// baseArgs returns the type arguments that a class or interface hands to its base.
func baseArgs(sig, base string) []string {
	for rest := sig; ; {
		i := strings.Index(rest, base+"<")
		if i < 0 {
			return nil
		}
		at := i + len(base)
		if i > 0 && !isIdent(rest[i-1]) && strings.Contains(sig[:len(sig)-len(rest)+i], " extends ") ||
			i > 0 && strings.Contains(sig[:len(sig)-len(rest)+i], " implements ") {
			end := skipBalanced(rest, at)
			return splitTop(rest[at+1:max(at+1, end-1)], ',')
		}
		rest = rest[at:]
	}
}
