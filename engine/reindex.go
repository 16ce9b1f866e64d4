package engine

import (
	"context"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/graph"
)

// Reindex refreshes the index, or the part of it in scope.
func (l *local) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	if l.x == nil {
		return nil, &api.Error{Code: api.CodeIndexNotReady, Message: "there is no index in this session: " + l.degraded}
	}
	if req.Mode != api.ReindexChanged && req.Mode != api.ReindexFull {
		return nil, &api.Error{Code: api.CodeInvalidParams, Argument: "mode", Message: "mode must be changed or full"}
	}
	scope, err := l.scope(req)
	if err != nil {
		return nil, err
	}
	if req.Cancel {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		stop()
	}
	if req.TimeoutMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(req.TimeoutMS)*time.Millisecond)
		defer stop()
	}
	if len(scope) > 0 && req.Mode == api.ReindexFull {
		return l.x.rebuildScope(ctx, scope, progress), nil
	}
	ans := l.x.run(ctx, indexer.Job{Mode: req.Mode, Scope: scope, Sweep: true}, progress)
	if !l.o.Background && done(ans) {
		l.x.compact(ctx) // nobody else does, in a process without idle work
	}
	return ans, nil
}

// scope resolves the paths of a request. A scope that names the workspace itself is
// everything.
func (l *local) scope(req *api.ReindexRequest) ([]graph.Path, error) {
	var out []graph.Path
	for _, s := range req.Scope {
		root, p, err := l.resolve("path_scope", s)
		if err != nil {
			return nil, err
		}
		if !root.Index {
			return nil, &api.Error{Code: api.CodeOutsideRoot, Argument: "path_scope", Message: "only the workspace is indexed: " + s}
		}
		if p, err = l.known("path_scope", s, p); err != nil {
			return nil, err
		}
		if p == "" {
			return nil, nil
		}
		out = append(out, p)
	}
	return out, nil
}

// rebuildScope makes the facts of everything in scope again, and touches nothing
// outside it.
func (x *index) rebuildScope(ctx context.Context, scope []graph.Path, progress func(api.Progress)) *api.ReindexAnswer {
	inScope := func(f graph.File) bool {
		for _, p := range scope {
			if f.Path.Under(p) {
				return true
			}
		}
		return false
	}
	return x.run(ctx, indexer.Job{Mode: api.ReindexChanged, Scope: scope, Sweep: true, Force: inScope}, progress)
}
