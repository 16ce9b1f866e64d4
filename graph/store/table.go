package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/ralph-index/ralph-index/graph"
)

// tableChunk is where a chunk of the file table ends. A path and its record may
// take a few KB beyond it.
const tableChunk = 256 << 10

// table is the file table of a base, in memory: records in the order of their
// paths, and two hash indexes into them. It is immutable.
type table struct {
	records []record
	byPath  hashIndex
	byID    hashIndex
	maxID   graph.FileID
	counts  counts

	keysOnce sync.Once
	keys     map[graph.PathKey]uint32 // made on first use: 0.1 us a file
}

func newTable(records []record) *table {
	t := &table{records: records}
	t.byPath = newHashIndex(len(records))
	t.byID = newHashIndex(len(records))
	for i := range records {
		r := &records[i]
		t.byPath.insert(hashPath(r.Path), uint32(i))
		t.byID.insert(hashID(r.ID), uint32(i))
		t.maxID = max(t.maxID, r.ID)
		t.counts.add(&r.File, 1)
	}
	return t
}

// find returns the place of a path, or -1.
func (t *table) find(p graph.Path) int {
	for at, i := t.byPath.first(hashPath(p)); i >= 0; at, i = t.byPath.next(at) {
		if t.records[i].Path == p {
			return i
		}
	}
	return -1
}

// findID returns the place of an id, or -1.
func (t *table) findID(id graph.FileID) int {
	for at, i := t.byID.first(hashID(id)); i >= 0; at, i = t.byID.next(at) {
		if t.records[i].ID == id {
			return i
		}
	}
	return -1
}

// from returns the place of the first path that is not less than p.
func (t *table) from(p graph.Path) int {
	i, _ := slices.BinarySearchFunc(t.records, p, func(r record, p graph.Path) int {
		return strings.Compare(string(r.Path), string(p))
	})
	return i
}

func (t *table) pathOf(k graph.PathKey) (graph.Path, bool) {
	t.keysOnce.Do(func() {
		t.keys = make(map[graph.PathKey]uint32, len(t.records))
		for i := range t.records {
			t.keys[graph.KeyOf(t.records[i].Path)] = uint32(i)
		}
	})
	i, ok := t.keys[k]
	if !ok {
		return "", false
	}
	return t.records[i].Path, true
}

func hashPath(p graph.Path) uint64 { return xxhash.Sum64String(string(p)) }

// hashID spreads ids, which are dense, by the golden ratio.
func hashID(id graph.FileID) uint64 { return uint64(id) * 0x9e3779b97f4a7c15 }

// hashIndex finds places in a table by hash: open addressing, at most half full.
// A slot holds a place plus one.
type hashIndex struct {
	slots []uint32
	shift uint
}

func newHashIndex(n int) hashIndex {
	bits := uint(3)
	for 1<<bits < 2*n {
		bits++
	}
	return hashIndex{slots: make([]uint32, 1<<bits), shift: 64 - bits}
}

func (x *hashIndex) insert(hash uint64, place uint32) {
	at := hash >> x.shift
	for x.slots[at] != 0 {
		at = (at + 1) & uint64(len(x.slots)-1)
	}
	x.slots[at] = place + 1
}

// first and next walk the places whose hash may be the one asked for, until -1.
func (x *hashIndex) first(hash uint64) (at uint64, place int) {
	at = hash >> x.shift
	return at, int(x.slots[at]) - 1
}

func (x *hashIndex) next(at uint64) (uint64, int) {
	at = (at + 1) & uint64(len(x.slots)-1)
	return at, int(x.slots[at]) - 1
}

// encodeTable calls emit with each chunk of the table. Paths are written as what
// they share with the one before and the rest.
func encodeTable(records []record, emit func(chunk []byte) error) error {
	var b []byte
	var last string
	for i := range records {
		r := &records[i]
		p := string(r.Path)
		shared := commonPrefix(last, p)
		b = binary.AppendUvarint(b, uint64(shared))
		b = appendString(b, p[shared:])
		b = appendRecord(b, r, 0)
		last = p
		if len(b) >= tableChunk || i == len(records)-1 {
			if err := emit(b); err != nil {
				return err
			}
			b, last = nil, ""
		}
	}
	return nil
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// tableReader collects the chunks of a table.
type tableReader struct {
	r       reader
	records []record
	path    []byte
	texts   []byte // the paths of a chunk, one after the other
	ends    []int
}

func (t *tableReader) chunk(b []byte) error {
	t.r.b = b
	t.path, t.texts, t.ends = t.path[:0], t.texts[:0], t.ends[:0]
	first := len(t.records)
	for len(t.r.b) > 0 {
		shared := t.r.uint()
		if shared > uint64(len(t.path)) {
			t.r.fail("shared prefix")
		}
		rest := t.r.bytes(t.r.uint())
		rec, flags := t.r.record()
		if t.r.err != nil {
			return fmt.Errorf("read file table: %w", t.r.err)
		}
		if flags&recordRemoved != 0 {
			return fmt.Errorf("%w: removed file in a table", ErrCorrupt)
		}
		t.path = append(t.path[:shared], rest...)
		t.texts = append(t.texts, t.path...)
		t.ends = append(t.ends, len(t.texts))
		t.records = append(t.records, rec)
	}
	all, from := string(t.texts), 0
	for i, end := range t.ends {
		t.records[first+i].Path = graph.Path(all[from:end])
		from = end
	}
	return nil
}

// counts are the running totals behind Counts. Languages stand in a short sorted
// list, which is copied when it changes.
type counts struct {
	files, defs, lines, partial, failed int
	bytes                               int64
	languages                           []languageCount
}

type languageCount struct {
	language string
	files    int
}

// add counts f n times; n is 1 or -1. Copies of c share their languages: see clone.
func (c *counts) add(f *graph.File, n int) {
	c.files += n
	c.defs += n * int(f.Defs)
	c.lines += n * int(f.Lines)
	c.bytes += int64(n) * f.Sig.Size
	switch f.Status {
	case graph.StatusPartial, graph.StatusCapped:
		c.partial += n
	case graph.StatusFailed:
		c.failed += n
	}
	if f.Language == "" {
		return
	}
	i, ok := slices.BinarySearchFunc(c.languages, f.Language, func(l languageCount, s string) int {
		return strings.Compare(l.language, s)
	})
	if !ok {
		c.languages = slices.Insert(c.languages, i, languageCount{language: f.Language})
	}
	c.languages[i].files += n
}

func (c counts) clone() counts {
	c.languages = slices.Clone(c.languages)
	return c
}

func (c counts) public() Counts {
	out := Counts{
		Files: c.files, Bytes: c.bytes, Defs: c.defs, Lines: c.lines, Partial: c.partial, Failed: c.failed,
		Languages: make(map[string]int, len(c.languages)),
	}
	for _, l := range c.languages {
		if l.files > 0 {
			out.Languages[l.language] = l.files
		}
	}
	return out
}
