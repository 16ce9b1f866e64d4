package blob

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	version  = 1
	codecRaw = 0
)

// Presence bits of a definition.
const (
	defLocal     = 1 << iota // Local differs from Name
	defOwner                 // Owner is set
	defSignature             // Signature is set
	defDoc                   // Doc is set
	defType                  // Type is set
	defOddName               // NameSpan is not the bytes of Name on the first line's terms
)

// shape is what refs of one file have in common, by ids of the string table.
type shape struct {
	name, qualifier, hint uint32
	use                   graph.Use
	rule                  graph.HintRule
	args                  int16
}

// encoder holds the state of one Encode.
type encoder struct {
	f       *graph.Facts
	strs    interner
	shapes  []shape
	counts  []uint32
	refs    []uint32 // shape of each ref
	rank    []uint32 // place in the output of each shape
	out     []byte
	last    graph.Span // what the next span is relative to
	lastEnc int32
}

// Encode returns the blob of f. It does not keep f. Indices of f that lie outside
// f.Defs are written as they are, and make a blob that Decode refuses.
func Encode(f *graph.Facts) []byte {
	e := encoder{f: f, strs: newInterner(16 + 2*len(f.Defs) + len(f.Refs)/4)}
	e.collect()
	e.out = make([]byte, 0, 256+e.strs.size+2*len(e.strs.list)+4*len(f.Refs)+24*len(f.Defs))
	e.out = append(e.out, version, codecRaw)
	e.out = e.strs.appendTo(e.out)
	e.head()
	e.defs()
	e.refTable()
	e.tail()
	return e.out
}

// collect enters every string into the table before the first one is written, so
// that the groups are known.
func (e *encoder) collect() {
	f, t := e.f, &e.strs
	f.DefNames(func(s string) { t.add(s, inDefs) })
	e.collectRefs()
	f.RefNames(func(s string) { t.add(s, inRefs) })
	for _, s := range [...]string{
		string(f.Path), f.Language, f.Extractor, f.Reason, f.Package, f.Constraint,
	} {
		t.add(s, 0)
	}
	addEnum(t, statuses, f.Status)
	addEnum(t, roles, f.Role)
	for i := range f.Defs {
		d := &f.Defs[i]
		addEnum(t, kinds, d.Kind)
		for _, s := range [...]string{d.Local, d.Owner, d.Signature, d.Doc, d.Type} {
			t.add(s, 0)
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		t.add(im.Module, 0)
		t.add(im.Name, 0)
		t.add(im.Alias, 0)
	}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		addEnum(t, heritageRels, h.Rel)
		t.add(h.Qualifier, 0)
	}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		addEnum(t, mentionForms, m.Form)
		for _, s := range [...]string{m.Target, m.Fragment, m.Name, m.Qualifier} {
			t.add(s, 0)
		}
	}
	for _, p := range f.Manifest {
		t.add(p.Key, 0)
		t.add(p.Value, 0)
	}
	t.group()
}

func addEnum[T ~string](t *interner, table []T, v T) {
	if !listed(table, v) {
		t.add(string(v), 0)
	}
}

// collectRefs finds the shapes and ranks them by frequency, so that most refs
// need one byte for theirs.
func (e *encoder) collectRefs() {
	if len(e.f.Refs) == 0 {
		return
	}
	e.refs = make([]uint32, len(e.f.Refs))
	seen := make(map[shape]uint32, len(e.f.Refs)/2+1)
	for i := range e.f.Refs {
		r := &e.f.Refs[i]
		s := shape{
			name: e.strs.add(r.Name, inRefs), qualifier: e.strs.add(r.Qualifier, 0),
			hint: e.strs.add(r.Hint.Type, 0), use: r.Use, rule: r.Hint.Rule, args: r.Args,
		}
		k, ok := seen[s]
		if !ok {
			k = uint32(len(e.shapes))
			seen[s] = k
			e.shapes = append(e.shapes, s)
			e.counts = append(e.counts, 0)
		}
		e.refs[i] = k
		e.counts[k]++
	}
	order := make([]uint32, len(e.shapes))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(e.counts[b], e.counts[a]) })
	e.rank = make([]uint32, len(order))
	ranked := make([]shape, len(order))
	for at, k := range order {
		e.rank[k] = uint32(at)
		ranked[at] = e.shapes[k]
	}
	e.shapes = ranked
}

