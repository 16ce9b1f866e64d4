package golang_test

import (
	"flag"
	"os"
	"testing"

	"github.com/ralph-index/ralph-index/extract/extracttest"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }
