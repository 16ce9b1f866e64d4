package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/graph"
)

func noEnv(string) string { return "" }

func openTree(t *testing.T, root string) *Tree {
	t.Helper()
	tr, err := Open(root, Options{Getenv: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

// eachResolver runs a test with the kernel's resolver, where it works, and with
// ours.
func eachResolver(t *testing.T, root string, f func(t *testing.T, tr *Tree)) {
	t.Helper()
	for _, kernel := range []bool{true, false} {
		t.Run(fmt.Sprintf("kernel=%v", kernel), func(t *testing.T) {
			tr := openTree(t, root)
			if tr.kernel = tr.kernel && kernel; tr.kernel != kernel {
				t.Log("openat2 does not work here; trying our resolver")
			}
			f(t, tr)
		})
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func walk(t *testing.T, tr *Tree, opts WalkOptions) (out []Entry) {
	t.Helper()
	if err := tr.Walk(context.Background(), opts, func(e Entry) error { out = append(out, e); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func pathsOf(list []Entry) (out []string) {
	for _, e := range list {
		out = append(out, string(e.Path))
	}
	return out
}

func TestWalkOrderScopeAndRules(t *testing.T) {
	root := t.TempDir()
	for _, n := range []string{
		"a/x", "a.b", "a/y/z", "b/.git/config", "b/f", "b/out.o", "c/.gitignore.d/f", "c/keep.o", "build/f", "out.o",
		".hidden/f", ".agent/ralph-explore/db", ".hg/f", "d/.svn/f", "new\nline", "bad\xff\xfe", "sp ace", "n/build/f", "Z",
	} {
		write(t, filepath.Join(root, n), "")
	}
	write(t, filepath.Join(root, ".gitignore"), "*.o\n/build/\n")
	write(t, filepath.Join(root, "c/.gitignore"), "!keep.o\n")
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		all := pathsOf(walk(t, tr, WalkOptions{}))
		want := []string{
			".gitignore", ".hidden/f", "Z", "a/x", "a/y/z", "a.b", "b/f", "bad\xff\xfe", "c/.gitignore", "c/.gitignore.d/f", "c/keep.o",
			"n/build/f", "new\nline", "sp ace",
		}
		slices.SortFunc(want, func(a, b string) int { return Compare(graph.Path(a), graph.Path(b)) })
		if !slices.Equal(all, want) {
			t.Errorf("walk gives\n%q, want\n%q", all, want)
		}
		for _, tt := range []struct {
			opts WalkOptions
			want []string
		}{
			{WalkOptions{Scope: []graph.Path{"a/y", "a", "Z", "nowhere", "a/x"}}, []string{"Z", "a/x", "a/y/z"}},
			{WalkOptions{Scope: []graph.Path{"out.o", "build", "build/f", ".git", "b/.git/config", ".agent"}}, nil},
			{WalkOptions{Scope: []graph.Path{"build", "out.o", "b"}, NoIgnore: true}, []string{"b/f", "b/out.o", "build/f", "out.o"}},
			{WalkOptions{Scope: []graph.Path{"b/.git"}, NoIgnore: true}, []string{"b/.git/config"}},
			{WalkOptions{Scope: []graph.Path{"a"}, Dirs: true}, []string{"a", "a/x", "a/y", "a/y/z"}},
		} {
			if got := pathsOf(walk(t, tr, tt.opts)); !slices.Equal(got, tt.want) {
				t.Errorf("walk of %q gives %q, want %q", tt.opts.Scope, got, tt.want)
			}
		}
		for p, want := range map[graph.Path]bool{
			"": false, "a/x": false, "out.o": true, "build": true, "build/f": true, "build/none": true, "c/keep.o": false, "c/o.o": true,
			".git": true, "b/.git/config": true, "n/build/f": false, "none/x.o": true,
		} {
			if got := tr.Ignored(p); got != want {
				t.Errorf("Ignored(%q) = %v", p, got)
			}
		}
	})
}

// A nested repository has its own rules: those above it stop at its top.
func TestNestedRepository(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".gitignore"), "*.log\n/vendored/\n")
	for _, top := range []string{"sub", "vendored"} {
		for _, n := range []string{".git/HEAD", ".git/objects/x", "a.log", "b.tmp", "d/c.tmp"} {
			write(t, filepath.Join(root, top, n), "")
		}
	}
	write(t, filepath.Join(root, "sub/.git/info/exclude"), "/b.tmp\n")
	write(t, filepath.Join(root, "plain/.git"), "no repository")
	write(t, filepath.Join(root, "plain/a.log"), "")
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		got := pathsOf(walk(t, tr, WalkOptions{}))
		if want := []string{".gitignore", "sub/a.log", "sub/d/c.tmp"}; !slices.Equal(got, want) {
			t.Errorf("walk gives %q, want %q", got, want)
		}
		if tr.Ignored("sub/a.log") || !tr.Ignored("sub/b.tmp") || !tr.Ignored("plain/a.log") {
			t.Error("Ignored disagrees with the walk")
		}
	})
}

// A directory that turns into a link out of the root, over and over, while it is
// read: nothing of the outside may be seen.
func TestSwappedDirectory(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "d/f"), "inside")
	write(t, filepath.Join(outside, "f"), "outside!")
	write(t, filepath.Join(outside, "only"), "outside!")
	link(t, outside, filepath.Join(root, "l"))
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		var stop atomic.Bool
		done := make(chan error, 1)
		go func() {
			d, l := filepath.Join(root, "d"), filepath.Join(root, "l")
			for !stop.Load() {
				if err := unix.Renameat2(unix.AT_FDCWD, d, unix.AT_FDCWD, l, unix.RENAME_EXCHANGE); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		seen := 0
		for range 600 {
			if data, _, err := tr.Read("d/f", nil); err == nil {
				if string(data) != "inside" {
					t.Errorf("read %q", data)
				}
				seen++
			}
			if e, err := tr.Stat("d/f"); err == nil && e.Sig.Size != 6 {
				t.Errorf("stat %+v", e)
			}
			for _, e := range walk(t, tr, WalkOptions{}) {
				if e.Path.Base() == "only" || e.Type == File && e.Sig.Size != 6 {
					t.Errorf("walk saw %+v", e)
				}
			}
		}
		stop.Store(true)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if seen == 0 {
			t.Error("the file inside was never read")
		}
		// Put things back for the other resolver.
		if fi, err := os.Lstat(filepath.Join(root, "d")); err != nil || !fi.IsDir() {
			if err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(root, "d"), unix.AT_FDCWD, filepath.Join(root, "l"), unix.RENAME_EXCHANGE); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestReadOfAChangingFile(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "log")
	write(t, path, "")
	tr := openTree(t, root)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; !stop.Load(); n++ {
			_, _ = f.WriteString(strings.Repeat("x", 4096))
			if n%256 == 255 {
				_ = f.Truncate(0)
			}
		}
	}()
	var buf []byte
	for range 200 {
		var sig graph.Signature
		if buf, sig, err = tr.Read("log", buf); err != nil {
			t.Fatal(err)
		}
		if int64(len(buf)) > sig.Size {
			t.Fatalf("%d bytes with the signature of %d", len(buf), sig.Size)
		}
	}
	stop.Store(true)
	<-done
	data, sig, err := tr.Read("log", buf)
	if err != nil || int64(len(data)) != sig.Size {
		t.Fatalf("a file at rest: %d bytes, signature of %d, %v", len(data), sig.Size, err)
	}
}

func TestSizeBound(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "f"), "12345")
	tr, err := Open(root, Options{MaxFileBytes: 4, Getenv: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if _, _, err := tr.Read("f", nil); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("read: %v", err)
	}
	// A sparse file that no memory holds.
	if err := os.Truncate(filepath.Join(root, "f"), 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openTree(t, root).Read("f", nil); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("read: %v", err)
	}
}

