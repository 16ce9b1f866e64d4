package groovy_test

import (
	"flag"
	"testing"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestFacts(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func FuzzExtract(f *testing.F) { extracttest.Fuzz(f, "a.groovy", "testdata/*.txtar") }
