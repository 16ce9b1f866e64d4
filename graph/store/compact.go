package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// reclaimAfter is the number of deleted keys after which the tree is rewritten in any
// case, which takes time in proportion to the whole store.
const reclaimAfter = 4096

// Compact merges the overlay into a new base and removes what nothing refers to.
// Batches may be published meanwhile; the generation stays. It ends early, with
// everything as it was, when ctx is done.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.builder.acquire(ctx); err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	defer s.builder.release()
	err := s.compactOverlay(ctx)
	if err == nil {
		err = s.collectAndReclaim(ctx)
	}
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	return nil
}

// Collect removes what nothing refers to, and leaves the overlay. It is cheap where
// many saves of few files have made garbage: a pass over the keys.
func (s *Store) Collect(ctx context.Context) error {
	if err := s.builder.acquire(ctx); err != nil {
		return fmt.Errorf("collect: %w", err)
	}
	defer s.builder.release()
	if err := s.collectAndReclaim(ctx); err != nil {
		return fmt.Errorf("collect: %w", err)
	}
	return nil
}

// Garbage is about the number of keys that Collect would delete. For a store that
// was opened with files in it, it is large until the first collection: nobody knows.
func (s *Store) Garbage() int { return int(s.garbage.Load()) }

// unknownGarbage is what Garbage says after Open.
const unknownGarbage = 1 << 20

func (s *Store) collectAndReclaim(ctx context.Context) error {
	if err := s.collect(ctx); err != nil {
		return err
	}
	n := s.deleted.Load()
	if n < reclaimAfter && (n == 0 || !s.kv.WorthReclaiming()) {
		return nil
	}
	if err := s.kv.Reclaim(ctx); err != nil {
		return wrap("reclaim", err)
	}
	s.deleted.Store(0)
	s.reached(StepReclaimed)
	return nil
}

func (s *Store) compactOverlay(ctx context.Context) error {
	st := s.pin()
	defer s.unpin(st)
	if len(st.entries) == 0 {
		return nil
	}
	made, err := s.buildBase(ctx, st)
	if err != nil {
		return err
	}
	if err := s.writer.acquire(ctx); err != nil {
		return err
	}
	defer s.writer.release()
	cur := s.current()
	return s.flip(carryOver(st, cur, made, cur.gen))
}

// carryOver returns the state with the new base and, as its overlay, what was
// changed between start, from which the base was made, and cur.
func carryOver(start, cur *state, made *base, gen graph.Generation) *state {
	next := newState(gen, made)
	var carried []*entry
	for _, e := range cur.entries {
		if start.overlay(e.rec.Path) == e {
			continue
		}
		c := *e
		built := next.record(e.rec.Path)
		switch {
		case e.removed:
			if built == nil {
				continue
			}
		case start.touched(e):
			if built == nil || built.Hash != e.rec.Hash {
				continue
			}
			c.rec, c.names = *built, names{}
			c.rec.Sig, c.rec.Racy = e.rec.Sig, e.rec.Racy
		}
		c.slot = uint32(len(carried))
		carried = append(carried, &c)
	}
	return next.with(gen, carried, uint32(len(carried))).settle()
}

// flip makes next, which stands on a new base, the current state, on disk and in
// memory. The caller holds the writer.
func (s *Store) flip(next *state) error {
	if len(next.entries) > 0 {
		if err := s.write(overlayPairs(next.base.id, next.entries)); err != nil {
			return wrap("write overlay", err)
		}
		s.reached(StepCarried)
	}
	if err := s.kv.Commit([]kv.Pair{s.commitPair(next)}); err != nil {
		return wrap("commit", err)
	}
	s.reached(StepFlipped)
	s.show(next)
	// The change is made; only a loss of power could still undo it.
	if err := s.kv.Sync(); err != nil {
		s.log.Warn("new base is not synced", "error", err)
	}
	s.reached(StepSynced)
	return nil
}

// tidy collects after a publish, of which a failure to do so is no failure.
func (s *Store) tidy(ctx context.Context) {
	if err := s.collect(ctx); err != nil && !errors.Is(err, ErrClosed) && ctx.Err() == nil {
		s.log.Warn("garbage is left for the next compaction", "error", err)
	}
}

