package glob

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ralph-index/ralph-index/graph"
)

// What the form of a pattern decides is what matching decides.
func FuzzForm(f *testing.F) {
	for _, p := range []string{"*.go", "a*b", "a**b", "?.md", "{a,b}c", "[a-c]x", `\*x`, "abc", "*", "x/*.go", "ab*ab"} {
		for _, n := range []string{"a.go", "ab", "aba", "abab", ".go", "é.md", "ac", "*x", "x/a.go", "y/x/a.go", "", "\xff.go"} {
			f.Add(p, n)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if !doublestar.ValidatePattern(pattern) || pattern == "" {
			return
		}
		if path != "" && !strings.Contains(path, "/") && !strings.Contains(pattern, "/") {
			if g, err := Compile(pattern); err == nil && g.Match(graph.Path(path)) != doublestar.MatchUnvalidated(pattern, path) {
				t.Errorf("%q on %q: compiled, the answer is another", pattern, path)
			}
		}
		if !strings.Contains(path, "/") && !strings.Contains(pattern, "/") && pattern != "**" {
			form := formOf(pattern)
			if got, want := form.match(pattern, path), doublestar.MatchUnvalidated(pattern, path); got != want && path != "" {
				t.Errorf("%q on %q: %t, want %t", pattern, path, got, want)
			}
		}
		clean := strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "./") || strings.HasSuffix(pattern, "/") || strings.ContainsAny(pattern, "{}[]\\") || strings.Contains(pattern, "//")
		if clean || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") || path == "" {
			return
		}
		if g, err := Compile("**/" + pattern); err == nil {
			if got, want := g.Match(graph.Path(path)), doublestar.MatchUnvalidated("**/"+pattern, path); got != want {
				t.Errorf("**/%q on %q: %t, want %t", pattern, path, got, want)
			}
		}
	})
}
