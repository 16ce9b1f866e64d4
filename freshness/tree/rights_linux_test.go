package tree

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/graph"
)

// nobody is a user without rights, as far as the kernel is concerned.
const nobody = 65534

// unprivileged runs f on a thread whose file access is that of a plain user, also
// when the tests run as root.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := unix.SetfsuidRetUid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := unix.SetfsuidRetUid(0); err != nil {
			t.Fatal(err)
		}
	}()
	f()
}

func TestUnreadable(t *testing.T) {
	root, err := os.MkdirTemp("/tmp", "tree") //nolint:usetesting // a plain user must get through, and TempDir's parent lets only its owner
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = os.Chmod(filepath.Join(root, "locked"), 0o700)
		_ = os.RemoveAll(root)
	}()
	for _, n := range []string{"a/f", "locked/f", "locked/sub/f", "secret", "searchable/f", "z"} {
		write(t, filepath.Join(root, n), "1")
	}
	link(t, "locked/f", filepath.Join(root, "behind"))
	for name, mode := range map[string]os.FileMode{"": 0o755, "locked": 0, "secret": 0, "searchable": 0o111} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		tr.alone = true // helpers would have the rights of the process
		unprivileged(t, func() {
			got := map[string]Entry{}
			for _, e := range walk(t, tr, WalkOptions{}) {
				got[string(e.Path)] = e
			}
			for name, want := range map[string]Type{"a/f": File, "z": File, "secret": File, "locked": Unreadable, "searchable": Unreadable, "behind": Unreadable} {
				if e, ok := got[name]; !ok || e.Type != want || want == Unreadable && e.Reason != ReasonPermission {
					t.Errorf("%s: %+v", name, e)
				}
			}
			if len(got) != 6 {
				t.Errorf("walk gives %v", got)
			}
			if e := got["locked"]; e.Sig.Inode == 0 {
				t.Error("an unreadable directory has no signature")
			}
			if _, _, err := tr.Read("secret", nil); !errors.Is(err, ErrPermission) {
				t.Errorf("read: %v", err)
			}
			if e, err := tr.Stat("locked/f"); err != nil || e.Type != Unreadable || e.Reason != ReasonPermission {
				t.Errorf("stat: %+v, %v", e, err)
			}
			if data, _, err := tr.Read("searchable/f", nil); err != nil || string(data) != "1" {
				t.Errorf("read in a directory that can only be searched: %q, %v", data, err)
			}
		})
	})
}

// A process without descriptors has seen nothing, which is not to say that there
// is nothing.
func TestOutOfDescriptors(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "d/f"), "")
	tr := openTree(t, root)
	var held []*os.File
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	low := unix.Rlimit{Cur: 64, Max: old.Max}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	for {
		f, err := os.Open(root)
		if err != nil {
			break
		}
		held = append(held, f)
	}
	err := tr.Walk(t.Context(), WalkOptions{}, func(Entry) error { return nil })
	stated, _ := tr.StatAll(t.Context(), []graph.Path{"d/f"})
	for _, f := range held {
		f.Close()
	}
	if rerr := unix.Setrlimit(unix.RLIMIT_NOFILE, &old); rerr != nil {
		t.Fatal(rerr)
	}
	if !errors.Is(err, unix.EMFILE) {
		t.Errorf("walk: %v", err)
	}
	if !errors.Is(stated[0].Err, unix.EMFILE) || errors.Is(stated[0].Err, ErrNotExist) {
		t.Errorf("stat: %v", stated[0].Err)
	}
}
