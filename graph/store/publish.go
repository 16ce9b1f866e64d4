package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

const (
	// rebaseChanges and rebaseOverlay are the sizes of a batch, and of the overlay
	// after it, from which on a batch is published as a new base.
	rebaseChanges = 1024
	rebaseOverlay = 4096
)

// Publish makes the changes visible, all of them or, on an error, none, and ends
// the batch. The generation is the new one, or the current one when no file changed.
func (b *Batch) Publish(ctx context.Context) (graph.Generation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return 0, ErrClosed
	}
	defer b.endLocked()
	changed := make([]*entry, 0, len(b.changes))
	for _, e := range b.changes {
		changed = append(changed, e)
	}
	slices.SortFunc(changed, func(x, y *entry) int { return comparePath(x, y.rec.Path) })
	var gen graph.Generation
	var err error
	switch {
	case b.mode == Full:
		gen, err = b.publishFull(ctx, changed)
	case len(changed) == 0:
		return b.start.gen, nil
	default:
		gen, err = b.publishChanges(ctx, changed)
	}
	if err != nil {
		return 0, fmt.Errorf("publish: %w", err)
	}
	return gen, nil
}

// flushAhead writes what is left of the blobs ahead, if that was begun.
func (b *Batch) flushAhead() error {
	if err := b.spillLocked(); err != nil {
		return err
	}
	if err := b.bulk.Flush(); err != nil {
		return wrap("write facts", err)
	}
	b.s.reached(StepBlobsAhead)
	return nil
}

