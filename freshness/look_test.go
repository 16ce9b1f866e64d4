package freshness_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
)

func (f *fixture) look() {
	f.Helper()
	if err := f.l.Look(f.Context(), f.tree); err != nil {
		f.Fatal(err)
	}
	if c := f.l.Counts(); c.Marked > 0 || c.All {
		f.Errorf("after a look: %+v", c)
	}
}

func (f *fixture) symlink(to, name string) {
	f.Helper()
	if err := os.Symlink(to, filepath.Join(f.root, name)); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) pending() (out []string) {
	list, _ := f.l.Pending(nil)
	for _, p := range list {
		out = append(out, fmt.Sprintf("%s %s", p.Path, p.State))
	}
	return out
}

// differing is pending without files of which only the times moved, as they do when
// one of several names goes.
func (f *fixture) differing() []string {
	f.Helper()
	list, _ := f.l.Pending(nil)
	var all []graph.Path
	for _, p := range list {
		all = append(all, p.Path)
	}
	if _, err := f.l.Verify(f.Context(), f.tree, all); err != nil {
		f.Fatal(err)
	}
	return f.pending()
}

func TestLookResolvesMarks(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *fixture)
		marks  []graph.Path
		want   []string
	}{
		{"edited", func(f *fixture) { f.write("a", "other") }, []graph.Path{"a"}, []string{"a changed"}},
		{"touched", func(f *fixture) { f.write("a", "a") }, []graph.Path{"a"}, nil},
		{"came and went", func(*fixture) {}, []graph.Path{"tmp", "d/.b.swp"}, nil},
		{"removed directory", func(f *fixture) { f.remove("d") }, []graph.Path{"d"}, []string{"d/b missing", "d/e/c missing"}},
		{"new directory", func(f *fixture) { f.write("n/x/y", "y") }, []graph.Path{"n"}, []string{"n/x/y added"}},
		{"new rules", func(f *fixture) { f.write("d/.gitignore", "e\n") }, []graph.Path{"d"}, []string{"d/.gitignore added", "d/e/c missing"}},
		{"ignored file", func(f *fixture) { f.write("i.o", "i") }, []graph.Path{"i.o"}, nil},
		{"file in place of a directory", func(f *fixture) { f.remove("d"); f.write("d", "file") }, []graph.Path{"d"}, []string{"d added", "d/b missing", "d/e/c missing"}},
		{"directory in place of a file", func(f *fixture) { f.remove("a"); f.write("a/x", "x") }, []graph.Path{"a"}, []string{"a missing", "a/x added"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.write("a", "a")
			f.write("d/b", "b")
			f.write("d/e/c", "c")
			f.write(".gitignore", "*.o\n")
			f.settleOld()
			c.change(f)
			f.l.Mark(freshness.Observed, c.marks...)
			f.look()
			if got := f.pending(); !slices.Equal(got, c.want) {
				t.Errorf("pending %q, want %q", got, c.want)
			}
		})
	}
}

// A file with two names in the tree is told of under the one that was written to.
func TestHardLinks(t *testing.T) {
	f := newFixture(t)
	f.write("a", "a")
	f.write("d/b", "b")
	f.write("c", "c")
	if err := os.Link(filepath.Join(f.root, "a"), filepath.Join(f.root, "d/twin")); err != nil {
		t.Fatal(err)
	}
	f.settleOld()
	if got := f.pending(); got != nil {
		t.Fatalf("pending %q before a change", got)
	}
	f.write("d/twin", "changed")
	f.l.Mark(freshness.Observed, "d/twin")
	f.look()
	if got, want := f.pending(), []string{"a changed", "d/twin changed"}; !slices.Equal(got, want) {
		t.Errorf("pending %q, want %q", got, want)
	}
	// A name that came since the last sweep.
	f.settleOld()
	if err := os.Link(filepath.Join(f.root, "c"), filepath.Join(f.root, "late")); err != nil {
		t.Fatal(err)
	}
	f.write("late", "late")
	f.l.Mark(freshness.Observed, "late")
	f.look()
	if got, want := f.pending(), []string{"c changed", "late added"}; !slices.Equal(got, want) {
		t.Errorf("pending %q, want %q", got, want)
	}
}

// A link is told of when what it leads to becomes another thing, and only then.
func TestLinksAreLookedAt(t *testing.T) {
	for _, c := range []struct {
		name, to string
		change   func(f *fixture)
		mark     graph.Path
		want     []string
	}{
		{"directory removed", "d", func(f *fixture) { f.remove("d") }, "d", []string{"d/file missing", "link changed"}},
		{"file removed", "d/file", func(f *fixture) { f.remove("d/file") }, "d/file", []string{"d/file missing", "link changed"}},
		{"file created", "d/new", func(f *fixture) { f.write("d/new", "x") }, "d/new", []string{"d/new added", "link changed"}},
		{"file edited", "d/file", func(f *fixture) { f.write("d/file", "other") }, "d/file", []string{"d/file changed"}},
		{"directory for a file", "d/file", func(f *fixture) { f.remove("d/file"); f.write("d/file/x", "x") }, "d/file", []string{"d/file missing", "d/file/x added", "link changed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.write("d/file", "x")
			f.symlink(c.to, "link")
			f.index(f.sweep())
			f.settleOld()
			c.change(f)
			f.l.Mark(freshness.Observed, c.mark)
			f.look()
			if got := f.pending(); !slices.Equal(got, c.want) {
				t.Errorf("pending %q, want %q", got, c.want)
			}
		})
	}
}

