package rust_test

import (
	"flag"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func FuzzExtract(f *testing.F) {
	for _, name := range []string{"testdata/tour.txtar", "testdata/items.txtar", "testdata/macros.txtar", "testdata/paths.txtar", "testdata/broken.txtar"} {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(string(file.Data))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if got := extracttest.Extract(t, "a.rs", src); got.Status == "failed" {
			t.Errorf("%s", got.Reason)
		}
	})
}
