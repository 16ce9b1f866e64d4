package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// hubKeeper keeps the table of hubs. It is made off the query path: in idle time
// after a publish, from the one before it; or, in a process that does no idle work,
// by the first question that needs it.
type hubKeeper struct {
	x     *index
	table atomic.Pointer[query.HubTable]
	by    string        // the program that runs
	build chan struct{} // one token: who takes it builds, and owns what follows

	loaded bool             // whether the store was asked for a table
	older  *query.HubTable  // what the last process left, of an older generation
	stored graph.Generation // of the table in the store; 0: none

	// wholeAtMost is hubsWholeAtMost, but for tests that have a small table patched.
	wholeAtMost int
}

// hubsWholeAtMost is the number of files of a tree up to which the table is built anew
// each time. A patch reads only what refers to the names of changed files: where a
// removed file, another package clause or another module path changes what is bound
// elsewhere, scores stay as they were. Where that costs next to nothing, be exact.
const hubsWholeAtMost = 2000

func newHubKeeper(x *index) *hubKeeper {
	h := &hubKeeper{x: x, by: program(x.o.Version), build: make(chan struct{}, 1), wholeAtMost: hubsWholeAtMost}
	h.build <- struct{}{}
	return h
}

// load takes the table that the last process left, once: to decode it takes longer
// than to open the rest of an index. One of an older generation answers nothing, but
// another is soon made of it. The caller holds the token.
func (h *hubKeeper) load() {
	if h.loaded {
		return
	}
	h.loaded = true
	by, ok, err := h.x.store.Meta(metaHubsBy)
	if err != nil || !ok || len(by) == 0 || string(by) != h.by {
		return // another program binds by other rules
	}
	b, ok, err := h.x.store.Meta(metaHubs)
	if err != nil || !ok {
		return
	}
	t, err := query.DecodeHubs(b)
	if err != nil {
		return
	}
	h.stored = t.Generation()
	if t.Generation() == h.x.store.Generation() {
		h.table.Store(t)
	} else {
		h.older = t
	}
}

// want sees to it that there is a table to answer from. An older one will do, for it
// names its generation and the answer says that a newer one is pending; the newer is
// then on its way: a server makes it when idle, another process beside the answer.
func (h *hubKeeper) want(ctx context.Context) {
	switch t := h.table.Load(); {
	case t == nil:
		h.await(ctx)
	case !h.x.o.Background && t.Generation() != h.x.store.Generation():
		h.x.spawn(h.refresh)
	}
}

// await waits for the table of the current generation as long as ctx allows. The
// build itself goes on after that, so that the next question finds it done.
func (h *hubKeeper) await(ctx context.Context) {
	done := make(chan struct{})
	h.x.spawn(func(life context.Context) {
		tell := sync.OnceFunc(func() { close(done) })
		defer tell()
		h.refreshThen(life, tell)
	})
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// refresh makes the table when it is behind. A publish that comes in between leaves
// it behind by that much: the next call goes on.
func (h *hubKeeper) refresh(ctx context.Context) { h.refreshThen(ctx, func() {}) }

// refreshThen is refresh that calls ready as soon as a new table can be used: to
// store it takes longer than to patch it.
func (h *hubKeeper) refreshThen(ctx context.Context, ready func()) {
	if h.current() {
		return
	}
	select {
	case <-h.build:
	case <-ctx.Done():
		return
	}
	defer func() { h.build <- struct{}{} }()
	h.load()
	snap := h.x.store.Snapshot()
	defer snap.Release()
	prev := h.table.Load()
	if snap.Generation() == 0 || prev != nil && prev.Generation() == snap.Generation() {
		return
	}
	if prev == nil {
		prev = h.older
	}
	if snap.Len() <= h.wholeAtMost {
		prev = nil
	}
	t, err := h.x.planner.BuildHubs(ctx, lister{snap}, prev)
	if err != nil {
		if ctx.Err() == nil {
			h.x.suspect(err)
			h.x.log.Warn("hubs were not computed", "err", err)
		}
		return
	}
	h.table.Store(t)
	h.older = nil
	ready()
	if h.stored == 0 || !h.x.o.Background { // nobody will do it later
		h.store(t)
	}
}

func (h *hubKeeper) current() bool {
	t := h.table.Load()
	return t != nil && t.Generation() == h.x.store.Generation()
}

// save stores the table where it has changed. It is idle work of a server, for when
// nothing was published in a long time: a table takes as much room as thousands of
// saved files, and what an older one lacks is quickly found out.
func (h *hubKeeper) save() {
	select {
	case <-h.build:
	default:
		return
	}
	defer func() { h.build <- struct{}{} }()
	if t := h.table.Load(); t != nil && t.Generation() != h.stored {
		h.store(t)
	}
}

// store writes a table. The caller holds the token.
func (h *hubKeeper) store(t *query.HubTable) {
	if err := h.x.store.SetMeta(map[string][]byte{metaHubs: t.Encode(), metaHubsBy: []byte(h.by)}); err != nil {
		h.x.log.Warn("hubs were not stored", "err", err)
		return
	}
	h.stored = t.Generation()
}
