package fileread

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

func many(t *testing.T, s *tooltest.Asked, args string) (tool.Result, error) {
	t.Helper()
	return tooltest.Must(t)(ReadMultipleFiles(s)).Call(t.Context(), json.RawMessage(args))
}

func TestOtherSchemas(t *testing.T) {
	tooltest.Schema(t, "testdata/read_multiple_files.schema.json", tooltest.Must(t)(ReadMultipleFiles(nil)), *update)
	tooltest.Schema(t, "testdata/stat_path.schema.json", tooltest.Must(t)(StatPath(nil)), *update)
	tooltest.Schema(t, "testdata/list_allowed_roots.schema.json", tooltest.Must(t)(ListAllowedRoots(nil)), *update)
}

func TestManyAsksFor(t *testing.T) {
	for args, want := range map[string][]api.ReadRequest{
		`{"paths":["a","b/c"]}`:                                          {{Path: "a"}, {Path: "b/c"}},
		`{"paths":"[\"a\"]","items":[],"per_item_max_bytes":0}`:          {{Path: "a"}},
		`{"items":[{"path":"a","line_start":2,"line_end":"3"}]}`:         {{Path: "a", LineStart: 2, LineEnd: 3}},
		`{"items":[{"file":"a","symbol":"","line_start":0}]}`:            {{Path: "a"}},
		`{"items":[{"evidence_id":"e:1","context_lines":4}],"paths":[]}`: {{EvidenceID: "e:1", ContextLines: 4}},
		`{"items":[{"span_id":"sp:1"},{"symbol":"F"}],"per_item_max_bytes":9,"return_metadata":true}`: {
			{SpanID: "sp:1", MaxBytes: 9, ReturnMetadata: true}, {Symbol: "F", MaxBytes: 9, ReturnMetadata: true},
		},
		`{"items":[{"path":"a","expected_content_hash":"ff"}]}`: {{Path: "a", ExpectedContentHash: "ff"}},
	} {
		var s tooltest.Asked
		if _, err := many(t, &s, args); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		var got []api.ReadRequest
		for _, i := range s.ManyRead.Items {
			if i.Refused != nil {
				t.Errorf("%s: refused: %v", args, i.Refused)
			}
			got = append(got, i.ReadRequest)
		}
		if !reflect.DeepEqual(got, want) || s.ManyRead.FailFast {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, got, want)
		}
	}
	var s tooltest.Asked
	if _, err := many(t, &s, `{"paths":["a"],"fail_fast":true}`); err != nil || !s.ManyRead.FailFast {
		t.Errorf("fail_fast: %+v, %v", s.ManyRead, err)
	}
}

func TestManyRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(ReadMultipleFiles(&tooltest.Asked{})), map[string]string{
		`{}`:                                      "paths",
		`{"paths":[],"items":[]}`:                 "paths",
		`{"paths":["a"],"items":[{"path":"b"}]}`:  "items",
		`{"items":{"path":"a"}}`:                  "items",
		`{"paths":"a"}`:                           "paths",
		`{"paths":[1]}`:                           "paths",
		`{"paths":["a"],"per_item_max_bytes":-1}`: "per_item_max_bytes",
		`{"paths":["a"],"fail_fast":"sure"}`:      "fail_fast",
		`{"items":[` + strings.Repeat(`{"path":"a"},`, maxManyItems) + `{"path":"a"}]}`: "items",
	})
}

// What is wrong with one item is said in its result; the others are read.
func TestBadItemsFailAlone(t *testing.T) {
	for item, want := range map[string]string{
		`{}`:                                     "invalid_selector",
		`{"path":""}`:                            "invalid_selector",
		`{"path":"a","symbol":"F"}`:              "invalid_selector",
		`{"evidence_id":"e:1","span_id":"sp:1"}`: "invalid_selector",
		`"a"`:                                    "item_not_a_dict",
		`null`:                                   "item_not_a_dict",
		`["a"]`:                                  "item_not_a_dict",
		`7`:                                      "item_not_a_dict",
		`{"path":5}`:                             "missing_path",
		`{"path":"a","line_start":"x"}`:          "invalid_item",
		`{"path":"a","line_start":-1}`:           "invalid_item",
		`{"path":"a","line_start":4,"line_end":3}`:  "invalid_item",
		`{"path":"a","context_lines":2}`:            "invalid_item",
		`{"symbol":"F","line_start":2}`:             "invalid_item",
		`{"path":"a","lines":"1-2"}`:                "invalid_item",
		`{"path":"a","file":"b"}`:                   "missing_path",
		`{"symbol":"F","context_lines":1000000000}`: "invalid_item",
	} {
		var s tooltest.Asked
		_, err := many(t, &s, `{"items":[{"path":"before"},`+item+`,{"path":"after"}]}`)
		if err != nil {
			t.Errorf("%s: %v", item, err)
			continue
		}
		got := s.ManyRead.Items
		if len(got) != 3 || got[0].Path != "before" || got[2].Path != "after" || got[0].Refused != nil || got[2].Refused != nil {
			t.Errorf("%s: the others are %+v", item, got)
		}
		if bad := got[1].Refused; bad == nil || bad.Details["error"] != want || bad.Details["reason"] == "" {
			t.Errorf("%s: refused with %+v, want %s", item, bad, want)
		}
	}
}

