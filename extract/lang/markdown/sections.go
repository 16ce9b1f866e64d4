package markdown

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/ralph-index/ralph-index/graph"
)

// kindOf returns the kind of a heading's level.
func kindOf(level int) (graph.Kind, bool) {
	kinds := [...]graph.Kind{graph.KindH1, graph.KindH2, graph.KindH3, graph.KindH4, graph.KindH5, graph.KindH6}
	if level < 1 || level > len(kinds) {
		return "", false
	}
	return kinds[level-1], true
}

// section is a heading whose end is not known yet.
type section struct {
	level int
	def   int32
}

// sections collects the headings of the document's own level. A heading inside
// a quotation or a list item cannot hold what follows the quotation, so it is
// text and no section.
func (x *extraction) sections(doc ast.Node) {
	slugs := slugger{}
	var open []section
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		kind, ok := kindOf(h.Level)
		if !ok {
			continue
		}
		text, from := x.headingText(h)
		start := lineStart(x.text, from.Start)
		for len(open) > 0 && open[len(open)-1].level >= h.Level {
			x.close(open[len(open)-1].def, start)
			open = open[:len(open)-1]
		}
		local := slugs.slug(text)
		container := graph.NoDef
		if len(open) > 0 {
			container = open[len(open)-1].def
		}
		x.facts.Defs = append(x.facts.Defs, graph.Def{
			Name:      cmp.Or(text, local),
			Local:     local,
			Kind:      kind,
			Span:      graph.Span{Start: uint32(start)},
			NameSpan:  x.span(from.Start, from.End),
			Container: container,
			Flags:     graph.FlagExported,
		})
		open = append(open, section{h.Level, int32(len(x.facts.Defs) - 1)})
	}
	for _, s := range open {
		x.close(s.def, len(x.src))
	}
}

// close ends a section before the byte at end, without the blank lines there.
func (x *extraction) close(def int32, end int) {
	d := &x.facts.Defs[def]
	start := int(d.Span.Start)
	d.Span = x.span(start, start+len(bytes.TrimRight(x.src[start:end], " \t\r\n")))
}

type byteRange struct{ Start, End int }

// headingText returns a heading's text as it reads, without marks, and where its
// source stands.
func (x *extraction) headingText(h *ast.Heading) (string, byteRange) {
	at := byteRange{h.Pos(), h.Pos()}
	if lines := h.Lines(); lines != nil && lines.Len() > 0 {
		at = byteRange{lines.At(0).Start, lines.At(lines.Len() - 1).Stop}
	}
	at.Start = min(max(at.Start, 0), len(x.src))
	at.End = min(max(at.End, at.Start), len(x.src))
	at.End = at.Start + len(bytes.TrimRight(x.src[at.Start:at.End], " \t\r\n"))
	var b strings.Builder
	x.plain(&b, h)
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.ToValidUTF8(text, "\uFFFD"), at
}

// plain writes what a reader sees of a node's inline content.
func (x *extraction) plain(b *strings.Builder, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(x.text))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(x.text))
		case *ast.RawHTML:
		default:
			x.plain(b, c)
		}
	}
}

// slugger makes the anchors of one document as code hosts do: letters of every
// script stay, and a repeated anchor gets a number.
type slugger map[string]int

func (s slugger) slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_', unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			b.WriteRune(r)
		}
	}
	base := b.String()
	if base == "" {
		base = "section" // a heading of signs alone still needs a name
	}
	slug := base
	for n := s[base]; ; n++ {
		if n > 0 {
			slug = base + "-" + strconv.Itoa(n)
		}
		if _, taken := s[slug]; !taken {
			s[base] = n + 1
			if slug != base {
				s[slug] = 1
			}
			return slug
		}
	}
}

func lineStart(src []byte, off int) int {
	return bytes.LastIndexByte(src[:off], '\n') + 1
}

// blankOut returns src with the same offsets, but with front matter turned into
// blank lines and with every line ended by one '\n', as the parser expects it.
func blankOut(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); i++ {
		if out[i] != '\r' {
			continue
		}
		if i+1 < len(out) && out[i+1] == '\n' {
			out[i] = ' '
		} else {
			out[i] = '\n'
		}
	}
	start := 0
	if bytes.HasPrefix(out, []byte("\uFEFF")) {
		start = copy(out, "   ")
	}
	end := frontMatter(out[start:])
	for i := start; i < start+end; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return out
}

// frontMatter returns the length of the metadata block that text starts with.
func frontMatter(text []byte) int {
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	fence := string(bytes.TrimRight(first, " \t"))
	if fence != "---" && fence != "+++" {
		return 0
	}
	for at := len(first) + 1; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte{'\n'})
		at += len(line) + 1
		trimmed := string(bytes.TrimRight(line, " \t"))
		if trimmed == fence || fence == "---" && trimmed == "..." {
			return min(at, len(text))
		}
	}
	return 0 // no end: the fence is a thematic break
}

func isIdent(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func startsIdent(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isIdent(r) && !unicode.IsDigit(r)
}
