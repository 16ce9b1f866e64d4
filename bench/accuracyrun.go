package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/ralph-index/ralph-index/bench/accuracy"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// AccuracyOptions name the files of truth. Those that are empty are not scored.
type AccuracyOptions struct {
	Oracle string // records of definitions, calls, imports and inheritance
	Calls  string // calls that are better known than those of Oracle
	Cases  string // questions about the graph
	Tests  string // functions with the tests that run them
	Suite  string // small programs with the calls of each; nothing else is scored then
	// Corrections change what Suite says of its programs; both figures are printed then.
	Corrections string
	Limit       int    // longest answer about tests; 0 is the default of the tool
	Ranked      string // file for the functions with the tests that were answered; "" is none
}

// Accuracy indexes a tree and prints how much of it is right.
func Accuracy(ctx context.Context, c *Config, o AccuracyOptions, out io.Writer) error {
	if o.Suite != "" {
		return Suite(ctx, c, o.Suite, o.Corrections, out)
	}
	e, err := c.indexed(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(ctx) }()
	var truth []accuracy.Record
	if o.Oracle != "" {
		if truth, err = accuracy.Read(o.Oracle); err != nil {
			return err
		}
		if err := scoreRecords(ctx, e, c, truth, o.Calls, out); err != nil {
			return err
		}
	}
	a := asker{e}
	if o.Cases != "" {
		cases, err := accuracy.ReadCases(o.Cases)
		if err != nil {
			return err
		}
		figures, err := accuracy.ScoreCases(ctx, cases, truth, a)
		if err != nil {
			return err
		}
		if err := accuracy.WriteFigures(out, figures); err != nil {
			return err
		}
	}
	if o.Tests == "" {
		return nil
	}
	cases, err := accuracy.ReadTests(o.Tests)
	if err != nil {
		return err
	}
	figures, err := accuracy.ScoreTests(ctx, cases, a, o.Limit)
	if err != nil {
		return err
	}
	if err := writeRanked(o.Ranked, cases); err != nil {
		return err
	}
	return accuracy.WriteFigures(out, figures)
}

// scoreRecords compares what the engine exports with the truth, a table for each language.
func scoreRecords(ctx context.Context, e *engine.Engine, c *Config, truth []accuracy.Record, better string, out io.Writer) error {
	var calls []accuracy.Record
	if better != "" {
		var err error
		if calls, err = accuracy.Read(better); err != nil {
			return err
		}
	}
	export, err := exported(ctx, e)
	if err != nil {
		return err
	}
	text := accuracy.Texts(c.Dir)
	for _, l := range accuracy.Languages(truth) {
		s := accuracy.Score(accuracy.OfLanguage(truth, l), accuracy.OfLanguage(calls, l), accuracy.OfLanguage(export, l), text)
		if err := s.Write(out, c.Tree+", "+l); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	return nil
}

// exported reads what an engine exports.
func exported(ctx context.Context, e *engine.Engine) (out []accuracy.Record, err error) {
	var buf bytes.Buffer
	if err := e.Export(ctx, &buf); err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(&buf); dec.More(); {
		var r accuracy.Record
		if err := dec.Decode(&r); err != nil {
			return nil, fmt.Errorf("read export: %w", err)
		}
		out = append(out, r)
	}
	return out, nil
}

// asker answers cases by an engine.
type asker struct{ e *engine.Engine }

func (a asker) ask(ctx context.Context, q query.Request) (*api.GraphAnswer, map[string]string, error) {
	if q.Type != query.Tests {
		q.Limit = query.MaxLimit
	}
	ans, err := a.e.Graph(ctx, &api.GraphRequest{Request: q})
	if err != nil {
		return nil, nil, err
	}
	at := make(map[string]string, len(ans.Nodes))
	for _, n := range ans.Nodes {
		line := n.Line
		if n.Kind == "file" {
			line = 0 // the body of a module
		}
		at[n.ID] = fmt.Sprintf("%s:%d", n.Path, line)
	}
	at[ans.Metadata.ResolvedID] = q.Target // which is no node of its own answer
	return ans, at, nil
}

func calls() []graph.Relation { return []graph.Relation{graph.CallsSyntax} }

// Neighbors implements accuracy.Asker.
func (a asker) Neighbors(ctx context.Context, fn string) (callers, callees []string, err error) {
	for _, dir := range [...]query.Direction{query.In, query.Out} {
		ans, at, err := a.ask(ctx, query.Request{Type: query.Neighbors, Target: fn, Relations: calls(), Direction: dir})
		if err != nil {
			return nil, nil, err
		}
		for _, ed := range ans.Edges {
			from, to := at[ed.Source], at[ed.Target]
			switch {
			case from == to:
			case dir == query.In && to == fn:
				callers = append(callers, from)
			case dir == query.Out && from == fn:
				callees = append(callees, to)
			}
		}
	}
	return callers, callees, nil
}

// Impact implements accuracy.Asker.
func (a asker) Impact(ctx context.Context, fn string) (out []accuracy.Affected, err error) {
	ans, at, err := a.ask(ctx, query.Request{Type: query.Impact, Target: fn, Relations: calls(), Depth: 3})
	if err != nil {
		return nil, err
	}
	for _, n := range ans.Nodes {
		if n.Distance > 0 {
			out = append(out, accuracy.Affected{Fn: at[n.ID], Dist: n.Distance})
		}
	}
	return out, nil
}

// Path implements accuracy.Asker.
func (a asker) Path(ctx context.Context, from, to string) (out []string, err error) {
	ans, at, err := a.ask(ctx, query.Request{Type: query.Path, Target: from, TargetB: to, Relations: calls(), Direction: query.Out, MaxPaths: 1})
	if err != nil || len(ans.Paths) == 0 {
		return nil, err
	}
	for _, id := range ans.Paths[0] {
		out = append(out, at[id])
	}
	return out, nil
}

// Hubs implements accuracy.Asker.
func (a asker) Hubs(ctx context.Context, n int) (out []string, err error) {
	hubs := query.Request{Type: query.Hubs, Relation: graph.CallsSyntax}
	ans, at, err := a.ask(ctx, hubs)
	for err == nil && ctx.Err() == nil && slices.Contains(ans.MissingData, query.MissingHubsPending) { // they are still being made
		ans, at, err = a.ask(ctx, hubs)
	}
	if err != nil {
		return nil, err
	}
	for _, node := range ans.Nodes[:min(n, len(ans.Nodes))] {
		out = append(out, at[node.ID])
	}
	return out, nil
}

// Tests implements accuracy.Asker.
func (a asker) Tests(ctx context.Context, fn string, n int) (out []accuracy.TestAt, err error) {
	ans, _, err := a.ask(ctx, query.Request{Type: query.Tests, Target: fn, Limit: n})
	if err != nil {
		return nil, err
	}
	for _, t := range ans.SuggestedTests {
		out = append(out, accuracy.TestAt{File: string(t.Path), Line: int(t.Line)})
	}
	return out, nil
}
