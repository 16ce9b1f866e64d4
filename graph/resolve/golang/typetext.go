package golang

import "strings"

// This file takes types apart as they are written.

// matching returns the index of the bracket that closes the one at s[i], or -1.
func matching(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits s at commas outside brackets.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[from:]); last != "" {
		out = append(out, last)
	}
	return out
}

// bareType strips pointers, parentheses around the whole and the like.
func bareType(t string) string {
	for {
		t = strings.TrimSpace(t)
		switch {
		case strings.HasPrefix(t, "*"), strings.HasPrefix(t, "&"), strings.HasPrefix(t, "~"):
			t = t[1:]
		case strings.HasPrefix(t, "...") && len(t) > 3:
			t = t[3:]
		case t != "" && t[0] == '(' && matching(t, 0) == len(t)-1:
			t = t[1 : len(t)-1]
		default:
			return t
		}
	}
}

// elementType returns the element and key of a slice, array, map or channel type.
func elementType(t string) (elem, key string, ok bool) {
	t = bareType(t)
	switch {
	case strings.HasPrefix(t, "map["):
		end := matching(t, 3)
		if end < 0 {
			return "", "", false
		}
		return t[end+1:], t[4:end], true
	case strings.HasPrefix(t, "["):
		end := matching(t, 0)
		if end < 0 || end+1 == len(t) {
			return "", "", false
		}
		return t[end+1:], "int", true
	case strings.HasPrefix(t, "chan<- "):
		return t[len("chan<- "):], t[len("chan<- "):], true
	case strings.HasPrefix(t, "<-chan "):
		return t[len("<-chan "):], t[len("<-chan "):], true
	case strings.HasPrefix(t, "chan "):
		return t[len("chan "):], t[len("chan "):], true
	}
	return "", "", false
}

// yielded returns what the n-th variable of a range over an iterator holds.
func yielded(t string, n int) (string, bool) {
	t = bareType(t)
	for _, seq := range [...]string{"iter.Seq[", "iter.Seq2["} {
		if args, ok := strings.CutPrefix(t, seq); ok && strings.HasSuffix(args, "]") {
			if parts := splitTop(args[:len(args)-1]); len(parts) > n {
				return parts[n], true
			}
		}
	}
	if !strings.HasPrefix(t, "func(") {
		return "", false
	}
	list, _, ok := parameters(t)
	if !ok {
		return "", false
	}
	types := listTypes(list)
	if len(types) != 1 || !strings.HasPrefix(types[0], "func(") {
		return "", false
	}
	list, _, ok = parameters(types[0])
	if types = listTypes(list); !ok || len(types) <= n {
		return "", false
	}
	return types[n], true
}

// structFields returns the names and types of the fields of a struct type without a
// name; an embedded field has the name "".
func structFields(t string) (fields [][2]string) {
	body, ok := strings.CutPrefix(bareType(t), "struct{")
	if !ok {
		return nil
	}
	depth, from := 0, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '(', '[', '{':
			depth++
		case ')', ']':
			depth--
		case ';', '}':
			if depth == 0 {
				if f := strings.TrimSpace(body[from:i]); f != "" && f != "..." {
					name, typ, ok := strings.Cut(f, " ")
					if !ok || !isIdent(name) {
						name, typ = "", f
					}
					fields = append(fields, [2]string{name, typ})
				}
				from = i + 1
			}
			if body[i] == '}' {
				depth--
			}
		}
	}
	return fields
}

// splitName splits "pkg.Name[args]" into its parts; ok is false for a type that has
// no name.
func splitName(t string) (qualifier, name string, ok bool) {
	t = bareType(t)
	if i := strings.IndexByte(t, '['); i > 0 {
		t = t[:i]
	}
	if q, n, has := strings.Cut(t, "."); has {
		qualifier, t = q, n
	}
	if !isIdent(t) || qualifier != "" && !isIdent(qualifier) {
		return "", "", false
	}
	return qualifier, t, true
}

// results returns the result types of a function signature or function type.
func results(sig string) []string {
	_, after, ok := parameters(sig)
	if !ok {
		return nil
	}
	after = strings.TrimSpace(after)
	if after == "" {
		return nil
	}
	if after[0] != '(' || matching(after, 0) != len(after)-1 {
		return []string{after}
	}
	return listTypes(after[1 : len(after)-1])
}

// parameters returns the text in a signature's parameter list and behind it.
func parameters(sig string) (list, after string, ok bool) {
	s := strings.TrimPrefix(sig, "func")
	if s != sig && strings.HasPrefix(s, " (") { // a method's receiver
		end := matching(s, 1)
		if end < 0 {
			return "", "", false
		}
		s = s[end+1:]
	}
	i := strings.IndexAny(s, "([")
	if i >= 0 && s[i] == '[' { // type parameters
		end := matching(s, i)
		if end < 0 {
			return "", "", false
		}
		i = end + 1
	}
	if i < 0 || i >= len(s) || s[i] != '(' {
		return "", "", false
	}
	end := matching(s, i)
	if end < 0 {
		return "", "", false
	}
	return s[i+1 : end], s[end+1:], true
}

// listTypes returns the types of a parameter list, one for each parameter.
func listTypes(list string) []string {
	parts := splitTop(list)
	named := false
	for _, p := range parts {
		if _, ok := namedParam(p); ok {
			named = true
		}
	}
	if !named {
		return parts
	}
	types := make([]string, len(parts))
	last := ""
	for i := len(parts) - 1; i >= 0; i-- {
		if t, ok := namedParam(parts[i]); ok {
			last = t
		}
		types[i] = last
	}
	return types
}

// namedParam returns the type in "name type"; ok is false for a type alone.
func namedParam(p string) (typ string, ok bool) {
	name, typ, ok := strings.Cut(p, " ")
	if !ok || !isIdent(name) || strings.HasPrefix(name, "<") {
		return "", false
	}
	switch name {
	case "chan", "chan<-", "func", "struct", "interface":
		return "", false
	}
	return typ, true
}

// arity returns the number of parameters and results of a signature.
func arity(sig string) (params, res int, ok bool) {
	list, _, ok := parameters(sig)
	if !ok {
		return 0, 0, false
	}
	return len(splitTop(list)), len(results(sig)), true
}

// typeParam is a type parameter; one of a receiver has no constraint.
type typeParam struct{ name, constraint string }

// typeParamList returns the type parameters in a signature of a function, method or
// type: of a method, those of its receiver.
func typeParamList(sig string) []typeParam {
	s, start := sig, -1
	switch {
	case strings.HasPrefix(sig, "func ("): // "func (r *T[P]) M("
		end := matching(sig, len("func "))
		if end < 0 {
			return nil
		}
		s = sig[:end]
		start = strings.IndexByte(s, '[')
	case strings.HasPrefix(sig, "func["):
		start = len("func")
	case strings.HasPrefix(sig, "func "), strings.HasPrefix(sig, "type "):
		for i := len("func "); i < len(sig); i++ {
			if sig[i] == ' ' || sig[i] == '(' {
				break
			}
			if sig[i] == '[' {
				start = i
				break
			}
		}
	}
	if start < 0 {
		return nil
	}
	end := matching(s, start)
	if end < 0 {
		return nil
	}
	parts := splitTop(s[start+1 : end])
	out := make([]typeParam, len(parts))
	last := ""
	for i := len(parts) - 1; i >= 0; i-- { // "K, V any": the constraint is that of what follows
		n, c, ok := strings.Cut(parts[i], " ")
		if ok {
			last = c
		}
		out[i] = typeParam{n, last}
	}
	return out
}
