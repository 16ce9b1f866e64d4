package store

import (
	"sync"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// factsCache keeps decoded facts up to a bound of bytes. An id means one version
// of one file for ever, so nothing is ever invalidated.
//
// What was used once is kept apart from what was used again: a pass over all files
// drops what it brought itself, and the working set stays. One lock serves all, for
// it is held some tens of nanoseconds; shards would each be too small for the largest
// files.
type factsCache struct {
	mu    sync.Mutex
	limit int64
	byID  map[graph.FileID]*cached
	// Lists in order of use, the latest first.
	once, again cacheList
}

// againShare is the part of the limit that what was used again may fill, in percent.
const againShare = 80

// cacheList is a ring with a sentinel.
type cacheList struct {
	ring cached
	used int64
}

// entryCost is about what an entry takes beside its facts.
const entryCost = 128

type cached struct {
	prev, next *cached
	id         graph.FileID
	facts      *blob.File
	cost       int64
	in         *cacheList
}

// costOf is the memory of an entry: the allocator rounds sizes up.
func costOf(f *blob.File) int64 { return int64(f.Size()*9/8 + entryCost) }

func newFactsCache(limit int64) *factsCache {
	c := &factsCache{limit: limit}
	c.clear()
	return c
}

// clear forgets everything.
func (c *factsCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID = make(map[graph.FileID]*cached)
	for _, l := range []*cacheList{&c.once, &c.again} {
		l.ring.prev, l.ring.next, l.used = &l.ring, &l.ring, 0
	}
}

func (c *factsCache) get(id graph.FileID) *blob.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byID[id]
	if e == nil {
		return nil
	}
	e.in.remove(e)
	c.again.push(e)
	for c.again.used > c.limit*againShare/100 {
		last := c.again.last()
		c.again.remove(last)
		c.once.push(last)
	}
	return e.facts
}

// put keeps f, unless it would fill the cache alone.
func (c *factsCache) put(id graph.FileID, f *blob.File) {
	cost := costOf(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	if cost > c.limit/4 || c.byID[id] != nil {
		return
	}
	e := &cached{id: id, facts: f, cost: cost}
	c.byID[id] = e
	c.once.push(e)
	for c.once.used+c.again.used > c.limit {
		from := &c.once
		if from.used == cost { // nothing else there
			from = &c.again
		}
		last := from.last()
		from.remove(last)
		delete(c.byID, last.id)
	}
}

// drop forgets a version that is replaced: who has it pinned reads it again.
func (c *factsCache) drop(id graph.FileID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byID[id]; e != nil {
		e.in.remove(e)
		delete(c.byID, id)
	}
}

func (l *cacheList) last() *cached { return l.ring.prev }

func (l *cacheList) push(e *cached) {
	e.prev, e.next, e.in = &l.ring, l.ring.next, l
	e.prev.next, e.next.prev = e, e
	l.used += e.cost
}

func (l *cacheList) remove(e *cached) {
	e.prev.next, e.next.prev = e.next, e.prev
	l.used -= e.cost
}
