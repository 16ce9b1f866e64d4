package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// Names in the directory.
const (
	formatFile = "FORMAT" // says what the directory is; read before anything else
	lockFile   = "LOCK"   // locked while a process has the store open
	openFile   = "OPEN"   // there while the store is open, and after a crash
	kvDir      = "kv"

	formatText = "ralph-index graph/store " + Format + "\n"
)

const defaultCache = 96 << 20

// Open opens or creates the store in o.Dir. It fails with ErrLocked, ErrFormat or
// ErrCorrupt where these apply.
func Open(ctx context.Context, o Options) (_ *Store, err error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = defaultCache
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	lock, err := claim(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Store{
		opt: o, log: o.Logger, lock: lock, cache: newFactsCache(o.CacheBytes),
		writer: make(semaphore, 1), builder: make(semaphore, 1),
		pins: make(map[*state]int), batches: make(map[*Batch]graph.FileID),
	}
	defer func() {
		if err == nil {
			return
		}
		if s.kv != nil {
			err = errors.Join(err, s.kv.Close())
		}
		err = errors.Join(err, lock.Close())
	}()
	crashed, err := s.mark()
	if err != nil {
		return nil, err
	}
	s.reached(StepMarked)
	if s.kv, err = kv.Open(filepath.Join(o.Dir, kvDir), kv.Options{Log: o.Logger, Verify: crashed, Free: o.Free}); err != nil {
		return nil, wrap("open store", err)
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	s.reached(StepOpened)
	return s, nil
}

// Made reports whether a directory holds a store, of whatever format: not one that
// was only begun, nor what a store leaves that was deleted before it was closed.
func Made(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, formatFile))
	return err == nil
}

// claim locks the directory and checks that it is ours, or empty.
func claim(dir string) (lock *os.File, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create store directory: %w", err)
	}
	lock, err = os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return lock, ErrLocked
		}
		return lock, fmt.Errorf("lock store: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, formatFile))
	if err == nil {
		if string(text) != formatText {
			return lock, fmt.Errorf("%w: %.40q", ErrFormat, text)
		}
		return lock, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return lock, fmt.Errorf("read format: %w", err)
	}
	names, err := os.ReadDir(dir)
	if err != nil {
		return lock, fmt.Errorf("read store directory: %w", err)
	}
	for _, n := range names {
		if n.Name() != lockFile && n.Name() != formatFile+".tmp" {
			return lock, fmt.Errorf("%w: %s without %s", ErrFormat, n.Name(), formatFile)
		}
	}
	tmp := filepath.Join(dir, formatFile+".tmp")
	if err := os.WriteFile(tmp, []byte(formatText), 0o644); err != nil {
		return lock, fmt.Errorf("write format: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, formatFile)); err != nil {
		return lock, fmt.Errorf("write format: %w", err)
	}
	return lock, nil
}

// mark leaves the file that only Close takes away, and reports whether the last
// process left it.
func (s *Store) mark() (crashed bool, err error) {
	f, err := os.OpenFile(filepath.Join(s.opt.Dir, openFile), os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("mark store as open: %w", err)
	}
	return false, f.Close()
}

// unused fails where there is anything in a store without a commit record: the first
// one is written before all else.
func (s *Store) unused(ctx context.Context) error {
	return wrap("read store", s.kv.Scan(ctx, nil, true, func(key, _ []byte) error {
		return fmt.Errorf("%w: no commit record beside key %x", ErrCorrupt, key)
	}))
}

// load reads the commit record and everything that is held in memory. To a store that
// was just made it writes the first commit record.
func (s *Store) load(ctx context.Context) error {
	var c commit
	value, err := s.kv.Get(keys.All(keys.Commit))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		if err := s.unused(ctx); err != nil {
			return err
		}
		s.reached(StepCreated)
		c.next = 1
		if err := s.kv.Commit([]kv.Pair{{Key: keys.All(keys.Commit), Value: c.encode()}}); err != nil {
			return wrap("create commit record", err)
		}
	case err != nil:
		return wrap("read commit record", err)
	default:
		if c, err = decodeCommit(value); err != nil {
			return err
		}
	}
	if err := s.findNext(c); err != nil {
		return err
	}
	b, err := s.readBase(ctx, c.base)
	if err != nil {
		return err
	}
	entries, err := s.readOverlay(ctx, c, b)
	if err != nil {
		return err
	}
	s.cur = newState(c.gen, b).with(c.gen, entries, c.slots).settle()
	if s.cur.gen > 0 {
		s.garbage.Store(unknownGarbage)
	}
	return nil
}

