package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// Sentinels of changes.
var (
	ErrProtected = errors.New("path is not changed through tools")
	ErrRoot      = errors.New("path is an allowed root, or holds one")
	ErrNotDir    = errors.New("not a directory")
	ErrExists    = errors.New("destination exists")
	ErrName      = errors.New("name holds control characters")
	ErrUnstable  = errors.New("path keeps changing")
)

// ref is a path as a change names it.
type ref struct {
	root   *Root
	path   graph.Path
	follow bool // the last element too is followed when it is a link
	make   bool // the directories above it are made
}

// place is a name in a directory that is held open, and in which no other change of
// ours runs: each takes the directory's lock, in whatever process.
type place struct {
	root   *Root
	path   graph.Path // without links
	name   string
	dir    *os.File
	fd     int // of dir
	locked bool
}

func (p *place) close() { _ = p.dir.Close() }

// abs is the absolute path of the place.
func (p *place) abs() string { return absolute(p.root, p.path) }

func absolute(r *Root, p graph.Path) string {
	return filepath.Join(r.Path, filepath.FromSlash(string(p)))
}

// lstat says what stands at the place; ok is false when nothing does.
func (p *place) lstat() (st unix.Stat_t, ok bool, err error) {
	err = at.Stat(p.fd, p.name, &st)
	if errors.Is(err, unix.ENOENT) {
		return st, false, nil
	}
	return st, err == nil, sysError("stat", p.path, err)
}

// maxTries bounds how often a path is resolved again that changed meanwhile.
const maxTries = 32

