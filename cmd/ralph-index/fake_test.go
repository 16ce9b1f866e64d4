package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// fake is an engine with canned answers, which keeps what it was asked.
type fake struct {
	api.Files  // nil: not asked
	api.Lister // likewise
	api.Changes

	graph   *api.GraphRequest
	grep    *api.GrepRequest
	gaveUp  []api.Place
	read    *api.ReadRequest
	reindex *api.ReindexRequest
	opened  engine.Options
	closed  bool

	err     error                  // returned by everything
	empty   bool                   // find nothing
	late    bool                   // run out of time
	damaged bool                   // say so when opened
	adjust  func(*api.GraphAnswer) // changes what a question gets
	status  api.Status
	skipped map[string]int // paths that a search leaves out
	job     api.ReindexAnswer
}

func (f *fake) Close(context.Context) error { f.closed = true; return nil }

func (f *fake) Status(context.Context) (*api.Status, error) { st := f.status; return &st, f.err }

func (f *fake) Reindex(ctx context.Context, req *api.ReindexRequest, _ func(api.Progress)) (*api.ReindexAnswer, error) {
	f.reindex = req
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	job := f.job
	return &job, f.err
}

func (f *fake) Graph(_ context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	f.graph = req
	if f.err != nil {
		return nil, f.err
	}
	ans := f.answer(req)
	if f.adjust != nil {
		f.adjust(ans)
	}
	return ans, nil
}

func (f *fake) answer(req *api.GraphRequest) *api.GraphAnswer {
	ans := &api.GraphAnswer{Answer: query.Answer{Type: req.Type}}
	if f.empty {
		ans.MissingData = []query.Word{query.MissingTarget}
		if f.late {
			ans.MissingData = append(ans.MissingData, query.MissingDeadline)
		}
		return ans
	}
	ans.Nodes = []query.Node{
		{ID: "s:a", Kind: "function", Label: "pkg.A", Path: "pkg/a.go", Line: 3, EvidenceIDs: []string{"sp:a"}, Distance: 1, Score: 2.5},
		{ID: "s:b", Kind: "method", Label: "pkg.(*T).B", Path: "pkg/b.go", Line: 7},
	}
	ans.Edges = []query.Edge{{
		Source: "s:b", Target: "s:a", Relation: graph.CallsSyntax, Path: "pkg/b.go", Line: 8, Col: 2, Confidence: 0.9,
		Provenance: graph.Inferred, Reason: graph.ReasonDeclared, EvidenceID: "e:x",
	}}
	ans.Paths = [][]string{{"s:b", "s:a"}}
	ans.SuggestedTests = []query.SuggestedTest{{Path: "pkg/a_test.go", Name: "pkg.TestA", Line: 5, Confidence: 0.8, Reasons: []string{"calls it"}}}
	ans.Truncated = true
	ans.MissingData = []query.Word{query.MissingDynamic}
	if f.late {
		ans.MissingData = append(ans.MissingData, query.MissingDeadline)
	}
	ans.Metadata.Missing = []query.Missing{{Word: query.MissingDynamic, Count: 4}}
	return ans
}

func (f *fake) Grep(_ context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	f.grep = req
	if f.err != nil {
		return nil, f.err
	}
	ans := &api.GrepAnswer{Pattern: req.Pattern, Deadline: f.late, GaveUp: f.gaveUp}
	ans.Skipped = f.skipped
	for _, n := range f.skipped {
		ans.SkippedFiles += n
	}
	if f.empty {
		return ans, nil
	}
	if req.FilesOnly {
		ans.Files = []graph.Path{"a.go", "odd\nname.go"}
		return ans, nil
	}
	ans.Matches = []api.Match{{Path: "a.go", Line: 2, Col: 5, Text: "x\x1b[31m := 1"}}
	if req.GraphContext {
		ans.GraphContext = []api.GraphContext{{EvidenceID: "sp:a", Symbol: "pkg.A", Path: "a.go", StartLine: 1, EndLine: 4, Callers: []string{"pkg.B"}, Tests: []string{"pkg.TestA"}}}
	}
	if req.ContextBefore > 0 {
		ans.Matches[0].ContextBefore = []string{"before"}
		ans.Matches[0].ContextAfter = []string{"after"}
	}
	return ans, nil
}

func (f *fake) Read(_ context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	f.read = req
	if f.err != nil {
		return nil, f.err
	}
	switch {
	case req.LineStart > 9:
		return &api.ReadAnswer{Mode: api.ReadLines, Path: "a.go", TotalLines: 9}, nil
	case req.Path == "":
		return &api.ReadAnswer{Mode: api.ReadIndexed, Path: "a.go", Content: "func A\n", StartLine: 3, EndLine: 4}, nil
	case req.LineStart > 0 || req.Head > 0:
		return &api.ReadAnswer{Mode: api.ReadLines, Path: "a.go", Content: "line\n", TotalLines: 9, ReturnedLines: 1}, nil
	}
	return &api.ReadAnswer{Mode: api.ReadWhole, Path: "a.go", Content: "whole\n", ContentHash: "ff"}, nil
}

func (f *fake) Export(_ context.Context, w io.Writer) error {
	if f.err != nil {
		return f.err
	}
	_, err := io.WriteString(w, "{\"kind\":\"definition\"}\n")
	return err
}

// outcome is what a command line did.
type outcome struct {
	code           int
	stdout, stderr string
}

// runWith runs a command line in a new workspace, on a fake engine.
func runWith(t *testing.T, f *fake, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	return runIn(t.Context(), t, f, dir, args...)
}

func runIn(ctx context.Context, t *testing.T, f *fake, dir string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, env{
		stdin: strings.NewReader(`{"mode":"changed"}`), stdout: &stdout, stderr: &stderr, cwd: dir,
		getenv: func(string) string { return "" },
		open: func(_ context.Context, opts engine.Options) (service, error) {
			f.opened = opts
			if f.damaged {
				opts.Damaged(errors.New("garbled"))
			}
			return f, nil
		},
		executable: func() (string, error) { return "/bin/ralph-index", nil },
	})
	if f.opened.Workspace != "" && !f.closed {
		t.Errorf("%v left the engine open", args)
	}
	return outcome{code, stdout.String(), stderr.String()}
}
