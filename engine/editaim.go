package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/edit"
	"github.com/ralph-index/ralph-index/engine/evidence"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// aim is the part of a file that edits may touch.
type aim struct {
	id    string // as the caller gave it, or the span that it stands for now
	ask   string // what the graph is asked about
	lines edit.Lines
	hash  string // of the bytes that the lines are of
}

// takeAim finds the lines of the target. Whoever has the index opens it, as a read of
// the same id or name would.
func (e *editing) takeAim(ctx context.Context) error {
	t := e.req.Target
	if t == nil {
		return nil
	}
	if !e.root.Index {
		return invalid("target", "target works in the workspace only, and path lies in another root; leave target out")
	}
	read := api.ReadRequest{
		EvidenceID: t.EvidenceID, SpanID: t.SpanID, Symbol: t.Symbol,
		ExpectedContentHash: e.req.ExpectedContentHash, ReturnMetadata: true, MaxBytes: 1,
	}
	if t.Path != "" {
		if _, at, err := e.l.resolve("target", t.Path); err != nil || at != e.path {
			return e.mismatch(t.Path)
		}
	}
	ans, err := e.open(ctx, &read)
	if err != nil {
		return targetOf(err)
	}
	if ans.Path != string(e.real) {
		return e.mismatch(ans.Path)
	}
	id := t.EvidenceID + t.SpanID
	if id == "" {
		id = ans.SpanID
	}
	ask := id
	if t.Symbol != "" {
		ask = read.Symbol
	}
	e.aim = &aim{id: id, ask: ask, lines: edit.Lines{From: int(ans.StartLine), To: int(ans.EndLine)}, hash: ans.ContentHash}
	return nil
}

// mismatch says that the target is in another file.
func (e *editing) mismatch(path string) error {
	return &api.Error{
		Code: api.CodeAmbiguousTarget, Argument: "target",
		Message: fmt.Sprintf("the target is in %q, and path is %q; edit the one that is meant", clipPath(path), clipPath(e.req.Path)),
		Details: map[string]any{"reason": "target_path_mismatch", "target_path": clipPath(path), "edit_path": clipPath(e.req.Path)},
	}
}

// open opens the target. Of several definitions of a name that is meant which is in
// the file.
func (e *editing) open(ctx context.Context, read *api.ReadRequest) (*api.ReadAnswer, error) {
	name := read.Symbol
	if _, isID := graph.ParseID(name); name == "" || isID {
		return e.index.Read(ctx, read)
	}
	read.Symbol = string(e.real) + "#" + name
	ans, err := e.index.Read(ctx, read)
	var known *api.Error
	if !errors.As(err, &known) || known.Code != api.CodeUnknownEvidence && known.Code != api.CodeInvalidParams {
		return ans, err
	}
	read.Symbol = name
	return e.index.Read(ctx, read)
}

// targetOf says of an error that the target is at fault.
func targetOf(err error) error {
	var known *api.Error
	if !errors.As(err, &known) || known.Argument == "expected_content_hash" {
		return err
	}
	out := *known
	out.Argument = "target"
	return &out
}

// moved says that the file is not what it was when the target was opened.
func (e *editing) moved(now string) error {
	err := stale(e.req.Path, evidence.ContentChanged, e.aim.hash, now)
	var known *api.Error
	if errors.As(err, &known) {
		known.Argument = "target"
		known.Details["resolved_content_hash"] = e.aim.hash
	}
	return err
}

const (
	mostAsked    = 5 // definitions that the graph is asked about
	impactLimit  = 25
	impactMillis = 3000
)

// impact asks what the edits may reach: through the target, or, without one, through
// the definitions that they stand in.
func (e *editing) impact(ctx context.Context, ans *api.EditAnswer) {
	out := &api.ImpactPreview{
		Available: true, ImpactedFiles: []graph.Path{}, SuggestedTests: []query.SuggestedTest{}, MissingData: []query.Word{},
	}
	ans.ImpactPreview = out
	unavailable := func(why string) {
		*out = api.ImpactPreview{
			Reason: why, ImpactedFiles: []graph.Path{}, SuggestedTests: []query.SuggestedTest{}, MissingData: []query.Word{},
			IsStale: out.IsStale, IndexGeneration: out.IndexGeneration,
		}
		ans.ImpactUnavailable, ans.ImpactReason = true, why
	}
	targets := e.asked()
	if len(targets) == 0 {
		unavailable("no_symbol_target_for_impact")
		return
	}
	for _, target := range targets {
		req := &api.GraphRequest{TimeoutMS: impactMillis}
		req.Type, req.Target, req.Limit = query.Impact, target, impactLimit
		got, err := e.index.Graph(ctx, req)
		switch {
		case err != nil:
			unavailable("impact_query_failed")
			return
		case !got.IndexUsed:
			unavailable("no_explore_index_handle")
			return
		}
		out.IsStale, out.IndexGeneration = out.IsStale || got.IsStale, got.IndexGeneration
		if unresolved(&got.Answer) {
			continue
		}
		out.Targets = append(out.Targets, target)
		out.Truncated = out.Truncated || got.Truncated
		out.ImpactedFiles = union(out.ImpactedFiles, got.ImpactedFiles, func(p graph.Path) string { return string(p) })
		out.SuggestedTests = union(out.SuggestedTests, got.SuggestedTests, func(t query.SuggestedTest) string { return t.ID })
		out.MissingData = union(out.MissingData, got.MissingData, func(w query.Word) string { return string(w) })
	}
	if len(out.Targets) == 0 {
		unavailable("no_symbol_id_for_impact")
	}
}

// asked lists what the graph is asked about.
func (e *editing) asked() []string {
	if e.aim != nil {
		return []string{e.aim.ask}
	}
	if !e.root.Index {
		return nil
	}
	var out []string
	for _, c := range e.res.Changes {
		line := clampLines(c.BeforeLines, edit.CountLines(e.before)).From
		if line == 0 || len(out) == mostAsked {
			break
		}
		out = append(out, fmt.Sprintf("%s:%d", e.real, line))
	}
	return out
}

// union adds what is not there yet.
func union[T any](to, from []T, key func(T) string) []T {
	seen := map[string]bool{}
	for _, v := range to {
		seen[key(v)] = true
	}
	for _, v := range from {
		if k := key(v); !seen[k] {
			seen[k] = true
			to = append(to, v)
		}
	}
	return to
}
