package engine

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
)

// A file that a run publishes while names are asked for is either in the generation of
// the answer, or known to differ from it.
func TestPublishedWhileNamesAreAskedFor(t *testing.T) {
	for name, ask := range map[string]func(*testing.T, *testSpace) (paths []string, stale bool){
		"find": func(t *testing.T, s *testSpace) ([]string, bool) {
			ans, err := s.Find(t.Context(), &api.FindRequest{Pattern: "*.txt"})
			if err != nil {
				t.Fatal(err)
			}
			return ans.Matches, ans.IsStale
		},
		"find, ranked": func(t *testing.T, s *testSpace) ([]string, bool) {
			ans, err := s.Find(t.Context(), &api.FindRequest{Pattern: "*.txt", Ranked: true})
			if err != nil {
				t.Fatal(err)
			}
			return ans.Matches, ans.IsStale
		},
		"list": func(t *testing.T, s *testSpace) ([]string, bool) {
			ans, err := s.List(t.Context(), &api.ListRequest{Scope: api.ScopeTree, View: api.ViewCompact, UseIndex: api.IndexAlways})
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, n := range ans.Root.Children {
				paths = append(paths, n.Path)
			}
			return paths, ans.Freshness.IsStale
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate()
			defer g.open()
			var pinned atomic.Bool
			var run sync.WaitGroup
			s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Reached: g.at(string(indexer.StepNoted)), pinned: func() {
				if pinned.CompareAndSwap(true, false) {
					g.open()
					run.Wait()
				}
			}}}
			s.write("a.txt", "old\n")
			s.open()
			s.reindex(api.ReindexChanged)
			s.write("b.txt", "new\n")
			g.armed.Store(true)
			defer run.Wait()
			defer g.open()
			run.Go(func() {
				if _, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil {
					t.Error(err)
				}
			})
			<-g.reached
			pinned.Store(true)
			paths, stale := ask(t, s)
			slices.SortFunc(paths, strings.Compare)
			if !slices.Equal(paths, []string{"a.txt", "b.txt"}) || stale {
				t.Errorf("%q, stale %v", paths, stale)
			}
			if pinned.Load() {
				t.Error("no generation was pinned")
			}
		})
	}
}

// Runs that publish faster than names can be read leave a live answer, or the word that
// it may be stale.
func TestPublishedAgainAndAgain(t *testing.T) {
	var armed atomic.Bool
	var s *testSpace
	n := 0
	s = &testSpace{t: t, dir: t.TempDir(), opts: Options{pinned: func() {
		if armed.Load() {
			n++
			s.write("new.txt", strings.Repeat("x", n))
			s.reindex(api.ReindexChanged)
		}
	}}}
	s.write("a.txt", "old\n")
	s.open()
	s.reindex(api.ReindexChanged)
	armed.Store(true)
	for _, ranked := range []bool{false, true} {
		ans, err := s.Find(t.Context(), &api.FindRequest{Pattern: "*.txt", Ranked: ranked})
		if err != nil || !slices.Contains(ans.Matches, "new.txt") || ans.IndexUsed != ranked || ans.IsStale != ranked || ans.FallbackReason == nil || *ans.FallbackReason != api.FallbackUnswept {
			t.Errorf("ranked %v: %+v, %v", ranked, ans, err)
		}
	}
}
