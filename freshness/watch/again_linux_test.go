package watch

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Watches that the system had no room for are set when there is room.
func TestLimitIsRaised(t *testing.T) {
	f := newFake()
	f.limit = 3
	s := newSpace(t, map[string]string{"d/e/a.txt": "a", "f/b.txt": "b"}, func(o *Options) {
		o.Source = func() (Source, error) { return f, nil }
		o.Poll, o.Retry = time.Millisecond, time.Millisecond
	})
	if st := s.w.State(); st.Mode != Degraded {
		t.Fatalf("state %+v", st)
	}
	f.mu.Lock()
	f.limit = 0
	f.mu.Unlock()
	s.until("active", func() bool { return s.w.State().Mode == Active })
	if !f.has(s.path("d/e")) || !f.has(s.path("f")) {
		t.Error("active without all watches")
	}
}

func TestSourceComesLater(t *testing.T) {
	f := newFake()
	tries := 0 // of the watcher's one goroutine
	s := newSpace(t, map[string]string{"d/a.txt": "a"}, func(o *Options) {
		o.Source = func() (Source, error) {
			if tries++; tries < 3 {
				return nil, ErrLimit
			}
			return f, nil
		}
		o.Poll, o.Retry = time.Millisecond, time.Millisecond
	})
	s.until("active", func() bool { return s.w.State().Mode == Active })
	if !f.has(s.path("d")) {
		t.Error("active without a watch")
	}
}

// The pauses grow, and are bounded.
func TestRetriesGetRarer(t *testing.T) {
	w := &Watcher{o: Options{Retry: time.Minute}}
	last := time.Duration(0)
	for n := range 10 {
		w.later()
		pause := time.Until(w.retry.at)
		if pause < last-time.Second || pause > 16*time.Minute {
			t.Errorf("pause %d is %v, after %v", n, pause, last)
		}
		last = pause
	}
	if last < 15*time.Minute {
		t.Errorf("the last pause is %v", last)
	}
}

// Part of the tree is on a file system of which nobody tells what happens.
func TestForeignMount(t *testing.T) {
	f := newFake()
	var mu sync.Mutex
	var mounted []string
	mount := func(dirs ...string) {
		mu.Lock()
		defer mu.Unlock()
		mounted = dirs
	}
	s := newSpace(t, map[string]string{"d/e/a.txt": "a", "f/b.txt": "b", "no/c.txt": "c", ".gitignore": "no\n"}, func(o *Options) {
		o.Source = func() (Source, error) { return f, nil }
		o.Poll = time.Millisecond
		o.Eventless = func(dir string) string {
			if strings.HasSuffix(dir, "/e") || strings.HasSuffix(dir, "/no") {
				return "nfs"
			}
			return ""
		}
		o.Mounts = func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(mounted)
		}
	})
	if st := s.w.State(); st.Mode != Active {
		t.Fatalf("state %+v without mounts", st)
	}
	before := s.alls()
	mount(s.path("d/e"))
	s.until("degraded", func() bool { return s.w.State().Mode == Degraded })
	if st := s.w.State(); st.Reason != "no_events: file system nfs at d/e" {
		t.Errorf("state %+v", st)
	}
	if s.alls() == before {
		t.Error("what the mount brought may differ, and nobody is told")
	}
	mount(s.path("f"), s.path("no"))
	s.until("active", func() bool { return s.w.State().Mode == Active })
}

func TestParseMounts(t *testing.T) {
	text := `21 1 0:20 / /proc rw - proc proc rw
22 1 8:1 / / rw - ext4 /dev/sda rw
30 22 0:30 / /w/tree/data rw shared:1 - nfs4 host:/x rw
31 22 0:31 / /w/tree/with\040blank\134\011 rw - fuse.sshfs y rw
32 22 0:32 / /w/treehouse rw - tmpfs z rw
33 22 0:33 / /w/tree rw - tmpfs z rw
short
34 22 0:34 / /w/tree/odd\9 rw - tmpfs z rw
`
	for dir, want := range map[string][]string{
		"/w/tree": {"/w/tree/data", `/w/tree/odd\9`, "/w/tree/with blank\\\t"},
		"/w/none": nil,
	} {
		if got := parseMounts(text, dir); !slices.Equal(got, want) {
			t.Errorf("below %s: %q, want %q", dir, got, want)
		}
	}
	if got := parseMounts(text, "/"); len(got) != 6 {
		t.Errorf("below /: %q", got)
	}
}

func FuzzParseMounts(f *testing.F) {
	f.Add(`30 22 0:30 / /w/tree/da\134ta rw shared:1 - nfs4 host:/x rw`, "/w")
	f.Add(`1 2 3 4 \`, "/")
	f.Fuzz(func(t *testing.T, text, dir string) {
		for _, at := range parseMounts(text, dir) {
			if !strings.HasPrefix(at, strings.TrimSuffix(dir, "/")) {
				t.Errorf("%q is not below %q", at, dir)
			}
		}
	})
}
