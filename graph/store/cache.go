package store

import (
	"sync"

	"github.com/ralph-index/ralph-index/graph"
)

// cacheShards spreads the lock. It is a power of two.
const cacheShards = 16

// factsCache keeps decoded facts up to a bound of bytes. An id means one version
// of one file for ever, so nothing is ever invalidated.
type factsCache struct {
	shards [cacheShards]cacheShard
}

type cacheShard struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byID  map[graph.FileID]*cached
	// ring is the sentinel of a list in order of use, the latest first.
	ring cached
}

type cached struct {
	prev, next *cached
	id         graph.FileID
	facts      *graph.Facts
	cost       int64
}

func newFactsCache(limit int64) *factsCache {
	c := new(factsCache)
	for i := range c.shards {
		s := &c.shards[i]
		s.limit = limit / cacheShards
		s.byID = make(map[graph.FileID]*cached)
		s.ring.prev, s.ring.next = &s.ring, &s.ring
	}
	return c
}

func (c *factsCache) shard(id graph.FileID) *cacheShard { return &c.shards[id%cacheShards] }

func (c *factsCache) get(id graph.FileID) *graph.Facts {
	s := c.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID[id]
	if e == nil {
		return nil
	}
	e.unlink()
	s.pushFront(e)
	return e.facts
}

// put keeps f, unless it would fill a shard alone.
func (c *factsCache) put(id graph.FileID, f *graph.Facts, blobLen int) {
	s := c.shard(id)
	cost := factsCost(f, blobLen)
	s.mu.Lock()
	defer s.mu.Unlock()
	if cost > s.limit || s.byID[id] != nil {
		return
	}
	e := &cached{id: id, facts: f, cost: cost}
	s.byID[id] = e
	s.pushFront(e)
	for s.used += cost; s.used > s.limit; {
		last := s.ring.prev
		last.unlink()
		delete(s.byID, last.id)
		s.used -= last.cost
	}
}

func (s *cacheShard) pushFront(e *cached) {
	e.prev, e.next = &s.ring, s.ring.next
	e.prev.next, e.next.prev = e, e
}

func (e *cached) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

// factsCost estimates the memory of f: its strings are at most the blob.
func factsCost(f *graph.Facts, blobLen int) int64 {
	return int64(512 + blobLen + 192*len(f.Defs) + 128*len(f.Refs) + 112*len(f.Imports) +
		88*len(f.Heritage) + 120*len(f.Mentions) + 32*len(f.Manifest))
}
