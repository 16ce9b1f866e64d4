// Package markdown extracts the facts of Markdown documents: sections that
// contain their subsections, and the files and symbols that the prose mentions.
//
// It follows CommonMark as goldmark reads it, so a '#' in a code fence, in an
// HTML block or in front matter is no heading. It does not look for the files
// and symbols that are mentioned: graph/resolve/markdown does. It is called by
// extract alone.
package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Markdown. Every text has facts: what is no
// Markdown is a document without sections.
func Language() spec.Language {
	return spec.Language{Name: "markdown", Version: "markdown/1", Extract: extract}
}

func extract(b *spec.Builder) {
	x := &extraction{facts: b.Facts, src: b.Src, text: blankOut(b.Src), lines: &b.Lines}
	doc := goldmark.DefaultParser().Parse(text.NewReader(x.text))
	x.sections(doc)
	x.mentions(doc)
}

type extraction struct {
	facts *graph.Facts
	src   []byte // as it is
	text  []byte // as it is parsed: same offsets, see blankOut
	lines *spec.Lines
}

func (x *extraction) span(start, end int) graph.Span {
	return x.lines.Span(uint32(start), uint32(end))
}
