package tree

import (
	"context"
	"errors"
	"os"

	"github.com/ralph-index/ralph-index/graph"
)

var errNotBuilt = errors.New("not built yet")

// Read returns the bytes of a regular file, appended to buf[:0], with the
// signature that belongs to exactly these bytes: a file that changes while it is
// read is read again, and ErrChanging is returned when it never holds still. Links
// are followed inside the root. The error is an *Error.
func (t *Tree) Read(path graph.Path, buf []byte) ([]byte, graph.Signature, error) {
	return nil, graph.Signature{}, errNotBuilt
}

// OpenFile opens a regular file for reading, for callers that want a part of it.
// The signature is the one at the time of opening. The error is an *Error.
func (t *Tree) OpenFile(path graph.Path) (*os.File, graph.Signature, error) {
	return nil, graph.Signature{}, errNotBuilt
}

// Stat returns what a walk would say of a path, without applying the ignore rules:
// a path reached through a linked directory does not exist here. The error is an
// *Error; for Special and Unreadable things it is nil.
func (t *Tree) Stat(path graph.Path) (Entry, error) {
	return Entry{}, errNotBuilt
}

// Stated is the answer of StatAll for one path.
type Stated struct {
	Entry
	Err error // an *Error when the path does not exist or cannot be looked at
}

// StatAll stats many paths at about the price of one system call each, in
// parallel, and returns the answers in their order. It is cheapest when paths of
// one directory stand together. The error is that of ctx.
func (t *Tree) StatAll(ctx context.Context, paths []graph.Path) ([]Stated, error) {
	return nil, errNotBuilt
}

// Ignored reports whether the rules in force now keep the path out of walks: its
// own rules or those of a directory above it. The root is never ignored. A path
// that does not exist is judged as a file.
func (t *Tree) Ignored(path graph.Path) bool { return false }
