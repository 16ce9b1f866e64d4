package graph

import "math/bits"

// NameIndex finds the definitions of a name in one file.
type NameIndex struct {
	first []int32 // by the low bits of a name's hash: the first definition with one such
	next  []int32 // by definition: the next one with a hash like its own
}

// fewDefs is the number of definitions up to which all are looked at.
const fewDefs = 8

// IndexNames prepares NextNamed for facts that are asked often. It must be called
// again after a change of Defs, and not beside other calls.
func (f *Facts) IndexNames() {
	f.Names = nil
	if len(f.Defs) <= fewDefs {
		return
	}
	x := &NameIndex{first: make([]int32, 1<<bits.Len(uint(len(f.Defs)-1))), next: make([]int32, len(f.Defs))}
	for i := range x.first {
		x.first[i] = NoDef
	}
	mask := uint32(len(x.first) - 1)
	for i := len(f.Defs) - 1; i >= 0; i-- {
		h := nameHash(f.Defs[i].Name) & mask
		x.next[i], x.first[h] = x.first[h], int32(i)
	}
	f.Names = x
}

// NextNamed returns the index of the first definition at from or behind it that has
// the name, or NoDef.
func (f *Facts) NextNamed(name string, from int32) int32 {
	x := f.Names
	if x == nil {
		for i := int(from); i < len(f.Defs); i++ {
			if f.Defs[i].Name == name {
				return int32(i)
			}
		}
		return NoDef
	}
	i := x.first[nameHash(name)&uint32(len(x.first)-1)]
	if from > 0 && f.Defs[from-1].Name == name {
		i = x.next[from-1]
	}
	for i != NoDef && (i < from || f.Defs[i].Name != name) {
		i = x.next[i]
	}
	return i
}

// Size returns the bytes of memory that x takes.
func (x *NameIndex) Size() int {
	if x == nil {
		return 0
	}
	return 48 + 4*(cap(x.first)+cap(x.next))
}

func nameHash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h>>16 ^ h
}
