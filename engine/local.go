package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/engine/share"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/freshness/watch"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// local is the engine of a process that leads its workspace, or that answers live.
type local struct {
	o        Options
	ws       *workspace.Workspace
	x        *index // nil: everything is answered live
	degraded string // why x is nil
	why      string // the same as a fallback reason; "": FallbackNoIndex
}

// fallback is the reason that an answer without an index gives.
func (l *local) fallback() string {
	switch {
	case l.o.NoIndex:
		return api.FallbackIndexDisabled
	case l.why != "":
		return l.why
	}
	return api.FallbackNoIndex
}

var _ api.Service = (*local)(nil)

// index is what a leader holds besides the workspace.
type index struct {
	o       Options
	log     *slog.Logger
	tree    *tree.Tree
	store   *store.Store
	lexical *lexical.Index
	ledger  *freshness.Ledger
	writer  *indexer.Indexer
	extract closingExtractor
	rules   rules
	planner *query.Planner
	jobs    *jobLog
	hubs    *hubKeeper
	sets    *sets
	recent  recent
	damage  damage
	held    atomic.Pointer[held] // nil: the index can be written

	graphDir, wordsDir string // where its parts are

	sweepTook atomic.Int64 // nanoseconds of the last complete sweep
	lately    atomic.Int64 // Unix nanoseconds of the last publish
	asking    atomic.Int64 // Unix nanoseconds of the last question about the graph, or of the start
	fed       atomic.Bool  // much was fed to the lexical index since it was merged
	mergeAt   atomic.Int64 // Unix nanoseconds before which parts of the lexical index are left alone
	slow      atomic.Bool  // the first sweep took too long to be made before an answer
	complete  atomic.Bool  // a run over everything has finished since the index was made

	watch *watch.Watcher // nil: nobody watches

	asked    chan struct{} // holds a token when a query asked for a sweep
	sighting chan struct{} // holds a token while a query looks at everything
	lease    *share.Lease
	socket   *share.Listener // nil: other processes cannot share the index
	since    time.Time       // when this process began to lead
	calls    atomic.Int64    // of this process itself
	stop     context.CancelFunc
	spawn    func(func(context.Context)) // starts a task that lives until stop
	tasks    sync.WaitGroup              // background work, ended by stop
}

func openLocal(o Options) (*local, error) {
	ws, err := workspace.Open(o.Workspace, workspace.Options{Roots: o.Roots, IndexDir: o.IndexDir, Reached: toldOfWrites(o)})
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return &local{o: o, ws: ws}, nil
}

// The parts of an index lie in directories whose names begin so.
const (
	graphDir = "graph"
	wordsDir = "words"
)

// strayAge is how old a directory is that may be removed although it holds no part:
// the process that left it, if it is not dead, has long finished with it.
const strayAge = time.Minute

// partDir returns the directory of a part, which may have to be made. Each new one
// has a name of its own: a process whose index was deleted under it may still be
// writing and deleting files by their paths, which must not be those of another's.
// What such a process makes again, to close what it has open, is none that made
// would call a part: it is not taken for one, and left to that process for a while.
func partDir(dir, part string, made func(dir string) bool) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("look for index: %w", err)
	}
	found := ""
	for _, e := range entries {
		if e.Name() != part && !strings.HasPrefix(e.Name(), part+"-") {
			continue
		}
		old := found
		if path := filepath.Join(dir, e.Name()); made(path) {
			found = path
		} else if old = path; !stray(path) {
			continue
		}
		if old != "" { // left by a process that was killed while it made another
			if err := os.RemoveAll(old); err != nil {
				return "", fmt.Errorf("remove part of an old index: %w", err)
			}
		}
	}
	if found != "" {
		return found, nil
	}
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return filepath.Join(dir, part+"-"+hex.EncodeToString(b[:])), nil
}

func stray(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && time.Since(info.ModTime()) > strayAge
}

// begun is made for a part that nobody makes again.
func begun(string) bool { return true }

// openIndex opens the stores under a lease and starts the background work. A
// damaged store is deleted and built again: it holds nothing that the tree does not.
func (l *local) openIndex(ctx context.Context, lease *share.Lease, socket *share.Listener) error {
	x, err := l.load(ctx)
	if x != nil && err != nil && x.damage.found() {
		x.log.Warn("index is damaged; building it again", "err", err)
		x, err = l.load(ctx)
	}
	if err != nil {
		return err
	}
	l.x = x
	x.start(ctx, l, lease, socket)
	return nil
}

// load opens the stores and reads what is kept in memory. An index that comes with an
// error is closed already, and says whether it was damaged.
func (l *local) load(ctx context.Context) (*index, error) {
	dir := filepath.Join(l.o.IndexDir, format)
	x := &index{o: l.o, log: l.o.Logger, tree: l.ws.Tree(), rules: newRules(), asked: make(chan struct{}, 1), sighting: make(chan struct{}, 1)}
	x.damage.seen = make(chan struct{})
	var err error
	if x.graphDir, err = partDir(dir, graphDir, store.Made); err != nil {
		return nil, err
	}
	if x.wordsDir, err = partDir(dir, wordsDir, begun); err != nil {
		return nil, err
	}
	if err := x.openStores(ctx); err != nil {
		return nil, err
	}
	if x.extract, err = newExtractor(l.o); err != nil {
		return nil, errors.Join(err, x.lexical.Close(), x.store.Close())
	}
	x.ledger = freshness.New(x.hash)
	x.jobs = newJobLog(x.store, l.o.Clock)
	x.planner = query.New(x.rules.list, query.Options{Holders: x.holders})
	x.hubs = newHubKeeper(x)
	x.writer = indexer.New(indexer.Options{
		Tree: x.tree, Store: x.store, Lexical: x.lexical, Ledger: x.ledger, Extract: x.extract,
		Log: x.log, Clock: l.o.Clock, Large: l.o.largeFile, Published: x.published, Failed: x.suspect,
		Reached: told[indexer.Step](l.o),
	})
	if err := x.writer.Load(ctx); err != nil {
		x.suspect(err)
		_ = x.close(ctx)
		return x, fmt.Errorf("load index: %w", err)
	}
	x.withSnapshot(func(s *store.Snapshot) { x.sets = newSets(s) })
	x.loadState()
	return x, nil
}

