// Package lexical keeps, for each indexed file version, the words that it holds, and
// says which files can contain a pattern. What it says is a superset: package match
// decides on the bytes, in package scan. It is not the truth about what is live or
// fresh: dead ids may be among the candidates, and the engine treats every live id
// that is not in Held as a candidate, so that a crash which loses unpersisted words
// costs time and never a match.
//
// A word is a longest run of ASCII letters, digits, '_' and bytes from 0x80 up, so
// that its two ends are decided by the adjacent bytes alone.
package lexical

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// ErrLocked is returned by Open when another process holds the index.
var ErrLocked = errors.New("lexical index is held by another process")

// ErrCorrupt is returned when the index on disk cannot be used. The caller closes
// it, deletes its directory and feeds everything again.
var ErrCorrupt = errors.New("lexical index is damaged")

// Reasons in Candidates for an answer that is not narrowed.
const (
	NotSelective = "not_selective" // no word to look up, or more than a tenth of the files have it
)

// Options tune an index; the zero value is right for most callers.
type Options struct {
	Logger   *slog.Logger  // nil discards
	LockWait time.Duration // how long Open waits for another process; 0: 200 ms
}

// Index maps words to file versions. It is safe for concurrent use; Apply calls are
// serialised.
type Index struct{}

// Open opens or creates the index in dir. Errors wrap ErrLocked or ErrCorrupt where
// these apply.
func Open(dir string, o Options) (*Index, error) { return &Index{}, nil }

// Close persists what was applied and releases the directory. Background work is
// waited for.
func (x *Index) Close() error { return nil }

// Doc holds the words of one file version, ready to be applied.
type Doc struct {
	ID graph.FileID
	// Odd says that the file is too large for the index. Applying it is a no-op: its
	// id is never held, so it is always a candidate.
	Odd bool
	// Bytes is the size of the source, for callers that cut batches by size.
	Bytes int
}

// Scratch is the working memory of NewDoc; each worker has its own.
type Scratch struct{}

// NewScratch returns working memory for one worker.
func NewScratch() *Scratch { return &Scratch{} }

// NewDoc extracts the words of src, which it does not keep.
func NewDoc(id graph.FileID, src []byte, s *Scratch) Doc { return Doc{ID: id, Odd: true} }

// Batch is a change of the index. The best batches hold 500 to 1,000 files or 8 to
// 16 MB of source.
type Batch struct {
	Put    []Doc
	Delete []graph.FileID
}

// Apply makes a batch visible to Candidates. It does not wait until the batch is on
// disk: after a crash Held tells what is left.
func (x *Index) Apply(ctx context.Context, b Batch) error { return nil }

// Held returns the ids that the index holds now.
func (x *Index) Held(ctx context.Context) (*Set, error) { return &Set{}, nil }

// Candidates is an answer of the index.
type Candidates struct {
	// IDs lists in ascending order the held ids that may match. It is nil where
	// Narrowed is false.
	IDs []graph.FileID
	// Narrowed false means that the index does not say: look at all files.
	Narrowed bool
	Reason   string // why not narrowed
	// Held is what the index held when it answered: every live id outside it is a
	// candidate too.
	Held *Set
}

// Candidates says which files can have a line that p matches.
func (x *Index) Candidates(ctx context.Context, p *match.Pattern) (Candidates, error) {
	return Candidates{Reason: NotSelective, Held: &Set{}}, nil
}

// Optimize merges the index into its smallest and fastest form. It takes about a
// second for 200 MB of source and is meant for idle time.
func (x *Index) Optimize(ctx context.Context) error { return nil }

// StorageBytes returns the disk space in use, in allocated blocks.
func (x *Index) StorageBytes() (int64, error) { return 0, nil }
