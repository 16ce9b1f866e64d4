package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
)

// Postings map the hash of a name to the files that use it, in ascending order.
// They are cut into chunks of about a page: a lookup copies one. A chunk is a row
// of lists,
//
//	hash, as the difference from the list before
//	length of what follows
//	ids, as differences
//
// A list that is longer than maxList is continued under the same hash in the
// next chunk.
const (
	postingChunk = 4 << 10
	maxList      = 256 << 10
)

// postings is one of the two lists of a base. It is immutable but for its cache.
type postings struct {
	kind  keys.Kind
	base  uint32
	first []uint32 // first hash of each chunk
	// recent holds lists that were read, each in the place that its hash gives it:
	// binding the references of a few files asks for the same names many times.
	recent [recentLists]atomic.Pointer[postingList]
}

// recentLists is a power of two. Few lists are long: all lists of a tree of 15,000
// files have less than 10 MB of ids, and the cache takes no more than those.
const (
	recentLists = 65536
	maxRecent   = 2048
)

type postingList struct {
	hash uint32
	ids  []graph.FileID
}

// chunksOf returns the chunks in which hash may stand: from, up to but without to.
func (p *postings) chunksOf(hash uint32) (from, to int) {
	to = sort.Search(len(p.first), func(i int) bool { return p.first[i] > hash })
	from = to
	for from > 0 {
		from--
		if p.first[from] < hash {
			break
		}
	}
	return from, to
}

// lookup returns the ids posted under hash. They are shared.
func (p *postings) lookup(s *Store, hash uint32) ([]graph.FileID, error) {
	from, to := p.chunksOf(hash)
	if from == to {
		return nil, nil
	}
	place := &p.recent[hash%recentLists]
	if l := place.Load(); l != nil && l.hash == hash {
		return l.ids, nil
	}
	var ids []graph.FileID
	for ; from < to; from++ {
		chunk, err := s.kv.Get(keys.InBase(p.kind, p.base, uint32(from)))
		if err != nil {
			return nil, wrap("read postings", err)
		}
		c := listCursor{r: reader{b: chunk}}
		for c.next() && c.hash <= hash {
			if c.hash == hash {
				ids = c.ids(ids)
			}
		}
		if c.r.err != nil {
			return nil, fmt.Errorf("read postings: %w", c.r.err)
		}
	}
	ids = slices.Clip(ids)
	if len(ids) <= maxRecent {
		place.Store(&postingList{hash: hash, ids: ids})
	}
	return ids, nil
}

// forget drops the lists that were read.
func (p *postings) forget() {
	for i := range p.recent {
		p.recent[i].Store(nil)
	}
}

// listCursor walks the lists of one chunk.
type listCursor struct {
	r    reader
	hash uint32
	list []byte
}

// next moves to the next list, and reports whether there is one.
func (c *listCursor) next() bool {
	if len(c.r.b) == 0 {
		return false
	}
	c.hash += uint32(c.r.uint())
	c.list = c.r.bytes(c.r.uint())
	return c.r.err == nil
}

// ids appends the ids of the list.
func (c *listCursor) ids(ids []graph.FileID) []graph.FileID {
	n := 0
	for _, x := range c.list {
		n += int(^x >> 7) // the last byte of a number has its high bit clear
	}
	ids = slices.Grow(ids, n)
	id := uint64(0)
	for b := c.list; len(b) > 0; {
		d, n := binary.Uvarint(b)
		if n <= 0 {
			c.r.fail("posting")
			return ids
		}
		b = b[n:]
		id += d
		ids = append(ids, graph.FileID(id))
	}
	return ids
}

// postingWriter writes lists, which must come in ascending order of hash.
type postingWriter struct {
	emit  func(n uint32, chunk []byte) error
	first []uint32
	chunk []byte
	list  []byte
	last  uint32
}

// add writes the ids of one hash.
func (w *postingWriter) add(hash uint32, ids []graph.FileID) error {
	for len(ids) > 0 {
		w.list = w.list[:0]
		last, n := graph.FileID(0), 0
		for n < len(ids) && len(w.list) < maxList {
			w.list = binary.AppendUvarint(w.list, uint64(ids[n]-last))
			last = ids[n]
			n++
		}
		ids = ids[n:]
		if len(w.chunk) > 0 && len(w.chunk)+len(w.list) > postingChunk {
			if err := w.flush(); err != nil {
				return err
			}
		}
		if len(w.chunk) == 0 {
			w.first = append(w.first, hash)
			w.last = 0
		}
		w.chunk = binary.AppendUvarint(w.chunk, uint64(hash-w.last))
		w.chunk = binary.AppendUvarint(w.chunk, uint64(len(w.list)))
		w.chunk = append(w.chunk, w.list...)
		w.last = hash
	}
	return nil
}

// flush ends the chunk, if there is one.
func (w *postingWriter) flush() error {
	if len(w.chunk) == 0 {
		return nil
	}
	chunk := w.chunk
	w.chunk = make([]byte, 0, postingChunk)
	return w.emit(uint32(len(w.first)-1), chunk)
}
