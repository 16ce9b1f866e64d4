package filewrite

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

func editTool(t *testing.T, s api.Service) tool.Tool {
	t.Helper()
	return tooltest.Must(t)(EditFile(s))
}

func TestEditSchema(t *testing.T) {
	tl := editTool(t, nil)
	tooltest.Schema(t, "testdata/edit_file.schema.json", tl, *update)
	if n := len(tl.Spec().Description) / 4; n > 120 {
		t.Errorf("the description has %d tokens", n)
	}
}

func TestEditRequests(t *testing.T) {
	pair := func(old, replacement string) []api.TextEdit {
		return []api.TextEdit{{OldText: old, NewText: replacement}}
	}
	plain := api.EditRequest{Path: "a", Edits: pair("x", "y"), MatchStrategy: api.MatchExact, Reindex: api.ReindexAuto}
	with := func(change func(*api.EditRequest)) api.EditRequest {
		r := plain
		change(&r)
		return r
	}
	for args, want := range map[string]api.EditRequest{
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}]}`:                          plain,
		`{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}`:               plain,
		`{"path":"a","edits":"[{\"old_text\":\"x\",\"new_text\":\"y\"}]"}`:              plain,
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"target":{}}`:              plain,
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"target":null}`:            plain,
		`{"path":"a","edits":[{"oldText":"x"}]}`:                                        with(func(r *api.EditRequest) { r.Edits = pair("x", "") }),
		`{"path":"a","edits":[{"oldText":"x","newText":null}]}`:                         with(func(r *api.EditRequest) { r.Edits = pair("x", "") }),
		`{"path":"a","edits":[{"oldText":" \r\n\t","newText":"é"}]}`:                    with(func(r *api.EditRequest) { r.Edits = pair(" \r\n\t", "é") }),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"y"}]}`:          with(func(r *api.EditRequest) { r.Edits = append(pair("x", "y"), pair("y", "")...) }),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dry_run":"true"}`:         with(func(r *api.EditRequest) { r.DryRun = true }),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"reindex":"skip"}`:         with(func(r *api.EditRequest) { r.Reindex = api.ReindexSkip }),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"reindex":"auto"}`:         plain,
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dry_run":null}`:           plain,
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"match_strategy":"exact"}`: plain,
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"expected_content_hash":"ff","return_evidence_updates":true}`: with(func(r *api.EditRequest) {
			r.ExpectedContentHash, r.ReturnEvidenceUpdates = "ff", true
		}),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dry_run":true,"impact_preview":true}`: with(func(r *api.EditRequest) {
			r.DryRun, r.ImpactPreview = true, true
		}),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"target":{"symbol":"F","path":"a"},"match_strategy":"within_target"}`: with(func(r *api.EditRequest) {
			r.Target, r.MatchStrategy = &api.EditTarget{Symbol: "F", Path: "a"}, api.MatchWithin
		}),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"target":"{\"span_id\":\"sp:1\",\"symbol\":\"\"}","match_strategy":"all_in_target"}`: with(func(r *api.EditRequest) {
			r.Target, r.MatchStrategy = &api.EditTarget{SpanID: "sp:1"}, api.MatchAll
		}),
		`{"path":"a","edits":[{"oldText":"x","newText":"y"}],"target":{"evidence_id":"e:1"},"reindex":"changed_blocking"}`: with(func(r *api.EditRequest) {
			r.Target, r.Reindex = &api.EditTarget{EvidenceID: "e:1"}, api.ReindexBlocking
		}),
	} {
		var s tooltest.Asked
		if _, err := editTool(t, &s).Call(t.Context(), json.RawMessage(args)); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.Edited, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.Edited, want)
		}
	}
}

