package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// spillBytes is the size of blobs up to which a batch keeps them for its one
// transaction. Beyond it they are written ahead, unseen.
const spillBytes = kv.MaxCommit / 2

// Batch collects changes that become visible together. Its methods may be called
// from several goroutines; the last change of a path wins. Every batch must end in
// Publish or Discard.
type Batch struct {
	s     *Store
	mode  Mode
	start *state // pinned; for an incremental batch the current one, too

	mu      sync.Mutex
	done    bool
	changes map[graph.Path]*entry
	blobs   map[graph.FileID][]byte // compressed, not written yet
	bytes   int                     // of blobs
	bulk    *kv.Bulk                // blobs written ahead; nil until needed
	// staged is what an earlier full batch left; nil for an incremental batch.
	staged map[graph.Path]stagedFile
}

// stagedFile is what an earlier full batch wrote and did not publish.
type stagedFile struct {
	id   graph.FileID
	hash graph.Hash
}

// Begin starts a batch, unless the disk is full. One incremental batch and one full batch can be under way
// at a time; Begin waits for the one before until ctx is done.
func (s *Store) Begin(ctx context.Context, m Mode) (*Batch, error) {
	sem := s.semaphoreOf(m)
	if err := sem.acquire(ctx); err != nil {
		return nil, fmt.Errorf("begin batch: %w", err)
	}
	if err := s.kv.HasRoom(); err != nil {
		sem.release()
		return nil, wrap("begin batch", err)
	}
	b := &Batch{s: s, mode: m, changes: make(map[graph.Path]*entry), blobs: make(map[graph.FileID][]byte)}
	if m == Full {
		var err error
		if b.staged, err = s.readStaged(ctx); err != nil {
			sem.release()
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		sem.release()
		return nil, ErrClosed
	}
	b.start = s.cur
	s.pins[b.start]++
	s.batches[b] = graph.FileID(s.nextID.Load())
	return b, nil
}

func (s *Store) semaphoreOf(m Mode) semaphore {
	if m == Full {
		return s.builder
	}
	return s.writer
}

// endLocked gives back what Begin took.
func (b *Batch) endLocked() {
	b.done = true
	if b.bulk != nil {
		b.bulk.Cancel()
	}
	b.changes, b.blobs, b.staged = nil, nil, nil
	b.s.mu.Lock()
	delete(b.s.batches, b)
	b.s.mu.Unlock()
	b.unpin()
	b.s.semaphoreOf(b.mode).release()
}

// unpin lets go of the state that the batch started from.
func (b *Batch) unpin() {
	if b.start != nil {
		b.s.unpin(b.start)
		b.start = nil
	}
}

// Put adds or replaces a file. The id of f is ignored: the version gets a new one,
// which is returned. facts is a blob (graph/blob) or nil for a file without facts;
// the batch does not keep it. A blob that cannot be read is refused.
func (b *Batch) Put(f graph.File, facts []byte) (graph.FileID, error) {
	e := &entry{rec: record{File: f, facts: facts != nil}, key: graph.KeyOf(f.Path)}
	if facts != nil {
		var err error
		if e.names.defs, e.names.refs, err = blob.Names(facts); err != nil {
			return 0, fmt.Errorf("put %q: %w", f.Path, err)
		}
		if len(facts) > maxFacts {
			return 0, fmt.Errorf("put %q: facts of %d bytes are too large", f.Path, len(facts))
		}
		facts = b.s.pack.pack(facts)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return 0, ErrClosed
	}
	e.rec.ID = graph.FileID(b.s.nextID.Add(1) - 1)
	if old := b.changes[f.Path]; old != nil {
		b.bytes -= len(b.blobs[old.rec.ID])
		delete(b.blobs, old.rec.ID)
	}
	if facts != nil {
		b.blobs[e.rec.ID] = facts
		b.bytes += len(facts)
	}
	b.changes[f.Path] = e
	if b.mode == Incremental && b.bytes <= spillBytes {
		return e.rec.ID, nil
	}
	if err := b.spillLocked(); err != nil {
		return 0, fmt.Errorf("put %q: %w", f.Path, err)
	}
	if b.mode == Full {
		if err := b.stageLocked(e); err != nil {
			return 0, fmt.Errorf("put %q: %w", f.Path, err)
		}
	}
	return e.rec.ID, nil
}

// spillLocked writes the blobs ahead.
func (b *Batch) spillLocked() (err error) {
	if b.bulk == nil {
		if b.bulk, err = b.s.kv.Bulk(); err != nil {
			return wrap("write facts", err)
		}
	}
	for id, facts := range b.blobs {
		for _, p := range appendParts(nil, keys.File(keys.Blob, id), facts) {
			if err := b.bulk.Set(p.Key, p.Value); err != nil {
				return wrap("write facts", err)
			}
		}
		delete(b.blobs, id)
	}
	b.bytes = 0
	return nil
}

// stageLocked remembers what a full batch wrote, for one that resumes it.
func (b *Batch) stageLocked(e *entry) error {
	if !e.rec.facts {
		return nil
	}
	if err := b.bulk.Set(keys.File(keys.Staged, e.rec.ID), e.encode()); err != nil {
		return wrap("stage file", err)
	}
	b.s.reached(StepStaged)
	return nil
}

// Touch changes the signature of a file whose bytes are the same: its id and the
// generation stay. It reports whether the file is there.
func (b *Batch) Touch(p graph.Path, sig graph.Signature, racy bool) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return false, ErrClosed
	}
	e := b.changes[p]
	switch {
	case e != nil && e.removed, e == nil && b.mode == Full:
		return false, nil
	case e == nil:
		r := b.start.record(p)
		if r == nil {
			return false, nil
		}
		e = &entry{rec: *r, key: graph.KeyOf(p)}
		if old := b.start.overlay(p); old != nil {
			e.names = old.names
		}
	default:
		copied := *e
		e = &copied
	}
	e.rec.Sig, e.rec.Racy = sig, racy
	b.changes[p] = e
	return true, nil
}

