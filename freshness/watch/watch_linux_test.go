package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// long is how long a test waits for what must come.
const long = 60 * time.Second

// space is a tree that is watched, and what was told of it.
type space struct {
	t    *testing.T
	root string
	w    *Watcher

	mu    sync.Mutex
	marks map[graph.Path]bool
	all   int
}

func newSpace(t *testing.T, files map[string]string, change func(*Options)) *space {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &space{t: t, root: filepath.Join(root, "w"), marks: map[graph.Path]bool{}}
	s.mkdir("")
	for name, text := range files {
		s.write(name, text)
	}
	tr, err := tree.Open(s.root, tree.Options{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Tree: tr, CookieDir: filepath.Join(s.root, ".agent", "cookies"),
		Mark: func(paths ...graph.Path) {
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, p := range paths {
				s.marks[p] = true
			}
		},
		MarkAll: func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.all++
		},
	}
	if change != nil {
		change(&o)
	}
	s.w = Start(t.Context(), o)
	t.Cleanup(func() {
		s.w.Close()
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	<-s.w.Ready()
	return s
}

func (s *space) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

func (s *space) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *space) mkdir(name string) { s.t.Helper(); s.must(os.MkdirAll(s.path(name), 0o755)) }

func (s *space) write(name, text string) {
	s.t.Helper()
	s.mkdir(filepath.Dir(name))
	s.must(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *space) rename(from, to string) { s.t.Helper(); s.must(os.Rename(s.path(from), s.path(to))) }

// taken returns, sorted, what was marked up to now, and forgets it.
func (s *space) taken() []string {
	s.t.Helper()
	if err := s.w.Barrier(s.t.Context()); err != nil {
		s.t.Fatalf("barrier: %v, state %+v", err, s.w.State())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []string{}
	for p := range s.marks {
		out = append(out, string(p))
	}
	clear(s.marks)
	slices.Sort(out)
	return out
}

func (s *space) alls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

func (s *space) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(long); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: never; state %+v", what, s.w.State())
		}
	}
}

func TestMarks(t *testing.T) {
	files := map[string]string{
		"a.go": "a", "d/b.go": "b", "d/e/c.go": "c", "out/o.bin": "o", "d/x.log": "x",
		".gitignore": "out/\n*.log\n", "n/m/k.go": "k",
	}
	for _, c := range []struct {
		name   string
		change func(s *space)
		want   []string
	}{
		{"nothing", func(*space) {}, nil},
		{"write in place", func(s *space) { s.write("d/b.go", "bb") }, []string{"d/b.go"}},
		{"write to a temporary file and rename", func(s *space) { s.write("d/b.go.tmp", "bb"); s.rename("d/b.go.tmp", "d/b.go") }, []string{"d/b.go", "d/b.go.tmp"}},
		{"keep the old file, then write a new one", func(s *space) { s.rename("a.go", "a.go~"); s.write("a.go", "aa") }, []string{"a.go", "a.go~"}},
		{"rename from outside the tree", func(s *space) {
			s.must(os.WriteFile(s.root+".tmp", []byte("bb"), 0o644))
			s.must(os.Rename(s.root+".tmp", s.path("d/b.go")))
		}, []string{"d/b.go"}},
		{"times only", func(s *space) { s.must(os.Chtimes(s.path("a.go"), time.Unix(1, 0), time.Unix(1, 0))) }, []string{"a.go"}},
		{"mode only", func(s *space) { s.must(os.Chmod(s.path("a.go"), 0o600)) }, []string{"a.go"}},
		{"mode of a directory", func(s *space) { s.must(os.Chmod(s.path("d"), 0o700)) }, []string{"d"}},
		{"times of a directory", func(s *space) { s.must(os.Chtimes(s.path("d"), time.Unix(1, 0), time.Unix(1, 0))) }, nil},
		{"delete", func(s *space) { s.must(os.Remove(s.path("d/e/c.go"))) }, []string{"d/e/c.go"}},
		{"ignored files", func(s *space) { s.write("d/x.log", "xx"); s.write("out/p.bin", "p"); s.write("out/q/r.go", "r") }, nil},
		{"our own directory", func(s *space) { s.write(".agent/note", "n") }, nil},
		{"new directory and a file in it", func(s *space) { s.write("new/deep/f.go", "f") }, []string{"new"}},
		{"rename of a directory", func(s *space) { s.rename("d", "r") }, []string{"d", "r"}},
		{"directory that leaves the tree", func(s *space) { s.must(os.Rename(s.path("d"), s.root+".gone")) }, []string{"d"}},
		{"directory that comes from outside", func(s *space) {
			s.must(os.MkdirAll(s.root+".new/sub", 0o755))
			s.must(os.Rename(s.root+".new", s.path("came")))
		}, []string{"came"}},
		{"file in place of a directory", func(s *space) { s.must(os.RemoveAll(s.path("n"))); s.write("n", "file") }, []string{"n", "n/m", "n/m/k.go"}},
		{"edit of the ignore rules", func(s *space) { s.write(".gitignore", "d/\n") }, []string{""}},
		{"edit of ignore rules further down", func(s *space) { s.write("d/.gitignore", "e/\n") }, []string{"d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSpace(t, files, nil)
			s.taken()
			c.change(s)
			// A directory that is marked speaks for what it holds: whether that is
			// marked as well depends on who was first, the writer or the watch.
			got := slices.DeleteFunc(s.taken(), func(p string) bool {
				return !slices.Contains(c.want, p) && slices.ContainsFunc(c.want, func(d string) bool { return graph.Path(p).Under(graph.Path(d)) })
			})
			if !slices.Equal(got, append([]string{}, c.want...)) {
				t.Errorf("marked %q, want %q", got, c.want)
			}
		})
	}
}

