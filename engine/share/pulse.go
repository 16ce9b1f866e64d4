package share

import (
	"context"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// watch keeps a connection open until the server or the follower ends, and sends a
// pulse on it: what a stopped process cannot do.
func (s *server) watch(w http.ResponseWriter, r *http.Request) {
	id := s.followers.add(r, time.Now())
	defer s.followers.remove(id)
	w.Header().Set(headerFollower, id)
	control := http.NewResponseController(w)
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	for {
		// A follower that is stopped itself reads nothing: it is not waited for.
		_ = control.SetWriteDeadline(time.Now().Add(drain))
		if _, err := w.Write([]byte{'.'}); err != nil {
			return
		}
		if err := control.Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// pulse is what a follower knows of its leader's health.
type pulse struct {
	mu    sync.Mutex
	heard time.Time
	ok    context.Context // ended while the leader is silent
	end   context.CancelFunc
}

func (p *pulse) start() {
	p.heard = time.Now()
	p.ok, p.end = context.WithCancel(context.Background())
}

// beat notes that the leader was heard.
func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = time.Now()
	if p.ok.Err() != nil {
		p.ok, p.end = context.WithCancel(context.Background())
	}
}

// stop notes that the leader has been silent for too long.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

// health returns a context that ends when the leader falls silent.
func (p *pulse) health() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ok
}

// Silent says for how long the leader has not been heard; 0 while it is.
func (c *Client) Silent() time.Duration {
	c.pulse.mu.Lock()
	defer c.pulse.mu.Unlock()
	if c.pulse.ok.Err() == nil {
		return 0
	}
	return time.Since(c.pulse.heard)
}

// watch opens the connection that carries the pulse and ends with the leader, and
// waits at it. ctx bounds the opening alone.
func (c *Client) watch(ctx context.Context, opts DialOptions) error {
	wctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	stop := context.AfterFunc(ctx, cancel)
	req, err := http.NewRequestWithContext(wctx, http.MethodGet, "http://leader"+pathWatch, nil)
	if err != nil {
		cancel()
		return err
	}
	req.Header.Set(headerPID, strconv.Itoa(os.Getpid()))
	req.Header.Set(headerVersion, opts.Version)
	resp, err := c.http.Do(req)
	if err != nil {
		cancel()
		return err
	}
	stop()
	c.id = resp.Header.Get(headerFollower)
	c.pulse.start()
	beats := make(chan struct{}, 1)
	c.done.Go(func() {
		defer close(beats)
		defer func() { _ = resp.Body.Close() }()
		receive(resp.Body, beats)
	})
	c.done.Go(func() {
		defer close(c.gone)
		c.listen(beats)
	})
	return nil
}

// receive passes on that something was read, until the connection ends.
func receive(r io.Reader, beats chan<- struct{}) {
	buf := make([]byte, 64)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			select {
			case beats <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// listen keeps the health of the leader until its connection ends.
func (c *Client) listen(beats <-chan struct{}) {
	timer := time.NewTimer(silentAfter)
	defer timer.Stop()
	doubt := false
	for {
		select {
		case _, ok := <-beats:
			if !ok {
				return
			}
			doubt = false
			c.pulse.beat()
			timer.Reset(silentAfter)
		case <-timer.C:
			// This process may have been stopped or starved itself: then a pulse is
			// there to be read, and a moment is enough.
			if !doubt {
				doubt = true
				timer.Reset(pulseEvery)
				continue
			}
			c.pulse.stop()
		}
	}
}
