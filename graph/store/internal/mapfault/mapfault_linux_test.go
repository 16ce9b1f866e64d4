package mapfault

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// lost maps a file of some pages for writing and takes its bytes away: what the
// kernel says of a page behind the end is what it says of one without a block.
func lost(t *testing.T, dir string) []byte {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := 8 * os.Getpagesize()
	if err := f.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(b) })
	b[0], b[size-1] = 1, 1
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWriteWithoutABlock(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	g, err := New(link)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	other, err := New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	sub := filepath.Join(dir, strings.Repeat("sub/", 20))
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	b := lost(t, sub)
	if g.Hit() {
		t.Fatal("hit before there was a fault")
	}
	var wg sync.WaitGroup
	for n := range 4 { // on threads and stacks of the runtime's choice
		wg.Go(func() {
			for i := n; i < len(b); i += 4 {
				b[i] = byte(i)
			}
		})
	}
	wg.Wait()
	for i := range b {
		if b[i] != byte(i) {
			t.Fatalf("byte %d is %d", i, b[i])
		}
	}
	if !g.Hit() || other.Hit() {
		t.Errorf("hit: %v; of another directory: %v", g.Hit(), other.Hit())
	}
}

// A fault that is not ours ends where it would end without a guard.
func TestFaultElsewhere(t *testing.T) {
	dir := t.TempDir()
	g, err := New(filepath.Join(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	like := dir + "-too"
	if err := os.Mkdir(like, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(like) })
	b := lost(t, like)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("a fault outside the directory was mended")
		}
		if g.Hit() {
			t.Error("a fault outside the directory was counted")
		}
	}()
	b[0] = 1
}

func TestManyGuards(t *testing.T) {
	for range 300 {
		g, err := New(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		g.Close()
		g.Close()
	}
	var none *Guard
	if none.Hit() {
		t.Error("no guard was hit")
	}
	none.Close()
}
