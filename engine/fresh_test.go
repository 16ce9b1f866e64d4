package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

func smallGo() map[string]string {
	return map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc F() { G() }\n", "b.go": "package m\n\nfunc G() {}\n",
	}
}

// notCheap makes the engine believe that a sweep takes long, as on a large tree: then
// it sweeps before an answer only when that is required.
func (s *testSpace) notCheap() { s.index().sweepTook.Store(int64(time.Minute)) }

func TestFreshnessPolicies(t *testing.T) {
	caller := func(name string) string { return "package m\n\nfunc " + name + "() { G() }\n" }
	for _, c := range []struct {
		policy   api.Policy
		edit     string // file that changes
		name     string // caller that is expected
		isStale  bool
		explains string
	}{
		{api.AllowStale, "a.go", "m.F", false, "what nobody looked at is not known to be stale"},
		{api.PreferFresh, "a.go", "m.New", false, "a file that the answer uses is checked"},
		{api.Required, "a.go", "m.New", false, ""},
		{api.PreferFresh, "new.go", "m.F", false, "a new file outside the candidates is known from the last sweep"},
		{api.Required, "new.go", "m.New", false, "a required answer sweeps first"},
	} {
		s := openSpace(t, smallGo())
		s.reindex(api.ReindexChanged)
		s.notCheap()
		s.write(c.edit, caller("New"))
		ans := s.callers("b.go#G", c.policy)
		if got := labels(ans.Nodes); !slices.Contains(got, c.name) || ans.IsStale != c.isStale {
			t.Errorf("%s after a change of %s: %q, stale %v; want %s, %v (%s)", c.policy, c.edit, got, ans.IsStale, c.name, c.isStale, c.explains)
		}
		if !ans.IndexUsed || ans.FallbackReason != nil || ans.IndexGeneration == 0 || ans.LastSweepAt == 0 {
			t.Errorf("freshness block: %+v", ans.Freshness)
		}
	}
}

// TestSweepsStayCheapWhileFilesChange: that a sweep costs little is learned from one
// that found something, too, so a new file is seen at once where nobody watches.
func TestSweepsStayCheapWhileFilesChange(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	for _, name := range []string{"n1.go", "n2.go", "n3.go"} {
		s.write(name, "package m\n\nfunc "+name[:2]+"() { G() }\n")
		s.reindex(api.ReindexChanged)
		if took := time.Duration(s.index().sweepTook.Load()); took <= 0 || took > time.Minute {
			t.Errorf("a sweep that finds %s took %v", name, took)
		}
	}
}

func TestIsStaleIsAboutWhatWasUsed(t *testing.T) {
	s := openSpace(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc F() { G() }\n", "b.go": "package m\n\nfunc G() {}\n", "z.py": "def other(): pass\n",
	})
	s.reindex(api.ReindexChanged)
	s.notCheap()
	s.write("z.py", "def another(): pass\n")
	if _, err := s.index().ledger.Sweep(t.Context(), s.index().tree, nil); err != nil {
		t.Fatal(err)
	}
	ans := s.callers("b.go#G", api.AllowStale)
	if ans.IsStale || ans.StalePathsCount != 1 || ans.DirtyPathsCount != 1 {
		t.Errorf("change of an unrelated file: %+v", ans.Freshness)
	}
	s.write("a.go", "package m\n\nfunc F2() { G() }\n")
	if _, err := s.index().ledger.Sweep(t.Context(), s.index().tree, nil); err != nil {
		t.Fatal(err)
	}
	ans = s.callers("b.go#G", api.AllowStale)
	if !ans.IsStale || ans.StalePathsCount != 2 {
		t.Errorf("change of a used file: %+v", ans.Freshness)
	}
	if ans = s.callers("b.go#G", api.PreferFresh); ans.IsStale || !slices.Contains(labels(ans.Nodes), "m.F2") {
		t.Errorf("prefer_fresh: %q %+v", labels(ans.Nodes), ans.Freshness)
	}
}

func TestRequiredThatCannotBeKept(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ans, err := s.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "G"}, Freshness: api.Required})
	if err != nil || !slices.Contains(ans.MissingData, query.MissingFreshness) || !ans.IsStale || !ans.Cancelled || len(ans.Nodes) > 0 {
		t.Errorf("required under a cancelled context: %+v, %v", ans, err)
	}
	if ans := s.callers("b.go#G", api.Required); slices.Contains(ans.MissingData, query.MissingFreshness) || len(ans.Nodes) == 0 {
		t.Errorf("required that can be kept: %v", ans.MissingData)
	}
}

