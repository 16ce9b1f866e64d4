package filesearch

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

func search(t *testing.T, s *tooltest.Asked, args string) (tool.Result, error) {
	t.Helper()
	return tooltest.Must(t)(SearchFiles(s)).Call(t.Context(), json.RawMessage(args))
}

func TestSearchSchema(t *testing.T) {
	tooltest.Schema(t, "testdata/search_files.schema.json", tooltest.Must(t)(SearchFiles(nil)), *update)
}

func TestSearchAsksFor(t *testing.T) {
	base := api.FindRequest{Pattern: "x", Path: ".", Limit: 1000, TimeoutMS: 10000}
	for args, want := range map[string]api.FindRequest{
		`{"pattern":"x"}`: base,
		`{"glob":"x","path":"","contains_symbol":"","role":"any","ranked":"false"}`: base,
		`{"pattern":"*.go","path":"src","exclude":["a"],"limit":"5","ranked":true,"role":"test","contains_symbol":"a.B","changed_only":true,
		  "return_evidence_ids":true,"timeout_ms":50}`: {
			Pattern: "*.go", Path: "src", Exclude: []string{"a"}, Limit: 5, Ranked: true, Role: graph.RoleTest, ContainsSymbol: "a.B",
			ChangedOnly: true, ReturnEvidenceIDs: true, TimeoutMS: 50,
		},
	} {
		var s tooltest.Asked
		if _, err := search(t, &s, args); err != nil {
			t.Errorf("%s: %v", args, err)
		} else if !reflect.DeepEqual(*s.Found, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.Found, want)
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(SearchFiles(&tooltest.Asked{})), map[string]string{
		`{}`: "pattern", `{"pattern":null}`: "pattern", `{"pattern":["*"]}`: "pattern", `{"pattern":"*","role":"tests"}`: "role",
		`{"pattern":"*","role":""}`: "role", `{"pattern":"*","limit":0}`: "limit", `{"pattern":"*","limit":10001}`: "limit",
		`{"pattern":"*","exclude":"a"}`: "exclude", `{"pattern":"*","ranked":"very"}`: "ranked", `{"pattern":"*","timeout_ms":0}`: "timeout_ms",
		`{"pattern":"*","use_index":"auto"}`: "use_index", `{"pattern":"` + strings.Repeat("a", maxPattern+1) + `"}`: "pattern",
	})
}

func TestSearchShapes(t *testing.T) {
	fields := []string{
		"pattern", "base", "matches", "truncated", "ranked", "role", "contains_symbol", "contains_symbol_note", "changed_only",
		"changed_only_note", "index_used", "index_generation", "is_stale", "stale_paths_count", "dirty_paths_count", "fallback_reason",
	}
	res, err := search(t, &tooltest.Asked{}, `{"pattern":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, fields...)
	const start = `{"pattern":"x","base":".","matches":[],"truncated":false,"ranked":false,"role":"any","contains_symbol":null,"contains_symbol_note":null,` +
		`"changed_only":false,"changed_only_note":null,"deadline_exceeded":false,`
	if !strings.HasPrefix(string(res.JSON), start) || strings.Contains(string(res.JSON), "score_reasons") || strings.Contains(string(res.JSON), "evidence_ids") {
		t.Errorf("%s", res.JSON)
	}
	note := api.NoteNoMatchingSymbol
	s := tooltest.Asked{FindAnswer: api.FindAnswer{
		Matches: []string{"a"}, SymbolNote: &note, EvidenceIDs: []string{"e:1"}, ScoreReasons: []api.FileScore{{Path: "a", Score: 3, Reasons: []string{"+3 r"}}},
	}}
	res, err = search(t, &s, `{"pattern":"x","ranked":true,"contains_symbol":"F","return_evidence_ids":true}`)
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, append(fields, "score_reasons", "evidence_ids")...)
	for _, part := range []string{
		`"contains_symbol":"F","contains_symbol_note":"no_matching_symbol"`, `"score_reasons":[{"path":"a","score":3,"score_reasons":["+3 r"]}],"evidence_ids":["e:1"]`,
	} {
		if !strings.Contains(string(res.JSON), part) {
			t.Errorf("no %s in %s", part, res.JSON)
		}
	}
	if res, err = search(t, &tooltest.Asked{}, `{"pattern":"x","return_evidence_ids":true}`); err != nil || !strings.Contains(string(res.JSON), `"evidence_ids":[]`) {
		t.Errorf("%s, %v", res.JSON, err)
	}
}
