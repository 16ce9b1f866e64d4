package tree

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestElements(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, d := range []string{".git", "d", "d/sub"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{".gitignore", "f", "d/x", "d/.ralph-tmp-1"} {
		if err := os.WriteFile(filepath.Join(root, f), []byte("*\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"in": "d", "out": outside, "none": "nowhere", "file": "f"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Close() }()
	for dir, want := range map[graph.Path][]Element{
		"": {
			{Name: ".git", Dir: true}, {Name: ".gitignore"}, {Name: "d", Dir: true}, {Name: "f"}, {Name: "file", Link: true},
			{Name: "in", Dir: true, Link: true}, {Name: "none", Link: true}, {Name: "out", Link: true},
		},
		"d": {{Name: "sub", Dir: true}, {Name: "x"}}, "d/sub": nil,
	} {
		if got, err := tr.Elements(dir, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", dir, got, err)
		}
	}
	for _, dir := range []graph.Path{"f", "none", "out", "in", "..", "d/../..", "a\x00"} {
		var bad *Error
		if got, err := tr.Elements(dir, make([]byte, 1)); !errors.As(err, &bad) {
			t.Errorf("%q: %+v, %v", dir, got, err)
		}
	}
}
