package workspace

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/freshness/tree"
)

func TestDelete(t *testing.T) {
	for _, tt := range []struct {
		path      string
		recursive bool
		err       error
		gone      []string
	}{
		{"f", false, nil, []string{"f"}},
		{"f", true, nil, []string{"f"}},
		{"l", false, nil, []string{"l"}},
		{"dl", true, nil, []string{"dl"}}, // the link, not what it leads to
		{"dl/sub", true, nil, []string{"d/sub", "d/sub/x"}},
		{"d", false, tree.ErrIsDir, nil},
		{"d", true, nil, []string{"d", "d/sub", "d/sub/x", "d/y", "d/up"}},
		{"repo", true, ErrProtected, nil},
		{"repo/in/.git", true, ErrProtected, nil},
		{"repo/in/.GIT/config", false, ErrProtected, nil},
		{".agent", true, ErrProtected, nil},
		{IndexDir + "/x", true, ErrProtected, nil},
		{".", true, ErrRoot, nil},
		{"", true, ErrRoot, nil},
		{"none", false, tree.ErrNotExist, nil},
		{"f/x", false, ErrNotDir, nil},
	} {
		t.Run(strings.ReplaceAll(tt.path, "/", "|"), func(t *testing.T) {
			dir := moveTree(t)
			c := newChanger(t, dir, nil)
			want := snapshot(t, dir)
			err := c.remove(t.Context(), tt.path, tt.recursive)
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			for _, p := range tt.gone {
				delete(want, p)
			}
			same(t, snapshot(t, dir), want)
		})
	}
}

func TestRootsAreNotDeleted(t *testing.T) {
	b := base(t)
	write(t, filepath.Join(b, "w/sub/extra/x"), "")
	c := newChanger(t, filepath.Join(b, "w"), nil, filepath.Join(b, "w/sub/extra"))
	for _, p := range []string{"sub", "sub/extra", b + "/w", b + "/w/sub/extra/"} {
		if err := c.remove(t.Context(), p, true); !errors.Is(err, ErrRoot) {
			t.Errorf("%s: %v", p, err)
		}
		if err := c.both(t.Context(), c.Move, p, "moved", true); !errors.Is(err, ErrRoot) {
			t.Errorf("move %s: %v", p, err)
		}
	}
	if content(t, filepath.Join(b, "w/sub/extra/x")) != "" {
		t.Error("changed")
	}
}
