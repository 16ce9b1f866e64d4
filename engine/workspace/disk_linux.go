package workspace

import "golang.org/x/sys/unix"

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