func TestEditRefuses(t *testing.T) {
	const ok = `"path":"a","edits":[{"oldText":"x","newText":"y"}]`
	var s tooltest.Asked
	tooltest.Refuses(t, editTool(t, &s), map[string]string{
		`{}`:                                                 "path",
		`{"path":"a"}`:                                       "edits",
		`{"path":"a","edits":null}`:                          "edits",
		`{"path":"a","edits":[]}`:                            "edits",
		`{"path":"a","edits":"x"}`:                           "edits",
		`{"path":"a","edits":{"oldText":"x"}}`:               "edits",
		`{"path":"a","edits":["x"]}`:                         "edits",
		`{"path":"a","edits":[null]}`:                        "edits",
		`{"path":"a","edits":[{}]}`:                          "edits",
		`{"path":"a","edits":[{"oldText":""}]}`:              "edits",
		`{"path":"a","edits":[{"oldText":5}]}`:               "edits",
		`{"path":"a","edits":[{"newText":"x"}]}`:             "edits",
		`{"path":"a","edits":[{"oldText":"x","newText":5}]}`: "edits",
		`{"path":"a","edits":[{"oldText":"x"},{"oldText":"x","newtext":"y"}]}`:                  "edits",
		`{"path":"a","edits":[{"oldText":"x","old_string":"y"}]}`:                               "edits",
		`{"path":"a","edits":[` + strings.Repeat(`{"oldText":"x"},`, 500) + `{"oldText":"x"}]}`: "edits",
		`{"path":"a","edits":[{"oldText":"` + strings.Repeat("x", maxContent+1) + `"}]}`:        "edits",
		`{` + ok + `,"target":5}`:                                                   "target",
		`{` + ok + `,"target":[]}`:                                                  "target",
		`{` + ok + `,"target":"F"}`:                                                 "target",
		`{` + ok + `,"target":{"name":"F"}}`:                                        "target",
		`{` + ok + `,"target":{"symbol":5}}`:                                        "target",
		`{` + ok + `,"target":{"path":"a"}}`:                                        "target",
		`{` + ok + `,"target":{"symbol":"F","span_id":"sp:1"}}`:                     "target",
		`{` + ok + `,"target":{"symbol":"F","evidence_id":"e:1","span_id":"sp:1"}}`: "target",
		`{` + ok + `,"match_strategy":"fuzzy"}`:                                     "match_strategy",
		`{` + ok + `,"match_strategy":"within_target"}`:                             "match_strategy",
		`{` + ok + `,"match_strategy":"all_in_target"}`:                             "match_strategy",
		`{` + ok + `,"reindex":"full"}`:                                             "reindex",
		`{` + ok + `,"impact_preview":true}`:                                        "impact_preview",
		`{` + ok + `,"impact_preview":true,"dry_run":false}`:                        "impact_preview",
		`{` + ok + `,"dry_run":"yes"}`:                                              "dry_run",
		`{` + ok + `,"return_evidence_updates":1}`:                                  "return_evidence_updates",
		`{` + ok + `,"expected_content_hash":5}`:                                    "expected_content_hash",
		`{` + ok + `,"replace_all":true}`:                                           "replace_all",
	})
	if s.Edited != nil {
		t.Errorf("the service was asked %+v", s.Edited)
	}
}

func TestEditShapes(t *testing.T) {
	written, untouched := int64(7), int64(0)
	block := `"index_used":true,"index_generation":3,"is_stale":true,"stale_paths_count":0,"dirty_paths_count":1,` +
		`"reindex_in_progress":false,"fallback_reason":null,"last_sweep_at":0,"changed_paths":["a"]`
	fresh := &api.Freshness{IndexUsed: true, IndexGeneration: 3, DirtyPathsCount: 1, IsStale: true}
	for name, c := range map[string]struct {
		ans  api.EditAnswer
		want string
	}{
		"applied": {
			api.EditAnswer{
				Status: api.EditApplied, Path: "a", Diff: "<d>", EditsApplied: 2, BytesWritten: &written, ContentHash: "ff",
				OtherMatches: []api.OtherMatches{{EditIndex: 1, Line: 4, Replaced: 1, Others: 2}}, Freshness: fresh, ChangedPaths: []string{"a"},
			},
			`{"status":"applied","path":"a","diff":"<d>","edits_applied":2,"bytes_written":7,"content_hash":"ff",` +
				`"other_matches":[{"edit_index":1,"line":4,"replaced":1,"others":2}],` + block + `}`,
		},
		"without an index": {
			api.EditAnswer{Status: api.EditApplied, Path: "a", EditsApplied: 1, BytesWritten: &untouched, ContentHash: "ff", HardLinks: 2},
			`{"status":"applied","path":"a","diff":"","edits_applied":1,"bytes_written":0,"content_hash":"ff","hard_links":2}`,
		},
		"updates": {
			api.EditAnswer{
				Status: api.EditPreview, Path: "a", Diff: "d", EditsApplied: 1, ContentHash: "ff",
				EvidenceUpdates: &api.EvidenceUpdates{
					PreviousContentHash: "ee", ContentHash: "ff",
					Spans: []api.EvidenceUpdate{{Replaces: "e:1", EvidenceID: "e:2", StartLine: 3, EndLine: 4}},
				},
			},
			`{"status":"preview","path":"a","diff":"d","edits_applied":1,"content_hash":"ff","evidence_updates":{"previous_content_hash":"ee",` +
				`"content_hash":"ff","spans":[{"replaces":"e:1","evidence_id":"e:2","start_line":3,"end_line":4}]}}`,
		},
		"preview": {
			api.EditAnswer{
				Status: api.EditPreview, Path: "a", Diff: "d", EditsApplied: 1, ContentHash: "ff",
				ImpactPreview: &api.ImpactPreview{
					Available: true, Targets: []string{"F"}, ImpactedFiles: []graph.Path{"b"}, SuggestedTests: []query.SuggestedTest{},
					MissingData: []query.Word{query.MissingDynamic}, IndexGeneration: 3,
				},
			},
			`{"status":"preview","path":"a","diff":"d","edits_applied":1,"content_hash":"ff","impact_preview":{"available":true,"targets":["F"],` +
				`"impacted_files":["b"],"suggested_tests":[],"missing_data":["dynamic_dispatch_possible"],"truncated":false,"is_stale":false,"index_generation":3}}`,
		},
	} {
		res, err := editTool(t, &tooltest.Asked{Changes: tooltest.Changes{EditAnswer: c.ans}}).Call(t.Context(), json.RawMessage(`{"path":"a","edits":[{"oldText":"x"}]}`))
		if err != nil || string(res.JSON) != c.want || res.Text != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", name, res.JSON, err, c.want)
		}
	}
}
