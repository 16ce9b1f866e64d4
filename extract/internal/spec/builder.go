package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// Builder fills the facts of one file. It keeps a stack of the definitions that
// enclose the place being read; what is added belongs to the innermost.
//
// Strings that it hands out share the memory of one copy of the text.
type Builder struct {
	Path  graph.Path
	Src   []byte
	Tree  *sitter.Tree // nil for a language without a grammar
	Facts *graph.Facts
	Lines Lines
	// Reparse parses a text of the length of Src in the same language and calls read with
	// its tree, which is valid until read returns; nil without a grammar. What stands in
	// the text at a place must be what stands there in Src, or white space.
	Reparse func(text []byte, read func(*sitter.Tree)) error
	Notes   any // of the language's Prepare; nil without one

	text      string
	enclosing []int32
	doc       commentRun
}

// NewBuilder returns a builder for one file. f.Path is set; tree may be nil.
func NewBuilder(f *graph.Facts, src []byte, tree *sitter.Tree) *Builder {
	b := &Builder{Path: f.Path, Src: src, Tree: tree, Facts: f, text: string(src)}
	b.Lines.Reset(src)
	f.Lines = b.Lines.Count()
	return b
}

// NewPartBuilder returns a builder that adds the facts of a part to those of the file
// that src is.
func NewPartBuilder(f *graph.Facts, src []byte, part Part, tree *sitter.Tree) *Builder {
	b := &Builder{Path: f.Path, Src: part.Text, Tree: tree, Facts: f, text: string(part.Text)}
	b.Lines.Reset(src)
	return b
}

// Text returns the text of n without copying it.
func (b *Builder) Text(n sitter.Node) string { return b.text[b.Tree.Start(n):b.Tree.End(n)] }

// Slice returns the text between two byte offsets without copying it.
func (b *Builder) Slice(start, end uint32) string { return b.text[start:end] }

// Span returns the span of n.
func (b *Builder) Span(n sitter.Node) graph.Span {
	return b.SpanBetween(b.Tree.Start(n), b.Tree.End(n))
}

// SpanBetween returns the span of the bytes from start up to end. Its places do not
// depend on how lines end: it does not end between a carriage return and its newline, and
// behind the two is one column from before them.
func (b *Builder) SpanBetween(start, end uint32) graph.Span {
	n := uint32(len(b.Src))
	if end > start && end < n && b.Src[end-1] == '\r' && b.Src[end] == '\n' {
		end--
	}
	s := b.Lines.Span(start, end)
	if end > start+1 && end <= n && b.Src[end-1] == '\n' && b.Src[end-2] == '\r' {
		s.To.Col--
	}
	return s
}

// AddDef appends a definition inside the enclosing one and returns its index. It
// sets Container; change b.Facts.Defs[i].Container where another one holds it.
func (b *Builder) AddDef(d graph.Def) int32 {
	d.Container = b.Enclosing()
	b.Facts.Defs = append(b.Facts.Defs, d)
	return int32(len(b.Facts.Defs) - 1)
}

// Enter makes def the enclosing definition until the matching Leave.
func (b *Builder) Enter(def int32) { b.enclosing = append(b.enclosing, def) }

// Leave ends what Enter began.
func (b *Builder) Leave() { b.enclosing = b.enclosing[:len(b.enclosing)-1] }

// Enclosing returns the innermost definition entered, or graph.NoDef.
func (b *Builder) Enclosing() int32 {
	if n := len(b.enclosing); n > 0 {
		return b.enclosing[n-1]
	}
	return graph.NoDef
}

// EnclosingDef returns the innermost definition entered, or nil. The pointer is
// good until the next AddDef.
func (b *Builder) EnclosingDef() *graph.Def {
	if i := b.Enclosing(); i != graph.NoDef {
		return &b.Facts.Defs[i]
	}
	return nil
}

// AddRef appends a reference inside the enclosing definition. A name that is empty
// is dropped: the parser put it there. A qualifier is cut as Qualifier does. Args is -1 unless the use is a call.
func (b *Builder) AddRef(r graph.Ref) {
	if r.Name == "" {
		return
	}
	if r.Use != graph.UseCall && r.Use != graph.UseDecorator && r.Use != graph.UseChoice {
		r.Args = -1
	}
	r.Qualifier = r.Qualifier[:min(len(r.Qualifier), maxQualifier)]
	r.Enclosing = b.Enclosing()
	b.Facts.Refs = append(b.Facts.Refs, r)
}

// AddValueCall counts a call of a value inside the enclosing definition.
func (b *Builder) AddValueCall() {
	at := b.Enclosing()
	calls := &b.Facts.ValueCalls
	i, ok := slices.BinarySearchFunc(*calls, at, func(c graph.ValueCalls, at int32) int { return cmp.Compare(c.Enclosing, at) })
	if !ok {
		*calls = slices.Insert(*calls, i, graph.ValueCalls{Enclosing: at})
	}
	(*calls)[i].Count++
}

// AddImport appends an import inside the enclosing definition.
func (b *Builder) AddImport(im graph.Import) {
	im.Enclosing = b.Enclosing()
	b.Facts.Imports = append(b.Facts.Imports, im)
}

// AddMention appends a mention inside the enclosing definition.
func (b *Builder) AddMention(m graph.Mention) {
	m.Enclosing = b.Enclosing()
	b.Facts.Mentions = append(b.Facts.Mentions, m)
}

const (
	maxQualifier = 160
	maxSignature = 480
)

// Qualifier returns the text between two offsets as Ref.Qualifier wants it: without
// white space, at most 160 bytes. A longer one keeps its first bytes, which are what
// hints speak of.
func (b *Builder) Qualifier(start, end uint32) string {
	s := b.text[start:end]
	if strings.ContainsAny(s, " \t\r\n") {
		s = dropSpace(s)
	}
	if len(s) > maxQualifier {
		s = s[:maxQualifier]
	}
	return s
}

// Signature returns the text between two offsets on one line, cut at 480 bytes.
func (b *Builder) Signature(start, end uint32) string {
	s := OneLine(b.text[start:end])
	if len(s) > maxSignature {
		s = strings.ToValidUTF8(s[:maxSignature], "")
	}
	return s
}

// commentRun is the run of whole-line comments read last.
type commentRun struct {
	start, end uint32 // bytes
	set        bool
}

// NoteComment records a comment that DocAbove may find above a definition. Call it
// for each comment in source order; one that shares its line with code is ignored.
func (b *Builder) NoteComment(n sitter.Node) {
	start, end := b.Tree.Start(n), b.Tree.End(n)
	if !b.startsLine(start) {
		return
	}
	if b.doc.set && b.doc.end <= start && b.Lines.Line(b.doc.end) >= b.Lines.Line(start)-1 {
		b.doc.end = end
		return
	}
	b.doc = commentRun{start, end, true}
}

// DocAbove returns the first line of the comments that end on the line above start,
// without comment marks, or "".
func (b *Builder) DocAbove(start uint32) string {
	run := b.doc
	if !run.set || run.end > start {
		return ""
	}
	if b.Lines.Line(max(run.end, 1)-1)+1 < b.Lines.Line(start) {
		return ""
	}
	return DocLine(b.text[run.start:run.end])
}

func (b *Builder) startsLine(off uint32) bool {
	for off > 0 {
		off--
		switch b.Src[off] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}
