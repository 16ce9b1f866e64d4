package ocaml

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/graph"
)

// declared reads the lines of an interface that begin with what declares something, as far
// as they were not read already: the grammar is one of implementations, and takes what an
// interface declares outside of modules for errors. So what the parser says of the syntax
// is worth nothing; the file is partial where a line begins with what begins no item.
func declared(r *rules.Reader) {
	if r.Path.Ext() != ".mli" {
		return
	}
	known := map[uint32]bool{}
	for i := range r.Facts.Defs {
		known[r.Facts.Defs[i].NameSpan.Start] = true
	}
	if r.Facts.Status == graph.StatusPartial {
		r.Facts.Status, r.Facts.Reason = graph.StatusOK, ""
	}
	text, depth := r.Slice(0, uint32(len(r.Src))), 0
	for from := 0; from < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
			end = from + i
		}
		line := text[from:end]
		if depth == 0 {
			item(r, known, from, line)
			if strange(line) {
				unreadable(r, uint32(from))
			}
		}
		depth = max(0, depth+strings.Count(line, "(*")-strings.Count(line, "*)"))
		from = end + 1
	}
	if depth > 0 {
		unreadable(r, uint32(len(text)))
	}
}

// unreadable notes a place that is not as the language has it.
func unreadable(r *rules.Reader, at uint32) {
	if r.Facts.Status == graph.StatusOK {
		r.Facts.Status, r.Facts.Reason = graph.StatusPartial, graph.SyntaxErrorAt(r.Lines.Pos(at))
	}
}

// strange reports whether a line begins, without indentation, with a word that begins
// neither an item nor its continuation.
func strange(line string) bool {
	i := 0
	for i < len(line) && (isName(line[i:i+1]) || i > 0 && line[i] >= '0' && line[i] <= '9') {
		i++
	}
	if i == 0 || line[0] < 'a' || line[0] > 'z' {
		return false
	}
	switch line[:i] {
	case "val", "type", "exception", "class", "module", "open", "include", "external", "and", "end", "sig", "with", "of", "method", "inherit", "constraint", "object", "let", "functor", "virtual", "private", "nonrec", "mutable":
		return false
	}
	return i < len(line) && line[i] != '.' && !strings.HasPrefix(strings.TrimLeft(line[i:], " "), "->") && !strings.HasPrefix(strings.TrimLeft(line[i:], " "), "*")
}

// introduced reports whether a word of the line before the name of a type says that it is
// one: in an interface the parser finds types in what it could not read.
func introduced(r *rules.Reader, at uint32) bool {
	if r.Path.Ext() != ".mli" {
		return true
	}
	from := at
	for from > 0 && r.Src[from-1] != '\n' {
		from--
	}
	line := r.Slice(from, at)
	return !strings.Contains(line, "val ") && (strings.Contains(line, "type ") || strings.Contains(line, "and "))
}

// item reads one line: val name : …, or type 'a name.
func item(r *rules.Reader, known map[uint32]bool, from int, line string) {
	start := from + len(line) - len(strings.TrimLeft(line, " \t"))
	rest := strings.TrimLeft(line, " \t")
	kind := graph.KindType
	switch {
	case strings.HasPrefix(rest, "val "):
		kind = kindOf(rest)
		rest = rest[len("val "):]
	case strings.HasPrefix(rest, "external "):
		kind = graph.KindFunction
		rest = rest[len("external "):]
	case strings.HasPrefix(rest, "type "):
		rest = withoutParameters(rest[len("type "):])
	case strings.HasPrefix(rest, "exception "):
		rest = rest[len("exception "):]
	case strings.HasPrefix(rest, "class "):
		kind = graph.KindClass
		rest = className(rest[len("class "):])
	case strings.HasPrefix(rest, "| ") && holder(r, uint32(start)) == graph.NoDef:
		kind = graph.KindEnumMember
		rest = strings.TrimLeft(rest[len("| "):], "` ")
		if rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
			return
		}
	default:
		return
	}
	operator := strings.HasPrefix(strings.TrimLeft(rest, " "), "(")
	rest = strings.TrimLeft(rest, " (")
	name := rest
	if i := strings.IndexAny(rest, " :=\t;)"); i >= 0 && !operator {
		name = rest[:i]
	} else if operator {
		name, _, _ = strings.Cut(rest, ")")
		name = strings.TrimSpace(name)
	}
	at := from + len(line) - len(rest)
	if !operator && !isName(name) || name == "" || known[uint32(at)] {
		return
	}
	end := from + len(strings.TrimRight(line, " \t\r"))
	d := graph.Def{
		Name: name, Local: name, NameSpan: r.SpanBetween(uint32(at), uint32(at+len(name))), Span: r.SpanBetween(uint32(start), uint32(end)), Kind: kind,
		Signature: r.Signature(uint32(start), uint32(end)), Flags: graph.FlagExported,
	}
	if kind == graph.KindFunction || kind == graph.KindVariable {
		d.Flags |= graph.FlagAbstract
	}
	around := holder(r, uint32(start))
	if around != graph.NoDef {
		d.Local = r.Facts.Defs[around].Local + "." + name
		r.Enter(around)
		defer r.Leave()
	}
	r.AddDef(d)
}

// withoutParameters drops the parameters before the name of a type: 'a, +'b, ('a, 'b).
func withoutParameters(s string) string {
	s = strings.TrimPrefix(strings.TrimLeft(s, " "), "nonrec ")
	if strings.HasPrefix(s, "(") {
		if i := strings.IndexByte(s, ')'); i >= 0 {
			return s[i+1:]
		}
	}
	if strings.HasPrefix(strings.TrimLeft(s, "+-!"), "'") {
		if i := strings.IndexByte(s, ' '); i >= 0 {
			return s[i+1:]
		}
	}
	return s
}

// className drops what stands before the name of a class: virtual, [ 'a ].
func className(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(s, " "), "type "), "virtual ")
	if strings.HasPrefix(s, "[") {
		if i := strings.IndexByte(s, ']'); i >= 0 {
			s = s[i+1:]
		}
	}
	return strings.TrimLeft(s, " ")
}

// holder returns the innermost module around an offset, or NoDef.
func holder(r *rules.Reader, at uint32) int32 {
	best := graph.NoDef
	for i, d := range slices.All(r.Facts.Defs) {
		if (d.Kind == graph.KindModule || d.Kind == graph.KindInterface) && d.Span.Start <= at && at < d.Span.End {
			best = int32(i)
		}
	}
	return best
}
