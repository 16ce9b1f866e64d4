package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// Written says what a change did to a file.
type Written struct {
	Path      graph.Path // in its root, without links
	Created   bool
	Unchanged bool // the file had these bytes already, and was not touched
	// InPlace says that the bytes of the file were replaced, not the file, which is not
	// done in one step: it has several names, Links of them, or an owner that a new file
	// cannot be given.
	InPlace bool
	Links   int // 0: one
	// Lost names extended attributes, such as access control lists, that the system did
	// not let the new file have.
	Lost []string
}

// Update replaces the content of a file by what edit makes of it: one step for
// whoever reads the file, with mode and owner kept. A file that does not exist is
// made, with the directories above it, and edit is given nil. Links are followed
// inside the root, so that they stay; a file with several names keeps them. No other
// change of ours, in whatever process, comes between the reading and the writing. An
// error of edit is returned as it is, and nothing is changed then. edit may be called
// again where something has come in between.
func (w *Workspace) Update(ctx context.Context, root *Root, path graph.Path, edit func(old []byte) ([]byte, error)) (Written, error) {
	if err := newName(path); err != nil {
		if e, serr := root.Stat(path); serr != nil || e.Type != tree.File {
			return Written{}, err
		}
	}
	r := ref{root: root, path: path, follow: true}
	places, err := w.at(ctx, r)
	if errors.Is(err, tree.ErrNotExist) {
		if _, err := edit(nil); err != nil {
			return Written{}, err // no directory is made for what is refused
		}
		r.make = true
		places, err = w.at(ctx, r)
	}
	if err != nil {
		return Written{}, err
	}
	p := places[0]
	defer p.close()
	out := Written{Path: p.path}
	st, exists, err := p.lstat()
	if err != nil {
		return out, err
	}
	out.Created = !exists
	var old []byte
	if exists {
		if old, err = p.read(&st, root.Tree.MaxFileBytes()); err != nil {
			return out, err
		}
	}
	data, err := edit(old)
	switch {
	case err != nil:
		return out, err
	case ctx.Err() != nil:
		return out, ctx.Err()
	case exists && bytes.Equal(old, data):
		out.Unchanged = true
		return out, p.writable()
	case !exists:
		_, err = w.fill(p, nil, bytes.NewReader(data))
		return out, err
	}
	if err := p.writable(); err != nil {
		return out, err
	}
	if st.Nlink > 1 {
		out.InPlace, out.Links = true, int(st.Nlink)
		return out, w.overwrite(p, old, data)
	}
	out.Lost, err = w.fill(p, &st, bytes.NewReader(data))
	if errors.Is(err, errOwner) {
		out.InPlace = true
		err = w.overwrite(p, old, data)
	}
	return out, err
}

// read returns the bytes of the regular file at a place.
func (p *place) read(st *unix.Stat_t, limit int64) ([]byte, error) {
	f, err := p.openFile(st)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	if st.Size > limit {
		return nil, &tree.Error{Op: "read", Path: p.path, Reason: tree.ReasonTooLarge}
	}
	b := bytes.NewBuffer(make([]byte, 0, st.Size+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, limit)); err != nil {
		return nil, sysError("read", p.path, err)
	}
	return b.Bytes(), nil
}

// openFile opens the regular file at a place, and nothing else.
func (p *place) openFile(st *unix.Stat_t) (*os.File, error) {
	if !at.IsRegular(st) {
		return nil, oddError(p.path, st)
	}
	fd, err := at.Open(p.fd, p.name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, sysError("open", p.path, err)
	}
	var is unix.Stat_t
	if err := at.StatOpen(fd, &is); err != nil || !at.IsRegular(&is) {
		_ = unix.Close(fd)
		return nil, oddError(p.path, &is)
	}
	return os.NewFile(uintptr(fd), p.name), nil
}

func oddError(path graph.Path, st *unix.Stat_t) error {
	reason := tree.ReasonDevice
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		reason = tree.ReasonDirectory
	case unix.S_IFIFO:
		reason = tree.ReasonFIFO
	case unix.S_IFSOCK:
		reason = tree.ReasonSocket
	}
	return &tree.Error{Op: "open", Path: path, Reason: reason}
}

// writable makes sure that the file may be written by us: a new file in its place
// would get around its mode.
func (p *place) writable() error {
	return sysError("write", p.path, unix.Faccessat(p.fd, p.name, unix.W_OK, unix.AT_EACCESS))
}

// errOwner says that a new file cannot be given the owner of the old one.
var errOwner = errors.New("owner cannot be kept")

// fill makes a file of what src gives, which then takes the place of old, or, when
// that is nil, of nothing. It returns the attributes of old that were lost.
func (w *Workspace) fill(p *place, old *unix.Stat_t, src io.Reader) (lost []string, err error) {
	t, err := w.newTemp(p)
	if err != nil {
		return nil, sysError("write", p.path, err)
	}
	if lost, err = t.fill(old, src); err == nil {
		err = t.take(old != nil)
	}
	if err != nil {
		t.drop()
		return nil, sysError("write", p.path, err)
	}
	return lost, nil
}

// fill makes the unfinished file, with what old has besides its bytes.
func (t *temp) fill(old *unix.Stat_t, src io.Reader) (lost []string, err error) {
	mode := uint32(0o666) // less what the process's mask takes
	if old != nil {
		mode = 0o600
	}
	fd, err := at.Open(t.p.fd, t.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), t.name)
	err = t.w.write(f, src)
	if err == nil && old != nil {
		if err = beLike(f, old, true); err == nil {
			lost = keepAttributes(t.p, f) // after the mode, which a list is a part of
		}
	}
	if err == nil {
		err = t.w.sync(f)
	}
	return lost, errors.Join(err, f.Close())
}

func (w *Workspace) write(f *os.File, src io.Reader) error {
	if err := w.reach(StepWrite); err != nil {
		return err
	}
	_, err := io.Copy(f, src)
	return err
}

func (w *Workspace) sync(f *os.File) error {
	if err := w.reach(StepSync); err != nil {
		return err
	}
	return f.Sync()
}

// beLike gives a new file the mode of another, and the owner when own is set.
func beLike(f *os.File, like *unix.Stat_t, own bool) error {
	fd := int(f.Fd())
	var st unix.Stat_t
	if err := at.StatOpen(fd, &st); err != nil {
		return err
	}
	if own && (st.Uid != like.Uid || st.Gid != like.Gid) {
		if err := unix.Fchown(fd, int(like.Uid), int(like.Gid)); err != nil {
			return fmt.Errorf("%w: %w", errOwner, err)
		}
	}
	return unix.Fchmod(fd, permissions(like)) // after the owner, whose change takes bits away
}

// overwrite replaces the bytes of a file that stays the same file. The room for them is
// there before the first one changes, where the file system can promise that; what
// fails in the middle is undone as far as the system lets it.
func (w *Workspace) overwrite(p *place, old, data []byte) error {
	fd, err := at.Open(p.fd, p.name, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return sysError("write", p.path, err)
	}
	f := os.NewFile(uintptr(fd), p.name)
	err = w.reach(StepInPlace)
	if err == nil {
		err = reserve(int(f.Fd()), int64(len(data)))
	}
	if err == nil {
		if err = replaceBytes(f, data); err == nil {
			err = w.sync(f)
		}
		if err != nil {
			err = errors.Join(err, replaceBytes(f, old))
		}
	}
	return sysError("write", p.path, errors.Join(err, f.Close()))
}

func replaceBytes(f *os.File, data []byte) error {
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}
