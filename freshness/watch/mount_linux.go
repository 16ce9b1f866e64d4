package watch

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// eventless names the kind of file system at a path when it can change without the
// kernel knowing: another machine, or a program, writes to it. "" is an ordinary one.
func eventless(path string) string {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return ""
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC:
		return "nfs"
	case unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "smb"
	case unix.V9FS_MAGIC:
		return "9p"
	case unix.FUSE_SUPER_MAGIC:
		return "fuse"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "afs"
	case unix.CEPH_SUPER_MAGIC:
		return "ceph"
	case unix.CODA_SUPER_MAGIC:
		return "coda"
	}
	return ""
}

// mountsBelow lists what is mounted below a directory, by path.
func mountsBelow(dir string) []string {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	return parseMounts(string(text), dir)
}

// parseMounts reads the fifth field of each line. Blanks, tabs, line ends and
// backslashes in it are written as a backslash and three octal digits.
func parseMounts(text, dir string) []string {
	var out []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		at := fields[4]
		for i := 0; i+4 <= len(at); i++ {
			if at[i] != '\\' {
				continue
			}
			if c, err := strconv.ParseUint(at[i+1:i+4], 8, 8); err == nil {
				at = at[:i] + string([]byte{byte(c)}) + at[i+4:]
			}
		}
		if strings.HasPrefix(at, strings.TrimSuffix(dir, "/")+"/") && at != dir {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}
