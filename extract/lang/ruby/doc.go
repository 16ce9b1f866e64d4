package ruby

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// comments is the run of comments read last.
type comments struct {
	start, end uint32
	set        bool
}

func comment(r *rules.Reader, n sitter.Node) bool {
	r.NoteComment(n)
	s := stateOf(r)
	start, end := r.Start(n), r.Tree.End(n)
	if c := &s.doc; c.set && c.end <= start && strings.TrimSpace(r.Slice(c.end, start)) == "" && strings.Count(r.Slice(c.end, start), "\n") <= 1 {
		c.end = end
	} else {
		s.doc = comments{start, end, true}
	}
	return true
}

// docAbove returns the comments that end right above an offset.
func docAbove(r *rules.Reader, start uint32) string {
	c := stateOf(r).doc
	if !c.set || c.end > start || strings.TrimSpace(r.Slice(c.end, start)) != "" {
		return ""
	}
	return r.Slice(c.start, c.end)
}

// told is what comments say of a method.
type told struct {
	params map[string]string
	result string
}

// readDoc reads @param name [T] and @return [T].
func readDoc(doc string) (out told) {
	if !strings.Contains(doc, "@") {
		return out
	}
	for line := range strings.SplitSeq(doc, "\n") {
		line = strings.TrimLeft(line, "# \t")
		if rest, ok := strings.CutPrefix(line, "@return"); ok {
			if typ := docType(rest); typ != "" {
				out.result = typ
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, "@param")
		if !ok {
			continue
		}
		typ := docType(rest)
		name, _, _ := strings.Cut(strings.TrimSpace(strings.Replace(rest, inBrackets(rest), "", 1)), " ")
		if name = strings.Trim(name, "*&: "); typ != "" && name != "" {
			if out.params == nil {
				out.params = map[string]string{}
			}
			out.params[name] = typ
		}
	}
	return out
}

// inBrackets returns the first [ … ] of a text.
func inBrackets(s string) string {
	from := strings.IndexByte(s, '[')
	to := strings.IndexByte(s, ']')
	if from < 0 || to < from {
		return ""
	}
	return s[from : to+1]
}

// docType writes the value that [A, nil] or [Array<A>] stands for.
func docType(text string) string {
	text = strings.Trim(inBrackets(text), "[]")
	if text == "" {
		return ""
	}
	if in, ok := strings.CutPrefix(text, "Array<"); ok && strings.HasSuffix(in, ">") && isConstant(in[:len(in)-1]) {
		return rules.Limited("list<" + in[:len(in)-1] + ".new()>")
	}
	all, some := "", false
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		v := ""
		switch part {
		case "nil":
			v = "nil"
		case "self":
			v = "self"
		case "String", "Symbol", "Integer", "Hash", "Array", "Float", "Regexp", "Proc":
			v = "=" + part
		case "Object", "BasicObject", "Boolean":
		default:
			if isConstant(part) {
				v = part + ".new()"
			}
		}
		if !some {
			all, some = v, true
		} else {
			all = rules.Union(all, v)
		}
	}
	return known(all)
}

// isConstant reports whether a text is a path of constants.
func isConstant(s string) bool {
	if s = strings.TrimPrefix(s, "::"); s == "" || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	for _, c := range s {
		if c != '_' && c != ':' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
