package lexical

import "math/bits"

// docSet is a set of the documents of one segment.
type docSet struct {
	bits []uint64
	n    int
}

func newDocSet(size int) *docSet { return &docSet{bits: make([]uint64, (size+63)/64)} }

func (d *docSet) add(doc uint32) {
	w, m := doc>>6, uint64(1)<<(doc&63)
	if d.bits[w]&m == 0 {
		d.bits[w] |= m
		d.n++
	}
}

func (d *docSet) addAll(docs []uint32) {
	for _, doc := range docs {
		d.add(doc)
	}
}

func (d *docSet) has(doc uint32) bool { return d.bits[doc>>6]&(1<<(doc&63)) != 0 }

// and keeps what o has too.
func (d *docSet) and(o *docSet) {
	d.n = 0
	for i := range d.bits {
		d.bits[i] &= o.bits[i]
		d.n += bits.OnesCount64(d.bits[i])
	}
}

func (d *docSet) or(o *docSet) {
	d.n = 0
	for i := range d.bits {
		d.bits[i] |= o.bits[i]
		d.n += bits.OnesCount64(d.bits[i])
	}
}

// each calls yield with each document in ascending order.
func (d *docSet) each(yield func(doc uint32)) {
	for i, w := range d.bits {
		for ; w != 0; w &= w - 1 {
			yield(uint32(i<<6 + bits.TrailingZeros64(w)))
		}
	}
}
