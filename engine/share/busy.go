package share

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// busy counts the connections on which a call is being answered.
type busy struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
	idle  chan struct{} // closed when there are none, once somebody waits
}

func newBusy() *busy { return &busy{conns: map[net.Conn]struct{}{}} }

// changed is told of every change of a connection.
func (b *busy) changed(c net.Conn, now http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now == http.StateActive {
		b.conns[c] = struct{}{}
		return
	}
	delete(b.conns, c)
	if len(b.conns) == 0 && b.idle != nil {
		close(b.idle)
		b.idle = nil
	}
}

// wait waits until no call is being answered, for a limited time. It is called once.
func (b *busy) wait(most time.Duration) {
	b.mu.Lock()
	if len(b.conns) == 0 {
		b.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	b.idle = idle
	b.mu.Unlock()
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-idle:
	case <-late.C:
	}
}