// What happens in a directory after it came, moved, or came under other rules, is
// heard of too.
func TestDirectoriesFollow(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *space)
		then   string // file that is written then
		heard  bool
	}{
		{"new", func(s *space) { s.mkdir("new/deep") }, "new/deep/f.go", true},
		{"renamed", func(s *space) { s.rename("d", "r") }, "r/e/c.go", true},
		{"renamed twice", func(s *space) { s.rename("d", "r"); s.rename("r", "q") }, "q/e/c.go", true},
		{"removed and made again", func(s *space) { s.must(os.RemoveAll(s.path("d"))); s.mkdir("d/e") }, "d/e/c.go", true},
		{"two that change places", func(s *space) { s.rename("d", "t"); s.rename("o", "d"); s.rename("t", "o") }, "o/e/c.go", true},
		{"ignored from now on", func(s *space) { s.write(".gitignore", "d/\n") }, "d/e/c.go", false},
		{"not ignored any more", func(s *space) { s.write(".gitignore", "") }, "out/x/f.go", true},
		{"unreadable for a while", func(s *space) {
			s.must(os.Chmod(s.path("d"), 0o000))
			s.taken()
			s.must(os.Chmod(s.path("d"), 0o755))
		}, "d/e/c.go", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSpace(t, map[string]string{"d/e/c.go": "c", "o/p/q.go": "q", "out/x/y.go": "y", ".gitignore": "out/\n"}, nil)
			c.change(s)
			s.taken()
			s.write(c.then, "changed")
			got := s.taken()
			if heard := slices.Contains(got, c.then); heard != c.heard {
				t.Errorf("marked %q after a write to %s; heard %v, want %v", got, c.then, heard, c.heard)
			}
		})
	}
}

// A barrier passes only after the marks of all that was written before it, whoever
// writes and however much.
func TestBarrier(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a"}, nil)
	s.taken()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				p := graph.Path(fmt.Sprintf("f%d-%d.txt", g, i))
				if err := os.WriteFile(s.path(string(p)), []byte("x"), 0o644); err != nil {
					t.Error(err)
					return
				}
				if err := s.w.Barrier(t.Context()); err != nil {
					t.Error(err)
					return
				}
				s.mu.Lock()
				if !s.marks[p] {
					t.Errorf("%s is not marked after a barrier", p)
				}
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestBarrierEndsWithItsContext(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a"}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// It may also pass: then the events were quicker.
	if err := s.w.Barrier(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("barrier: %v", err)
	}
	s.w.Close()
	if err := s.w.Barrier(t.Context()); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier of a closed watcher: %v", err)
	}
}

// The index, and with it the directory of the cookies, may be deleted at any time.
func TestCookiesAreDeleted(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a"}, nil)
	s.taken()
	s.must(os.RemoveAll(s.path(".agent")))
	s.write("a.txt", "aa")
	if got := s.taken(); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("marked %q", got)
	}
}

