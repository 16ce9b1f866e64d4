package store

import (
	"errors"
	"log/slog"
	"time"

	"github.com/ralph-index/ralph-index/graph"
)

// Format names the on-disk form. The caller makes it an element of Options.Dir, so
// that a binary with another form neither reads nor deletes what this one wrote.
const Format = "v4"

// Errors that callers branch on.
var (
	// ErrLocked says that another process has the directory open.
	ErrLocked = errors.New("store: locked by another process")
	// ErrCorrupt says that the directory is damaged. The remedy is to close the
	// store, delete the directory and index again.
	ErrCorrupt = errors.New("store: corrupt")
	// ErrFormat says that the directory is not empty and was not written in Format.
	ErrFormat = errors.New("store: unknown format")
	// ErrFull says that nothing was written because the disk is nearly full: what was
	// published stays, and the same will succeed once there is space.
	ErrFull = errors.New("store: disk is full")
	// ErrClosed is returned by every method of a closed store, and of a batch that
	// was published or discarded.
	ErrClosed = errors.New("store: closed")
)

// Options configure Open.
type Options struct {
	// Dir holds the store and nothing else. It is created when absent.
	Dir string
	// Logger takes what the owner of the machine may want to know; nil discards it.
	Logger *slog.Logger
	// CacheBytes bounds the decoded facts that are kept; 0 means 96 MB.
	CacheBytes int64
	// Clock dates tombstones; nil means time.Now.
	Clock func() time.Time
	// Free measures the free space, in bytes, on the disk of a directory; nil asks
	// the system.
	Free func(dir string) (int64, error)
	// Reached is called at each Step, in the goroutine that has reached it; nil for
	// none. It is for tests.
	Reached func(Step)
}

// Mode says what a batch starts from.
type Mode uint8

// The modes.
const (
	// Incremental changes the current generation.
	Incremental Mode = iota
	// Full starts from nothing: files that are not Put are gone after Publish.
	// Until then the current generation is read, and may be changed by
	// incremental batches, whose files win over those of the full batch.
	Full
)

// Counts are totals over the live files of a snapshot.
type Counts struct {
	Files     int
	Bytes     int64 // of the sources, by Sig.Size
	Defs      int
	Lines     int
	Partial   int // files with StatusPartial or StatusCapped
	Failed    int // files with StatusFailed
	Languages map[string]int
}

// Reason says why a version of a file is gone.
type Reason string

// The reasons.
const (
	ReasonChanged Reason = "content_changed"
	ReasonDeleted Reason = "file_deleted"
)

// Tombstone remembers a version of a file that evidence may still name. At most
// 10,000 are kept, for at most 30 days; Compact removes the others.
type Tombstone struct {
	Path graph.Path
	Hash graph.Hash // of the bytes that are gone
	// ID is the version that is gone, where it had facts: see Former. 0: not known.
	ID     graph.FileID
	Reason Reason
	At     time.Time
}
