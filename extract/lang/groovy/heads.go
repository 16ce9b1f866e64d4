package groovy

import (
	"bytes"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// plainHeads keeps from the parser what its grammar does not know at the head of types and
// of methods, and what would cost the whole class: abstract, trait, which is read as class,
// and type parameters and arguments.
func plainHeads(src []byte) ([]byte, any) {
	h := heads{src: src, text: src}
	s := scanner{src: src}
	before := s
	for s.next(); s.kind != end; s.next() {
		last := before
		before = s
		switch {
		case s.is('<') && (last.kind != word && !last.is('.') || isModifier(last.text())): // <R> R f(…)
			h.typeParameters(s)
		case s.kind != word || last.kind == sign && last.is('.'):
		case s.text() == "abstract":
			h.put(s.start, "        ")
		case last.kind == word && (last.text() == "class" || last.text() == "interface" || last.text() == "trait"):
			if last.text() == "trait" {
				h.put(last.start, "class")
			}
			h.arguments(s)
		}
	}
	return h.text, nil
}

// heads is a text with what the grammar does not know taken out of the heads in it.
type heads struct{ src, text []byte }

func (h *heads) put(at uint32, word string) {
	if &h.text[0] == &h.src[0] {
		h.text = bytes.Clone(h.src)
	}
	copy(h.text[at:], word)
}

// arguments takes out what stands in angle brackets between the name of a type and its body.
func (h *heads) arguments(s scanner) {
	for s.next(); s.kind == word || s.is(',') || s.is('.') || s.is('<') || s.is('@'); s.next() {
		if s.is('<') && !h.angles(&s) {
			return
		}
	}
}

// typeParameters takes out those of a method: a type, a name and parameters follow.
func (h *heads) typeParameters(s scanner) {
	at := s
	if !s.skipAngles() || s.kind != word {
		return
	}
	for s.next(); s.is('.') || s.is('[') || s.is(']') || s.is('<'); {
		if !s.is('<') {
			s.next()
		} else if !s.skipAngles() {
			return
		}
		if s.kind == word && !s.is('(') {
			break
		}
	}
	if s.kind != word {
		return
	}
	if s.next(); s.is('(') {
		h.angles(&at)
	}
}

// angles blanks a pair of angle brackets, and leaves s at its end.
func (h *heads) angles(s *scanner) bool {
	from, end := s.start, *s
	if !end.skipAngles() {
		return false
	}
	for s.next(); s.start < end.start; s.next() {
		if s.is('>') {
			for i := from; i < s.stop; i++ {
				if h.src[i] != '\n' && h.src[i] != '\r' {
					h.put(i, " ")
				}
			}
			if s.stop >= end.start || onlyBlank(h.src[s.stop:end.start]) {
				return true
			}
		}
	}
	return true
}

func onlyBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// skipAngles goes behind a pair of angle brackets, if what stands in it can be types.
func (s *scanner) skipAngles() bool {
	for depth := 0; s.kind == word || s.is('<') || s.is('>') || s.is(',') || s.is('.') || s.is('?') || s.is('&') || s.is('[') || s.is(']'); s.next() {
		if s.is('<') {
			depth++
		} else if s.is('>') {
			if depth--; depth == 0 {
				s.next()
				return true
			}
		}
	}
	return false
}

func isModifier(word string) bool {
	switch word {
	case "public", "protected", "private", "static", "final", "abstract", "synchronized", "default", "def":
		return true
	}
	return false
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