func TestManyShapes(t *testing.T) {
	fresh := &api.Freshness{IndexUsed: true, IndexGeneration: 3}
	answers := []api.ReadResult{
		{Answer: &api.ReadAnswer{Mode: api.ReadWhole, Path: "a", Content: "x", ContentHash: "ff", Freshness: fresh}},
		{Answer: &api.ReadAnswer{Mode: api.ReadLines, Path: "b", Content: "l\n", TotalLines: 9, ReturnedLines: 1}},
		{Answer: &api.ReadAnswer{Mode: api.ReadOversize, Path: "c", Content: "be", Truncated: true, TotalBytes: 9, MaxBytes: 2, Reason: "oversize"}},
		{Answer: &api.ReadAnswer{Mode: api.ReadIndexed, Path: "d", SpanID: "sp:9", Symbol: "F", StartLine: 2, EndLine: 3, Content: "c"}},
		{Error: &api.Error{Code: api.CodeNotFound, Message: "no such", Argument: "path", Details: map[string]any{"path": "e"}}},
		{Error: &api.Error{Code: api.CodeInvalidParams, Message: "m", Details: map[string]any{"error": "invalid_selector", "reason": "m"}}},
		{NotRead: "fail_fast"},
	}
	s := tooltest.Asked{ManyAnswer: api.ReadManyAnswer{Results: answers, Truncated: true, Freshness: fresh}}
	const items = `[{"path":"a"},{"path":"b","line_start":4,"line_end":4},{"path":"c"},{"symbol":"x.F"},{"path":"e"},{},{"evidence_id":"e:7"}]`
	want := []string{
		`{"path":"a","is_error":false,"content":"x","truncated":false}`,
		`{"is_error":false,"line_start":4,"path":"b","content":"l\n","total_lines":9,"returned_lines":1,"truncated":false}`,
		`{"path":"c","is_error":false,"content":"be","truncated":true,"total_bytes":9,"max_bytes":2,"reason":"oversize"}`,
		`{"is_error":false,"selector":"x.F","path":"d","span_id":"sp:9","symbol":"F","start_line":2,"end_line":3,"context_lines":0,"content":"c"}`,
		`{"error":"no such","is_error":true,"path":"e","status":"not_found"}`,
		`{"error":"invalid_selector","is_error":true,"reason":"m","status":"invalid_params"}`,
		`{"error":"not_read","evidence_id":"e:7","is_error":true,"reason":"fail_fast"}`,
	}
	res, err := many(t, &s, `{"items":`+items+`}`)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Files     []json.RawMessage `json:"files"`
		Truncated bool              `json:"truncated"`
	}
	if err := json.Unmarshal(res.JSON, &got); err != nil || !got.Truncated || len(got.Files) != len(want) {
		t.Fatalf("%s: %v", res.JSON, err)
	}
	for i, f := range got.Files {
		if string(f) != want[i] {
			t.Errorf("item %d:\ngot  %s\nwant %s", i, f, want[i])
		}
	}
	res, err = many(t, &s, `{"items":`+items+`,"return_metadata":true}`)
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, "files", "truncated", "index_used", "index_generation", "is_stale", "stale_paths_count", "dirty_paths_count", "fallback_reason")
	if !strings.Contains(string(res.JSON), `"content_hash":"ff","index_used":true`) {
		t.Errorf("no metadata beside the content: %s", res.JSON)
	}
}

func TestStatAndRoots(t *testing.T) {
	s := tooltest.Asked{StatAnswer: api.StatAnswer{Type: api.TypeFile, SizeBytes: 5, CreatedUnix: 1.5, ModifiedUnix: 2, Mode: 0o100644}}
	stat := tooltest.Must(t)(StatPath(&s))
	res, err := stat.Call(t.Context(), json.RawMessage(`{"file":"a"}`))
	if want := `{"type":"file","size_bytes":5,"created_unix":1.5,"modified_unix":2,"mode":33188}`; err != nil || string(res.JSON) != want || s.Stated.Path != "a" {
		t.Errorf("stat: %s, %v; want %s", res.JSON, err, want)
	}
	s.StatAnswer = api.StatAnswer{Type: api.TypeMissing}
	if res, err = stat.Call(t.Context(), json.RawMessage(`{"path":"a"}`)); err != nil || string(res.JSON) != `{"type":"missing"}` {
		t.Errorf("missing: %s, %v", res.JSON, err)
	}
	tooltest.Refuses(t, stat, map[string]string{
		`{}`: "path", `{"path":null}`: "path", `{"path":5}`: "path", `{"path":"` + strings.Repeat("a", maxPath+1) + `"}`: "path", `{"path":"a","follow":true}`: "follow",
	})
	roots := tooltest.Must(t)(ListAllowedRoots(&s))
	if res, err = roots.Call(t.Context(), nil); err != nil || string(res.JSON) != `{"allowed_roots":[]}` {
		t.Errorf("roots: %s, %v", res.JSON, err)
	}
	tooltest.Refuses(t, roots, map[string]string{`{"path":"a"}`: "path"})
}

func TestEveryItemIsShown(t *testing.T) {
	res, err := many(t, &tooltest.Asked{}, `{"paths":["a","b","c"]}`) // of a service that answers none
	if err != nil || slices.Contains([]int{0, 1, 2}, strings.Count(string(res.JSON), "not_read")) {
		t.Errorf("got %s, %v", res.JSON, err)
	}
}
