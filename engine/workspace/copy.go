package workspace

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// Copy makes a copy of what stands at src, at dst, with its modes: a file, a link as
// the link that it is, or a directory with everything below it, which appears whole
// or not at all. What is at dst is replaced only when overwrite is set and both are
// files or links. The directories above dst are made.
func (w *Workspace) Copy(ctx context.Context, src, dst Named, overwrite bool) (Moved, error) {
	p, err := w.pair(ctx, src, dst, overwrite, true, true)
	if err != nil {
		return Moved{}, err
	}
	defer p.close()
	return p.out, w.copyPair(ctx, p)
}

func (w *Workspace) copyPair(ctx context.Context, p *pair) error {
	t, err := w.newTemp(p.dst)
	if err != nil {
		return atDest(sysError("copy", p.dst.path, err))
	}
	c := copier{w: w, ctx: ctx}
	err = c.copy(p.src.fd, p.src.name, p.src.path, t.p.fd, t.name)
	if err == nil && !at.IsLink(&p.srcStat) {
		err = atDest(c.sync(t))
	}
	if err == nil {
		err = atDest(t.take(p.replace))
	}
	if err != nil {
		t.drop()
	}
	return sysError("copy", p.src.path, err)
}

// copier copies a tree.
type copier struct {
	w    *Workspace
	ctx  context.Context //nolint:containedctx // of one walk
	seen int
}

func (c *copier) copy(dir int, name string, path graph.Path, toDir int, to string) error {
	if c.seen++; c.seen%stride == 0 && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	var st unix.Stat_t
	if err := at.Stat(dir, name, &st); err != nil {
		return sysError("stat", path, err)
	}
	switch {
	case at.IsLink(&st):
		target, err := at.Readlink(dir, name)
		if err == nil {
			err = atDest(unix.Symlinkat(target, toDir, to))
		}
		return sysError("copy", path, err)
	case at.IsDir(&st):
		return c.copyDir(dir, name, path, &st, toDir, to)
	case at.IsRegular(&st):
		return c.copyFile(dir, name, path, toDir, to)
	}
	return oddError(path, &st)
}

// sync has a finished copy go to the disk: many files at once, where the system can.
func (c *copier) sync(t *temp) error {
	if err := c.w.reach(StepSync); err != nil {
		return err
	}
	if c.seen > 1 {
		return syncAll(t.p.fd)
	}
	fd, err := at.Open(t.p.fd, t.name, unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if err == unix.EACCES { //nolint:errorlint // of the system alone
		return syncAll(t.p.fd) // a mode that we may not read
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Fsync(fd)
}

func (c *copier) copyDir(dir int, name string, path graph.Path, st *unix.Stat_t, toDir int, to string) error {
	if err := unix.Mkdirat(toDir, to, 0o700); err != nil {
		return sysError("copy", path, atDest(err))
	}
	made, err := openSub(toDir, to)
	if err != nil {
		return sysError("copy", path, atDest(err))
	}
	err = each(dir, name, path, func(sub int, name string, path graph.Path) error {
		return c.copy(sub, name, path, int(made.Fd()), name)
	})
	if err == nil {
		err = atDest(beLike(made, st, false))
	}
	return errors.Join(err, made.Close())
}

func (c *copier) copyFile(dir int, name string, path graph.Path, toDir int, to string) error {
	fd, err := at.Open(dir, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return sysError("open", path, err)
	}
	src := os.NewFile(uintptr(fd), name)
	defer func() { _ = src.Close() }() // read only
	var st unix.Stat_t
	if err := at.StatOpen(fd, &st); err != nil {
		return sysError("stat", path, err)
	}
	if !at.IsRegular(&st) {
		return oddError(path, &st)
	}
	made, err := at.Open(toDir, to, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return sysError("copy", path, atDest(err))
	}
	out := os.NewFile(uintptr(made), to)
	err = c.w.write(out, io.LimitReader(src, st.Size)) // one that grows all the time has an end too
	if full(err) {
		err = atDest(err)
	}
	if err == nil {
		err = atDest(beLike(out, &st, false))
	}
	return sysError("copy", path, errors.Join(err, out.Close()))
}
