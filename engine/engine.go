package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

// Engine answers questions about one workspace. It implements api.Service. Where
// another process leads the workspace, calls go to it; when that process ends, the
// next call takes over or finds the new leader.
type Engine struct {
	o Options

	mu     sync.Mutex // guards what follows; held while (re)connecting
	svc    api.Service
	close  func(ctx context.Context) error
	closed bool
}

var _ api.Service = (*Engine)(nil)

// joinWait is how long a process that finds the lease taken waits for its holder
// to begin to serve, or to end.
const joinWait = 2 * time.Second

// Open opens the index of a workspace, or connects to the process that leads it.
// With Options.Background a missing index is built in the background; Open itself
// returns as soon as the stores are open. Where the index cannot be used (a
// read-only disk, a leader of another version), it answers live, and Status says why.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if o.Workspace == "" {
		return nil, &api.Error{Code: api.CodeInvalidParams, Argument: "workspace", Message: "no workspace directory is given"}
	}
	e := &Engine{o: o.withDefaults()}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.connect(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// connect finds out whether this process leads. The caller holds mu.
func (e *Engine) connect(ctx context.Context) error {
	if e.o.NoIndex {
		return e.goLive(api.FallbackIndexDisabled)
	}
	dir := filepath.Join(e.o.IndexDir, format)
	for deadline := e.o.Clock().Add(joinWait); ; {
		lease, err := share.Lead(dir)
		if err == nil {
			return e.lead(ctx, lease)
		}
		if !errors.Is(err, share.ErrHeld) {
			e.o.Logger.Warn("index directory cannot be used; answering live", "dir", dir, "err", err)
			return e.goLive("index_directory_unusable: " + err.Error())
		}
		client, err := share.Dial(ctx, dir, share.DialOptions{})
		if err == nil {
			e.svc = client
			e.close = func(context.Context) error { return client.Close() }
			return nil
		}
		if errors.Is(err, share.ErrVersion) || e.o.Clock().After(deadline) {
			e.o.Logger.Warn("leading process cannot be used; answering live", "err", err)
			return e.goLive("leader_unusable: " + err.Error())
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *Engine) goLive(why string) error {
	l, err := openLocal(e.o)
	if err != nil {
		return err
	}
	l.degraded = why
	e.svc, e.close = l, l.close
	return nil
}

func (e *Engine) lead(ctx context.Context, lease *share.Lease) error {
	l, err := openLocal(e.o)
	if err != nil {
		_ = lease.Release()
		return err
	}
	if err := l.openIndex(ctx, lease); err != nil {
		_ = l.close(ctx)
		_ = lease.Release()
		e.o.Logger.Warn("index cannot be opened; answering live", "err", err)
		return e.goLive("index_unusable: " + err.Error())
	}
	e.svc, e.close = l, l.close
	return nil
}

// Close ends background work, closes the stores and gives the workspace free.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	if err := e.close(ctx); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}

func (e *Engine) service() api.Service {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.svc
}

// reconnect replaces a service whose leader is gone, unless another call did.
func (e *Engine) reconnect(ctx context.Context, gone api.Service) (api.Service, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.svc != gone {
		return e.svc, nil
	}
	_ = e.close(ctx)
	if err := e.connect(ctx); err != nil {
		return nil, err
	}
	return e.svc, nil
}

// call runs f, and once more on the next leader when the one that was asked is gone.
// Every call of the service may be repeated: reads change nothing, and a reindex
// that was cut off has nothing left half done.
func call[T any](ctx context.Context, e *Engine, f func(api.Service) (T, error)) (T, error) {
	svc := e.service()
	out, err := f(svc)
	if !errors.Is(err, share.ErrGone) && !errors.Is(err, share.ErrNoLeader) {
		return out, err
	}
	next, err := e.reconnect(ctx, svc)
	if err != nil {
		return out, err
	}
	return f(next)
}

// Status reports the health of the index.
func (e *Engine) Status(ctx context.Context) (*api.Status, error) {
	return call(ctx, e, func(s api.Service) (*api.Status, error) { return s.Status(ctx) })
}

// Reindex refreshes the index.
func (e *Engine) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	return call(ctx, e, func(s api.Service) (*api.ReindexAnswer, error) { return s.Reindex(ctx, req, progress) })
}

// Graph answers a graph question.
func (e *Engine) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	return call(ctx, e, func(s api.Service) (*api.GraphAnswer, error) { return s.Graph(ctx, req) })
}

// Grep searches file contents.
func (e *Engine) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return call(ctx, e, func(s api.Service) (*api.GrepAnswer, error) { return s.Grep(ctx, req) })
}

// Read reads a file or a piece of evidence.
func (e *Engine) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	return call(ctx, e, func(s api.Service) (*api.ReadAnswer, error) { return s.Read(ctx, req) })
}

// Export writes the graph as JSON lines. It is not repeated on another leader,
// since what was written cannot be taken back.
func (e *Engine) Export(ctx context.Context, w io.Writer) error { return e.service().Export(ctx, w) }
