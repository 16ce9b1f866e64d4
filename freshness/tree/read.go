package tree

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// maxReads bounds how often a file is read that changes meanwhile.
const maxReads = 3

// Read returns the bytes of a regular file, in buf where they fit, and its
// signature. A file that changes while it is read is read again. When it never
// holds still, the bytes are at most as many as it had at the beginning of the last
// read, and the signature is from then: the next look at the file sees a
// difference, so no record made from the pair is believed for long.
// Links are followed inside the root. The error is an *Error.
func (t *Tree) Read(path graph.Path, buf []byte) ([]byte, graph.Signature, error) {
	return t.read(path, buf, false)
}

// Load is Read for who keeps nothing that is made from the bytes: a file that one
// system call gave whole is not looked at again.
func (t *Tree) Load(path graph.Path, buf []byte) ([]byte, error) {
	data, _, err := t.read(path, buf, true)
	return data, err
}

func (t *Tree) read(path graph.Path, buf []byte, once bool) ([]byte, graph.Signature, error) {
	for try := 1; ; try++ {
		data, before, after, err := t.readOnce(path, buf, once)
		if err != nil {
			return nil, graph.Signature{}, err
		}
		if before == after || try == maxReads {
			return data, before, nil
		}
		buf = data
	}
}

// mostSpare bounds the room that a buffer gets beyond what its file asks for.
const mostSpare = 4 << 20

// roomFor returns an empty buffer for size bytes. One that is given and too small is to be
// used again, and grows so that few files make it grow.
func roomFor(buf []byte, size int64) []byte {
	if int64(cap(buf)) >= size {
		return buf[:0]
	}
	return make([]byte, 0, max(size, min(2*int64(cap(buf)), mostSpare)))
}

func (t *Tree) readOnce(path graph.Path, buf []byte, once bool) (data []byte, before, after graph.Signature, err error) {
	fd, st, err := t.openRegular(path)
	if err != nil {
		return nil, before, after, err
	}
	defer func() { _ = unix.Close(fd) }()
	before = signature(&st)
	if st.Size > t.opts.MaxFileBytes {
		return nil, before, after, &Error{Op: "read", Path: path, Reason: ReasonTooLarge}
	}
	// No more than the file had when it was opened: one that grows faster than it
	// is read would never end. What has grown shows in the signature.
	data = roomFor(buf, st.Size)
	reads := 0
	for ; int64(len(data)) < st.Size; reads++ {
		n, err := unix.Read(fd, data[len(data):st.Size])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, before, after, &Error{Op: "read", Path: path, Reason: reasonOf(err), Err: err}
		}
		if n == 0 {
			break
		}
		data = data[:len(data)+n]
	}
	if once && reads <= 1 && int64(len(data)) == st.Size {
		return data, before, before, nil
	}
	if err := at.StatOpen(fd, &st); err != nil {
		return nil, before, after, &Error{Op: "read", Path: path, Reason: reasonOf(err), Err: err}
	}
	return data, before, signature(&st), nil
}

// OpenFile opens a regular file for reading, for callers that want a part of it.
// The signature is the one at the time of opening. What is no regular file is
// refused without being opened, for that alone can wake whoever waits at a FIFO.
// The error is an *Error.
func (t *Tree) OpenFile(path graph.Path) (*os.File, graph.Signature, error) {
	e, err := t.Follow(path)
	if err != nil {
		return nil, graph.Signature{}, err
	}
	if e.Type != File {
		reason := e.Reason
		if e.Type == Directory {
			reason = ReasonDirectory
		}
		return nil, graph.Signature{}, &Error{Op: "open", Path: path, Reason: reason}
	}
	fd, st, err := t.openRegular(path)
	if err != nil {
		return nil, graph.Signature{}, err
	}
	return os.NewFile(uintptr(fd), string(path)), signature(&st), nil
}

// openRegular opens a file beneath the root and makes sure that it is a regular
// one. What takes a regular file's place meanwhile does not block the open.
func (t *Tree) openRegular(path graph.Path) (int, unix.Stat_t, error) {
	var st unix.Stat_t
	if strings.IndexByte(string(path), 0) >= 0 {
		return -1, st, &Error{Op: "open", Path: path, Reason: ReasonInvalid}
	}
	fd, err := t.open(string(path), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, true)
	if err != nil {
		return -1, st, t.openError("open", path, err)
	}
	if err := at.StatOpen(fd, &st); err != nil {
		_ = unix.Close(fd)
		return -1, st, &Error{Op: "open", Path: path, Reason: reasonOf(err), Err: err}
	}
	if at.IsRegular(&st) {
		return fd, st, nil
	}
	_ = unix.Close(fd)
	reason := ReasonDirectory
	if !at.IsDir(&st) {
		reason = specialReason(uint32(st.Mode))
	}
	return -1, st, &Error{Op: "open", Path: path, Reason: reason}
}

// openError tells a dangling link from a missing file.
func (t *Tree) openError(op string, path graph.Path, err error) error {
	reason := reasonOf(err)
	if reason == ReasonNotExist {
		if e, serr := t.Stat(path); serr == nil && e.Link {
			reason = ReasonDangling
		}
	}
	return &Error{Op: op, Path: path, Reason: reason, Err: err}
}
