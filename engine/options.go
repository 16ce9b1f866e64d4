package engine

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness/watch"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// Options configures Open.
type Options struct {
	Workspace string   // directory to index; absolute, symbolic links resolved
	Roots     []string // further directories that reads and searches may name; not indexed
	NoIndex   bool     // answer everything live
	// Existing uses an index only where there is one, and creates nothing: where there is
	// none, answers are live.
	Existing bool
	// IndexDir overrides where the index lives: .agent/ralph-explore in the workspace.
	IndexDir string
	// WorkerCommand starts a parser process (see extract/worker). Empty: parse in
	// this process, as libraries and benchmarks do.
	WorkerCommand []string
	Workers       int    // parser processes; 0: GOMAXPROCS
	Version       string // of the program; shown to processes that share the index
	// Background turns on what a server does by itself: a first index at once, watching
	// for changes and indexing them, flushes and compaction when idle.
	Background bool
	// Idle says when a server at rest works on its index.
	Idle Idle
	// Indexed, when not nil, is told of each job of this process that changed the
	// index. It must not block.
	Indexed func(api.Job)
	// Damaged, when not nil, is told when the index turns out to be damaged, or to be of
	// no form that this program knows, and is built again. It must not block.
	Damaged func(error)
	// Reached, when not nil, is told by name of the moments at which the writing of the
	// index, or of files, may be cut off (Steps): whoever tests that ends the process there.
	Reached func(step string)
	Logger  *slog.Logger // nil discards
	Clock   func() time.Time

	free        func(dir string) (int64, error) // free space of a disk; nil asks the system
	watchSource func() (watch.Source, error)    // of tests; nil: the system
	listed      func()                          // of tests: a search has noted what differs
	pinned      func()                          // of tests: an answer about names has pinned a generation
	extracting  func(graph.Path)                // of tests: a file is about to be parsed in this process
	largeFile   int                             // of tests: the size from which files are extracted beside the runs
}

// Idle says when a server at rest works on its index; zero fields are the defaults.
// Smaller numbers make it do so sooner, and more often: for tests of that work.
type Idle struct {
	Tick     time.Duration // between two looks for work; 500 ms
	Flush    int           // files whose words are not indexed, above which they are; 64
	Compact  int           // records of the overlay above which it is merged; 400
	Collect  int           // useless keys above which they are deleted; 100
	Optimize int           // files changed by one run above which the lexical index is merged; 1,000
	Parts    int           // parts of the lexical index above which it is merged; 4
}

func (i Idle) withDefaults() Idle {
	return Idle{
		Tick: cmp.Or(i.Tick, 500*time.Millisecond), Flush: cmp.Or(i.Flush, 64), Compact: cmp.Or(i.Compact, 400),
		Collect: cmp.Or(i.Collect, 100), Optimize: cmp.Or(i.Optimize, 1000),
		Parts: cmp.Or(i.Parts, 4),
	}
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.IndexDir == "" {
		o.IndexDir = filepath.Join(o.Workspace, workspace.IndexDir)
	}
	if o.Damaged == nil {
		o.Damaged = func(error) {}
	}
	o.Idle = o.Idle.withDefaults()
	return o
}

// format is the name of the directory that holds an index of this form, so that a
// binary of another form does not read it.
const format = store.Format
