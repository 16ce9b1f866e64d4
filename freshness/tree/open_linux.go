package tree

import (
	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
)

// passDir opens a directory only to go through it: search permission is enough.
const passDir = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC

// maxBusy bounds how often a lookup is made again that a concurrent rename has
// disturbed, before the resolver of our own takes over.
const maxBusy = 8

// kernelResolves reports whether openat2 works here: old kernels lack it, and some
// sandboxes forbid it.
func kernelResolves(fd int) bool {
	got, err := unix.Openat2(fd, ".", &unix.OpenHow{Flags: passDir, Resolve: unix.RESOLVE_BENEATH})
	if err != nil {
		return false
	}
	_ = unix.Close(got)
	return true
}

// open opens a path beneath the root and returns a descriptor. With follow, links
// that stay inside the root are followed; without, a link anywhere is ELOOP.
func (t *Tree) open(path string, flags int, follow bool) (int, error) {
	if path == "" {
		path = "."
	}
	if !t.kernel {
		return t.openSlow(path, flags, follow)
	}
	how := unix.OpenHow{Flags: uint64(flags) | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS}
	if !follow {
		how.Resolve |= unix.RESOLVE_NO_SYMLINKS
	}
	for busy := 0; busy < maxBusy; {
		fd, err := unix.Openat2(t.fd, path, &how)
		switch {
		case err == nil:
			return fd, nil
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			busy++
			continue
		case err == unix.EXDEV && follow:
			// Perhaps an absolute link that comes back into the root.
			return t.openSlow(path, flags, follow)
		}
		return -1, err
	}
	return t.openSlow(path, flags, follow)
}

// statFollow stats what a path leads to, links inside the root followed.
func (t *Tree) statFollow(path string, st *unix.Stat_t) error {
	if !t.kernel {
		return t.statSlow(path, st)
	}
	fd, err := t.open(path, unix.O_PATH, true)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return at.StatOpen(fd, st)
}
