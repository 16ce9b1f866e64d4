package tree

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Types as directories give them; typeUnknown asks for an lstat.
const (
	typeUnknown = unix.DT_UNKNOWN
	typeDir     = unix.DT_DIR
	typeRegular = unix.DT_REG
)

// Layout of a directory record: inode and offset (8 bytes each), length, type, name.
const (
	recordLen  = 16
	recordType = 18
	recordName = 19
)

// names calls yield with every element of an open directory but "." and "..". The
// bytes of a name are valid during the call only.
func names(fd int, buf []byte, yield func(name []byte, typ uint8)) error {
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n <= 0 {
			return nil
		}
		for rest := buf[:n]; len(rest) > recordName; {
			size := int(binary.NativeEndian.Uint16(rest[recordLen:]))
			if size <= recordName || size > len(rest) {
				return unix.EIO
			}
			name := rest[recordName:size]
			if i := bytes.IndexByte(name, 0); i >= 0 {
				name = name[:i]
			}
			if s := string(name); s != "." && s != ".." {
				yield(name, rest[recordType])
			}
			rest = rest[size:]
		}
	}
}
