package freshness_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// loaded is a ledger that agrees with the tree named by TREE, else with this
// repository.
func loaded(b *testing.B) (*freshness.Ledger, *tree.Tree, []graph.Path) {
	root := os.Getenv("TREE")
	if root == "" {
		root = ".."
	}
	t, err := tree.Open(root, tree.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { t.Close() })
	l := freshness.New(nil)
	c, err := l.Sweep(context.Background(), t, nil)
	if err != nil {
		b.Fatal(err)
	}
	var recs []freshness.Record
	for _, e := range c.Added {
		recs = append(recs, freshness.Record{Path: e.Path, Sig: e.Sig, Hash: graph.Hash{1}})
	}
	l.Load(slices.Values(recs))
	return l, t, paths(c.Added)
}

func BenchmarkSweep(b *testing.B) {
	l, t, files := loaded(b)
	for b.Loop() {
		if c, err := l.Sweep(context.Background(), t, nil); err != nil || !c.Empty() {
			b.Fatal(err, len(c.Changed))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(files)), "ns/file")
}

func BenchmarkSweepOneFile(b *testing.B) {
	l, t, files := loaded(b)
	for b.Loop() {
		if _, err := l.Sweep(context.Background(), t, files[len(files)/2:len(files)/2+1]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	l, t, files := loaded(b)
	for b.Loop() {
		if _, err := l.Verify(context.Background(), t, files); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(files)), "ns/file")
}
