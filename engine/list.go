package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/glob"
)

// listing is one answer on its way.
type listing struct {
	l      *local
	req    *api.ListRequest
	root   *workspace.Root
	base   graph.Path // as the caller wrote it: what is shown lies below it
	real   graph.Path // the same without links: what is opened lies below it
	entry  tree.Entry // what base leads to
	filter *glob.Filter
	ans    *api.ListAnswer
	byGit  map[graph.Path]bool // what git says has changed, where the index cannot tell
}

// changedByGit asks git what changed in a root, where the index cannot tell. Of what is
// ignored git knows nothing; then, and where there is no repository, ok is false.
func (l *local) changedByGit(ctx context.Context, root *workspace.Root, base graph.Path) (changed map[graph.Path]bool, ok bool) {
	if base != "" && root.Tree.Ignored(base) {
		return nil, false
	}
	changed, err := l.ws.Changed(ctx, root)
	if err != nil && ctx.Err() == nil { // what is missing for want of time the answer tells
		l.o.Logger.Info("git cannot tell what changed", "err", err)
		return nil, false
	}
	return changed, true
}

// List shows what a directory holds: from the disk, or from the index where its
// knowledge is asked for.
func (l *local) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	if req.TimeoutMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(req.TimeoutMS)*time.Millisecond)
		defer stop()
	}
	s := &listing{l: l, req: req, ans: &api.ListAnswer{}}
	var err error
	if s.filter, err = excluding(req.Exclude); err != nil {
		return nil, &api.Error{Code: api.CodeInvalidParams, Argument: "exclude_patterns", Message: err.Error()}
	}
	if s.root, s.base, err = l.resolve("path", req.Path); err != nil {
		return nil, err
	}
	if err := s.find(); err != nil {
		if !errors.Is(err, tree.ErrNotExist) || req.Scope == api.ScopeTree || req.Indexed() {
			return nil, pathError("path", req.Path, err)
		}
		return s.ans, nil // as documented, such a listing is empty
	}
	switch {
	case req.Indexed():
		err = s.indexed(ctx)
	case s.entry.Type != tree.Directory && req.Scope != api.ScopeTree:
	default:
		s.ans.Root = s.raw(ctx)
	}
	if err != nil {
		return nil, err
	}
	if s.ans.Root != nil {
		s.ended(ctx)
	}
	return s.ans, nil
}

// excluding compiles the globs of what is left out. One that ends in a slash means the
// directory itself, too.
func excluding(patterns []string) (*glob.Filter, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	var exclude []string
	for _, p := range patterns {
		exclude = append(exclude, p)
		if dir := strings.TrimRight(p, "/"); dir != p && dir != "" {
			exclude = append(exclude, dir)
		}
	}
	return glob.NewFilter(nil, exclude)
}

// find says what the base leads to, and where that is.
func (s *listing) find() (err error) {
	if s.entry, err = s.root.Stat(s.base); err != nil {
		return err
	}
	if s.real = s.base; s.base != "" {
		s.real, err = s.root.Tree.Real(s.base)
	}
	return err
}

// ended notes that the context has ended: the listing may lack what lies further on.
func (s *listing) ended(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		s.ans.Deadline = errors.Is(err, context.DeadlineExceeded)
		s.ans.Cancelled = !s.ans.Deadline
		s.ans.Truncated = true
	}
}

// node makes the node of a path without its children.
func (s *listing) node(p graph.Path, dir, link bool) api.Node {
	n := api.Node{Name: valid(p.Base()), Type: api.TypeFile, Path: s.display(p), Link: link}
	if p == "" {
		n.Name = "."
	}
	if dir {
		n.Type, n.Children = api.TypeDir, []api.Node{}
	}
	return n
}

// display is how a path is shown: from the root of the workspace, and absolute in a
// further root.
func (s *listing) display(p graph.Path) string {
	if s.root.Index {
		return valid(string(p))
	}
	return valid(strings.TrimSuffix(s.root.Path+"/"+string(p), "/"))
}

// opened is the path at which what is shown as p is opened.
func (s *listing) opened(p graph.Path) graph.Path {
	if s.real == s.base {
		return p
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(string(p), string(s.base)), "/")
	return graph.Path(strings.TrimPrefix(strings.TrimSuffix(string(s.real)+"/"+rest, "/"), "/"))
}

// notEntered reports names of directories that listings of everything leave alone.
func notEntered(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", "node_modules", "target", "build":
		return true
	}
	return false
}
