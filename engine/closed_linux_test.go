package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/watch"
)

// A file in a directory that was closed is counted, by its own path as by the directory's.
func TestGrepInAClosedDirectory(t *testing.T) {
	if !asUser(t) {
		return
	}
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	s.write("plain/plain.py", "def token(): ...\n")
	s.write("a.py", "x = 1\n")
	s.open()
	waitFor(t, "index and watches", func() bool {
		st := s.status()
		return st.IndexExists && !st.ColdIndexRequired && st.Watcher.State == string(watch.Active)
	})
	dir := filepath.Join(s.dir, "plain")
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	s.reindex(api.ReindexChanged) // which knows the directory alone from then on
	for _, path := range []string{"plain", "plain/plain.py"} {
		for _, use := range []api.UseIndex{api.IndexAuto, api.IndexNever} {
			ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "token", Path: path, UseIndex: use})
			if err != nil || len(ans.Matches) != 0 || ans.SkippedFiles != 1 || ans.Skipped["unreadable"] != 1 {
				t.Errorf("%s, index %s: %+v, %v", path, use, ans, err)
			}
		}
	}
	if ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "token", Path: "plain/plain.py", Include: []string{"*.go"}}); err != nil || ans.SkippedFiles != 0 {
		t.Errorf("what the caller leaves out: %+v, %v", ans, err)
	}
}
