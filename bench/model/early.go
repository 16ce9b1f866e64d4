package model

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

const earlyQuestions = 3

// early is the answer to a question that was asked right after a change, before
// anything had brought the engine up to date.
type early struct {
	req query.Request
	got []string
}

// askEarly asks right after a change: a search, which is compared at once where the
// answer does not say that it may be out of date, and questions that require fresh
// answers, which compareEarly compares when there is something to compare them with.
func (r *run) askEarly(ctx context.Context, rng *rand.Rand) ([]early, error) {
	texts, err := r.disk.texts(ctx)
	if err != nil {
		return nil, err
	}
	req := api.GrepRequest{Pattern: "F" + string(functions[rng.IntN(len(functions))]), CaseSensitive: true, Limit: 10000}
	if err := r.earlyGrep(ctx, req, texts); err != nil {
		return nil, err
	}
	var out []early
	for range earlyQuestions {
		e := early{req: randomQuestion(rng, r.places)}
		if e.req.Type == query.Hubs {
			continue // they have a generation of their own
		}
		if e.got, err = currentLines(ctx, r.engine, e.req, api.Required); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// earlyGrep compares a search that nothing came before with a plain scan.
func (r *run) earlyGrep(ctx context.Context, req api.GrepRequest, texts map[string][]byte) error {
	began := float64(time.Now().UnixNano()) / 1e9
	ans, err := r.engine.Grep(ctx, &req)
	if err != nil {
		return err
	}
	live := ans.FallbackReason != nil && *ans.FallbackReason != api.FallbackNotSelective
	if ans.IsStale || live || ans.LastSweepAt == 0 || !r.c.Watched && ans.LastSweepAt < began {
		return nil // it promises nothing
	}
	r.counts.Early++
	var got []string
	for _, m := range ans.Matches {
		got = append(got, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	slices.Sort(got)
	if want := scan(texts, req); !slices.Equal(got, want) {
		return differs("first", "search for %+v against a plain scan, with %+v: %s", req, ans.Freshness, lineDiff(got, want))
	}
	return nil
}

// compareEarly compares the answers to the first questions after a change.
func (r *run) compareEarly(ctx context.Context, cold Engine, first []early) error {
	for _, e := range first {
		r.counts.Early++
		want, err := currentLines(ctx, cold, e.req, api.AllowStale)
		if err != nil {
			return err
		}
		if !slices.Equal(e.got, want) {
			q, _ := json.Marshal(e.req)
			return differs("first", "question %s: %s", q, lineDiff(e.got, want))
		}
	}
	return nil
}

// isFreshness tells the line about the rest of the tree from those of the answer.
func isFreshness(line string) bool { return strings.HasPrefix(line, staleLine) }

// currentLines is an answer without what it says of the rest of the tree.
func currentLines(ctx context.Context, e Engine, req query.Request, p api.Policy) ([]string, error) {
	all, err := answer(ctx, e, req, p)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, isFreshness), nil
}
