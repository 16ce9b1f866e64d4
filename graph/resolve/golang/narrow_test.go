package golang_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/golang"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

// TestNarrow binds all references: none may come from a file that was left out.
func TestNarrow(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	var r golang.Resolver
	narrowed := 0
	for _, name := range archives {
		v, _ := resolvetest.Load(t, name)
		all := v.Files()
		check := func(from graph.FileID, b graph.Binding) {
			for _, c := range b.Targets {
				some, ok := r.Narrow(v, c.Symbol, all)
				if !ok {
					continue
				}
				if len(some) < len(all) {
					narrowed++
				}
				if !slices.Contains(some, from) {
					rec, _ := v.File(from)
					f, _ := v.Facts(c.Symbol.File)
					t.Errorf("%s: %s refers to %s, but is left out", name, rec.Path, f.Defs[c.Symbol.Def].Local)
				}
			}
		}
		for _, id := range all {
			f, err := v.Facts(id)
			if err != nil || f == nil || f.Language != "go" {
				continue
			}
			for i := range f.Refs {
				check(id, r.Ref(v, f, id, i))
			}
			for i := range f.Heritage {
				check(id, r.Base(v, f, id, i))
			}
		}
	}
	if narrowed == 0 {
		t.Error("nothing was narrowed")
	}
}
