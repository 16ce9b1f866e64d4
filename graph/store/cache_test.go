package store

import (
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// TestCacheKeepsWorkingSet reads some files again and again while a pass goes over
// many others once.
func TestCacheKeepsWorkingSet(t *testing.T) {
	f, err := blob.Open(blob.Encode(&graph.Facts{Path: "a.go", Defs: make([]graph.Def, 10)}))
	if err != nil {
		t.Fatal(err)
	}
	one := costOf(f)
	c := newFactsCache(100 * one)
	for id := range graph.FileID(50) {
		c.put(id, f)
		c.get(id)
	}
	for id := graph.FileID(1000); id < 3000; id++ {
		c.put(id, f)
		if used := c.once.used + c.again.used; used > c.limit || used != one*int64(len(c.byID)) {
			t.Fatalf("%d of %d bytes used by %d entries of %d", used, c.limit, len(c.byID), one)
		}
	}
	for id := range graph.FileID(50) {
		if c.get(id) == nil {
			t.Errorf("file %d of the working set is gone", id)
		}
	}
	if c.get(2999) == nil || c.get(1000) != nil {
		t.Error("the pass does not keep its latest files, or keeps all")
	}
	kept, used := len(c.byID), c.once.used+c.again.used
	c.drop(2999)
	c.drop(7)
	c.drop(7)
	if c.get(2999) != nil || c.get(7) != nil || len(c.byID) != kept-2 || c.once.used+c.again.used != used-2*one {
		t.Errorf("two of %d files dropped, %d are left", kept, len(c.byID))
	}
	for id := graph.FileID(5000); id < 5200; id++ { // a new working set
		c.put(id, f)
		c.get(id)
	}
	if c.get(5199) == nil || c.get(0) != nil || c.again.used > c.limit*againShare/100 {
		t.Error("an old working set does not give way")
	}
	c.clear()
	if c.get(5199) != nil || c.once.used+c.again.used != 0 {
		t.Error("a cleared cache holds something")
	}
	c.put(1, f)
	if c.get(1) == nil || c.again.used != one {
		t.Error("a cleared cache keeps nothing")
	}
}
