package tree

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/graph"
)

// OpenDir opens a directory beneath the root for whoever changes what stands in it.
// No link is followed, in no element: what is done in the open directory is done in
// the one that the path named, whatever takes its name meanwhile. The error is an
// *Error; a link on the way is ReasonLoop.
func (t *Tree) OpenDir(path graph.Path) (*os.File, error) {
	if strings.IndexByte(string(path), 0) >= 0 {
		return nil, &Error{Op: "open", Path: path, Reason: ReasonInvalid}
	}
	fd, err := t.open(string(path), unix.O_RDONLY|unix.O_DIRECTORY, false)
	if err != nil {
		return nil, &Error{Op: "open", Path: path, Reason: reasonOf(err), Err: err}
	}
	return os.NewFile(uintptr(fd), string(path)), nil
}
