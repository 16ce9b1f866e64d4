package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// typeParameter is one of a generic type or method, with its bounds.
type typeParameter struct{ name, bound string }

// typeParams reads the type parameters of a type or method off its signature.
func typeParams(d *graph.Def) []typeParameter {
	sig := d.Signature
	open := strings.IndexByte(sig, '<')
	if open < 0 {
		return nil
	}
	before := sig[:open]
	if isTypeKind(d.Kind) {
		if head := strings.TrimRight(before, " "); !strings.HasSuffix(head, d.Name) || strings.ContainsAny(before, "({") {
			return nil
		}
	} else if !onlyModifiers(before) {
		return nil
	}
	end := closing(sig, open)
	if end < 0 {
		return nil
	}
	list := splitTop(sig[open+1 : end])
	out := make([]typeParameter, 0, len(list))
	for _, p := range list {
		name, bound, _ := strings.Cut(p, " extends ")
		out = append(out, typeParameter{strings.TrimSpace(name), strings.TrimSpace(bound)})
	}
	return out
}

func paramNames(ps []typeParameter) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.name
	}
	return out
}

func onlyModifiers(s string) bool {
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "public", "protected", "private", "static", "final", "abstract", "synchronized", "native", "default", "strictfp":
		default:
			return false
		}
	}
	return true
}

// paramTypes reads the types of the parameters off the signature of a method or
// constructor, and whether the last takes any number of values. A compact constructor
// has those of its record.
func paramTypes(s sym) (types []string, variadic bool) {
	d := s.d()
	sig := d.Signature
	open := nameParen(sig, d.Name)
	if open < 0 {
		if d.Kind != graph.KindMethod || d.Container == graph.NoDef {
			return nil, false
		}
		record := &s.f.Defs[d.Container]
		if sig = record.Signature; !strings.Contains(sig, "record ") {
			return nil, false
		}
		if open = nameParen(sig, record.Name); open < 0 {
			return nil, false
		}
	}
	return parameterList(sig, open)
}

func parameterList(sig string, open int) (types []string, variadic bool) {
	end := closing(sig, open)
	if end < 0 {
		end = len(sig) // it was cut
	}
	for _, p := range splitTop(sig[open+1 : end]) {
		t, dots := parameterType(p)
		if t != "" {
			types = append(types, t)
			variadic = dots
		}
	}
	return types, variadic
}

// nameParen returns where the parameters of a name begin, or -1.
func nameParen(sig, name string) int {
	for from := 0; ; {
		i := strings.Index(sig[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		from = i + len(name)
		if i > 0 && isNameByte(sig[i-1]) {
			continue
		}
		rest := sig[from:]
		if strings.HasPrefix(rest, "<") { // a record's type parameters
			end := closing(rest, 0)
			if end < 0 {
				return -1
			}
			rest = rest[end+1:]
		}
		if rest = strings.TrimLeft(rest, " "); strings.HasPrefix(rest, "(") {
			return len(sig) - len(rest)
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// parameterType drops the name and the modifiers of a parameter.
func parameterType(p string) (t string, variadic bool) {
	p = strings.TrimSpace(strings.TrimPrefix(p, "final "))
	dims := ""
	for strings.HasSuffix(p, "[]") { // int a[]
		p, dims = strings.TrimSpace(p[:len(p)-2]), dims+"[]"
	}
	end := len(p)
	for end > 0 && isNameByte(p[end-1]) {
		end--
	}
	name := p[end:]
	t = strings.TrimSpace(p[:end])
	if name == "this" || t == "" {
		return "", false
	}
	return t + dims, strings.HasSuffix(t, "...")
}

// baseTexts lists the types that a type extends and implements as they are written, in
// the order of its heritage.
func baseTexts(d *graph.Def) []string {
	sig := d.Signature
	var out []string
	for _, word := range [...]string{" extends ", " implements "} {
		rest := sig
		for at := 0; ; {
			i := strings.Index(rest[at:], word)
			if i < 0 {
				rest = ""
				break
			}
			i += at
			if balanced(rest[:i]) {
				rest = rest[i+len(word):]
				break
			}
			at = i + len(word)
		}
		if rest == "" {
			continue
		}
		for _, stop := range [...]string{" implements ", " permits "} {
			if i := strings.Index(rest, stop); i >= 0 {
				rest = rest[:i]
			}
		}
		out = append(out, splitTop(rest)...)
	}
	return out
}

// balanced reports whether all brackets of a text are closed.
func balanced(s string) bool {
	return strings.Count(s, "<") == strings.Count(s, ">") && strings.Count(s, "(") == strings.Count(s, ")")
}
