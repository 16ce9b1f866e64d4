package filesearch

import (
	"encoding/json"
	"flag"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func grep(t *testing.T, s *tooltest.Asked, args string) (tool.Result, error) {
	t.Helper()
	return tooltest.Must(t)(GrepFiles(s)).Call(t.Context(), json.RawMessage(args))
}

func TestSchema(t *testing.T) {
	tooltest.Schema(t, "testdata/grep_files.schema.json", tooltest.Must(t)(GrepFiles(nil)), *update)
}

func TestDefaultsAndEveryArgument(t *testing.T) {
	base := api.GrepRequest{
		Pattern: "x", Path: ".", Regex: true, CaseSensitive: true, Limit: 1000, UseIndex: api.IndexAuto,
		RankBy: api.RankMatch, TimeoutMS: 30000,
	}
	for args, want := range map[string]api.GrepRequest{
		`{"pattern":"x"}`: base,
		`{"query":"x","file_path":"","max_file_bytes":0,"graph_target":""}`: base,
		`{"pattern":"x","path":"src","regex":false,"case_sensitive":false,"whole_word":true,"include":["*.go"],"exclude":["*_test.go"],
		  "context_before":1,"context_after":"2","limit":5,"max_file_bytes":100,"use_index":"never","rank_by":"hybrid","graph_target":"a.B",
		  "return_evidence_ids":true,"max_snippet_lines":3,"dedupe_by_symbol":true,"include_graph_context":true,"timeout_ms":50}`: {
			Pattern: "x", Path: "src", WholeWord: true, Include: []string{"*.go"}, Exclude: []string{"*_test.go"},
			ContextBefore: 1, ContextAfter: 2, Limit: 5, MaxFileBytes: 100, UseIndex: api.IndexNever, RankBy: api.RankHybrid,
			GraphTarget: "a.B", ReturnEvidenceIDs: true, MaxSnippetLines: 3, DedupeBySymbol: true, GraphContext: true, TimeoutMS: 50,
		},
	} {
		var s tooltest.Asked
		if _, err := grep(t, &s, args); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.Grepped, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.Grepped, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(GrepFiles(&tooltest.Asked{})), map[string]string{
		`{}`:               "pattern",
		`{"pattern":null}`: "pattern",
		`{"pattern":5}`:    "pattern",
		`{"pattern":"` + strings.Repeat("é", 1001) + `"}`: "pattern",
		`{"pattern":"x","limit":0}`:                       "limit",
		`{"pattern":"x","limit":10001}`:                   "limit",
		`{"pattern":"x","context_after":-1}`:              "context_after",
		`{"pattern":"x","context_before":101}`:            "context_before",
		`{"pattern":"x","use_index":"sometimes"}`:         "use_index",
		`{"pattern":"x","rank_by":"best"}`:                "rank_by",
		`{"pattern":"x","include":"*.go"}`:                "include",
		`{"pattern":"x","regex":"yes"}`:                   "regex",
		`{"pattern":"x","max_snippet_lines":0}`:           "max_snippet_lines",
		`{"pattern":"x","max_file_bytes":-5}`:             "max_file_bytes",
		`{"pattern":"x","timeout_ms":60001}`:              "timeout_ms",
		`{"pattern":"x","ignore_case":true}`:              "ignore_case",
		`{"pattern":"x","query":"y"}`:                     "pattern",
	})
	if _, err := grep(t, &tooltest.Asked{}, `{"pattern":"`+strings.Repeat("é", 1000)+`"}`); err != nil {
		t.Errorf("1000 characters are refused: %v", err)
	}
}

func TestAnswerShape(t *testing.T) {
	for _, c := range []struct {
		args   string
		answer api.GrepAnswer
		has    []string
		lacks  []string
	}{
		{
			`{"pattern":"x"}`, api.GrepAnswer{Matches: []api.Match{{Path: "a", Line: 1, Text: "x<y"}}},
			[]string{`"matches":[{"path":"a","line":1,"col":0,"text":"x<y","context_before":[],"context_after":[]}]`, `"graph_context":[]`},
			[]string{"evidence_ids", "score_reasons"},
		},
		{`{"pattern":"x"}`, api.GrepAnswer{}, []string{`"matches":[]`, `"fallback_reason":null`}, []string{"evidence_ids"}},
		{`{"pattern":"x","return_evidence_ids":true}`, api.GrepAnswer{}, []string{`"evidence_ids":[]`}, nil},
		{
			`{"pattern":"x","return_evidence_ids":true}`, api.GrepAnswer{EvidenceIDs: []string{"e:1"}},
			[]string{`"evidence_ids":["e:1"]`},
			nil,
		},
	} {
		res, err := grep(t, &tooltest.Asked{GrepAnswer: c.answer}, c.args)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{
			"pattern", "base", "matches", "truncated", "skipped_files", "ranked_by", "dedupe_by_symbol", "graph_context",
			"index_used", "index_generation", "is_stale", "dirty_paths_count", "stale_paths_count", "fallback_reason",
		} {
			c.has = append(c.has, `"`+f+`":`)
		}
		for _, part := range c.has {
			if !strings.Contains(string(res.JSON), part) {
				t.Errorf("%s: no %s in %s", c.args, part, res.JSON)
			}
		}
		for _, part := range c.lacks {
			if strings.Contains(string(res.JSON), part) {
				t.Errorf("%s: %s in %s", c.args, part, res.JSON)
			}
		}
	}
}
