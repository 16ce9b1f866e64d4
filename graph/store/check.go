package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
)

// Check reads everything that the current generation consists of and compares what
// is kept twice: postings with facts, counters with counts, the overlay in memory
// with the one on disk. It is for tests and for whoever doubts a directory; it takes
// seconds, and memory for all postings, on a large tree.
func (s *Store) Check(ctx context.Context) error {
	st := s.pin()
	defer s.unpin(st)
	c := checker{s: s, st: st, defs: make(map[uint32][]graph.FileID), refs: make(map[uint32][]graph.FileID)}
	if err := c.files(ctx); err != nil {
		return fmt.Errorf("check files: %w", err)
	}
	if err := c.postings(ctx, false, st.base.defs, c.defs); err != nil {
		return fmt.Errorf("check definers: %w", err)
	}
	if err := c.postings(ctx, true, st.base.refs, c.refs); err != nil {
		return fmt.Errorf("check referrers: %w", err)
	}
	if s.current() != st {
		return nil // the overlay on disk may be another one by now
	}
	if err := c.overlay(ctx); err != nil {
		return fmt.Errorf("check overlay: %w", err)
	}
	return nil
}

type checker struct {
	s          *Store
	st         *state
	defs, refs map[uint32][]graph.FileID // what the facts say
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

func (c *checker) files(ctx context.Context) (err error) {
	var counted counts
	seen := make(map[graph.FileID]bool)
	last, n := graph.Path(""), 0
	c.st.merge("", func(r *record) bool {
		if err = ctx.Err(); err == nil {
			err = c.file(r, seen)
		}
		if n > 0 && r.Path <= last {
			err = corrupt("%q stands after %q", r.Path, last)
		}
		last = r.Path
		n++
		counted.add(&r.File, 1)
		return err == nil
	})
	if err != nil {
		return err
	}
	kept := c.st.counts.clone()
	kept.languages = slices.DeleteFunc(kept.languages, func(l languageCount) bool { return l.files == 0 })
	if fmt.Sprint(kept) != fmt.Sprint(counted) {
		return corrupt("counters %v, counts %v", kept, counted)
	}
	return nil
}

func (c *checker) file(r *record, seen map[graph.FileID]bool) error {
	if seen[r.ID] || c.st.recordID(r.ID) != r || c.st.record(r.Path) != r {
		return corrupt("%q is not found under its id %d", r.Path, r.ID)
	}
	seen[r.ID] = true
	if uint32(r.ID) >= c.s.nextID.Load() {
		return corrupt("%q has the id %d, which was not given yet", r.Path, r.ID)
	}
	if !r.facts {
		return nil
	}
	b, err := c.s.readBlob(r.ID)
	if err != nil {
		return fmt.Errorf("%q: %w", r.Path, err)
	}
	f, err := blob.Decode(b)
	if err != nil {
		return corrupt("facts of %q: %w", r.Path, err)
	}
	if f.Hash != r.Hash {
		return corrupt("facts of %q are of other bytes", r.Path)
	}
	defs, refs, err := blob.Names(b)
	if err != nil {
		return corrupt("names of %q: %w", r.Path, err)
	}
	for _, h := range defs {
		c.defs[h] = append(c.defs[h], r.ID)
	}
	for _, h := range refs {
		c.refs[h] = append(c.refs[h], r.ID)
	}
	return nil
}

// postings compares lookups, and the lists of the base, with what the facts say.
func (c *checker) postings(ctx context.Context, refs bool, p *postings, want map[uint32][]graph.FileID) error {
	for hash, ids := range want {
		slices.Sort(ids)
		got, err := c.st.lookup(c.s, refs, hash)
		if err != nil {
			return err
		}
		if !slices.Equal(got, ids) {
			return corrupt("name %08x: posted in %v, used in %v", hash, got, ids)
		}
	}
	if p.base == 0 {
		return nil
	}
	chunk := 0
	return c.s.kv.Scan(ctx, keys.Base(p.kind, p.base), false, func(_, value []byte) error {
		l := listCursor{r: reader{b: value}}
		for first := true; l.next(); first = false {
			if first && (chunk >= len(p.first) || p.first[chunk] != l.hash) {
				return corrupt("chunk %d begins with %08x", chunk, l.hash)
			}
			for _, id := range dropIDs(l.ids(nil), c.st.dead) {
				if _, ok := slices.BinarySearch(want[l.hash], id); !ok {
					return corrupt("name %08x is posted in %d, which does not use it", l.hash, id)
				}
			}
		}
		chunk++
		return l.r.err
	})
}

// overlay reads the overlay again and compares it with the one in memory.
func (c *checker) overlay(ctx context.Context) error {
	var k commit
	value, err := c.s.kv.Get(keys.All(keys.Commit))
	if err != nil {
		return wrap("read commit record", err)
	}
	if k, err = decodeCommit(value); err != nil {
		return err
	}
	if k.base != c.st.base.id || k.slots != c.st.slots || k.gen != c.st.gen {
		return corrupt("commit record %+v is not that of generation %d", k, c.st.gen)
	}
	entries, err := c.s.readOverlay(ctx, k, c.st.base)
	if err != nil {
		return err
	}
	again := newState(k.gen, c.st.base).with(k.gen, entries, k.slots)
	if len(again.entries) != len(c.st.entries) || !slices.Equal(again.dead, c.st.dead) {
		return corrupt("overlay of %d files is %d on disk", len(c.st.entries), len(again.entries))
	}
	for i, e := range again.entries {
		if m := c.st.entries[i]; m.rec != e.rec || m.removed != e.removed {
			return corrupt("overlay record of %q", e.rec.Path)
		}
	}
	return nil
}
