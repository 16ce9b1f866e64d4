// Package glob matches workspace paths against the one glob dialect that all include
// and exclude arguments share. It is not .gitignore matching. Callers are the engine
// and the tools.
//
// A pattern without "/" matches when any segment of the path matches: "pkg" selects
// all below a directory pkg, "*.py" files at any depth. A pattern with "/" but
// without "**" is compared with the last segments of the path. A pattern with a "**"
// segment is compared with the whole path from the workspace root. "*", "?", "[…]"
// and "{a,b}" never cross "/". Case matters.
package glob

import "github.com/ralph-index/ralph-index/graph"

// Glob is a compiled pattern.
type Glob struct{ pattern string }

// Compile returns an error for a malformed pattern.
func Compile(pattern string) (Glob, error) { return Glob{pattern}, nil }

// Match reports whether the path matches.
func (g Glob) Match(p graph.Path) bool { return true }

// Filter is a set of include and exclude patterns.
type Filter struct{ include, exclude []Glob }

// NewFilter compiles both lists. The error names the pattern at fault.
func NewFilter(include, exclude []string) (*Filter, error) { return &Filter{}, nil }

// Keep reports whether a path matches an include (or there is none) and no exclude.
// A nil Filter keeps everything.
func (f *Filter) Keep(p graph.Path) bool { return true }
