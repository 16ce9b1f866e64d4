package engine

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness"
)

// gate holds whoever comes through while it is armed, once.
type gate struct {
	armed         atomic.Bool
	reached, free chan struct{}
	open          func()
}

func newGate() *gate {
	g := &gate{reached: make(chan struct{}), free: make(chan struct{})}
	g.open = sync.OnceFunc(func() { close(g.free) })
	return g
}

func (g *gate) pass() {
	if g.armed.CompareAndSwap(true, false) {
		close(g.reached)
		<-g.free
	}
}

// at makes the gate stand at a step of the engine.
func (g *gate) at(step string) func(string) {
	return func(s string) {
		if s == step {
			g.pass()
		}
	}
}

// What was written before the first searches of a process is found by all of them while
// a long run is under way, which none of them waits for.
func TestFirstSearchesBesideALongRun(t *testing.T) {
	for name, change := range map[string]func(*api.GrepRequest){
		"everywhere":     func(*api.GrepRequest) {},
		"below a base":   func(r *api.GrepRequest) { r.Path = "sub" },
		"not the index":  func(r *api.GrepRequest) { r.Regex, r.Pattern = true, "ne+dle" },
		"with locations": func(r *api.GrepRequest) { r.RankBy = api.RankHybrid },
	} {
		t.Run(name, func(t *testing.T) {
			s := openSpace(t, smallGo())
			s.reindex(api.ReindexChanged)
			s.reopen()
			g := newGate()
			g.armed.Store(true)
			var run sync.WaitGroup
			defer run.Wait()
			defer g.open()
			run.Go(func() {
				if _, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, func(api.Progress) { g.pass() }); err != nil {
					t.Error(err)
				}
			})
			<-g.reached
			s.write("sub/new.go", "package sub // needle\n")
			var asked sync.WaitGroup
			for range 4 {
				asked.Go(func() {
					req := api.GrepRequest{Pattern: "needle", CaseSensitive: true}
					change(&req)
					ans, err := s.Grep(t.Context(), &req)
					if err != nil || len(ans.Matches) != 1 || ans.Matches[0].Path != "sub/new.go" {
						t.Errorf("%+v, %v", ans, err)
					}
				})
			}
			asked.Wait()
		})
	}
}

// gone drops the files of a directory from the index in a run that is held when it has
// published, and puts the directory back, with nobody told before the run goes on.
func (s *testSpace) gone(g *gate) {
	s.t.Helper()
	s.rename("sub", "other")
	g.armed.Store(true)
	s.index().spawn(func(ctx context.Context) { s.index().refreshAll(ctx) })
	<-g.reached
	s.rename("other", "sub")
}

// A file that a run drops, and that has come back before the search, is found although
// the search compared the disk with what was the index before.
func TestCameBackWhileItWasDropped(t *testing.T) {
	g := newGate()
	defer g.open()
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Reached: g.at(string(indexer.StepPublished))}}
	s.write("sub/a.txt", "needle\n")
	s.open()
	s.reindex(api.ReindexChanged)
	s.gone(g)
	if got := s.grep(api.GrepRequest{Pattern: "needle", CaseSensitive: true, Path: "sub"}); !slices.Equal(got, []string{"sub/a.txt:1"}) {
		t.Errorf("found %q", got)
	}
}

// The same where events are heard of, and somebody looks at the marked directory after
// the search has noted what differs.
func TestLookedAtWhileASearchListsFiles(t *testing.T) {
	g := newGate()
	defer g.open()
	var s *testSpace
	var once sync.Once
	var listing atomic.Bool
	s = watched(t, map[string]string{"sub/a.txt": "needle\n"}, func(o *Options) {
		o.Reached = g.at(string(indexer.StepPublished))
		o.listed = func() {
			if !listing.Load() {
				return
			}
			once.Do(func() {
				g.open()
				x := s.index()
				s.eventually("end of the run", func() bool { running, _ := x.writer.Running(); return !running })
				if err := x.ledger.Look(t.Context(), x.tree); err != nil {
					t.Error(err)
				}
			})
		}
	})
	s.untilTrusted()
	s.eventually("at rest", func() bool { return dirty(s.index().ledger.Counts()) == 0 })
	g.armed.Store(true)
	s.rename("sub", "other")
	<-g.reached
	s.rename("other", "sub")
	listing.Store(true)
	if got := s.grep(api.GrepRequest{Pattern: "needle", CaseSensitive: true}); !slices.Equal(got, []string{"sub/a.txt:1"}) {
		t.Errorf("found %q", got)
	}
}

// A new file that is ignored before the run that indexes it begins is not indexed,
// although somebody looks at the new rule while the run is under way.
func TestIgnoredWhileARunBegins(t *testing.T) {
	var s *testSpace
	var armed atomic.Bool
	s = &testSpace{t: t, dir: t.TempDir(), opts: Options{Reached: func(step string) {
		switch x := step; {
		case !armed.Load():
		case x == string(indexer.StepLooked):
			s.write("sub/.gitignore", "new.txt\n")
			s.index().ledger.Mark(freshness.Observed, "sub")
		case x == string(indexer.StepPrepared):
			armed.Store(false)
			if err := s.index().ledger.Look(t.Context(), s.index().tree); err != nil {
				t.Error(err)
			}
		}
	}}}
	s.write("sub/old.txt", "needle\n")
	s.open()
	s.reindex(api.ReindexChanged)
	s.write("sub/new.txt", "needle\n")
	armed.Store(true)
	s.reindex(api.ReindexChanged)
	x := s.index()
	if err := x.ledger.Look(t.Context(), x.tree); err != nil {
		t.Fatal(err)
	}
	x.refreshKnown(t.Context())
	if c := x.ledger.Counts(); c.Records != 2 || dirty(c) != 0 { // the rule and the old file
		t.Errorf("%+v, want 2 records", c)
	}
}
