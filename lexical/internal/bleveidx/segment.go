package bleveidx

import (
	"errors"
	"fmt"
	"os"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Snapshot is the index at one moment. It must be released.
type Snapshot struct {
	snap     *scorch.IndexSnapshot
	segments []Segment
}

// Snapshot returns the current state.
func (s *Store) Snapshot() (*Snapshot, error) {
	r, err := s.index.Reader()
	if err != nil {
		return nil, fmt.Errorf("read bleve index: %w", err)
	}
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok || snap == nil {
		return nil, errors.New("read bleve index: it is closed")
	}
	out := &Snapshot{snap: snap}
	for _, ss := range snap.Segments() {
		out.segments = append(out.segments, Segment{ss})
	}
	return out, nil
}

// Segments lists the segments; they are valid until Release.
func (s *Snapshot) Segments() []Segment { return s.segments }

// Same reports whether both are the same state.
func (s *Snapshot) Same(o *Snapshot) bool { return s.snap == o.snap }

// Release lets go of the files behind the snapshot.
func (s *Snapshot) Release() error { return s.snap.Close() }

// Segment is an immutable part of an index: documents numbered from 0 and their
// words.
type Segment struct{ ss *scorch.SegmentSnapshot }

// Key names the segment while the store is open. It stays when the segment is
// written to disk.
func (g Segment) Key() uint64 { return g.ss.Id() }

// Size returns the number of documents, dead ones included.
func (g Segment) Size() int { return int(g.ss.FullSize()) }

// Path returns the segment's file, "" while it is in memory only.
func (g Segment) Path() string {
	if p, ok := g.ss.Segment().(segment.PersistedSegment); ok {
		return p.Path()
	}
	return ""
}

// Stamp identifies the content of the segment's file: its size and the checksum in
// its footer.
func (g Segment) Stamp() (size int64, crc uint32, err error) {
	c, ok := g.ss.Segment().(interface{ CRC() uint32 })
	if !ok {
		return 0, 0, errors.New("segment has no checksum")
	}
	fi, err := os.Stat(g.Path())
	if err != nil {
		return 0, 0, err
	}
	return fi.Size(), c.CRC(), nil
}

// IDs returns the file id of each document number.
func (g Segment) IDs() ([]uint32, error) {
	seg := g.ss.Segment()
	ids := make([]uint32, seg.Count())
	for n := range ids {
		key, err := seg.DocID(uint64(n))
		if err != nil {
			return nil, fmt.Errorf("read document id: %w", err)
		}
		id, ok := keyID(key)
		if !ok {
			return nil, fmt.Errorf("read document id: %d bytes", len(key))
		}
		ids[n] = id
	}
	return ids, nil
}

// Dead calls yield with the number of each deleted document.
func (g Segment) Dead(yield func(doc uint32)) {
	if del := g.ss.Deleted(); del != nil {
		for it := del.Iterator(); it.HasNext(); {
			yield(it.Next())
		}
	}
}

func (g Segment) whole() bool {
	del := g.ss.Deleted()
	return del == nil || del.IsEmpty()
}

// Terms gives access to the segment's words. It is not safe for concurrent use.
type Terms struct {
	dict segment.TermDictionary
	list segment.PostingsList
	iter segment.PostingsIterator
	buf  [256]uint32
}

// Terms opens the dictionary of words.
func (g Segment) Terms() (*Terms, error) {
	d, err := g.ss.Segment().Dictionary(wordField)
	if err != nil {
		return nil, fmt.Errorf("read dictionary: %w", err)
	}
	return &Terms{dict: d}, nil
}

// All calls yield with each word in byte order. The word is valid during the call.
func (t *Terms) All(yield func(word string) error) error {
	it, ok := t.dict.(interface {
		AutomatonIteratorOmitCount(a segment.Automaton, from, to []byte) segment.DictionaryIterator
	})
	var words segment.DictionaryIterator
	if ok {
		words = it.AutomatonIteratorOmitCount(nil, nil, nil)
	} else {
		words = t.dict.AutomatonIterator(nil, nil, nil)
	}
	for {
		e, err := words.Next()
		if err != nil {
			return fmt.Errorf("read dictionary: %w", err)
		}
		if e == nil {
			return nil
		}
		if err := yield(e.Term); err != nil {
			return err
		}
	}
}

// Docs calls yield with document numbers that have the word, in groups; dead ones
// are among them.
func (t *Terms) Docs(word []byte, yield func(docs []uint32)) error {
	list, err := t.dict.PostingsList(word, nil, t.list)
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	if list.Count() == 0 {
		return nil
	}
	t.list = list
	t.iter = list.Iterator(false, false, false, t.iter)
	opt, ok := t.iter.(segment.OptimizablePostingsIterator)
	if !ok {
		return errors.New("read postings: unknown kind of list")
	}
	if doc, ok := opt.DocNum1Hit(); ok {
		t.buf[0] = uint32(doc)
		yield(t.buf[:1])
		return nil
	}
	bm := opt.ActualBitmap()
	if bm == nil {
		return nil
	}
	for it := bm.ManyIterator(); ; {
		n := it.NextMany(t.buf[:])
		if n == 0 {
			return nil
		}
		yield(t.buf[:n])
	}
}