// openStores opens both stores at once: each first reads its files to its end.
func (x *index) openStores(ctx context.Context) error {
	var graphErr, wordsErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		x.store, graphErr = reopen(x.o, x.graphDir, func(d string) (*store.Store, error) {
			return store.Open(ctx, store.Options{Dir: d, Logger: x.log, Clock: x.o.Clock, CacheBytes: factsCache, Free: x.o.free, Reached: told[store.Step](x.o)})
		}, store.ErrCorrupt, store.ErrFormat)
	})
	x.lexical, wordsErr = reopen(x.o, x.wordsDir, func(d string) (*lexical.Index, error) {
		return lexical.Open(d, lexical.Options{Logger: x.log, Reached: told[lexical.Step](x.o)})
	}, lexical.ErrCorrupt)
	wg.Wait()
	switch {
	case graphErr != nil:
		if wordsErr == nil {
			_ = x.lexical.Close()
		}
		return fmt.Errorf("open graph store: %w", graphErr)
	case wordsErr != nil:
		_ = x.store.Close()
		return fmt.Errorf("open lexical index: %w", wordsErr)
	}
	return nil
}

// reopen opens a store, and once more after deleting a directory that is reported as
// damaged.
func reopen[T any](o Options, dir string, open func(string) (T, error), damaged ...error) (T, error) {
	s, err := open(dir)
	for _, d := range damaged {
		if err != nil && errors.Is(err, d) {
			o.Logger.Warn("index part is damaged; building it again", "dir", dir, "err", err)
			o.Damaged(err)
			if rmErr := os.RemoveAll(dir); rmErr != nil {
				return s, errors.Join(err, rmErr)
			}
			return open(dir)
		}
	}
	return s, err
}

// close ends the background work and closes the stores; the lease is given back
// after that, so that the next leader finds them closed.
func (l *local) close(ctx context.Context) error {
	var err error
	if l.x != nil {
		err = l.x.close(ctx)
	}
	return errors.Join(err, l.ws.Close())
}

func (x *index) close(ctx context.Context) error {
	x.farewell(ctx)
	if x.stop != nil {
		x.stop()
		x.tasks.Wait()
		x.unwatch()
	}
	x.writer.Close()
	x.o.reached(StepRests)
	if !x.damage.found() {
		x.jobs.save()
	}
	err := x.closeStores()
	if x.damage.found() {
		err = x.removeDamaged() // what the closing of damaged stores said is of no interest
	}
	x.o.reached(StepShut)
	if x.lease != nil {
		err = errors.Join(err, x.lease.Release())
	}
	return errors.Join(err, x.extract.Close()) // which keeps nobody else waiting
}

// closeStores closes both stores at once: each waits for its disk, and the next leader
// waits for both.
func (x *index) closeStores() error {
	var wordsErr, graphErr error
	var wg sync.WaitGroup
	wg.Go(func() { wordsErr = x.lexical.Close() })
	wg.Go(func() { graphErr = x.store.Close() })
	wg.Wait()
	return errors.Join(wordsErr, graphErr)
}

func (x *index) withSnapshot(f func(*store.Snapshot)) {
	s := x.store.Snapshot()
	defer s.Release()
	f(s)
}

// published follows a new generation with what is kept beside it.
func (x *index) published(_ graph.Generation, added []graph.FileID, removed []graph.Path) {
	x.withSnapshot(func(s *store.Snapshot) {
		x.sets.follow(s, added, removed)
		if x.complete.Load() {
			x.recent.add(pathsOf(s, added))
		}
	})
	x.lately.Store(time.Now().UnixNano())
}

func pathsOf(s *store.Snapshot, ids []graph.FileID) []graph.Path {
	out := make([]graph.Path, 0, len(ids))
	for _, id := range ids {
		if f, ok := s.File(id); ok {
			out = append(out, f.Path)
		}
	}
	return out
}

// hash reads a file for the ledger.
func (x *index) hash(_ context.Context, p graph.Path) (graph.Hash, graph.Signature, error) {
	src, sig, err := x.tree.Read(p, nil)
	if err != nil {
		return graph.Hash{}, sig, err
	}
	return sum(src), sig, nil
}

// factsCache bounds the decoded facts that are kept, in bytes: about a third of what a
// tree of 14,000 source files decodes to. Half of it would save a fifth of what is
// decoded again, and cost a server 40 MB at rest.
const factsCache = 64 << 20

// Meta keys of the store.
const (
	metaComplete = "complete"
	metaVersions = "extractors"
	metaJobs     = "jobs"
	metaHubs     = "hubs"
	metaHubsBy   = "hubs_by" // the program that made it
)

// loadState reads what the last process left besides the files.
func (x *index) loadState() {
	_, done, err := x.store.Meta(metaComplete)
	x.complete.Store(err == nil && done)
	x.jobs.load()
}

// unixSeconds is how the wire shows times; the zero time is 0.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixNano()) / 1e9
}
