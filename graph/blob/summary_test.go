package blob

import (
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestSummary(t *testing.T) {
	f := &graph.Facts{
		Path: "a/b.go", Hash: graph.Hash{1}, Language: "go", Extractor: "go/1", Status: graph.StatusPartial,
		Reason: "syntax_error:1:2", Role: graph.RoleTest, Lines: 7, Defs: []graph.Def{{Name: "F", Local: "F", Container: graph.NoDef}},
	}
	got, err := Summary(Encode(f))
	want := Head{f.Path, f.Hash, "go", "go/1", graph.StatusPartial, f.Reason, graph.RoleTest, 7, 1}
	if err != nil || got != want {
		t.Errorf("Summary = %+v, %v, want %+v", got, err, want)
	}
	if _, err := Summary(Encode(f)[:9]); err == nil {
		t.Error("Summary of a cut blob succeeded")
	}
}
