package blob

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	version  = 3
	codecRaw = 0
)

// Bits of a definition. The first seven are those of the plain cases, so that one
// byte holds them. The lowest three are the form of Local.
const (
	localName      = iota // Name
	localContained        // Local of the container, a dot, Name
	localPointer          // "(*", Owner, ").", Name
	localOwned            // Owner, a dot, Name
	localText             // none of these: written out
	localForms     = 7    // mask

	defSamePlace = 1 << 3  // Kind and Container are those of the definition before
	defSameFlags = 1 << 4  // Flags are
	defSplit     = 1 << 5  // Signature is written as what stands before and after Name
	defFollows   = 1 << 6  // Span stands after that of the definition before, in the same column
	defDoc       = 1 << 7  // Doc is set
	defType      = 1 << 8  // Type is set
	defOwner     = 1 << 9  // Owner is set
	defSignature = 1 << 10 // Signature is written out
	defOddName   = 1 << 11 // NameSpan is not that of the bytes of Name on the first line of Span
	defNameAt    = 1 << 12 // NameSpan begins elsewhere in Span than that of the definition before
)

// maxJoined bounds strings that Decode puts together, so that a blob cannot make
// it allocate more than a constant times its own length.
const maxJoined = 255

// Numbers of the shape of a ref.
const (
	shapeSingle = 0 // the next of the shapes that are used once
	shapeOdd    = 1 // another number follows, and the ref is written at length
	shapeShared = 2 // the first of the shapes that are used more often
)

// shape is what refs of one file have in common, by ids of the string table.
type shape struct {
	name, qualifier, hint uint32
	use                   graph.Use
	rule                  graph.HintRule
	args                  int16
}

// encoder holds the state of one Encode, and the room of the one before.
type encoder struct {
	f       *graph.Facts
	strs    interner
	census  census
	shapes  []shape    // the shared ones, the most frequent first, then the others
	shared  int        // number of shared shapes
	refs    []uint32   // shape of each ref
	joined  int        // bytes of the strings that Decode puts together
	out     []byte     // the body
	last    graph.Span // what the next span is relative to
	lastEnc int32
}

// begin forgets all but the room.
func (e *encoder) begin(f *graph.Facts) {
	e.strs.reset()
	*e = encoder{f: f, strs: e.strs, census: e.census, shapes: e.shapes[:0], refs: e.refs[:0], out: e.out[:0]}
}

// Encode returns the blob of f. It does not keep f. Indices of f that lie outside
// f.Defs are written as they are, and make a blob that Decode refuses.
func Encode(f *graph.Facts) []byte {
	var x Encoder
	return x.Encode(f)
}

// Encoder encodes the facts of one file after another. It keeps its room from file to
// file, and strings of the last one. It serves one goroutine at a time; the zero value is
// ready for use.
type Encoder struct{ e encoder }

// maxRoom is the number of strings, and of refs, from which no room is kept.
const maxRoom = 1 << 13

// Encode is the function of that name.
func (x *Encoder) Encode(f *graph.Facts) []byte {
	e := &x.e
	e.begin(f)
	e.collect()
	e.out = slices.Grow(e.out, 256+4*len(f.Refs)+24*len(f.Defs))
	e.head()
	e.defs()
	e.tail()
	e.refTable()
	out := make([]byte, 0, 16+e.strs.size+2*len(e.strs.list)+len(e.out))
	out = append(out, version, codecRaw)
	out = append(e.strs.appendTo(out), e.out...)
	e.f = nil
	if len(e.strs.list) > maxRoom || len(e.refs) > maxRoom {
		x.e = encoder{}
	}
	return out
}

