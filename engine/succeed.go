package engine

import (
	"context"
	"errors"
	"time"
)

const (
	// leaseTick is how often a leader makes sure that its lease still keeps others out.
	leaseTick = 250 * time.Millisecond
	// outrankedEvery is the number of ticks after which it also looks for a program of
	// a newer format.
	outrankedEvery = 8
	// rejoinFirst and rejoinMost bound the pauses between the attempts of a process
	// that answers live to get at the index after all; rejoinSoon bounds them where
	// another process holds it and will end or wake up some time.
	rejoinFirst = 100 * time.Millisecond
	rejoinSoon  = 500 * time.Millisecond
	rejoinMost  = 30 * time.Second
	// rejoinDeleted is the first pause after the index directory was deleted: whoever
	// deletes it may not be done, and would take the next one along.
	rejoinDeleted = time.Second
)

// watch looks after a connection that may have to be replaced: a leader elsewhere
// that ends, an index of this process that must not be used any more, or none at all.
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
	case c.own != nil:
		e.tasks.Go(func() {
			why := e.reign(c.own)
			if why == "" {
				return
			}
			e.o.Logger.Warn("the index is given up; answering live", "why", why)
			if err := e.demote(e.life, c, why); err != nil && e.life.Err() == nil {
				e.o.Logger.Error("an index that should be given up stays in use", "err", err)
			}
		})
	case c.live:
		e.tasks.Go(func() { e.rejoin(c) })
	}
}

// reign waits until this process must stop leading and says why; "" when the engine
// ends first.
func (e *Engine) reign(own *index) string {
	var yield <-chan struct{}
	if own.socket != nil {
		yield = own.socket.Yield()
	}
	tick := time.NewTicker(leaseTick)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-e.life.Done():
			return ""
		case <-own.damage.seen:
			return own.damage.reason()
		case <-yield:
			return "newer_version: a newer program has asked for the index"
		case <-tick.C:
		}
		switch {
		case !own.lease.Held():
			own.giveUp(true, true, whyDeleted, nil)
			continue
		case own.socket != nil && !own.socket.Reachable():
			return "socket_deleted: other processes cannot reach this one; the index is being opened again"
		}
		if n%outrankedEvery == 0 {
			if why := e.outranked(e.life); why != "" {
				return why
			}
		}
	}
}

// replace puts another connection in the place of one whose leader is gone, unless
// somebody else did.
func (e *Engine) replace(ctx context.Context, old *conn) error {
	return e.swap(ctx, old, e.connect)
}

// demote puts a live connection in the place of one whose index must not be used any
// more. The old one is shut when its last call ends; where its lease still keeps
// others out, the index can be opened again only then.
func (e *Engine) demote(ctx context.Context, old *conn, why string) error {
	return e.swap(ctx, old, func(context.Context) (*conn, error) { return e.goLive(why, "") })
}

// rejoin tries to get at the index until it succeeds or the engine ends.
func (e *Engine) rejoin(c *conn) {
	wait := rejoinFirst
	if l, ok := c.svc.(*local); ok && l.degraded == whyDeleted {
		wait = rejoinDeleted
	}
	for pause(e.life, wait) == nil {
		err := e.swap(e.life, c, e.join)
		if err == nil {
			return
		}
		var bad *unusableError
		most := rejoinMost
		if errors.As(err, &bad) && bad.wait {
			most = rejoinSoon
		}
		wait = min(2*wait, most)
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
