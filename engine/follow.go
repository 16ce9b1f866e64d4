package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

// follower is the engine of another process. While that process hangs (it is stopped,
// or its machine has no time for it) it keeps the index, and nobody may take it;
// until it is heard again the files themselves are read here, and every answer
// says so.
type follower struct {
	client *share.Client
	o      Options

	mu   sync.Mutex
	live *local // opened when it is first needed
}

var _ api.Service = (*follower)(nil)

// aside makes a call that only reads at the leader, or here while the leader hangs.
func aside[A any](ctx context.Context, f *follower, do func(context.Context, api.Service) (A, error)) (A, error) {
	ans, err := do(ctx, f.client)
	if !errors.Is(err, share.ErrSilent) {
		return ans, err
	}
	l, err := f.stand()
	if err != nil {
		return ans, err
	}
	return do(ctx, l)
}

// stand returns the engine that stands in for the leader.
func (f *follower) stand() (*local, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.live != nil {
		return f.live, nil
	}
	l, err := openLocal(f.o)
	if err != nil {
		return nil, err
	}
	l.degraded = fmt.Sprintf("%s: process %d holds the index and does not answer", api.FallbackLeaderSilent, f.client.Hello().PID)
	l.why = api.FallbackLeaderSilent
	f.live = l
	return l, nil
}

func (f *follower) close(ctx context.Context) error {
	err := f.client.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.live != nil {
		err = errors.Join(err, f.live.close(ctx))
	}
	return err
}

// Status implements api.Service.
func (f *follower) Status(ctx context.Context) (*api.Status, error) {
	s, err := aside(ctx, f, func(ctx context.Context, s api.Service) (*api.Status, error) { return s.Status(ctx) })
	if silent := f.client.Silent(); err == nil && !s.Enabled && silent > 0 {
		s.LeaderPID = f.client.Hello().PID
		s.Degraded += fmt.Sprintf(" (silent for %v)", silent.Round(100*time.Millisecond))
	}
	return s, err
}

// Graph implements api.Service.
func (f *follower) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.GraphAnswer, error) { return s.Graph(ctx, req) })
}

// Grep implements api.Service.
func (f *follower) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.GrepAnswer, error) { return s.Grep(ctx, req) })
}

// Read implements api.Service.
func (f *follower) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.ReadAnswer, error) { return s.Read(ctx, req) })
}

// Reindex implements api.Service. It is not done here while the leader hangs, for the
// index is the leader's; and a job that was under way may go on when it wakes up.
func (f *follower) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	ans, err := f.client.Reindex(ctx, req, progress)
	if errors.Is(err, share.ErrSilent) {
		return nil, &api.Error{
			Code: api.CodeIndexNotReady,
			Message: fmt.Sprintf("process %d holds the index and does not answer, so that nothing can be indexed now; "+
				"searches and reads work. A job that had begun may go on when that process wakes up: see ralph_index_status", f.client.Hello().PID),
			Details: map[string]any{"fallback_reason": api.FallbackLeaderSilent},
		}
	}
	return ans, err
}

// Export implements api.Service.
func (f *follower) Export(ctx context.Context, w io.Writer) error {
	_, err := aside(ctx, f, func(ctx context.Context, s api.Service) (struct{}, error) { return struct{}{}, s.Export(ctx, w) })
	return err
}