// An answer is asked for again as long as what it newly used had changed as well.
func TestChainOfChangedFiles(t *testing.T) {
	s := openSpace(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc A() { B() }\n", "b.go": "package m\n\nfunc B() {}\n", "c.go": "package m\n\nfunc C() {}\n",
	})
	s.reindex(api.ReindexChanged)
	s.notCheap()
	s.write("a.go", "package m\n\nfunc A() { C() }\n")
	s.write("c.go", "package m\n\n\n\n\nfunc C() {}\n")
	ans := s.graph(query.Request{Type: query.Neighbors, Target: "a.go#A", Direction: query.Out, Relations: []graph.Relation{graph.CallsSyntax}}, api.PreferFresh)
	for _, n := range ans.Nodes {
		if n.Label == "m.C" && n.Line == 6 {
			return
		}
	}
	t.Errorf("neighbors: %+v, want m.C on line 6", ans.Nodes)
}

func TestChangesOfTheTree(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *testSpace)
		files  []string // that hold "needle" afterwards
		count  int      // indexed files
	}{
		{"edit and edit again", func(s *testSpace) {
			s.write("d/a.txt", "nothing\n")
			s.reindex(api.ReindexChanged)
			s.write("d/a.txt", "a needle again\n")
		}, []string{"b.txt", "d/a.txt", "d/e/c.txt"}, 3},
		{"delete", func(s *testSpace) { s.remove("b.txt") }, []string{"d/a.txt", "d/e/c.txt"}, 2},
		{"delete a directory", func(s *testSpace) { s.remove("d") }, []string{"b.txt"}, 1},
		{"rename a directory", func(s *testSpace) { s.rename("d", "x") }, []string{"b.txt", "x/a.txt", "x/e/c.txt"}, 3},
		{"file in place of a directory", func(s *testSpace) { s.remove("d"); s.write("d", "needle\n") }, []string{"b.txt", "d"}, 2},
		{"directory in place of a file", func(s *testSpace) { s.remove("b.txt"); s.write("b.txt/n.txt", "needle\n") }, []string{"b.txt/n.txt", "d/a.txt", "d/e/c.txt"}, 3},
		{"ignore", func(s *testSpace) { s.write(".gitignore", "d/\n") }, []string{"b.txt"}, 2},
		{"ignore and stop ignoring", func(s *testSpace) {
			s.write(".gitignore", "d/\n")
			s.reindex(api.ReindexChanged)
			s.write(".gitignore", "")
		}, []string{"b.txt", "d/a.txt", "d/e/c.txt"}, 4},
		{"empty directory", func(s *testSpace) {
			if err := os.Mkdir(filepath.Join(s.dir, "empty"), 0o755); err != nil {
				s.t.Fatal(err)
			}
		}, []string{"b.txt", "d/a.txt", "d/e/c.txt"}, 3},
		{"same size and time", func(s *testSpace) { s.rewriteAlike("b.txt", "noodle\n") }, []string{"d/a.txt", "d/e/c.txt"}, 3},
		{"change of case", func(s *testSpace) { s.rename("b.txt", "B.txt") }, []string{"B.txt", "d/a.txt", "d/e/c.txt"}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openSpace(t, map[string]string{"d/a.txt": "needle\n", "d/e/c.txt": "needle\n", "b.txt": "needle\n"})
			s.reindex(api.ReindexChanged)
			s.notCheap()
			c.change(s)
			before := s.status().Generation
			s.reindex(api.ReindexChanged)
			for _, use := range []api.UseIndex{api.IndexAlways, api.IndexNever} {
				ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "needle", CaseSensitive: true, FilesOnly: true, UseIndex: use})
				if err != nil {
					t.Fatal(err)
				}
				if got := stringsOf(ans.Files); !slices.Equal(got, c.files) {
					t.Errorf("use_index=%s: %q, want %q", use, got, c.files)
				}
			}
			st := s.status()
			if st.IsStale || st.FilesIndexed != c.count || st.Generation < before {
				t.Errorf("status: stale %v, %d files, want %d, generation %d after %d", st.IsStale, st.FilesIndexed, c.count, st.Generation, before)
			}
			if again := s.reindex(api.ReindexChanged); again.JobStatus != api.JobSkipped || again.Generation != st.Generation {
				t.Errorf("a run without change: %s, generation %d after %d", again.JobStatus, again.Generation, st.Generation)
			}
			sameAsCold(t, s, []string{"needle", "eedl"})
		})
	}
}