func (e *encoder) uint(v uint64) { e.out = binary.AppendUvarint(e.out, v) }

// diff writes a-b, which wraps around for values that are far apart.
func (e *encoder) diff(a, b uint32) { e.uint(zigzag(a - b)) }

func (e *encoder) str(s string) { e.uint(uint64(e.strs.id(s))) }

func putEnum[T ~string](e *encoder, table []T, v T) {
	n := number(table, v)
	e.uint(n)
	if n == 0 {
		e.str(string(v))
	}
}

func zigzag(d uint32) uint64 {
	return uint64(d<<1 ^ uint32(int32(d)>>31))
}

// span writes s relative to the span before. Bit 0 of the first number says that
// the span ends on its first line and that its columns agree with its bytes.
func (e *encoder) span(s graph.Span) {
	flat := s.To.Line == s.From.Line && s.To.Col-s.From.Col == s.End-s.Start
	head := zigzag(s.Start-e.last.Start) << 1
	if flat {
		head |= 1
	}
	e.uint(head)
	e.diff(s.From.Line, e.last.From.Line)
	e.uint(uint64(s.From.Col))
	e.uint(uint64(s.End - s.Start))
	if !flat {
		e.diff(s.To.Line, s.From.Line)
		e.uint(uint64(s.To.Col))
	}
	e.last = s
}

func (e *encoder) head() {
	f := e.f
	e.out = append(e.out, f.Hash[:]...)
	e.out = binary.LittleEndian.AppendUint64(e.out, f.Exports)
	e.str(string(f.Path))
	e.str(f.Language)
	e.str(f.Extractor)
	putEnum(e, statuses, f.Status)
	e.str(f.Reason)
	putEnum(e, roles, f.Role)
	e.str(f.Package)
	e.str(f.Constraint)
	e.uint(uint64(f.Lines))
}

func (e *encoder) defs() {
	e.uint(uint64(len(e.f.Defs)))
	e.last = graph.Span{}
	for i := range e.f.Defs {
		d := &e.f.Defs[i]
		bits := defBits(d)
		e.str(d.Name)
		e.uint(bits)
		putEnum(e, kinds, d.Kind)
		e.uint(uint64(d.Flags))
		if d.Container == graph.NoDef {
			e.uint(0)
		} else {
			e.uint(zigzag(uint32(int32(i)-d.Container)) + 1)
		}
		if bits&defLocal != 0 {
			e.str(d.Local)
		}
		if bits&defOwner != 0 {
			e.str(d.Owner)
		}
		if bits&defSignature != 0 {
			e.str(d.Signature)
		}
		if bits&defDoc != 0 {
			e.str(d.Doc)
		}
		if bits&defType != 0 {
			e.str(d.Type)
		}
		e.span(d.Span)
		if bits&defOddName != 0 {
			e.span(d.NameSpan)
		} else {
			e.uint(uint64(d.NameSpan.Start - d.Span.Start))
		}
		e.last = d.Span
	}
}

func defBits(d *graph.Def) (bits uint64) {
	set := func(on bool, bit uint64) {
		if on {
			bits |= bit
		}
	}
	set(d.Local != d.Name, defLocal)
	set(d.Owner != "", defOwner)
	set(d.Signature != "", defSignature)
	set(d.Doc != "", defDoc)
	set(d.Type != "", defType)
	set(d.NameSpan != plainName(d.Span, d.NameSpan.Start-d.Span.Start, d.Name), defOddName)
	return bits
}

// plainName is the span of a name that starts at bytes into its definition's first
// line and is written as it is called.
func plainName(s graph.Span, at uint32, name string) graph.Span {
	return tokenAt(s.Start+at, graph.Pos{Line: s.From.Line, Col: s.From.Col + at}, uint32(len(name)))
}

func tokenAt(start uint32, from graph.Pos, n uint32) graph.Span {
	return graph.Span{Start: start, End: start + n, From: from, To: graph.Pos{Line: from.Line, Col: from.Col + n}}
}

