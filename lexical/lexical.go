// Package lexical keeps, for each indexed file version, the words that it holds, and
// says which files can contain a pattern. What it says is a superset: package match
// decides on the bytes, in package scan. It is not the truth about what is live or
// fresh: dead ids may be among the candidates, and the engine treats every live id
// that is not in Held as a candidate, so that a crash which loses unpersisted words
// costs time and never a match.
//
// A word is a longest run of ASCII letters, digits, '_' and bytes from 0x80 up, so
// that its two ends are decided by the adjacent bytes alone. A literal is cut at its
// own word ends: inner words are looked up, the first and the last may be the end and
// the beginning of longer words, and a lone one may stand within one. Bleve maps
// words to files; internal/vocab finds the words that contain a text.
//
// Measured on kubernetes 1.20 (209 MB of text) with the benchmarks beside this file,
// one core of a busy 2-core machine: 2.3 s CPU to feed, 1.1 s to merge and build the
// vocabulary, 0.19 of the source on disk (vocabulary 0.05), 1 to 30 ms to open.
// Look-ups: absent 0.03 ms, word 0.02 ms, within words 0.3 ms ("Handshake") to 3 ms
// ("err", 1,200 words), phrase 0.3 ms, folded 0.2 to 1.6 ms. One plain search over
// the whole vocabulary took 2 to 3 ms; the trigram filter is what keeps that cost
// from growing with the tree. A packed trigram index of files was weighed against
// the vocabulary and not built: it takes 0.13 of the source, and keeps files that
// have all trigrams of a literal without the literal, each of which costs 25 us to
// open and read. Here a lone sub-word literal is exact.
package lexical

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/internal/bleveidx"
	"github.com/ralph-index/ralph-index/lexical/internal/word"
)

// ErrLocked is returned by Open when another process holds the index.
var ErrLocked = errors.New("lexical index is held by another process")

// ErrCorrupt is returned when the index on disk cannot be used. The caller closes
// it, deletes its directory and feeds everything again.
var ErrCorrupt = errors.New("lexical index is damaged")

// ErrClosed is returned by an index that was closed.
var ErrClosed = errors.New("lexical index is closed")

const (
	defaultLockWait = 200 * time.Millisecond
	// flushWait bounds how long Close waits for the disk: what is not written by
	// then is fed again after the next Open.
	flushWait = 5 * time.Second
	// maxSource and maxWords bound what one document may hold.
	maxSource = 64 << 20
	maxWords  = 1 << 20
)

// Options tune an index; the zero value is right for most callers.
type Options struct {
	Logger   *slog.Logger  // nil discards
	LockWait time.Duration // how long Open waits for another process; 0: 200 ms
	// Reached is called at each Step, in the goroutine that has reached it; nil for
	// none. It is for tests.
	Reached func(Step)
}

// Index maps words to file versions. It is safe for concurrent use; Apply calls are
// serialised.
type Index struct {
	dir   string
	store *bleveidx.Store
	log   *slog.Logger
	tell  func(Step) // nil: nobody asks

	apply sync.Mutex // one batch at a time

	mu     sync.Mutex
	closed bool
	users  sync.WaitGroup // calls that use the store
	view   *view          // of the newest snapshot that was asked for; nil at first
}

// Open opens or creates the index in dir. Errors wrap ErrLocked or ErrCorrupt where
// these apply.
func Open(dir string, o Options) (*Index, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.LockWait == 0 {
		o.LockWait = defaultLockWait
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open lexical index: %w", err)
	}
	store, err := bleveidx.Open(filepath.Join(dir, wordsDir), o.LockWait, o.Logger)
	switch {
	case errors.Is(err, bleveidx.ErrLocked):
		return nil, fmt.Errorf("open lexical index: %w", ErrLocked)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("open lexical index: %w", err)
	case err != nil:
		return nil, fmt.Errorf("open lexical index: %w: %w", ErrCorrupt, err)
	}
	x := &Index{dir: dir, store: store, log: o.Logger, tell: o.Reached}
	x.reached(StepOpened)
	return x, nil
}

// Folders below the directory of an index. That of the vocabularies is made with the
// first one: git may remove an empty one at any time.
const (
	wordsDir = "words"
	vocabDir = "vocab"
)

// Close persists what was applied and releases the directory. Calls in flight and
// background work are waited for.
func (x *Index) Close() error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return nil
	}
	x.closed = true
	v := x.view
	x.view = nil
	x.mu.Unlock()
	x.users.Wait()

	ctx, cancel := context.WithTimeout(context.Background(), flushWait)
	defer cancel()
	err := corrupt(x.store.Flush(ctx))
	if err != nil {
		err = fmt.Errorf("flush lexical index: %w", err)
	}
	if v != nil {
		v.release(x.log)
	}
	x.reached(StepClosing)
	err = errors.Join(err, x.store.Close())
	x.reached(StepClosed)
	return err
}

// enter holds Close back until leave is called.
func (x *Index) enter() (leave func(), err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil, ErrClosed
	}
	x.users.Add(1)
	return x.users.Done, nil
}

