package generic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/generic"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) {
	suite := resolvetest.Suite{Mark: ">>> ", Resolver: resolver}
	suite.Run(t, "testdata/*.txtar")
}

// resolver returns the one that serves a language.
func resolver(language string) graph.Resolver {
	for _, r := range generic.Resolvers() {
		if slices.Contains(r.Languages(), language) {
			return r
		}
	}
	panic(fmt.Sprintf("no resolver of %q", language))
}
