package blob

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// Marks of a string: which name tables of the file it belongs to.
const (
	inDefs = 1 << iota
	inRefs
)

// group is one of the parts of the string table, in the order in which they are
// written: names both defined and referred to, names only defined, names only
// referred to, the rest.
type group int

const (
	groupBoth group = iota
	groupDefs
	groupRefs
	groupRest
	groups
)

func groupOf(marks uint8) group {
	switch marks {
	case inDefs | inRefs:
		return groupBoth
	case inDefs:
		return groupDefs
	case inRefs:
		return groupRefs
	}
	return groupRest
}

// counter tells which strings were not used yet. Strings are numbered from 1, group
// after group, and in each group in the order of their first use in the body: so
// a first use can be written as "the next of its group", which takes one byte.
// Number 0 is "".
type counter struct {
	fresh [groups]uint32 // the next of each group
	end   [groups]uint32
}

func newCounter(counts [groups]int) (c counter) {
	next := uint32(1)
	for g, n := range counts {
		c.fresh[g] = next
		next += uint32(n)
		c.end[g] = next
	}
	return c
}

// use notes the use of a number.
func (c *counter) use(n uint32) {
	for g := range c.fresh {
		if c.fresh[g] == n && n < c.end[g] {
			c.fresh[g]++
		}
	}
}

// interner collects the distinct strings of one file. Ids are given in order of
// appearance, from 1; numbers, which are what the body holds, once all are known.
type interner struct {
	seed   maphash.Seed
	ids    places   // of list
	list   []string // by id-1
	marks  []uint8  // by id-1
	number []uint32 // by id-1; 0 before the first use
	order  []uint32 // by number-1: the id
	next   counter
	counts [groups]int
	size   int // bytes of all strings
}

// reset forgets all but the room.
func (t *interner) reset() {
	if t.ids.round == 0 {
		t.seed = maphash.MakeSeed()
	}
	t.ids.reset()
	*t = interner{seed: t.seed, ids: t.ids, list: t.list[:0], marks: t.marks[:0], number: t.number[:0], order: t.order[:0]}
}

// add enters s, or adds to the marks of the s that is there, and returns its id.
func (t *interner) add(s string, mark uint8) uint32 {
	if s == "" {
		return 0
	}
	at, ok := t.ids.find(uint32(maphash.String(t.seed, s)), uint32(len(t.list)), func(at uint32) bool { return t.list[at] == s })
	if !ok {
		t.list = append(t.list, s)
		t.marks = append(t.marks, 0)
		t.size += len(s)
	}
	t.marks[at] |= mark
	return at + 1
}

// id returns the id of a string that was added.
func (t *interner) id(s string) uint32 { return t.add(s, 0) }

// seal ends the collection: numbers may be asked for from now on.
func (t *interner) seal() {
	for _, m := range t.marks {
		t.counts[groupOf(m)]++
	}
	t.next = newCounter(t.counts)
	t.number = slices.Grow(t.number, len(t.list))[:len(t.list)]
	clear(t.number)
	t.order = slices.Grow(t.order, len(t.list))[:len(t.list)]
	clear(t.order)
}

// use returns the number of the string that add gave id, and whether this is its
// first use and it stands in g.
func (t *interner) use(id uint32, g group) (number uint32, first bool) {
	if id == 0 {
		return 0, false
	}
	if n := t.number[id-1]; n != 0 {
		return n, false
	}
	own := groupOf(t.marks[id-1])
	n := t.next.fresh[own]
	t.next.fresh[own]++
	t.number[id-1] = n
	t.order[n-1] = id
	return n, own == g
}

// appendTo writes the table. Strings that the body does not use come last in their
// groups.
func (t *interner) appendTo(out []byte) []byte {
	for id := range t.list {
		t.use(uint32(id+1), groupRest)
	}
	for _, n := range t.counts {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, id := range t.order {
		out = binary.AppendUvarint(out, uint64(len(t.list[id-1])))
	}
	for _, id := range t.order {
		out = append(out, t.list[id-1]...)
	}
	return out
}
