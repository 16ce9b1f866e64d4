package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// hubKeeper keeps the table of hubs. It is built off the query path: in idle time
// after a publish, patched by what that changed; or, in a process that does no idle
// work, by the first question that needs it.
type hubKeeper struct {
	x     *index
	table atomic.Pointer[query.HubTable]
	build chan struct{} // one token: who takes it builds

	mu      sync.Mutex
	at      graph.Generation // of the last publish that was told
	added   []graph.FileID   // published since the table was made
	removed []graph.Path
}

// patchAtMost is the number of changed files up to which a table is patched; above,
// building anew costs less.
const patchAtMost = 500

// wholeAtMost is the number of files of a tree up to which the table is built anew
// each time. A patch reads only what refers to the names of changed files: where a
// removed file, another package clause or another module path changes what is bound
// elsewhere, scores stay as they were. Where that costs next to nothing, be exact.
const wholeAtMost = 2000

func newHubKeeper(x *index) *hubKeeper {
	h := &hubKeeper{x: x, build: make(chan struct{}, 1)}
	h.build <- struct{}{}
	return h
}

// load takes the stored table when it is that of the current generation.
func (h *hubKeeper) load() {
	h.at = h.x.store.Generation()
	b, ok, err := h.x.store.Meta(metaHubs)
	if err != nil || !ok {
		return
	}
	t, err := query.DecodeHubs(b)
	if err == nil && t.Generation() == h.x.store.Generation() {
		h.table.Store(t)
	}
}

func (h *hubKeeper) published(gen graph.Generation, added []graph.FileID, removed []graph.Path) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = gen
	if len(h.added)+len(h.removed) > patchAtMost {
		return // the next table is built anew
	}
	h.added = append(h.added, added...)
	h.removed = append(h.removed, removed...)
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

// refresh builds the table when it is behind. A publish that comes in between leaves
// it behind by that much: the next call goes on.
func (h *hubKeeper) refresh(ctx context.Context) { h.refreshThen(ctx, func() {}) }

// refreshThen is refresh that calls ready as soon as a new table can be used: to
// store it takes longer than to patch it.
func (h *hubKeeper) refreshThen(ctx context.Context, ready func()) {
	if t := h.table.Load(); t != nil && t.Generation() == h.x.store.Generation() {
		return
	}
	select {
	case <-h.build:
	case <-ctx.Done():
		return
	}
	defer func() { h.build <- struct{}{} }()
	snap := h.x.store.Snapshot()
	defer snap.Release()
	prev := h.table.Load()
	if snap.Generation() == 0 || prev != nil && prev.Generation() == snap.Generation() {
		return
	}
	added, removed, exact := h.take(snap.Generation())
	if !exact || len(added)+len(removed) > patchAtMost || snap.Len() <= wholeAtMost {
		prev = nil
	}
	t, err := h.x.planner.BuildHubs(ctx, lister{snap}, prev, h.live(snap, added), removed)
	if err != nil {
		h.giveBack(added, removed)
		if ctx.Err() == nil {
			h.x.suspect(err)
			h.x.log.Warn("hubs were not computed", "err", err)
		}
		return
	}
	h.table.Store(t)
	ready()
	if err := h.x.store.SetMeta(map[string][]byte{metaHubs: t.Encode()}); err != nil {
		h.x.log.Warn("hubs were not stored", "err", err)
	}
}

// take returns what was published since the table was made. exact says that this is
// what lies between the table and the generation: it is not when a publish is
// between its commit and its telling, or came after the snapshot. Then the lists
// stay, for the table after the next.
func (h *hubKeeper) take(gen graph.Generation) (added []graph.FileID, removed []graph.Path, exact bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at != gen {
		return nil, nil, false
	}
	added, removed = h.added, h.removed
	h.added, h.removed = nil, nil
	return added, removed, true
}

func (h *hubKeeper) giveBack(added []graph.FileID, removed []graph.Path) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.added = append(added, h.added...)
	h.removed = append(removed, h.removed...)
}

// live drops ids that were replaced again since they were published.
func (h *hubKeeper) live(snap graph.View, ids []graph.FileID) []graph.FileID {
	out := []graph.FileID{}
	for _, id := range ids {
		if _, ok := snap.File(id); ok {
			out = append(out, id)
		}
	}
	return out
}