// roots is what collect keeps.
type roots struct {
	states []*state
	floor  graph.FileID // ids from here on may belong to a batch under way
	staged map[graph.FileID]bool
}

// live reports whether facts under an id are in use.
func (r *roots) live(id graph.FileID) bool {
	if id >= r.floor || r.staged[id] {
		return true
	}
	for _, st := range r.states {
		if rec := st.recordID(id); rec != nil && rec.facts {
			return true
		}
	}
	return false
}

func (r *roots) hasBase(id uint32) bool {
	return slices.ContainsFunc(r.states, func(st *state) bool { return st.base.id == id })
}

func (s *Store) roots(ctx context.Context) (*roots, error) {
	r := &roots{staged: make(map[graph.FileID]bool)}
	s.mu.Lock()
	r.states = append(r.states, s.cur)
	for st := range s.pins {
		r.states = append(r.states, st)
	}
	r.floor = graph.FileID(s.nextID.Load())
	for _, first := range s.batches {
		r.floor = min(r.floor, first)
	}
	s.mu.Unlock()
	err := s.kv.Scan(ctx, keys.All(keys.Staged), true, func(key, _ []byte) error {
		if id, ok := keys.ParseFile(key); ok {
			r.staged[id] = true
		}
		return nil
	})
	return r, wrap("list staged files", err)
}

// collect deletes facts and bases that neither the current state nor a pinned one
// uses, and old tombstones. The caller holds the builder, so that no base is being written.
func (s *Store) collect(ctx context.Context) error {
	known := s.garbage.Load()
	r, err := s.roots(ctx)
	if err != nil {
		return err
	}
	var dead []kv.Pair
	list := func(k keys.Kind, live func(key []byte) bool) error {
		return s.kv.Scan(ctx, keys.All(k), true, func(key, _ []byte) error {
			if !live(key) {
				dead = append(dead, kv.Pair{Key: slices.Clone(key)})
			}
			return nil
		})
	}
	err = list(keys.Blob, func(key []byte) bool {
		id, ok := keys.ParseFile(key)
		return ok && r.live(id)
	})
	for _, k := range keys.OfBase() {
		err = errors.Join(err, list(k, func(key []byte) bool {
			base, ok := keys.ParseBasePrefix(key)
			return ok && r.hasBase(base)
		}))
	}
	if err != nil {
		return wrap("list garbage", err)
	}
	stones, err := s.oldTombstones(ctx)
	if err != nil {
		return err
	}
	dead = append(dead, stones...)
	if len(dead) == 0 {
		s.garbage.Add(-known)
		return nil
	}
	s.reached(StepCollect)
	if err := s.write(dead); err != nil {
		return wrap("delete garbage", err)
	}
	s.garbage.Add(-known)
	s.deleted.Add(int64(len(dead)))
	s.reached(StepCollected)
	return nil
}

// oldTombstones lists those that are too old, or too many.
func (s *Store) oldTombstones(ctx context.Context) ([]kv.Pair, error) {
	type stone struct {
		key []byte
		at  time.Time
	}
	var stones []stone
	err := s.kv.Scan(ctx, keys.All(keys.Tombstone), false, func(key, value []byte) error {
		t, err := decodeTombstone(value)
		stones = append(stones, stone{slices.Clone(key), t.At})
		return err
	})
	if err != nil {
		return nil, wrap("list tombstones", err)
	}
	slices.SortFunc(stones, func(a, b stone) int { return cmp.Or(b.at.Compare(a.at), slices.Compare(a.key, b.key)) })
	now := s.opt.Clock()
	var dead []kv.Pair
	for i, t := range stones {
		if i >= maxTombstones || now.Sub(t.at) > tombstoneAge {
			dead = append(dead, kv.Pair{Key: t.key})
		}
	}
	return dead, nil
}

// dropStaged forgets what full batches left behind.
func (s *Store) dropStaged(ctx context.Context) error {
	var dead []kv.Pair
	err := s.kv.Scan(ctx, keys.All(keys.Staged), true, func(key, _ []byte) error {
		dead = append(dead, kv.Pair{Key: slices.Clone(key)})
		return nil
	})
	if err != nil || len(dead) == 0 {
		return wrap("list staged files", err)
	}
	return wrap("delete staged files", s.write(dead))
}
