//go:build unix

package lexical

import (
	"io/fs"
	"syscall"
)

// allocated returns the disk space of a file.
func allocated(fi fs.FileInfo) int64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return fi.Size()
}
