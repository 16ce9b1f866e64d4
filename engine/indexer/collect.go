package indexer

import (
	"context"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

const (
	// feedAbove is the number of files above which a run feeds the lexical index
	// itself. Below, the files stay unheld (always candidates) until Flush: touching
	// Bleve on each save costs more than reading a few files on each search.
	feedAbove = 64
	// feedBytes is the source size of one batch for the lexical index, and feedWhole that
	// of a run whose words go in as one: words that are fed together are not merged later.
	feedBytes = 16 << 20
	feedWhole = 40 << 20
)

// collector gathers what workers prepared into one batch. One goroutine calls it.
type collector struct {
	x     *Indexer
	batch *store.Batch
	snap  *store.Snapshot
	ans   *api.ReindexAnswer
	full  bool
	aside bool    // large files are prepared apart
	feed  *feeder // nil: the words stay unheld

	docs     []lexical.Doc
	docBytes int
	docLimit int // of docBytes
	added    []graph.FileID
	unheld   map[graph.FileID]graph.Path
	dead     []graph.FileID
	indexed  []freshness.Record
	removed  []graph.Path
	done     map[graph.Path]graph.Hash // full: what was put
	later    []graph.Path              // prepared apart, and not ready
}

// take puts one prepared file into the batch.
func (c *collector) take(ctx context.Context, p prepared) error {
	switch {
	case p.later:
		c.later = append(c.later, p.file.Path)
		return nil
	case p.gone:
		return c.remove(p.file.Path)
	case p.same:
		_, err := c.batch.Touch(p.file.Path, p.file.Sig, p.file.Racy)
		c.indexed = append(c.indexed, record(p.file))
		return err
	}
	id, err := c.batch.Put(p.file, p.blob)
	if err != nil {
		return fmt.Errorf("put %s: %w", p.file.Path, err)
	}
	if !c.replace(p.file.Path) {
		c.ans.AddedCount++
	}
	c.added = append(c.added, id)
	c.indexed = append(c.indexed, record(p.file))
	c.count(p)
	if c.full {
		if c.done == nil {
			c.done = map[graph.Path]graph.Hash{}
		}
		c.done[p.file.Path] = p.file.Hash
	}
	if p.file.Content != graph.ContentText {
		return nil
	}
	if c.unheld == nil {
		c.unheld = map[graph.FileID]graph.Path{}
	}
	c.unheld[id] = p.file.Path
	if c.feed == nil || p.doc.Odd {
		return nil
	}
	p.doc.ID = id
	c.docs = append(c.docs, p.doc)
	if c.docBytes += p.doc.Bytes; c.docBytes >= c.docLimit {
		c.pass(ctx)
	}
	return nil
}

func (c *collector) count(p prepared) {
	c.ans.ChangedCount++
	c.ans.ChangedFiles = append(c.ans.ChangedFiles, p.file.Path)
	if p.parsed {
		c.ans.ParseCount++
	}
	switch {
	case p.file.Status == graph.StatusFailed, p.file.Content == graph.ContentUnreadable:
		c.ans.FailedFiles = append(c.ans.FailedFiles, api.FailedFile{Path: p.file.Path, Reason: p.file.Reason})
	case p.file.Status == graph.StatusPartial, p.file.Status == graph.StatusCapped:
		c.ans.PartialCount++
	}
}

func (c *collector) remove(p graph.Path) error {
	was, err := c.batch.Remove(p)
	if err != nil {
		return fmt.Errorf("remove %s: %w", p, err)
	}
	if was {
		c.ans.RemovedCount++
	}
	c.replace(p)
	c.removed = append(c.removed, p)
	return nil
}

// replace notes that the live version of p, if there is one, is going, and reports
// whether there is.
func (c *collector) replace(p graph.Path) bool {
	id, ok := c.snap.Lookup(p)
	if ok {
		c.dead = append(c.dead, id)
	}
	return ok
}

// pass hands the gathered words to the feeder.
func (c *collector) pass(ctx context.Context) {
	if len(c.docs) > 0 {
		c.feed.send(ctx, c.docs)
		c.docs, c.docBytes = nil, 0
	}
}

// finishFeeding passes the rest on and waits until all is held, unless ctx ends.
func (c *collector) finishFeeding(ctx context.Context) error {
	if c.feed == nil {
		return nil
	}
	c.pass(ctx)
	c.feed.end()
	return c.feed.wait(ctx)
}

// publish makes the batch the current generation and tells everyone.
func (c *collector) publish(ctx context.Context, seq uint64) error {
	// New versions must be known as unheld before a search can see them.
	c.x.mu.Lock()
	if c.feed != nil {
		for _, id := range c.feed.applied {
			delete(c.unheld, id)
		}
		c.feed.published = true
	}
	for id, p := range c.unheld {
		c.x.unheld[id] = p
	}
	c.x.mu.Unlock()
	c.x.reached(StepNoted)
	gen, err := c.batch.Publish(ctx)
	if err != nil {
		c.x.mu.Lock()
		for id := range c.unheld {
			delete(c.x.unheld, id)
		}
		c.x.mu.Unlock()
		return fmt.Errorf("publish: %w", err)
	}
	c.x.reached(StepPublished)
	c.x.mu.Lock()
	for _, id := range c.dead {
		delete(c.x.unheld, id)
	}
	c.x.dead = append(c.x.dead, c.dead...)
	if c.full {
		c.x.resume = nil
	}
	c.x.mu.Unlock()
	c.x.o.Ledger.Settle(seq, c.indexed, c.removed)
	c.x.apart.forget(c.indexed, c.removed)
	c.x.recorded.Store(uint64(gen))
	c.x.reached(StepSettled)
	c.ans.Generation = gen
	if len(c.added)+len(c.removed) > 0 {
		c.x.o.Published(gen, c.added, c.removed)
	}
	return nil
}

// abandon takes back what a batch that is not published has fed.
func (x *Indexer) abandon(c *collector) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.dead = append(x.dead, c.added...)
}

