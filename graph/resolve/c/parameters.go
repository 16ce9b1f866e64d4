package c

import "strings"

// parameterTypes lists the types of the parameters of a signature, without names, default
// values and what const says of the parameter itself.
func parameterTypes(sig string) []string {
	list := parameterList(sig)
	if list == "" || list == "void" {
		return nil
	}
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(list); i++ {
		if i < len(list) {
			switch list[i] {
			case '(', '<', '[', '{':
				depth++
			case ')', '>', ']', '}':
				depth--
			}
			if list[i] != ',' || depth > 0 {
				continue
			}
		}
		out = append(out, parameterType(list[from:i]))
		from = i + 1
	}
	return out
}

// parameterList returns what stands between the parentheses of a signature's parameters.
func parameterList(sig string) string {
	open := parameterStart(sig)
	if open < 0 {
		return ""
	}
	depth := 0
	for i := open; i < len(sig); i++ {
		switch sig[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return strings.TrimSpace(sig[open+1 : i])
			}
		}
	}
	return ""
}

// parameterStart returns the place of the parenthesis that begins the parameters, or -1.
func parameterStart(sig string) int {
	angle := 0
	for i := 0; i < len(sig); i++ {
		switch sig[i] {
		case '<':
			angle++
		case '>':
			angle = max(0, angle-1)
		case '(':
			if angle == 0 {
				return i
			}
		}
	}
	return -1
}

// parameterType returns the type of one parameter: "const char*" of "const char *p = 0".
func parameterType(p string) string {
	p, _, _ = strings.Cut(p, "=")
	p = strings.TrimSpace(p)
	if i := strings.IndexByte(p, '['); i > 0 { // an array is a pointer
		p = strings.TrimSpace(p[:i]) + "*"
		if j := strings.LastIndexAny(p[:len(p)-1], " *&"); j >= 0 {
			p = p[:j+1] + "*"
		}
	}
	from := len(p)
	for from > 0 && isWord(p[from-1]) {
		from--
	}
	if name, before := p[from:], strings.TrimSpace(p[:from]); name != "" && before != "" && !builtin(name) && !qualifies(before) && !strings.HasSuffix(before, ":") {
		p = before
	}
	fields := strings.Fields(p)
	p = strings.Join(fields, " ")
	for _, mark := range [...]string{"*", "&"} {
		p = strings.ReplaceAll(p, " "+mark, mark)
		p = strings.ReplaceAll(p, mark+" ", mark)
	}
	return p
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// qualifies reports whether a text holds only words that need a type behind them.
func qualifies(text string) bool {
	for _, w := range strings.Fields(text) {
		switch w {
		case "const", "volatile", "struct", "class", "enum", "union", "typename":
		default:
			return false
		}
	}
	return true
}
