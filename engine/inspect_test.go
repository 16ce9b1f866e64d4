package engine

import (
	"errors"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func TestTidy(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	s.write("a.go", "package m\n\nfunc F() { G(); G() }\n")
	s.remove("go.mod")
	s.write("c.go", "package m\n\nfunc H() { G() }\n")
	s.reindex(api.ReindexChanged)
	x := s.index()
	if x.store.Pending() == 0 || x.writer.UnheldCount() == 0 {
		t.Fatalf("there is nothing to do: %d records, %d files", x.store.Pending(), x.writer.UnheldCount())
	}
	before := labels(s.callers("b.go#G", api.AllowStale).Nodes)
	old, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if x.store.Pending() > 0 || x.writer.UnheldCount() > 0 {
		t.Errorf("%d records and %d files are left", x.store.Pending(), x.writer.UnheldCount())
	}
	if old.Len() != 3 || len(old.Definers("H")) != 1 {
		t.Errorf("a pinned generation has %d files", old.Len())
	}
	old.Release()
	if after := labels(s.callers("b.go#G", api.AllowStale).Nodes); len(before) == 0 || len(after) != len(before) {
		t.Errorf("callers were %q, are %q", before, after)
	}
}

func TestInspectWithoutAnIndex(t *testing.T) {
	e, err := Open(t.Context(), Options{Workspace: t.TempDir(), NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Snapshot(); !errors.Is(err, ErrElsewhere) {
		t.Errorf("snapshot: %v", err)
	}
	if err := e.Tidy(t.Context()); !errors.Is(err, ErrElsewhere) {
		t.Errorf("tidy: %v", err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Snapshot(); !errors.Is(err, ErrClosed) {
		t.Errorf("snapshot of a closed engine: %v", err)
	}
	if err := e.Tidy(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("tidy of a closed engine: %v", err)
	}
}
