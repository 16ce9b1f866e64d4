package query

import (
	"context"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
)

// Options are what a Planner takes beside its resolvers. The zero value works.
type Options struct {
	// PathOf finds the file that an id carries. Nil: the view is asked, when it is a
	// PathFinder; else ids are not understood as targets.
	PathOf func(graph.View, graph.PathKey) (graph.Path, bool)
	// Holders lists live files without full structure (failed, capped, partial, or
	// of a language that is not extracted) whose bytes hold the name as a whole
	// word. Nil: the words failed_files and language_not_covered are never set.
	Holders func(ctx context.Context, v graph.View, name string) []graph.FileID
	// MemoEdges bounds what is remembered between questions, in edges of about 60
	// bytes each. 0 means 1,000,000.
	MemoEdges int
}

// PathFinder is what a View offers when it can map the path hash of an id back to
// the path.
type PathFinder interface {
	PathOf(graph.PathKey) (graph.Path, bool)
}

// FileLister is what a View offers when it can list its live files, in any order.
// BuildHubs and the search for a path by its suffix need it.
type FileLister interface {
	Files() []graph.FileID
}

// Witness is what a View offers when it wants to know which names an answer is made
// of, also where what all files make of a name came from memory: an answer depends
// on every file that refers to such a name.
type Witness interface {
	Consulted(name string)
}

// Planner answers questions. It is safe for concurrent use and holds no
// goroutine. What it remembers is keyed by generation: two views of one
// generation must say the same.
type Planner struct {
	byLang map[string]graph.Resolver
	opts   Options
	memo   *memo
	nodes  *nodeStore
	tests  atomic.Pointer[testPaths]
}

// New makes a planner over one resolver per language family. Where two serve one
// language, the later one is used.
func New(resolvers []graph.Resolver, opts Options) *Planner {
	if opts.MemoEdges <= 0 {
		opts.MemoEdges = defaultMemoEdges
	}
	p := &Planner{byLang: make(map[string]graph.Resolver), opts: opts, memo: newMemo(opts.MemoEdges), nodes: newNodeStore(maxNodes)}
	for _, r := range resolvers {
		for _, l := range r.Languages() {
			p.byLang[l] = r
		}
	}
	return p
}

// Run answers one question. It is RunWith without a table of hubs.
func (p *Planner) Run(ctx context.Context, v graph.View, req Request) (*Answer, error) {
	return p.RunWith(ctx, v, nil, req)
}

// RunWith answers one question; a hubs question is answered from the table, which
// may be of an older generation: the answer names it. With a nil table it says
// hubs_pending. When ctx ends the answer is what was found so far, labelled;
// errors are ErrNoTarget and what the view reports of a damaged store.
func (p *Planner) RunWith(ctx context.Context, v graph.View, hubs *HubTable, req Request) (*Answer, error) {
	r := p.reader(ctx, v)
	withDefaults(&req)
	w := newWriter(r, &req)
	if err := w.run(hubs, &req); err != nil {
		return nil, err
	}
	if r.damage != nil {
		return nil, r.damage
	}
	return w.finish(), nil
}

// Label returns the full name of a symbol as answers show it; a file's is its path.
func (p *Planner) Label(v graph.View, s graph.Symbol) string {
	return p.reader(context.Background(), v).label(s)
}

// Forget drops what questions have left in memory: later ones derive it again. It is
// for a process that nobody asks anything.
func (p *Planner) Forget() {
	p.memo.clear()
	p.nodes.clear()
	p.tests.Store(nil)
}

const defaultMemoEdges = 1_000_000
