package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness/watch"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/lexical"
)

// watched opens a server's engine and waits until events are trusted. A sweep counts
// as dear, so that whatever is noticed was heard of.
func watched(t *testing.T, files map[string]string, change func(*Options)) *testSpace {
	t.Helper()
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	for name, text := range files {
		s.write(name, text)
	}
	if change != nil {
		change(&s.opts)
	}
	s.open()
	return s
}

func (s *testSpace) eventually(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: never; watcher %+v, ledger %+v", what, s.index().watcher(), s.index().ledger.Counts())
		}
	}
}

func (s *testSpace) untilTrusted() {
	s.t.Helper()
	s.eventually("trusted", func() bool { return s.index().trusted() && s.index().complete.Load() })
	s.notCheap()
}

// What was written before a question is in its answer, without a sweep.
func TestAnswersFollowWrites(t *testing.T) {
	s := watched(t, smallGo(), nil)
	s.untilTrusted()
	swept := s.index().ledger.LastSweep()
	for i, policy := range []api.Policy{api.Required, api.PreferFresh, api.Required, api.PreferFresh} {
		name := fmt.Sprintf("New%d", i)
		s.write(name+".go", "package m\n\nfunc "+name+"() { G() }\n")
		if got := labels(s.callers("b.go#G", policy).Nodes); !slices.Contains(got, "m."+name) {
			t.Errorf("%s: callers %q after a write, want m.%s among them", policy, got, name)
		}
		s.write("text.txt", "needle"+name+"\n")
		if got := s.grep(api.GrepRequest{Pattern: "needle" + name, CaseSensitive: true}); len(got) != 1 {
			t.Errorf("grep after a write: %q", got)
		}
		s.rename(name+".go", "moved.go")
		if got := labels(s.callers("b.go#G", policy).Nodes); !slices.Contains(got, "m."+name) {
			t.Errorf("%s: callers %q after a rename", policy, got)
		}
		s.remove("moved.go")
		if got := labels(s.callers("b.go#G", policy).Nodes); slices.Contains(got, "m."+name) {
			t.Errorf("%s: callers %q after a removal", policy, got)
		}
		if ans := s.callers("nowhere.go#Missing", policy); !slices.Contains(ans.MissingData, query.MissingTarget) {
			t.Errorf("missing target: %v", ans.MissingData)
		}
	}
	if now := s.index().ledger.LastSweep(); !now.Equal(swept) {
		t.Error("a sweep was made although every event was heard of")
	}
}

// Changed files are indexed without being asked for.
func TestBackgroundIndexing(t *testing.T) {
	s := watched(t, smallGo(), nil)
	s.untilTrusted()
	before := s.status().Generation
	s.write("c.go", "package m\n\nfunc H() { G() }\n")
	s.eventually("indexed", func() bool { return s.index().store.Generation() > before })
	s.eventually("clean", func() bool { return dirty(s.index().ledger.Counts()) == 0 })
	ans := s.callers("b.go#G", api.AllowStale)
	if !slices.Contains(labels(ans.Nodes), "m.H") || ans.IsStale {
		t.Errorf("callers %q, %+v", labels(ans.Nodes), ans.Freshness)
	}
	w := s.status().Watcher
	if w.State != string(watch.Active) || w.Watches < 1 || w.Events < 1 || w.LastEventAt == 0 || w.Reason != "" {
		t.Errorf("watcher %+v", w)
	}
}

// What is saved while idle work is under way is indexed at once, not after that work.
func TestIdleWorkDelaysNoSave(t *testing.T) {
	files := smallGo()
	const some = 20
	for i := range some {
		files[fmt.Sprintf("notes/%d.txt", i)] = "note\n"
	}
	merging, saved := make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(merging) })
	s := watched(t, files, func(o *Options) {
		o.Idle = Idle{Tick: 20 * time.Millisecond, Optimize: some}
		o.Reached = func(step string) {
			if step == string(lexical.StepMerged) {
				tell()
				<-saved
			}
		}
	})
	release := sync.OnceFunc(func() { close(saved) })
	defer release()
	select {
	case <-merging:
	case <-time.After(time.Minute):
		t.Fatal("the lexical index was not merged")
	}
	before := s.index().store.Generation()
	s.write("c.go", "package m\n\nfunc H() { G() }\n")
	s.eventually("indexed beside idle work", func() bool { return s.index().store.Generation() > before })
	release()
}

