package extracttest

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Format writes facts as lines: one for each definition, reference, import, base,
// mention, setting and definition that calls values, in the order in which they stand in f. Empty parts are left
// out; "in" is the Local name of the enclosing definition.
func Format(f *graph.Facts) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s", f.Language, f.Status)
	line(&b, attr("reason", f.Reason), attr("package", f.Package), attr("constraint", f.Constraint), fmt.Sprintf(" lines=%d", f.Lines))
	for i := range f.Defs {
		d := &f.Defs[i]
		fmt.Fprintf(&b, "def %s %s %s", d.Kind, quote(d.Local), span(d.Span))
		name := ""
		if d.Name != d.Local {
			name = attr("name", d.Name)
		}
		line(&b, fmt.Sprintf(" at=%s", pos(d.NameSpan.From)), name, in(f, d.Container), attr("owner", d.Owner),
			attr("flags", defFlags(d.Flags)), attr("type", d.Type), attr("sig", d.Signature), attr("doc", d.Doc))
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		fmt.Fprintf(&b, "import %s", quote(im.Module))
		line(&b, attr("name", im.Name), attr("as", im.Alias), " "+span(im.Span), in(f, im.Enclosing), attr("flags", importFlags(im.Flags)))
	}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		fmt.Fprintf(&b, "base %s %s", h.Rel, quote(h.Name))
		line(&b, attr("q", h.Qualifier), " "+span(h.Span), attr("of", cmp.Or(local(f, h.Def), h.Of)))
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		fmt.Fprintf(&b, "%s %s", useName(r.Use), quote(r.Name))
		args := ""
		if r.Args >= 0 {
			args = fmt.Sprintf(" args=%d", r.Args)
		}
		line(&b, attr("q", r.Qualifier), " "+pos(r.Span.From), in(f, r.Enclosing), hint(r.Hint), args)
	}
	for _, c := range f.ValueCalls {
		fmt.Fprintf(&b, "values %d", c.Count)
		line(&b, in(f, c.Enclosing))
	}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		fmt.Fprintf(&b, "mention %s", m.Form)
		line(&b, attr("target", m.Target), attr("fragment", m.Fragment), attr("name", m.Name), attr("q", m.Qualifier), " "+span(m.Span), in(f, m.Enclosing))
	}
	for _, p := range f.Manifest {
		fmt.Fprintf(&b, "setting %s=%s\n", p.Key, quote(p.Value))
	}
	return b.Bytes()
}

func line(b *bytes.Buffer, parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

func attr(key, value string) string {
	if value == "" {
		return ""
	}
	return " " + key + "=" + quote(value)
}

// quote quotes what could not be read back as one word.
func quote(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\r\n\"\\=") || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}

func pos(p graph.Pos) string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

func span(s graph.Span) string { return pos(s.From) + "-" + pos(s.To) }

func local(f *graph.Facts, def int32) string {
	if def < 0 || int(def) >= len(f.Defs) {
		return ""
	}
	return f.Defs[def].Local
}

func in(f *graph.Facts, def int32) string { return attr("in", local(f, def)) }

func hint(h graph.Hint) string {
	if h.Rule == graph.HintNone {
		return ""
	}
	s := [...]string{"", "declared", "assigned", "self", "class", "super", "literal", "local", "element", "value", "callback", "block", "rebound", "given", "flow"}[h.Rule]
	if h.Type != "" {
		s += ":" + h.Type
	}
	return attr("hint", s)
}

func useName(u graph.Use) string {
	return [...]string{"read", "call", "type", "write", "decorator", "fixture", "dynamic", "export", "choice", "replace"}[u]
}

func defFlags(f graph.DefFlags) string {
	return flagNames(uint(f), "exported", "test", "fixture", "local", "conditional", "async", "static", "abstract", "default", "generated", "overload", "whole", "rebound", "tentative", "excluded", "declaration")
}

func importFlags(f graph.ImportFlags) string {
	return flagNames(uint(f), "reexport", "type", "dynamic", "optional", "export", "system")
}

func flagNames(f uint, names ...string) string {
	var set []string
	for i, n := range names {
		if f&(1<<i) != 0 {
			set = append(set, n)
		}
	}
	return strings.Join(set, ",")
}
