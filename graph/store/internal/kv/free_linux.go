package kv

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Free returns the bytes that a user may still write to the disk of dir.
func Free(dir string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("measure free space: %w", err)
	}
	return int64(st.Bavail) * st.Frsize, nil
}

// allocate gives a file its blocks up to size.
func allocate(f *os.File, size int64) error {
	for {
		if err := syscall.Fallocate(int(f.Fd()), 0, 0, size); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
