package engine

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// TestEmptyTree: a tree without files has an index like any other, which says so, and
// goes on from there.
func TestEmptyTree(t *testing.T) {
	s := openSpace(t, nil)
	if ans := s.reindex(api.ReindexChanged); ans.Generation == 0 {
		t.Errorf("published %+v", ans)
	}
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !st.IndexExists || st.Generation == 0 || st.FilesIndexed != 0 {
		t.Errorf("status is %+v", st)
	}
	hubs := s.graph(query.Request{Type: query.Hubs, Limit: 10}, api.Required)
	if len(hubs.Nodes) > 0 || slices.Contains(hubs.MissingData, query.MissingHubsPending) || hubs.FallbackReason != nil {
		t.Errorf("hubs are %+v", hubs)
	}
	grep, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "pipe", UseIndex: api.IndexAlways})
	if err != nil {
		t.Fatal(err)
	}
	if len(grep.Matches) > 0 || grep.FallbackReason != nil && *grep.FallbackReason == api.FallbackNoGeneration {
		t.Errorf("grep says %+v", grep)
	}
	was := st.Generation
	if ans := s.reindex(api.ReindexChanged); ans.Generation != was || ans.JobStatus != api.JobSkipped {
		t.Errorf("a second run makes %+v", ans)
	}
	s.reopen()
	s.write("a.py", "def first():\n    return second()\n\ndef second():\n    pass\n")
	if ans := s.reindex(api.ReindexChanged); ans.Generation <= was || ans.AddedCount != 1 {
		t.Errorf("a file makes %+v", ans)
	}
	if ans := s.callers("second", api.Required); len(ans.Nodes) == 0 {
		t.Errorf("callers are %+v", ans)
	}
}