// collect enters every string into the table before the first one is written, so
// that the groups are known.
func (e *encoder) collect() {
	f, t := e.f, &e.strs
	f.DefNames(func(s string) { t.add(s, inDefs) })
	e.collectRefs()
	f.OtherRefNames(func(s string) { t.add(s, inRefs) })
	for _, s := range [...]string{
		string(f.Path), f.Language, f.Extractor, f.Reason, f.Package, f.Constraint,
	} {
		t.add(s, 0)
	}
	addEnum(t, statuses, f.Status)
	addEnum(t, roles, f.Role)
	for i := range f.Defs {
		e.collectDef(i, &f.Defs[i])
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
		if h.Def == graph.NoDef {
			t.add(h.Of, 0)
		}
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
	t.seal()
}

func (e *encoder) collectDef(i int, d *graph.Def) {
	t := &e.strs
	addEnum(t, kinds, d.Kind)
	switch e.localForm(i, d) {
	case localName:
	case localText:
		t.add(d.Local, 0)
	default:
		e.joined += len(d.Local)
	}
	if before, after, ok := splitSignature(d); ok {
		t.add(before, 0)
		t.add(after, 0)
		e.joined += len(d.Signature)
	} else {
		t.add(d.Signature, 0)
	}
	t.add(d.Owner, 0)
	t.add(d.Doc, 0)
	t.add(d.Type, 0)
}

// localForm says how Local follows from what else is known of d. A container
// counts when it stands before.
func (e *encoder) localForm(i int, d *graph.Def) uint64 {
	switch {
	case d.Local == d.Name:
		return localName
	case len(d.Local) > maxJoined:
		return localText
	case d.Container >= 0 && int(d.Container) < i && joined(d.Local, "", e.f.Defs[d.Container].Local, ".", d.Name):
		return localContained
	case joined(d.Local, "(*", d.Owner, ").", d.Name):
		return localPointer
	case joined(d.Local, "", d.Owner, ".", d.Name):
		return localOwned
	}
	return localText
}

// joined reports whether s is a, b, c and d in a row.
func joined(s, a, b, c, d string) bool {
	return len(s) == len(a)+len(b)+len(c)+len(d) && s[:len(a)] == a && s[len(a):len(a)+len(b)] == b &&
		s[len(a)+len(b):len(s)-len(d)] == c && s[len(s)-len(d):] == d
}

// splitSignature cuts a signature at the name: what is left is the same for many
// definitions.
func splitSignature(d *graph.Def) (before, after string, ok bool) {
	if d.Signature == "" || d.Name == "" || len(d.Signature) > maxJoined {
		return "", "", false
	}
	return strings.Cut(d.Signature, d.Name)
}

func addEnum[T ~string](t *interner, table []T, v T) {
	if !listed(table, v) {
		t.add(string(v), 0)
	}
}

func (e *encoder) uint(v uint64) { e.out = binary.AppendUvarint(e.out, v) }

// diff writes a-b, which wraps around for values that are far apart.
func (e *encoder) diff(a, b uint32) { e.uint(zigzag(a - b)) }

// str writes a string of the last group, text one of any group: zero for the
// first use of a string of g, else its number plus one.
func (e *encoder) str(s string) { e.text(e.strs.id(s), groupRest) }

func (e *encoder) text(id uint32, g group) {
	n, first := e.strs.use(id, g)
	if first {
		e.uint(0)
	} else {
		e.uint(uint64(n) + 1)
	}
}

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
// the span is flat.
func (e *encoder) span(s graph.Span) {
	head := zigzag(s.Start-e.last.Start) << 1
	if flat(s) {
		head |= 1
	}
	e.uint(head)
	e.diff(s.From.Line, e.last.From.Line)
	e.uint(uint64(s.From.Col))
	e.uint(uint64(s.End - s.Start))
	if !flat(s) {
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
	e.uint(uint64(e.joined))
	e.last = graph.Span{}
	before := &graph.Def{Container: graph.NoDef}
	for i := range e.f.Defs {
		d := &e.f.Defs[i]
		e.def(i, d, before)
		e.last, before = d.Span, d
	}
}

func (e *encoder) def(i int, d, before *graph.Def) {
	bits := e.defBits(i, d, before)
	e.uint(bits)
	e.text(e.strs.id(d.Name), groupDefs)
	if bits&defSamePlace == 0 {
		putEnum(e, kinds, d.Kind)
		if d.Container == graph.NoDef {
			e.uint(0)
		} else {
			e.uint(zigzag(uint32(int32(i)-d.Container)) + 1)
		}
	}
	if bits&defSameFlags == 0 {
		e.uint(uint64(d.Flags))
	}
	if bits&defOwner != 0 {
		e.str(d.Owner)
	}
	if bits&localForms == localText {
		e.str(d.Local)
	}
	if bits&defSplit != 0 {
		head, tail, _ := splitSignature(d)
		e.str(head)
		e.str(tail)
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
	if bits&defFollows != 0 {
		e.follow(d.Span)
	} else {
		e.span(d.Span)
	}
	if bits&defOddName != 0 {
		e.span(d.NameSpan)
	} else if bits&defNameAt != 0 {
		e.uint(uint64(nameAt(d)))
	}
}

// nameAt is the distance of the name from the start of its definition.
func nameAt(d *graph.Def) uint32 { return d.NameSpan.Start - d.Span.Start }

func (e *encoder) defBits(i int, d, before *graph.Def) (bits uint64) {
	set := func(on bool, bit uint64) {
		if on {
			bits |= bit
		}
	}
	_, _, split := splitSignature(d)
	bits = e.localForm(i, d)
	set(d.Kind == before.Kind && d.Container == before.Container, defSamePlace)
	set(d.Flags == before.Flags, defSameFlags)
	set(split, defSplit)
	set(!split && d.Signature != "", defSignature)
	set(follows(d.Span, e.last), defFollows)
	set(d.Doc != "", defDoc)
	set(d.Type != "", defType)
	set(d.Owner != "", defOwner)
	set(d.NameSpan != plainName(d.Span, nameAt(d), d.Name), defOddName)
	set(bits&defOddName == 0 && nameAt(d) != nameAt(before), defNameAt)
	return bits
}

// follows reports whether s can be written relative to the end of last.
func follows(s, last graph.Span) bool {
	return s.Start >= last.End && s.From.Line >= last.To.Line && s.From.Col == last.From.Col
}

// follow writes a span that follows the last one. Bit 0 of the length is that of span.
func (e *encoder) follow(s graph.Span) {
	e.uint(uint64(s.Start - e.last.End))
	e.uint(uint64(s.From.Line - e.last.To.Line))
	n := uint64(s.End-s.Start) << 1
	e.last = s
	if flat(s) {
		e.uint(n | 1)
		return
	}
	e.uint(n)
	e.diff(s.To.Line, s.From.Line)
	e.uint(uint64(s.To.Col))
}

// flat reports whether s ends on its first line and its columns agree with its bytes.
func flat(s graph.Span) bool {
	return s.To.Line == s.From.Line && s.To.Col-s.From.Col == s.End-s.Start
}

// plainName is the span of a name that starts at bytes into its definition's first
// line and is written as it is called.
func plainName(s graph.Span, at uint32, name string) graph.Span {
	return tokenAt(s.Start+at, graph.Pos{Line: s.From.Line, Col: s.From.Col + at}, uint32(len(name)))
}

func tokenAt(start uint32, from graph.Pos, n uint32) graph.Span {
	return graph.Span{Start: start, End: start + n, From: from, To: graph.Pos{Line: from.Line, Col: from.Col + n}}
}
