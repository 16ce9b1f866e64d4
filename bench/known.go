package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/ralph-index/ralph-index/corpus"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// Known asks for the impact and the tests of symbols whose callers were checked
// against the text by hand, and opens every evidence id of the answers.
func Known(ctx context.Context, c *Config) (*Report, error) {
	lists, err := corpus.KnownCallers(c.Tree)
	if err != nil || len(lists) == 0 {
		return &Report{}, err
	}
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	r := &Report{}
	for _, k := range lists {
		if err := knownOne(ctx, c, e, r, k); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Symbol, err)
		}
	}
	return r, nil
}

func knownOne(ctx context.Context, c *Config, e *engine.Engine, r *Report, k corpus.Callers) error {
	impact := query.Request{Type: query.Impact, Target: k.Symbol, ChangeKind: query.ChangeSignature, Limit: query.MaxLimit, Depth: 1}
	ans, err := e.Graph(ctx, &api.GraphRequest{Request: impact})
	if err != nil {
		return err
	}
	places := places(ans)
	// The limit may cut before a known caller: it must then be an edge of the graph.
	missing := []string{}
	for _, want := range k.Want {
		if places[want] {
			continue
		}
		at, _, _ := strings.Cut(want, " ")
		ok, err := callsFrom(ctx, e, at, k.Symbol)
		if err != nil {
			return err
		}
		if !ok {
			missing = append(missing, want)
		}
	}
	r.add(c, "known", "callers of "+k.Symbol+" missing", float64(len(missing)), "", atMost(0), note("of %d; %v", len(k.Want), missing))
	if err := knownTests(ctx, c, e, r, k); err != nil {
		return err
	}
	bad := 0
	for _, id := range ans.EvidenceIDs {
		if _, err := e.Read(ctx, &api.ReadRequest{EvidenceID: id}); err != nil {
			bad++
		}
	}
	r.add(c, "known", "evidence of "+k.Symbol+" that does not open", float64(bad), "", atMost(0), note("of %d", len(ans.EvidenceIDs)))
	return nil
}

// places lists "file:line caller" of the edges of an answer.
func places(ans *api.GraphAnswer) map[string]bool {
	label := map[string]string{}
	for _, n := range ans.Nodes {
		label[n.ID] = n.Label
	}
	out := map[string]bool{}
	for _, ed := range ans.Edges {
		out[fmt.Sprintf("%s:%d %s", ed.Path, ed.Line, label[ed.Source])] = true
	}
	return out
}

// callsFrom asks the definition around a place for its own edges.
func callsFrom(ctx context.Context, e *engine.Engine, at, symbol string) (bool, error) {
	req := query.Request{Type: query.Neighbors, Target: at, Direction: query.Out, Limit: query.MaxLimit, Relations: []graph.Relation{graph.CallsSyntax}}
	ans, err := e.Graph(ctx, &api.GraphRequest{Request: req})
	if err != nil {
		return false, err
	}
	ids := map[string]string{}
	for _, n := range ans.Nodes {
		ids[n.ID] = n.Label
	}
	for _, ed := range ans.Edges {
		if fmt.Sprintf("%s:%d", ed.Path, ed.Line) == at && strings.HasSuffix(ids[ed.Target], symbol) {
			return true, nil
		}
	}
	return false, nil
}

func knownTests(ctx context.Context, c *Config, e *engine.Engine, r *Report, k corpus.Callers) error {
	if len(k.Tests) == 0 {
		return nil
	}
	ans, err := e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Tests, Target: k.Symbol, Limit: query.MaxLimit}})
	if err != nil {
		return err
	}
	got := map[string]bool{}
	for _, t := range ans.SuggestedTests {
		got[string(t.Path)] = true
	}
	found := 0
	for _, t := range k.Tests {
		if got[t] {
			found++
		}
	}
	r.add(c, "known", "test files of "+k.Symbol+" found", float64(found), "", atLeast(1), note("of %d known; %d suggested", len(k.Tests), len(ans.SuggestedTests)))
	return nil
}
