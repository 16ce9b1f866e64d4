package tree

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
)

// WalkOptions say what a walk covers.
type WalkOptions struct {
	// Scope limits the walk to files and directories; empty is everything. Paths
	// that do not exist or that the rules exclude yield nothing.
	Scope []graph.Path
	// NoIgnore lists what ignore files exclude too. Directories named .git, .agent,
	// .hg and .svn stay out, unless the scope itself lies in one.
	NoIgnore bool
	// Dirs also yields directories, each before its contents; the root is not
	// yielded.
	Dirs bool
}

// Walk calls fn from one goroutine for everything in scope that the ignore rules
// let through. Entries of a directory come sorted by the bytes of their names, the
// contents of a subdirectory at its place. Directory links are not followed, and
// nested repositories are ordinary directories with rules of their own.
//
// What cannot be read is yielded as Unreadable; Walk fails only when fn does, when
// ctx ends, or when the system is out of descriptors or memory, since then what it
// did not see is not known to be gone.
func (t *Tree) Walk(ctx context.Context, opts WalkOptions, fn func(Entry) error) error {
	return errNotBuilt
}
