package rust_test

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
	"github.com/ralph-index/ralph-index/graph/resolve/rust"
)

// TestExcluded finds out, of each definition, whether a plain build leaves it out.
func TestExcluded(t *testing.T) {
	for file, least := range map[string]int{"crate": 30, "features": 15} {
		t.Run(file, func(t *testing.T) { excluded(t, "testdata/conditions/"+file+".txtar", least) })
	}
}

func excluded(t *testing.T, archive string, least int) {
	t.Helper()
	v, a := resolvetest.Load(t, archive)
	seen := 0
	for _, file := range a.Files {
		id, _ := v.Lookup(graph.Path(file.Name))
		f, _ := v.Facts(id)
		if f.Language != "rust" {
			continue
		}
		for i := range f.Defs {
			d := &f.Defs[i]
			if d.Name == "late" { // its name stands before the condition
				continue
			}
			seen++
			if got, want := (rust.Resolver{}).Excluded(v, f, id, d.NameSpan.Start), strings.HasPrefix(d.Name, "off_"); got != want {
				t.Errorf("%s: %s: excluded %v", file.Name, d.Name, got)
			}
		}
	}
	if seen < least {
		t.Errorf("%d definitions", seen)
	}
}

// TestExcludedWithoutManifest leaves nothing out for features that nobody lists.
func TestExcludedWithoutManifest(t *testing.T) {
	src := "#[cfg(feature = \"x\")]\nfn a() {}\n#[cfg(custom)]\nfn b() {}\n#[cfg(windows)]\nfn c() {}\n#[cfg(any(\"x\")]\nfn d() {}\n"
	f, err := extract.Extract(t.Context(), extract.File{Path: "lib.rs", Src: []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	v := graphtest.NewView(f)
	id, _ := v.Lookup("lib.rs")
	var got []string
	for i := range f.Defs {
		if (rust.Resolver{}).Excluded(v, f, id, f.Defs[i].NameSpan.Start) {
			got = append(got, f.Defs[i].Name)
		}
	}
	if strings.Join(got, " ") != "c" {
		t.Errorf("excluded: %v", got)
	}
}