func TestTurns(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a"}, nil)
	<-s.w.Turns() // of the start
	s.write("a.txt", "b")
	select {
	case <-s.w.Turns():
	case <-time.After(long):
		t.Fatal("no turn after a write")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.marks["a.txt"] {
		t.Error("a turn came before the mark")
	}
}

func TestGit(t *testing.T) {
	s := newSpace(t, map[string]string{
		"a.txt": "a", ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/info/exclude": "", "d/b.txt": "b",
	}, nil)
	s.taken()
	before := s.alls()
	s.write(".git/index.lock", "")
	s.must(os.Remove(s.path(".git/index.lock")))
	if got := s.taken(); len(got) > 0 || s.alls() != before {
		t.Errorf("marked %q, all %d after %d, by the lock of the index", got, s.alls(), before)
	}
	s.write(".git/HEAD.lock", "ref: refs/heads/other\n")
	s.rename(".git/HEAD.lock", ".git/HEAD")
	if s.taken(); s.alls() == before {
		t.Error("another HEAD is not noticed")
	}
	before = s.alls()
	s.write(".git/info/exclude", "d/\n")
	if s.taken(); s.alls() == before {
		t.Error("other excludes are not noticed")
	}
	s.write("d/b.txt", "bb")
	if got := s.taken(); len(got) > 0 {
		t.Errorf("marked %q, which is excluded", got)
	}
	s.write(".git/info/exclude", "")
	s.taken()
	s.write("d/b.txt", "bbb")
	if got := s.taken(); !slices.Equal(got, []string{"d/b.txt"}) {
		t.Errorf("marked %q after a write to what is not excluded any more", got)
	}
	// A repository that is made, or goes, changes the rules of its directory.
	s.must(os.RemoveAll(s.path(".git")))
	if got := s.taken(); !slices.Contains(got, "") {
		t.Errorf("marked %q after the repository went", got)
	}
	s.write("d/.git/HEAD", "x")
	if got := s.taken(); !slices.Contains(got, "d") {
		t.Errorf("marked %q after a repository came", got)
	}
}

// While git holds its index, a batch waits.
func TestGitHoldsTheBatch(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a", ".git/HEAD": "x", ".git/objects/x": ""}, nil)
	<-s.w.Turns()
	s.write(".git/index.lock", "")
	s.write("a.txt", "b")
	s.taken()
	select {
	case <-s.w.Turns():
		// Only a machine on which this took as long as the bound may come here.
		if st := s.w.State(); time.Since(st.LastEvent) < holdGit-time.Second {
			t.Error("a turn came while git was at work")
		}
	case <-time.After(time.Second):
	}
	s.must(os.Remove(s.path(".git/index.lock")))
	select {
	case <-s.w.Turns():
	case <-time.After(long):
		t.Fatal("no turn after git was done")
	}
}

func TestRootIsGone(t *testing.T) {
	s := newSpace(t, map[string]string{"d/a.txt": "a"}, nil)
	s.taken()
	s.must(os.Rename(s.root, s.root+".moved"))
	s.until("degraded", func() bool { return s.w.State().Mode == Degraded })
	if err := s.w.Barrier(t.Context()); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier: %v", err)
	}
}

// A directory may be found at its new place before it is heard that it has left the
// old one. The system has one watch for it, which must not end with the old name.
func TestMovedBeforeItIsHeardOf(t *testing.T) {
	hold, held := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	s := newSpace(t, map[string]string{"a.go": "a", "d/e/b.go": "b", "d/e/f/c.go": "c"}, func(o *Options) {
		mark := o.Mark
		o.Mark = func(paths ...graph.Path) {
			mark(paths...)
			if armed.CompareAndSwap(true, false) {
				close(held)
				<-hold
			}
		}
	})
	armed.Store(true)
	s.write("a.go", "aa")
	<-held
	s.mkdir("new")
	s.rename("d", "new/d")
	close(hold)
	s.taken()
	s.write("new/d/e/b.go", "bb")
	s.write("new/d/e/f/c.go", "cc")
	s.must(os.Remove(s.path("new/d/e/b.go")))
	if got, want := s.taken(), []string{"new/d/e/b.go", "new/d/e/f/c.go"}; !slices.Equal(got, want) {
		t.Errorf("marked %v, want %v", got, want)
	}
}
