package ruby_test

import (
	"testing"

	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
	"github.com/ralph-index/ralph-index/graph/resolve/ruby"
)

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) {
	suite := resolvetest.Suite{Mark: ">>> ", Resolver: resolvetest.One(ruby.Resolver{})}
	suite.Run(t, "testdata/*.txtar")
}
