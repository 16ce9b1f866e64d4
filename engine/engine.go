package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

// Engine answers questions about one workspace. It implements api.Service. Where
// another process leads the workspace, calls go to it; when that process ends, this
// one takes over or finds the new leader.
type Engine struct {
	o     Options
	life  context.Context // ends with Close, and with it every call
	end   context.CancelFunc
	tasks sync.WaitGroup // what watches over the connection

	dialing chan struct{} // one token: who holds it may replace the connection

	mu     sync.Mutex // guards what follows and the counts of connections; held briefly
	conn   *conn
	closed bool
	idle   *sync.Cond // signalled when a connection has no more calls
}

var _ api.Service = (*Engine)(nil)

// ErrClosed is returned by the calls of an engine that was closed.
var ErrClosed = errors.New("engine is closed")

// Open opens the index of a workspace, or connects to the process that leads it.
// With Options.Background a missing index is built in the background; Open itself
// returns as soon as the stores are open. Where the index cannot be used (a
// read-only disk, a leader of another version), it answers live, Status says why,
// and it goes on trying.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if o.Workspace == "" {
		return nil, &api.Error{Code: api.CodeInvalidParams, Argument: "workspace", Message: "no workspace directory is given"}
	}
	e := &Engine{o: o.withDefaults(), dialing: make(chan struct{}, 1)}
	e.idle = sync.NewCond(&e.mu)
	e.dialing <- struct{}{}
	e.life, e.end = context.WithCancel(context.WithoutCancel(ctx))
	c, err := e.connect(ctx)
	if err != nil {
		e.end()
		return nil, err
	}
	e.conn = c
	e.watch(c)
	return e, nil
}

// Close cancels the calls that run and waits for them, ends background work, closes
// the stores and gives the workspace free.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	e.mu.Unlock()
	e.end()
	e.tasks.Wait()
	// A call may still be replacing the connection: then it is the one who waits.
	<-e.dialing
	e.mu.Lock()
	c := e.conn
	for c.calls > 0 {
		e.idle.Wait()
	}
	e.mu.Unlock()
	if err := c.shut(ctx); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}

// enter returns the connection to make a call on; leave must follow.
func (e *Engine) enter() (*conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	e.conn.calls++
	if e.conn.own != nil {
		e.conn.own.calls.Add(1)
	}
	return e.conn, nil
}

// leave ends a call. The last call on a connection that was replaced shuts it.
func (e *Engine) leave(c *conn) {
	e.mu.Lock()
	c.calls--
	last := c.calls == 0 && c.retired
	if c.calls == 0 {
		e.idle.Broadcast()
	}
	e.mu.Unlock()
	if last {
		e.shut(c)
	}
}

func (e *Engine) shut(c *conn) {
	if err := c.shut(context.WithoutCancel(e.life)); err != nil {
		e.o.Logger.Warn("replaced connection was not closed", "err", err)
	}
}

// bound returns a context that also ends with the engine.
func (e *Engine) bound(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	unhook := context.AfterFunc(e.life, cancel)
	return ctx, func() {
		unhook()
		cancel()
	}
}

// callTries bounds the attempts of a call.
const callTries = 8

// repeat is how many leaders or indexes a call may lose and still be made again: one
// that takes its process down must not take all of them. What changes something may have
// been done by a lost leader, and is not made again.
type repeat int

const (
	changes repeat = 0
	reads   repeat = 1
	exports repeat = callTries // it takes longer than commands that lead while they run
)

// call runs f, and again on the next leader when the one that was asked is gone. What
// changes something is made again only when it was not done, for certain.
func call[T any](ctx context.Context, e *Engine, may repeat, f func(context.Context, api.Service) (T, error)) (T, error) {
	ctx, release := e.bound(ctx)
	defer release()
	lose := repeat(0)
	for try := 1; ; try++ {
		c, err := e.enter()
		if err != nil {
			var none T
			return none, err
		}
		out, err := f(ctx, c.svc)
		e.leave(c)
		next := e.replace
		switch {
		case damaged(err):
			next = func(ctx context.Context, c *conn) error { return e.demote(ctx, c, whyDamaged) }
		case !lost(err):
			return out, err
		case errors.Is(err, share.ErrNotDone):
		case may == changes:
			return out, lostJob(ctx, e, c, err)
		default:
			lose++
		}
		if lose > may || try == callTries {
			return out, &api.Error{Code: api.CodeInternal, Message: "the index keeps going away: " + err.Error() + "; try again"}
		}
		if err := next(ctx, c); err != nil {
			return out, err
		}
	}
}

// lostJob is the answer to a job whose process ended under it. The next leader is
// looked for all the same.
func lostJob(ctx context.Context, e *Engine, c *conn, cause error) error {
	if err := e.replace(ctx, c); err != nil {
		return err
	}
	return &api.Error{Code: api.CodeInternal, Message: "the process that did this job ended under it (" + cause.Error() + "); " +
		"what it published is kept, and the next process looks at every file: see ralph_index_status, or try again"}
}

func lost(err error) bool { return errors.Is(err, share.ErrGone) || errors.Is(err, share.ErrNoLeader) }

// Status reports the health of the index.
func (e *Engine) Status(ctx context.Context) (*api.Status, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.Status, error) { return s.Status(ctx) })
}

// Reindex refreshes the index.
func (e *Engine) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	return call(ctx, e, changes, func(ctx context.Context, s api.Service) (*api.ReindexAnswer, error) {
		return s.Reindex(ctx, req, progress)
	})
}

// Graph answers a graph question.
func (e *Engine) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.GraphAnswer, error) { return s.Graph(ctx, req) })
}

// Grep searches file contents.
func (e *Engine) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.GrepAnswer, error) { return s.Grep(ctx, req) })
}

// Read reads a file or a piece of evidence.
func (e *Engine) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.ReadAnswer, error) { return s.Read(ctx, req) })
}

// Export writes the graph as JSON lines. What another process writes is passed on when
// it is whole: where that process ends first, the next one is asked.
func (e *Engine) Export(ctx context.Context, w io.Writer) error {
	_, err := call(ctx, e, exports, func(ctx context.Context, s api.Service) (struct{}, error) {
		if _, elsewhere := s.(*follower); !elsewhere {
			return struct{}{}, s.Export(ctx, w)
		}
		aside := &spool{}
		defer func() { _ = aside.drop() }() // a temporary file, at worst left to the system
		if err := s.Export(ctx, aside); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, aside.pass(w)
	})
	return err
}
