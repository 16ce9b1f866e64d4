package store

import (
	"slices"
	"sort"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// tailLimit is the number of overlay entries whose name tables are searched one
// by one before they are merged into a segment: 50 ns each.
const tailLimit = 32

// entry is one file of the overlay: new, changed, touched or removed since the
// base. It is immutable.
type entry struct {
	rec     record // of a removed file, only the path
	removed bool
	slot    uint32
	names   names
	key     graph.PathKey

	gen  graph.Generation // that it came with, from state.floor on
	past []uint32         // hashes of the names of what it replaced in overlays
}

// names are the hashes of the names that a file defines and refers to, ascending.
// A touched file of the base has none: the base's postings serve it.
type names struct{ defs, refs []uint32 }

// list picks the hashes of one kind.
func (n *names) list(refs bool) []uint32 {
	if refs {
		return n.refs
	}
	return n.defs
}

func (n *names) has(refs bool, hash uint32) bool {
	_, ok := slices.BinarySearch(n.list(refs), hash)
	return ok
}

// segment holds the name tables of many overlay entries as pairs of hash and id,
// sorted. It is immutable, and may hold ids that are dead by now.
type segment struct{ defs, refs []uint64 }

func (g *segment) list(refs bool) []uint64 {
	if refs {
		return g.refs
	}
	return g.defs
}

func pair(hash uint32, id graph.FileID) uint64 { return uint64(hash)<<32 | uint64(id) }

// lookup calls yield with the ids under hash.
func (g *segment) lookup(refs bool, hash uint32, yield func(graph.FileID)) {
	pairs := g.list(refs)
	i := sort.Search(len(pairs), func(i int) bool { return pairs[i] >= pair(hash, 0) })
	for ; i < len(pairs) && uint32(pairs[i]>>32) == hash; i++ {
		yield(graph.FileID(pairs[i]))
	}
}

// merged returns a segment of the live pairs of g and those of entries.
func (g *segment) merged(entries []*entry, live func(graph.FileID) bool) *segment {
	return &segment{
		defs: mergePairs(g.defs, sortedPairs(entries, false), live),
		refs: mergePairs(g.refs, sortedPairs(entries, true), live),
	}
}

func sortedPairs(entries []*entry, refs bool) []uint64 {
	n := 0
	for _, e := range entries {
		n += len(e.names.list(refs))
	}
	pairs := make([]uint64, 0, n)
	for _, e := range entries {
		for _, h := range e.names.list(refs) {
			pairs = append(pairs, pair(h, e.rec.ID))
		}
	}
	slices.Sort(pairs)
	return pairs
}

func mergePairs(old, add []uint64, live func(graph.FileID) bool) []uint64 {
	out := make([]uint64, 0, len(old)+len(add))
	for len(old) > 0 || len(add) > 0 {
		if len(add) == 0 || len(old) > 0 && old[0] < add[0] {
			if live(graph.FileID(old[0])) {
				out = append(out, old[0])
			}
			old = old[1:]
			continue
		}
		out = append(out, add[0])
		add = add[1:]
	}
	return out
}

// state is one generation: a base and the overlay on top of it. It is immutable;
// a change makes another one, which shares the base and the entries.
type state struct {
	gen     graph.Generation
	floor   graph.Generation // since which it is known what changed
	base    *base
	entries []*entry // by path
	byID    []*entry // by id, the removed ones not among them
	dead    []graph.FileID
	seg     *segment
	tail    []*entry // entries with names that seg does not hold
	counts  counts
	slots   uint32 // slots in use; see commit
}

func newState(gen graph.Generation, b *base) *state {
	return &state{gen: gen, floor: gen, base: b, seg: new(segment), counts: b.table.counts.clone()}
}

func comparePath(e *entry, p graph.Path) int { return strings.Compare(string(e.rec.Path), string(p)) }

func compareID(e *entry, id graph.FileID) int { return int(int64(e.rec.ID) - int64(id)) }

// overlay returns the overlay's entry of a path, or nil.
func (st *state) overlay(p graph.Path) *entry {
	if i, ok := slices.BinarySearchFunc(st.entries, p, comparePath); ok {
		return st.entries[i]
	}
	return nil
}

// record returns the live record of a path, or nil.
func (st *state) record(p graph.Path) *record {
	if e := st.overlay(p); e != nil {
		if e.removed {
			return nil
		}
		return &e.rec
	}
	if i := st.base.table.find(p); i >= 0 {
		return &st.base.table.records[i]
	}
	return nil
}

// recordID returns the live record of an id, or nil.
func (st *state) recordID(id graph.FileID) *record {
	if i, ok := slices.BinarySearchFunc(st.byID, id, compareID); ok {
		return &st.byID[i].rec
	}
	if _, dead := slices.BinarySearch(st.dead, id); dead {
		return nil
	}
	if i := st.base.table.findID(id); i >= 0 {
		return &st.base.table.records[i]
	}
	return nil
}

// with returns the state after the changes of entries, of which no two have the
// same path. The cost is that of the changes and of copying some words for each
// overlay entry.
func (st *state) with(gen graph.Generation, changed []*entry, slots uint32) *state {
	next := &state{
		gen: gen, floor: st.floor, base: st.base, seg: st.seg, slots: slots, counts: st.counts.clone(),
		tail: slices.Clip(st.tail),
	}
	sorted := slices.Clone(changed)
	slices.SortFunc(sorted, func(a, b *entry) int { return comparePath(a, b.rec.Path) })
	gone := make(map[graph.FileID]bool, len(changed))
	var buried []graph.FileID
	for _, e := range sorted {
		old := st.record(e.rec.Path)
		if old != nil {
			next.counts.add(&old.File, -1)
			gone[old.ID] = true
			if (e.removed || e.rec.ID != old.ID) && st.base.table.findID(old.ID) >= 0 {
				buried = append(buried, old.ID)
			}
		}
		if !e.removed {
			next.counts.add(&e.rec.File, 1)
		}
		if len(e.names.defs)+len(e.names.refs) > 0 && !st.inSegment(e, old) {
			next.tail = append(next.tail, e)
		}
	}
	next.entries = mergeEntries(st.entries, sorted)
	next.byID = mergeByID(st.byID, sorted, gone)
	next.dead = mergeIDs(st.dead, buried)
	if len(gone) > 0 {
		next.tail = slices.DeleteFunc(slices.Clone(next.tail), func(e *entry) bool {
			return next.overlay(e.rec.Path) != e
		})
	}
	return next
}

// inSegment reports whether the pairs of e are in the segment because e is a touch
// of old, and old was merged.
func (st *state) inSegment(e *entry, old *record) bool {
	if old == nil || old.ID != e.rec.ID {
		return false
	}
	return !slices.ContainsFunc(st.tail, func(t *entry) bool { return t.rec.ID == old.ID })
}

// settle prepares a state that is to be read: it merges a tail that has grown long.
func (st *state) settle() *state {
	if len(st.tail) > tailLimit {
		st.seg = st.seg.merged(st.tail, func(id graph.FileID) bool {
			_, ok := slices.BinarySearchFunc(st.byID, id, compareID)
			return ok
		})
		st.tail = nil
	}
	return st
}

func mergeEntries(old, changed []*entry) []*entry {
	out := make([]*entry, 0, len(old)+len(changed))
	for _, e := range changed {
		i, found := slices.BinarySearchFunc(old, e.rec.Path, comparePath)
		out = append(append(out, old[:i]...), e)
		if found {
			i++
		}
		old = old[i:]
	}
	return append(out, old...)
}

func mergeByID(old, changed []*entry, gone map[graph.FileID]bool) []*entry {
	out := make([]*entry, 0, len(old)+len(changed))
	for _, e := range old {
		if !gone[e.rec.ID] {
			out = append(out, e)
		}
	}
	for _, e := range changed {
		if !e.removed {
			out = append(out, e)
		}
	}
	byID := func(a, b *entry) int { return compareID(a, b.rec.ID) }
	if !slices.IsSortedFunc(out, byID) {
		slices.SortFunc(out, byID)
	}
	return out
}

func mergeIDs(old, add []graph.FileID) []graph.FileID {
	if len(add) == 0 {
		return old
	}
	out := slices.Concat(old, add)
	slices.Sort(out)
	return slices.Compact(out)
}

// lookup returns the live ids under hash, ascending. They are shared.
func (st *state) lookup(s *Store, refs bool, hash uint32) ([]graph.FileID, error) {
	p := st.base.defs
	if refs {
		p = st.base.refs
	}
	ids, err := p.lookup(s, hash)
	if err != nil {
		return nil, err
	}
	ids = slices.Clip(dropIDs(ids, st.dead))
	n := len(ids)
	st.seg.lookup(refs, hash, func(id graph.FileID) {
		if _, ok := slices.BinarySearchFunc(st.byID, id, compareID); ok {
			ids = append(ids, id)
		}
	})
	for _, e := range st.tail {
		if e.names.has(refs, hash) {
			ids = append(ids, e.rec.ID)
		}
	}
	if n == len(ids) {
		return ids, nil
	}
	if !slices.IsSorted(ids) {
		slices.Sort(ids)
	}
	return slices.Compact(ids), nil
}

// dropIDs returns ids without those of dead; both are ascending. It does not change
// ids, and returns it as it is where none is dead.
func dropIDs(ids, dead []graph.FileID) []graph.FileID {
	if len(dead) == 0 || len(ids) == 0 {
		return ids
	}
	at, _ := slices.BinarySearch(dead, ids[0])
	dead = dead[at:]
	var kept []graph.FileID // nil until the first dead one
	for i, id := range ids {
		for len(dead) > 0 && dead[0] < id {
			dead = dead[1:]
		}
		switch {
		case len(dead) > 0 && dead[0] == id:
			if kept == nil {
				kept = append(make([]graph.FileID, 0, len(ids)-1), ids[:i]...)
			}
		case kept != nil:
			kept = append(kept, id)
		}
	}
	if kept == nil {
		return ids
	}
	return kept
}

// pathOf finds a live path by its key.
func (st *state) pathOf(k graph.PathKey) (graph.Path, bool) {
	p, ok := st.base.table.pathOf(k)
	for _, e := range st.entries {
		if e.key == k {
			p, ok = e.rec.Path, !e.removed
			break
		}
	}
	if !ok {
		return "", false
	}
	return p, true
}

// merge yields the live records of base and overlay in the order of their paths,
// from the first that is not less than from.
func (st *state) merge(from graph.Path, yield func(*record) bool) {
	t := st.base.table
	i := 0
	e, _ := slices.BinarySearchFunc(st.entries, from, comparePath)
	if from != "" {
		i = t.from(from)
	}
	for i < len(t.records) || e < len(st.entries) {
		var r *record
		c := -1
		if i == len(t.records) {
			c = 1
		} else if e < len(st.entries) {
			c = strings.Compare(string(t.records[i].Path), string(st.entries[e].rec.Path))
		}
		if c < 0 {
			r = &t.records[i]
			i++
		} else {
			if !st.entries[e].removed {
				r = &st.entries[e].rec
			}
			e++
			if c == 0 {
				i++
			}
		}
		if r != nil && !yield(r) {
			return
		}
	}
}