func stringsOf(paths []graph.Path) []string {
	out := []string{}
	for _, p := range paths {
		out = append(out, string(p))
	}
	return out
}

func (s *testSpace) rename(from, to string) {
	s.t.Helper()
	if err := os.Rename(filepath.Join(s.dir, from), filepath.Join(s.dir, to)); err != nil {
		s.t.Fatal(err)
	}
}

// rewriteAlike replaces the bytes of a file in place and puts its times back.
func (s *testSpace) rewriteAlike(name, text string) {
	s.t.Helper()
	p := filepath.Join(s.dir, name)
	fi, err := os.Stat(p)
	if err != nil || fi.Size() != int64(len(text)) {
		s.t.Fatalf("%s has other than %d bytes: %v", name, len(text), err)
	}
	s.write(name, text)
	if err := os.Chtimes(p, fi.ModTime(), fi.ModTime()); err != nil {
		s.t.Fatal(err)
	}
}

// A newly ignored file is out of searches as soon as a sweep has seen it, and a file
// that was found but is not indexed yet is in them.
func TestSearchBetweenSweepAndReindex(t *testing.T) {
	s := openSpace(t, map[string]string{"d/a.txt": "needle\n", "b.txt": "needle\n"})
	s.reindex(api.ReindexChanged)
	s.write(".gitignore", "d/\n")
	s.write("new.txt", "needle\n")
	if err := os.Symlink("nowhere", filepath.Join(s.dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	x := s.index()
	if _, err := x.ledger.Sweep(t.Context(), x.tree, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	l := &local{o: x.o, ws: localOf(s).ws, x: x}
	search, err := l.newSearch(&api.GrepRequest{Pattern: "needle", CaseSensitive: true, UseIndex: api.IndexAlways})
	if err != nil {
		t.Fatal(err)
	}
	defer search.release()
	if err := search.choose(ctx); err != nil {
		t.Fatal(err)
	}
	if got := stringsOf(search.paths); !slices.Equal(got, []string{".gitignore", "b.txt", "new.txt"}) || search.ans.Skipped["special"] != 1 {
		t.Errorf("candidates %q, skipped %v", got, search.ans.Skipped)
	}
}

func localOf(s *testSpace) *local { return s.conn.svc.(*local) }

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		scope   []string
		changed []graph.Path
		removed int
	}{
		{[]string{"d"}, []graph.Path{"d/a.txt", "d/new.txt"}, 1},
		{[]string{"d/a.txt"}, []graph.Path{"d/a.txt"}, 0},
		{[]string{"d/gone.txt"}, nil, 1},
		{[]string{"gone"}, nil, 2},
		{[]string{"d", "d/a.txt", "c.txt"}, []graph.Path{"c.txt", "d/a.txt", "d/new.txt"}, 1},
		{[]string{"ignored"}, nil, 0},
		{[]string{"."}, []graph.Path{"c.txt", "d/a.txt", "d/new.txt"}, 3},
	} {
		t.Run(fmt.Sprint(c.scope), func(t *testing.T) {
			s := openSpace(t, map[string]string{
				"d/a.txt": "a\n", "d/gone.txt": "g\n", "d/same.txt": "s\n", "gone/x.txt": "x\n", "gone/y/z.txt": "z\n", "c.txt": "c\n",
				".gitignore": "ignored/\n", "ignored/i.txt": "i\n",
			})
			s.reindex(api.ReindexChanged)
			s.write("d/a.txt", "a2\n")
			s.write("d/new.txt", "n\n")
			s.write("c.txt", "c2\n")
			s.write("ignored/j.txt", "j\n")
			s.remove("d/gone.txt")
			s.remove("gone")
			ans := s.reindex(api.ReindexChanged, c.scope...)
			if !slices.Equal(ans.ChangedFiles, c.changed) && len(ans.ChangedFiles)+len(c.changed) > 0 || ans.RemovedCount != c.removed {
				t.Errorf("changed %q, removed %d; want %q, %d", ans.ChangedFiles, ans.RemovedCount, c.changed, c.removed)
			}
			s.reindex(api.ReindexChanged)
			sameAsCold(t, s, nil)
		})
	}
	s := openSpace(t, smallGo())
	_, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged, Scope: []string{"../x"}}, nil)
	if codeOf(err) != api.CodeOutsideRoot {
		t.Errorf("scope outside: %v", err)
	}
}

