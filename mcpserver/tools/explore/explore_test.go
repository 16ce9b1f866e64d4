package explore

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestSchemas(t *testing.T) {
	for file, tl := range map[string]tool.Tool{
		"testdata/graph.schema.json":        tooltest.Must(t)(Graph(nil)),
		"testdata/index_status.schema.json": tooltest.Must(t)(IndexStatus(nil)),
		"testdata/reindex.schema.json":      tooltest.Must(t)(Reindex(nil)),
	} {
		tooltest.Schema(t, file, tl, *update)
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
		var s tooltest.Asked
		if _, err := tooltest.Must(t)(Graph(&s)).Call(t.Context(), json.RawMessage(args)); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.Graphed, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.Graphed, want)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(Graph(&tooltest.Asked{})), map[string]string{
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

func TestGraphSaysTheDepthsOfTheQuestion(t *testing.T) {
	graph := tooltest.Must(t)(Graph(&tooltest.Asked{}))
	for _, q := range []struct {
		kind string
		most int
	}{{"neighbors", 3}, {"path", 6}, {"impact", 100}} {
		for _, depth := range []int{-1, 0, q.most + 1} {
			args := fmt.Sprintf(`{"query_type":%q,"target":"a","target_b":%q,"depth":%d}`, q.kind, map[bool]string{true: "b"}[q.kind == "path"], depth)
			_, err := graph.Call(t.Context(), json.RawMessage(args))
			var e *api.Error
			want := fmt.Sprintf("depth of %s cannot be %d; allowed: 1 to %d", q.kind, depth, q.most)
			if !errors.As(err, &e) || e.Argument != "depth" || e.Message != want || e.Details["minimum"] != 1 || e.Details["maximum"] != q.most {
				t.Errorf("%s: %v, want %s", args, err, want)
			}
		}
	}
	for _, depth := range []int{-1, 0, 2} {
		_, err := graph.Call(t.Context(), json.RawMessage(fmt.Sprintf(`{"query_type":"hubs","depth":%d}`, depth)))
		if err == nil || !strings.Contains(err.Error(), "only to neighbors, path, impact") {
			t.Errorf("hubs of depth %d: %v", depth, err)
		}
	}
}

func TestGraphAnswerHasEveryField(t *testing.T) {
	res, err := tooltest.Must(t)(Graph(&tooltest.Asked{})).Call(t.Context(), json.RawMessage(`{"query_type":"hubs"}`))
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, "nodes", "edges", "paths", "impacted_files", "suggested_tests", "confidence", "provenance",
		"evidence_ids", "missing_data", "index_generation", "is_stale", "truncated", "cancelled", "deadline_exceeded",
		"index_used", "stale_paths_count", "dirty_paths_count", "fallback_reason", "last_sweep_at", "metadata", "query_type")
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
		var s tooltest.Asked
		res, err := tooltest.Must(t)(Reindex(&s)).Call(t.Context(), json.RawMessage(args))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.Reindexed, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.Reindexed, want)
		}
		if s.Steps != nil {
			t.Errorf("%s: progress was asked for, and nobody listens", args)
		}
		tooltest.Fields(t, res, "job_id", "job_status", "generation", "changed_files", "failed_files", "parse_count",
			"dirty_paths_count", "elapsed_seconds", "error_summary", "cancelled")
	}
	tooltest.Refuses(t, tooltest.Must(t)(Reindex(&tooltest.Asked{})), map[string]string{
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
	var s tooltest.Asked
	var got []api.Progress
	ctx := tool.WithProgress(t.Context(), func(p api.Progress) { got = append(got, p) })
	if _, err := tooltest.Must(t)(Reindex(&s)).Call(ctx, json.RawMessage(`{"mode":"changed"}`)); err != nil {
		t.Fatal(err)
	}
	s.Steps(api.Progress{Stage: "parse", Done: 1})
	if len(got) != 1 {
		t.Errorf("steps did not reach the listener: %v", got)
	}
}

func TestStatus(t *testing.T) {
	tl := tooltest.Must(t)(IndexStatus(&tooltest.Asked{}))
	res, err := tl.Call(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, "enabled", "index_exists", "generation", "indexed_at", "files_indexed", "files_stale", "last_job",
		"capabilities", "graph_backend", "dirty_paths_count", "cold_index_required", "last_refresh_kind", "is_stale",
		"stale_paths_count", "index_storage_bytes", "gitignore_coverage", "managed_ignore_rule_present",
		"managed_ignore_rule_repair", "files_partial", "failed_files", "odd_files")
	tooltest.Refuses(t, tl, map[string]string{`{"verbose":true}`: "verbose"})
}
