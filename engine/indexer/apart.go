package indexer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
)

// largeFile is the size from which a file is prepared apart: extracting it takes longer
// than a question, or another file, is to wait.
const largeFile = 256 << 10

// errLeft ends a run whose patience did not last for the files that are prepared apart.
var errLeft = errors.New("large files are still being extracted")

// apart prepares large files beside the runs. A run that meets one begins it here and
// goes on; a later run takes what has become of it. So nothing that was begun is lost
// with the run that began it, and small files never wait for large ones.
type apart struct {
	x     *Indexer
	ctx   context.Context // ended by close
	stop  context.CancelFunc
	room  chan struct{} // holds a token for each file that is being worked on
	tasks sync.WaitGroup

	mu    sync.Mutex
	news  chan struct{} // closed, and replaced, when a file is finished
	files map[graph.Path]*piece
}

// piece is one file, as it was when a run met it.
type piece struct {
	hash  graph.Hash
	sig   graph.Signature
	began time.Time
	over  bool
	got   prepared // of a piece that is over
	err   error    // the same
	drop  context.CancelFunc
}

func newApart(x *Indexer) *apart {
	a := &apart{x: x, room: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)), news: make(chan struct{}), files: map[graph.Path]*piece{}}
	a.ctx, a.stop = context.WithCancel(context.Background())
	return a
}

// close ends the work and waits for it.
func (a *apart) close() {
	a.stop()
	a.tasks.Wait()
}

// busy reports whether a file is being worked on as it stands.
func (a *apart) busy(p graph.Path, sig graph.Signature) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.files[p]
	return one != nil && !one.over && one.sig == sig
}

// take returns what has become of a file with these bytes, and begins it where nothing
// has been begun: ready is false until it is over.
func (a *apart) take(f graph.File) (got prepared, ready bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.files[f.Path]
	switch {
	case one == nil:
	case one.hash != f.Hash:
		one.drop()
	case !one.over:
		one.sig = f.Sig
		return prepared{}, false, nil
	case one.err != nil:
		delete(a.files, f.Path)
		return prepared{}, false, one.err
	default:
		got = one.got
		got.file.Sig, got.file.Racy = f.Sig, f.Racy
		return got, true, nil
	}
	a.begin(f)
	return prepared{}, false, nil
}

// begin has a file worked on. The caller holds mu.
func (a *apart) begin(f graph.File) {
	ctx, drop := context.WithCancel(a.ctx)
	one := &piece{hash: f.Hash, sig: f.Sig, began: a.x.o.Clock(), drop: drop}
	a.files[f.Path] = one
	a.tasks.Go(func() {
		defer drop()
		got, err := a.work(ctx, f)
		a.mu.Lock()
		defer a.mu.Unlock()
		one.got, one.err, one.over = got, err, true
		if errors.Is(err, errMoved) && a.files[f.Path] == one {
			delete(a.files, f.Path)
		}
		close(a.news)
		a.news = make(chan struct{})
	})
}

// errMoved says that a file no longer has the bytes for which its work was begun.
var errMoved = errors.New("file has changed")

// work reads a file when its turn has come: those that wait hold no bytes.
func (a *apart) work(ctx context.Context, f graph.File) (prepared, error) {
	select {
	case a.room <- struct{}{}:
		defer func() { <-a.room }()
	case <-ctx.Done():
		return prepared{}, ctx.Err()
	}
	src, _, err := a.x.o.Tree.Read(f.Path, nil)
	if err != nil || sha256.Sum256(src) != f.Hash {
		return prepared{}, errMoved // the run that looks again says what is there now
	}
	return a.x.newWorker().text(ctx, f, src, nil)
}

// forget drops the work on files that a run has dealt with.
func (a *apart) forget(indexed []freshness.Record, removed []graph.Path) {
	a.mu.Lock()
	defer a.mu.Unlock()
	drop := func(p graph.Path) {
		if one := a.files[p]; one != nil {
			one.drop()
			delete(a.files, p)
		}
	}
	for i := range indexed {
		if len(a.files) == 0 {
			return
		}
		drop(indexed[i].Path)
	}
	for _, p := range removed {
		drop(p)
	}
}

// look says how far the files are: whether one of them is over (or nobody works on it),
// until when those that patience lasts for are waited for, and what tells of the next.
func (a *apart) look(paths []graph.Path, patience time.Duration) (over bool, until time.Time, news <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range paths {
		one := a.files[p]
		if one == nil || one.over {
			return true, until, a.news
		}
		if end := one.began.Add(patience); end.After(until) {
			until = end
		}
	}
	return false, until, a.news
}

// A run that waits for large files looks for others this often: less so when what it
// finds is nothing that it can index.
const (
	lookEvery  = 50 * time.Millisecond
	lookSeldom = 2 * time.Second
)

// await returns when a further round is worth it: one of the files is over, or others
// have come. It gives up with ctx, and with the patience of the job.
func (a *apart) await(ctx context.Context, job *Job, left []graph.Path, pause time.Duration) error {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		over, until, news := a.look(left, job.Patience)
		if over {
			return nil
		}
		if job.Patience > 0 && !a.x.o.Clock().Before(until) {
			return errLeft
		}
		select {
		case <-news:
		case <-tick.C:
			if len(job.Scope) == 0 && a.x.more(left) {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-a.ctx.Done():
			return context.Canceled
		}
	}
}

// more reports whether something is to be indexed beside the files that are waited for.
func (x *Indexer) more(left []graph.Path) bool {
	c := x.o.Ledger.Counts()
	return dirtyCount(c) > len(left) && !c.All
}

// apart reports whether the file is one that the run leaves to be prepared beside it,
// and what has become of it if it has.
func (w *worker) apart(c *collector, f graph.File, src []byte) (prepared, bool, error) {
	if !c.aside || len(src) < w.x.o.Large || extract.Detect(f.Path, src) == "" {
		return prepared{}, false, nil
	}
	got, ready, err := w.x.apart.take(f)
	switch {
	case err != nil:
		return prepared{}, true, fmt.Errorf("extract %s: %w", f.Path, err)
	case !ready:
		return prepared{file: f, later: true}, true, nil
	}
	return got, true, nil
}
