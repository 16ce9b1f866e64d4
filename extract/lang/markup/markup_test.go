package markup_test

import (
	"flag"
	"testing"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestFacts(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func FuzzHTML(f *testing.F) { extracttest.Fuzz(f, "a.html", "testdata/html.txtar") }

func FuzzSvelte(f *testing.F) { extracttest.Fuzz(f, "a.svelte", "testdata/svelte.txtar") }
