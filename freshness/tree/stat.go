package tree

import (
	"context"
	"hash/crc32"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// signature is what stat says, in the project's words.
func signature(st *unix.Stat_t) graph.Signature {
	return graph.Signature{
		Size:    st.Size,
		MtimeNS: st.Mtim.Nano(),
		CtimeNS: st.Ctim.Nano(),
		Inode:   st.Ino,
		Mode:    uint32(st.Mode),
	}
}

// classify turns the lstat of a path into its entry.
func (t *Tree) classify(path graph.Path, st *unix.Stat_t) Entry {
	e := Entry{Path: path, Sig: signature(st)}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		e.Type, e.Shared = File, st.Nlink > 1
	case unix.S_IFDIR:
		e.Type = Directory
	case unix.S_IFLNK:
		t.lookThrough(&e)
	default:
		e.Type, e.Reason = Special, specialReason(uint32(st.Mode))
	}
	return e
}

// lookThrough says what a link leads to. A link is no file of its own, wherever it
// leads: the bytes behind it have a path already, and under two paths every name in
// them would have two definitions.
func (t *Tree) lookThrough(e *Entry) {
	e.Link, e.Type = true, Special
	var st unix.Stat_t
	err := t.statFollow(string(e.Path), &st)
	switch {
	case err != nil:
		e.Reason = reasonOf(err)
		switch e.Reason {
		case ReasonNotExist:
			e.Reason = ReasonDangling
		case ReasonPermission, ReasonIO, ReasonNameTooLong:
			e.Type = Unreadable
		}
	case at.IsRegular(&st):
		e.Reason = ReasonLinkFile
	case at.IsDir(&st):
		e.Reason = ReasonLinkDir
	default:
		e.Reason = specialReason(uint32(st.Mode))
	}
	if e.Type != File {
		// The link stays as it is when what it leads to becomes another thing; the upper
		// half of the mode, which systems leave empty, tells that apart.
		e.Sig.Mode |= crc32.ChecksumIEEE([]byte(e.Reason)) << 16
	}
}

// look stats one element of an open directory. The error is an *Error for what is
// not there; what is there and cannot be looked at is an Unreadable entry.
func (t *Tree) look(dir int, path graph.Path, name string) (Entry, error) {
	var st unix.Stat_t
	if err := at.Stat(dir, name, &st); err != nil {
		return unseen(path, err)
	}
	return t.classify(path, &st), nil
}

// unseen is the entry, or the error, of a path that could not be looked at.
func unseen(path graph.Path, err error) (Entry, error) {
	reason := reasonOf(err)
	if reason == ReasonLoop {
		reason = ReasonNotExist // a directory above it is a link: no path of this tree
	}
	if reason == ReasonNotExist || exhausted(err) {
		return Entry{}, &Error{Op: "stat", Path: path, Reason: reason, Err: err}
	}
	return Entry{Path: path, Type: Unreadable, Reason: reason}, nil
}

// Stat returns what a walk would say of a path, without applying the ignore rules:
// a path reached through a linked directory does not exist here. The error is an
// *Error; for Special and Unreadable things it is nil.
func (t *Tree) Stat(path graph.Path) (Entry, error) {
	var s statter
	defer s.close()
	s.t = t
	return s.stat(path)
}

// Follow returns what a path leads to, links inside the root followed in every
// element; it does not apply the ignore rules. It is for paths that a caller
// names: those of a walk need only Stat. The error is an *Error.
func (t *Tree) Follow(path graph.Path) (Entry, error) {
	if strings.IndexByte(string(path), 0) >= 0 {
		return Entry{}, &Error{Op: "stat", Path: path, Reason: ReasonInvalid}
	}
	var st unix.Stat_t
	if err := t.statFollow(string(path), &st); err != nil {
		return Entry{}, t.openError("stat", path, err)
	}
	return t.classify(path, &st), nil
}

// Real returns the path, without links, of what a path leads to: the one under
// which a walk lists it, if the rules let it through. The error is an *Error.
func (t *Tree) Real(path graph.Path) (graph.Path, error) {
	if strings.IndexByte(string(path), 0) >= 0 {
		return "", &Error{Op: "stat", Path: path, Reason: ReasonInvalid}
	}
	real, err := t.realPath(string(path))
	if err != nil {
		return "", t.openError("stat", path, err)
	}
	return graph.Path(real), nil
}

// Stated is the answer of StatAll for one path.
type Stated struct {
	Entry
	Err error // an *Error when the path does not exist or cannot be looked at
}

// statChunk is how many paths are worth a goroutine.
const statChunk = 128

// StatAll stats many paths at about the price of one system call each, in
// parallel, and returns the answers in their order. It is cheapest when paths of
// one directory stand together. The error is that of ctx; answers not reached then
// have it as their Err.
func (t *Tree) StatAll(ctx context.Context, paths []graph.Path) ([]Stated, error) {
	out := make([]Stated, len(paths))
	run := func(lo, hi int) {
		s := statter{t: t}
		defer s.close()
		for i := lo; i < hi; i++ {
			if i&63 == 0 && ctx.Err() != nil {
				for ; i < hi; i++ {
					out[i].Err = ctx.Err()
				}
				return
			}
			out[i].Entry, out[i].Err = s.stat(paths[i])
		}
	}
	if len(paths) <= statChunk {
		run(0, len(paths))
		return out, ctx.Err()
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	chunk := max(statChunk, len(paths)/(4*runtime.GOMAXPROCS(0)))
	for lo := 0; lo < len(paths); lo += chunk {
		hi := min(lo+chunk, len(paths))
		g.Go(func() error { run(lo, hi); return nil })
	}
	_ = g.Wait() // run reports through out
	return out, ctx.Err()
}

// statter holds the directory of the last path open.
type statter struct {
	t   *Tree
	dir graph.Path
	fd  int
	has bool
	err error // why dir could not be opened
}

func (s *statter) stat(path graph.Path) (Entry, error) {
	if path == "" {
		return s.t.look(s.t.fd, path, ".")
	}
	if strings.IndexByte(string(path), 0) >= 0 {
		return Entry{}, &Error{Op: "stat", Path: path, Reason: ReasonInvalid}
	}
	dir := path.Dir()
	if dir == "" {
		return s.t.look(s.t.fd, path, string(path))
	}
	if (!s.has && s.err == nil) || s.dir != dir {
		s.close()
		s.dir = dir
		s.fd, s.err = s.t.open(string(dir), passDir, false)
		s.has = s.err == nil
	}
	if s.err != nil {
		return unseen(path, s.err)
	}
	return s.t.look(s.fd, path, path.Base())
}

func (s *statter) close() {
	if s.has {
		_ = unix.Close(s.fd)
		s.has = false
	}
	s.err = nil
}
