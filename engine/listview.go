package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// maxListedSymbols bounds the definitions that are listed of one file.
const maxListedSymbols = 100

// entry is a file or directory that the rules let through, with what lies below it.
type entry struct {
	path    graph.Path
	dir     bool
	link    bool
	files   int
	defs    int
	id      graph.FileID // 0: nothing is known of it
	changed bool         // it, or something below it
	kids    []*entry
}

// known is all of them below a base.
type known struct {
	at   map[graph.Path]*entry
	base graph.Path
	last *entry // the directory that was added to last
}

func newKnown(base graph.Path) *known {
	k := &known{at: map[graph.Path]*entry{}, base: base}
	k.at[base] = &entry{path: base, dir: true}
	return k
}

// dir returns the entry of a directory, and makes it and those above it.
func (k *known) dir(p graph.Path) *entry {
	if k.last != nil && k.last.path == p {
		return k.last
	}
	e := k.at[p]
	if e == nil {
		e = &entry{path: p, dir: true}
		k.at[p] = e
		above := k.dir(p.Dir())
		above.kids = append(above.kids, e)
	}
	k.last = e
	return e
}

// add enters a file, and counts it for every directory above it.
func (k *known) add(e entry) {
	if e.path == k.base {
		*k.at[k.base] = e
		return
	}
	above := k.dir(e.path.Dir())
	above.kids = append(above.kids, &e)
	k.at[e.path] = &e
	for d := above; ; d = k.at[d.path.Dir()] {
		if !e.dir {
			d.files++
		}
		d.defs += e.defs
		d.changed = d.changed || e.changed
		if d.path == k.base {
			return
		}
	}
}