// findNext sets the next file id and base number above all that were ever written,
// also by batches that were not published.
func (s *Store) findNext(c commit) error {
	next := c.next
	for _, k := range [...]keys.Kind{keys.Blob, keys.Staged} {
		key, err := s.kv.Last(keys.All(k))
		if errors.Is(err, kv.ErrNotFound) {
			continue
		}
		if err != nil {
			return wrap("find last file id", err)
		}
		if id, ok := keys.ParseFile(key); ok {
			next = max(next, id+1)
		}
	}
	s.nextID.Store(uint32(next))
	s.nextBase = c.base + 1
	for _, k := range keys.OfBase() {
		key, err := s.kv.Last(keys.All(k))
		if errors.Is(err, kv.ErrNotFound) {
			continue
		}
		if err != nil {
			return wrap("find last base", err)
		}
		if n, ok := keys.ParseBasePrefix(key); ok {
			s.nextBase = max(s.nextBase, n+1)
		}
	}
	return nil
}

// readOverlay reads the overlay records that the commit record counts.
func (s *Store) readOverlay(ctx context.Context, c commit, b *base) ([]*entry, error) {
	byPath := make(map[graph.Path]*entry)
	next := uint32(0)
	err := s.kv.Scan(ctx, keys.Base(keys.Overlay, c.base), false, func(key, value []byte) error {
		_, slot, ok := keys.ParseBase(key)
		if !ok || slot >= c.slots {
			return nil // written, but not published
		}
		if slot != next {
			return fmt.Errorf("%w: overlay record %d is missing", ErrCorrupt, next)
		}
		next++
		e, err := decodeEntry(value, slot)
		if err != nil {
			return err
		}
		byPath[e.rec.Path] = e // a later record of a path replaces the earlier
		return nil
	})
	if err != nil {
		return nil, wrap("read overlay", err)
	}
	if next != c.slots {
		return nil, fmt.Errorf("%w: overlay has %d records of %d", ErrCorrupt, next, c.slots)
	}
	entries := make([]*entry, 0, len(byPath))
	for _, e := range byPath {
		if err := s.readNames(e, b); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// readNames reads the name tables of an entry from its blob. A file of the base
// that was only touched needs none.
func (s *Store) readNames(e *entry, b *base) error {
	if e.removed || !e.rec.facts || b.table.findID(e.rec.ID) >= 0 {
		return nil
	}
	facts, err := s.readBlob(e.rec.ID)
	if err != nil {
		return err
	}
	if e.names.defs, e.names.refs, err = blob.Names(facts); err != nil {
		return fmt.Errorf("%w: facts of %q: %w", ErrCorrupt, e.rec.Path, err)
	}
	return nil
}

// readBlob reads the encoded facts that must stand under an id.
func (s *Store) readBlob(id graph.FileID) ([]byte, error) { return s.readBlobInto(id, nil) }

// readBlobInto is readBlob that may use the room of into.
func (s *Store) readBlobInto(id graph.FileID, into []byte) ([]byte, error) {
	b, err := s.large(keys.File(keys.Blob, id))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, fmt.Errorf("%w: no facts under file id %d", ErrCorrupt, id)
	}
	if err != nil {
		return nil, wrap("read facts", err)
	}
	return s.pack.unpack(id, b, into[:0])
}

// encode writes the overlay record of e.
func (e *entry) encode() []byte {
	flags := byte(0)
	if e.removed {
		flags = recordRemoved
	}
	return appendRecord(appendString(nil, string(e.rec.Path)), &e.rec, flags)
}

func decodeEntry(b []byte, slot uint32) (*entry, error) {
	r := reader{b: b}
	path := graph.Path(r.text())
	rec, flags := r.record()
	if r.err != nil || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: overlay record %d", ErrCorrupt, slot)
	}
	rec.Path = path
	return &entry{rec: rec, removed: flags&recordRemoved != 0, slot: slot, key: graph.KeyOf(path)}, nil
}
