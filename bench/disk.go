package bench

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

func walkFiles(dir string, f func(os.FileInfo)) error {
	return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			f(info)
		}
		return err
	})
}

// allocated is what a file takes on disk: stores keep sparse files.
func allocated(info os.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return info.Size()
}

// cpuSeconds is the user and system time of a finished process and its children.
func cpuSeconds(ps *os.ProcessState) float64 {
	return ps.UserTime().Seconds() + ps.SystemTime().Seconds()
}
