package engine

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// served is the engine as other processes call it. When this process ends, the calls
// that it cuts off must not look like answers that their callers cancelled: they fail
// as cancelled, which the socket turns into the end of the leader, and the callers
// ask the next one.
type served struct {
	*local
	ending context.Context
}

var _ api.Service = served{}

// cutOff replaces an answer that only the end of this process cut short.
func cutOff[A any](s served, ans *A, err error, cancelled func(*A) bool) (*A, error) {
	if err == nil && s.ending.Err() != nil && cancelled(ans) {
		return nil, context.Canceled
	}
	return ans, err
}

// Graph implements api.Service.
func (s served) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	ans, err := s.local.Graph(ctx, req)
	return cutOff(s, ans, err, func(a *api.GraphAnswer) bool { return a.Cancelled && !req.Cancel })
}

// Grep implements api.Service.
func (s served) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	ans, err := s.local.Grep(ctx, req)
	return cutOff(s, ans, err, func(a *api.GrepAnswer) bool { return a.Cancelled })
}

// Reindex implements api.Service.
func (s served) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	ans, err := s.local.Reindex(ctx, req, progress)
	return cutOff(s, ans, err, func(a *api.ReindexAnswer) bool { return a.Cancelled && !req.Cancel })
}
