package mcpserver

import (
	"context"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/session"
)

// canned is a service with one answer to each question.
type canned struct{ api.Service }

func (canned) Graph(_ context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if req.Target == "Run" {
		return nil, &api.Error{
			Code: api.CodeAmbiguousSymbol, Message: "2 definitions match Run", Argument: "target",
			Details: map[string]any{"candidates": []string{"a.Run", "b.Run"}},
		}
	}
	node := query.Node{
		ID: "s:abc", Kind: "function", Label: "pkg.F", Path: "pkg/f.go", Line: 3, EndLine: 9, Confidence: 1,
		Provenance: graph.Extracted, EvidenceIDs: []string{"sp:abc"},
	}
	return &api.GraphAnswer{
		Answer: query.Answer{
			Type: req.Type, Nodes: []query.Node{node}, Confidence: 1, Provenance: graph.Extracted, EvidenceIDs: []string{"sp:abc"},
			MissingData: []query.Word{query.MissingDynamic}, Metadata: query.Metadata{Target: req.Target, Limit: req.Limit},
		},
		Freshness: api.Freshness{IndexUsed: true, IndexGeneration: 7},
	}, nil
}

func (canned) Grep(_ context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return &api.GrepAnswer{
		Pattern: req.Pattern, Base: req.Path, Matches: []api.Match{{Path: "a.go", Line: 2, Col: 5, Text: "x := <-c"}},
		RankedBy: req.RankBy, Freshness: api.Freshness{IndexUsed: true, IndexGeneration: 7},
	}, nil
}

func (canned) Read(_ context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	switch {
	case req.Path == "logo.png":
		return nil, &api.Error{
			Code: api.CodeBinary, Message: "logo.png is not UTF-8 text",
			Details: map[string]any{"path": "logo.png", "error": "utf-8 decode failed at byte 128", "byte_offset": 128},
		}
	case req.EvidenceID != "":
		return nil, &api.Error{
			Code: api.CodeStaleEvidence, Message: "a.go has changed", Argument: "evidence_id",
			Details: map[string]any{"path": "a.go", "reason": "content_changed", "current_content_hash": "ff"},
		}
	case req.Head > 0:
		return &api.ReadAnswer{Mode: api.ReadLines, Path: req.Path, Content: "one\n", TotalLines: 2, ReturnedLines: 1, Truncated: true}, nil
	}
	return &api.ReadAnswer{Mode: api.ReadWhole, Path: req.Path, Content: "one\ntwo\n"}, nil
}

func (canned) Reindex(_ context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	if progress != nil {
		progress(api.Progress{Stage: "walk", Done: 2})
		progress(api.Progress{Stage: "parse", Done: 2, Total: 2})
	}
	return &api.ReindexAnswer{JobID: "j1", JobStatus: api.JobOK, Generation: 8, ChangedFiles: []graph.Path{"a.go"}, ChangedCount: 1}, nil
}

func (canned) Status(context.Context) (*api.Status, error) {
	return &api.Status{Enabled: true, IndexExists: true, Generation: 8, GraphBackend: "badger", LastRefreshKind: "none"}, nil
}

// TestWire replays each conversation: lines that begin with "> " are sent, and
// what comes back up to the answer is compared with the lines that begin "< ".
func TestWire(t *testing.T) {
	const file = "testdata/wire.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			s, err := New(Options{Service: canned{}, Drain: session.Development, Version: "1.0.0"})
			if err != nil {
				t.Fatal(err)
			}
			w := connect(t, s)
			var b strings.Builder
			for line := range strings.Lines(string(f.Data)) {
				sent, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
				if !ok {
					continue
				}
				b.WriteString("> " + sent + "\n")
				w.send(sent)
				if !strings.Contains(sent, `"id"`) {
					continue // a notification
				}
				for {
					r := w.read()
					b.WriteString("< " + r.line + "\n")
					if r.Method == "" {
						break
					}
				}
			}
			if got := b.String(); got != string(f.Data) {
				if !*update {
					t.Errorf("run with -update and review. Got:\n%s", got)
				}
				archive.Files[i].Data = []byte(got)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
