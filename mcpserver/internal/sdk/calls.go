package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
)

// inflight is one request that has not been answered.
type inflight struct {
	id        json.RawMessage
	cancel    context.CancelFunc
	answered  func()      // frees the id, just before the answer is written; may be nil
	listen    bool        // a subscription: lives until the input ends
	cancelled atomic.Bool // by the client: no answer may follow
}

// registry holds the requests in flight by id.
type registry struct {
	mu    sync.Mutex
	calls map[string]*inflight
}

// idKey tells ids apart: 1 and "1" are two ids, "a" and "\u0061" are one.
func idKey(id json.RawMessage) (key string, ok bool) {
	id = bytes.TrimSpace(id)
	if len(id) == 0 {
		return "", false
	}
	if id[0] == '"' {
		var s string
		if json.Unmarshal(id, &s) != nil {
			return "", false
		}
		return "s" + s, true
	}
	if id[0] == '-' || id[0] >= '0' && id[0] <= '9' {
		return "n" + string(id), true
	}
	return "", false
}

// add registers a request; ok is false when its id is in flight already.
func (r *registry) add(key string, c *inflight) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[string]*inflight{}
	}
	if r.calls[key] != nil {
		return false
	}
	r.calls[key] = c
	return true
}

// remove forgets a request, unless its id is in use by a later one.
func (r *registry) remove(key string, c *inflight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls[key] == c {
		delete(r.calls, key)
	}
}

// cancel ends a request on behalf of the client, running or queued.
func (r *registry) cancel(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.calls[key]; c != nil {
		c.cancelled.Store(true)
		c.cancel()
	}
}

// endListens ends the subscriptions, which nothing else would end.
func (r *registry) endListens() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		if c.listen {
			c.cancel()
		}
	}
}

func (r *registry) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls)
}
