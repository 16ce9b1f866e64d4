package php_test

import (
	"testing"

	"github.com/ralph-index/ralph-index/graph/resolve/php"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) {
	suite := resolvetest.Suite{Mark: ">>> ", Resolver: resolvetest.One(php.Resolver{})}
	suite.Run(t, "testdata/*.txtar")
}
