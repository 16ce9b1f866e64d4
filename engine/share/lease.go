package share

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Names in the index directory.
const (
	lockName   = "lock"
	socketName = "engine.sock"
	addrName   = "engine.addr" // where the socket is, when not here
)

// maxSocketPath is the longest path that a socket address takes everywhere.
const maxSocketPath = 100

// maxLockTries bounds how often a lock file is taken that somebody removes at the
// same time.
const maxLockTries = 10

// Lease is the right to lead one index directory. The kernel takes it back when
// the process ends, however it ends.
type Lease struct {
	dir string

	mu   sync.Mutex
	file *os.File // locked; nil once released
}

// Lead takes the lease, without waiting. dir is created (0700) where needed. The
// error matches ErrHeld when another process, or another Lease of this one, has it.
func Lead(dir string) (*Lease, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("lead %q: %w", dir, err)
	}
	if err := private(dir); err != nil {
		return nil, fmt.Errorf("lead: %w", err)
	}
	path := filepath.Join(dir, lockName)
	for range maxLockTries {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		if err != nil {
			return nil, fmt.Errorf("lead: %w", err)
		}
		err = flock(f)
		if errors.Is(err, unix.EWOULDBLOCK) {
			_ = f.Close()
			return nil, fmt.Errorf("lead %s: %w", dir, ErrHeld)
		}
		if err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("lead: lock %s: %w", path, err)
		}
		if sameFile(f, path) {
			return &Lease{dir: dir, file: f}, nil
		}
		// The file was removed or replaced between opening and locking: a lock on it
		// keeps nobody out.
		_ = f.Close()
	}
	return nil, fmt.Errorf("lead: lock file %s keeps being replaced", path)
}

// Held reports whether the lease still keeps others out. It does not once the
// index directory has been deleted or moved.
func (l *Lease) Held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file != nil && sameFile(l.file, filepath.Join(l.dir, lockName))
}

// Release gives the lease back. Call it after the stores are closed.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	if err != nil {
		return fmt.Errorf("release lease: %w", err)
	}
	return nil
}

func flock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err != unix.EINTR {
			return err
		}
	}
}

func sameFile(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// private makes sure that dir exists and that nobody else can enter it.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if fi.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// socketFor returns where the leader of dir listens.
func socketFor(dir string) (string, error) {
	path := filepath.Join(dir, socketName)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	runtime, err := runtimeDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(dir))
	path = filepath.Join(runtime, hex.EncodeToString(sum[:8])+".sock")
	if len(path) > maxSocketPath {
		return "", fmt.Errorf("socket path %s is too long", path)
	}
	return path, nil
}

// runtimeDir is a directory of this user's own with a short name.
func runtimeDir() (string, error) {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = "/tmp"
	}
	dir = filepath.Join(dir, "ralph-index-"+strconv.Itoa(os.Geteuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return "", err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || st.Mode&0o077 != 0 || int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("%s is not a private directory of this user", dir)
	}
	return dir, nil
}

// publish writes down where the socket is, when it is not in the directory: the
// followers' environment may name another runtime directory.
func publish(dir, socket string) error {
	addr := filepath.Join(dir, addrName)
	if filepath.Dir(socket) == dir {
		if err := os.Remove(addr); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	tmp := addr + ".tmp"
	if err := os.WriteFile(tmp, []byte(socket+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, addr)
}

// published returns where the leader of dir said that it listens.
func published(dir string) string {
	path := filepath.Join(dir, socketName)
	if len(path) <= maxSocketPath {
		return path
	}
	data, err := os.ReadFile(filepath.Join(dir, addrName))
	if err != nil {
		return path
	}
	return strings.TrimSuffix(string(data), "\n")
}
