package groovy

import (
	"bytes"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// plainHeads keeps two words from the parser that its grammar does not know before a type:
// abstract class A is read as class A, and trait A as class A. Between an annotation and a
// class, abstract would cost the whole class.
func plainHeads(src []byte) ([]byte, any) {
	text, copied := src, false
	put := func(at uint32, word string) {
		if !copied {
			text, copied = bytes.Clone(src), true
		}
		copy(text[at:], word)
	}
	s := scanner{src: src}
	before := s
	for s.next(); s.kind != end; s.next() {
		last := before
		before = s
		if s.kind != word || last.kind != word {
			continue
		}
		switch last.text() {
		case "abstract":
			if s.text() == "class" {
				put(last.start, "        ")
			}
		case "trait":
			put(last.start, "class")
		}
	}
	return text, nil
}

// constants reads the members of an enumeration, of which the grammar knows none: names
// with commas between, each with arguments or a body or neither.
func constants(r *rules.Reader, n sitter.Node, def int32, from uint32) {
	s := scanner{src: r.Src, stop: from}
	if s.next(); !s.is('{') {
		return
	}
	r.Within(def, true, func() {
		for s.next(); s.kind == word; s.next() {
			at := r.SpanBetween(s.start, s.stop)
			d := graph.Def{Name: s.text(), NameSpan: at, Span: at, Kind: graph.KindEnumMember, Doc: r.DocAbove(s.start)}
			s.next()
			s.skip('(', ')')
			s.skip('{', '}')
			if !s.is(',') && !s.is(';') && !s.is('}') && sameLine(r.Builder, at.End, s.start) {
				return
			}
			r.Define(n, d)
			if !s.is(',') {
				return
			}
		}
	})
}

// skip goes behind a pair of brackets that begins here, if one does.
func (s *scanner) skip(open, shut byte) {
	if !s.is(open) {
		return
	}
	for depth := 0; s.kind != end; s.next() {
		if s.is(open) {
			depth++
		} else if s.is(shut) {
			if depth--; depth == 0 {
				s.next()
				return
			}
		}
	}
}