func (e *encoder) refTable() {
	e.uint(uint64(len(e.shapes)))
	for _, s := range e.shapes {
		e.uint(uint64(e.strs.final(s.name)))
		e.uint(uint64(e.strs.final(s.qualifier)))
		e.uint(zigzag(uint32(int32(s.args))))
		if s.rule == graph.HintNone && s.hint == 0 {
			e.uint(uint64(s.use) << 1)
			continue
		}
		e.uint(uint64(s.use)<<1 | 1)
		e.uint(uint64(s.rule))
		e.uint(uint64(e.strs.final(s.hint)))
	}
	e.uint(uint64(len(e.f.Refs)))
	e.last, e.lastEnc = refStart, graph.NoDef
	for i := range e.f.Refs {
		e.ref(i)
	}
}

// refStart is what the first ref of a file is relative to.
var refStart = tokenAt(0, graph.Pos{Line: 1, Col: 1}, 0)

// ref writes one ref. The usual one is a token that is written as it is called and
// stands after the ref before: its shape, then the distance from there, counted
// from the start of the line when that is another line. Bit 0 of the distance says
// so, bit 1 that the enclosing definition is another.
func (e *encoder) ref(i int) {
	r := &e.f.Refs[i]
	rank := uint64(e.rank[e.refs[i]])
	s, last := r.Span, e.last
	col := s.From.Col
	var gap uint32
	newLine := s.From.Line != last.To.Line
	plain := s == tokenAt(s.Start, s.From, uint32(len(r.Name))) && s.Start >= last.End && s.From.Line >= last.To.Line
	if newLine {
		gap = s.Start - last.End - (col - 1)
		plain = plain && col >= 1 && uint64(last.End)+uint64(col-1) <= uint64(s.Start)
	} else {
		gap = s.Start - last.End
		plain = plain && col-last.To.Col == gap
	}
	if !plain {
		e.uint(0)
		e.uint(rank)
		e.diff(uint32(r.Enclosing), uint32(e.lastEnc))
		e.span(s)
		e.lastEnc = r.Enclosing
		return
	}
	e.uint(rank + 1)
	head := uint64(gap) << 2
	if r.Enclosing != e.lastEnc {
		head |= 2
	}
	if newLine {
		head |= 1
	}
	e.uint(head)
	if newLine {
		if lines := s.From.Line - last.To.Line; lines == 1 {
			e.uint(uint64(col) << 1)
		} else {
			e.uint(uint64(col)<<1 | 1)
			e.uint(uint64(lines))
		}
	}
	if r.Enclosing != e.lastEnc {
		e.diff(uint32(r.Enclosing), uint32(e.lastEnc))
		e.lastEnc = r.Enclosing
	}
	e.last = s
}

// tail writes what is rare: imports, heritage, mentions, manifest.
func (e *encoder) tail() {
	f := e.f
	e.uint(uint64(len(f.Imports)))
	e.last = graph.Span{}
	for i := range f.Imports {
		im := &f.Imports[i]
		e.str(im.Module)
		e.str(im.Name)
		e.str(im.Alias)
		e.uint(uint64(im.Flags))
		e.index(im.Enclosing)
		e.span(im.Span)
	}
	e.uint(uint64(len(f.Heritage)))
	e.last = graph.Span{}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		e.index(h.Def)
		putEnum(e, heritageRels, h.Rel)
		e.str(h.Name)
		e.str(h.Qualifier)
		e.span(h.Span)
	}
	e.uint(uint64(len(f.Mentions)))
	e.last = graph.Span{}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		putEnum(e, mentionForms, m.Form)
		e.str(m.Target)
		e.str(m.Fragment)
		e.str(m.Name)
		e.str(m.Qualifier)
		e.index(m.Enclosing)
		e.span(m.Span)
	}
	e.uint(uint64(len(f.Manifest)))
	for _, p := range f.Manifest {
		e.str(p.Key)
		e.str(p.Value)
	}
}

// index writes the index of a definition, NoDef as zero.
func (e *encoder) index(i int32) { e.uint(uint64(uint32(i + 1))) }
