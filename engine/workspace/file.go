package workspace

import (
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Stat says what stands at a path of the root, ignored or not. Links inside the
// root are followed, in every element: the entry is that of what they lead to.
// The error is a *tree.Error.
func (r *Root) Stat(path graph.Path) (tree.Entry, error) { return r.Tree.Follow(path) }

// Read returns the bytes of a regular file of the root, ignored or not, in buf
// where they fit. Anything but a regular file is refused without being opened. The
// error is a *tree.Error.
func (r *Root) Read(path graph.Path, buf []byte) ([]byte, graph.Signature, error) {
	e, err := r.Tree.Follow(path)
	if err != nil {
		return nil, graph.Signature{}, err
	}
	if e.Type != tree.File {
		reason := e.Reason
		if e.Type == tree.Directory {
			reason = tree.ReasonDirectory
		}
		return nil, graph.Signature{}, &tree.Error{Op: "read", Path: path, Reason: reason}
	}
	return r.Tree.Read(path, buf)
}
