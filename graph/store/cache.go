package store

import (
	"sync"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
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

// entryCost is about what an entry takes beside its facts.
const entryCost = 128

type cached struct {
	prev, next *cached
	id         graph.FileID
	facts      *blob.File
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

func (c *factsCache) get(id graph.FileID) *blob.File {
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
func (c *factsCache) put(id graph.FileID, f *blob.File) {
	s := c.shard(id)
	cost := int64(f.Size() + entryCost)
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
