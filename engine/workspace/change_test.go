package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// changer is a workspace with an index directory and everything that can be done to it
// by paths as a caller writes them.
type changer struct {
	*Workspace
	dir string
}

func newChanger(t *testing.T, dir string, reached func(Step) error, roots ...string) *changer {
	t.Helper()
	index := filepath.Join(dir, IndexDir)
	if err := os.MkdirAll(index, 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir, Options{Roots: roots, IndexDir: index, Reached: reached})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return &changer{Workspace: w, dir: dir}
}

func (c *changer) named(path string) (Named, error) {
	r, p, err := c.Resolve(path)
	return Named{r, p}, err
}

func (c *changer) write(ctx context.Context, path, content string) (Written, error) {
	n, err := c.named(path)
	if err != nil {
		return Written{}, err
	}
	return c.Update(ctx, n.Root, n.Path, func([]byte) ([]byte, error) { return []byte(content), nil })
}

func (c *changer) add(ctx context.Context, path, content string) error {
	n, err := c.named(path)
	if err != nil {
		return err
	}
	_, err = c.Update(ctx, n.Root, n.Path, func(old []byte) ([]byte, error) { return append(old, content...), nil })
	return err
}

func (c *changer) mkdir(ctx context.Context, path string) error {
	n, err := c.named(path)
	if err != nil {
		return err
	}
	_, _, err = c.MakeDir(ctx, n.Root, n.Path)
	return err
}

type twoPaths func(ctx context.Context, src, dst Named, overwrite bool) (Moved, error)

func (c *changer) both(ctx context.Context, do twoPaths, src, dst string, overwrite bool) error {
	from, err := c.named(src)
	if err != nil {
		return err
	}
	to, err := c.named(dst)
	if err != nil {
		return err
	}
	_, err = do(ctx, from, to, overwrite)
	return err
}

func (c *changer) remove(ctx context.Context, path string, recursive bool) error {
	n, err := c.named(path)
	if err != nil {
		return err
	}
	_, _, err = c.Delete(ctx, n.Root, n.Path, recursive)
	return err
}

// snapshot is everything in a directory but the index: kinds, modes, links and bytes.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if rel == IndexDir {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.Type() == fs.ModeSymlink:
			out[rel], err = os.Readlink(path)
		case d.IsDir():
			out[rel] = info.Mode().String()
		case d.Type().IsRegular():
			var b []byte
			b, err = os.ReadFile(path)
			out[rel] = info.Mode().String() + " " + string(b)
		default:
			out[rel] = info.Mode().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// strays lists unfinished entries and notes about them.