// at finds the places of paths and locks their directories. What the kernel then does
// in an open directory cannot be led elsewhere by links that are put in the way. The
// caller closes the places.
func (w *Workspace) at(ctx context.Context, refs ...ref) ([]*place, error) {
	for range maxTries {
		places, err := w.open(refs)
		if err == nil {
			err = lockAll(ctx, places)
		}
		if err == nil {
			err = still(places, refs)
		}
		if err == nil {
			return places, nil
		}
		for _, p := range places {
			p.close()
		}
		if !errors.Is(err, errMoved) {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, fmt.Errorf("open %q: %w", string(refs[0].path), ErrUnstable)
}

// errMoved says that a path leads elsewhere than a moment ago.
var errMoved = errors.New("path has moved")

func (w *Workspace) open(refs []ref) (places []*place, err error) {
	for i, r := range refs {
		p, err := w.place(r)
		if err != nil && i > 0 {
			err = atDest(err)
		}
		if err != nil {
			return places, err
		}
		places = append(places, p)
	}
	return places, nil
}

// place resolves the links of a path, checks that it may be changed, and opens the
// directory that holds it.
func (w *Workspace) place(r ref) (*place, error) {
	path, err := r.real()
	if err != nil {
		return nil, err
	}
	if err := w.mayChange(r.root, path); err != nil {
		return nil, err
	}
	dir, err := r.root.Tree.OpenDir(path.Dir())
	if errors.Is(err, tree.ErrNotExist) && r.make {
		if err := w.makeDirs(r.root, path.Dir()); err != nil {
			return nil, err
		}
		dir, err = r.root.Tree.OpenDir(path.Dir())
	}
	if err != nil {
		return nil, openError(r.root, path, err)
	}
	return &place{root: r.root, path: path, name: path.Base(), dir: dir, fd: int(dir.Fd())}, nil
}

// openError says what is in the way of a directory: a link that was not there when
// the path was resolved, a file, or nothing.
func openError(r *Root, path graph.Path, err error) error {
	var odd *tree.Error
	if errors.As(err, &odd) && odd.Reason == tree.ReasonLoop {
		return errMoved
	}
	for d := path.Dir(); d != ""; d = d.Dir() {
		if e, serr := r.Tree.Stat(d); serr == nil && e.Type != tree.Directory {
			if e.Link {
				return errMoved
			}
			return fmt.Errorf("open %q: %w", string(d), ErrNotDir)
		}
	}
	return err
}

// real returns the path without links. Elements that do not exist stay as they are.
func (r *ref) real() (graph.Path, error) {
	if r.follow || r.path == "" {
		return realPath(r.root, r.path)
	}
	dir, err := realPath(r.root, r.path.Dir())
	if err != nil {
		return "", err
	}
	return below(dir, r.path.Base()), nil
}

func realPath(r *Root, path graph.Path) (graph.Path, error) {
	if path == "" {
		return "", nil
	}
	real, err := r.Tree.Real(path)
	if err == nil || !errors.Is(err, tree.ErrNotExist) {
		return real, err
	}
	dir, err := realPath(r, path.Dir())
	if err != nil {
		return "", err
	}
	real = below(dir, path.Base())
	if e, err := r.Tree.Stat(real); err == nil && e.Link {
		return "", &tree.Error{Op: "open", Path: path, Reason: tree.ReasonDangling}
	}
	return real, nil
}

func below(dir graph.Path, name string) graph.Path {
	if dir == "" {
		return graph.Path(name)
	}
	return dir + "/" + graph.Path(name)
}

// mayChange refuses what tools do not change: the roots and what holds them,
// repositories' own files, the index, and unfinished writes. The path has no links.
func (w *Workspace) mayChange(r *Root, path graph.Path) error {
	if path == "" || w.holdsRoot(absolute(r, path)) {
		return fmt.Errorf("change %q: %w", string(path), ErrRoot)
	}
	for name := range strings.SplitSeq(string(path), "/") {
		if protectedName(name) {
			return fmt.Errorf("change %q: %w", string(path), ErrProtected)
		}
		if len(name) > unix.NAME_MAX {
			return &tree.Error{Op: "open", Path: path, Reason: tree.ReasonNameTooLong}
		}
	}
	abs := absolute(r, path)
	if len(abs) >= unix.PathMax { // others open it by its whole path
		return &tree.Error{Op: "open", Path: path, Reason: tree.ReasonNameTooLong}
	}
	if w.isIndex(abs) {
		return fmt.Errorf("change %q: %w", string(path), ErrProtected)
	}
	return nil
}

// Changeable reports why tools do not change a path, links followed; nil says that no
// rule keeps them from it. Nothing is touched.
func (w *Workspace) Changeable(root *Root, path graph.Path) error {
	real, err := realPath(root, path)
	if err != nil {
		return err
	}
	return w.mayChange(root, real)
}

// protectedName compares without case: some file systems do.
func protectedName(name string) bool {
	return strings.EqualFold(name, ".git") || strings.HasPrefix(name, ignore.TempPrefix)
}

// holdsRoot reports whether an absolute path is a root or a directory above one.
func (w *Workspace) holdsRoot(abs string) bool {
	return slices.ContainsFunc(w.roots, func(r *Root) bool {
		_, ok := under(abs, r.Path)
		return ok
	})
}

// isIndex reports whether an absolute path is the directory of the index or in it.
func (w *Workspace) isIndex(abs string) bool {
	dir := w.indexDir()
	if dir == "" {
		return false
	}
	_, ok := under(dir, abs)
	return ok
}

// indexDir is where the index lies now, links resolved; "" when nobody said.
func (w *Workspace) indexDir() string {
	if w.opts.IndexDir == "" {
		return ""
	}
	dir, rest := w.opts.IndexDir, ""
	for {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return w.opts.IndexDir
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}

// newName refuses names that nobody means: a line break in a name breaks what reads
// lists of names.
func newName(path graph.Path) error {
	if strings.ContainsFunc(string(path), unicode.IsControl) {
		return fmt.Errorf("make %q: %w", string(path), ErrName)
	}
	return nil
}

// lockAll locks the directories of places, each once and in one order for all
// processes, so that none waits for another in a circle.
func lockAll(ctx context.Context, places []*place) error {
	type dir struct {
		p  *place
		st unix.Stat_t
	}
	dirs := make([]dir, len(places))
	for i, p := range places {
		dirs[i].p = p
		if err := at.StatOpen(p.fd, &dirs[i].st); err != nil {
			return sysError("stat", p.path, err)
		}
	}
	slices.SortFunc(dirs, func(a, b dir) int {
		return cmp.Or(cmp.Compare(a.st.Dev, b.st.Dev), cmp.Compare(a.st.Ino, b.st.Ino))
	})
	for i, d := range dirs {
		if i > 0 && d.st.Dev == dirs[i-1].st.Dev && d.st.Ino == dirs[i-1].st.Ino {
			d.p.locked = dirs[i-1].p.locked
			continue
		}
		ok, err := lock(ctx, d.p.fd)
		if err != nil {
			return fmt.Errorf("wait for other changes in the directory of %q: %w", string(d.p.path), err)
		}
		d.p.locked = ok
	}
	return nil
}

const maxLockWait = 50 * time.Millisecond

// lock waits for the lock of an open directory, which its closing gives back. ok is
// false where the file system has no locks: then there is none.
func lock(ctx context.Context, fd int) (ok bool, err error) {
	for wait := time.Millisecond; ; wait = min(2*wait, maxLockWait) {
		switch err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err {
		case nil:
			return true, nil
		case unix.EINTR:
			continue
		case unix.EWOULDBLOCK:
		default:
			return false, nil
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return false, ctx.Err()
		}
	}
}

// still makes sure that places are where their paths lead, now that nobody else of us
// changes them.
func still(places []*place, refs []ref) error {
	for i, p := range places {
		path, err := refs[i].real()
		if err != nil || path != p.path {
			return errMoved
		}
		again, err := p.root.Tree.OpenDir(p.path.Dir())
		if err != nil {
			return errMoved
		}
		var was, is unix.Stat_t
		err = errors.Join(at.StatOpen(p.fd, &was), at.StatOpen(int(again.Fd()), &is))
		_ = again.Close()
		if err != nil || was.Ino != is.Ino || was.Dev != is.Dev {
			return errMoved
		}
		if st, ok, err := p.lstat(); refs[i].follow && (err != nil || ok && at.IsLink(&st)) {
			return errMoved
		}
	}
	return nil
}
