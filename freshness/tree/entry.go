package tree

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/graph"
)

// Type is what a walk found.
type Type uint8

// The types.
const (
	// File has bytes to read: a regular file.
	File Type = iota
	// Special has none of its own: a FIFO, socket, device, or a link. Reason says
	// which. A walk never opens it.
	Special
	// Unreadable is a directory that cannot be listed or a file that cannot be
	// looked at. Reason says why.
	Unreadable
	// Directory appears in walks that ask for directories.
	Directory
)

// Reason is a closed vocabulary for what is odd about a path.
type Reason string

// The reasons.
const (
	ReasonNone        Reason = ""
	ReasonFIFO        Reason = "fifo"
	ReasonSocket      Reason = "socket"
	ReasonDevice      Reason = "device"
	ReasonDangling    Reason = "dangling_link"
	ReasonLoop        Reason = "link_loop"
	ReasonOutside     Reason = "link_outside"
	ReasonLinkDir     Reason = "link_to_directory"
	ReasonLinkFile    Reason = "link_to_file" // inside the root
	ReasonPermission  Reason = "permission"
	ReasonIO          Reason = "io_error"
	ReasonNameTooLong Reason = "name_too_long"
	ReasonNotExist    Reason = "not_found"
	ReasonDirectory   Reason = "is_directory"
	ReasonTooLarge    Reason = "too_large"
	ReasonInvalid     Reason = "invalid_name"
)

// Entry is one thing that a walk found.
type Entry struct {
	Path graph.Path
	// Sig is the file's signature; of a link the link's own.
	Sig    graph.Signature
	Type   Type
	Reason Reason // why Type is Special or Unreadable
	Link   bool   // the path is a symbolic link
	Shared bool   // a file that has other names (hard links), here or elsewhere
}

// Content says what kind of record an entry without bytes to read becomes; ok is
// false for files, whose bytes decide.
func (e *Entry) Content() (c graph.Content, ok bool) {
	switch e.Type {
	case Special:
		return graph.ContentSpecial, true
	case Unreadable:
		return graph.ContentUnreadable, true
	}
	return "", false
}

// Sentinels that errors of this package match with errors.Is.
var (
	ErrNotExist   = errors.New("no such file")
	ErrPermission = errors.New("permission denied")
	ErrIsDir      = errors.New("is a directory")
	ErrSpecial    = errors.New("not a regular file")
	ErrOutside    = errors.New("leads outside the root")
	ErrTooLarge   = errors.New("file is too large")
	ErrInvalid    = errors.New("invalid name")
	ErrIO         = errors.New("input/output error")
)

// Error is a failure about one path. It matches one of the sentinels and the
// system's error beneath.
type Error struct {
	Op     string // "open", "read", "stat", "list"
	Path   graph.Path
	Reason Reason
	Err    error // the system's error; may be nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s %q: %v", e.Op, string(e.Path), e.Err)
	}
	return fmt.Sprintf("%s %q: %v", e.Op, string(e.Path), e.sentinel())
}

// Unwrap makes errors.Is see the sentinel and the system's error.
func (e *Error) Unwrap() []error {
	if e.Err != nil {
		return []error{e.sentinel(), e.Err}
	}
	return []error{e.sentinel()}
}

func (e *Error) sentinel() error {
	switch e.Reason {
	case ReasonNotExist, ReasonDangling:
		return ErrNotExist
	case ReasonPermission:
		return ErrPermission
	case ReasonDirectory, ReasonLinkDir:
		return ErrIsDir
	case ReasonFIFO, ReasonSocket, ReasonDevice, ReasonLoop:
		return ErrSpecial
	case ReasonOutside:
		return ErrOutside
	case ReasonTooLarge:
		return ErrTooLarge
	case ReasonInvalid, ReasonNameTooLong:
		return ErrInvalid
	}
	return ErrIO
}

// Content says what kind of record a path becomes whose reading failed with err.
// ok is false where the path is simply gone, or where the failure is not about it.
func Content(err error) (c graph.Content, reason Reason, ok bool) {
	var e *Error
	if !errors.As(err, &e) || e.Reason == ReasonNotExist {
		return "", "", false
	}
	switch e.Reason {
	case ReasonPermission, ReasonIO, ReasonTooLarge, ReasonNameTooLong, ReasonInvalid:
		return graph.ContentUnreadable, e.Reason, true
	}
	return graph.ContentSpecial, e.Reason, true
}

// reasonOf classifies a system error.
func reasonOf(err error) Reason {
	var no unix.Errno
	if !errors.As(err, &no) {
		return ReasonIO
	}
	switch no {
	case unix.ENOENT, unix.ENOTDIR:
		return ReasonNotExist
	case unix.EACCES, unix.EPERM:
		return ReasonPermission
	case unix.ELOOP:
		return ReasonLoop
	case unix.EXDEV:
		return ReasonOutside
	case unix.EISDIR:
		return ReasonDirectory
	case unix.ENXIO, unix.ENODEV:
		return ReasonSocket
	case unix.ENAMETOOLONG:
		return ReasonNameTooLong
	case unix.EINVAL:
		return ReasonInvalid
	}
	return ReasonIO
}

// exhausted reports errors that say nothing about a path: a walk that meets one
// must fail, for what it could not see is not gone.
func exhausted(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.EBADF)
}

// specialReason names a mode that is neither file, directory nor link.
func specialReason(mode uint32) Reason {
	switch mode & unix.S_IFMT {
	case unix.S_IFIFO:
		return ReasonFIFO
	case unix.S_IFSOCK:
		return ReasonSocket
	}
	return ReasonDevice
}
