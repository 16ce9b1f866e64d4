package blob

import (
	"slices"

	"github.com/cespare/xxhash/v2"
)

// HashName is the hash under which names are posted. It is part of the format of
// what is stored; different names may share one.
func HashName(name string) uint32 { return uint32(xxhash.Sum64String(name)) }

// Names returns the hashes of the names that the facts in b define and refer to
// (graph.Facts.DefNames and RefNames), each in ascending order without repetition.
// It reads only the front of the blob.
func Names(b []byte) (defs, refs []uint32, err error) {
	d, err := open(b)
	if err != nil {
		return nil, nil, err
	}
	counts := d.stringTable()
	from := d.pos
	named := counts[groupBoth] + counts[groupDefs] + counts[groupRefs]
	for range named + counts[groupRest] {
		d.uint32()
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	in := decoder{b: d.b, pos: from}
	defs = make([]uint32, 0, counts[groupBoth]+counts[groupDefs])
	refs = make([]uint32, 0, counts[groupBoth]+counts[groupRefs])
	for i := range named {
		h := uint32(xxhash.Sum64(d.bytes(int(in.uint32()))))
		if i < counts[groupBoth]+counts[groupDefs] {
			defs = append(defs, h)
		}
		if i < counts[groupBoth] || i >= counts[groupBoth]+counts[groupDefs] {
			refs = append(refs, h)
		}
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	return sortedSet(defs), sortedSet(refs), nil
}

func sortedSet(v []uint32) []uint32 {
	slices.Sort(v)
	return slices.Compact(v)
}
