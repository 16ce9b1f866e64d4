package store

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
)

// Store is an open index directory. Its methods are safe for concurrent use.
type Store struct{}

// Open opens or creates the store in o.Dir. It fails with ErrLocked, ErrFormat or
// ErrCorrupt where these apply.
func Open(ctx context.Context, o Options) (*Store, error) { panic("todo") }

// Close waits for no one: calls on snapshots and batches fail from then on with
// ErrClosed. What was published is kept.
func (s *Store) Close() error { panic("todo") }

// Snapshot pins the current generation. It must be released.
func (s *Store) Snapshot() *Snapshot { panic("todo") }

// Generation is that of Snapshot: 0 until something was published.
func (s *Store) Generation() graph.Generation { panic("todo") }

// Begin starts a batch. One incremental batch and one full batch can be under way
// at a time; Begin waits for the one before until ctx is done.
func (s *Store) Begin(ctx context.Context, m Mode) (*Batch, error) { panic("todo") }

// Pending is the number of overlay records: what Compact would merge. Reads stay
// fast up to some thousands; call Compact when idle and Pending is above some hundreds.
func (s *Store) Pending() int { panic("todo") }

// Compact merges the overlay into a new base and removes what nothing refers to.
// Batches may be published meanwhile; the generation stays. It ends early, with
// everything as it was, when ctx is done.
func (s *Store) Compact(ctx context.Context) error { panic("todo") }

// Meta returns a value that SetMeta stored: jobs, hub tables, settings.
func (s *Store) Meta(key string) (value []byte, ok bool, err error) { panic("todo") }

// SetMeta stores values of any size; a nil value removes its key. It is
// independent of batches and generations. Values of together less than 1 MB are
// stored in one transaction.
func (s *Store) SetMeta(values map[string][]byte) error { panic("todo") }

// Tombstone finds the version of a file that an evidence or span id was minted on.
func (s *Store) Tombstone(id graph.ID) (t Tombstone, ok bool, err error) { panic("todo") }

// StorageBytes is the disk space of the directory, counted in blocks.
func (s *Store) StorageBytes() (int64, error) { panic("todo") }
