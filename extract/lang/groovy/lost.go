package groovy

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// lost adds the definitions that the grammar lost: it knows a part of the language, and
// what it cannot read takes what stands around it along; some texts it does not come to an
// end with. The words at the head of types and functions are looked for, and braces counted.
func lost(b *spec.Builder) {
	l := &finder{b: b, s: scanner{src: b.Src}, known: map[uint32]int32{}}
	for i := range b.Facts.Defs {
		l.known[b.Facts.Defs[i].NameSpan.Start] = int32(i)
	}
	for l.s.next(); l.s.kind != end; {
		l.token()
	}
	b.Facts.Refs = slices.DeleteFunc(b.Facts.Refs, func(r graph.Ref) bool {
		return slices.ContainsFunc(l.heads, func(s graph.Span) bool { return s.Start <= r.Span.Start && r.Span.End <= s.End })
	})
	if len(b.Facts.Defs) > 0 {
		rules.Adopt(b, ".")
	}
}

// partly calls lost for a text with syntax errors.
func partly(r *rules.Reader) {
	if r.Facts.Status == graph.StatusPartial {
		lost(r.Builder)
	}
}

// block is a pair of braces around the place that is read.
type block struct {
	def  int32 // that it is the body of, or NoDef
	kind graph.Kind
}

type finder struct {
	b      *spec.Builder
	s      scanner
	known  map[uint32]int32 // definitions by where their name begins
	blocks []block
	parens int
	before scanner      // the token before
	heads  []graph.Span // of types that were lost: what stands there is no reference
}

// token reads one token, or the head of a definition.
func (l *finder) token() {
	switch {
	case l.s.is('{'):
		l.blocks = append(l.blocks, block{graph.NoDef, ""})
	case l.s.is('}'):
		if n := len(l.blocks); n > 0 {
			l.ends(l.blocks[n-1].def)
			l.blocks = l.blocks[:n-1]
		}
		l.parens = 0
	case l.s.is('('):
		l.parens++
	case l.s.is(')'):
		l.parens = max(0, l.parens-1)
	case l.s.kind == word && l.parens == 0:
		if kind := typeKind(l.s.text()); kind != "" && !l.before.is('.') && l.named(kind) || l.function() {
			return
		}
	}
	l.advance()
}

func (l *finder) advance() {
	l.before = l.s
	l.s.next()
}

func (l *finder) ends(def int32) {
	if def != graph.NoDef {
		d := &l.b.Facts.Defs[def]
		d.Span = l.b.SpanBetween(d.Span.Start, l.s.stop)
	}
}

// around returns the innermost definition that a block is the body of.
func (l *finder) around() block {
	if n := len(l.blocks); n > 0 {
		return l.blocks[n-1]
	}
	return block{graph.NoDef, "file"}
}

func typeKind(word string) graph.Kind {
	switch word {
	case "class", "trait":
		return graph.KindClass
	case "interface":
		return graph.KindInterface
	case "enum":
		return graph.KindEnum
	}
	return ""
}

// named reads class NAME … {
func (l *finder) named(kind graph.Kind) bool {
	start := l.s.start
	s := l.s
	s.next()
	if s.kind != word || strings.Contains(l.b.Slice(start, s.start), "\n") {
		return false
	}
	at, stop := s.start, s.stop
	for s.next(); s.kind != end && !s.is('{') && !s.is('}') && !s.is(';') && !s.is('('); s.next() {
	}
	if !s.is('{') {
		return false
	}
	_, found := l.known[at]
	if l.open(s, kind, at, stop, start); !found {
		l.bases(stop, s.start)
		l.heads = append(l.heads, l.b.SpanBetween(at, s.start))
	}
	return true
}

