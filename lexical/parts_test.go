package lexical

import (
	"fmt"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// Each batch that is on disk is a part, until all are made one.
func TestParts(t *testing.T) {
	x, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	scratch := NewScratch()
	const batches = 3
	for n := range batches {
		var b Batch
		for i := range 20 {
			id := graph.FileID(n*20 + i + 1)
			b.Put = append(b.Put, NewDoc(id, fmt.Appendf(nil, "word%d", id), scratch))
		}
		if err := x.Apply(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if err := x.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := x.Parts(); err != nil || n != batches {
		t.Errorf("%d parts after %d batches, %v", n, batches, err)
	}
	if err := x.Optimize(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := x.Parts(); err != nil || n != 1 {
		t.Errorf("%d parts after a merge, %v", n, err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Parts(); err == nil {
		t.Error("a closed index has parts")
	}
}
