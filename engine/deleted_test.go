package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// descriptors counts the open files of this process.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0 // a system without /proc
	}
	return len(entries)
}

func (s *testSpace) indexDir() string { return filepath.Join(s.dir, ".agent", "ralph-explore") }

// look has the changes of the tree noticed, where there is an index to do so.
func (s *testSpace) look() {
	s.t.Helper()
	_, err := s.Reindex(s.t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
	if err != nil && codeOf(err) != api.CodeIndexNotReady {
		s.t.Error(err)
	}
}

func TestIndexDeletedWhileServing(t *testing.T) {
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	generate(t, s.dir, 200, 0)
	s.open()
	whole := func() bool {
		st := s.status()
		parts, _ := filepath.Glob(filepath.Join(s.indexDir(), format, graphDir+"-*"))
		return st.Enabled && st.Degraded == "" && !st.ColdIndexRequired && !st.IsStale && len(parts) == 1
	}
	waitFor(t, "first index", whole)
	for round := 1; round <= 3; round++ {
		gone := s.part(graphDir)
		// At one stroke: Badger leaks two goroutines when an Open fails half way.
		what := []string{s.indexDir(), filepath.Dir(s.indexDir()), filepath.Join(s.indexDir(), format)}[round%3]
		if err := os.Rename(what, filepath.Join(t.TempDir(), "deleted")); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			name, text := generated(i, round)
			s.write(name, text)
			word := fmt.Sprintf("only_%d_%d", i, round)
			s.look()
			if got := s.grep(api.GrepRequest{Pattern: word, CaseSensitive: true}); len(got) != 1 {
				t.Errorf("round %d: %s is found in %q", round, word, got)
			}
			sameAsLive(t, s, []string{"shared", fmt.Sprintf("only_%d_%d", i, round-1)})
		}
		waitFor(t, "another index", func() bool {
			_, err := os.Stat(gone)
			return os.IsNotExist(err) && whole()
		})
		sameAsCold(t, s, []string{"shared", fmt.Sprintf("only_3_%d", round)})
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	left := func() bool { return runtime.NumGoroutine() <= goroutines && descriptors(t) <= files }
	for deadline := time.Now().Add(20 * time.Second); !left(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			var stacks bytes.Buffer
			_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
			t.Fatalf("%d goroutines and %d files, before %d and %d\n%s", runtime.NumGoroutine(), descriptors(t), goroutines, files, stacks.String())
		}
	}
}

// Somebody deletes the index and starts another process, which leads from then on.
func TestIndexDeletedAndLedByAnother(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	generate(t, s.dir, 100, 0)
	s.open()
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	busy, err := s.enter() // a call that holds the old index open
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(s.indexDir()); err != nil {
		t.Fatal(err)
	}
	next := &testSpace{t: t, dir: s.dir, opts: s.opts}
	next.open()
	waitFor(t, "second index", func() bool { return !next.status().ColdIndexRequired })
	s.write("late.go", "package p\n\nfunc Late() {}\n")
	waitFor(t, "the first process to follow", func() bool {
		c, err := s.enter()
		if err != nil {
			return false
		}
		defer s.leave(c)
		return c.gone != nil
	})
	s.leave(busy) // closes the old index, beside the files of the new one
	third := &testSpace{t: t, dir: s.dir, opts: s.opts}
	e, err := Open(t.Context(), func() Options { o := s.opts; o.Workspace = s.dir; return o }())
	if err != nil {
		t.Fatal(err)
	}
	third.Engine = e
	for _, p := range []*testSpace{s, next, third} {
		if st := p.status(); !st.Enabled || st.Degraded != "" {
			t.Errorf("status: enabled %v, %q", st.Enabled, st.Degraded)
		}
		p.look()
		sameAsLive(t, p, []string{"Late", "shared"})
	}
	for _, p := range []*testSpace{third, s} {
		if err := p.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	next.reopen()
	waitFor(t, "the second index again", func() bool { return !next.status().IsStale })
	sameAsCold(t, next, []string{"Late", "shared"})
}

// Without idle work the next run notices.
func TestIndexDeletedBetweenRuns(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	if err := os.RemoveAll(s.indexDir()); err != nil {
		t.Fatal(err)
	}
	s.write("new.go", "package m\n\nfunc New() { G() }\n")
	s.look()
	if got := s.grep(api.GrepRequest{Pattern: "New", CaseSensitive: true}); len(got) != 1 {
		t.Errorf("what was written after the index was deleted is found in %q", got)
	}
	sameAsLive(t, s, []string{"func", "New"})
	untilWhole(t, s, "deleted")
	if parts, _ := filepath.Glob(filepath.Join(s.indexDir(), format, graphDir+"-*")); len(parts) != 1 {
		t.Errorf("parts of the index: %q", parts)
	}
	sameAsCold(t, s, []string{"func", "New"})
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}