// bases reads extends A and implements B, C between the name of a type, and its body.
func (l *finder) bases(from, to uint32) {
	s, rel := scanner{src: l.b.Src[:to], stop: from}, graph.HeritageRel("")
	def := l.blocks[len(l.blocks)-1].def
	name, dot := scanner{}, from
	add := func() {
		if name.kind == word && rel != "" {
			h := graph.Heritage{Def: def, Rel: rel, Name: name.text(), Span: l.b.SpanBetween(name.start, name.stop)}
			if dot < name.start {
				h.Qualifier = l.b.Slice(dot, name.start-1)
			}
			l.b.Facts.Heritage = append(l.b.Facts.Heritage, h)
		}
		name = scanner{}
	}
	for s.next(); s.kind != end; {
		switch {
		case s.is('<'):
			if !s.skipAngles() {
				return
			}
			continue
		case s.kind == word && s.text() == "extends":
			add()
			rel = graph.RelExtends
		case s.kind == word && s.text() == "implements":
			add()
			rel = graph.RelImplements
		case s.kind == word:
			if name.kind != word {
				dot = s.start
			}
			name = s
		case s.is(','):
			add()
		}
		s.next()
	}
	add()
}

// function reads TYPE NAME( … ) { in a type or outside of all.
func (l *finder) function() bool {
	in := l.around()
	if in.kind == "" || l.before.kind != word && !l.before.is('>') && !l.before.is(']') || !sameLine(l.b, l.before.stop, l.s.start) && l.before.is(']') {
		if name := l.s.text(); in.def == graph.NoDef || name != l.b.Facts.Defs[in.def].Name {
			return false
		}
	}
	if l.before.kind == word && notType(l.before.text()) || notType(l.s.text()) || !sameLine(l.b, l.before.stop, l.s.start) && l.before.kind == word && in.def == graph.NoDef {
		return false
	}
	s := l.s
	at, stop := s.start, s.stop
	if s.next(); !s.is('(') || s.start != stop {
		return false
	}
	depth := 0
	for ; s.kind != end && !s.is('{') && !s.is('}'); s.next() {
		if s.is('(') {
			depth++
		} else if s.is(')') {
			if depth--; depth == 0 {
				break
			}
		}
	}
	s.next()
	for s.kind == word || s.is(',') || s.is('.') { // throws A, b.C
		s.next()
	}
	if depth != 0 || !s.is('{') {
		return false
	}
	kind := graph.KindFunction
	if in.def != graph.NoDef {
		kind = graph.KindMethod
	}
	l.open(s, kind, at, stop, at)
	return true
}

func sameLine(b *spec.Builder, start, stop uint32) bool {
	return start <= stop && !strings.Contains(b.Slice(start, stop), "\n")
}

// notType reports whether a word cannot stand before the name of a function, or be it.
func notType(word string) bool {
	switch word {
	case "new", "return", "throw", "assert", "else", "in", "as", "if", "while", "for", "switch", "catch", "synchronized", "case", "instanceof", "import", "package", "extends", "implements":
		return true
	}
	return false
}

// open adds a definition whose body begins at s, and goes into it.
func (l *finder) open(s scanner, kind graph.Kind, at, stop, start uint32) {
	def, ok := l.known[at]
	if !ok {
		in, name := l.around(), l.b.Slice(at, stop)
		d := graph.Def{
			Name: name, Local: name, Kind: kind, Flags: graph.FlagExported, Signature: strings.TrimSpace(l.b.Signature(start, s.start)),
			Span: l.b.SpanBetween(start, s.stop), NameSpan: l.b.SpanBetween(at, stop),
		}
		if in.def != graph.NoDef {
			d.Local = l.b.Facts.Defs[in.def].Local + "." + name
			l.b.Enter(in.def)
			defer l.b.Leave()
		}
		def = l.b.AddDef(d)
	}
	own := def
	if kind == graph.KindFunction || kind == graph.KindMethod {
		kind = ""
	}
	if ok { // its end is known
		own = graph.NoDef
	}
	l.blocks = append(l.blocks, block{own, kind})
	if ok && kind != "" {
		l.blocks[len(l.blocks)-1].def = def
	}
	l.s = s
	l.advance()
}
