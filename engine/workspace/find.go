package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Source says what named the workspace.
type Source string

// The sources, in the order in which they are tried.
const (
	FromFlag       Source = "flag"
	FromEnv        Source = "environment"
	FromRepository Source = "repository"
	FromIndex      Source = "index"
	FromCwd        Source = "current_directory"
)

// Query is what a workspace is found from.
type Query struct {
	Flag   string              // an explicit directory, or ""
	Getenv func(string) string // nil: os.Getenv
	Cwd    string              // "": the process's
}

// variables name a workspace: ours first, then what a client sets for its servers.
func variables() []string { return []string{"RALPH_WORKSPACE", "CLAUDE_PROJECT_DIR"} }

// Find returns the absolute path of the workspace, links resolved: the flag; then
// RALPH_WORKSPACE and CLAUDE_PROJECT_DIR; then the nearest directory at or above
// Cwd that holds a .git (directory or file); then the nearest that holds an index;
// then Cwd. The file system's root and the user's home are refused with ErrRefused
// when they are named or are all that is left; a repository or an index there is
// passed over.
func Find(q Query) (dir string, src Source, err error) {
	if q.Getenv == nil {
		q.Getenv = os.Getenv
	}
	if q.Cwd == "" {
		if q.Cwd, err = os.Getwd(); err != nil {
			return "", "", fmt.Errorf("find workspace: %w", err)
		}
	}
	if q.Flag != "" {
		dir, err = q.accept(q.Flag)
		return dir, FromFlag, err
	}
	for _, name := range variables() {
		if v := q.Getenv(name); v != "" {
			if dir, err = q.accept(v); err != nil {
				return "", FromEnv, fmt.Errorf("%s: %w", name, err)
			}
			return dir, FromEnv, nil
		}
	}
	cwd, err := q.real(q.Cwd)
	if err != nil {
		return "", "", err
	}
	if dir, ok := q.above(cwd, ".git"); ok {
		return dir, FromRepository, nil
	}
	if dir, ok := q.above(cwd, IndexDir); ok {
		return dir, FromIndex, nil
	}
	dir, err = q.accept(cwd)
	return dir, FromCwd, err
}

// IndexDir is where the index of a workspace lies in it, unless told otherwise.
const IndexDir = ".agent/ralph-explore"

// above returns the nearest directory at or above dir in which name exists.
func (q *Query) above(dir, name string) (string, bool) {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && !q.refused(dir) {
			return dir, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

// accept resolves a directory and refuses those that nobody means.
func (q *Query) accept(name string) (string, error) {
	dir, err := q.real(name)
	if err != nil {
		return "", err
	}
	if q.refused(dir) {
		return "", fmt.Errorf("%w: %s is not a project; name one with --workspace DIR or RALPH_WORKSPACE, or start in it", ErrRefused, dir)
	}
	return dir, nil
}

// real returns the absolute path of a directory with links resolved.
func (q *Query) real(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(q.Cwd, name)
	}
	dir, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", fmt.Errorf("find workspace: %w", err)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find workspace: %w", err)
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("find workspace: %w", err)
	}
	if !fi.IsDir() {
		return "", fmt.Errorf("find workspace: %w", &os.PathError{Op: "open", Path: dir, Err: errNotDir})
	}
	return dir, nil
}

var errNotDir = errors.New("not a directory")

// refused compares by identity, so that no spelling gets around it.
func (q *Query) refused(dir string) bool {
	fi, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for _, name := range [...]string{"/", q.Getenv("HOME")} {
		if name == "" {
			continue
		}
		if other, err := os.Stat(name); err == nil && os.SameFile(fi, other) {
			return true
		}
	}
	return false
}
