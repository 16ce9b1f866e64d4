package explore

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

var update = flag.Bool("update", false, "rewrite golden files")

// asked is a service that keeps the question and answers with zero values, as a
// careless one would.
type asked struct {
	api.Service
	graph   *api.GraphRequest
	reindex *api.ReindexRequest
	steps   func(api.Progress)
}

func (s *asked) Graph(_ context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	s.graph = req
	return &api.GraphAnswer{}, nil
}

func (s *asked) Reindex(_ context.Context, req *api.ReindexRequest, steps func(api.Progress)) (*api.ReindexAnswer, error) {
	s.reindex, s.steps = req, steps
	return &api.ReindexAnswer{}, nil
}

func (s *asked) Status(context.Context) (*api.Status, error) { return &api.Status{}, nil }

func must(t *testing.T) func(tool.Tool, error) tool.Tool {
	return func(tl tool.Tool, err error) tool.Tool {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tl
	}
}

func TestSchemas(t *testing.T) {
	for file, tl := range map[string]tool.Tool{
		"testdata/graph.schema.json":        must(t)(Graph(nil)),
		"testdata/index_status.schema.json": must(t)(IndexStatus(nil)),
		"testdata/reindex.schema.json":      must(t)(Reindex(nil)),
	} {
		golden(t, file, tl.Schema())
	}
}

func golden(t *testing.T, file string, schema json.RawMessage) {
	t.Helper()
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	// Indented by hand, to keep the written order.
	got := strings.ReplaceAll(string(schema), `},"`, "},\n\"") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and review:\n%s", file, got)
	}
}

