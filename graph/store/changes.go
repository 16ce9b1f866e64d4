package store

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// maxChanged is the number of files up to which it is worth to say what changed.
const maxChanged = 128

// changes is what Since returns.
type changes struct {
	names nameFilter
	paths map[graph.Path]bool
	dirs  map[graph.Path]bool
	trees map[graph.Path]bool
}

// Since implements graph.ChangeView. It knows what came after the current base was
// built, or read.
func (v *Snapshot) Since(old graph.Generation) graph.Changes {
	if old > v.st.gen || old < v.st.floor {
		return nil
	}
	c := &changes{paths: map[graph.Path]bool{}, dirs: map[graph.Path]bool{}, trees: map[graph.Path]bool{}}
	for _, e := range v.st.entries {
		if e.gen <= old {
			continue
		}
		before, ok := v.s.namesBefore(v.st.base, e.rec.Path)
		if !ok || len(c.paths) == maxChanged {
			return nil
		}
		c.add(e, before)
	}
	return c
}

func (c *changes) add(e *entry, before []uint32) {
	for _, hashes := range [...][]uint32{e.names.defs, e.names.refs, e.past, before} {
		c.names.add(hashes)
	}
	c.paths[e.rec.Path] = true
	dir := e.rec.Path.Dir()
	c.dirs[dir] = true
	for ; !c.trees[dir]; dir = dir.Dir() {
		c.trees[dir] = true // the root is its own parent
	}
}

// Name implements graph.Changes.
func (c *changes) Name(name string) bool { return c.names.has(blob.HashName(name)) }

// Path implements graph.Changes.
func (c *changes) Path(p graph.Path) bool { return c.paths[p] }

// Dir implements graph.Changes.
func (c *changes) Dir(p graph.Path) bool { return c.dirs[p] }

// Tree implements graph.Changes.
func (c *changes) Tree(p graph.Path) bool { return c.trees[p] }

// nameFilter is a set of hashes that may seem to hold a few more: a file has some
// hundred names.
type nameFilter [1 << 10]uint64

func (f *nameFilter) add(hashes []uint32) {
	for _, h := range hashes {
		f[h>>6%uint32(len(f))] |= 1 << (h % 64)
	}
}

func (f *nameFilter) has(h uint32) bool { return f[h>>6%uint32(len(f))]&(1<<(h%64)) != 0 }

// remember notes in the entries of a batch when they were published, and the names of
// what they replace.
func (st *state) remember(gen graph.Generation, changed []*entry) {
	for _, e := range changed {
		old := st.overlay(e.rec.Path)
		switch {
		case st.touched(e): // nothing that is looked up
			if old != nil {
				e.gen, e.past = old.gen, old.past
			}
		case old != nil:
			e.gen, e.past = gen, unite(old.past, old.names.defs, old.names.refs)
		default:
			e.gen = gen
		}
	}
}

// unite returns the ascending union of ascending lists; the first as it is where it
// holds the others.
func unite(lists ...[]uint32) []uint32 {
	all := slices.Concat(lists...)
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == len(lists[0]) {
		return lists[0]
	}
	return slices.Clip(all)
}

// namesBefore returns the hashes of the names that the version of a path in the base
// has. ok is false where they cannot be read.
func (s *Store) namesBefore(b *base, p graph.Path) (hashes []uint32, ok bool) {
	i := b.table.find(p)
	if i < 0 || !b.table.records[i].facts {
		return nil, true
	}
	id := b.table.records[i].ID
	if known, ok := b.replaced.Load(id); ok {
		return known.([]uint32), true
	}
	packed, err := s.readBlob(id)
	if err != nil {
		return nil, false
	}
	defs, refs, err := blob.Names(packed)
	if err != nil {
		return nil, false
	}
	hashes = unite(defs, refs)
	b.replaced.Store(id, hashes)
	return hashes, true
}