// Many changed files are not all parsed for one answer, but those that hold its
// names are.
func TestManyDirtyFiles(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	s.notCheap()
	for i := range 100 {
		s.write(fmt.Sprintf("d%d/x.go", i), fmt.Sprintf("package d%d\n\nfunc X%d() {}\n", i, i))
	}
	s.write("z.go", "package m\n\nfunc Last() { G() }\n")
	x := s.index()
	if _, err := x.ledger.Sweep(t.Context(), x.tree, nil); err != nil {
		t.Fatal(err)
	}
	view := consult(x.store.Snapshot())
	defer view.Release()
	view.Consulted("G")
	if got := x.pendingWith(t.Context(), view); !slices.Equal(got, []graph.Path{"z.go"}) {
		t.Errorf("files that hold the name: %q", got)
	}
	if !x.recheck(t.Context(), api.PreferFresh, x.pendingWith(t.Context(), view)) {
		t.Error("they were not indexed")
	}
	if got := x.ledger.Counts().Added; got != 100 {
		t.Errorf("%d files are left to index, want 100", got)
	}
}

func TestUntrustedEventsMeanSweeps(t *testing.T) {
	for _, c := range []struct {
		name, state, reason string
		source              func() (watch.Source, error)
	}{
		{"no instance", "polling", "no_events", func() (watch.Source, error) { return nil, watch.ErrLimit }},
		{"too many directories", "degraded", "watch_limit", func() (watch.Source, error) { return deaf{limit: true}, nil }},
		{"silent file system", "polling", "silent", func() (watch.Source, error) { return deaf{}, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := watched(t, smallGo(), func(o *Options) { o.watchSource = c.source })
			s.eventually("complete", func() bool { return s.index().complete.Load() })
			s.notCheap()
			for i := range 3 {
				name := fmt.Sprintf("New%d", i)
				s.write(name+".go", "package m\n\nfunc "+name+"() { G() }\n")
				if got := labels(s.callers("b.go#G", api.Required).Nodes); !slices.Contains(got, "m."+name) {
					t.Errorf("callers %q after a write, want m.%s among them", got, name)
				}
			}
			s.eventually("said in the status", func() bool {
				w := s.status().Watcher
				return w.State == c.state && strings.HasPrefix(w.Reason, c.reason)
			})
		})
	}
}

