package tree

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/graph"
)

func TestOddFiles(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(root, "file"), "12345")
	write(t, filepath.Join(root, "dir/inside"), "1")
	if err := unix.Mkfifo(filepath.Join(root, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(root, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"to_file": "file", "dir/up": "../file", "to_abs": filepath.Join(real, "file"), "chain": "to_file",
		"to_dir": "dir", "dangling": "nothing", "dangling_abs": filepath.Join(real, "nothing"),
		"loop": "loop", "loop_a": "loop_b", "loop_b": "loop_a",
		"out": filepath.Join(outside, "secret"), "out_rel": "../../../../../../../../etc/passwd", "out_dir": outside,
		"out_proc": "/proc/self/root/etc/passwd", "out_chain": "out", "out_sibling": real + "_evil/x", "to_fifo": "fifo", "through": "file/x",
	} {
		link(t, target, filepath.Join(root, name))
	}
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		got := map[string]Entry{}
		for _, e := range walk(t, tr, WalkOptions{}) {
			got[string(e.Path)] = e
		}
		for name, want := range map[string]struct {
			typ    Type
			reason Reason
			err    error // of Read
		}{
			"file": {File, "", nil}, "to_file": {Special, ReasonLinkFile, nil}, "dir/up": {Special, ReasonLinkFile, nil},
			"to_abs": {Special, ReasonLinkFile, nil}, "chain": {Special, ReasonLinkFile, nil},
			"fifo": {Special, ReasonFIFO, ErrSpecial}, "to_fifo": {Special, ReasonFIFO, ErrSpecial}, "sock": {Special, ReasonSocket, ErrSpecial},
			"to_dir": {Special, ReasonLinkDir, ErrIsDir}, "out_dir": {Special, ReasonOutside, ErrOutside},
			"dangling": {Special, ReasonDangling, ErrNotExist}, "dangling_abs": {Special, ReasonDangling, ErrNotExist}, "through": {Special, ReasonDangling, ErrNotExist},
			"loop": {Special, ReasonLoop, ErrSpecial}, "loop_a": {Special, ReasonLoop, ErrSpecial},
			"out": {Special, ReasonOutside, ErrOutside}, "out_rel": {Special, ReasonOutside, ErrOutside}, "out_proc": {Special, ReasonOutside, ErrOutside},
			"out_chain": {Special, ReasonOutside, ErrOutside}, "out_sibling": {Special, ReasonOutside, ErrOutside},
		} {
			e, ok := got[name]
			if !ok || e.Type != want.typ || e.Reason != want.reason {
				t.Errorf("%s: walk gives %+v", name, e)
			}
			if s, err := tr.Stat(graph.Path(name)); err != nil || s != e {
				t.Errorf("%s: Stat gives %+v, %v; walk %+v", name, s, err, e)
			}
			bytes := got["file"].Sig // of what is behind a link
			data, sig, err := tr.Read(graph.Path(name), nil)
			if !errors.Is(err, want.err) || want.err == nil && (err != nil || string(data) != "12345" || sig != bytes) {
				t.Errorf("%s: Read gives %q, %v", name, data, err)
			}
			f, sig, err := tr.OpenFile(graph.Path(name))
			if !errors.Is(err, want.err) || want.err == nil && (err != nil || sig != bytes) {
				t.Errorf("%s: OpenFile gives %v", name, err)
			}
			if f != nil {
				f.Close()
			}
		}
		if e := got["to_file"]; !e.Link || e.Sig.Inode == got["file"].Sig.Inode {
			t.Errorf("a link has not its own signature: %+v", e)
		}
		if len(got) != 22 {
			t.Errorf("walk gives %d entries: %v", len(got), got)
		}
		throughLinks(t, tr, got["file"].Sig)
	})
}

// throughLinks tries paths that lead through linked directories.
func throughLinks(t *testing.T, tr *Tree, file graph.Signature) {
	t.Helper()
	for _, p := range []graph.Path{"out_dir/secret", "to_dir/inside"} {
		if _, err := tr.Stat(p); !errors.Is(err, ErrNotExist) {
			t.Errorf("Stat(%q) through a linked directory: %v", p, err)
		}
	}
	if _, _, err := tr.Read("out_dir/secret", nil); !errors.Is(err, ErrOutside) {
		t.Errorf("Read through a link out of the root: %v", err)
	}
	if data, _, err := tr.Read("to_dir/inside", nil); err != nil || string(data) != "1" {
		t.Errorf("Read through a link inside the root: %q, %v", data, err)
	}
	if p, err := tr.Real("to_dir/../chain"); err != nil || p != "file" {
		t.Errorf("Real: %q, %v", p, err)
	}
	if e, err := tr.Follow("to_dir/up"); err != nil || e.Type != File || e.Sig != file {
		t.Errorf("Follow: %+v, %v", e, err)
	}
}

