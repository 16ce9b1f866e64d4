package lexical

import (
	"math/bits"

	"github.com/ralph-index/ralph-index/graph"
)

// Set is a set of file ids: one bit an id. A nil Set is empty.
type Set struct {
	bits []uint64
	n    int
}

// Has reports whether id is in the set.
func (s *Set) Has(id graph.FileID) bool {
	return s != nil && int(id>>6) < len(s.bits) && s.bits[id>>6]&(1<<(id&63)) != 0
}

// Len returns the number of ids.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.n
}

// IDs lists the set in ascending order.
func (s *Set) IDs() []graph.FileID {
	if s == nil {
		return nil
	}
	out := make([]graph.FileID, 0, s.n)
	for i, w := range s.bits {
		for ; w != 0; w &= w - 1 {
			out = append(out, graph.FileID(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return out
}

func (s *Set) add(id graph.FileID) {
	w := int(id >> 6)
	if w >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, max(w+1, 2*len(s.bits))-len(s.bits))...)
	}
	if m := uint64(1) << (id & 63); s.bits[w]&m == 0 {
		s.bits[w] |= m
		s.n++
	}
}
