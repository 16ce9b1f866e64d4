// Package extracttest is the golden harness of the language packages: small source
// files in txtar archives beside the facts that they yield, in a form that can be
// read and reviewed.
//
// It is for tests only. An archive holds files with sources; behind each source
// NAME stands the golden NAME.facts. Run the tests with -update to write them.
package extracttest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
)

// Golden checks every archive that matches pattern ("testdata/*.txtar"). The test
// binary must have a boolean flag "update"; a package gets one by
//
//	var update = flag.Bool("update", false, "rewrite the golden facts")
func Golden(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives match %s (%v)", pattern, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{}
	for _, f := range a.Files {
		want[f.Name] = f.Data
	}
	var out []txtar.File
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".facts") {
			continue
		}
		got := Format(Extract(t, f.Name, string(f.Data)))
		out = append(out, f, txtar.File{Name: f.Name + ".facts", Data: got})
		if w := want[f.Name+".facts"]; !updating() && !bytes.Equal(got, w) {
			t.Errorf("%s: facts differ; run with -update and review\n%s", f.Name, Diff(string(w), string(got)))
		}
	}
	if updating() {
		a.Files = out
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Extract returns the facts of one source and checks that they hold together.
func Extract(t testing.TB, path, src string) *graph.Facts {
	t.Helper()
	f, err := extract.Extract(context.Background(), extract.File{
		Path: graph.Path(path), Src: []byte(src), Hash: sha256.Sum256([]byte(src)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		t.Fatalf("%s: no language", path)
	}
	Check(t, f, src)
	return f
}

// Diff lists the lines that only one of two texts has, in order.
func Diff(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	count := map[string]int{}
	for _, l := range g {
		count[l]++
	}
	for _, l := range w {
		if count[l]--; count[l] < 0 {
			b.WriteString("- " + l + "\n")
		}
	}
	clear(count)
	for _, l := range w {
		count[l]++
	}
	for _, l := range g {
		if count[l]--; count[l] < 0 {
			b.WriteString("+ " + l + "\n")
		}
	}
	return b.String()
}

// Fuzz makes facts of whatever bytes a file of that path may hold, starting from the
// sources of the archives that match pattern: extraction must not fail, and what it
// yields must not contradict the text.
func Fuzz(f *testing.F, path, pattern string) {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		f.Fatalf("no archives match %s (%v)", pattern, err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if !strings.HasSuffix(file.Name, ".facts") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if got := Extract(t, path, src); got.Status == graph.StatusFailed {
			t.Errorf("%s", got.Reason)
		}
	})
}
