package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func TestGrepBaseThroughLinks(t *testing.T) {
	s := openSpace(t, map[string]string{"real/sub/a.go": "package a // mark\n", "real/b.txt": "mark\n", "c.txt": "mark\n"})
	for name, target := range map[string]string{
		"dir": "real", "real/up": "..", "file": "real/b.txt", "real/sub/peer": "../b.txt", "out": t.TempDir(), "gone": "nothing",
	} {
		if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.reindex(api.ReindexFull)
	for base, want := range map[string][]string{
		"dir":           {"real/b.txt:1", "real/sub/a.go:1"},
		"dir/sub":       {"real/sub/a.go:1"},
		"dir/sub/a.go":  {"real/sub/a.go:1"},
		"dir/sub/peer":  {"real/b.txt:1"},
		"real/up/c.txt": {"c.txt:1"},
		"real/up":       {"c.txt:1", "real/b.txt:1", "real/sub/a.go:1"},
		"file":          {"real/b.txt:1"},
	} {
		for _, use := range []api.UseIndex{api.IndexNever, api.IndexAlways} {
			if got := s.grep(api.GrepRequest{Pattern: "mark", Path: base, UseIndex: use}); !slices.Equal(got, want) {
				t.Errorf("%s, index %s: %v, want %v", base, use, got, want)
			}
		}
	}
	for base, want := range map[string]api.Code{
		"out": api.CodeOutsideRoot, "out/x": api.CodeOutsideRoot, "gone": api.CodeNotFound, "gone/x": api.CodeNotFound, "dir/none": api.CodeNotFound,
	} {
		if _, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "mark", Path: base}); codeOf(err) != want {
			t.Errorf("%s: %v, want %s", base, err, want)
		}
	}
}

// A link to a file must not make a second definition of every name in it.
func TestLinkedFileIsIndexedOnce(t *testing.T) {
	s := openSpace(t, map[string]string{"real/a.go": "package a\n\nfunc Once() {}\n\nfunc Caller() { Once() }\n"})
	if err := os.Symlink("real/a.go", filepath.Join(s.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	s.reindex(api.ReindexFull)
	if got := labels(s.callers("Once", api.Required).Nodes); !slices.Equal(got, []string{"real.Caller"}) {
		t.Errorf("callers of a name behind a link: %q", got)
	}
}
