package tree

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// A walk by path yields what any other does, in the order that sorting would give.
func TestWalkByPath(t *testing.T) {
	root := t.TempDir()
	for _, n := range []string{
		"a/x", "a.b", "a-b/c", "a/y/z", "a/y.z", "a/y-", "a0", "ab/c", "b", "b0/1", "b.d/1", "\xff/a", "\x01/a", "a/y/.gitignore", "a/y/out",
	} {
		write(t, filepath.Join(root, n), n)
	}
	write(t, filepath.Join(root, "a/y/.gitignore"), "out\n")
	link(t, "a", filepath.Join(root, "to-a"))
	link(t, "b", filepath.Join(root, "to-b"))
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		for _, scope := range [][]graph.Path{nil, {"a"}, {"b"}, {"a/y/out"}} {
			want := walk(t, tr, WalkOptions{Scope: scope})
			slices.SortFunc(want, func(a, b Entry) int { return strings.Compare(string(a.Path), string(b.Path)) })
			got := walk(t, tr, WalkOptions{Scope: scope, ByPath: true})
			if !slices.Equal(got, want) {
				t.Errorf("below %q the walk by path gives\n%q, want\n%q", scope, pathsOf(got), pathsOf(want))
			}
			bare := walk(t, tr, WalkOptions{Scope: scope, ByPath: true, NamesOnly: true})
			for i := range bare {
				if e := &bare[i]; e.Type == File {
					e.Sig, e.Shared = want[i].Sig, want[i].Shared
				}
			}
			if !slices.Equal(bare, want) {
				t.Errorf("below %q names only are\n%+v, want\n%+v", scope, bare, want)
			}
		}
	})
}

func TestLoadGivesWhatReadGives(t *testing.T) {
	root := t.TempDir()
	for name, size := range map[string]int{"empty": 0, "small": 10, "page": 4096, "large": 3 << 20} {
		write(t, filepath.Join(root, name), strings.Repeat(name[:1], size))
	}
	link(t, "small", filepath.Join(root, "link"))
	link(t, "gone", filepath.Join(root, "dangling"))
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		var buf []byte
		for _, p := range []graph.Path{"large", "small", "empty", "page", "link", "dangling", "none", ".", "large"} {
			want, _, wantErr := tr.Read(p, nil)
			got, err := tr.Load(p, buf)
			var a, b *Error
			if errors.As(err, &a) != errors.As(wantErr, &b) || a != nil && a.Reason != b.Reason {
				t.Errorf("load %s: %v, want %v", p, err, wantErr)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("load %s gives %d bytes, want %d", p, len(got), len(want))
			}
			if err == nil {
				buf = got
			}
		}
	})
}

// A buffer that is used for file after file grows a few times, not with each.
func TestBuffersGrowAhead(t *testing.T) {
	root := t.TempDir()
	tr := openTree(t, root)
	path := filepath.Join(root, "f")
	var buf []byte
	grown := 0
	for size := int64(1000); size < 200_000; size += 1000 {
		if err := os.WriteFile(path, bytes.Repeat([]byte{'x'}, int(size)), 0o600); err != nil {
			t.Fatal(err)
		}
		before := cap(buf)
		var err error
		if buf, err = tr.Load("f", buf); err != nil || int64(len(buf)) != size {
			t.Fatalf("load gives %d bytes, %v", len(buf), err)
		}
		if cap(buf) != before {
			grown++
		}
	}
	if grown > 12 {
		t.Errorf("the buffer grew %d times", grown)
	}
}
