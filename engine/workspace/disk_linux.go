package workspace

import (
	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
)

// renameNew gives an entry a name that is free; EEXIST when it is not. File systems
// that cannot do that in one step get a second name for it first.
func renameNew(fromDir int, from string, toDir int, to string) error {
	err := unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_NOREPLACE)
	if err == unix.ENOSYS || err == unix.EINVAL {
		return linkNew(fromDir, from, toDir, to)
	}
	return err
}

// syncAll has everything on the file system of an open directory go to the disk.
func syncAll(dir int) error { return unix.Syncfs(dir) }

// reserve makes sure that a file can be written to a size: blocks it has not are set
// aside, those of holes too, and its size and bytes stay. File systems that cannot,
// promise nothing.
func reserve(fd int, size int64) error {
	var was, is unix.Stat_t
	if err := at.StatOpen(fd, &was); err != nil || size == 0 {
		return err
	}
	err := unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, 0, size)
	for err == unix.EINTR {
		err = unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, 0, size)
	}
	switch err {
	case nil, unix.ENOSYS, unix.EOPNOTSUPP:
		return nil
	}
	if at.StatOpen(fd, &is) == nil && is.Blocks > was.Blocks {
		_ = unix.Ftruncate(fd, was.Size) // gives back what it got
	}
	return err
}
