//go:build unix && !linux

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
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// allocate cannot be done here without writing as much.
func allocate(*os.File, int64) error { return errors.ErrUnsupported }
