package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// TestConventions asks for the tests of small projects, one for each runner, that are laid
// out as its users do, and compares the ranking.
func TestConventions(t *testing.T) {
	names, err := filepath.Glob("../corpus/conventions/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no projects (%v)", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(src)
			files, asked := map[string]string{}, []string(nil)
			for _, f := range a.Files {
				if f.Name == "ask" {
					asked = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
				} else {
					files[f.Name] = string(f.Data)
				}
			}
			s := openSpace(t, files)
			s.reindex(api.ReindexChanged)
			var got strings.Builder
			for _, target := range asked {
				ans := s.graph(query.Request{Type: query.Tests, Target: target}, api.PreferFresh)
				fmt.Fprintf(&got, "%s (%s)\n", target, ans.Metadata.ResolvedName)
				for _, one := range ans.SuggestedTests {
					fmt.Fprintf(&got, "  %.2f %s %s: %s\n", one.Confidence, one.Path, one.Name, strings.Join(one.Reasons, "; "))
				}
			}
			golden(t, strings.TrimSuffix(name, ".txtar")+".golden", []byte(got.String()))
		})
	}
}