func TestGraphPassesEveryArgument(t *testing.T) {
	for args, want := range map[string]api.GraphRequest{
		`{"query_type":"neighbors","target":"a"}`: {
			Request:   query.Request{Type: query.Neighbors, Target: "a", Limit: 25},
			Freshness: api.PreferFresh, TimeoutMS: 5000,
		},
		`{"query_type":"neighbors","target":"a","direction":"in","depth":3,"relations":["calls_syntax"],"limit":100,"freshness":"required","timeout_ms":30000,"cancel":true}`: {
			Request: query.Request{
				Type: query.Neighbors, Target: "a", Limit: 100, Direction: query.In, Depth: 3,
				Relations: []graph.Relation{graph.CallsSyntax},
			},
			Freshness: api.Required, TimeoutMS: 30000, Cancel: true,
		},
		`{"query_type":"path","target":"a","target_b":"b","depth":6,"max_paths":10,"timeout_ms":1}`: {
			Request:   query.Request{Type: query.Path, Target: "a", TargetB: "b", Limit: 25, Depth: 6, MaxPaths: 10},
			Freshness: api.PreferFresh, TimeoutMS: 1,
		},
		`{"query_type":"path","target":"a"}`: { // the answer says target_b_required
			Request:   query.Request{Type: query.Path, Target: "a", Limit: 25},
			Freshness: api.PreferFresh, TimeoutMS: 5000,
		},
		`{"query_type":"impact","target":"a","change_kind":"rename","depth":40,"limit":1}`: {
			Request:   query.Request{Type: query.Impact, Target: "a", Limit: 1, Depth: 40, ChangeKind: query.ChangeRename},
			Freshness: api.PreferFresh, TimeoutMS: 5000,
		},
		`{"query_type":"hubs","scope_path":"./src//x/","relation":"imports","role":"source"}`: {
			Request: query.Request{
				Type: query.Hubs, Limit: 25, ScopePath: "src/x", Relation: graph.Imports, Role: graph.RoleSource,
			},
			Freshness: api.PreferFresh, TimeoutMS: 5000,
		},
		// What brokers fill in says nothing.
		`{"query_type":"tests","target":"a","target_b":"","depth":1,"max_paths":3,"direction":"both","change_kind":"unknown","scope_path":".","role":"any","relations":[]}`: {
			Request: query.Request{
				Type: query.Tests, Target: "a", Limit: 25, MaxPaths: 3, Direction: query.Both,
				ChangeKind: query.ChangeUnknown, Relations: []graph.Relation{},
			},
			Freshness: api.PreferFresh, TimeoutMS: 5000,
		},
	} {
		var s asked
		if _, err := must(t)(Graph(&s)).Call(t.Context(), json.RawMessage(args)); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.graph, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.graph, want)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	refusals(t, must(t)(Graph(&asked{})), map[string]string{
		`{}`:                                    "query_type",
		`{"query_type":"callers","target":"a"}`: "query_type",
		`{"query_type":"neighbors"}`:            "target",
		`{"query_type":"impact","target":""}`:   "target",
		`{"query_type":"neighbors","target":"a","limit":0}`:                  "limit",
		`{"query_type":"neighbors","target":"a","limit":101}`:                "limit",
		`{"query_type":"neighbors","target":"a","limit":"abc"}`:              "limit",
		`{"query_type":"neighbors","target":"a","depth":4}`:                  "depth",
		`{"query_type":"path","target":"a","target_b":"b","depth":7}`:        "depth",
		`{"query_type":"impact","target":"a","depth":101}`:                   "depth",
		`{"query_type":"neighbors","target":"a","depth":-1}`:                 "depth",
		`{"query_type":"neighbors","target":"a","depth":0}`:                  "depth",
		`{"query_type":"path","target":"a","target_b":"b","max_paths":0}`:    "max_paths",
		`{"query_type":"tests","target":"a","depth":2}`:                      "depth",
		`{"query_type":"path","target":"a","target_b":"b","max_paths":11}`:   "max_paths",
		`{"query_type":"neighbors","target":"a","relations":["calls"]}`:      "relations",
		`{"query_type":"neighbors","target":"a","relations":"imports"}`:      "relations",
		`{"query_type":"neighbors","target":"a","direction":"up"}`:           "direction",
		`{"query_type":"impact","target":"a","direction":"in"}`:              "direction",
		`{"query_type":"impact","target":"a","change_kind":"move"}`:          "change_kind",
		`{"query_type":"neighbors","target":"a","change_kind":"rename"}`:     "change_kind",
		`{"query_type":"impact","target":"a","target_b":"b"}`:                "target_b",
		`{"query_type":"impact","target":"a","scope_path":"src"}`:            "scope_path",
		`{"query_type":"hubs","scope_path":"../x"}`:                          "scope_path",
		`{"query_type":"hubs","scope_path":"/etc"}`:                          "scope_path",
		`{"query_type":"hubs","role":"tests"}`:                               "role",
		`{"query_type":"hubs","relation":"calls"}`:                           "relation",
		`{"query_type":"hubs","relation":"imports","relations":["imports"]}`: "relation",
		`{"query_type":"hubs","target":"a"}`:                                 "target",
		`{"query_type":"hubs","freshness":"fresh"}`:                          "freshness",
		`{"query_type":"hubs","timeout_ms":0}`:                               "timeout_ms",
		`{"query_type":"hubs","timeout_ms":30001}`:                           "timeout_ms",
		`{"query_type":"hubs","timeout_ms":2.5}`:                             "timeout_ms",
		`{"query_type":"hubs","cancel":"maybe"}`:                             "cancel",
		`{"query_type":"neighbors","target":"a","maxDepth":2}`:               "maxDepth",
		`{"query_type":"neighbors","target":7}`:                              "target",
		`{"query_type":"neighbors","target":"a","max_depth":2,"depth":2}`:    "depth",
		`{"query_type":"path","target":"a","target_b":"b","direction":"in"}`: "direction",
	})
}

func refusals(t *testing.T, tl tool.Tool, cases map[string]string) {
	t.Helper()
	for args, argument := range cases {
		_, err := tl.Call(t.Context(), json.RawMessage(args))
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.CodeInvalidParams || e.Argument != argument {
			t.Errorf("%s: got %v, want invalid_params for %s", args, err, argument)
			continue
		}
		if !strings.Contains(e.Message, argument) {
			t.Errorf("%s: message does not name %s: %s", args, argument, e.Message)
		}
	}
}

