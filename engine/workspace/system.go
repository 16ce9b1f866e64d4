package workspace

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// openSub opens a directory in an open one, through no link.
func openSub(dir int, name string) (*os.File, error) {
	fd, err := at.Open(dir, name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// permissions are the bits of a mode that chmod sets.
func permissions(st *unix.Stat_t) uint32 { return uint32(st.Mode) & 0o7777 }

func sameFile(a, b *unix.Stat_t) bool { return a.Ino == b.Ino && a.Dev == b.Dev }

// sysError names what failed; nil stays nil.
func sysError(verb string, path graph.Path, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %q: %w", verb, string(path), err)
}
