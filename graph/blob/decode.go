package blob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// ErrFormat says that a blob was written by a version of this package that this
// one does not read. The remedy is to extract the file again.
var ErrFormat = errors.New("blob: unknown format")

// ErrCorrupt says that a blob is not what Encode wrote. The remedy is the same.
var ErrCorrupt = errors.New("blob: corrupt")

// The least bytes that one element takes: a count that promises more elements
// than the rest of the blob could hold is refused before anything is allocated.
const (
	minString   = 1
	minDef      = 5
	minShape    = 4
	minRef      = 2
	minImport   = 9
	minHeritage = 8
	minMention  = 10
	minPair     = 2

	minValueCalls = 1
)

// decoder reads a body. The first damage sticks in err, and everything read after
// it is zero.
type decoder struct {
	b      []byte
	pos    int // in b
	err    error
	strs   table
	next   counter
	joined strings.Builder // what the definitions' strings were put together in
	last   graph.Span
	defs   int // number of definitions, once known
}

// table holds the strings of a blob by number; number 0 is "".
type table struct {
	text string
	ends []uint32 // where each string ends in text
}

func (t *table) at(n uint32) string {
	if n == 0 {
		return ""
	}
	return t.text[t.ends[n-1]:t.ends[n]]
}

// size is the length of the string at n.
func (t *table) size(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return t.ends[n] - t.ends[n-1]
}

// Decode returns the facts of a blob. Its strings share one copy of the blob's
// strings, so b may be reused, and one kept string keeps them all.
func Decode(b []byte) (*graph.Facts, error) {
	f, err := Open(b)
	if err != nil {
		return nil, err
	}
	return f.Facts()
}

func open(b []byte) (*decoder, error) {
	if len(b) < 2 {
		return nil, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(b))
	}
	if b[0] != version || b[1] != codecRaw {
		return nil, fmt.Errorf("%w: version %d, codec %d", ErrFormat, b[0], b[1])
	}
	return &decoder{b: b[2:]}, nil
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrCorrupt, what)
	}
	d.pos = len(d.b)
}

// left is the number of bytes that were not read yet.
func (d *decoder) left() int { return len(d.b) - d.pos }

func (d *decoder) uint() uint64 {
	if d.pos < len(d.b) && d.b[d.pos] < 0x80 {
		d.pos++
		return uint64(d.b[d.pos-1])
	}
	return d.long()
}

// long reads a number of more than one byte.
func (d *decoder) long() uint64 {
	v, n := binary.Uvarint(d.b[d.pos:])
	if n <= 0 {
		d.fail("number")
		return 0
	}
	d.pos += n
	return v
}

func (d *decoder) uint32() uint32 {
	v := d.uint()
	if v > 1<<32-1 {
		d.fail("number out of range")
		return 0
	}
	return uint32(v)
}

// small reads a number of at most limit.
func (d *decoder) small(limit uint64) uint64 {
	v := d.uint()
	if v > limit {
		d.fail("number out of range")
		return 0
	}
	return v
}

// diff reads what encoder.diff wrote.
func (d *decoder) diff() uint32 {
	v := d.uint()
	if v > 1<<32-1 {
		d.fail("difference out of range")
	}
	return unzigzag(v)
}

func unzigzag(v uint64) uint32 { return uint32(v>>1) ^ -uint32(v&1) }

// count reads the number of elements of which each takes at least least bytes.
func (d *decoder) count(least int) int {
	v := d.uint()
	if v > uint64(d.left()/least) {
		d.fail("count beyond the end")
		return 0
	}
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if n > d.left() {
		d.fail("short")
		return nil
	}
	d.pos += n
	return d.b[d.pos-n : d.pos]
}

// str reads what encoder.str wrote, text what encoder.text wrote.
func (d *decoder) str() string { return d.text(groupRest) }

func (d *decoder) text(g group) string { return d.strs.at(d.number(g)) }

// number reads the number of a string; 0 is "".
func (d *decoder) number(g group) uint32 {
	n := d.uint()
	if n == 0 {
		n = uint64(d.next.fresh[g])
		if n >= uint64(d.next.end[g]) {
			d.fail("no string left")
			return 0
		}
		d.next.fresh[g]++
		return uint32(n)
	}
	if n--; n >= uint64(len(d.strs.ends)) {
		d.fail("string number")
		return 0
	}
	d.next.use(uint32(n))
	return uint32(n)
}

// join returns the strings in a row.
func (d *decoder) join(parts ...string) string {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > maxJoined {
		d.fail("joined string")
		return ""
	}
	from := d.joined.Len()
	for _, p := range parts {
		d.joined.WriteString(p)
	}
	return d.joined.String()[from:]
}

func getEnum[T ~string](d *decoder, table []T) T {
	n := d.uint()
	if n == 0 {
		return T(d.str())
	}
	if n > uint64(len(table)) {
		d.fail("enumeration")
		return ""
	}
	return table[n-1]
}

// index reads the index of a definition, or NoDef.
func (d *decoder) index() int32 {
	v := d.uint()
	if v > uint64(d.defs) {
		d.fail("definition number")
		return graph.NoDef
	}
	return int32(v) - 1
}

// stringTable reads the counts of the groups. What follows are the lengths.
func (d *decoder) stringTable() (counts [groups]int) {
	total := 0
	for g := range counts {
		counts[g] = d.count(minString)
		total += counts[g]
	}
	if total > d.left() {
		d.fail("count beyond the end")
		return [groups]int{}
	}
	return counts
}

// split reads the strings.
func (d *decoder) split(counts [groups]int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	d.next = newCounter(counts)
	ends := make([]uint32, total+1)
	size := uint64(0)
	for i := 1; i <= total; i++ {
		size += uint64(d.uint32())
		ends[i] = uint32(size)
	}
	if d.err != nil || size > uint64(d.left()) {
		d.fail("strings beyond the end")
		size = 0
		clear(ends)
	}
	d.strs = table{string(d.bytes(int(size))), ends}
}

func (d *decoder) span() graph.Span {
	head := d.small(1<<33 - 1)
	start := d.last.Start + unzigzag(head>>1)
	line := d.last.From.Line + d.diff()
	col := d.uint32()
	n := d.uint32()
	s := tokenAt(start, graph.Pos{Line: line, Col: col}, n)
	if head&1 == 0 {
		s.To.Line = line + d.diff()
		s.To.Col = d.uint32()
	}
	d.last = s
	return s
}

func (d *decoder) head(f *graph.Facts) {
	copy(f.Hash[:], d.bytes(len(f.Hash)))
	if b := d.bytes(8); b != nil {
		f.Exports = binary.LittleEndian.Uint64(b)
	}
	f.Path = graph.Path(d.str())
	f.Language = d.str()
	f.Extractor = d.str()
	f.Status = getEnum(d, statuses)
	f.Reason = d.str()
	f.Role = getEnum(d, roles)
	f.Package = d.str()
	f.Constraint = d.str()
	f.Lines = d.uint32()
}
