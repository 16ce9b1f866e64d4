//go:build linux

package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// fake is a source whose events the test makes.
type fake struct {
	events chan Event
	errs   chan error

	mu    sync.Mutex
	dirs  map[string]bool
	limit int // directories it takes; 0: any number
	adds  map[string]int
	// before is called once, just before the directory of that name is watched.
	before map[string]func()
}

func newFake() *fake {
	return &fake{events: make(chan Event), errs: make(chan error), dirs: map[string]bool{}, adds: map[string]int{}, before: map[string]func(){}}
}

func (f *fake) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.limit > 0 && len(f.dirs) >= f.limit && !f.dirs[dir] {
		return ErrLimit
	}
	if then := f.before[filepath.Base(dir)]; then != nil {
		delete(f.before, filepath.Base(dir))
		then()
	}
	if _, err := os.Lstat(dir); err != nil {
		return err
	}
	f.adds[dir]++
	f.dirs[dir] = true
	return nil
}

func (f *fake) Remove(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.dirs, dir)
	return nil
}

func (f *fake) Events() <-chan Event { return f.events }
func (f *fake) Errors() <-chan error { return f.errs }
func (f *fake) Close() error         { return nil }

func (f *fake) has(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dirs[dir]
}

// cookie tells of whatever stands in the directory of the cookies now.
func (f *fake) cookie(s *space) {
	dir := filepath.Join(s.root, ".agent", "cookies")
	list, err := os.ReadDir(dir)
	s.must(err)
	for _, e := range list {
		f.events <- Event{Path: filepath.Join(dir, e.Name()), Op: Structure}
	}
}

func fakeSpace(t *testing.T, f *fake, files map[string]string) *space {
	return newSpace(t, files, func(o *Options) {
		o.Source = func() (Source, error) { return f, nil }
		o.Poll = time.Millisecond
	})
}

// TestReplacedWhileItIsWatched puts another directory in the place of one between the
// look at it and its watch: it is watched again, as what it is now.
func TestReplacedWhileItIsWatched(t *testing.T) {
	f := newFake()
	s := fakeSpace(t, f, map[string]string{"d/a.txt": "a"})
	<-s.w.Turns()
	f.mu.Lock()
	f.before["new"] = func() {
		s.must(os.Rename(s.path("new"), s.path("old")))
		s.must(os.Mkdir(s.path("new"), 0o755))
	}
	f.mu.Unlock()
	s.must(os.Mkdir(s.path("new"), 0o755))
	f.events <- Event{Path: s.path("new"), Op: Structure}
	s.until("the new directory is watched", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.dirs[s.path("new")] && f.adds[s.path("new")] == 2
	})
}

func TestOverflow(t *testing.T) {
	f := newFake()
	s := fakeSpace(t, f, map[string]string{"d/a.txt": "a"})
	<-s.w.Turns()
	waits := make(chan error, 1)
	go func() { waits <- s.w.Barrier(t.Context()) }()
	// A directory that nobody is told of: its event was among those that were lost.
	s.mkdir("d/unheard")
	before := s.alls()
	f.errs <- ErrOverflow
	if err := <-waits; !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier during an overflow: %v", err)
	}
	<-s.w.Turns()
	s.until("active again", func() bool { return s.w.State().Mode == Active })
	if s.alls() < before+2 {
		t.Errorf("anything may have happened, said %d times; want it at the loss and after the watches were set", s.alls()-before)
	}
	if !f.has(s.path("d/unheard")) {
		t.Error("the directory is still not watched")
	}
	if st := s.w.State(); st.Overflows != 1 {
		t.Errorf("state %+v", st)
	}
}

func TestLimit(t *testing.T) {
	f := newFake()
	f.limit = 3 // of which the cookies take one
	s := fakeSpace(t, f, map[string]string{"d/e/a.txt": "a", "f/b.txt": "b"})
	st := s.w.State()
	if st.Mode != Degraded || !strings.HasPrefix(st.Reason, "watch_limit") || st.Watches != 2 {
		t.Fatalf("state %+v", st)
	}
	if err := s.w.Barrier(t.Context()); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier: %v", err)
	}
	for range 3 {
		select {
		case <-s.w.Turns():
		case <-time.After(long):
			t.Fatal("no turns by the clock")
		}
	}
}

func TestLimitIsReachedLater(t *testing.T) {
	f := newFake()
	f.limit = 3
	s := fakeSpace(t, f, map[string]string{"d/a.txt": "a"})
	if st := s.w.State(); st.Mode != Active {
		t.Fatalf("state %+v", st)
	}
	s.mkdir("d/more")
	f.events <- Event{Path: s.path("d/more"), Op: Structure}
	s.until("degraded", func() bool { return s.w.State().Mode == Degraded })
}

func TestNoInstance(t *testing.T) {
	s := newSpace(t, map[string]string{"a.txt": "a"}, func(o *Options) {
		o.Source = func() (Source, error) { return nil, ErrLimit }
		o.Poll = time.Millisecond
	})
	if st := s.w.State(); st.Mode != Polling || !strings.HasPrefix(st.Reason, "no_events") {
		t.Fatalf("state %+v", st)
	}
	if err := s.w.Barrier(t.Context()); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier: %v", err)
	}
	for range 3 {
		<-s.w.Turns()
	}
}

// A file system without events lets the barrier wait in vain, once.
func TestSilence(t *testing.T) {
	f := newFake()
	s := fakeSpace(t, f, map[string]string{"a.txt": "a"})
	if err := s.w.Barrier(t.Context()); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier: %v", err)
	}
	s.until("polling", func() bool { return s.w.State().Mode == Polling })
	if st := s.w.State(); !strings.HasPrefix(st.Reason, "silent") {
		t.Errorf("state %+v", st)
	}
	// When events come after all, they are trusted again, but only after a look at
	// everything.
	before := s.alls()
	f.cookie(s)
	s.until("active again", func() bool { return s.w.State().Mode == Active })
	if s.alls() == before {
		t.Error("what happened meanwhile is forgotten")
	}
}

func TestSourceEnds(t *testing.T) {
	f := newFake()
	s := fakeSpace(t, f, map[string]string{"a.txt": "a"})
	close(f.events)
	s.until("polling", func() bool { return s.w.State().Mode == Polling })
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	if err := s.w.Barrier(ctx); !errors.Is(err, ErrUntrusted) {
		t.Errorf("barrier: %v", err)
	}
	<-s.w.Turns()
}

// A storm is one batch: it has rested when nothing more has come for a while.
func TestRestGrows(t *testing.T) {
	last := time.Duration(0)
	for _, n := range []int{1, 8, 9, 100, 1000, 100000} {
		d := rest(n)
		if d < last || d < restLeast || d > restMost {
			t.Errorf("rest(%d) = %v after %v", n, d, last)
		}
		last = d
	}
}
