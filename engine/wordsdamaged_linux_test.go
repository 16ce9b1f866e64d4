package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Files of the words that are damaged under a server make no answer wrong, and are
// replaced without anybody's help.
func TestWordsDamagedWhileServing(t *testing.T) {
	for name, damage := range map[string]struct {
		files  string
		damage func(name string, size int64) error
	}{
		"segments zeroed": {"*.zap", func(name string, size int64) error {
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.Write(make([]byte, size))
			return err
		}},
		"list of segments emptied": {"root.bolt", func(name string, _ int64) error { return os.Truncate(name, 0) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
			generate(t, s.dir, stepFiles, 0)
			s.open()
			s.untilTrusted()
			x := s.index()
			if err := x.lexical.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			patterns := []string{"shared", "only_3_0", "only_100_0", "nly_77_", "only_5_1"}
			sameAsLive(t, s, patterns)
			files, err := filepath.Glob(filepath.Join(x.wordsDir, "words", damage.files))
			if err != nil || len(files) == 0 {
				t.Fatalf("files of the words: %q, %v", files, err)
			}
			for _, f := range files {
				fi, err := os.Stat(f)
				if err != nil {
					t.Fatal(err)
				}
				if err := damage.damage(f, fi.Size()); err != nil {
					t.Fatal(err)
				}
			}
			sameAsLive(t, s, patterns)
			generate(t, s.dir, stepFiles, 1) // more than a run leaves to a later flush
			sameAsLive(t, s, patterns)
			waitFor(t, "new index", func() bool {
				st := s.status()
				return st.Enabled && st.Degraded == "" && !st.IsStale && !st.ReindexInProgress && s.index() != x
			})
			sameAsLive(t, s, patterns)
			if got := s.grep(api.GrepRequest{Pattern: "only_5_1", CaseSensitive: true, UseIndex: api.IndexAlways}); len(got) != 1 {
				t.Errorf("found %q", got)
			}
		})
	}
}
