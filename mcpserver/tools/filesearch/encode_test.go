package filesearch

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// What is written by hand is what the tags of the types say.
func TestMatchesAreWrittenAsTagged(t *testing.T) {
	full := api.Match{
		Path: "a<b/\"c\".go", PathID: "id", Line: 7, Col: 3, Text: "x := `\"matches\":[` \xff\u2028", TextTruncated: true,
		ContextBefore: []string{"one", "t\two"}, ContextAfter: []string{}, ContextCut: true, EvidenceID: "e:1", Symbol: "pkg.F",
	}
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		if f := v.Field(i); f.IsZero() && f.Kind() != reflect.Slice {
			t.Fatalf("%s is not tried", v.Type().Field(i).Name)
		}
	}
	ids := []string{"e:1"}
	for _, ans := range []*api.GrepAnswer{
		{Matches: []api.Match{}},
		{Pattern: `"matches":[]`, Base: `"matches":[`, Matches: []api.Match{full, {}}, Skipped: map[string]int{"binary": 2}},
		{Matches: []api.Match{full}, GraphContext: []api.GraphContext{{Symbol: `"matches":[`}}},
	} {
		for _, list := range []*[]string{nil, &ids} {
			out := grepOut{GrepAnswer: ans, EvidenceIDs: list}
			want, err := tool.MarshalJSON(out)
			if err != nil {
				t.Fatal(err)
			}
			got, err := out.AppendJSON([]byte{'x'})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, append([]byte{'x'}, want...)) {
				t.Errorf("got  %s\nwant x%s", got, want)
			}
		}
	}
}
