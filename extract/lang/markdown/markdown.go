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

	"github.com/ralph-index/ralph-index/graph"
)

// Version names the rules of this package in Facts.Extractor.
const Version = "markdown/1"

// Extract adds the definitions and mentions of src to f, whose path is set. It
// reads every text: what is no Markdown is a document without sections.
func Extract(f *graph.Facts, src []byte) {
	x := &extraction{facts: f, src: src, text: blankOut(src), lineTable: newLineTable(src)}
	doc := goldmark.DefaultParser().Parse(text.NewReader(x.text))
	x.sections(doc)
	x.mentions(doc)
}

type extraction struct {
	facts *graph.Facts
	src   []byte // as it is
	text  []byte // as it is parsed: same offsets, see blankOut
	lineTable
}