// Remove takes a file out, and reports whether it was there.
func (b *Batch) Remove(p graph.Path) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return false, ErrClosed
	}
	e := b.changes[p]
	before := b.mode == Incremental && b.start.record(p) != nil
	there := before
	if e != nil {
		there = !e.removed
		b.bytes -= len(b.blobs[e.rec.ID])
		delete(b.blobs, e.rec.ID)
		delete(b.changes, p)
	}
	if before {
		b.changes[p] = &entry{rec: record{File: graph.File{Path: p}}, removed: true, key: graph.KeyOf(p)}
	}
	return there, nil
}

// BlobFor is Snapshot.BlobFor on the generation that the batch started from. A full
// batch also finds what an earlier full batch wrote that was not published.
func (b *Batch) BlobFor(p graph.Path, h graph.Hash) (facts []byte, ok bool, err error) {
	b.mu.Lock()
	if b.done {
		b.mu.Unlock()
		return nil, false, ErrClosed
	}
	file, found := b.staged[p]
	start := b.start
	b.mu.Unlock()
	if found && file.hash == h {
		// A crash may have kept the record and lost the facts.
		facts, err = b.s.readBlob(file.id)
		if err == nil || !errors.Is(err, ErrCorrupt) {
			return facts, err == nil, err
		}
	}
	return b.s.blobFor(start, p, h)
}

// readStaged lists what full batches left behind.
func (s *Store) readStaged(ctx context.Context) (map[graph.Path]stagedFile, error) {
	files := make(map[graph.Path]stagedFile)
	err := s.kv.Scan(ctx, keys.All(keys.Staged), false, func(_, value []byte) error {
		e, err := decodeEntry(value, 0)
		if err == nil {
			files[e.rec.Path] = stagedFile{id: e.rec.ID, hash: e.rec.Hash}
		}
		return err
	})
	return files, wrap("read staged files", err)
}

// Discard ends the batch without effect. After Publish it does nothing. What a full
// batch wrote stays for BlobFor of the next.
func (b *Batch) Discard() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return
	}
	if b.mode == Full && b.bulk != nil {
		if err := b.bulk.Flush(); err != nil {
			b.s.log.Warn("discarded batch is not kept for resuming", "error", err)
		}
	}
	b.endLocked()
}
