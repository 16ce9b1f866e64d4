package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// base is an immutable part of the index: a file table and its postings.
type base struct {
	id    uint32
	table *table
	defs  *postings
	refs  *postings

	replaced sync.Map // of file ids to the hashes of their names; see namesBefore
}

func emptyBase() *base {
	return &base{table: newTable(nil), defs: new(postings), refs: new(postings)}
}

// sortRun bounds the pairs that are sorted at once while postings are built: 16 MB.
const sortRun = 2 << 20

// builder writes a new base from what is live of an old one and from new entries.
type builder struct {
	s    *Store
	bulk *kv.Bulk
	id   uint32
	old  *base
	dead []graph.FileID // ids of old that are not taken over
	adds []*entry       // entries with postings of their own, by id
}

// buildBase writes a base that shows what st shows, and returns it. Nothing refers
// to it until its number stands in the commit record. When ctx is done it stops,
// and what it wrote is left to collect.
func (s *Store) buildBase(ctx context.Context, st *state) (_ *base, err error) {
	bulk, err := s.kv.Bulk()
	if err != nil {
		return nil, wrap("build base", err)
	}
	defer bulk.Cancel()
	b := builder{s: s, bulk: bulk, id: s.takeBase(), old: st.base, dead: st.dead}
	for _, e := range st.entries {
		if !e.removed && len(e.names.defs)+len(e.names.refs) > 0 {
			b.adds = append(b.adds, e)
		}
	}
	slices.SortFunc(b.adds, func(x, y *entry) int { return cmp.Compare(x.rec.ID, y.rec.ID) })
	records := make([]record, 0, st.counts.files)
	st.merge("", func(r *record) bool { records = append(records, *r); return true })
	n := uint32(0)
	err = encodeTable(records, func(chunk []byte) error {
		n++
		return bulk.Set(keys.InBase(keys.Files, b.id, n-1), chunk)
	})
	if err != nil {
		return nil, wrap("write file table", err)
	}
	s.reached(StepBaseTable)
	made := &base{id: b.id, table: newTable(records)}
	if made.defs, err = b.postings(ctx, keys.Definers, false); err != nil {
		return nil, err
	}
	s.reached(StepBaseDefs)
	if made.refs, err = b.postings(ctx, keys.Referrers, true); err != nil {
		return nil, err
	}
	s.reached(StepBaseRefs)
	for _, p := range appendParts(nil, keys.Base(keys.Header, b.id), made.encodeHeader(n)) {
		if err := bulk.Set(p.Key, p.Value); err != nil {
			return nil, wrap("write base header", err)
		}
	}
	if err := bulk.Flush(); err != nil {
		return nil, wrap("write base", err)
	}
	s.reached(StepBase)
	return made, nil
}

// postings merges the lists of the old base with the pairs of the new entries.
func (b *builder) postings(ctx context.Context, kind keys.Kind, refs bool) (*postings, error) {
	w := postingWriter{emit: func(n uint32, chunk []byte) error {
		return b.bulk.Set(keys.InBase(kind, b.id, n), chunk)
	}}
	runs := newRuns(b.adds, refs)
	m := postingMerge{w: &w, dead: b.dead, run: runs.next(), runs: runs}
	err := b.s.kv.Scan(ctx, keys.Base(kind, b.old.id), false, func(_, chunk []byte) error {
		c := listCursor{r: reader{b: chunk}}
		for c.next() {
			if err := m.old(&c); err != nil {
				return err
			}
		}
		return c.r.err
	})
	if err == nil {
		err = m.rest(ctx)
	}
	if err == nil {
		err = w.flush()
	}
	return &postings{kind: kind, base: b.id, first: w.first}, wrap("write postings", err)
}

// postingMerge brings old lists and new pairs into one ascending order.
type postingMerge struct {
	w    *postingWriter
	dead []graph.FileID
	runs *runs
	run  []uint64 // the rest of the current run; empty after the last

	hash uint32 // the list that is being collected
	ids  []graph.FileID
}

// old takes the next list of the old base.
func (m *postingMerge) old(c *listCursor) error {
	if err := m.until(c.hash); err != nil {
		return err
	}
	if err := m.switchTo(c.hash); err != nil {
		return err
	}
	n := len(m.ids)
	m.ids = c.ids(m.ids)
	m.ids = append(m.ids[:n], dropIDs(m.ids[n:], m.dead)...) // copies within itself, or nothing
	return c.r.err
}

// until takes the new pairs whose hash is less than limit.
func (m *postingMerge) until(limit uint32) error {
	for len(m.run) > 0 && uint32(m.run[0]>>32) < limit {
		if err := m.take(); err != nil {
			return err
		}
	}
	return nil
}

