package engine

import (
	"context"
	"errors"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/tree"
)

// Stat says what a path leads to. It needs no index.
func (l *local) Stat(ctx context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, p, err := l.resolve("path", req.Path)
	if err != nil {
		return nil, err
	}
	e, err := root.Stat(p)
	switch {
	case errors.Is(err, tree.ErrNotExist):
		return &api.StatAnswer{Type: api.TypeMissing}, nil
	case err != nil:
		return nil, pathError("path", req.Path, err)
	}
	ans := &api.StatAnswer{
		Type: api.TypeFile, SizeBytes: e.Sig.Size, Mode: e.Sig.Mode,
		CreatedUnix: float64(e.Sig.CtimeNS) / 1e9, ModifiedUnix: float64(e.Sig.MtimeNS) / 1e9,
	}
	switch e.Type {
	case tree.Directory:
		ans.Type, ans.SizeBytes = api.TypeDir, 0
	case tree.Special, tree.Unreadable:
		ans.Special = string(e.Reason)
	case tree.File:
	}
	if own, err := root.Tree.Stat(p); err == nil {
		ans.Link = own.Link
	}
	return ans, nil
}

// Roots lists the allowed roots.
func (l *local) Roots(context.Context) (*api.RootsAnswer, error) {
	ans := &api.RootsAnswer{AllowedRoots: []string{}}
	for _, r := range l.ws.Roots() {
		ans.AllowedRoots = append(ans.AllowedRoots, r.Path)
	}
	return ans, nil
}