// A file that was seen missing is not the one that is recorded when it is there again.
func TestLinkToAFileThatCameBack(t *testing.T) {
	f := newFixture(t)
	f.write("d/file", "x")
	f.symlink("d/file", "link")
	f.index(f.sweep())
	f.settleOld()
	f.remove("d/file")
	f.l.Mark(freshness.Observed, "d/file")
	f.look()
	f.write("d/file", "x")
	f.l.Mark(freshness.Observed, "d/file")
	f.look()
	if got := f.pending(); got != nil {
		t.Errorf("pending %q although all is as it was", got)
	}
}

func TestLookAtManyMarks(t *testing.T) {
	f := newFixture(t)
	f.settleOld()
	var marks []graph.Path
	for i := range 700 {
		p := fmt.Sprintf("d%d/f%d", i%7, i)
		f.write(p, p)
		marks = append(marks, graph.Path(p))
	}
	before := f.l.LastSweep()
	f.l.Mark(freshness.Observed, marks...)
	f.look()
	if c := f.l.Counts(); c.Added != 700 {
		t.Errorf("%+v", c)
	}
	if !f.l.LastSweep().After(before) {
		t.Error("so many marks were looked at one by one")
	}
}

// After random changes, each marked as an event would, a look knows what a sweep
// would find.
func TestLookEqualsSweep(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	f := newFixture(t)
	name := func() string { return fmt.Sprintf("d%d/e%d/f%d", rng.IntN(3), rng.IntN(2), rng.IntN(4)) }
	for i, to := range []string{"d0", "d1/e0", "d0/e0/f0", "d1/e1/f1", "d2/e0/f2"} {
		f.symlink(to, fmt.Sprintf("link%d", i))
	}
	f.index(f.sweep())
	for step := range 300 {
		p := name()
		switch rng.IntN(6) {
		case 0:
			f.remove(p)
			f.l.Mark(freshness.Observed, graph.Path(p))
		case 1:
			dir := filepath.Dir(p)
			f.remove(dir)
			f.l.Mark(freshness.Observed, graph.Path(dir))
		case 2:
			q := name()
			f.remove(q)
			if os.Link(filepath.Join(f.root, p), filepath.Join(f.root, q)) == nil || step > 0 {
				f.l.Mark(freshness.Observed, graph.Path(q))
			}
		case 3:
			if fi, err := os.Stat(filepath.Join(f.root, p)); err == nil && fi.Mode().IsRegular() {
				f.write(p, fmt.Sprint("same inode ", step))
				f.l.Mark(freshness.Observed, graph.Path(p))
			}
		default:
			f.write(p, fmt.Sprint(rng.IntN(3)))
			f.l.Mark(freshness.Observed, graph.Path(p), graph.Path(p).Dir(), graph.Path(p).Dir().Dir())
		}
		if rng.IntN(3) == 0 {
			continue
		}
		f.look()
		got := f.differing()
		c := f.sweep()
		if want := f.differing(); !slices.Equal(got, want) {
			t.Fatalf("seed %d, step %d: a look knows %q, a sweep %q", seed, step, got, want)
		}
		if rng.IntN(2) == 0 {
			f.index(c)
		}
	}
}

// A file that became ignored is as good as gone, also for an answer that has used it
// and finds it unchanged.
func TestIgnoredFileIsNotFresh(t *testing.T) {
	f := newFixture(t)
	f.write("a.py", "a")
	f.write("b.py", "b")
	f.settleOld()
	f.write(".gitignore", "*.py\n")
	f.write("b.py", "changed")
	f.l.Mark(freshness.Observed, "")
	f.look()
	want := []string{".gitignore added", "a.py missing", "b.py missing"}
	if got := f.states("a.py", "b.py"); !slices.Equal(got, []freshness.State{freshness.Missing, freshness.Missing}) {
		t.Errorf("states %q, want missing", got)
	}
	if got := f.pending(); !slices.Equal(got, want) {
		t.Errorf("pending %q, want %q", got, want)
	}
	f.write(".gitignore", "")
	if got := f.states("a.py", "b.py"); !slices.Equal(got, []freshness.State{freshness.Fresh, freshness.Changed}) {
		t.Errorf("states %q after the rule is gone", got)
	}
}

// What somebody found missing before something happened above it may have come back:
// an answer must not leave it out.
func TestKnownDoubtsWhatWasMissing(t *testing.T) {
	f := newFixture(t)
	f.write("d/a", "1")
	f.settleOld()
	f.remove("d/a")
	f.l.Mark(freshness.Observed, "d/a")
	f.look()
	known := func() string {
		k := f.l.Known()
		out := fmt.Sprint(k.All)
		for _, p := range k.Pending {
			out += fmt.Sprintf(", %s %s", p.Path, p.State)
		}
		return out
	}
	if got := known(); got != "false, d/a missing" {
		t.Errorf("known: %s", got)
	}
	f.l.MarkAll(freshness.Observed)
	if got := known(); got != "true, d/a marked" {
		t.Errorf("known when anything may have happened: %s", got)
	}
	f.look()
	f.l.Mark(freshness.Observed, "d")
	if got := known(); got != "false, d marked, d/a marked" && got != "false, d/a marked, d marked" {
		t.Errorf("known after a mark above it: %s", got)
	}
	f.look()
	if got := known(); got != "false, d/a missing" {
		t.Errorf("known after another look: %s", got)
	}
}
