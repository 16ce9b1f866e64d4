package workspace

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// HoldsError says that a directory is not changed as a whole for what is in it: a
// repository's own files, the index, an allowed root, or another file system.
type HoldsError struct {
	Path  graph.Path // of what is in it
	Mount bool
}

func (e *HoldsError) Error() string {
	if e.Mount {
		return fmt.Sprintf("another file system is mounted at %q", string(e.Path))
	}
	return fmt.Sprintf("it holds %q", string(e.Path))
}

// Unwrap makes it a protected path.
func (e *HoldsError) Unwrap() error { return ErrProtected }

// scanner looks at everything below a directory before it is changed as a whole.
type scanner struct {
	w       *Workspace
	ctx     context.Context //nolint:containedctx // of one walk
	root    *Root
	dev     uint64
	plain   bool // refuse what is neither file, directory nor link
	entries int  // seen
}

// stride is after how many entries a walk looks at its context.
const stride = 64

// scan counts what stands at and below a place, and refuses what is not to be changed.
func (w *Workspace) scan(ctx context.Context, p *place, plain bool) (entries int, err error) {
	var st unix.Stat_t
	if err := at.StatOpen(p.fd, &st); err != nil {
		return 0, sysError("stat", p.path, err)
	}
	s := scanner{w: w, ctx: ctx, root: p.root, dev: uint64(st.Dev), plain: plain} //nolint:unconvert // signed on some systems
	err = s.look(p.fd, p.name, p.path)
	return s.entries, err
}

func (s *scanner) look(dir int, name string, path graph.Path) error {
	if s.entries++; s.entries%stride == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	var st unix.Stat_t
	if err := at.Stat(dir, name, &st); err != nil {
		return sysError("stat", path, err)
	}
	if !at.IsDir(&st) {
		if s.plain && !at.IsRegular(&st) && !at.IsLink(&st) {
			return oddError(path, &st)
		}
		return nil
	}
	if uint64(st.Dev) != s.dev { //nolint:unconvert // signed on some systems
		return &HoldsError{Path: path, Mount: true}
	}
	return each(dir, name, path, func(sub int, name string, path graph.Path) error {
		abs := absolute(s.root, path)
		if protectedName(name) || s.w.holdsRoot(abs) || s.w.isIndex(abs) {
			return &HoldsError{Path: path}
		}
		return s.look(sub, name, path)
	})
}

// each calls do with everything in a directory, which is entered through no link.
func each(dir int, name string, path graph.Path, do func(dir int, name string, path graph.Path) error) error {
	sub, err := openSub(dir, name)
	if err != nil {
		return sysError("open", path, err)
	}
	defer func() { _ = sub.Close() }()
	names, err := sub.Readdirnames(-1)
	if err != nil {
		return sysError("list", path, err)
	}
	for _, n := range names {
		if err := do(int(sub.Fd()), n, below(path, n)); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes what stands at a path and returns how many entries that were, and
// the path without the links above it. A link is removed, not what it leads to. A
// directory needs recursive; with it, what could not be removed stays where it is.
func (w *Workspace) Delete(ctx context.Context, root *Root, path graph.Path, recursive bool) (gone graph.Path, entries int, err error) {
	places, err := w.at(ctx, ref{root: root, path: path})
	if err != nil {
		return "", 0, err
	}
	p := places[0]
	defer p.close()
	st, ok, err := p.lstat()
	switch {
	case err != nil:
		return p.path, 0, err
	case !ok:
		return p.path, 0, &tree.Error{Op: "remove", Path: path, Reason: tree.ReasonNotExist}
	case at.IsDir(&st) && !recursive:
		return p.path, 0, &tree.Error{Op: "remove", Path: path, Reason: tree.ReasonDirectory}
	}
	if at.IsDir(&st) {
		if _, err := w.scan(ctx, p, false); err != nil {
			return p.path, 0, err
		}
	}
	r := remover{ctx: ctx, reach: w.reach}
	err = r.remove(p.fd, p.name, p.path)
	_ = unix.Fsync(p.fd) // some file systems cannot
	return p.path, r.entries, err
}

// remover removes a tree and counts what is gone.
type remover struct {
	ctx     context.Context //nolint:containedctx // of one walk
	reach   func(Step) error
	entries int
}

func (r *remover) remove(dir int, name string, path graph.Path) error {
	if r.entries%stride == 0 && r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	var st unix.Stat_t
	if err := at.Stat(dir, name, &st); err != nil {
		return sysError("remove", path, err)
	}
	flags := 0
	if at.IsDir(&st) {
		flags = unix.AT_REMOVEDIR
		if err := each(dir, name, path, r.remove); err != nil {
			return err
		}
	}
	err := r.reach(StepRemove)
	if err == nil {
		err = unix.Unlinkat(dir, name, flags)
	}
	if err == nil {
		r.entries++
	}
	return sysError("remove", path, err)
}
