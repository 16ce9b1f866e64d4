package graphtest_test

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

func TestView(t *testing.T) {
	v := graphtest.NewView(
		&graph.Facts{Path: "a/z.py", Language: "python", Defs: []graph.Def{{Name: "f"}, {Name: "f"}, {Name: "g"}}},
		&graph.Facts{Path: "a/b.py", Language: "python", Defs: []graph.Def{{Name: "f"}}, Refs: []graph.Ref{{Name: "g"}}},
		&graph.Facts{Path: "top.txt"},
	)
	if got := v.Dir("a"); !slices.Equal(got, []graph.FileID{2, 1}) {
		t.Errorf("Dir(a) = %v, want the files by path", got)
	}
	if got := v.Dir(""); !slices.Equal(got, []graph.FileID{3}) {
		t.Errorf("Dir(root) = %v", got)
	}
	if got := v.Definers("f"); !slices.Equal(got, []graph.FileID{1, 2}) {
		t.Errorf("Definers(f) = %v, want each file once", got)
	}
	if got := v.Referrers("g"); !slices.Equal(got, []graph.FileID{2}) {
		t.Errorf("Referrers(g) = %v", got)
	}
	if id, ok := v.Lookup("a/b.py"); !ok || id != 2 {
		t.Errorf("Lookup = %d, %v", id, ok)
	}
	if f, err := v.Facts(3); f != nil || err != nil {
		t.Errorf("Facts of plain text = %v, %v, want none", f, err)
	}
	if _, ok := v.File(4); ok {
		t.Error("File(4) exists")
	}
}
