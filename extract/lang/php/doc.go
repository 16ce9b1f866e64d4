package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// comments is the last comment read.
type comments struct {
	start, end uint32
	set        bool
}

// comment reads a comment. One inside of a function may say what a variable is.
func comment(r *rules.Reader, n sitter.Node) bool {
	r.NoteComment(n)
	s := stateOf(r)
	s.comment = comments{r.Start(n), r.Tree.End(n), true}
	if len(s.functions) == 0 || !strings.Contains(r.Text(n), "@var") {
		return true
	}
	for _, t := range tags(r.Text(n)) {
		if t.name != "var" && t.name != "psalm-var" && t.name != "phpstan-var" {
			continue
		}
		typ, rest := docType(s, t.text)
		if name := variableIn(rest); name != "" && typ != "" {
			s.vars[name] = typ
			if s.pinned == nil {
				s.pinned = map[string]pin{}
			}
			s.pinned[name] = pin{typ, r.Tree.End(n)}
		}
	}
	return true
}

// docAbove returns the comment that ends right above an offset.
func docAbove(r *rules.Reader, start uint32) string {
	c := stateOf(r).comment
	if !c.set || c.end > start || strings.TrimSpace(r.Slice(c.end, start)) != "" {
		return ""
	}
	return r.Slice(c.start, c.end)
}

// ofArgument is the type of what returns an object of the class that it is handed.
const ofArgument = "class-string@"

// tag is @name text.
type tag struct {
	name, text string
	at         int // where the text begins in the comment
}

// tags lists those of a comment. A text ends with its line.
func tags(doc string) (out []tag) {
	if !strings.HasPrefix(doc, "/**") {
		return nil
	}
	for at := 0; at < len(doc); {
		i := strings.IndexByte(doc[at:], '@')
		if i < 0 {
			return out
		}
		at += i + 1
		end := at
		for end < len(doc) && (doc[end] == '-' || isWord(doc[end])) {
			end++
		}
		line := doc[end:]
		if j := strings.IndexByte(line, '\n'); j >= 0 {
			line = line[:j]
		}
		line = strings.TrimSuffix(strings.TrimRight(line, " \t\r"), "*/")
		text := strings.TrimLeft(line, " \t")
		if before := doc[at-2]; before == ' ' || before == '*' || before == '\t' || before == '{' {
			out = append(out, tag{doc[at:end], text, end + len(line) - len(text)})
		}
		at = end + len(line)
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// docType reads the type at the start of a text, and returns what stands behind it. What
// says nothing of classes is "".
func docType(s *state, text string) (typ, rest string) {
	depth, end := 0, len(text)
	for i := range len(text) {
		c := text[i]
		switch c {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		}
		if depth == 0 && (c == ' ' || c == '\t') && !joins(text, i) {
			end = i
			break
		}
	}
	typ, rest = strings.Join(strings.Fields(text[:end]), ""), strings.TrimSpace(text[end:])
	if nullable, ok := strings.CutPrefix(typ, "?"); ok {
		typ = nullable + "|null"
	}
	if typ == "" || strings.HasPrefix(typ, "$") && typ != "$this" || len(typ) > rules.MaxValue {
		return "", strings.TrimSpace(text)
	}
	for _, t := range s.templates {
		if typ == t || typ == t+"|null" {
			if s.handed == t {
				return ofArgument, rest
			}
			return "", rest
		}
	}
	if i := strings.IndexAny(typ, "\"'"); i >= 0 {
		return "", rest
	}
	return typ, rest
}

// joins reports whether the white space at i stands beside a bar.
func joins(text string, i int) bool {
	before, after := strings.TrimRight(text[:i], " \t"), strings.TrimLeft(text[i:], " \t")
	return strings.HasSuffix(before, "|") || strings.HasPrefix(after, "|")
}

// variableIn returns the variable that a text begins with.
func variableIn(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "&"), "...")
	if !strings.HasPrefix(text, "$") {
		return ""
	}
	end := 1
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return text[:end]
}

// typed is what a comment says of a function.
type typed struct {
	params map[string]string
	result string
	value  string
}

func readDoc(r *rules.Reader, doc string) (out typed) {
	s := stateOf(r)
	for _, t := range tags(doc) {
		name := strings.TrimPrefix(strings.TrimPrefix(t.name, "psalm-"), "phpstan-")
		switch name {
		case "template", "template-covariant":
			if words := strings.Fields(t.text); len(words) > 0 {
				s.templates = append(s.templates, words[0])
			}
		}
	}
	s.handed = ""
	for _, t := range tags(doc) {
		switch strings.TrimPrefix(strings.TrimPrefix(t.name, "psalm-"), "phpstan-") {
		case "param":
			if of, ok := strings.CutPrefix(t.text, "class-string<"); ok {
				s.handed, _, _ = strings.Cut(of, ">")
			}
			typ, rest := docType(s, t.text)
			if name := variableIn(rest); name != "" && typ != "" {
				if out.params == nil {
					out.params = map[string]string{}
				}
				out.params[name] = typ
			}
		case "return":
			if typ, _ := docType(s, t.text); typ != "" {
				out.result = typ
			}
		case "var":
			if typ, _ := docType(s, t.text); typ != "" {
				out.value = typ
			}
		}
	}
	return out
}

// magic defines what the comment of a class says of members that no declaration shows:
// @property T $name, @method T name(…).
func magic(r *rules.Reader, doc string, at uint32) {
	s := stateOf(r)
	for _, t := range tags(doc) {
		d := graph.Def{Flags: graph.FlagDeclaration}
		rest := t.text
		switch t.name {
		case "property", "property-read", "property-write":
			d.Kind = graph.KindProperty
			d.Type, rest = docType(s, rest)
			d.Name = strings.TrimPrefix(variableIn(rest), "$")
		case "method":
			d.Kind = graph.KindMethod
			if after, ok := strings.CutPrefix(rest, "static "); ok {
				rest, d.Flags = after, d.Flags|graph.FlagStatic
			}
			if i := strings.IndexByte(rest, '('); i > 0 && !strings.ContainsAny(rest[:i], " \t") {
				d.Name = rest[:i]
			} else if d.Type, rest = docType(s, rest); true {
				if i := strings.IndexByte(rest, '('); i > 0 {
					d.Name = rest[:i]
				}
			}
		}
		i := strings.LastIndex(t.text, rest)
		if d.Name == "" || i < 0 || strings.ContainsAny(d.Name, " \t<>|\\:") {
			continue
		}
		start := at + uint32(t.at+i)
		if strings.HasPrefix(rest, "$") {
			start++
		}
		end := start + uint32(len(d.Name))
		if int(end) > len(r.Src) || r.Slice(start, end) != d.Name {
			continue
		}
		d.Span, d.NameSpan = r.SpanBetween(start, end), r.SpanBetween(start, end)
		d.Flags |= graph.FlagExported
		r.Define(sitter.Root, d)
	}
}
