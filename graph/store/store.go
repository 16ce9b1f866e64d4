package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// Store is an open index directory. Its methods are safe for concurrent use.
type Store struct {
	opt   Options
	log   *slog.Logger
	lock  *os.File
	kv    *kv.DB
	pack  compressor
	cache *factsCache

	// writer is held by the incremental batch, and by whoever moves the commit
	// record. builder is held by the full batch and by whoever writes a base; it
	// is taken before writer, or only tried.
	writer  semaphore
	builder semaphore

	nextID  atomic.Uint32
	garbage atomic.Int64 // keys that became useless since the last collection, about
	deleted atomic.Int64 // keys that were deleted since the tree was rewritten
	damaged atomic.Pointer[error]

	mu       sync.Mutex
	cur      *state
	pins     map[*state]int
	batches  map[*Batch]graph.FileID // open batches, and the first id that each may have given
	nextBase uint32
	closed   bool
}

// semaphore is a lock that can be waited for until a context ends.
type semaphore chan struct{}

func (s semaphore) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	default:
	}
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s semaphore) try() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s semaphore) release() { <-s }

// Close ends the store. Calls under way on the disk are waited for; later calls on
// snapshots and batches fail with ErrClosed. What was published is kept.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	err := s.kv.Close()
	s.reached(StepClosed)
	if err == nil {
		err = os.Remove(filepath.Join(s.opt.Dir, openFile))
	}
	return errors.Join(wrap("close", err), s.lock.Close())
}

// Err returns the damage that a lookup without an error result has met, or nil. The
// remedy is that of ErrCorrupt.
func (s *Store) Err() error {
	if err := s.damaged.Load(); err != nil {
		return *err
	}
	return nil
}

// report keeps the first damage for Err.
func (s *Store) report(err error) {
	if errors.Is(err, ErrClosed) {
		return
	}
	if s.damaged.CompareAndSwap(nil, &err) {
		s.log.Error("graph store is damaged", "error", err)
	}
}

// Snapshot pins the current generation. It must be released.
func (s *Store) Snapshot() *Snapshot { return &Snapshot{s: s, st: s.pin()} }

func (s *Store) pin() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pins[s.cur]++
	return s.cur
}

func (s *Store) unpin(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pins[st]--; s.pins[st] == 0 {
		delete(s.pins, st)
	}
}

func (s *Store) current() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur
}

// Forget drops what lookups have left in memory: later ones read it from the disk
// again. It is for a process that nobody asks anything.
func (s *Store) Forget() {
	s.cache.clear()
	b := s.current().base
	b.defs.forget()
	b.refs.forget()
}

// takeBase returns a number that no base has had.
func (s *Store) takeBase() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextBase++
	return s.nextBase - 1
}

// Generation is that of Snapshot: 0 until something was published.
func (s *Store) Generation() graph.Generation { return s.current().gen }

// Pending is the number of overlay records: what Compact would merge. Reads stay
// fast up to some thousands; call Compact when idle and Pending is above some hundreds.
func (s *Store) Pending() int { return len(s.current().entries) }

// StorageBytes is the disk space of the directory, counted in blocks.
func (s *Store) StorageBytes() (int64, error) {
	var total int64
	err := filepath.WalkDir(s.opt.Dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the tree is rewritten while we walk
		}
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			total += st.Blocks * 512
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("measure store: %w", err)
	}
	return total, nil
}
