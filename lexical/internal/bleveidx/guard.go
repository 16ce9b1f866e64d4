package bleveidx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// guardLoop is called by scorch's background loops, each in its goroutine. A mapped file
// that somebody cuts answers a read with a fault, which would end the process; as a
// panic it ends the loop, which scorch reports. Other callers are not touched.
func guardLoop(e scorch.Event) bool {
	switch e.Kind {
	case scorch.EventKindPersisterProgress, scorch.EventKindPurgerCheck, scorch.EventKindPreMergeCheck:
		debug.SetPanicOnFault(true)
	}
	return true
}

// closeWait bounds how long Close waits for scorch after one of its loops has died: it
// may have died with a lock of bolt's, which then nobody gives back.
const closeWait = 2 * time.Second

// closeIndex closes scorch. What a dead loop keeps from being closed is left to the end
// of the process: its files are those of a damaged index, which nobody opens again.
func (s *Store) closeIndex() error {
	if !s.trouble.dead() {
		return s.index.Close()
	}
	done := make(chan error, 1)
	go func() {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("%w: panic: %v", ErrDamaged, r)
			}
		}()
		done <- s.index.Close()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(closeWait):
		return fmt.Errorf("%w: %w", ErrDamaged, s.trouble.failure())
	}
}

// Sound returns ErrDamaged once a background loop has died.
func (s *Store) Sound() error {
	if s.trouble.dead() {
		return s.trouble.failure()
	}
	return nil
}

// Print is how a file looks that nobody writes to any more.
type Print struct {
	info fs.FileInfo // nil: there was no file
}

// Intact reports whether a file is as it was when p was taken, and takes p anew where
// it only looks different. The zero Print is that of a file that nobody looked at yet.
// A file that is gone is intact: what is mapped of it stays. verify is asked about the
// bytes of one that looks different.
func (p *Print) Intact(path string, verify func(path string) error) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at a file of the index: %w", err)
	}
	if p.info == nil {
		p.info = info
		return nil
	}
	if os.SameFile(p.info, info) && p.info.Size() == info.Size() && p.info.ModTime().Equal(info.ModTime()) {
		return nil
	}
	if !os.SameFile(p.info, info) || p.info.Size() != info.Size() {
		return fmt.Errorf("%w: %s was replaced or cut", ErrDamaged, info.Name())
	}
	if err := verify(path); err != nil {
		return err
	}
	p.info = info
	return nil
}

// VerifySegment compares the bytes of a segment's file with the checksum at its end.
func VerifySegment(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("verify segment: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	fi, err := f.Stat()
	if err != nil {
		return fmt.Errorf("verify segment: %w", err)
	}
	var want [4]byte
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(sum, f, max(fi.Size()-int64(len(want)), 0)); err != nil {
		return fmt.Errorf("%w: verify segment: %w", ErrDamaged, err)
	}
	if _, err := io.ReadFull(f, want[:]); err != nil || sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
		return fmt.Errorf("%w: %s does not hold what was written", ErrDamaged, fi.Name())
	}
	return nil
}
