package workspace

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// Sentinels of moves and copies.
var (
	ErrSame   = errors.New("source and destination are the same")
	ErrInside = errors.New("destination lies inside the source")
	// ErrKind says that the destination exists and is not replaced even with
	// overwrite: a file takes the place of a file only, a directory of nothing.
	ErrKind = errors.New("destination is of another kind, or a directory")
)

// EndError is a failure that is about the destination.
type EndError struct{ Err error }

func (e *EndError) Error() string { return e.Err.Error() }

// Unwrap returns the failure.
func (e *EndError) Unwrap() error { return e.Err }

// atDest marks an error as one about the destination; nil stays nil.
func atDest(err error) error {
	if err == nil {
		return nil
	}
	return &EndError{err}
}

// Named is a path in a root.
type Named struct {
	Root *Root
	Path graph.Path
}

// Moved says what a move or copy did.
type Moved struct {
	Src, Dest Named // without links above them
	Dir       bool
	Replaced  bool // a file that stood at the destination
	Entries   int  // moved or copied
}

// pair is the source and the destination of a move or copy.
type pair struct {
	src, dst *place
	srcStat  unix.Stat_t
	replace  bool
	out      Moved
}

func (p *pair) close() {
	p.src.close()
	p.dst.close()
}

// pair opens both ends and checks the rules that moves and copies share. No link at
// either end is followed; those above are.
func (w *Workspace) pair(ctx context.Context, src, dst Named, overwrite, mkdir, plain bool) (*pair, error) {
	if err := newName(dst.Path); err != nil {
		return nil, atDest(err)
	}
	if mkdir {
		if err := w.ready(ctx, src, dst, plain); err != nil {
			return nil, err
		}
	}
	places, err := w.at(ctx, ref{root: src.Root, path: src.Path}, ref{root: dst.Root, path: dst.Path, make: mkdir})
	if err != nil {
		return nil, err
	}
	p := &pair{src: places[0], dst: places[1]}
	if err = w.checkSource(ctx, p, p.dst.abs(), plain); err == nil {
		p.out.Dest = Named{p.dst.root, p.dst.path}
		err = atDest(p.checkDest(overwrite))
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// ready checks the source where directories are to be made for the destination: what
// is refused leaves none behind.
func (w *Workspace) ready(ctx context.Context, src, dst Named, plain bool) error {
	to, err := (&ref{root: dst.Root, path: dst.Path}).real()
	if err == nil {
		err = w.mayChange(dst.Root, to)
	}
	if err != nil {
		return atDest(err)
	}
	if _, err := dst.Root.Tree.Stat(to.Dir()); err == nil {
		return nil
	}
	places, err := w.at(ctx, ref{root: src.Root, path: src.Path})
	if err != nil {
		return err
	}
	defer places[0].close()
	return w.checkSource(ctx, &pair{src: places[0]}, absolute(dst.Root, to), plain)
}

// checkSource checks the source of a move or copy to an absolute path, and everything
// below it.
func (w *Workspace) checkSource(ctx context.Context, p *pair, to string, plain bool) error {
	st, ok, err := p.src.lstat()
	if err != nil {
		return err
	}
	if !ok {
		return &tree.Error{Op: "open", Path: p.src.path, Reason: tree.ReasonNotExist}
	}
	from := p.src.abs()
	if from == to {
		return ErrSame
	}
	if _, in := under(from, to); in && at.IsDir(&st) {
		return ErrInside
	}
	p.srcStat = st
	p.out = Moved{Src: Named{p.src.root, p.src.path}, Dir: at.IsDir(&st)}
	p.out.Entries, err = w.scan(ctx, p.src, plain)
	return err
}

func (p *pair) checkDest(overwrite bool) error {
	old, exists, err := p.dst.lstat()
	switch {
	case err != nil:
		return err
	case !exists:
		return nil
	case !overwrite:
		return fmt.Errorf("make %q: %w", string(p.dst.path), ErrExists)
	case at.IsDir(&old) || p.out.Dir:
		return fmt.Errorf("replace %q: %w", string(p.dst.path), ErrKind)
	}
	p.replace, p.out.Replaced = true, true
	return nil
}

// Move gives what stands at src the name dst. What is at dst is replaced only when
// overwrite is set and both are files or links. The directory of dst must exist.
func (w *Workspace) Move(ctx context.Context, src, dst Named, overwrite bool) (Moved, error) {
	p, err := w.pair(ctx, src, dst, overwrite, false, false)
	if err != nil {
		return Moved{}, err
	}
	defer p.close()
	if err := w.reach(StepRename); err != nil {
		return p.out, sysError("move", p.src.path, err)
	}
	if p.replace {
		err = p.renameOver()
	} else {
		err = renameNew(p.src.fd, p.src.name, p.dst.fd, p.dst.name)
	}
	switch {
	case errors.Is(err, unix.EEXIST):
		return p.out, atDest(fmt.Errorf("make %q: %w", string(p.dst.path), ErrExists))
	case errors.Is(err, unix.EXDEV):
		return p.out, w.moveAcross(ctx, p)
	case err != nil:
		return p.out, p.blame(sysError("move", p.src.path, err))
	}
	_ = w.reach(StepRenamed) // it is done
	_ = unix.Fsync(p.dst.fd) // some file systems cannot
	_ = unix.Fsync(p.src.fd)
	return p.out, nil
}

// blame marks a move that the system refused as the destination's, where that is what
// has no room or is closed to us.
func (p *pair) blame(err error) error {
	if full(err) || unix.Faccessat(p.dst.fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) != nil {
		return atDest(err)
	}
	return err
}

// renameOver replaces the destination. The system does nothing where both are names of
// one file: then the first name goes.
func (p *pair) renameOver() error {
	if st, ok, err := p.dst.lstat(); err == nil && ok && sameFile(&st, &p.srcStat) {
		return unix.Unlinkat(p.src.fd, p.src.name, 0)
	}
	return unix.Renameat(p.src.fd, p.src.name, p.dst.fd, p.dst.name)
}

// moveAcross moves between file systems: a copy, and when it is there, the end of
// the source.
func (w *Workspace) moveAcross(ctx context.Context, p *pair) error {
	if _, err := w.scan(ctx, p.src, true); err != nil { // only what can be copied
		return err
	}
	if err := w.copyPair(ctx, p); err != nil {
		return err
	}
	r := remover{ctx: context.WithoutCancel(ctx), reach: w.reach}
	return r.remove(p.src.fd, p.src.name, p.src.path)
}
