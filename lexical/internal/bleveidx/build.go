package bleveidx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	index "github.com/blevesearch/bleve_index_api"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
)

// made is a segment as bytes: what zap's own code has in memory before it adds a footer.
type made struct {
	buf    []byte
	stored uint64 // where the table of stored fields is
	fields uint64 // where the table of fields is
}

func (m *made) crc() uint32 { return crc32.ChecksumIEEE(m.buf) }

// build makes a segment. A list of postings is the offset of what is said about
// frequencies (nothing: a zero for each posting), that of positions (none), and a roaring
// bitmap. As nothing distinguishes the words of one file that no other file has, they
// share one list, and all lists share the zeros.
func build(list []*Doc) (*made, error) {
	v := invert(list)
	m := &made{buf: make([]byte, 0, 1<<12+len(v.words)*8+len(v.docs)*2+len(list)*64)}
	m.storedFields(list)
	p := postings{made: m, docs: len(list), single: make([]uint64, len(list))}
	addrs := make([]uint64, 2)
	var err error
	if addrs[0], err = m.dictionary(len(list), func(i int) (string, uint64) {
		return docKey(list[i].id), zap.FSTValEncode1Hit(uint64(i), zap.NormBits1Hit)
	}); err != nil {
		return nil, err
	}
	order := v.sorted()
	p.zeros(v)
	offsets := make([]uint64, len(order))
	for i, w := range order {
		offsets[i] = p.write(v.of(w))
	}
	if addrs[1], err = m.dictionary(len(order), func(i int) (string, uint64) {
		return v.words[order[i]], offsets[i]
	}); err != nil {
		return nil, err
	}
	m.fieldTable(addrs)
	return m, nil
}

func (m *made) uvarint(values ...uint64) {
	for _, v := range values {
		m.buf = binary.AppendUvarint(m.buf, v)
	}
}

func (m *made) at() uint64 { return uint64(len(m.buf)) }

// storedFields writes the ids, each with no other stored field behind it.
func (m *made) storedFields(list []*Doc) {
	offsets := make([]byte, 0, 8*len(list))
	for _, d := range list {
		offsets = binary.BigEndian.AppendUint64(offsets, m.at())
		key := docKey(d.id)
		// The lengths of the two parts, the first part: the length of the id, the second
		// part: the id, and an empty text as snappy says it.
		m.uvarint(1, uint64(len(key))+1, uint64(len(key)))
		m.buf = append(append(m.buf, key...), 0)
	}
	m.stored = m.at()
	m.buf = append(m.buf, offsets...)
	m.uvarint(0) // no document lies within another
}

// dictionary writes the dictionary of a field with count terms in byte order, and returns
// where the field's part of the section begins.
func (m *made) dictionary(count int, term func(i int) (string, uint64)) (uint64, error) {
	var fst bytes.Buffer
	b, err := vellum.New(&fst, &vellum.BuilderOpts{Encoder: 1, RegistryMRUSize: 1}) // as zap does
	if err != nil {
		return 0, fmt.Errorf("begin dictionary: %w", err)
	}
	var key []byte
	for i := range count {
		t, value := term(i)
		key = append(key[:0], t...)
		if err := b.Insert(key, value); err != nil {
			return 0, fmt.Errorf("add to dictionary: %w", err)
		}
	}
	if err := b.Close(); err != nil {
		return 0, fmt.Errorf("end dictionary: %w", err)
	}
	at := m.at()
	m.uvarint(uint64(fst.Len()))
	m.buf = append(m.buf, fst.Bytes()...)
	field := m.at()
	m.uvarint(math.MaxUint64, math.MaxUint64, at) // no values by document
	return field, nil
}

// fieldTable writes what fields there are and where the section of each is.
func (m *made) fieldTable(addrs []uint64) {
	fields := []struct {
		name    string
		options index.FieldIndexingOptions
	}{
		{idField, index.IndexField | index.StoreField},
		{wordField, index.IndexField | index.SkipFreqNorm},
	}
	at := make([]uint64, len(fields))
	for i, f := range fields {
		at[i] = m.at()
		m.uvarint(uint64(len(f.name)))
		m.buf = append(m.buf, f.name...)
		m.uvarint(uint64(f.options), 1) // one section
		m.buf = binary.BigEndian.AppendUint16(m.buf, zap.SectionInvertedTextIndex)
		m.buf = binary.BigEndian.AppendUint64(m.buf, addrs[i])
	}
	m.fields = m.at()
	m.uvarint(uint64(len(fields)))
	for _, a := range at {
		m.buf = binary.BigEndian.AppendUint64(m.buf, a)
	}
}