func TestBadNames(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "f"), "")
	long := graph.Path(strings.Repeat("x", 300))
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		for p, want := range map[graph.Path]error{
			"f\x00": ErrInvalid, long: ErrInvalid, "none": ErrNotExist, "f/x": ErrNotExist, "": ErrIsDir, ".": ErrIsDir,
			"../x": ErrOutside, "/etc/passwd": ErrOutside, "f/../../x": ErrNotExist,
		} {
			if _, _, err := tr.Read(p, nil); !errors.Is(err, want) {
				t.Errorf("Read(%.20q): %v, want %v", p, err, want)
			}
			var te *Error
			if _, _, err := tr.OpenFile(p); !errors.As(err, &te) {
				t.Errorf("OpenFile(%.20q): %T is no *Error", p, err)
			}
		}
		if e, err := tr.Stat(long); err == nil && e.Type != Unreadable {
			t.Errorf("Stat of a long name: %+v, %v", e, err)
		}
	})
}

// Both resolvers must tell the same of every path through a maze of links.
func TestResolversAgree(t *testing.T) {
	root := t.TempDir()
	for _, n := range []string{"a/b/c/f", "a/f", "d/f", "f"} {
		write(t, filepath.Join(root, n), n)
	}
	targets := []string{"..", ".", "a", "../a", "b", "c/../..", "/", "../../..", "f", "./f", "d/", "a/b/../b/c", "l0", "../l1", "none"}
	for i, target := range targets {
		for _, dir := range []string{"", "a", "a/b", "d"} {
			link(t, target, filepath.Join(root, dir, fmt.Sprintf("l%d", i)))
		}
	}
	tr := openTree(t, root)
	if !tr.kernel {
		t.Log("openat2 does not work here; nothing to compare with")
		return
	}
	var names []string
	for i := range targets {
		names = append(names, fmt.Sprintf("l%d", i))
	}
	names = append(names, "a", "b", "c", "d", "f", "..", ".")
	n := 0
	for _, x := range names {
		for _, y := range names {
			for _, z := range names {
				p := graph.Path(x + "/" + y + "/" + z)
				tr.kernel = true
				want, wantErr := tr.Follow(p)
				wantStat, wantStatErr := tr.Stat(p)
				tr.kernel = false
				got, gotErr := tr.Follow(p)
				gotStat, gotStatErr := tr.Stat(p)
				if got != want || reason(gotErr) != reason(wantErr) {
					t.Fatalf("%q: %+v, %v; the kernel says %+v, %v", p, got, gotErr, want, wantErr)
				}
				if gotStat != wantStat || reason(gotStatErr) != reason(wantStatErr) {
					t.Fatalf("Stat(%q): %+v, %v; the kernel says %+v, %v", p, gotStat, gotStatErr, wantStat, wantStatErr)
				}
				n++
			}
		}
	}
	t.Logf("%d paths", n)
}

func reason(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

func TestFIFOIsNotOpened(t *testing.T) {
	root := t.TempDir()
	fifo := filepath.Join(root, "fifo")
	if err := unix.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	tr := openTree(t, root)
	opened := make(chan struct{})
	go func() {
		// Opening for writing waits until somebody opens for reading.
		f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		if err == nil {
			f.Close()
		}
		close(opened)
	}()
	time.Sleep(20 * time.Millisecond)
	walk(t, tr, WalkOptions{})
	if _, _, err := tr.OpenFile("fifo"); !errors.Is(err, ErrSpecial) {
		t.Fatalf("open: %v", err)
	}
	select {
	case <-opened:
		t.Fatal("the FIFO was opened")
	case <-time.After(50 * time.Millisecond):
	}
	f, err := os.OpenFile(fifo, os.O_RDONLY, 0) // lets the writer go
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	<-opened
}

// What a link leads to may become another thing while the link stays the same: its
// signature must tell, for an index looks at nothing else.
func TestSignatureOfALinkFollowsItsTarget(t *testing.T) {
	root := t.TempDir()
	link(t, "d", filepath.Join(root, "link"))
	tr := openTree(t, root)
	seen := map[graph.Signature]Reason{}
	look := func() {
		t.Helper()
		for range 2 {
			e, err := tr.Stat("link")
			if err != nil || e.Type != Special {
				t.Fatalf("link: %+v, %v", e, err)
			}
			if was, ok := seen[e.Sig]; ok && was != e.Reason {
				t.Errorf("%s and %s have one signature", was, e.Reason)
			}
			seen[e.Sig] = e.Reason
		}
	}
	look()
	if err := os.Mkdir(filepath.Join(root, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	look()
	if err := os.Remove(filepath.Join(root, "d")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(root, "d"), 0o644); err != nil {
		t.Fatal(err)
	}
	look()
	if len(seen) != 3 {
		t.Errorf("signatures: %v", seen)
	}
}
