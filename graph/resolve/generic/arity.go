package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// narrowed drops the functions that a call cannot mean, by the number of its arguments.
// Where it can mean none of them, something else is meant that is not known.
func (b binder) narrowed(r result, ref *graph.Ref) result {
	if !b.Arity || len(r.syms) == 0 || ref.Use != graph.UseCall || ref.Args < 0 {
		return r
	}
	kept, over := r.syms[:0:0], true
	for _, s := range r.syms {
		fits, above := true, false
		if s.def != graph.NoDef {
			fits, above = takes(s.d(), int(ref.Args), b.DefaultMark)
		}
		if fits {
			kept = append(kept, s)
		}
		over = over && above
	}
	switch {
	case len(kept) == len(r.syms) || len(kept) == 0 && b.Defaults && !over:
		return r
	case len(kept) == 0:
		return result{}
	}
	r.syms = kept
	if len(kept) == 1 && r.prov == graph.Extracted && b.DefaultMark == "" {
		r.prov, r.conf = graph.Inferred, min(r.conf, confInherited)
	}
	return r
}

// takes reports whether a function may be called with so many arguments, as far as its
// signature tells, and whether these are too many.
func takes(d *graph.Def, args int, mark string) (fits, above bool) {
	if d.Kind != graph.KindFunction && d.Kind != graph.KindMethod {
		return true, false
	}
	least, most, ok := parameters(d.Signature, d.Name, mark)
	return !ok || args >= least && args <= most, ok && args > most
}

const anyNumber = 1 << 15

// parameters returns how many arguments a function of a signature takes at least and at
// most. The mark stands before a value that a parameter has; an equals sign, if empty.
func parameters(signature, name, mark string) (least, most int, ok bool) {
	at := nameIn(signature, name)
	if at < 0 {
		return 0, 0, false
	}
	open := strings.IndexByte(signature[at:], '(')
	if open < 0 {
		return 0, 0, false
	}
	depth, from := 0, at+open+1
	add := func(text string) {
		text = strings.TrimSpace(text)
		for strings.HasPrefix(text, "[") && strings.Contains(text, "]") { // attributes
			text = strings.TrimSpace(text[strings.IndexByte(text, ']')+1:])
		}
		switch {
		case text == "":
		case strings.HasPrefix(text, "params ") || strings.HasPrefix(text, "vararg ") || strings.Contains(text, "..."):
			most = anyNumber
		case strings.HasPrefix(text, "this "): // the object of an extension method
			most++
		case mark != "" && strings.Contains(text, mark), mark == "" && hasDefault(text):
			most++
		default:
			least++
			most++
		}
	}
	for i := from; i < len(signature); i++ {
		switch c := signature[i]; c {
		case '"':
			if end := strings.IndexByte(signature[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case '(', '[', '{':
			depth++
		case '<':
			depth++
		case '>':
			if signature[i-1] != '-' && signature[i-1] != '=' {
				depth--
			}
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				add(signature[from:i])
				from = i + 1
			}
		case ')':
			if depth == 0 {
				add(signature[from:i])
				return least, min(most, anyNumber), true
			}
			depth--
		}
	}
	return 0, 0, false // it is cut
}

// nameIn returns where the name ends before the parameters of a signature, or -1.
func nameIn(signature, name string) int {
	for from := 0; ; {
		i := strings.Index(signature[from:], name)
		if i < 0 {
			return -1
		}
		at, end := from+i, from+i+len(name)
		from = end
		if (at == 0 || !isNameByte(signature[at-1])) && end < len(signature) && (signature[end] == '(' || signature[end] == '<' || signature[end] == ' ') {
			return end
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// hasDefault reports whether a parameter is given a value.
func hasDefault(text string) bool {
	for i := range len(text) {
		if text[i] == '=' && (i+1 == len(text) || text[i+1] != '>' && text[i+1] != '=') {
			return true
		}
	}
	return false
}
