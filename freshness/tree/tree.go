// Package tree is a jailed, read-only view of one directory tree: it lists what
// the ignore rules let through, and reads and stats files in it without ever
// leaving the root.
//
// It is not an index and keeps no state about files between calls: every walk
// reads the ignore files anew, so an edited .gitignore counts at once. The
// freshness ledger sweeps through it, the indexer and the live search read through
// it, and engine/workspace builds the access of tools on it.
//
// No symbolic link is followed out of the root, whenever it is put there: the
// kernel resolves names beneath the root where it can (openat2), and a resolver
// that holds each directory open does so elsewhere.
package tree

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
)

// Options adjust a tree. The zero value is what a workspace wants.
type Options struct {
	// MaxFileBytes bounds Read; 0 is DefaultMaxFileBytes. A longer file gives
	// ErrTooLarge.
	MaxFileBytes int64
	// Getenv looks up HOME, XDG_CONFIG_HOME and git's variables, which name the
	// user's global excludes; nil is os.Getenv.
	Getenv func(string) string
}

// DefaultMaxFileBytes keeps a file that no memory holds (a disk image, a sparse
// file) from ending the process. It is far above any text.
const DefaultMaxFileBytes = 1 << 30

// Tree is an open root. It is safe for concurrent use until it is closed.
type Tree struct {
	root string // absolute, links resolved
	opts Options
	fd   int
	dir  *os.File // owns fd
	env  *ignore.Env

	// kernel says that openat2 works here. Set once, in Open; tests clear it to
	// reach the resolver of our own.
	kernel bool
	// alone keeps walks on the calling goroutine. Set by tests whose thread has
	// other rights than the process.
	alone bool
}

// Open opens the directory root. The path may lead through symbolic links; what it
// resolves to is the root until Close, also when the directory is renamed.
func Open(root string, opts Options) (*Tree, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open tree %q: %w", root, err)
	}
	abs, err = filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("open tree %q: %w", root, err)
	}
	dir, err := os.OpenFile(abs, os.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	if opts.Getenv == nil {
		opts.Getenv = os.Getenv
	}
	if opts.MaxFileBytes == 0 {
		opts.MaxFileBytes = DefaultMaxFileBytes
	}
	t := &Tree{root: abs, opts: opts, dir: dir, fd: int(dir.Fd()), env: ignore.NewEnv(opts.Getenv)}
	t.kernel = kernelResolves(t.fd)
	return t, nil
}

// Root returns the absolute path of the root with links resolved.
func (t *Tree) Root() string { return t.root }

// MaxFileBytes is the size above which Read refuses a file.
func (t *Tree) MaxFileBytes() int64 { return t.opts.MaxFileBytes }

// Close gives the root's descriptor back. No other call may run meanwhile or come
// after it.
func (t *Tree) Close() error { return t.dir.Close() }
