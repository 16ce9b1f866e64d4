package store

import (
	"encoding/binary"
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
)

// record is a file as the store keeps it: what graph.File says, and whether a blob
// stands under its id.
type record struct {
	graph.File
	facts bool
}

// The tables below give the closed sets their numbers. They are part of the
// format: append, never reorder. A value that is not listed is written as text.
//
//nolint:gochecknoglobals // immutable, looked into for every record
var (
	contents = []graph.Content{
		"", graph.ContentText, graph.ContentBinary, graph.ContentUTF16, graph.ContentUnreadable, graph.ContentSpecial,
	}
	statuses = []graph.Status{"", graph.StatusOK, graph.StatusPartial, graph.StatusCapped, graph.StatusFailed}
	roles    = []graph.Role{
		"", graph.RoleSource, graph.RoleTest, graph.RoleDocs, graph.RoleConfig, graph.RoleGenerated,
	}
)

const (
	recordFacts   = 1 << iota // a blob stands under the id
	recordRacy                // File.Racy
	recordRemoved             // overlay only: the path is gone
)

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendEnum writes the number of v in table, or the table's length and the text.
func appendEnum[T ~string](b []byte, table []T, v T) []byte {
	for i, t := range table {
		if t == v {
			return append(b, byte(i))
		}
	}
	return appendString(append(b, byte(len(table))), string(v))
}

// appendRecord writes r without its path.
func appendRecord(b []byte, r *record, flags byte) []byte {
	if r.facts {
		flags |= recordFacts
	}
	if r.Racy {
		flags |= recordRacy
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(r.ID))
	b = append(b, r.Hash[:]...)
	b = binary.AppendUvarint(b, uint64(r.Sig.Size))
	b = binary.AppendVarint(b, r.Sig.MtimeNS)
	b = binary.AppendVarint(b, r.Sig.CtimeNS-r.Sig.MtimeNS)
	b = binary.AppendUvarint(b, r.Sig.Inode)
	b = binary.AppendUvarint(b, uint64(r.Sig.Mode))
	b = appendEnum(b, contents, r.Content)
	b = appendString(b, r.Language)
	b = appendEnum(b, statuses, r.Status)
	b = appendString(b, r.Reason)
	b = appendEnum(b, roles, r.Role)
	b = binary.AppendUvarint(b, uint64(r.Lines))
	return binary.AppendUvarint(b, uint64(r.Defs))
}

// reader reads what the append functions wrote. The first damage sticks in err.
type reader struct {
	b    []byte
	err  error
	seen map[string]string // texts that repeat from record to record
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCorrupt, what)
	}
	r.b = nil
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("number")
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail("number")
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail("short value")
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() byte {
	b := r.bytes(1)
	if b == nil {
		return 0
	}
	return b[0]
}

// text reads a string of which many records have the same.
func (r *reader) text() string {
	b := r.bytes(r.uint())
	if len(b) == 0 {
		return ""
	}
	if s, ok := r.seen[string(b)]; ok {
		return s
	}
	if r.seen == nil {
		r.seen = make(map[string]string)
	}
	s := string(b)
	r.seen[s] = s
	return s
}

func readEnum[T ~string](r *reader, table []T) T {
	i := int(r.byte())
	if i < len(table) {
		return table[i]
	}
	if i > len(table) {
		r.fail("enumeration")
	}
	return T(r.text())
}

// record reads what appendRecord wrote, without the path.
func (r *reader) record() (rec record, flags byte) {
	flags = r.byte()
	rec.facts = flags&recordFacts != 0
	rec.Racy = flags&recordRacy != 0
	rec.ID = graph.FileID(r.uint())
	copy(rec.Hash[:], r.bytes(uint64(len(rec.Hash))))
	rec.Sig.Size = int64(r.uint())
	rec.Sig.MtimeNS = r.int()
	rec.Sig.CtimeNS = rec.Sig.MtimeNS + r.int()
	rec.Sig.Inode = r.uint()
	rec.Sig.Mode = uint32(r.uint())
	rec.Content = readEnum(r, contents)
	rec.Language = r.text()
	rec.Status = readEnum(r, statuses)
	rec.Reason = r.text()
	rec.Role = readEnum(r, roles)
	rec.Lines = uint32(r.uint())
	rec.Defs = uint32(r.uint())
	return rec, flags
}

// commit is the record that makes everything else visible.
type commit struct {
	gen   graph.Generation
	base  uint32       // base that counts; 0 is the empty one
	slots uint32       // overlay slots of the base that count
	next  graph.FileID // ids from here on were not published
}

func (c commit) encode() []byte {
	b := []byte(Format)
	b = append(b, 0)
	b = binary.AppendUvarint(b, uint64(c.gen))
	b = binary.AppendUvarint(b, uint64(c.base))
	b = binary.AppendUvarint(b, uint64(c.slots))
	return binary.AppendUvarint(b, uint64(c.next))
}

func decodeCommit(b []byte) (c commit, err error) {
	r := reader{b: b}
	if string(r.bytes(uint64(len(Format)+1))) != Format+"\x00" {
		return commit{}, fmt.Errorf("%w: commit record", ErrFormat)
	}
	c.gen = graph.Generation(r.uint())
	c.base = uint32(r.uint())
	c.slots = uint32(r.uint())
	c.next = graph.FileID(r.uint())
	return c, r.err
}
