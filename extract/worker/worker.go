// Package worker extracts in processes of its own, because a grammar that loops or
// crashes in C cannot be stopped in the process that called it.
//
// A Pool starts the processes (usually the program itself with a hidden command
// that calls Serve), hands them files over pipes, and returns encoded facts. A
// process that does not answer in time, or dies, is replaced, and the file it was
// busy with comes back as failed. Whether to try that file again is the caller's
// business. engine uses the pool; libraries and benchmarks may call extract itself.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// ErrClosed says that the pool was closed before the file was done.
var ErrClosed = errors.New("worker pool closed")

// Reasons of facts with graph.StatusFailed that a pool makes.
const (
	ReasonCrashed = "crashed" // the process died, twice
	ReasonTimeout = "timeout" // the process gave no answer in time
)

// Options configures a pool. Zero values mean the defaults.
type Options struct {
	// Command starts a process that calls Serve on its standard input and output.
	Command []string
	Env     []string // added to the environment of the processes
	Workers int      // processes; default GOMAXPROCS, and at least two: one may be at a large file
	// Deadline is how long one file may take; default 20 s, and 5 s more for each
	// megabyte. It is well above the parser's own budget, which ends in capped facts.
	Deadline time.Duration
	// MaxRSS is the resident size in bytes above which a process is replaced when it
	// has nothing to do; default 320 MB.
	MaxRSS int64
	// Idle is how long a process may wait for work before it ends; default 20 s. The
	// last one stays, or is replaced by a fresh one where it is larger than IdleRSS.
	Idle time.Duration
	// IdleRSS is the resident size in bytes that a process may keep while it waits;
	// default 64 MB. What a large tree has left in it does not come back by itself.
	IdleRSS int64
	Logger  *slog.Logger // nil discards
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = max(2, runtime.GOMAXPROCS(0))
	}
	if o.MaxRSS <= 0 {
		o.MaxRSS = 320 << 20
	}
	if o.Idle <= 0 {
		o.Idle = 20 * time.Second
	}
	if o.IdleRSS <= 0 {
		o.IdleRSS = 64 << 20
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// deadline returns the time that a file of the given size may take.
func (o *Options) deadline(size int) time.Duration {
	if o.Deadline > 0 {
		return o.Deadline
	}
	return 20*time.Second + time.Duration(size>>20)*5*time.Second
}

// Pool is a set of worker processes. It is safe for concurrent use.
type Pool struct {
	opt   Options
	ready chan *job // to processes that wait for work
	jobs  chan *job // to any slot
	quit  chan struct{}
	once  sync.Once
	slots sync.WaitGroup
	alive atomic.Int32 // processes
}

// job is one file on its way.
type job struct {
	file    extract.File
	crashes int
	done    chan answer // holds one
}

type answer struct {
	blob []byte
	err  error
}

// Start returns a pool. Processes start when the first files come.
func Start(opt Options) (*Pool, error) {
	if len(opt.Command) == 0 {
		return nil, errors.New("start worker pool: no command")
	}
	p := &Pool{opt: opt.withDefaults(), ready: make(chan *job), jobs: make(chan *job), quit: make(chan struct{})}
	for range p.opt.Workers {
		p.slots.Go((&slot{pool: p}).run)
	}
	return p, nil
}

// Extract returns the encoded facts of a file (see graph/blob), or nil without an
// error when nothing is extracted from files of its kind. A file that kills or
// stalls its process gives facts with graph.StatusFailed. The error is that of ctx,
// ErrClosed, or says that no process can be started. f.Src must not change until
// the call returns, and after a cancelled call until the pool is closed.
func (p *Pool) Extract(ctx context.Context, f extract.File) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if extract.Detect(f.Path, f.Src) == "" {
		return nil, nil
	}
	j := &job{file: f, done: make(chan answer, 1)}
	select {
	case p.ready <- j: // to start a process takes longer than most files
	default:
		select {
		case p.jobs <- j:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.quit:
			return nil, ErrClosed
		}
	}
	select {
	case a := <-j.done:
		return a.blob, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.quit:
		return nil, ErrClosed
	}
}

// Warm starts a process, if there is none, and returns when it has done its first
// work: the next file does not wait for that.
func (p *Pool) Warm(ctx context.Context) error {
	_, err := p.Extract(ctx, warmFile())
	return err
}

// warmFile is the first work of a process that is started ahead of need.
func warmFile() extract.File { return extract.File{Path: "warm.go", Src: []byte("package p\n")} }

// Close ends the processes and waits for them. It may be called more than once.
func (p *Pool) Close() error {
	p.once.Do(func() { close(p.quit) })
	p.slots.Wait()
	return nil
}

// failed encodes the facts of a file without structure.
func failed(f extract.File, reason string) []byte {
	language := extract.Detect(f.Path, f.Src)
	return blob.Encode(&graph.Facts{
		Path: f.Path, Hash: f.Hash, Language: language, Extractor: extract.Version(language),
		Status: graph.StatusFailed, Reason: reason, Role: graph.RoleOf(f.Path), Lines: lines(f.Src),
	})
}

func lines(src []byte) (n uint32) {
	for _, c := range src {
		if c == '\n' {
			n++
		}
	}
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}

func startError(err error) error { return fmt.Errorf("start worker: %w", err) }
