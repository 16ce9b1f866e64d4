package kv

import (
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
)

// maxReads is the number of transactions that are kept: questions read on that many
// goroutines, if on more than one.
const maxReads = 8

// reads keeps read transactions for the next Get: Badger tells a goroutine of the
// beginning and of the end of each, which takes longer than most reads. One is used
// until something is written: what it does not see yet must be seen by a Get that
// begins after the write, and what it still sees could not be compacted away.
type reads struct {
	writes atomic.Uint64 // so far
	mu     sync.Mutex
	idle   []*read
}

// read is a transaction that is used by one call at a time.
type read struct {
	*badger.Txn
	writes uint64 // that it sees, at least
}

// begin returns a transaction that sees all that was written.
func (r *reads) begin(db *badger.DB) *read {
	writes := r.writes.Load()
	r.mu.Lock()
	if n := len(r.idle); n > 0 && r.idle[n-1].writes == writes {
		t := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return t
	}
	r.mu.Unlock()
	return &read{db.NewTransaction(false), writes}
}

// end keeps a transaction that served, or discards it.
func (r *reads) end(t *read) {
	r.mu.Lock()
	if t.writes == r.writes.Load() && len(r.idle) < maxReads {
		r.idle = append(r.idle, t)
		t = nil
	}
	r.mu.Unlock()
	if t != nil {
		t.Discard()
	}
}

// wrote is called after each write, before it is reported as done, and before Close.
func (r *reads) wrote() {
	r.mu.Lock()
	r.writes.Add(1)
	idle := r.idle
	r.idle = nil
	r.mu.Unlock()
	for _, t := range idle {
		t.Discard()
	}
}
