package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spoolAbove is the size above which a spool lies on the disk.
const spoolAbove = 16 << 20

// spool holds what another process writes until it is known to be whole: that process
// may end in the middle, and what has been passed on cannot be taken back.
type spool struct {
	buf  bytes.Buffer
	file *os.File // nil: all of it is in buf
}

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.buf.Len()+len(p) > spoolAbove {
		f, err := os.CreateTemp("", "ralph-export-*")
		if err != nil {
			return 0, fmt.Errorf("set output aside: %w", err)
		}
		s.file = f
	}
	if s.file == nil {
		return s.buf.Write(p)
	}
	n, err := s.file.Write(p)
	if err != nil {
		err = fmt.Errorf("set output aside: %w", err)
	}
	return n, err
}

// pass writes everything to w.
func (s *spool) pass(w io.Writer) error {
	if _, err := s.buf.WriteTo(w); err != nil || s.file == nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read output set aside: %w", err)
	}
	_, err := io.Copy(w, s.file)
	return err
}

// drop removes what lies on the disk.
func (s *spool) drop() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
