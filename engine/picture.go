package engine

import (
	"context"
	"slices"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// picture is a generation, pinned, and what was known to differ from it at one moment:
// what an answer about names is made of.
type picture struct {
	snap    *store.Snapshot
	known   freshness.Known
	pending map[graph.Path]freshness.Pending // the same by path
	fresh   api.Freshness
	// exact is false where a file may be in neither: runs published one generation
	// after the other, or one after the disk was looked at. The block then says so.
	exact bool
}

// picture brings the index up to date for an answer that prefers to be fresh, and takes
// what it is made of. The caller releases it.
func (x *index) picture(ctx context.Context) *picture {
	since := x.writer.Settled()
	heard := x.hear(ctx, api.PreferFresh)
	swept := false
	if heard {
		x.catchUp(ctx, api.PreferFresh)
	} else {
		swept = x.catchUnheard(ctx)
		since = x.writer.Settled()
	}
	p := x.pin()
	now := x.store.Generation()
	for try := 1; try < pinTries && now != p.snap.Generation(); try++ {
		p.release()
		p = x.pin()
		now = x.store.Generation()
	}
	p.exact = now == p.snap.Generation() && (now == since || !swept && !unlisted(p.snap, p.known))
	if !p.exact {
		p.fresh.IsStale, p.fresh.FallbackReason = true, reason(api.FallbackUnswept)
	}
	return p
}

// pin takes a picture. A run publishes before it takes back what it has indexed: where
// the generation is still the current one afterwards, nothing was taken back.
func (x *index) pin() *picture {
	p := &picture{snap: x.store.Snapshot(), pending: map[graph.Path]freshness.Pending{}}
	if x.o.pinned != nil {
		x.o.pinned()
	}
	p.fresh = x.freshness(p.snap)
	if c := x.ledger.Counts(); dirty(c) > 0 || c.All {
		p.known = x.ledger.Known()
	}
	for _, one := range p.known.Pending {
		p.pending[one.Path] = one
	}
	return p
}

func (p *picture) release() { p.snap.Release() }

// unlisted reports whether what is known may hide files that nothing tells of: all of
// the tree is in doubt, or something that is no file of the generation is marked.
func unlisted(snap *store.Snapshot, known freshness.Known) bool {
	return known.All || slices.ContainsFunc(known.Pending, func(p freshness.Pending) bool {
		if p.State != freshness.Marked {
			return false
		}
		_, file := snap.Lookup(p.Path)
		return !file
	})
}
