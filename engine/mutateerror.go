package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// resolveNew translates the path of a file that need not exist. One that is written as
// a directory's is refused.
func (l *local) resolveNew(arg, input string) (*workspace.Root, graph.Path, error) {
	root, p, err := l.ws.Resolve(input)
	if err == nil && (strings.HasSuffix(input, "/") || strings.HasSuffix(input, "/.")) {
		return nil, "", &api.Error{
			Code: api.CodeInvalidParams, Argument: arg, Message: fmt.Sprintf("%s %q is written as a directory's; give that of a file", arg, clipPath(input)),
			Details: map[string]any{"path": clipPath(input)},
		}
	}
	if err != nil {
		return nil, "", pathError(arg, input, err)
	}
	return root, p, nil
}

// resolveEntry translates the path of what is moved, copied or removed as itself, or of
// where it goes. A path that is written as a directory's is not taken for a file or a
// link: whoever writes so means what it leads to.
func (l *local) resolveEntry(arg, input string) (*workspace.Root, graph.Path, error) {
	root, p, err := l.ws.Resolve(input)
	if err == nil && (strings.HasSuffix(input, "/") || strings.HasSuffix(input, "/.")) {
		if e, statErr := root.Tree.Stat(p); statErr == nil && (e.Type != tree.Directory || e.Link) {
			err = errNotDir
		}
	}
	if err != nil {
		return nil, "", pathError(arg, input, err)
	}
	return root, p, nil
}

func isTree(err error) bool {
	var e *tree.Error
	return errors.As(err, &e)
}

// changeError classifies what went wrong with a change of a path that a caller gave.
func changeError(arg, path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	path = clipPath(path)
	e := &api.Error{Argument: arg, Details: map[string]any{"path": path}}
	say := func(code api.Code, format string, args ...any) {
		e.Code, e.Message = code, fmt.Sprintf("%s %q ", arg, path)+fmt.Sprintf(format, args...)
	}
	var holds *workspace.HoldsError
	switch {
	case errors.As(err, &holds):
		say(api.CodeProtected, "is not moved, copied or deleted as a whole: %s; change what is beside that instead", holds.Error())
		e.Details["holds"] = string(holds.Path)
	case errors.Is(err, workspace.ErrProtected):
		say(api.CodeProtected, "belongs to git or to the index; tools do not change it")
	case errors.Is(err, workspace.ErrRoot):
		say(api.CodeProtected, "is an allowed root, or holds one; give a path below it")
	case errors.Is(err, workspace.ErrExists):
		say(api.CodeExists, "exists; set overwrite true to replace a file, or give another path")
	case errors.Is(err, workspace.ErrKind):
		say(api.CodeExists, "exists, and a directory is neither replaced nor does it replace anything; delete it first, or give another path")
	case errors.Is(err, workspace.ErrSame):
		say(api.CodeInvalidParams, "and dest are the same")
	case errors.Is(err, workspace.ErrInside):
		say(api.CodeInvalidParams, "cannot be put into itself; give a dest outside it")
	case errors.Is(err, workspace.ErrName):
		say(api.CodeInvalidParams, "holds control characters; give a name without them")
	case errors.Is(err, workspace.ErrNotDir):
		say(api.CodeNotFound, "leads through a file as if it were a directory")
	case errors.Is(err, workspace.ErrUnstable):
		say(api.CodeIO, "keeps changing while it is looked at; try again")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		say(api.CodeIO, "was not written: the disk is full; free some space, and try again")
		e.Details["reason"] = "disk_full"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EROFS):
		say(api.CodePermission, "cannot be changed: permission denied; ask the user for access")
	case errors.Is(err, syscall.ENAMETOOLONG):
		say(api.CodeInvalidParams, "is longer than the system's file names and paths can be")
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR):
		return pathError(arg, path, &tree.Error{Op: "open", Path: graph.Path(path), Reason: tree.ReasonNotExist, Err: err})
	case isTree(err), errors.Is(err, workspace.ErrOutside), errors.Is(err, workspace.ErrInvalid):
		return pathError(arg, path, err)
	default:
		say(api.CodeIO, "was not changed: %v", err)
	}
	return e
}
