package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

const (
	// cheapSweep is how long a sweep may have taken for one to be made before a
	// question that merely prefers a fresh answer.
	cheapSweep = 5 * time.Millisecond
	// preferBudget bounds what such a question spends on known changes.
	preferBudget = 500 * time.Millisecond
	// sweepAgain is the time within which a sweep is not repeated: it is shorter
	// than what an agent needs between two calls.
	sweepAgain = 2 * time.Millisecond
)

// Graph answers a graph question at the freshness it asks for.
func (l *local) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if req.Cancel {
		return l.bare(req, query.MissingCancelled), nil
	}
	if req.TimeoutMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(req.TimeoutMS)*time.Millisecond)
		defer stop()
	}
	if l.x == nil {
		ans := l.bare(req, query.MissingIndex)
		why := l.degraded
		ans.FallbackReason = &why
		return ans, nil
	}
	return l.x.graph(ctx, req)
}

func (x *index) graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	kept := x.freshen(ctx, req.Freshness)
	if !kept {
		ans := x.empty(req, query.MissingFreshness)
		ans.IsStale = true
		return ans, nil
	}
	ans, view, err := x.question(ctx, req)
	if err != nil {
		return nil, err
	}
	defer view.Release()
	if req.Freshness != api.AllowStale && ctx.Err() == nil {
		if changed := x.recheck(ctx, view.paths()); len(changed) > 0 {
			again, second, err := x.question(ctx, req)
			if err != nil {
				return nil, err
			}
			defer second.Release()
			ans, view = again, second
		}
	}
	out := &api.GraphAnswer{Answer: *ans, Freshness: x.freshness(view.Snapshot)}
	out.IsStale = x.anyPending(view.paths())
	if !x.complete.Load() && !slices.Contains(out.MissingData, query.MissingIndex) {
		out.MissingData = append(out.MissingData, query.MissingIndex)
	}
	if view.Generation() == 0 {
		out.IndexUsed = false
		out.FallbackReason = reason(api.FallbackNoGeneration)
	}
	return out, nil
}

// question runs a question on the current generation. The view is the caller's to
// release.
func (x *index) question(ctx context.Context, req *api.GraphRequest) (*query.Answer, *consulted, error) {
	view := consult(x.store.Snapshot())
	if req.Type == query.Hubs && view.Generation() > 0 && x.hubs.table.Load() == nil {
		x.hubs.refresh(ctx)
	}
	ans, err := x.planner.RunWith(ctx, view, x.hubs.table.Load(), req.Request)
	if err != nil {
		view.Release()
		if errors.Is(err, query.ErrNoTarget) {
			return nil, nil, &api.Error{Code: api.CodeInvalidParams, Argument: "target", Message: "target is required for query_type " + string(req.Type)}
		}
		return nil, nil, err
	}
	return ans, view, nil
}

// freshen brings the index as near to the disk as the policy asks. It reports false
// only when a required promise could not be kept within ctx.
func (x *index) freshen(ctx context.Context, policy api.Policy) bool {
	switch policy {
	case api.AllowStale:
		return true
	case api.Required:
		ans := x.refreshAll(ctx)
		return ans.JobStatus == api.JobOK || ans.JobStatus == api.JobSkipped
	}
	if running, _ := x.writer.Running(); running {
		return true // what the writer finishes is seen; waiting for all of it is for those who require it
	}
	took := time.Duration(x.sweepTook.Load())
	cheap := x.complete.Load() && took > 0 && took <= cheapSweep
	if cheap && time.Since(x.ledger.LastSweep()) < sweepAgain {
		return true
	}
	counts := x.ledger.Counts()
	if !cheap && dirty(counts) == 0 {
		x.ask()
		return true
	}
	if x.store.Generation() == 0 {
		return true // a first index is not made on the way to an answer
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	x.run(budget, indexer.Job{Mode: api.ReindexChanged, Sweep: cheap}, nil)
	return true
}

// recheck looks at files that an answer used; those that changed are indexed again
// and returned.
func (x *index) recheck(ctx context.Context, paths []graph.Path) []graph.Path {
	verdicts, err := x.ledger.Verify(ctx, x.tree, paths)
	if err != nil {
		return nil
	}
	var changed []graph.Path
	for _, v := range verdicts {
		switch v.State {
		case freshness.Changed, freshness.Missing, freshness.Added, freshness.Marked:
			changed = append(changed, v.Path)
		}
	}
	if len(changed) > 0 {
		x.run(ctx, indexer.Job{Mode: api.ReindexChanged, Scope: changed}, nil)
	}
	return changed
}

func (x *index) anyPending(paths []graph.Path) bool {
	if dirty(x.ledger.Counts()) == 0 {
		return false
	}
	pending, _ := x.ledger.Pending(paths)
	return len(pending) > 0 && len(paths) > 0
}

func dirty(c freshness.Counts) int { return c.Marked + c.Added + c.Changed + c.Missing }

// freshness is the block of an answer from a snapshot.
func (x *index) freshness(snap *store.Snapshot) api.Freshness {
	c := x.ledger.Counts()
	return api.Freshness{
		IndexUsed: true, IndexGeneration: snap.Generation(),
		StalePathsCount: c.Stale(), DirtyPathsCount: dirty(c),
		LastSweepAt: unixSeconds(x.ledger.LastSweep()),
	}
}

func reason(s string) *string { return &s }

// empty is an answer without content on the current generation.
func (x *index) empty(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	ans := &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
	x.withSnapshot(func(s *store.Snapshot) { ans.Freshness = x.freshness(s) })
	return ans
}

// bare is an answer without content, from no index or before one is asked.
func (l *local) bare(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	if l.x != nil {
		return l.x.empty(req, w)
	}
	return &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
}
