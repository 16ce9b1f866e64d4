package typescript_test

import (
	"flag"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

// FuzzExtract holds the rules to their contract on any text: no panic, and facts
// that agree with the text.
func FuzzExtract(f *testing.F) {
	for _, name := range []string{"declarations", "commonjs", "hints", "types", "jsx", "tests", "broken", "prepare", "narrow"} {
		a, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, path := range []string{"a.ts", "a.tsx", "a.js"} {
			facts := extracttest.Extract(t, path, string(src))
			if facts.Status == "failed" {
				t.Errorf("%s: %s", path, facts.Reason)
			}
		}
	})
}
