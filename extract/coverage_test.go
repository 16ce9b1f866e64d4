package extract

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/graph"
)

var update = flag.Bool("update", false, "rewrite the table of languages in README.md")

// TestCoverageNamesLanguages looks for each language in the table, once.
func TestCoverageNamesLanguages(t *testing.T) {
	var named []string
	for _, c := range Coverages() {
		named = append(named, c.Languages...)
		if c.Title == "" || c.Note == "" || len(c.Kinds) == 0 || len(c.Files()) == 0 {
			t.Errorf("%+v says too little", c)
		}
	}
	want := Languages()
	slices.Sort(named)
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("the table has %v, there are %v", named, want)
	}
}

// TestCoverageKinds looks for the kinds that are stated among the facts of the tours of
// the languages.
func TestCoverageKinds(t *testing.T) {
	archives, err := filepath.Glob("lang/*/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	found := map[string]map[graph.Kind]bool{}
	x := New(Limits{})
	defer x.Close()
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".facts") {
				continue
			}
			f, err := x.Extract(context.Background(), File{Path: graph.Path(file.Name), Src: file.Data})
			if err != nil {
				t.Fatal(err)
			}
			if f == nil {
				continue
			}
			if found[f.Language] == nil {
				found[f.Language] = map[graph.Kind]bool{}
			}
			for i := range f.Defs {
				found[f.Language][f.Defs[i].Kind] = true
			}
		}
	}
	for _, c := range Coverages() {
		all := map[graph.Kind]bool{}
		for _, l := range c.Languages {
			for k := range found[l] {
				all[k] = true
			}
		}
		for _, k := range c.Kinds {
			if !all[k] {
				t.Errorf("%s: no %s in any tour", c.Title, k)
			}
		}
	}
}

// TestReadmeTable compares the table in README.md with the code. Run it with -update to
// write it.
func TestReadmeTable(t *testing.T) {
	const begin, end = "<!-- languages: written by `go test ./extract -update` -->\n", "<!-- end of languages -->"
	path := filepath.Join("..", "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatal("README.md has no place for the table of languages")
	}
	want := "\n" + CoverageTable() + "\n"
	if old == want {
		return
	}
	if !*update {
		t.Fatal("the table of languages in README.md is not that of the code; run with -update")
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
