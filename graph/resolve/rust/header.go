package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// header is what stands before the brace of an impl block.
type header struct {
	params string // type parameters with their brackets, or ""
	trait  string // "" of an inherent impl
	self   string
	where  string
	fn     string // the signature of the member
}

// headerOf takes the signature of a member of an impl block apart.
func headerOf(d *graph.Def) (h header, ok bool) {
	s, ok := strings.CutPrefix(d.Signature, "impl")
	if !ok || d.Owner == "" {
		return h, false
	}
	if strings.HasPrefix(s, "<") {
		end := closing(s, 0)
		if end < 0 {
			return h, false
		}
		h.params, s = s[:end+1], s[end+1:]
	}
	head, fn, ok := cutTop(s, " { ")
	if !ok {
		return h, false
	}
	h.fn = strings.TrimSuffix(fn, " }")
	if before, where, ok := cutTop(head, " where "); ok {
		head, h.where = before, where
	}
	if trait, self, ok := cutTop(head, " for "); ok {
		h.trait, h.self = strings.TrimSpace(trait), strings.TrimSpace(self)
	} else {
		h.self = strings.TrimSpace(head)
	}
	return h, true
}

// closing returns the index of the bracket that closes the one at s[i], or -1.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i > 0 && (s[i-1] == '-' || s[i-1] == '=') { // -> and =>
				continue
			}
			depth--
		case ')', ']', '}':
			depth--
		default:
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// cutTop cuts s at the first separator outside brackets.
func cutTop(s, sep string) (before, after string, ok bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.HasPrefix(s[i:], sep) {
			return s[:i], s[i+len(sep):], true
		}
		if c := s[i]; c == '(' || c == '[' || c == '{' || c == '<' {
			end := closing(s, i)
			if end < 0 {
				return s, "", false
			}
			i = end
		}
	}
	return s, "", false
}

// splitTop splits s at a separator outside brackets.
func splitTop(s, sep string) []string {
	var out []string
	for {
		before, after, ok := cutTop(s, sep)
		if before = strings.TrimSpace(before); before != "" {
			out = append(out, before)
		}
		if !ok {
			return out
		}
		s = after
	}
}

// typeParam is a type parameter with its bounds, and those of a where clause.
type typeParam struct {
	name   string
	bounds []string
}

// paramsOf returns the type parameters that a definition declares; of a member of an
// impl block also those of the block.
func paramsOf(d *graph.Def) []typeParam {
	sig := d.Signature
	var out []typeParam
	if h, ok := headerOf(d); ok {
		out = parseParams(out, h.params)
		out = parseWhere(out, h.where)
		sig = h.fn
	}
	at := strings.Index(sig, d.Name)
	if at < 0 {
		return out
	}
	rest := sig[at+len(d.Name):]
	if strings.HasPrefix(rest, "<") {
		if end := closing(rest, 0); end > 0 {
			out = parseParams(out, rest[:end+1])
			rest = rest[end+1:]
		}
	}
	if _, where, ok := cutTop(rest, " where "); ok {
		out = parseWhere(out, where)
	}
	return out
}

// hasParam reports whether a definition declares a type parameter of a name.
func hasParam(d *graph.Def, name string) bool {
	if !strings.Contains(d.Signature, "<") {
		return false
	}
	for _, p := range paramsOf(d) {
		if p.name == name {
			return true
		}
	}
	return false
}

func parseParams(out []typeParam, text string) []typeParam {
	if len(text) < 2 {
		return out
	}
	for _, p := range splitTop(text[1:len(text)-1], ",") {
		if p[0] == '\'' {
			continue
		}
		p = strings.TrimPrefix(p, "const ")
		p, _, _ = cutTop(p, "=")
		name, bounds, _ := cutTop(p, ":")
		out = append(out, typeParam{strings.TrimSpace(name), splitTop(bounds, "+")})
	}
	return out
}

func parseWhere(out []typeParam, text string) []typeParam {
	for _, p := range splitTop(text, ",") {
		name, bounds, ok := cutTop(p, ":")
		name = strings.TrimSpace(name)
		if !ok || strings.HasPrefix(bounds, ":") || name == "" || name[0] == '\'' {
			continue
		}
		found := false
		for i := range out {
			if out[i].name == name {
				out[i].bounds = append(out[i].bounds, splitTop(bounds, "+")...)
				found = true
			}
		}
		if !found {
			out = append(out, typeParam{name, splitTop(bounds, "+")})
		}
	}
	return out
}