func TestGraphAnswerHasEveryField(t *testing.T) {
	res, err := must(t)(Graph(&asked{})).Call(t.Context(), json.RawMessage(`{"query_type":"hubs"}`))
	if err != nil {
		t.Fatal(err)
	}
	hasFields(t, res, "nodes", "edges", "paths", "impacted_files", "suggested_tests", "confidence", "provenance",
		"evidence_ids", "missing_data", "index_generation", "is_stale", "truncated", "cancelled", "deadline_exceeded",
		"index_used", "stale_paths_count", "dirty_paths_count", "fallback_reason", "last_sweep_at", "metadata", "query_type")
}

// hasFields checks that fields are there, and that nothing but fallback_reason
// and what may be absent by contract is null.
func hasFields(t *testing.T, res tool.Result, fields ...string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal(res.JSON, &got); err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		if _, ok := got[f]; !ok {
			t.Errorf("no field %s in %s", f, res.JSON)
		}
	}
	nullable := map[string]bool{"fallback_reason": true, "error_summary": true, "indexed_at": true, "last_job": true}
	for f, v := range got {
		if string(v) == "null" && !nullable[f] {
			t.Errorf("field %s is null", f)
		}
	}
}

func TestReindex(t *testing.T) {
	for args, want := range map[string]api.ReindexRequest{
		`{"mode":"changed"}`: {Mode: api.ReindexChanged, TimeoutMS: 5000},
		`{"mode":"full","timeout_ms":"60000","path_scope":["src/","./a.go"],"cancel":true}`: {
			Mode: api.ReindexFull, TimeoutMS: 60000, Scope: []string{"src/", "./a.go"}, Cancel: true,
		},
		`{"mode":"changed","path_scope":[]}`:          {Mode: api.ReindexChanged, TimeoutMS: 5000},
		`{"mode":"changed","path_scope":["src","."]}`: {Mode: api.ReindexChanged, TimeoutMS: 5000},
		`{"mode":"changed","paths":["src"]}`:          {Mode: api.ReindexChanged, TimeoutMS: 5000, Scope: []string{"src"}},
	} {
		var s asked
		res, err := must(t)(Reindex(&s)).Call(t.Context(), json.RawMessage(args))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.reindex, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.reindex, want)
		}
		if s.steps != nil {
			t.Errorf("%s: progress was asked for, and nobody listens", args)
		}
		hasFields(t, res, "job_id", "job_status", "generation", "changed_files", "failed_files", "parse_count",
			"dirty_paths_count", "elapsed_seconds", "error_summary", "cancelled")
	}
	refusals(t, must(t)(Reindex(&asked{})), map[string]string{
		`{}`:                                      "mode",
		`{"mode":"all"}`:                          "mode",
		`{"mode":"full","timeout_ms":60001}`:      "timeout_ms",
		`{"mode":"full","timeout_ms":true}`:       "timeout_ms",
		`{"mode":"full","path_scope":"src"}`:      "path_scope",
		`{"mode":"full","path_scope":["../x"]}`:   "path_scope",
		`{"mode":"full","path_scope":["/etc"]}`:   "path_scope",
		`{"mode":"full","path_scope":["a",null]}`: "path_scope",
		`{"mode":"full","scope":["a"]}`:           "scope",
	})
}

func TestReindexReportsToWhoeverListens(t *testing.T) {
	var s asked
	var got []api.Progress
	ctx := tool.WithProgress(t.Context(), func(p api.Progress) { got = append(got, p) })
	if _, err := must(t)(Reindex(&s)).Call(ctx, json.RawMessage(`{"mode":"changed"}`)); err != nil {
		t.Fatal(err)
	}
	s.steps(api.Progress{Stage: "parse", Done: 1})
	if len(got) != 1 {
		t.Errorf("steps did not reach the listener: %v", got)
	}
}

func TestStatus(t *testing.T) {
	tl := must(t)(IndexStatus(&asked{}))
	res, err := tl.Call(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hasFields(t, res, "enabled", "index_exists", "generation", "indexed_at", "files_indexed", "files_stale", "last_job",
		"capabilities", "graph_backend", "dirty_paths_count", "cold_index_required", "last_refresh_kind", "is_stale",
		"stale_paths_count", "index_storage_bytes", "gitignore_coverage", "managed_ignore_rule_present",
		"managed_ignore_rule_repair", "files_partial", "failed_files", "odd_files")
	refusals(t, tl, map[string]string{`{"verbose":true}`: "verbose"})
}
