package store_test

import (
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

func begin(t testing.TB, s *store.Store, m store.Mode) *store.Batch {
	t.Helper()
	b, err := s.Begin(t.Context(), m)
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	t.Cleanup(b.Discard)
	return b
}

func publish(t testing.TB, b *store.Batch) graph.Generation {
	t.Helper()
	gen, err := b.Publish(t.Context())
	if err != nil {
		t.Fatalf("Publish: %v", err)
	}
	return gen
}

func TestPutAndReopen(t *testing.T) {
	dir := t.TempDir()
	s := storetest.OpenDir(t, dir)
	m := storetest.NewModel()
	b := begin(t, s, store.Incremental)
	for _, p := range []graph.Path{"a.go", "dir/b.go", "dir/sub/c.go"} {
		rec, f := storetest.File(p, 1, []string{"F", string(p)}, []string{"G"})
		rec.ID = storetest.Put(t, b, rec, f)
		m.Files[p] = storetest.ModelFile{File: rec, Facts: f}
	}
	if m.Generation = publish(t, b); m.Generation != 1 {
		t.Errorf("first generation = %d, want 1", m.Generation)
	}
	v := s.Snapshot()
	m.Compare(t, v, "absent")
	v.Release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenDir(t, dir)
	v = s.Snapshot()
	defer v.Release()
	m.Compare(t, v, "absent")
}
