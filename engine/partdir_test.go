package engine

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/graph/store"
)

func TestPartDir(t *testing.T) {
	dir := t.TempDir()
	place := func() string {
		t.Helper()
		p, err := partDir(dir, graphDir, store.Made)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := place()
	if again := place(); again == first {
		t.Errorf("both parts are to be made at %s", first)
	}
	s, err := store.Open(t.Context(), store.Options{Dir: first})
	if err != nil {
		t.Fatal(err)
	}
	if got := place(); got != first {
		t.Errorf("part at %s is not found but %s", first, got)
	}
	// The index is deleted under its process and made anew, and only then is the store
	// closed: for that it makes its directory again.
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	_ = s.Close() // says that things are not where they were
	if _, err := os.Stat(first); err != nil {
		t.Fatalf("the test needs what Close leaves: %v", err)
	}
	next := place()
	if next == first {
		t.Error("what a closing store left is taken for a part")
	}
	if _, err := os.Stat(first); err != nil {
		t.Errorf("what a process may still be writing was removed: %v", err)
	}
	long := time.Now().Add(-2 * strayAge)
	if err := os.Chtimes(first, long, long); err != nil {
		t.Fatal(err)
	}
	place()
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("what was left long ago is still there: %v", err)
	}
	for _, name := range []string{"graph-a", "graph-b"} {
		s, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, name)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := place(), filepath.Join(dir, "graph-b"); got != want {
		t.Errorf("of two parts %s is taken, want %s", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "graph-a")); !os.IsNotExist(err) {
		t.Errorf("the other part is still there: %v", err)
	}
}