// keepResume remembers what a full run had put before it ended early.
func (x *Indexer) keepResume(c *collector) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.resume == nil {
		x.resume = c.done
		return
	}
	for p, h := range c.done {
		x.resume[p] = h
	}
}

// resumable reports whether an earlier full run that was not published had made
// facts of exactly these bytes.
func (x *Indexer) resumable(p graph.Path, h graph.Hash) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	was, ok := x.resume[p]
	return ok && was == h
}

// Flush feeds unheld files to the lexical index and takes dead ones out, when at
// least least of either have gathered. It is for idle time.
func (x *Indexer) Flush(ctx context.Context, least int) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	x.mu.Lock()
	if len(x.unheld) < least && len(x.dead) < least {
		x.mu.Unlock()
		return nil
	}
	todo := make(map[graph.FileID]graph.Path, len(x.unheld))
	for id, p := range x.unheld {
		todo[id] = p
	}
	dead := x.dead
	x.dead = nil
	x.mu.Unlock()

	if err := x.flush(ctx, todo, dead); err != nil {
		x.mu.Lock()
		x.dead = append(x.dead, dead...)
		x.mu.Unlock()
		return err
	}
	return nil
}

// flush reads the files again; one that has changed meanwhile keeps its place among
// the unheld, since its words are not those of the version.
func (x *Indexer) flush(ctx context.Context, todo map[graph.FileID]graph.Path, dead []graph.FileID) error {
	snap := x.o.Store.Snapshot()
	defer snap.Release()
	w := x.newWorker()
	b := lexical.Batch{Delete: dead}
	size := 0
	apply := func() error {
		if err := x.o.Lexical.Apply(ctx, b); err != nil {
			return fmt.Errorf("flush lexical index: %w", err)
		}
		x.reached(StepFlushed)
		x.mu.Lock()
		for i := range b.Put {
			delete(x.unheld, b.Put[i].ID)
		}
		x.mu.Unlock()
		b, size = lexical.Batch{}, 0
		return nil
	}
	for id, p := range todo {
		if err := ctx.Err(); err != nil {
			return err
		}
		doc, ok := w.words(snap, id, p)
		if !ok || doc.Odd {
			continue
		}
		b.Put = append(b.Put, doc)
		if size += doc.Bytes; size >= feedBytes {
			if err := apply(); err != nil {
				return err
			}
		}
	}
	if len(b.Put)+len(b.Delete) == 0 {
		return nil
	}
	return apply()
}
