package bench

import (
	"context"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

const (
	deadlineMS     = 50
	deadlineAnswer = 100 // milliseconds
)

// Deadline asks the heaviest questions with a deadline that they cannot keep, and
// measures when the answer comes; then it cancels one and measures when it ends.
func Deadline(ctx context.Context, c *Config) (*Report, error) {
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	counts, err := callers(ctx, e)
	if err != nil {
		return nil, err
	}
	var most definition
	for d, n := range counts {
		if n > counts[most] || n == counts[most] && d.target() < most.target() {
			most = d
		}
	}
	r := &Report{}
	req := &api.GraphRequest{
		Request:   query.Request{Type: query.Impact, Target: most.target(), Limit: query.MaxLimit},
		TimeoutMS: deadlineMS,
	}
	for _, q := range []query.Type{query.Impact, query.Tests, query.Neighbors} {
		req.Type, req.Depth = q, 0
		if q == query.Neighbors {
			req.Depth = query.MaxNeighborDepth
		}
		var ans *api.GraphAnswer
		took, err := timed(func() (err error) {
			ans, err = e.Graph(ctx, req)
			return err
		})
		if err != nil {
			return nil, err
		}
		r.add(c, "deadline", string(q)+" of "+most.name+" with timeout_ms 50", took, "ms", atMost(deadlineAnswer),
			note("deadline_exceeded %v, %d nodes, missing %v", ans.Deadline, len(ans.Nodes), ans.MissingData))
	}
	ended, err := cancelled(ctx, e.Graph, req)
	if err != nil {
		return nil, err
	}
	r.add(c, "deadline", "end of a cancelled question", ended, "ms", atMost(20))
	return r, nil
}

// cancelled starts a question without a deadline, cancels it, and returns how long it
// went on.
func cancelled(ctx context.Context, ask func(context.Context, *api.GraphRequest) (*api.GraphAnswer, error), req *api.GraphRequest) (float64, error) {
	open := *req
	open.TimeoutMS = 0
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := ask(ctx, &open)
		ended <- err
	}()
	select {
	case <-time.After(5 * time.Millisecond):
	case err := <-ended: // it was quicker than that
		return 0, err
	}
	began := time.Now()
	cancel()
	err := <-ended
	return float64(time.Since(began).Nanoseconds()) / 1e6, err
}
