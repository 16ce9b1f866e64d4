package watch

import (
	"path/filepath"
	"testing"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// BenchmarkBarrier is what an answer pays to know of all writes before it.
func BenchmarkBarrier(b *testing.B) {
	root := b.TempDir()
	tr, err := tree.Open(root, tree.Options{})
	if err != nil {
		b.Fatal(err)
	}
	w := Start(b.Context(), Options{
		Tree: tr, CookieDir: filepath.Join(root, ".agent", "cookies"), Mark: func(...graph.Path) {}, MarkAll: func() {},
	})
	b.Cleanup(func() {
		w.Close()
		_ = tr.Close()
	})
	<-w.Ready()
	for b.Loop() {
		if err := w.Barrier(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
