package engine

import (
	"errors"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// listed returns the path under which a walk lists what a caller's path leads to:
// what lies behind a link is listed only under the real one.
func listed(t *tree.Tree, path graph.Path) (graph.Path, error) {
	e, err := t.Stat(path)
	if err == nil && e.Type == tree.Unreadable && e.Reason != tree.ReasonPermission && e.Reason != tree.ReasonIO {
		return "", &tree.Error{Op: "stat", Path: path, Reason: e.Reason} // no such name can be
	}
	if errors.Is(err, tree.ErrNotExist) || e.Link {
		return t.Real(path)
	}
	return path, err
}

// countClosed counts the file that was asked for when it lies in a directory that is
// closed to us: neither a walk nor the index lists what stands in there.
func (s *search) countClosed() {
	if s.base == "" || len(s.paths) > 0 || len(s.ans.Skipped) > 0 || !s.inScope(s.base) {
		return
	}
	if e, err := s.root.Tree.Stat(s.base); err == nil && e.Type == tree.Unreadable {
		s.ans.Skipped[string(graph.ContentUnreadable)] = 1
	}
}