func TestGenerations(t *testing.T) {
	s := openSpace(t, smallGo())
	last := s.reindex(api.ReindexChanged).Generation
	for i := range 3 {
		if got := s.reindex(api.ReindexChanged).Generation; got != last {
			t.Errorf("generation %d after a run without change, was %d", got, last)
		}
		if err := os.Chtimes(filepath.Join(s.dir, "a.go"), time.Now(), time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		if ans := s.reindex(api.ReindexChanged); ans.Generation != last || ans.ParseCount != 0 {
			t.Errorf("a touched file: %+v", ans)
		}
		if got := s.reindex(api.ReindexFull).Generation; got < last {
			t.Errorf("generation %d after a full run, was %d", got, last)
		} else {
			last = got
		}
		s.write("a.go", fmt.Sprintf("package m\n\nfunc F%d() { G() }\n", i))
		if got := s.reindex(api.ReindexChanged).Generation; got <= last {
			t.Errorf("generation %d after an edit, was %d", got, last)
		} else {
			last = got
		}
		s.reopen()
	}
}

func TestMarksSetDuringAFullRunSurvive(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	x := s.index()
	once := false
	_, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexFull}, func(p api.Progress) {
		if p.Stage == "publish" && !once {
			once = true
			s.write("a.go", "package m\n\nfunc During() { G() }\n")
			x.ledger.Mark(freshness.Mutated, "a.go")
		}
	})
	if err != nil || !once {
		t.Fatalf("full run: %v, marked %v", err, once)
	}
	if st := s.status(); st.DirtyPathsCount != 1 {
		t.Errorf("%d dirty paths after the run, want the one marked meanwhile", st.DirtyPathsCount)
	}
	s.notCheap()
	if ans := s.callers("b.go#G", api.PreferFresh); !slices.Contains(labels(ans.Nodes), "m.During") {
		t.Errorf("callers = %q", labels(ans.Nodes))
	}
}