// publishChanges publishes an incremental batch: in one transaction when it is
// small, as a new base when it is large and no other is being built, else as
// overlay records that are written ahead.
func (b *Batch) publishChanges(ctx context.Context, changed []*entry) (graph.Generation, error) {
	s, st := b.s, b.start
	gen := st.gen
	if slices.ContainsFunc(changed, func(e *entry) bool { return !st.touched(e) }) {
		gen++
	}
	large := len(changed) >= rebaseChanges || len(st.entries)+len(changed) > rebaseOverlay
	if large && s.builder.try() {
		defer s.builder.release()
		return b.rebase(ctx, st.with(gen, changed, st.slots), s.tombstones(changed, st.record))
	}
	pairs, slots, err := b.overlay(changed)
	if err != nil {
		return 0, err
	}
	st.remember(gen, changed)
	next := st.with(gen, changed, slots).settle()
	pairs = append(pairs, s.commitPair(next))
	stones := s.tombstones(changed, st.record)
	if all := slices.Concat(pairs, stones); fits(all) {
		pairs, stones = all, nil
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	s.reached(StepCommit)
	if err := s.kv.Commit(pairs); err != nil {
		return 0, wrap("commit", err)
	}
	s.reached(StepCommitted)
	s.show(next)
	s.retire(changed, st.record)
	s.bury(stones)
	return gen, nil
}

// retire deals with the versions that entries replace or remove: their facts are of no
// use any more, and the tombstones that remember them may be too many.
func (s *Store) retire(entries []*entry, before func(graph.Path) *record) {
	for _, e := range entries {
		if old := before(e.rec.Path); old != nil && (e.removed || old.ID != e.rec.ID) {
			s.cache.drop(old.ID)
			s.garbage.Add(2)
		}
	}
}

// overlay returns the pairs to commit together with the commit record, and the
// number of slots then in use. What does not fit is written ahead, to slots that
// the commit record does not count yet.
func (b *Batch) overlay(changed []*entry) (pairs []kv.Pair, slots uint32, err error) {
	if b.bulk == nil {
		slots = b.assignSlots(changed, true)
		for _, e := range changed {
			if facts := b.blobs[e.rec.ID]; facts != nil {
				pairs = appendParts(pairs, keys.File(keys.Blob, e.rec.ID), facts)
			}
		}
		if pairs = append(pairs, overlayPairs(b.start.base.id, changed)...); fits(pairs) {
			return pairs, slots, nil
		}
	}
	slots = b.assignSlots(changed, false)
	if err := b.flushAhead(); err != nil {
		return nil, 0, err
	}
	if err := b.s.write(overlayPairs(b.start.base.id, changed)); err != nil {
		return nil, 0, wrap("write overlay", err)
	}
	b.s.reached(StepOverlayAhead)
	return nil, slots, nil
}

// touched reports whether e changes no more than the signature of a live file.
func (st *state) touched(e *entry) bool {
	if e.removed {
		return false
	}
	old := st.record(e.rec.Path)
	return old != nil && old.ID == e.rec.ID
}

// assignSlots gives each entry a slot, where reuse is set that of the one which it
// replaces, and returns the number of slots then in use.
func (b *Batch) assignSlots(changed []*entry, reuse bool) uint32 {
	slots := b.start.slots
	for _, e := range changed {
		if old := b.start.overlay(e.rec.Path); old != nil && reuse {
			e.slot = old.slot
			continue
		}
		e.slot = slots
		slots++
	}
	return slots
}

func overlayPairs(base uint32, entries []*entry) []kv.Pair {
	pairs := make([]kv.Pair, len(entries))
	for i, e := range entries {
		pairs[i] = kv.Pair{Key: keys.InBase(keys.Overlay, base, e.slot), Value: e.encode()}
	}
	return pairs
}

func (s *Store) commitPair(st *state) kv.Pair {
	c := commit{gen: st.gen, base: st.base.id, slots: st.slots, next: graph.FileID(s.nextID.Load())}
	return kv.Pair{Key: keys.All(keys.Commit), Value: c.encode()}
}

// show makes st the current state.
func (s *Store) show(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur = st
}

// tombstones returns the pairs that remember the versions which entries replace or
// remove, of which before knows the records.
func (s *Store) tombstones(entries []*entry, before func(graph.Path) *record) []kv.Pair {
	now := s.opt.Clock()
	var pairs []kv.Pair
	for _, e := range entries {
		old := before(e.rec.Path)
		if old == nil || old.Hash.IsZero() || !e.removed && e.rec.Hash == old.Hash {
			continue
		}
		t := Tombstone{Path: old.Path, Hash: old.Hash, Reason: ReasonChanged, At: now}
		if e.removed {
			t.Reason = ReasonDeleted
		}
		if old.facts {
			t.ID = old.ID
		}
		if pairs = append(pairs, t.pair()); len(pairs) == maxTombstones {
			break
		}
	}
	return pairs
}

// bury stores tombstones after the fact. To lose some is no error of the batch.
func (s *Store) bury(stones []kv.Pair) {
	if len(stones) == 0 {
		return
	}
	s.reached(StepTombstones)
	if err := s.write(stones); err != nil {
		s.log.Warn("tombstones are lost", "count", len(stones), "error", err)
	}
}

// rebase publishes next as a new base without an overlay. The caller holds the
// builder.
func (b *Batch) rebase(ctx context.Context, next *state, stones []kv.Pair) (graph.Generation, error) {
	s := b.s
	if err := b.flushAhead(); err != nil {
		return 0, err
	}
	made, err := s.buildBase(ctx, next)
	if err != nil {
		return 0, err
	}
	if err := s.flip(newState(next.gen, made)); err != nil {
		return 0, err
	}
	s.bury(stones)
	b.unpin()
	s.tidy(ctx)
	return next.gen, nil
}

// publishFull publishes a full batch: a new base, and as its overlay what
// incremental batches changed meanwhile.
func (b *Batch) publishFull(ctx context.Context, changed []*entry) (graph.Generation, error) {
	s := b.s
	if err := b.flushAhead(); err != nil {
		return 0, err
	}
	fresh := &state{base: emptyBase(), entries: changed}
	fresh.counts.files = len(changed)
	made, err := s.buildBase(ctx, fresh)
	if err != nil {
		return 0, err
	}
	if err := s.writer.acquire(ctx); err != nil {
		return 0, err
	}
	cur := s.current()
	next := carryOver(b.start, cur, made, cur.gen+1)
	err = s.flip(next)
	s.writer.release()
	if err != nil {
		return 0, err
	}
	s.bury(s.tombstones(differences(cur, next), cur.record))
	if err := s.dropStaged(ctx); err != nil {
		s.log.Warn("staged files are left behind", "error", err)
	}
	s.reached(StepStagedForgotten)
	b.unpin()
	s.tidy(ctx)
	return next.gen, nil
}

// differences lists what tombstones needs to know about the way from cur to next.
func differences(cur, next *state) []*entry {
	var out []*entry
	cur.merge("", func(old *record) bool {
		r := next.record(old.Path)
		if r == nil {
			out = append(out, &entry{rec: *old, removed: true})
		} else if r.Hash != old.Hash {
			out = append(out, &entry{rec: *r})
		}
		return len(out) < maxTombstones
	})
	return out
}
