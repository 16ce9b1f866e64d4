package engine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// TestDescriptorsReturn saves files again and again: once a server is idle, it has no
// more files open and no more goroutines than before.
func TestDescriptorsReturn(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true, Idle: Idle{Tick: 10 * time.Millisecond, Flush: 1, Compact: 1, Collect: 1, Parts: 1}}}
	const groups, files = 8, 12 // those of a group are saved together, and stay a part of their own
	save := func(group, version int) {
		for i := group * files; i < (group+1)*files; i++ {
			s.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package p\n\nfunc F%d() { F%d() } // version_%d\n", i, i+1, version))
		}
	}
	for group := range groups {
		save(group, 0)
	}
	s.open()
	x := s.index()
	idle := func() bool {
		st := s.status()
		return !st.ColdIndexRequired && !st.ReindexInProgress && x.writer.UnheldCount() == 0 &&
			x.store.Pending() <= 1 && x.hubs.current()
	}
	waitFor(t, "first index", idle)
	open, goroutines := openFiles(t), runtime.NumGoroutine()
	for group := range groups {
		save(group, 1)
		s.reindex(api.ReindexChanged)
		if err := errors.Join(x.writer.Flush(t.Context(), 1), x.lexical.Flush(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "rest after the saves", idle)
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		now, n := openFiles(t), runtime.NumGoroutine()
		if len(now) <= len(open) && n <= goroutines {
			break
		}
		if time.Now().After(end) {
			parts, err := x.lexical.Parts()
			t.Logf("parts of the lexical index: %d, %v", parts, err)
			t.Fatalf("%d files open and %d goroutines, at first %d and %d\nnow  %q\nthen %q", len(now), n, len(open), goroutines, now, open)
		}
	}
	if got := s.grep(api.GrepRequest{Pattern: "version_1", CaseSensitive: true, UseIndex: api.IndexAlways}); len(got) != groups*files {
		t.Errorf("after the merges: %q", got)
	}
}

// openFiles lists what this process has open.
func openFiles(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			out = append(out, to)
		}
	}
	slices.Sort(out)
	return out
}
