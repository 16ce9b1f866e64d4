//go:build !linux

package tree

import "golang.org/x/sys/unix"

// passDir opens a directory only to go through it.
const passDir = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC

func kernelResolves(int) bool { return false }

// open opens a path beneath the root and returns a descriptor. With follow, links
// that stay inside the root are followed; without, a link anywhere is ELOOP.
func (t *Tree) open(path string, flags int, follow bool) (int, error) {
	return t.openSlow(path, flags, follow)
}

// statFollow stats what a path leads to, links inside the root followed.
func (t *Tree) statFollow(path string, st *unix.Stat_t) error {
	return t.statSlow(path, st)
}