// indexed answers with what the index knows, or says why it does not.
func (s *listing) indexed(ctx context.Context) error {
	x := s.l.x
	var snap *store.Snapshot
	var pic *picture
	fresh := api.Freshness{}
	if x != nil {
		pic = x.picture(ctx)
		defer pic.release()
		snap, fresh = pic.snap, pic.fresh
	}
	s.ans.Freshness = &fresh
	why := s.whyLive(snap)
	if why != "" {
		fresh.IndexUsed, fresh.IsStale, fresh.FallbackReason = false, false, reason(why)
		if s.req.UseIndex == api.IndexAlways {
			return s.unavailable(why)
		}
		if s.req.ChangedOnly {
			var ok bool
			if s.byGit, ok = s.l.changedByGit(ctx, s.root, s.real); !ok {
				return s.unavailable(why)
			}
			s.ans.ChangedNote = reason(api.NoteLiveGit)
		}
		snap = nil
	}
	if s.entry.Type != tree.Directory && s.req.Scope != api.ScopeTree {
		return &api.Error{
			Code: api.CodeInvalidParams, Argument: "path", Details: map[string]any{"path": clipPath(s.req.Path)},
			Message: fmt.Sprintf("path %q is a file; give a directory, or see read_file", clipPath(s.req.Path)),
		}
	}
	var k *known
	var err error
	if snap != nil {
		k = s.fromIndex(pic, &fresh)
	} else if k, err = s.fromWalk(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	d := decoration{s: s, k: k, snap: snap}
	s.ans.Root = d.root(ctx)
	return nil
}

// whyLive says why the index cannot be used; "" when it can.
func (s *listing) whyLive(snap *store.Snapshot) string {
	x := s.l.x
	switch {
	case x == nil:
		return s.l.fallback()
	case snap.Generation() == 0, !x.complete.Load() && x.unswept():
		return api.FallbackNoGeneration
	case !s.root.Index, s.real != "" && s.root.Tree.Ignored(s.real):
		return api.FallbackPathIgnored
	}
	return ""
}

func (s *listing) unavailable(why string) error {
	e := &api.Error{
		Code: api.CodeViewUnavailable, Argument: "use_index", Details: map[string]any{"reason": why, "fallback_reason": why},
		Message: "use_index=always needs the index, which cannot answer for this path now (" + why + "); use use_index=auto",
	}
	if s.l.x == nil {
		e.Details["reason"] = "no_explore_index_handle"
	}
	if s.req.UseIndex != api.IndexAlways {
		e.Argument = "changed_only"
		e.Message = "changed_only needs the index, which cannot answer for this path now (" + why + "), and git cannot either; leave it out"
	}
	return e
}

// fromIndex takes the files of a generation, and what is known to have changed since.
func (s *listing) fromIndex(pic *picture, fresh *api.Freshness) *known {
	k := newKnown(s.real)
	for path := range pic.pending {
		// Its definitions, at least, are not those of now.
		fresh.IsStale = fresh.IsStale || path.Under(s.real) || s.real.Under(path)
	}
	listed := map[graph.Path]bool{} // of what differs
	pic.snap.Files(func(f graph.File) bool {
		p, open := pic.pending[f.Path]
		if !f.Path.Under(s.real) || open && p.State == freshness.Missing {
			return true
		}
		if open {
			listed[f.Path] = true
		}
		e := entryOf(f.Path, f.Sig.Mode, f.Reason)
		e.id, e.defs, e.changed = f.ID, int(f.Defs), open || s.l.x.recent.has(f.Path)
		k.add(e)
		return true
	})
	for path, p := range pic.pending {
		if p.State == freshness.Added && path.Under(s.real) && !listed[path] {
			e := entryOf(path, p.Entry.Sig.Mode, string(p.Entry.Reason))
			e.changed = true
			k.add(e)
		}
	}
	return k
}

const (
	modeType = 0o170000 // bits of a mode that tell what a path is
	modeDir  = 0o040000
)

func entryOf(p graph.Path, mode uint32, why string) entry {
	toDir := why == string(tree.ReasonLinkDir)
	return entry{path: p, dir: mode&modeType == modeDir || toDir, link: toDir}
}

// fromWalk takes what the rules let through at this moment.
func (s *listing) fromWalk(ctx context.Context) (*known, error) {
	k := newKnown(s.real)
	opts := tree.WalkOptions{NoIgnore: s.real != "" && s.root.Tree.Ignored(s.real), NamesOnly: true}
	if s.real != "" {
		opts.Scope = []graph.Path{s.real}
	}
	err := s.root.Tree.Walk(ctx, opts, func(e tree.Entry) error {
		one := entryOf(e.Path, e.Sig.Mode, string(e.Reason))
		one.changed = s.byGit[e.Path]
		k.add(one)
		return nil
	})
	return k, err
}

// decoration makes the nodes of an indexed listing.
type decoration struct {
	s    *listing
	k    *known
	snap *store.Snapshot // nil: of definitions nothing is known
}

func (d *decoration) root(ctx context.Context) *api.Node {
	depth := 1
	if d.s.req.Scope == api.ScopeTree {
		if depth = -1; d.s.req.Depth != nil {
			depth = *d.s.req.Depth
		}
	}
	if d.s.req.View == "" || d.s.req.View == api.ViewRaw {
		top := d.s.raw(ctx)
		d.dress(ctx, top, d.s.base)
		return top
	}
	e := d.k.at[d.s.real]
	top := d.node(ctx, e, d.s.base, depth)
	return &top
}

// node makes the node of an entry, with the levels below it.
func (d *decoration) node(ctx context.Context, e *entry, at graph.Path, depth int) api.Node {
	n := d.s.node(at, e.dir, e.link)
	d.describe(ctx, &n, e)
	if depth == 0 || !e.dir {
		return n
	}
	kids := make([]*entry, 0, len(e.kids))
	for _, kid := range e.kids {
		if d.shown(kid, below(at, kid.path.Base())) {
			kids = append(kids, kid)
		}
	}
	slices.SortFunc(kids, func(a, b *entry) int {
		if d.s.req.View == api.ViewRanked && a.defs != b.defs {
			return cmp.Compare(b.defs, a.defs)
		}
		return strings.Compare(a.path.Base(), b.path.Base())
	})
	if limit := d.s.req.LimitChildren; limit > 0 && len(kids) > limit {
		n.ChildrenOmitted = len(kids) - limit
		kids = kids[:limit]
	}
	n.Children = make([]api.Node, 0, len(kids))
	for _, kid := range kids {
		if ctx.Err() != nil {
			break
		}
		n.Children = append(n.Children, d.node(ctx, kid, below(at, kid.path.Base()), depth-1))
	}
	return n
}

func (d *decoration) shown(e *entry, at graph.Path) bool {
	return (!d.s.req.ChangedOnly || e.changed) && d.s.keeps(at, at.Base())
}

// dress adds what is known to the nodes of a raw listing, and cuts them.
func (d *decoration) dress(ctx context.Context, n *api.Node, at graph.Path) {
	e := d.k.at[d.s.opened(at)]
	if e != nil {
		d.describe(ctx, n, e)
	} else if d.counts() {
		n.Counts = d.countsOf(&entry{dir: n.Type == api.TypeDir})
	}
	if d.s.req.ChangedOnly {
		n.Children = slices.DeleteFunc(n.Children, func(kid api.Node) bool {
			e := d.k.at[d.s.opened(below(at, kid.Name))]
			return e == nil || !e.changed
		})
	}
	if limit := d.s.req.LimitChildren; limit > 0 && len(n.Children) > limit {
		n.ChildrenOmitted = len(n.Children) - limit
		n.Children = n.Children[:limit]
	}
	for i := range n.Children {
		d.dress(ctx, &n.Children[i], below(at, n.Children[i].Name))
	}
}

func (d *decoration) counts() bool {
	return d.s.req.IncludeCounts || d.s.req.View == api.ViewCompact || d.s.req.View == api.ViewRanked
}

func (d *decoration) countsOf(e *entry) *api.Counts {
	if d.snap == nil && !e.dir {
		return nil
	}
	c := &api.Counts{Files: e.files}
	if d.snap != nil {
		c.Symbols = &e.defs
	}
	return c
}

// describe adds the counts and definitions that were asked for.
func (d *decoration) describe(ctx context.Context, n *api.Node, e *entry) {
	if d.counts() {
		n.Counts = d.countsOf(e)
	}
	outline := d.s.req.IncludeSymbols || d.s.req.View == api.ViewOutline
	if !outline || d.snap == nil || e.dir || e.defs == 0 || ctx.Err() != nil {
		return
	}
	f, err := d.snap.Outline(e.id)
	if err != nil {
		d.s.l.x.suspect(err)
	}
	if f == nil {
		return
	}
	for i := range f.Defs {
		def := &f.Defs[i]
		switch {
		case def.Container != graph.NoDef:
		case len(n.Symbols) == maxListedSymbols:
			n.SymbolsOmitted++
		default:
			n.Symbols = append(n.Symbols, api.ListedSymbol{Name: def.Local, Kind: string(def.Kind), Line: def.NameSpan.From.Line})
		}
	}
}
