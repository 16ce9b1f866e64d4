package query

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestTestPaths(t *testing.T) {
	for file, want := range map[graph.Path][]graph.Path{
		"lib/src/main/java/a/Foo.java": {"lib/src/test/java/a/FooTest.java", "lib/src/test/java/a/TestFoo.java", "lib/src/main/java/a/FooTests.java"},
		"main/Foo.java":                {"test/FooTest.java", "main/FooTest.java"},
		"a/foo.go":                     {"a/foo_test.go"},
		"pkg/foo.py":                   {"tests/test_foo.py"},
	} {
		got := testPaths(file)
		for _, p := range want {
			if !slices.Contains(got, p) {
				t.Errorf("%s: %s is not among %v", file, p, got)
			}
		}
	}
}