// argTypes returns the types of the parameters of a function, without its receiver.
func argTypes(d *graph.Def) []string {
	sig := d.Signature
	if h, ok := headerOf(d); ok {
		sig = h.fn
	}
	at := strings.Index(sig, d.Name)
	if at < 0 {
		return nil
	}
	rest := sig[at+len(d.Name):]
	if strings.HasPrefix(rest, "<") {
		end := closing(rest, 0)
		if end < 0 {
			return nil
		}
		rest = rest[end+1:]
	}
	if !strings.HasPrefix(rest, "(") {
		return nil
	}
	end := closing(rest, 0)
	if end < 0 {
		return nil
	}
	var out []string
	for i, p := range splitTop(rest[1:end], ",") {
		name, typ, ok := cutTop(p, ":")
		switch {
		case !ok && i == 0 && strings.HasSuffix(p, "self"):
		case ok && strings.TrimSpace(name) == "self":
		case ok:
			out = append(out, strings.TrimSpace(typ))
		default:
			out = append(out, p)
		}
	}
	return out
}

// tupleTypes returns the types of the fields of a tuple struct or variant.
func tupleTypes(d *graph.Def) []string {
	at := strings.Index(d.Signature, d.Name)
	if at < 0 {
		return nil
	}
	rest := d.Signature[at+len(d.Name):]
	if strings.HasPrefix(rest, "<") {
		end := closing(rest, 0)
		if end < 0 {
			return nil
		}
		rest = rest[end+1:]
	}
	if rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "(") {
		return nil
	}
	end := closing(rest, 0)
	if end < 0 {
		return nil
	}
	out := splitTop(rest[1:end], ",")
	for i, t := range out {
		if after, ok := strings.CutPrefix(t, "pub"); ok && (strings.HasPrefix(after, " ") || strings.HasPrefix(after, "(")) {
			if after[0] == '(' {
				if e := closing(after, 0); e > 0 {
					after = after[e+1:]
				}
			}
			out[i] = strings.TrimSpace(after)
		}
		for strings.HasPrefix(out[i], "#[") { // attributes
			e := closing(out[i], 1)
			if e < 0 {
				break
			}
			out[i] = strings.TrimSpace(out[i][e+1:])
		}
	}
	return out
}

// bareType strips what leaves no trace in member access: references, raw pointers,
// lifetimes, dyn, impl and parentheses around the whole.
func bareType(t string) string {
	for {
		t = strings.TrimSpace(t)
		switch {
		case strings.HasPrefix(t, "&"):
			t = t[1:]
		case strings.HasPrefix(t, "'"):
			i := 1
			for i < len(t) && isWordByte(t[i]) {
				i++
			}
			t = t[i:]
		case strings.HasPrefix(t, "mut "):
			t = t[len("mut "):]
		case strings.HasPrefix(t, "dyn "):
			t = t[len("dyn "):]
		case strings.HasPrefix(t, "impl "):
			t = t[len("impl "):]
		case strings.HasPrefix(t, "*const "):
			t = t[len("*const "):]
		case strings.HasPrefix(t, "*mut "):
			t = t[len("*mut "):]
		case strings.HasPrefix(t, "for<"):
			end := closing(t, 3)
			if end < 0 {
				return t
			}
			t = t[end+1:]
		case strings.HasPrefix(t, "(") && closing(t, 0) == len(t)-1 && len(splitTop(t[1:len(t)-1], ",")) == 1 && !strings.HasSuffix(t, ",)"):
			t = t[1 : len(t)-1]
		default:
			return t
		}
	}
}

// splitArgs splits "a::B<C, D>" into the path and what stands in the last brackets.
func splitArgs(t string) (path string, args []string) {
	if !strings.HasSuffix(t, ">") {
		return t, nil
	}
	for i := 0; i < len(t); i++ {
		if t[i] == '<' {
			end := closing(t, i)
			if end == len(t)-1 {
				return strings.TrimSuffix(t[:i], "::"), splitTop(t[i+1:end], ",")
			}
			if end < 0 {
				break
			}
			i = end
		}
	}
	return t, nil
}
