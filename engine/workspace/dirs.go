package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// MakeDir makes a directory and those above it, and returns its path without links.
// existed says that it was there.
func (w *Workspace) MakeDir(_ context.Context, root *Root, path graph.Path) (made graph.Path, existed bool, err error) {
	for range maxTries {
		made, err = realPath(root, path)
		if err != nil {
			return made, false, err
		}
		if e, err := root.Tree.Stat(made); err == nil && !e.Link {
			if e.Type != tree.Directory {
				return made, false, fmt.Errorf("make %q: %w", string(path), ErrExists)
			}
			return made, true, w.mayMake(root, made)
		}
		if err = w.mayMake(root, made); err != nil {
			return made, false, err
		}
		if err = w.makeDirs(root, made); !errors.Is(err, errMoved) {
			return made, false, err
		}
	}
	return made, false, fmt.Errorf("make %q: %w", string(path), ErrUnstable)
}

// mayMake is mayChange for a directory that is only to be there: a root is.
func (w *Workspace) mayMake(root *Root, path graph.Path) error {
	if path == "" {
		return nil
	}
	return w.mayChange(root, path)
}

// makeDirs makes a directory, whose path has no links, and those above it. A link that
// is put in the way meanwhile is not followed.
func (w *Workspace) makeDirs(root *Root, path graph.Path) error {
	if err := newName(path); err != nil {
		return err
	}
	dir, err := root.Tree.OpenDir("")
	if err != nil {
		return err
	}
	done := graph.Path("")
	for name := range strings.SplitSeq(string(path), "/") {
		done = below(done, name)
		next, err := w.enterOrMake(int(dir.Fd()), name)
		_ = dir.Close()
		if err != nil {
			return openError(root, below(done, "x"), sysError("make directory", done, err))
		}
		dir = next
	}
	return dir.Close()
}

// enterOrMake opens a directory in an open one, and makes it when nothing is there.
func (w *Workspace) enterOrMake(dir int, name string) (*os.File, error) {
	sub, err := openSub(dir, name)
	if !errors.Is(err, unix.ENOENT) {
		return sub, err
	}
	if err := w.reach(StepMake); err != nil {
		return nil, err
	}
	if err := unix.Mkdirat(dir, name, 0o777); err != nil && err != unix.EEXIST {
		return nil, err
	}
	return openSub(dir, name)
}
