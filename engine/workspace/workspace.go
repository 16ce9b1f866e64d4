// Package workspace finds the directory that a process works in, and gives tools
// safe access to the files in it and in further allowed roots.
//
// It knows nothing of the index. What it reads includes ignored files, since a
// reader names its file; what is listed and indexed is freshness/tree's matter.
package workspace

import (
	"errors"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Sentinels that errors of this package match with errors.Is. Failures about a
// file's nature match those of freshness/tree: tree.ErrNotExist, tree.ErrIsDir,
// tree.ErrSpecial, tree.ErrPermission.
var (
	ErrOutside = errors.New("path lies outside the allowed roots")
	ErrInvalid = errors.New("path is not valid")
	ErrRefused = errors.New("directory is refused as a workspace")
)

var errNotBuilt = errors.New("not built yet")

// Source says what named the workspace.
type Source string

// The sources, in the order in which they are tried.
const (
	FromFlag       Source = "flag"
	FromEnv        Source = "environment"
	FromRepository Source = "repository"
	FromCwd        Source = "current_directory"
)

// Query is what a workspace is found from.
type Query struct {
	Flag   string              // an explicit directory, or ""
	Getenv func(string) string // nil: os.Getenv
	Cwd    string              // "": the process's
}

// Find returns the absolute path of the workspace, links resolved: the flag; then
// RALPH_WORKSPACE and CLAUDE_PROJECT_DIR; then the nearest directory at or above
// Cwd that holds a .git; then Cwd. The file system's root and the user's home are
// refused with ErrRefused, by whatever way they are reached.
func Find(q Query) (dir string, src Source, err error) { return "", "", errNotBuilt }

// Root is an allowed root.
type Root struct {
	Path  string // absolute, links resolved
	Index bool   // the workspace itself: the one that is indexed
	Tree  *tree.Tree
}

// Workspace is the set of allowed roots.
type Workspace struct{}

// Options adjust a workspace.
type Options struct {
	Roots []string // further allowed roots
	Tree  tree.Options
}

// Open opens the workspace at dir, as Find returned it, and the further roots.
func Open(dir string, opts Options) (*Workspace, error) { return nil, errNotBuilt }

// Close gives the roots back.
func (w *Workspace) Close() error { return nil }

// Dir is the absolute path of the workspace.
func (w *Workspace) Dir() string { return "" }

// Tree is the view of the workspace itself.
func (w *Workspace) Tree() *tree.Tree { return nil }

// Roots lists the allowed roots, the workspace first.
func (w *Workspace) Roots() []*Root { return nil }

// Resolve translates a path as a tool's caller writes it: relative to the
// workspace, or absolute inside one of the roots; "" and "." are the workspace. It
// is textual and touches no file: ".." is cleaned first, then whatever lies
// outside is refused with ErrOutside, and NUL bytes with ErrInvalid.
func (w *Workspace) Resolve(input string) (*Root, graph.Path, error) { return nil, "", errNotBuilt }

// Coverage says whether .gitignore covers the index directory.
type Coverage struct {
	Present bool
	Rule    string // the line that covers it
	File    string // absolute path of the .gitignore that was looked at
}

// IgnoreCoverage reads the workspace's .gitignore; it never writes it.
func (w *Workspace) IgnoreCoverage() Coverage { return Coverage{} }
