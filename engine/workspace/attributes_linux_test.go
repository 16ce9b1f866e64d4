package workspace

import (
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// aclOf is an access control list that lets one more user read.
func aclOf(user uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, 1<<32 - 1}, {2, 4, user}, {4, 4, 1<<32 - 1}, {0x10, 4, 1<<32 - 1}, {0x20, 0, 1<<32 - 1}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

// attributes are those of a file that we set, with their values.
func attributes(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	buf := make([]byte, maxAttributes)
	for _, name := range attributesOf(int(f.Fd())) {
		if name != attributeACL && name != "user.note" && name != "user.empty" {
			continue
		}
		n, err := unix.Fgetxattr(int(f.Fd()), name, buf)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(buf[:n])
	}
	return out
}

// give sets an attribute; where the file system has none, the tests below see that
// changes are made all the same.
func give(t *testing.T, path, name string, value []byte) {
	t.Helper()
	if err := unix.Setxattr(path, name, value, 0); err != nil && !errors.Is(err, unix.ENOTSUP) {
		t.Fatal(err)
	}
}

func TestAttributesAreKept(t *testing.T) {
	dir := base(t)
	file := filepath.Join(dir, "f")
	write(t, file, "old")
	give(t, file, "user.note", []byte("a\x00b"))
	give(t, file, "user.empty", nil)
	give(t, file, attributeACL, aclOf(4711))
	before, mode := attributes(t, file), snapshot(t, dir)["f"]
	c := newChanger(t, dir, nil)
	w, err := c.write(t.Context(), "f", "new")
	if err != nil || w.InPlace || w.Lost != nil {
		t.Fatalf("%+v, %v", w, err)
	}
	if got := attributes(t, file); !maps.Equal(got, before) {
		t.Errorf("attributes are %q, want %q", got, before)
	}
	if got := snapshot(t, dir)["f"]; got[:10] != mode[:10] || content(t, file) != "new" {
		t.Errorf("the file is %s, was %s", got, mode)
	}
	t.Logf("%d attributes", len(before))
}

// A list that the directory gives to what is made in it is not given to what was there.
func TestNoListIsAdded(t *testing.T) {
	dir := base(t)
	file := filepath.Join(dir, "f")
	write(t, file, "old")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	give(t, dir, "system.posix_acl_default", aclOf(4711))
	c := newChanger(t, dir, nil)
	if _, err := c.write(t.Context(), "f", "new"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if got := attributes(t, file); err != nil || len(got) != 0 || info.Mode().Perm() != 0o640 {
		t.Errorf("attributes %q, mode %v, %v", got, info.Mode(), err)
	}
}

func TestLostAttributesAreTold(t *testing.T) {
	file := filepath.Join(base(t), "f")
	write(t, file, "x")
	give(t, file, "user.note", []byte("n"))
	from, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	r, to, err := os.Pipe() // has no attributes
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer to.Close()
	var want []string
	if len(attributes(t, file)) > 0 {
		want = []string{"user.note"}
	}
	if lost := copyAttributes(int(from.Fd()), int(to.Fd()), []string{"user.note", "security.capability"}); want != nil && !slices.Equal(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
}
