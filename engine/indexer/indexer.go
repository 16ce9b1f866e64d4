// Package indexer is the one writer of an index. It takes what the ledger says
// differs from the disk, reads and hashes it, has facts extracted from what really
// changed, and publishes facts and words as one generation.
//
// It does not decide when to run (the engine does) and answers no question. A run
// that ends early publishes what it has finished, so that the next one goes on from
// there; a full run that ends early leaves the index as it was.
package indexer

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// Extractor makes encoded facts (graph/blob) of one file; nil where nothing is
// extracted from its kind. It is called from several goroutines. A file on which
// the extractor dies is no error: its facts say so.
type Extractor interface {
	Extract(ctx context.Context, f extract.File) (blob []byte, err error)
}

// Options are what an Indexer works with. All but Workers, Log and Clock are
// required.
type Options struct {
	Tree    *tree.Tree
	Store   *store.Store
	Lexical *lexical.Index
	Ledger  *freshness.Ledger
	Extract Extractor
	Workers int // 0: twice GOMAXPROCS and one, so that each parser has its next file before it is done
	Large   int // size in bytes from which files are extracted beside the runs; 0: 256 KB
	Log     *slog.Logger
	Clock   func() time.Time
	// Published is called after each generation, with the ids that are new in it and
	// the paths that are gone, before the run that made it ends.
	Published func(gen graph.Generation, added []graph.FileID, removed []graph.Path)
	// Failed is told of errors that end a run and are not those of its context.
	Failed func(error)
	// Reached is called at each Step, in the goroutine that has reached it; nil for
	// none. It is for tests.
	Reached func(Step)
}

// Indexer runs one job at a time, but for the large files that jobs wait for.
type Indexer struct {
	o    Options
	turn chan struct{} // holds one token: who takes it writes
	idle chan struct{} // holds one token while no feeder runs

	apart *apart

	running  atomic.Int32  // jobs
	begun    atomic.Uint64 // jobs
	progress atomic.Pointer[api.Progress]
	recorded atomic.Uint64 // generation of the ledger's records

	mu     sync.Mutex
	unheld map[graph.FileID]graph.Path // live text files whose words are not in the lexical index
	dead   []graph.FileID              // ids to delete from the lexical index with the next flush
	resume map[graph.Path]graph.Hash   // what a full run had put when it ended early
}

// New makes an indexer.
func New(o Options) *Indexer {
	if o.Workers <= 0 {
		o.Workers = 2*runtime.GOMAXPROCS(0) + 1
	}
	if o.Large <= 0 {
		o.Large = largeFile
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Published == nil {
		o.Published = func(graph.Generation, []graph.FileID, []graph.Path) {}
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	x := &Indexer{o: o, turn: make(chan struct{}, 1), idle: make(chan struct{}, 1), unheld: map[graph.FileID]graph.Path{}}
	x.turn <- struct{}{}
	x.idle <- struct{}{}
	x.apart = newApart(x)
	return x
}

// Running reports whether a job runs, and how far it is.
func (x *Indexer) Running() (bool, *api.Progress) { return x.running.Load() > 0, x.progress.Load() }

// Begun counts the rounds of jobs that were begun. It grows before the job looks at anything.
func (x *Indexer) Begun() uint64 { return x.begun.Load() }

// Settled returns the generation that the records of the ledger describe. It follows
// the store's, after a moment in which what was published is not settled yet.
func (x *Indexer) Settled() graph.Generation { return graph.Generation(x.recorded.Load()) }

// acquire takes the writer's turn; the returned function gives it back.
func (x *Indexer) acquire(ctx context.Context) (release func(), err error) {
	select {
	case <-x.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := x.settled(ctx); err != nil {
		x.turn <- struct{}{}
		return nil, err
	}
	return func() { x.turn <- struct{}{} }, nil
}

// Load fills the ledger and the list of unheld files from the stores. Call it once,
// before the first run.
func (x *Indexer) Load(ctx context.Context) error {
	held, err := x.o.Lexical.Held(ctx)
	if err != nil {
		return err
	}
	snap := x.o.Store.Snapshot()
	defer snap.Release()
	x.recorded.Store(uint64(snap.Generation()))
	x.o.Ledger.Load(func(yield func(freshness.Record) bool) {
		snap.Files(func(f graph.File) bool { return yield(record(f)) })
	})
	live := &liveSet{}
	newest := graph.FileID(0)
	x.mu.Lock()
	defer x.mu.Unlock()
	snap.Files(func(f graph.File) bool {
		live.add(f.ID)
		newest = max(newest, f.ID)
		if f.Content == graph.ContentText && !held.Has(f.ID) {
			x.unheld[f.ID] = f.Path
		}
		return true
	})
	var orphans []graph.FileID
	for _, id := range held.IDs() {
		switch {
		case live.has(id):
		case id > newest:
			orphans = append(orphans, id)
		default:
			x.dead = append(x.dead, id)
		}
	}
	return x.disown(ctx, orphans)
}

// disown takes ids out of the lexical index, for good, that may never have been
// published: words of a run that was killed. The store may give such an id to
// another file, which would then seem to be held, with the wrong words.
func (x *Indexer) disown(ctx context.Context, ids []graph.FileID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := x.o.Lexical.Apply(ctx, lexical.Batch{Delete: ids}); err != nil {
		return err
	}
	err := x.o.Lexical.Flush(ctx)
	x.reached(StepDisowned)
	return err
}

// Unheld calls yield with every live text file whose words the lexical index does
// not hold: such a file is always a candidate.
func (x *Indexer) Unheld(yield func(graph.FileID, graph.Path) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, p := range x.unheld {
		if !yield(id, p) {
			return
		}
	}
}

// UnheldCount is the number of files that Unheld yields.
func (x *Indexer) UnheldCount() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.unheld)
}

type liveSet struct{ bits []uint64 }

func (s *liveSet) add(id graph.FileID) {
	for int(id>>6) >= len(s.bits) {
		s.bits = append(s.bits, 0)
	}
	s.bits[id>>6] |= 1 << (id & 63)
}

func (s *liveSet) has(id graph.FileID) bool {
	return int(id>>6) < len(s.bits) && s.bits[id>>6]&(1<<(id&63)) != 0
}

func record(f graph.File) freshness.Record {
	return freshness.Record{Path: f.Path, Sig: f.Sig, Hash: f.Hash, Racy: f.Racy}
}
