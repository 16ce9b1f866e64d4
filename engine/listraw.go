package engine

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxDumpEntries = 10000
	maxDumpDepth   = 50
)

// raw lists the disk, whatever the rules say.
func (s *listing) raw(ctx context.Context) *api.Node {
	top := s.node(s.base, s.entry.Type == tree.Directory, false)
	if s.entry.Type != tree.Directory {
		return &top
	}
	switch s.req.Scope {
	case api.ScopeDump:
		d := dump{s: s, left: maxDumpEntries, buf: make([]byte, 32<<10)}
		d.enter(ctx, &top, s.base, 0)
		s.ans.Truncated = d.cut
	case api.ScopeTree:
		depth := -1
		if s.req.Depth != nil {
			depth = *s.req.Depth
		}
		s.expand(ctx, &top, depth)
	default:
		s.expand(ctx, &top, 1)
	}
	return &top
}

// dump lists everything, one directory after the other, so that its bounds cut at a
// place that does not depend on chance.
type dump struct {
	s    *listing
	left int
	cut  bool
	buf  []byte
}

func (d *dump) enter(ctx context.Context, n *api.Node, p graph.Path, depth int) {
	if ctx.Err() != nil || d.cut {
		return
	}
	elems, err := d.s.root.Tree.Elements(d.s.opened(p), d.buf)
	if err != nil || depth > 0 && hasRepository(elems) {
		return // what cannot be listed is shown empty
	}
	if depth >= maxDumpDepth && len(elems) > 0 {
		d.cut = true
		return
	}
	for _, e := range elems {
		if d.left == 0 {
			d.cut = true
			return
		}
		at := below(p, e.Name)
		d.left--
		n.Children = append(n.Children, d.s.node(at, e.Dir, e.Link))
		if e.Dir && !e.Link && !notEntered(e.Name) {
			d.enter(ctx, &n.Children[len(n.Children)-1], at, depth+1)
		}
	}
}

// hasRepository reports whether a directory is the top of a repository or worktree.
func hasRepository(elems []tree.Element) bool {
	for _, e := range elems {
		if e.Name == ".git" {
			return true
		}
	}
	return false
}

// expansion lists directories in parallel: each one's children are its own to fill.
type expansion struct {
	s    *listing
	g    errgroup.Group
	bufs sync.Pool
}

// expand fills a directory down to a depth; less than 0 is all the way.
func (s *listing) expand(ctx context.Context, top *api.Node, depth int) {
	x := &expansion{s: s}
	x.bufs.New = func() any { b := make([]byte, 32<<10); return &b }
	x.g.SetLimit(runtime.GOMAXPROCS(0))
	x.fill(ctx, top, s.base, depth)
	_ = x.g.Wait() // fill leaves what cannot be listed empty
}

func (x *expansion) fill(ctx context.Context, n *api.Node, p graph.Path, depth int) {
	if depth == 0 || ctx.Err() != nil {
		return
	}
	buf := x.bufs.Get().(*[]byte) // only such are put there
	elems, err := x.s.root.Tree.Elements(x.s.opened(p), *buf)
	x.bufs.Put(buf)
	if err != nil {
		return
	}
	n.Children = make([]api.Node, 0, len(elems))
	var subs []graph.Path
	for _, e := range elems {
		at := below(p, e.Name)
		if !x.s.keeps(at, e.Name) {
			continue
		}
		n.Children = append(n.Children, x.s.node(at, e.Dir, e.Link))
		if e.Dir && !e.Link {
			subs = append(subs, at)
		}
	}
	next := 0
	for i := range n.Children { // which has its length now: nodes stay where they are
		kid := &n.Children[i]
		if kid.Type != api.TypeDir || kid.Link {
			continue
		}
		at := subs[next]
		next++
		if !x.g.TryGo(func() error { x.fill(ctx, kid, at, depth-1); return nil }) {
			x.fill(ctx, kid, at, depth-1)
		}
	}
}

// below is the path of a name in a directory.
func below(dir graph.Path, name string) graph.Path {
	if dir == "" {
		return graph.Path(name)
	}
	return dir + "/" + graph.Path(name)
}

// keeps reports whether a listing shows a name.
func (s *listing) keeps(p graph.Path, name string) bool {
	return s.req.Scope != api.ScopeTree || !notEntered(name) && s.filter.Keep(p)
}
