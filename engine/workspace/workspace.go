// Package workspace finds the directory that a process works in, and gives tools
// safe access to the files in it and in further allowed roots.
//
// It knows nothing of the index. What it reads includes ignored files, since a
// reader names its file; what is listed and indexed is freshness/tree's matter. Its
// two halves of safety: Resolve keeps names inside a root textually, and the root's
// tree keeps links inside it when the file is opened.
//
// Changes are made in a directory that is held open and locked, by names that are no
// paths: links are resolved before, and none that is put in the way afterwards is
// followed. A file's content changes in one step. What a killed process left is
// removed by the next one: see Recover.
package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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

// Root is an allowed root.
type Root struct {
	Path  string // absolute, links resolved
	Index bool   // the workspace itself: the one that is indexed
	Tree  *tree.Tree

	// given is the root as it was named, before links were resolved: callers know
	// it by that name too.
	given string
}

// Workspace is the set of allowed roots. It is safe for concurrent use.
type Workspace struct {
	roots []*Root // the workspace first
	opts  Options
}

// Options adjust a workspace.
type Options struct {
	Roots []string // further allowed roots
	Tree  tree.Options
	// IndexDir is the directory of the index, absolute: tools do not change it.
	// Unfinished changes are noted in it. "": there is none.
	IndexDir string
	// Reached, when not nil, is called at each step of a change; an error that it
	// returns is the step's. It is for tests.
	Reached func(Step) error
}

// Open opens the workspace at dir, as Find returned it, and the further roots.
func Open(dir string, opts Options) (*Workspace, error) {
	w := &Workspace{opts: opts}
	for i, name := range append([]string{dir}, opts.Roots...) {
		given, err := filepath.Abs(name)
		if err != nil {
			_ = w.Close()
			return nil, fmt.Errorf("open root %q: %w", name, err)
		}
		t, err := tree.Open(given, opts.Tree)
		if err != nil {
			_ = w.Close()
			return nil, fmt.Errorf("open root: %w", err)
		}
		w.roots = append(w.roots, &Root{Path: t.Root(), Index: i == 0, Tree: t, given: given})
	}
	return w, nil
}

// Close gives the roots back. No other call may run meanwhile or come after it.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots {
		errs = append(errs, r.Tree.Close())
	}
	return errors.Join(errs...)
}

// Dir is the absolute path of the workspace.
func (w *Workspace) Dir() string { return w.roots[0].Path }

// Tree is the view of the workspace itself.
func (w *Workspace) Tree() *tree.Tree { return w.roots[0].Tree }

// Roots lists the allowed roots, the workspace first.
func (w *Workspace) Roots() []*Root { return w.roots }

// Resolve translates a path as a tool's caller writes it: relative to the
// workspace, or absolute inside one of the roots; "" and "." are the workspace. It
// is textual and touches no file, but for an absolute path that goes to a root under
// another name of the root, through links: ".." is cleaned first, then whatever lies
// outside is refused with ErrOutside, and NUL bytes with ErrInvalid. Nothing else
// is read into a name: "~", "%2e", quotes and trailing blanks stand for themselves.
// Where roots lie in one another the innermost has the path.
func (w *Workspace) Resolve(input string) (*Root, graph.Path, error) {
	if strings.IndexByte(input, 0) >= 0 {
		return nil, "", fmt.Errorf("resolve path %q: NUL byte: %w", input, ErrInvalid)
	}
	abs := filepath.Clean(input)
	if !filepath.IsAbs(input) {
		abs = filepath.Join(w.roots[0].Path, input)
	}
	var best *Root
	var rel string
	for _, r := range w.roots {
		for _, name := range [...]string{r.Path, r.given} {
			if in, ok := under(name, abs); ok && (best == nil || len(r.Path) > len(best.Path)) {
				best, rel = r, in
			}
		}
	}
	if best == nil && filepath.IsAbs(input) {
		best, rel = w.otherwiseNamed(abs)
	}
	if best == nil {
		return nil, "", fmt.Errorf("resolve path %q: %w", input, ErrOutside)
	}
	return best, graph.Path(filepath.ToSlash(rel)), nil
}

// otherwiseNamed finds the root that a directory on the way to abs is, links resolved:
// a shell's $PWD keeps the links that it went through.
func (w *Workspace) otherwiseNamed(abs string) (*Root, string) {
	rest := ""
	for dir := abs; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			for _, r := range w.roots {
				if r.Path == real {
					return r, rest
				}
			}
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
	return nil, ""
}

// under cuts dir off a clean absolute path that is dir or lies in it. Whole
// elements count: /w/app is not under /w/a.
func under(dir, path string) (rel string, ok bool) {
	if path == dir {
		return "", true
	}
	if !strings.HasSuffix(dir, "/") {
		dir += "/"
	}
	return strings.CutPrefix(path, dir)
}
