package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph/query"
)

// Open measures how long an existing index takes to a first answer, one that nobody
// has looked at the disk for and one that is exact, and what a run costs that finds
// nothing changed, against a walk of the same tree.
func Open(ctx context.Context, c *Config) (*Report, error) {
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.Close(ctx); err != nil {
		return nil, err
	}
	t, err := tree.Open(c.Dir, tree.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }()
	paths, err := filesOf(ctx, c.Dir)
	if err != nil || len(paths) == 0 {
		return &Report{}, err
	}
	target := string(paths[len(paths)/2])
	var unswept, exact, walk, again []float64
	for range max(c.Rounds, 5) {
		ms, err := c.first(ctx, target, api.AllowStale)
		if err != nil {
			return nil, err
		}
		unswept = append(unswept, ms)
		if ms, err = c.first(ctx, target, api.Required); err != nil {
			return nil, err
		}
		exact = append(exact, ms)
		w, a, err := c.nothingChanged(ctx, t)
		if err != nil {
			return nil, err
		}
		walk, again = append(walk, w...), append(again, a...)
	}
	r := &Report{}
	sweep := quantile(walk, 0.5)
	r.add(c, "open", "open -> first answer, labelled unswept", quantile(unswept, 0.5), "ms", atMost(100), note("worst %.0f ms", slices.Max(unswept)))
	r.add(c, "open", "open -> exact answer - a walk", quantile(exact, 0.5)-sweep, "ms", atMost(100), note("%.0f ms against a walk + lstat of %.0f ms", quantile(exact, 0.5), sweep))
	r.add(c, "open", "no-change reindex / (walk + lstat)", quantile(again, 0.5)/sweep, "x", atMost(1.3), note("%.1f ms against %.1f ms, same ignore rules, median of %d", quantile(again, 0.5), sweep, len(again)))
	return r, nil
}

// first opens the index, asks one question, and closes it.
func (c *Config) first(ctx context.Context, target string, policy api.Policy) (ms float64, err error) {
	return timedThen(func() (func() error, error) {
		e, err := c.open(ctx)
		if err != nil {
			return nil, err
		}
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: target}, Freshness: policy})
		if err == nil {
			unswept := ans.FallbackReason != nil && *ans.FallbackReason == api.FallbackUnswept
			if unswept != (policy == api.AllowStale) || slices.Contains(ans.MissingData, query.MissingTarget) {
				err = fmt.Errorf("first answer: %v, %+v", ans.MissingData, ans.Freshness)
			}
		}
		return func() error { return e.Close(ctx) }, err
	})
}

// timedThen times what f does, and calls what it returns after that.
func timedThen(f func() (func() error, error)) (float64, error) {
	var then func() error
	ms, err := timed(func() (err error) {
		then, err = f()
		return err
	})
	if then != nil {
		if cerr := then(); err == nil {
			err = cerr
		}
	}
	return ms, err
}

// nothingChanged times, in turn, a walk and a run that finds nothing to do.
func (c *Config) nothingChanged(ctx context.Context, t *tree.Tree) (walk, again []float64, err error) {
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	for range 5 {
		ms, err := timed(func() error {
			return t.Walk(ctx, tree.WalkOptions{}, func(tree.Entry) error { return nil })
		})
		if err != nil {
			return nil, nil, err
		}
		walk = append(walk, ms)
		if ms, err = timed(func() error {
			ans, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
			if err == nil && ans.JobStatus != api.JobSkipped {
				err = fmt.Errorf("a run without changes: %s, %d changed", ans.JobStatus, ans.ChangedCount)
			}
			return err
		}); err != nil {
			return nil, nil, err
		}
		again = append(again, ms)
	}
	return walk, again, nil
}
