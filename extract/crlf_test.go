package extract_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

// TestLineEnds says that facts do not depend on how lines end: for each source of each
// language's goldens, those of the text with carriage returns are the same, at the same
// lines and columns.
func TestLineEnds(t *testing.T) {
	archives, err := filepath.Glob("lang/*/testdata/*.txtar")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			src := string(f.Data)
			if strings.HasSuffix(f.Name, ".facts") || strings.Contains(src, "\r") {
				continue
			}
			want, got := extracttest.Extract(t, f.Name, src), extracttest.Extract(t, f.Name, strings.ReplaceAll(src, "\n", "\r\n"))
			if want.Language == "rust" {
				want.Constraint, got.Constraint = "", "" // holds byte offsets
			}
			wanted, found := string(extracttest.Format(want)), string(extracttest.Format(got))
			if found != wanted {
				t.Errorf("%s, %s:\n%s", name, f.Name, extracttest.Diff(wanted, found))
			}
		}
	}
}
