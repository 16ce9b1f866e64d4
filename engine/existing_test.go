package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// Who only uses an existing index makes none.
func TestExistingCreatesNothing(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Existing: true}}
	s.write("a.go", "package m\n\nfunc Price() {}\n")
	s.open()
	if got := s.grep(api.GrepRequest{Pattern: "Price", CaseSensitive: true}); len(got) != 1 {
		t.Errorf("grep: %q", got)
	}
	if st := s.status(); !st.Enabled || st.IndexExists || !st.ColdIndexRequired || st.Degraded != "" {
		t.Errorf("status %+v", st)
	}
	ans, err := s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "Price"}})
	if err != nil || !slices.Contains(ans.MissingData, query.MissingIndex) {
		t.Errorf("graph: %+v, %v", ans, err)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, ".agent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an index directory was made: %v", err)
	}
}