func strays(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ignore.TempPrefix) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestUpdate(t *testing.T) {
	b := base(t)
	dir := filepath.Join(b, "w")
	write(t, filepath.Join(dir, "old.sh"), "a\r\n")
	write(t, filepath.Join(dir, "twice"), "one")
	for _, err := range []error{
		os.Chmod(filepath.Join(dir, "old.sh"), 0o751|fs.ModeSetuid),
		os.Symlink("old.sh", filepath.Join(dir, "link")),
		os.Symlink(filepath.Join(dir, "link"), filepath.Join(dir, "link2")), // absolute, and comes back
		os.Mkdir(filepath.Join(dir, "d"), 0o755),
		os.Symlink("d", filepath.Join(dir, "dl")),
		os.Link(filepath.Join(dir, "twice"), filepath.Join(dir, "again")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := newChanger(t, dir, nil)
	for _, tt := range []struct {
		path, content string
		want          Written
	}{
		{"new", "\ufeffx\n", Written{Path: "new", Created: true}},
		{"e/f/new", "", Written{Path: "e/f/new", Created: true}},
		{"e/./g//../f/new", "y", Written{Path: "e/f/new"}},
		{"old.sh", "b\r\n\x00", Written{Path: "old.sh"}},
		{"old.sh", "b\r\n\x00", Written{Path: "old.sh", Unchanged: true}},
		{"link2", "through\n", Written{Path: "old.sh"}},
		{"dl/x", "in", Written{Path: "d/x", Created: true}},
		{"twice", "longer than one", Written{Path: "twice", InPlace: true, Links: 2}},
		{"again", "s", Written{Path: "again", InPlace: true, Links: 2}},
		{filepath.Join(dir, "abs"), "a", Written{Path: "abs", Created: true}},
		{"~", "tilde", Written{Path: "~", Created: true}},
		{`"q" %2e%2e`, "quoted", Written{Path: `"q" %2e%2e`, Created: true}},
	} {
		got, err := c.write(t.Context(), tt.path, tt.content)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v; want %+v", tt.path, got, err, tt.want)
			continue
		}
		if s := content(t, filepath.Join(dir, string(tt.want.Path))); s != tt.content {
			t.Errorf("%s: %q, want %q", tt.path, s, tt.content)
		}
	}
	fi, err := os.Lstat(filepath.Join(dir, "old.sh"))
	if err != nil || fi.Mode() != 0o751|fs.ModeSetuid {
		t.Errorf("mode is %v, %v", fi.Mode(), err)
	}
	if l, err := os.Readlink(filepath.Join(dir, "link")); err != nil || l != "old.sh" {
		t.Errorf("link is %q, %v", l, err)
	}
	if content(t, filepath.Join(dir, "twice")) != "s" {
		t.Error("the other name has other bytes")
	}
	if s := strays(t, dir); s != nil {
		t.Errorf("left behind: %q", s)
	}
}

func TestUnchangedIsNotTouched(t *testing.T) {
	dir := base(t)
	write(t, filepath.Join(dir, "f"), "same")
	past := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(dir, "f"), past, past); err != nil {
		t.Fatal(err)
	}
	c := newChanger(t, dir, nil)
	if _, err := c.write(t.Context(), "f", "same"); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(filepath.Join(dir, "f")); err != nil || !fi.ModTime().Equal(past) {
		t.Errorf("modified at %v, %v", fi.ModTime(), err)
	}
	stop := errors.New("stop")
	n, _ := c.named("f")
	if _, err := c.Update(t.Context(), n.Root, n.Path, func([]byte) ([]byte, error) { return nil, stop }); !errors.Is(err, stop) {
		t.Errorf("error of the edit: %v", err)
	}
	if content(t, filepath.Join(dir, "f")) != "same" {
		t.Error("an edit that failed changed the file")
	}
	n, _ = c.named("made/for/nothing")
	if _, err := c.Update(t.Context(), n.Root, n.Path, func([]byte) ([]byte, error) { return nil, stop }); !errors.Is(err, stop) {
		t.Errorf("error of the edit of a file that is not there: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "made")); err == nil {
		t.Error("an edit that failed made a directory")
	}
}

// Appends of several processes, here several workspaces, are all there in the end.
func TestConcurrentAppends(t *testing.T) {
	dir := base(t)
	var wg sync.WaitGroup
	const writers, lines = 4, 25
	for i := range writers {
		c := newChanger(t, dir, nil)
		wg.Go(func() {
			for j := range lines {
				if err := c.add(t.Context(), "log", fmt.Sprintf("%d-%d\n", i, j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got := strings.Fields(content(t, filepath.Join(dir, "log")))
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != writers*lines {
		t.Errorf("%d lines of %d", len(got), writers*lines)
	}
}

func TestWaitingForALockEnds(t *testing.T) {
	dir := base(t)
	write(t, filepath.Join(dir, "f"), "")
	a, b := newChanger(t, dir, nil), newChanger(t, dir, nil)
	n, _ := a.named("f")
	_, err := a.Update(t.Context(), n.Root, n.Path, func([]byte) ([]byte, error) {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, stop)
		if err := b.add(ctx, "g", "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("waiting ended with %v", err)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "g")); err == nil {
		t.Error("a change that was given up was made")
	}
}

func TestMakeDir(t *testing.T) {
	dir := base(t)
	write(t, filepath.Join(dir, "file"), "")
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := newChanger(t, dir, nil)
	for _, tt := range []struct {
		path    string
		made    graph.Path
		existed bool
		err     error
	}{
		{"a/b/c", "a/b/c", false, nil},
		{"a/b/c", "a/b/c", true, nil},
		{"link/d", "real/d", false, nil},
		{".", "", true, nil},
		{"file", "file", false, ErrExists},
		{"file/d", "file/d", false, ErrNotDir},
		{"bad\nname", "bad\nname", false, ErrName},
	} {
		n, _ := c.named(tt.path)
		made, existed, err := c.MakeDir(t.Context(), n.Root, n.Path)
		if made != tt.made || existed != tt.existed || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%q: %q, %v, %v; want %+v", tt.path, made, existed, err, tt)
		}
	}
}

// moveCases are the rules that moves and copies share.
func moveCases() []struct {
	src, dst  string
	overwrite bool
	err       error
} {
	return []struct {
		src, dst  string
		overwrite bool
		err       error
	}{
		{"f", "g", false, ErrExists},
		{"f", "d", false, ErrExists},
		{"f", "d", true, ErrKind},
		{"d", "f", true, ErrKind},
		{"d", "e", true, ErrKind},
		{"d", "e", false, ErrExists},
		{"d", "d/sub/x", false, ErrInside},
		{"d", "dl/x", false, ErrInside},
		{"f", "f", true, ErrSame},
		{"f", "dl/../f", true, ErrSame},
		{"none", "x", true, tree.ErrNotExist},
		{"f", "g/x", true, ErrNotDir},
		{"f", "x\ny", true, ErrName},
		{"repo", "x", false, ErrProtected},
		{".agent", "x", false, ErrProtected},
		{".", "x", false, ErrRoot},
		{"f", ".", true, ErrRoot},
		{"f", ".git/hooks/pre-commit", true, ErrProtected},
		{"f", "dl2/x", true, ErrProtected},
		{"f", "g", true, nil},
		{"l", "l2", false, nil},
		{"d", "new", false, nil},
	}
}

func moveTree(t *testing.T) string {
	t.Helper()
	dir := base(t)
	for name, text := range map[string]string{
		"f": "F", "g": "G", "d/sub/x": "X", "d/y": "Y", "e/z": "Z", "repo/in/.git/config": "c", ".git/hooks/a": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, IndexDir), 0o755), os.Chmod(filepath.Join(dir, "d/y"), 0o640), os.Chmod(filepath.Join(dir, "d/sub"), 0o750),
		os.Symlink("/etc/hostname", filepath.Join(dir, "l")), os.Symlink("d", filepath.Join(dir, "dl")),
		os.Symlink(".git", filepath.Join(dir, "dl2")), os.Symlink("../f", filepath.Join(dir, "d/up")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMoveAndCopy(t *testing.T) {
	for _, kind := range []string{"move", "copy"} {
		for _, tt := range moveCases() {
			t.Run(kind+" "+tt.src+" "+strings.ReplaceAll(tt.dst, "/", "|"), func(t *testing.T) {
				dir := moveTree(t)
				c := newChanger(t, dir, nil)
				do := c.Move
				if kind == "copy" {
					do = c.Copy
				}
				before := snapshot(t, dir)
				err := c.both(t.Context(), do, tt.src, tt.dst, tt.overwrite)
				if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
					t.Fatalf("error %v, want %v", err, tt.err)
				}
				after := snapshot(t, dir)
				want := before
				if tt.err == nil {
					want = movedTo(before, tt.src, tt.dst, kind == "copy")
				}
				same(t, after, want)
				if s := strays(t, dir); s != nil {
					t.Errorf("left behind: %q", s)
				}
			})
		}
	}
}

// movedTo is the model of a move or copy.
func movedTo(tree map[string]string, src, dst string, keep bool) map[string]string {
	out := map[string]string{}
	for p, v := range tree {
		rest, in := under(src, p)
		if !in || keep {
			if _, taken := out[p]; !taken {
				out[p] = v
			}
		}
		if in {
			out[filepath.Join(dst, rest)] = v
		}
	}
	return out
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for p, v := range want {
		if got[p] != v {
			t.Errorf("%s is %q, want %q", p, got[p], v)
		}
	}
	for p := range got {
		if _, ok := want[p]; !ok {
			t.Errorf("%s is there", p)
		}
	}
}

func TestMoveNeedsTheDirectoryCopyMakesIt(t *testing.T) {
	c := newChanger(t, moveTree(t), nil)
	if err := c.both(t.Context(), c.Move, "f", "a/b", false); !errors.Is(err, tree.ErrNotExist) {
		t.Errorf("move: %v", err)
	}
	if err := c.both(t.Context(), c.Copy, "f", "a/b", false); err != nil || content(t, filepath.Join(c.dir, "a/b")) != "F" {
		t.Errorf("copy: %v", err)
	}
}

func TestMoveBetweenNamesOfOneFile(t *testing.T) {
	dir := base(t)
	write(t, filepath.Join(dir, "a"), "A")
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	c := newChanger(t, dir, nil)
	if err := c.both(t.Context(), c.Move, "a", "b", true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "a")); err == nil || content(t, filepath.Join(dir, "b")) != "A" {
		t.Error("both names are there")
	}
}

func TestLinkNew(t *testing.T) {
	dir := moveTree(t)
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	for _, tt := range []struct {
		from, to string
		err      error
	}{{"f", "g", unix.EEXIST}, {"f", "n", nil}, {"d", "e", unix.EEXIST}, {"d", "n2", nil}, {"l", "n3", nil}, {"none", "n4", unix.ENOENT}} {
		if err := linkNew(fd, tt.from, fd, tt.to); !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%s to %s: %v, want %v", tt.from, tt.to, err, tt.err)
		}
	}
	if content(t, filepath.Join(dir, "n")) != "F" || content(t, filepath.Join(dir, "n2/y")) != "Y" {
		t.Error("not moved")
	}
}
