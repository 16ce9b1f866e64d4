package freshness_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// fixture is a directory with a ledger over it, and an index that settles.
type fixture struct {
	*testing.T
	root string
	tree *tree.Tree
	l    *freshness.Ledger
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	root := t.TempDir()
	tr, err := tree.Open(root, tree.Options{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return &fixture{t, root, tr, freshness.New(freshness.Hasher(tr))}
}

func (f *fixture) write(name, content string) {
	f.Helper()
	p := filepath.Join(f.root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) remove(name string) {
	f.Helper()
	if err := os.RemoveAll(filepath.Join(f.root, name)); err != nil {
		f.Fatal(err)
	}
}

// age makes the ledger believe that everything was indexed long after its change,
// so that signatures count.
func age(r freshness.Record) freshness.Record { r.Racy = false; return r }

func (f *fixture) record(p graph.Path) freshness.Record {
	f.Helper()
	h, sig, err := freshness.Hasher(f.tree)(context.Background(), p)
	if err != nil {
		f.Fatal(err)
	}
	return freshness.Record{Path: p, Sig: sig, Hash: h, Racy: freshness.Racy(sig, time.Now())}
}

func (f *fixture) sweep(scope ...graph.Path) freshness.Changes {
	f.Helper()
	c, err := f.l.Sweep(context.Background(), f.tree, scope)
	if err != nil {
		f.Fatal(err)
	}
	return c
}

// index does what an index run would do after a sweep.
func (f *fixture) index(c freshness.Changes) {
	f.Helper()
	var recs []freshness.Record
	for _, e := range slices.Concat(c.Added, c.Changed) {
		if e.Type != tree.File {
			recs = append(recs, freshness.Record{Path: e.Path, Sig: e.Sig})
			continue
		}
		recs = append(recs, f.record(e.Path))
	}
	f.l.Settle(c.Seq, recs, c.Removed)
}

// settleOld indexes everything, as if long ago.
func (f *fixture) settleOld() {
	f.Helper()
	c := f.sweep()
	var recs []freshness.Record
	for _, e := range slices.Concat(c.Added, c.Changed) {
		recs = append(recs, age(f.record(e.Path)))
	}
	f.l.Settle(c.Seq, recs, c.Removed)
}

func paths(list []tree.Entry) (out []graph.Path) {
	for _, e := range list {
		out = append(out, e.Path)
	}
	return out
}

func (f *fixture) expect(c freshness.Changes, added, changed, removed []graph.Path) {
	f.Helper()
	if !slices.Equal(paths(c.Added), added) || !slices.Equal(paths(c.Changed), changed) || !slices.Equal(c.Removed, removed) {
		f.Fatalf("sweep found added %q, changed %q, removed %q\nwant %q, %q, %q", paths(c.Added), paths(c.Changed), c.Removed, added, changed, removed)
	}
}

func (f *fixture) states(names ...graph.Path) (out []freshness.State) {
	f.Helper()
	vs, err := f.l.Verify(context.Background(), f.tree, names)
	if err != nil {
		f.Fatal(err)
	}
	for i, v := range vs {
		if v.Path != names[i] {
			f.Fatalf("verdict %d is about %q, want %q", i, v.Path, names[i])
		}
		out = append(out, v.State)
	}
	return out
}

func TestSweepFindsWhatDiffers(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	f.write("d/b", "2")
	f.write("d/c", "3")
	f.expect(f.sweep(), []graph.Path{"a", "d/b", "d/c"}, nil, nil)
	f.settleOld()
	f.expect(f.sweep(), nil, nil, nil)
	f.write("a", "longer")
	f.write("e", "4")
	f.remove("d/b")
	f.expect(f.sweep(), []graph.Path{"e"}, []graph.Path{"a"}, []graph.Path{"d/b"})
	if c := f.l.Counts(); c.Added != 1 || c.Changed != 1 || c.Missing != 1 || c.Stale() != 2 {
		t.Fatalf("counts %+v", c)
	}
	f.index(f.sweep())
	if c := f.l.Counts(); c.Added+c.Changed+c.Missing+c.Marked != 0 || c.Records != 3 {
		t.Fatalf("counts after settling %+v", c)
	}
}

func TestIgnoreFileMovesMembership(t *testing.T) {
	f := newFixture(t)
	f.write("a.log", "x")
	f.write("d/b.log", "x")
	f.write("keep", "x")
	f.settleOld()
	f.write(".gitignore", "*.log\n!/d/b.log\n")
	f.expect(f.sweep(), []graph.Path{".gitignore"}, nil, []graph.Path{"a.log"})
	f.index(f.sweep())
	f.write(".gitignore", "# nothing any more\n")
	f.expect(f.sweep(), []graph.Path{"a.log"}, []graph.Path{".gitignore"}, nil)
}

func TestScopedSweepTouchesItsScopeOnly(t *testing.T) {
	f := newFixture(t)
	for _, n := range []string{"a", "d/b", "d.x/c", "e/f"} {
		f.write(n, "1")
	}
	f.settleOld()
	for _, n := range []string{"a", "d/b", "d.x/c", "e/f"} {
		f.remove(n)
	}
	f.expect(f.sweep("d", "d/b", "nowhere"), nil, nil, []graph.Path{"d/b"})
	if !f.l.LastSweep().IsZero() && f.l.Counts().Missing != 1 {
		t.Fatalf("counts %+v", f.l.Counts())
	}
	before := f.l.LastSweep()
	f.expect(f.sweep("e/f"), nil, nil, []graph.Path{"e/f"})
	if !f.l.LastSweep().Equal(before) {
		t.Fatal("a scoped sweep moved LastSweep")
	}
	f.expect(f.sweep(), nil, nil, []graph.Path{"a", "d/b", "d.x/c", "e/f"})
	if !f.l.LastSweep().After(before) {
		t.Fatal("a complete sweep did not move LastSweep")
	}
}

func TestCancelledSweepResolvesNothing(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	f.l.Mark(freshness.Mutated, "a")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.l.Sweep(ctx, f.tree, nil); err == nil {
		t.Fatal("a cancelled sweep gave no error")
	}
	if c := f.l.Counts(); c.Marked != 1 || c.Added != 0 || !f.l.LastSweep().IsZero() {
		t.Fatalf("counts %+v, last sweep %v", c, f.l.LastSweep())
	}
}

// A file written within the clock's grain of being indexed has an equal signature
// and other bytes: only the racy flag tells.
func TestRacyRecordsAreHashed(t *testing.T) {
	f := newFixture(t)
	f.write("same", "aaaa")
	f.write("other", "aaaa")
	rec := f.record("same")
	lie := f.record("other")
	lie.Hash[0]++ // as if the bytes had been others under the same signature
	f.l.Load(slices.Values([]freshness.Record{rec, lie}))
	if !rec.Racy || !lie.Racy {
		t.Fatal("a record made right after the write is not racy")
	}
	if got := f.states("same", "other"); !slices.Equal(got, []freshness.State{freshness.Fresh, freshness.Changed}) {
		t.Fatalf("verify says %v", got)
	}
	f.l.Load(slices.Values([]freshness.Record{rec, lie}))
	c := f.sweep()
	f.expect(c, nil, []graph.Path{"other"}, nil)
	if len(c.Touched) != 1 || c.Touched[0].Path != "same" {
		t.Fatalf("touched %v", c.Touched)
	}
	old := f.record("same")
	if freshness.Racy(old.Sig, time.Now().Add(time.Hour)) {
		t.Fatal("a record made an hour after the write is racy")
	}
}

func TestRacyWindow(t *testing.T) {
	at := time.Unix(1000, 0)
	sig := func(m, c time.Duration) graph.Signature {
		return graph.Signature{MtimeNS: at.Add(m).UnixNano(), CtimeNS: at.Add(c).UnixNano()}
	}
	for _, tt := range []struct {
		m, c time.Duration
		want bool
	}{
		{-time.Hour, -time.Hour, false},
		{-time.Hour, -3 * time.Second, false},
		{-time.Hour, -time.Second, true},
		{-time.Second, -time.Hour, true},
		{time.Hour, -time.Hour, false}, // set by hand; the change time tells
		{-time.Hour, time.Hour, true},  // the clock was set back
	} {
		if got := freshness.Racy(sig(tt.m, tt.c), at); got != tt.want {
			t.Errorf("mtime %v, ctime %v: racy %v, want %v", tt.m, tt.c, got, tt.want)
		}
	}
}

func TestTouchedFileIsFresh(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	f.settleOld()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, "a"), past, past); err != nil {
		t.Fatal(err)
	}
	if got := f.states("a"); got[0] != freshness.Fresh {
		t.Fatalf("verify says %v", got)
	}
	if got := f.l.TakeTouched(); len(got) != 1 || got[0].Path != "a" {
		t.Fatalf("touched %v", got)
	}
	if got := f.l.TakeTouched(); len(got) != 0 {
		t.Fatalf("touched twice: %v", got)
	}
}

func TestVerifyStates(t *testing.T) {
	f := newFixture(t)
	for _, n := range []string{"fresh", "changed", "missing", "dir", "link", "moved/x"} {
		f.write(n, "1")
	}
	f.settleOld()
	f.write("changed", "22")
	f.remove("missing")
	f.remove("dir")
	f.write("dir/inside", "1")
	f.write("added", "1")
	f.write(".gitignore", "ignored\n")
	f.write("ignored", "1")
	// The same files under another name: not of this tree any more.
	if err := os.Rename(filepath.Join(f.root, "moved"), filepath.Join(f.root, "there")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("there", filepath.Join(f.root, "moved")); err != nil {
		t.Fatal(err)
	}
	got := f.states("fresh", "changed", "missing", "dir", "added", "ignored", "nothing", "moved/x")
	want := []freshness.State{freshness.Fresh, freshness.Changed, freshness.Missing, freshness.Missing, freshness.Added, freshness.Unknown, freshness.Unknown, freshness.Missing}
	if !slices.Equal(got, want) {
		t.Fatalf("verify says %v\nwant        %v", got, want)
	}
	if c := f.l.Counts(); c.Added != 1 || c.Changed != 1 || c.Missing != 3 {
		t.Fatalf("counts %+v", c)
	}
}

func TestMarksSetDuringARunSurvive(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	f.write("b", "1")
	f.l.Mark(freshness.Mutated, "a", "b")
	c := f.sweep()
	if n := f.l.Counts().Marked; n != 0 {
		t.Fatalf("%d marks left by the sweep", n)
	}
	rec := []freshness.Record{f.record("a"), f.record("b")}
	f.write("a", "changed while the run works")
	f.l.Mark(freshness.Mutated, "a")
	f.l.Settle(c.Seq, rec, nil)
	list, _ := f.l.Pending(nil)
	if len(list) != 1 || list[0].Path != "a" || list[0].State != freshness.Marked {
		t.Fatalf("pending %+v", list)
	}
	if got := f.states("a", "b"); !slices.Equal(got, []freshness.State{freshness.Changed, freshness.Fresh}) {
		t.Fatalf("verify says %v", got)
	}
	list, seq := f.l.Pending(nil)
	if len(list) != 1 || list[0].State != freshness.Changed {
		t.Fatalf("pending %+v", list)
	}
	f.l.Settle(seq, []freshness.Record{f.record("a")}, nil)
	if list, _ := f.l.Pending(nil); len(list) != 0 {
		t.Fatalf("pending %+v", list)
	}
}

func TestMarkedDirectoryIsResolvedBySweep(t *testing.T) {
	f := newFixture(t)
	f.write("d/a", "1")
	f.settleOld()
	f.write("d/b", "1")
	f.l.Mark(freshness.Mutated, "d")
	list, _ := f.l.Pending([]graph.Path{"d/b"})
	if len(list) != 1 || list[0].Path != "d" {
		t.Fatalf("pending %+v", list)
	}
	f.expect(f.sweep("d"), []graph.Path{"d/b"}, nil, nil)
	if c := f.l.Counts(); c.Marked != 0 || c.Added != 1 {
		t.Fatalf("counts %+v", c)
	}
}

// TestWhatCameBackIsNotDropped swaps a directory away and back around the beginning of a
// run: the run must not drop what a look, while it works, finds in place again.
func TestWhatCameBackIsNotDropped(t *testing.T) {
	f := newFixture(t)
	f.write("d/a", "1")
	f.settleOld()
	away, back := filepath.Join(f.root, "d"), filepath.Join(t.TempDir(), "d")
	if err := os.Rename(away, back); err != nil {
		t.Fatal(err)
	}
	f.l.Mark(freshness.Observed, "d")
	f.expect(f.sweep("d"), nil, nil, []graph.Path{"d/a"})
	if err := os.Rename(back, away); err != nil {
		t.Fatal(err)
	}
	f.l.Mark(freshness.Observed, "d")
	list, seq := f.l.Begin(nil)
	var removed []graph.Path
	for _, p := range list {
		if p.State == freshness.Missing {
			removed = append(removed, p.Path)
		}
	}
	f.sweep("d") // somebody asks meanwhile
	f.l.Settle(seq, nil, removed)
	f.l.End()
	f.sweep("d")
	if c := f.l.Counts(); c.Records != 1 || c.Missing+c.Added+c.Changed+c.Marked != 0 {
		t.Fatalf("counts %+v after a run that removed %q", c, removed)
	}
}

func TestMarkAllNeedsACompleteSweep(t *testing.T) {
	f := newFixture(t)
	f.write("d/a", "1")
	f.l.MarkAll(freshness.Observed)
	f.sweep("d")
	if !f.l.Counts().All {
		t.Fatal("a scoped sweep cleared MarkAll")
	}
	f.sweep()
	if f.l.Counts().All {
		t.Fatal("a complete sweep did not clear MarkAll")
	}
}

// Random histories: after any of them, the ledger's findings are the differences
// between disk and records, and settling them leaves none.
func TestRandomHistories(t *testing.T) {
	for seed := range 20 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newFixture(t)
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			name := func() string {
				return [...]string{"a", "b", "d/a", "d/b", "d/e/a", "f/a", "d.g", "f.h/a"}[r.IntN(8)]
			}
			for step := range 120 {
				switch r.IntN(9) {
				case 0, 1, 2:
					n := name()
					f.write(n, fmt.Sprint(step))
					if r.IntN(2) == 0 {
						f.l.Mark(freshness.Mutated, graph.Path(n))
					}
				case 3:
					f.remove(name())
				case 4:
					f.remove([...]string{"d", "f", "d/e", "f.h"}[r.IntN(4)])
				case 5:
					f.states(graph.Path(name()), graph.Path(name()))
				case 6:
					f.index(f.sweep(graph.Path(name()).Dir()))
				case 7:
					f.sweep(graph.Path(name()))
				case 8:
					f.index(f.sweep())
				}
			}
			c := f.sweep()
			f.index(c)
			if c := f.sweep(); !c.Empty() || c.Seen != f.l.Counts().Records {
				t.Fatalf("after settling: %+v, %+v", c, f.l.Counts())
			}
			if list, _ := f.l.Pending(nil); len(list) != 0 {
				t.Fatalf("pending %+v", list)
			}
		})
	}
}