// A file that changes between its reading and the publish is found by the next run.
func TestFileChangingDuringARun(t *testing.T) {
	s := openSpace(t, smallGo())
	for i := range 5 {
		s.write("b.txt", fmt.Sprintf("v%d a\n", i))
		_, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, func(p api.Progress) {
			if p.Stage == "publish" {
				s.write("b.txt", fmt.Sprintf("v%d b\n", i)) // as long, at nearly the same time
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		s.reindex(api.ReindexChanged)
		if got := s.grep(api.GrepRequest{Pattern: fmt.Sprintf("v%d b", i), CaseSensitive: true, UseIndex: api.IndexAlways}); len(got) != 1 {
			t.Errorf("round %d: %q", i, got)
		}
		sameAsCold(t, s, []string{"v", fmt.Sprintf("v%d a", i)})
	}
}

func TestJobHistory(t *testing.T) {
	now := time.Now()
	s := &testSpace{t: t, dir: t.TempDir()}
	s.opts.Clock = func() time.Time { return now }
	s.open()
	for i := range maxJobs + 20 {
		s.write("a.txt", fmt.Sprint("version ", i, "\n"))
		now = now.Add(time.Minute)
		s.reindex(api.ReindexChanged, "a.txt")
	}
	jobs := s.index().jobs
	if len(jobs.jobs) != maxJobs {
		t.Errorf("%d jobs kept, want %d", len(jobs.jobs), maxJobs)
	}
	s.reopen()
	if n := len(s.index().jobs.jobs); n != maxJobs {
		t.Errorf("%d jobs after reopening, want %d", n, maxJobs)
	}
	st := s.status()
	if st.LastJob == nil || st.LastJob.Status != api.JobOK || st.LastJob.FinishedAt != unixSeconds(now) || *st.IndexedAt != unixSeconds(now) {
		t.Errorf("last job: %+v", st.LastJob)
	}
	now = now.Add(maxJobAge + time.Second)
	s.write("a.txt", "last\n")
	s.reindex(api.ReindexChanged)
	if jobs := s.index().jobs.jobs; len(jobs) != 1 {
		t.Errorf("%d jobs kept after all but one became old", len(jobs))
	}
}

func TestRunsThatEndEarly(t *testing.T) {
	const files = 400
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, files, 0)
	var ticks atomic.Int64 // progress is told at most ten times a second
	s.opts.Clock = func() time.Time { return time.Unix(0, ticks.Add(int64(time.Second))) }
	s.open()
	cut := func(mode api.ReindexMode, after int) *api.ReindexAnswer {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		ans := s.index().run(ctx, indexer.Job{Mode: mode, Sweep: true}, func(p api.Progress) {
			if p.Done >= after {
				cancel(context.DeadlineExceeded)
			}
		})
		return ans
	}
	first := cut(api.ReindexChanged, 20)
	if first.JobStatus == api.JobOK || first.ChangedCount < 20 || first.ChangedCount == files {
		t.Fatalf("the run was not cut: %+v", first)
	}
	second := s.reindex(api.ReindexChanged)
	if first.ChangedCount+second.ChangedCount != files {
		t.Errorf("%d files before the cut, %d after, of %d", first.ChangedCount, second.ChangedCount, files)
	}
	sameAsCold(t, s, []string{"only_7_0", "shared"})

	generation := s.status().Generation
	third := cut(api.ReindexFull, 50)
	if third.JobStatus == api.JobOK || third.ParseCount < 30 || third.ParseCount > files/2 || s.status().Generation != generation {
		t.Fatalf("full run that was cut: %s, generation %d, was %d", third.JobStatus, s.status().Generation, generation)
	}
	sameAsLive(t, s, []string{"only_7_0", "shared"})
	parsed := files * 3 / 4 // the others are text
	if fourth := s.reindex(api.ReindexFull); fourth.ParseCount+third.ParseCount > parsed {
		t.Errorf("full runs parsed %d files, then %d, of %d: nothing was kept", third.ParseCount, fourth.ParseCount, parsed)
	}
	sameAsCold(t, s, []string{"only_7_0", "shared"})
}

func TestReindexCancelAndTimeout(t *testing.T) {
	s := openSpace(t, smallGo())
	ans, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged, Cancel: true}, nil)
	if err != nil || ans.JobStatus != api.JobCancelled || !ans.Cancelled || ans.Generation != 0 {
		t.Errorf("cancel: %+v, %v", ans, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	if ans, err = s.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexFull}, nil); err != nil || ans.JobStatus != api.JobTimedOut {
		t.Errorf("no time at all: %+v, %v", ans, err)
	}
	if ans := s.reindex(api.ReindexChanged); ans.ChangedCount != 3 {
		t.Errorf("run afterwards: %+v", ans)
	}
	if _, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: "some"}, nil); codeOf(err) != api.CodeInvalidParams {
		t.Errorf("mode: %v", err)
	}
}

// What changed while no process had the index open is found before the first answer.
func TestChangesWhileClosed(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	for i, ask := range []func(){
		func() {
			if got := s.grep(api.GrepRequest{Pattern: "func Closed0", CaseSensitive: true, UseIndex: api.IndexAlways}); len(got) != 1 {
				t.Errorf("grep: %q", got)
			}
		},
		func() {
			if got := labels(s.callers("b.go#G", api.PreferFresh).Nodes); !slices.Contains(got, "m.Closed1") {
				t.Errorf("callers: %q", got)
			}
		},
		func() {
			if ans, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "Closed2"}); err != nil || !strings.Contains(ans.Content, "Closed2") {
				t.Errorf("read: %+v, %v", ans, err)
			}
		},
	} {
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Engine = nil
		s.write("new.go", fmt.Sprintf("package m\n\nfunc Closed%d() { G() }\n", i))
		s.reopen()
		ask()
	}
}

// A part of a first index, in a process that has not looked at the rest, narrows no
// search.
func TestSearchInAPartOfAnIndex(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": "needle\n", "b.txt": "needle\n"})
	s.reindex(api.ReindexChanged, "a.txt")
	s.reopen()
	for _, ms := range []int{1500, 0} { // without the time for a look on the way, and with it
		ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "needle", CaseSensitive: true, TimeoutMS: ms})
		if err != nil || len(ans.Matches) != 2 || ans.IndexUsed != (ms == 0) {
			t.Errorf("within %d ms: %+v, %v", ms, ans, err)
		}
	}
}
