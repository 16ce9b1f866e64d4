package blob

import "encoding/binary"

// Marks of a string: which name tables of the file it belongs to.
const (
	inDefs = 1 << iota
	inRefs
)

// Groups of the string table, in the order in which they are written.
const (
	groupBoth = iota
	groupDefs
	groupRefs
	groupRest
	groups
)

// interner collects the distinct strings of one file. Id 0 is "". Ids are given in
// order of appearance; group renumbers them for the output.
type interner struct {
	ids   map[string]uint32
	list  []string // by id-1
	marks []uint8  // by id-1
	place []uint32 // by id-1: id in the output, once grouped
	order []uint32 // ids in order of output
	count [groups]int
	size  int // bytes of all strings
}

func newInterner(hint int) interner { return interner{ids: make(map[string]uint32, hint)} }

// add enters s, or adds to the marks of the s that is there, and returns its id.
func (t *interner) add(s string, mark uint8) uint32 {
	if s == "" {
		return 0
	}
	id, ok := t.ids[s]
	if !ok {
		t.list = append(t.list, s)
		t.marks = append(t.marks, 0)
		t.size += len(s)
		id = uint32(len(t.list))
		t.ids[s] = id
	}
	t.marks[id-1] |= mark
	return id
}

func groupOf(marks uint8) int {
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

// group fixes the order of output. Nothing may be added after it.
func (t *interner) group() {
	t.place = make([]uint32, len(t.list))
	t.order = make([]uint32, 0, len(t.list))
	for g := range groups {
		for i, m := range t.marks {
			if groupOf(m) == g {
				t.order = append(t.order, uint32(i+1))
				t.place[i] = uint32(len(t.order))
				t.count[g]++
			}
		}
	}
}

// final returns the id in the output of the string that add gave id.
func (t *interner) final(id uint32) uint32 {
	if id == 0 {
		return 0
	}
	return t.place[id-1]
}

// id returns the id in the output of s, which must have been added.
func (t *interner) id(s string) uint32 { return t.final(t.ids[s]) }

func (t *interner) appendTo(out []byte) []byte {
	for _, n := range t.count {
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