func TestConcurrentUse(t *testing.T) {
	f := newFixture(t)
	for i := range 50 {
		f.write(fmt.Sprintf("d%d/f", i), "1")
	}
	f.settleOld()
	done := make(chan error, 3)
	ctx := context.Background()
	go func() {
		for range 20 {
			if _, err := f.l.Sweep(ctx, f.tree, nil); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	go func() {
		for i := range 200 {
			p := graph.Path(fmt.Sprintf("d%d/f", i%50))
			if _, err := f.l.Verify(ctx, f.tree, []graph.Path{p, "nothing"}); err != nil {
				done <- err
				return
			}
			f.l.Mark(freshness.Mutated, p)
		}
		done <- nil
	}()
	go func() {
		for range 50 {
			list, seq := f.l.Pending(nil)
			var recs []freshness.Record
			for _, p := range list {
				h, sig, err := freshness.Hasher(f.tree)(ctx, p.Path)
				if err != nil {
					done <- err
					return
				}
				recs = append(recs, freshness.Record{Path: p.Path, Sig: sig, Hash: h})
			}
			f.l.Settle(seq, recs, nil)
		}
		done <- nil
	}()
	for range 3 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	f.sweep()
	if c := f.l.Counts(); c.Records != 50 || c.Marked+c.Added+c.Changed+c.Missing != 0 {
		t.Fatalf("counts %+v", c)
	}
}
