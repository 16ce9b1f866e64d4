package freshness_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
)

// What changes after a run has read it, and before the run publishes, is found
// afterwards, whoever looks in between: nobody knows then what the run has read.
func TestChangedWhileARunIsUnderWay(t *testing.T) {
	ctx := context.Background()
	looks := []struct {
		name string
		look func(f *fixture, p graph.Path) error
	}{
		{"nobody", func(*fixture, graph.Path) error { return nil }},
		{"verify", func(f *fixture, p graph.Path) error {
			_, err := f.l.Verify(ctx, f.tree, []graph.Path{p})
			return err
		}},
		{"look", func(f *fixture, _ graph.Path) error { return f.l.Look(ctx, f.tree) }},
		{"sweep", func(f *fixture, _ graph.Path) error { _, err := f.l.Sweep(ctx, f.tree, nil); return err }},
		{"sweep of a part", func(f *fixture, p graph.Path) error {
			_, err := f.l.Sweep(ctx, f.tree, []graph.Path{p.Dir()})
			return err
		}},
	}
	changes := []struct {
		name   string
		change func(f *fixture)
		mark   graph.Path // "": anything may have happened
		want   []string
	}{
		{"new file goes", func(f *fixture) { f.remove("new/x") }, "new/x", []string{"new/x missing"}},
		{"new directory goes", func(f *fixture) { f.remove("new") }, "new", []string{"new/x missing"}},
		{"new directory goes unheard", func(f *fixture) { f.remove("new") }, "", []string{"new/x missing"}},
		{"changed file gets its old bytes again", func(f *fixture) { f.write("old", "old") }, "old", []string{"old changed"}},
		{"removed file comes again", func(f *fixture) { f.write("gone", "gone") }, "gone", []string{"gone added"}},
	}
	for _, l := range looks {
		for _, c := range changes {
			t.Run(l.name+"/"+c.name, func(t *testing.T) {
				f := newFixture(t)
				f.write("old", "old")
				f.write("gone", "gone")
				f.settleOld()
				f.write("new/x", "x")
				f.write("old", "young")
				f.remove("gone")
				f.sweep()
				pending, seq := f.l.Begin(nil)
				var read []freshness.Record
				var removed []graph.Path
				for _, p := range pending {
					if p.State == freshness.Missing {
						removed = append(removed, p.Path)
					} else {
						read = append(read, age(f.record(p.Path)))
					}
				}
				c.change(f)
				if c.mark == "" {
					f.l.MarkAll(freshness.Observed)
				} else {
					f.l.Mark(freshness.Observed, c.mark)
				}
				p := c.mark
				if p == "" {
					p = "new/x"
				}
				if err := l.look(f, p); err != nil {
					t.Fatal(err)
				}
				f.l.Settle(seq, read, removed)
				f.l.End()
				f.look()
				if got := f.pending(); !slices.Equal(got, c.want) {
					t.Errorf("pending %q, want %q", got, c.want)
				}
			})
		}
	}
}

// A look that saw no file, and takes long, does not make the file gone that another
// look has seen meanwhile.
func TestSlowLookAtAFileThatComesBack(t *testing.T) {
	ctx := context.Background()
	f := newFixture(t)
	f.write("a", "a")
	f.write("b", "b")
	hash := freshness.Hasher(f.tree)
	var once sync.Once
	var back func()
	f.l = freshness.New(func(ctx context.Context, p graph.Path) (graph.Hash, graph.Signature, error) {
		if p == "b" && back != nil {
			once.Do(back)
		}
		return hash(ctx, p)
	})
	f.settleOld()
	f.remove("a")
	f.write("b", "b") // to be hashed
	f.l.Mark(freshness.Observed, "a", "b")
	back = func() {
		f.write("a", "a")
		f.l.Mark(freshness.Observed, "a")
		if v, err := f.l.Verify(ctx, f.tree, []graph.Path{"a"}); err != nil || v[0].State != freshness.Fresh {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if _, err := f.l.Verify(ctx, f.tree, []graph.Path{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	if got := f.pending(); got != nil {
		t.Errorf("pending %q, want nothing", got)
	}
}
