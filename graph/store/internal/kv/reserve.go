package kv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Closing makes a table of what stands in the log, whether or not there is room for
// it, and deletes the log. On a disk that others have filled meanwhile the table would
// lack what was written last, and the directory be of no use. So a file holds as many
// blocks as the logs do, and is deleted before: what is closed fits in its place.

// reserveFile is the name of that file. One that a crash has left is deleted by Open.
const reserveFile = "RESERVE"

// reserveSlack is what closing writes besides the table.
const reserveSlack = 64 << 10

// reserve keeps that file. It is safe for concurrent use.
type reserve struct {
	dir string

	mu    sync.Mutex
	size  int64
	ahead int64 // what may be written before the logs are looked at again
	bulk  int64 // written in bulk, and perhaps not in a log yet
	off   bool  // released, or not to be had on this disk
}

func newReserve(dir string) (*reserve, error) {
	r := &reserve{dir: dir}
	if err := os.Remove(r.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("remove reserve: %w", err)
	}
	return r, nil
}

func (r *reserve) path() string { return filepath.Join(r.dir, reserveFile) }

// cover is called before n bytes are written. It fails with ErrFull where the table
// that they are going to stand in could not be written.
func (r *reserve) cover(n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ahead -= n; r.off || r.ahead >= 0 {
		return nil
	}
	return r.look(n)
}

// coverBulk is cover for what stands in a log later: when written is called.
func (r *reserve) coverBulk(n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bulk += n
	if r.off {
		return nil
	}
	return r.look(0)
}

// written ends a bulk write of n bytes, of which a log may hold all by now.
func (r *reserve) written(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bulk -= n
	if !r.off {
		_ = r.look(0) // the next write says so
	}
}

// look makes the file as long as n more bytes need it to be. The caller holds mu.
func (r *reserve) look(n int64) error {
	r.ahead = 0
	used, err := r.logBlocks()
	if err != nil {
		return nil // the directory was deleted, which others notice
	}
	used += n + min(r.bulk, memTable) + reserveSlack
	if size := used + roomStride; r.size < size || r.size > size+2*roomStride { // a log has become a table
		switch err := r.resize(size); {
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
			return fmt.Errorf("%w (no blocks for the next table)", ErrFull)
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			r.off = true
			return nil
		}
	}
	r.ahead = r.size - used
	return nil
}

// resize makes the file that long, with blocks.
func (r *reserve) resize(size int64) error {
	f, err := os.OpenFile(r.path(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open reserve: %w", err)
	}
	if size < r.size {
		err = f.Truncate(size)
	} else {
		err = allocate(f, size)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("allocate reserve: %w", err)
	}
	r.size = size
	return nil
}

// release gives the blocks back, for good.
func (r *reserve) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.off = true
	_ = os.Remove(r.path()) // there may be none
}

// logBlocks is what the logs take of the disk: they are long and sparse.
func (r *reserve) logBlocks() (int64, error) {
	logs, err := filepath.Glob(filepath.Join(r.dir, "*.mem"))
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, l := range logs {
		info, err := os.Stat(l)
		if errors.Is(err, fs.ErrNotExist) {
			continue // has just become a table
		}
		if err != nil {
			return 0, err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			total += int64(st.Blocks) * 512
		}
	}
	return total, nil
}
