package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// errNotDir says that a path is written as that of a directory and is a file's.
var errNotDir = errors.New("not a directory")

// resolve translates a path that a caller gave as the argument arg. A path that
// ends in a slash means a directory, as it does for the system.
func (l *local) resolve(arg, input string) (*workspace.Root, graph.Path, error) {
	root, p, err := l.ws.Resolve(input)
	if err == nil && (strings.HasSuffix(input, "/") || strings.HasSuffix(input, "/.")) {
		if e, statErr := root.Stat(p); statErr == nil && e.Type != tree.Directory {
			err = errNotDir
		}
	}
	if err != nil {
		return nil, "", pathError(arg, input, err)
	}
	return root, p, nil
}

// known returns the path under which the index lists what a path of the workspace
// leads to. It need not be on disk any more when the index still has it.
func (l *local) known(arg, input string, p graph.Path) (graph.Path, error) {
	if p == "" {
		return "", nil
	}
	at, err := listed(l.ws.Tree(), p)
	switch {
	case err == nil:
		return at, nil
	case errors.Is(err, tree.ErrNotExist) && l.x.holdsBelow(p), errors.Is(err, tree.ErrPermission):
		return p, nil // what cannot be looked at is indexed as that
	}
	return "", pathError(arg, input, err)
}

// holdsBelow reports whether the index has a file at or below a path.
func (x *index) holdsBelow(p graph.Path) bool {
	if x == nil {
		return false
	}
	snap := x.store.Snapshot()
	defer snap.Release()
	found := false
	snap.Files(func(f graph.File) bool {
		found = f.Path.Under(p)
		return !found
	})
	return found
}

// shownPath is how much of a path an error shows.
const shownPath = 200

func clipPath(p string) string {
	if len(p) <= shownPath {
		return p
	}
	return p[:shownPath] + "…"
}

// pathError classifies what went wrong with a path that a caller gave.
func pathError(arg, path string, err error) error {
	path = clipPath(path)
	e := &api.Error{Argument: arg, Details: map[string]any{"path": path}}
	say := func(code api.Code, format string, args ...any) {
		e.Code, e.Message = code, fmt.Sprintf("%q ", path)+fmt.Sprintf(format, args...)
	}
	var odd *tree.Error
	switch {
	case errors.Is(err, workspace.ErrOutside), errors.Is(err, tree.ErrOutside):
		say(api.CodeOutsideRoot, "leads outside the allowed roots; give a path inside the workspace")
	case errors.As(err, &odd) && odd.Reason == tree.ReasonNameTooLong:
		say(api.CodeInvalidParams, "is longer than the system's file names and paths can be")
	case errors.Is(err, workspace.ErrInvalid), errors.Is(err, tree.ErrInvalid):
		say(api.CodeInvalidParams, "is not a valid path")
	case errors.Is(err, errNotDir):
		say(api.CodeNotFound, "ends like a directory and names a file; leave out what follows the file's name")
	case errors.As(err, &odd) && odd.Reason == tree.ReasonDangling:
		say(api.CodeNotFound, "is a symbolic link that leads to nothing")
	case errors.Is(err, tree.ErrNotExist) && strings.ContainsRune(path, utf8.RuneError):
		say(api.CodeNotFound, "does not exist; a path that is shown with U+FFFD is no UTF-8 and can only be opened by an id, "+
			"such as the path_id of a match or the evidence_ids of an answer")
	case errors.Is(err, tree.ErrNotExist):
		say(api.CodeNotFound, "does not exist; give it relative to the workspace, or look for its name with search_files")
	case errors.Is(err, tree.ErrIsDir):
		say(api.CodeNotRegular, "is a directory; give a file")
	case errors.As(err, &odd) && odd.Reason == tree.ReasonLoop:
		say(api.CodeNotRegular, "is a symbolic link that leads to itself")
	case errors.As(err, &odd) && errors.Is(err, tree.ErrSpecial):
		say(api.CodeNotRegular, "is not a regular file but a %s", odd.Reason)
	case errors.Is(err, tree.ErrPermission):
		say(api.CodePermission, "cannot be read: permission denied; ask the user for access")
	default:
		say(api.CodeIO, "cannot be read: %v", err)
	}
	return e
}
