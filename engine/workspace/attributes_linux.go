package workspace

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
)

const (
	attributeACL = "system.posix_acl_access"
	// maxAttributes bounds the names, and the value, that are read of a file's
	// attributes: more than the kernel lets one have.
	maxAttributes = 64 << 10
)

// keepAttributes gives a new file the extended attributes of the one that it is to
// replace, access control lists among them, and takes a list away that only its
// directory gave it. It returns the names of those that could not be kept.
func keepAttributes(p *place, to *os.File) []string {
	fd, err := at.Open(p.fd, p.name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil // what cannot be read is not replaced
	}
	defer func() { _ = unix.Close(fd) }()
	names := attributesOf(fd)
	made := int(to.Fd())
	if !slices.Contains(names, attributeACL) && slices.Contains(attributesOf(made), attributeACL) {
		_ = unix.Fremovexattr(made, attributeACL) // else it only lets in who made the directory so
	}
	return copyAttributes(fd, made, names)
}

func copyAttributes(from, to int, names []string) (lost []string) {
	buf := make([]byte, maxAttributes)
	for _, name := range names {
		if ofBytes(name) {
			continue
		}
		n, err := unix.Fgetxattr(from, name, buf)
		if err == nil {
			err = unix.Fsetxattr(to, name, buf[:n], 0)
		}
		if err != nil && !errors.Is(err, unix.ENODATA) { // it is gone meanwhile
			lost = append(lost, name)
		}
	}
	return lost
}

// ofBytes tells attributes that hold for the bytes that a file had: the kernel takes
// them away, or makes them anew, when a file is written to.
func ofBytes(name string) bool {
	return name == "security.capability" || name == "security.ima" || name == "security.evm"
}

// attributesOf lists the names of a file's attributes: none where the file system has
// no such thing.
func attributesOf(fd int) []string {
	buf := make([]byte, maxAttributes)
	n, err := unix.Flistxattr(fd, buf)
	if err != nil || n == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00")
}
