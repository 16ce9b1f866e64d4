package engine

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

const (
	// joinWait is how long a process that finds the lease taken waits for its holder
	// to begin to serve, or to end, before it answers live.
	joinWait = 2 * time.Second
	joinTick = 20 * time.Millisecond
	// rejoinFirst and rejoinMost bound the pauses between the attempts of a process
	// that answers live to get at the index after all.
	rejoinFirst = 100 * time.Millisecond
	rejoinMost  = 30 * time.Second
)

// conn is what calls go to: the engine of this process, or the way to another.
type conn struct {
	svc  api.Service
	shut func(context.Context) error
	gone <-chan struct{} // of a leader elsewhere: closed when it ends
	live bool            // there is no index though one is wanted
	// damaged is closed when the index of this process turns out to be unusable.
	damaged <-chan struct{}

	calls   int  // that run; guarded by Engine.mu
	retired bool // replaced; guarded by Engine.mu
}

// connect finds out whether this process leads, and waits a little for a leader that
// is only about to serve. Without either, it goes live.
func (e *Engine) connect(ctx context.Context) (*conn, error) {
	if e.o.NoIndex {
		c, err := e.goLive(api.FallbackIndexDisabled)
		if c != nil {
			c.live = false
		}
		return c, err
	}
	for began := time.Now(); ; {
		c, err := e.join(ctx)
		if err == nil {
			return c, nil
		}
		var bad *unusableError
		if !errors.As(err, &bad) {
			return nil, err
		}
		if !bad.wait || time.Since(began) > joinWait {
			e.o.Logger.Warn("index cannot be used; answering live", "why", bad.why)
			return e.goLive(bad.why)
		}
		if err := pause(ctx, joinTick); err != nil {
			return nil, err
		}
	}
}

// unusableError says why there is no index for this process.
type unusableError struct {
	why  string
	wait bool // it may be over in a moment
}

func (e *unusableError) Error() string { return e.why }

// join tries once to lead or to reach the leader.
func (e *Engine) join(ctx context.Context) (*conn, error) {
	dir := filepath.Join(e.o.IndexDir, format)
	lease, err := share.Lead(dir)
	if err == nil {
		return e.lead(ctx, lease)
	}
	if !errors.Is(err, share.ErrHeld) {
		return nil, &unusableError{why: "index_directory_unusable: " + err.Error()}
	}
	client, err := share.Dial(ctx, dir, share.DialOptions{})
	switch {
	case err == nil:
		shut := func(context.Context) error { return client.Close() }
		return &conn{svc: client, shut: shut, gone: client.Gone()}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, &unusableError{why: "leader_unusable: " + err.Error(), wait: !errors.Is(err, share.ErrVersion)}
}

// lead opens the index under a lease. The socket comes first: whoever finds the
// lease taken can wait there while the stores open.
func (e *Engine) lead(ctx context.Context, lease *share.Lease) (*conn, error) {
	l, err := openLocal(e.o)
	if err != nil {
		_ = lease.Release()
		return nil, err
	}
	socket, err := share.Listen(lease)
	if err != nil {
		e.o.Logger.Warn("other processes cannot share this index", "err", err)
	}
	if err := l.openIndex(ctx, lease, socket); err != nil {
		if socket != nil {
			_ = socket.Close()
		}
		_ = l.close(ctx)
		_ = lease.Release()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &unusableError{why: "index_unusable: " + err.Error()}
	}
	return &conn{svc: l, shut: l.close, damaged: l.x.damage.seen}, nil
}

func (e *Engine) goLive(why string) (*conn, error) {
	l, err := openLocal(e.o)
	if err != nil {
		return nil, err
	}
	l.degraded = why
	return &conn{svc: l, shut: l.close, live: true}, nil
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

// watch looks after a connection that may have to be replaced: a leader elsewhere
// that ends, an index that is damaged, or none at all.
func (e *Engine) watch(c *conn) {
	switch {
	case c.gone != nil:
		e.tasks.Go(func() {
			select {
			case <-c.gone:
				if err := e.replace(e.life, c); err != nil && e.life.Err() == nil {
					e.o.Logger.Warn("no connection to the next leader", "err", err)
				}
			case <-e.life.Done():
			}
		})
	case c.damaged != nil:
		e.tasks.Go(func() {
			select {
			case <-c.damaged:
				if err := e.demote(e.life, c); err != nil && e.life.Err() == nil {
					e.o.Logger.Error("damaged index stays in use", "err", err)
				}
			case <-e.life.Done():
			}
		})
	case c.live:
		e.tasks.Go(func() { e.rejoin(c) })
	}
}

// replace puts another connection in the place of one whose leader is gone, unless
// somebody else did.
func (e *Engine) replace(ctx context.Context, old *conn) error {
	return e.swap(ctx, old, e.connect)
}

// rejoin tries to get at the index until it succeeds or the engine ends.
func (e *Engine) rejoin(c *conn) {
	for wait := rejoinFirst; pause(e.life, wait) == nil; wait = min(2*wait, rejoinMost) {
		if e.swap(e.life, c, e.join) == nil {
			return
		}
	}
}

// swap makes a connection and shuts the old one, at once or when its last call ends.
func (e *Engine) swap(ctx context.Context, old *conn, dial func(context.Context) (*conn, error)) error {
	select {
	case <-e.dialing:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { e.dialing <- struct{}{} }()
	e.mu.Lock()
	stays := e.closed || e.conn != old
	e.mu.Unlock()
	if stays {
		return nil
	}
	c, err := dial(ctx)
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.conn = c
	old.retired = true
	unused := old.calls == 0
	if !e.closed {
		e.watch(c)
	}
	e.mu.Unlock()
	if unused {
		e.shut(old)
	}
	return nil
}