// Doc holds the words of one file version, ready to be applied.
type Doc struct {
	ID graph.FileID // may be set after NewDoc, before Apply
	// Odd says that the file is too large for the index. Applying it is a no-op: its
	// id is never held, so it is always a candidate.
	Odd bool
	// Bytes is the size of the source, for callers that cut batches by size.
	Bytes int

	doc *bleveidx.Doc
}

// Scratch is the working memory of NewDoc; each worker has its own.
type Scratch struct {
	// Stop, where it is set, is asked about once a megabyte of source. When it says
	// so, NewDoc gives up, and what it returns is Odd.
	Stop func() bool

	words *word.Set
}

// NewScratch returns working memory for one worker.
func NewScratch() *Scratch { return &Scratch{words: word.NewSet()} }

// NewDoc extracts the words of src, which it does not keep.
func NewDoc(id graph.FileID, src []byte, s *Scratch) Doc {
	d := Doc{ID: id, Bytes: len(src), Odd: len(src) > maxSource}
	if d.Odd {
		return d
	}
	words, ok := s.words.Collect(src, s.Stop)
	if d.Odd = !ok || words.Len() > maxWords; !d.Odd {
		d.doc = bleveidx.NewDoc(words)
	}
	return d
}

// Batch is a change of the index; each Doc is put once. The best batches hold 500 to 1,000 files or 8 to
// 16 MB of source.
type Batch struct {
	Put    []Doc
	Delete []graph.FileID
}

// Apply makes a batch visible to Candidates. It does not wait until the batch is on
// disk: after a crash Held tells what is left. A batch is applied as a whole; ctx is
// looked at before.
func (x *Index) Apply(ctx context.Context, b Batch) error {
	leave, err := x.enter()
	if err != nil {
		return err
	}
	defer leave()
	x.apply.Lock()
	defer x.apply.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	put := make([]*bleveidx.Doc, 0, len(b.Put))
	for _, d := range b.Put {
		if d.doc != nil {
			d.doc.SetID(uint32(d.ID))
			put = append(put, d.doc)
		}
	}
	del := make([]uint32, len(b.Delete))
	for i, id := range b.Delete {
		del[i] = uint32(id)
	}
	if len(put) == 0 && len(del) == 0 {
		return nil
	}
	err = x.store.Apply(put, del)
	x.reached(StepApplied)
	return err
}

// Flush waits until everything applied before it is on disk. It returns ErrCorrupt when
// that cannot be for what the files hold.
func (x *Index) Flush(ctx context.Context) error {
	leave, err := x.enter()
	if err != nil {
		return err
	}
	defer leave()
	err = corrupt(x.store.Flush(ctx))
	x.reached(StepFlushed)
	return err
}

// Optimize merges the index into its smallest and fastest form and prepares what
// queries need. It takes about a second for 200 MB of source and is meant for idle
// time. Close waits for it, so cancel ctx first.
func (x *Index) Optimize(ctx context.Context) error {
	leave, err := x.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := x.store.Merge(ctx); err != nil {
		return corrupt(err)
	}
	x.reached(StepMerged)
	// The view of the merged state lets go of the files of the old one.
	if err := x.Warm(ctx); err != nil {
		return err
	}
	x.reached(StepWarmed)
	err = corrupt(x.store.Tidy(ctx))
	x.reached(StepTidied)
	return err
}

// Parts is the number of parts that the index is made of: each batch adds one, and
// Optimize makes one of all. A part costs an open file, and a look-up in each question.
func (x *Index) Parts() (int, error) {
	v, leave, err := x.current()
	if err != nil {
		return 0, err
	}
	defer leave()
	return len(v.segs), nil
}

// Sound returns ErrCorrupt where the index can take nothing new any more, or the files
// in use were written to by somebody else. It costs a look at each file.
func (x *Index) Sound() error {
	leave, err := x.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := x.store.Sound(); err != nil {
		return corrupt(err)
	}
	v, let, err := x.current()
	if err != nil {
		return err
	}
	defer let()
	return corrupt(v.intact())
}

// corrupt puts our name to an error of the storage layer.
func corrupt(err error) error {
	if errors.Is(err, bleveidx.ErrDamaged) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// damaged turns a panic of the storage layer, which trusts its files, into
// ErrCorrupt. Callers also turn faults in mapped files into panics.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: panic: %v", ErrCorrupt, r)
	}
}

// Warm prepares what the next query would otherwise prepare itself: after batches
// and merges that is the vocabulary of their segments.
func (x *Index) Warm(ctx context.Context) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer damaged(&err)
	v, leave, err := x.current()
	if err != nil {
		return err
	}
	defer leave()
	for _, s := range v.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := s.vocabulary(x.log); err != nil {
			return err
		}
	}
	return x.removeStale(v)
}

// Held returns the ids that the index holds now. It is shared: do not change it.
func (x *Index) Held(ctx context.Context) (*Set, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, leave, err := x.current()
	if err != nil {
		return nil, err
	}
	defer leave()
	return v.held, nil
}

// StorageBytes returns the disk space in use, in allocated blocks.
func (x *Index) StorageBytes() (int64, error) {
	var total int64
	err := filepath.WalkDir(x.dir, func(_ string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil // merged away meanwhile
		}
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		total += allocated(fi)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("measure lexical index: %w", err)
	}
	return total, nil
}