// rest takes all new pairs that are left.
func (m *postingMerge) rest(ctx context.Context) error {
	for n := 0; len(m.run) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := m.take(); err != nil {
			return err
		}
	}
	return m.write()
}

func (m *postingMerge) take() error {
	p := m.run[0]
	if err := m.switchTo(uint32(p >> 32)); err != nil {
		return err
	}
	m.ids = append(m.ids, graph.FileID(p))
	if m.run = m.run[1:]; len(m.run) == 0 {
		m.run = m.runs.next()
	}
	return nil
}

// switchTo writes the list that was collected, unless it is that of hash.
func (m *postingMerge) switchTo(hash uint32) error {
	if hash == m.hash {
		return nil
	}
	err := m.write()
	m.hash = hash
	return err
}

// write ends the list that was collected.
func (m *postingMerge) write() error {
	if len(m.ids) == 0 {
		return nil
	}
	slices.Sort(m.ids)
	err := m.w.add(m.hash, slices.Compact(m.ids))
	m.ids = m.ids[:0]
	return err
}

// runs cuts the pairs of many entries into pieces by hash that are sorted one at a
// time, so that a large tree needs no memory for all of them.
type runs struct {
	entries []*entry
	refs    bool
	count   uint64 // runs to make
	made    uint64
	buf     []uint64
}

func newRuns(entries []*entry, refs bool) *runs {
	n := 0
	for _, e := range entries {
		n += len(e.names.list(refs))
	}
	return &runs{entries: entries, refs: refs, count: uint64(n/sortRun) + 1}
}

// next returns the next run that is not empty, or nil after the last.
func (r *runs) next() []uint64 {
	for r.made < r.count {
		from, to := r.made<<32/r.count, (r.made+1)<<32/r.count
		r.made++
		r.buf = r.buf[:0]
		for _, e := range r.entries {
			list := e.names.list(r.refs)
			i, _ := slices.BinarySearchFunc(list, from, cmpHash)
			for ; i < len(list) && uint64(list[i]) < to; i++ {
				r.buf = append(r.buf, pair(list[i], e.rec.ID))
			}
		}
		if len(r.buf) > 0 {
			slices.Sort(r.buf)
			return r.buf
		}
	}
	return nil
}

func cmpHash(h uint32, limit uint64) int { return cmp.Compare(uint64(h), limit) }

// encodeHeader writes the number of table chunks and the two chunk directories.
func (b *base) encodeHeader(chunks uint32) []byte {
	out := binary.AppendUvarint(nil, uint64(chunks))
	for _, p := range []*postings{b.defs, b.refs} {
		out = binary.AppendUvarint(out, uint64(len(p.first)))
		for _, h := range p.first {
			out = binary.LittleEndian.AppendUint32(out, h)
		}
	}
	return out
}

// maxTableChunks bounds what a header is believed about the size of a table.
const maxTableChunks = 256

// readBase loads the base of a number.
func (s *Store) readBase(ctx context.Context, id uint32) (*base, error) {
	if id == 0 {
		return emptyBase(), nil
	}
	head, err := s.large(keys.Base(keys.Header, id))
	if err != nil {
		return nil, fmt.Errorf("%w: read header of base %d: %w", ErrCorrupt, id, err)
	}
	r := reader{b: head}
	chunks := r.uint()
	b := &base{id: id}
	b.defs = &postings{kind: keys.Definers, base: id, first: r.directory()}
	b.refs = &postings{kind: keys.Referrers, base: id, first: r.directory()}
	if r.err != nil {
		return nil, fmt.Errorf("read header of base %d: %w", id, r.err)
	}
	var t tableReader
	seen := uint64(0)
	err = s.kv.Scan(ctx, keys.Base(keys.Files, id), false, func(_, chunk []byte) error {
		if seen++; seen == 2 && chunks <= maxTableChunks { // all chunks but the last are of about one size
			t.records = slices.Grow(t.records, len(t.records)*int(chunks))
		}
		return t.chunk(chunk)
	})
	if err != nil {
		return nil, wrap("read file table", err)
	}
	if seen != chunks {
		return nil, fmt.Errorf("%w: file table has %d chunks of %d", ErrCorrupt, seen, chunks)
	}
	b.table = newTable(t.records)
	return b, nil
}

func (r *reader) directory() []uint32 {
	n := r.uint()
	b := r.bytes(4 * min(n, 1<<40))
	first := make([]uint32, len(b)/4)
	for i := range first {
		first[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return first
}
