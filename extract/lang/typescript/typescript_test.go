package typescript_test

import (
	"flag"
	"testing"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }
