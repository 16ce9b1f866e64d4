package bleveidx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"
	bolterrors "go.etcd.io/bbolt/errors"
)

// ErrLocked is returned by Open when another process has the index open.
var ErrLocked = errors.New("index is locked")

// globals guards what is global in Bleve's packages: a table of error callbacks, which
// is read only while an index is made, and how segments are made.
var globals sync.Mutex //nolint:gochecknoglobals // as global as what it guards, which other packages own

// errorPause keeps scorch's background loops, which retry at once, from spinning on
// a full disk.
const errorPause = time.Second

// Store is an open index of words. It is safe for concurrent use.
type Store struct {
	dir    string
	index  *scorch.Scorch
	queue  *index.AnalysisQueue
	log    *slog.Logger
	closed chan struct{}
	// merges waits for calls of scorch that may outlast ours.
	merges  sync.WaitGroup
	merging chan struct{} // one token: scorch refuses a merge beside another
	trouble *trouble
	// unwritten counts batches that are not on disk yet.
	unwritten atomic.Int64
}

// Open opens or creates the index in dir. It waits up to lockWait for another
// process to let go.
func Open(dir string, lockWait time.Duration, log *slog.Logger) (s *Store, err error) {
	// Damaged files make scorch panic in places.
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("open bleve index: panic: %v", r)
		}
	}()
	if err := checkSeal(dir); err != nil {
		return nil, fmt.Errorf("open bleve index: %w", err)
	}
	if err := checkBolt(dir, lockWait); err != nil {
		return nil, fmt.Errorf("open bleve index: %w", err)
	}
	s = &Store{dir: dir, log: log, closed: make(chan struct{}), merging: make(chan struct{}, 1), trouble: newTrouble()}
	globals.Lock()
	defer globals.Unlock()
	register()
	name := "lexical:" + dir
	scorch.RegistryAsyncErrorCallbacks[name] = s.failed
	scorch.RegistryEventCallbacks[name] = guardLoop
	defer delete(scorch.RegistryAsyncErrorCallbacks, name)

	s.queue = index.NewAnalysisQueue(1) // documents come analysed
	idx, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   dir,
		"unsafe_batch":           true, // what a crash loses is fed again
		"bolt_timeout":           lockWait.String(),
		"numSnapshotsToKeep":     1,
		"asyncErrorCallbackName": name,
		"eventCallbackName":      name,
		// A small floor keeps small commits from rewriting the whole of a small index.
		"scorchMergePlanOptions": map[string]any{
			"FloorSegmentSize": 10, "MaxSegmentsPerTier": 10, "SegmentsPerMergeTask": 10,
		},
		// What Flush and Close wait when something is left to write; commits that come
		// closer together are written together.
		"scorchPersisterOptions": map[string]any{"PersisterNapTimeMSec": 10},
	}, s.queue)
	if err != nil {
		s.queue.Close()
		return nil, fmt.Errorf("open bleve index: %w", err)
	}
	s.index = idx.(*scorch.Scorch)
	if err := s.index.Open(); err != nil {
		s.queue.Close()
		if errors.Is(err, bolterrors.ErrTimeout) || strings.Contains(err.Error(), "timeout") {
			return nil, fmt.Errorf("open bleve index: %w", ErrLocked)
		}
		return nil, fmt.Errorf("open bleve index: %w", err)
	}
	if err := breakSeal(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("open bleve index: %w", err), s.Close())
	}
	return s, nil
}

func (s *Store) failed(err error, path string) {
	s.log.Error("lexical index: background work failed", "err", err)
	s.trouble.note(err)
	select {
	case <-s.closed:
	case <-time.After(errorPause):
	}
}

// Close stops background work. What is not persisted yet is lost: see Flush.
func (s *Store) Close() error {
	close(s.closed)
	err := s.closeIndex()
	if !s.trouble.dead() {
		s.merges.Wait()
	}
	s.queue.Close()
	if err != nil {
		return fmt.Errorf("close bleve index: %w", err)
	}
	if err := seal(s.dir); err != nil { // an index without a seal opens as after a crash
		s.log.Debug("lexical index was not sealed", "err", err)
	}
	return nil
}

// Apply puts and deletes documents. It returns when readers see them.
func (s *Store) Apply(put []*Doc, del []uint32) error {
	return s.batch(put, del, nil)
}

func (s *Store) batch(put []*Doc, del []uint32, persisted index.BatchCallback) error {
	b := index.NewBatch()
	for _, d := range put {
		b.Update(d)
	}
	for _, id := range del {
		b.Delete(docKey(id))
	}
	s.unwritten.Add(1)
	b.SetPersistedCallback(func(err error) {
		s.unwritten.Add(-1)
		if err == nil {
			s.trouble.over()
		}
		if persisted != nil {
			persisted(err)
		}
	})
	if err := s.index.Batch(b); err != nil {
		s.unwritten.Add(-1)
		return fmt.Errorf("apply bleve batch: %w", err)
	}
	return nil
}

// Flush waits until everything applied before it is on disk. When that fails for good
// the error says why; it is ErrDamaged when the files are the reason.
func (s *Store) Flush(ctx context.Context) error {
	if s.unwritten.Load() == 0 {
		return nil
	}
	return s.roundTrip(ctx)
}

// roundTrip runs an empty batch through the background loops, which also makes them
// delete files that nobody reads any more.
func (s *Store) roundTrip(ctx context.Context) error {
	done := make(chan error, 1)
	if err := s.batch(nil, nil, func(err error) { done <- err }); err != nil {
		return err
	}
	select {
	case err := <-done:
		return err
	case <-s.trouble.channel():
		return fmt.Errorf("write bleve index: %w", s.trouble.failure())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Merge flushes and merges everything into one segment; of several calls one waits for
// another. Its errors are those of Flush.
func (s *Store) Merge(ctx context.Context) error {
	select {
	case s.merging <- struct{}{}:
		defer func() { <-s.merging }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.Flush(ctx); err != nil {
		return err
	}
	if whole, err := s.merged(); whole || err != nil {
		return err
	}
	// Scorch repeats a merge that fails until it is cancelled.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	s.merges.Go(func() { done <- s.index.ForceMerge(ctx, &mergeplan.SingleSegmentMergePlanOptions) })
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("merge bleve index: %w", err)
		}
		return ctx.Err()
	case <-s.trouble.channel():
		return fmt.Errorf("merge bleve index: %w", s.trouble.failure())
	}
}

// merged reports whether there is at most one segment, without dead documents.
func (s *Store) merged() (bool, error) {
	snap, err := s.Snapshot()
	if err != nil {
		return false, err
	}
	segs := snap.Segments()
	whole := len(segs) == 0 || len(segs) == 1 && segs[0].whole()
	return whole, snap.Release()
}

// Tidy deletes the files of merged segments. Snapshots that are held keep theirs.
func (s *Store) Tidy(ctx context.Context) error { return s.roundTrip(ctx) }