func TestManyFiles(t *testing.T) {
	root := t.TempDir()
	for i := range 10_000 {
		write(t, filepath.Join(root, "many", fmt.Sprintf("f%05d", i)), "")
	}
	for i := range 300 {
		write(t, filepath.Join(root, fmt.Sprintf("d%03d/e/f", i)), "")
	}
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		all := walk(t, tr, WalkOptions{})
		if len(all) != 10_300 {
			t.Fatalf("%d entries", len(all))
		}
		if !slices.IsSortedFunc(all, func(a, b Entry) int { return Compare(a.Path, b.Path) }) {
			t.Fatal("entries are out of order")
		}
		var paths []graph.Path
		for _, e := range all {
			paths = append(paths, e.Path)
		}
		paths = append(paths, "none", "none/x")
		stated, err := tr.StatAll(context.Background(), paths)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range stated {
			if i < len(all) && s.Entry != all[i] || i >= len(all) && !errors.Is(s.Err, ErrNotExist) {
				t.Fatalf("StatAll gives %+v for %q", s, paths[i])
			}
		}
	})
}

func TestCancelledWalk(t *testing.T) {
	root := t.TempDir()
	for i := range 50 {
		write(t, filepath.Join(root, fmt.Sprintf("d%02d/f", i)), "")
	}
	tr := openTree(t, root)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := tr.Walk(ctx, WalkOptions{}, func(Entry) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 3 {
		t.Fatalf("%d entries, %v", n, err)
	}
	mine := errors.New("mine")
	if err := tr.Walk(context.Background(), WalkOptions{}, func(Entry) error { return mine }); !errors.Is(err, mine) {
		t.Fatalf("walk: %v", err)
	}
	if _, err := tr.StatAll(ctx, []graph.Path{"d00/f"}); !errors.Is(err, context.Canceled) {
		t.Fatalf("StatAll: %v", err)
	}
}

func TestWalkDuringRemoval(t *testing.T) {
	root := t.TempDir()
	tr := openTree(t, root)
	write(t, filepath.Join(root, "keep"), "")
	for range 20 {
		for i := range 40 {
			write(t, filepath.Join(root, fmt.Sprintf("d%d/e/f", i)), "")
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range 40 {
				_ = os.RemoveAll(filepath.Join(root, fmt.Sprintf("d%d", i)))
			}
		}()
		got := walk(t, tr, WalkOptions{})
		<-done
		if len(got) == 0 || got[len(got)-1].Path != "keep" {
			t.Fatalf("walk gives %q", pathsOf(got))
		}
	}
}

func TestRootIsGone(t *testing.T) {
	root := filepath.Join(t.TempDir(), "r")
	write(t, filepath.Join(root, "f"), "")
	eachResolver(t, root, func(t *testing.T, tr *Tree) {
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		defer write(t, filepath.Join(root, "f"), "")
		// Not an empty tree: a root that is not there says nothing of its files.
		if err := tr.Walk(t.Context(), WalkOptions{}, func(Entry) error { return nil }); !errors.Is(err, ErrNotExist) {
			t.Fatalf("walk: %v", err)
		}
		if _, err := tr.Stat("f"); !errors.Is(err, ErrNotExist) {
			t.Fatalf("stat: %v", err)
		}
	})
	if _, err := Open(root+"/f", Options{}); err == nil {
		t.Fatal("a file opens as a root")
	}
}
