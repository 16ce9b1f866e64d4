// Package at makes system calls on names in an open directory. No call follows a link
// at the end of its name, and interrupted ones are made again.
package at

import (
	"golang.org/x/sys/unix"
)

// Open opens a name in a directory; the descriptor is closed on exec. Errors are those
// of openat(2).
func Open(dir int, name string, flags int, mode uint32) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// Stat describes what has a name in a directory.
func Stat(dir int, name string, st *unix.Stat_t) error {
	for {
		if err := unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return err
		}
	}
}

// StatOpen describes what a descriptor is of.
func StatOpen(fd int, st *unix.Stat_t) error {
	for {
		if err := unix.Fstat(fd, st); err != unix.EINTR {
			return err
		}
	}
}

// Readlink returns what a link in a directory says.
func Readlink(dir int, name string) (string, error) {
	buf := make([]byte, unix.PathMax)
	for {
		n, err := unix.Readlinkat(dir, name, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return "", err
		}
		return string(buf[:n]), nil
	}
}

// IsLink reports whether something is a symbolic link.
func IsLink(st *unix.Stat_t) bool { return st.Mode&unix.S_IFMT == unix.S_IFLNK }

// IsDir reports whether something is a directory.
func IsDir(st *unix.Stat_t) bool { return st.Mode&unix.S_IFMT == unix.S_IFDIR }

// IsRegular reports whether something is a regular file.
func IsRegular(st *unix.Stat_t) bool { return st.Mode&unix.S_IFMT == unix.S_IFREG }