// What makes no event is found by an idle server, which looks at everything when
// nobody has for a while.
func TestIdleServerLooksAtEverything(t *testing.T) {
	var later atomic.Int64 // nanoseconds that the clock is ahead
	s := watched(t, smallGo(), func(o *Options) {
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
		o.Idle = Idle{Tick: 20 * time.Millisecond}
	})
	s.untilTrusted()
	outside := filepath.Join(t.TempDir(), "name")
	if err := os.WriteFile(outside, []byte("package m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(outside, filepath.Join(s.dir, "linked.go")); err != nil {
		t.Fatal(err)
	}
	s.eventually("link indexed", func() bool { return slices.Contains(s.indexed(), "linked.go") })
	if err := os.WriteFile(outside, []byte("package m\n\nfunc Unheard() { G() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	known := func() bool { return slices.Contains(labels(s.callers("b.go#G", api.AllowStale).Nodes), "m.Unheard") }
	s.index().sweepTook.Store(int64(time.Millisecond))
	later.Store(int64(2 * idleEvery))
	s.eventually("indexed", known)
}

// A server that ends leaves nothing to do to the next process, whether it is told of
// changes or not.
func TestEndOfAServerIndexesWhatChanged(t *testing.T) {
	for name, source := range map[string]func() (watch.Source, error){
		"told":     nil,
		"not told": func() (watch.Source, error) { return nil, watch.ErrLimit },
	} {
		t.Run(name, func(t *testing.T) {
			s := watched(t, smallGo(), func(o *Options) { o.watchSource = source })
			s.eventually("complete", func() bool { return s.index().complete.Load() && !s.index().unswept() })
			if source == nil {
				s.untilTrusted()
			}
			s.write("late.go", "package m\n\nfunc Late() { G() }\n")
			if err := s.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.opts = Options{}
			s.open()
			if got := s.indexed(); !slices.Contains(got, "late.go") {
				t.Errorf("indexed at the end: %q, want late.go among them", got)
			}
			if st := s.status(); st.IsStale || st.DirtyPathsCount != 0 {
				t.Errorf("the next process finds %d dirty paths, stale %v", st.DirtyPathsCount, st.IsStale)
			}
		})
	}
}

// A job that is under way when a server ends is not cut off at once.
func TestEndOfAServerLetsAJobFinish(t *testing.T) {
	var armed atomic.Bool
	planned, closing := make(chan struct{}), make(chan struct{})
	s := watched(t, smallGo(), func(o *Options) {
		o.Reached = func(step string) {
			if step == string(indexer.StepPlanned) && armed.CompareAndSwap(true, false) {
				close(planned)
				<-closing
			}
		}
	})
	s.untilTrusted()
	armed.Store(true)
	s.write("late.go", "package m\n\nfunc Late() { G() }\n")
	<-planned
	time.AfterFunc(100*time.Millisecond, func() { close(closing) }) // before or after Close asks: both are to be right
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.opts = Options{}
	s.open()
	if got := s.indexed(); !slices.Contains(got, "late.go") {
		t.Errorf("indexed at the end: %q, want late.go among them", got)
	}
}

// deaf is a source that never tells of anything.
type deaf struct{ limit bool }

func (d deaf) Add(dir string) error {
	if d.limit && !strings.Contains(dir, ".agent") {
		return watch.ErrLimit
	}
	return nil
}
func (deaf) Remove(string) error        { return nil }
func (deaf) Events() <-chan watch.Event { return nil }
func (deaf) Errors() <-chan error       { return nil }
func (deaf) Close() error               { return nil }

// A command of a moment watches nothing.
func TestNoWatcherWithoutBackground(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	if w := s.status().Watcher; w.State != string(watch.Off) || w.Watches != 0 {
		t.Errorf("watcher %+v", w)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, ".agent", "ralph-explore", format, "barrier")); err == nil {
		t.Error("there is a directory for the barrier")
	}
}

// An answer that nobody has looked at the disk for says so.
func TestUnsweptAnswer(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	s.reopen()
	ans := s.callers("b.go#G", api.AllowStale)
	if ans.FallbackReason == nil || *ans.FallbackReason != api.FallbackUnswept || ans.LastSweepAt != 0 || len(ans.Nodes) == 0 {
		t.Errorf("first answer: %d nodes, %+v", len(ans.Nodes), ans.Freshness)
	}
	if ans = s.callers("b.go#G", api.PreferFresh); ans.FallbackReason != nil || ans.LastSweepAt == 0 {
		t.Errorf("second answer: %+v", ans.Freshness)
	}
}

// During a checkout of many files every answer is that of the disk, or says that it
// is not.
func TestAnswersDuringManyChanges(t *testing.T) {
	files := smallGo()
	for i := range 120 {
		files[fmt.Sprintf("p%d/f.go", i)] = fmt.Sprintf("package p%d\n\nfunc A%d() {}\n", i, i)
	}
	s := watched(t, files, nil)
	s.untilTrusted()
	for round := range 3 {
		for i := range 120 {
			s.write(fmt.Sprintf("p%d/f.go", i), fmt.Sprintf("package p%d\n\nfunc B%d_%d() {}\n", i, round, i))
			if i%17 != 0 {
				continue
			}
			name := fmt.Sprintf("B%d_%d", round, i)
			if got := s.grep(api.GrepRequest{Pattern: name, CaseSensitive: true, WholeWord: true}); len(got) != 1 {
				t.Fatalf("grep %s: %q", name, got)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			ans, err := s.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: name}, Freshness: api.Required})
			cancel()
			if err != nil || slices.Contains(ans.MissingData, query.MissingTarget) {
				t.Fatalf("graph %s: %v, %v", name, ans.MissingData, err)
			}
		}
	}
	s.eventually("caught up", func() bool { return dirty(s.index().ledger.Counts()) == 0 })
}

// A run beside a question may publish what the question's view lacks: the ledger
// then knows of no difference, though the answer has one.
func TestOvertakenView(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	x := s.index()
	req := &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "b.go#New"}}
	s.write("b.go", "package m\n\nfunc G() {}\n\nfunc New() {}\n")
	if _, err := x.ledger.Sweep(t.Context(), x.tree, nil); err != nil {
		t.Fatal(err)
	}
	_, view, err := x.question(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Release()
	if x.overtaken(view) {
		t.Error("nothing is published yet")
	}
	x.refreshKnown(t.Context())
	if !x.overtaken(view) {
		t.Error("the view lacks what was published")
	}
	_, later, err := x.question(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer later.Release()
	if x.overtaken(later) {
		t.Error("a view that lacks nothing")
	}
}
