package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

// fill makes a store with a base, an overlay and tombstones, and closes it after
// a copy was made to crashed, where that is not "".
func fill(t testing.TB, dir, crashed string) {
	s := storetest.OpenDir(t, dir)
	for gen, files := range []int{1500, 30, 5} {
		b := begin(t, s, store.Incremental)
		for i := range files {
			p := graph.Path(fmt.Sprintf("d%d/f%d.go", i%7, i))
			rec, f := storetest.File(p, gen, []string{"A", fmt.Sprint("n", i)}, []string{"B", fmt.Sprint("n", i+1)})
			storetest.Put(t, b, rec, f)
		}
		publish(t, b)
	}
	if crashed != "" {
		copyDir(t, dir, crashed)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedFiles damages one file after the other in several ways. Opening the
// store must fail with ErrCorrupt, or else every answer must come, or fail so:
// the process must live, and Check must know.
func TestDamagedFiles(t *testing.T) {
	whole, crashed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "crashed")
	fill(t, whole, crashed)
	names, err := filepath.Glob(filepath.Join(whole, "kv", "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	logs, err := filepath.Glob(filepath.Join(crashed, "kv", "*.mem"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	damages := map[string]func(b []byte) []byte{
		"emptied":  func(b []byte) []byte { return nil },
		"halved":   func(b []byte) []byte { return b[:len(b)/2] },
		"cut":      func(b []byte) []byte { return b[:max(0, len(b)-3)] },
		"zeroed":   func(b []byte) []byte { clear(b[len(b)/3:]); return b },
		"holed":    func(b []byte) []byte { clear(b[min(len(b), 4096):min(len(b), 9000)]); return b },
		"scribble": func(b []byte) []byte { return scribble(r, b, 20) },
		"head":     func(b []byte) []byte { scribble(r, b[:min(len(b), 300)], 9); return b },
		"flip":     func(b []byte) []byte { return scribble(r, b, 1) },
		"end":      func(b []byte) []byte { scribble(r, b[max(0, len(b)-40):], 3); return b },
	}
	for _, name := range append(names, logs...) {
		for how, damage := range damages {
			t.Run(filepath.Base(name)+"/"+how, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "copy")
				copyDir(t, filepath.Dir(filepath.Dir(name)), dir)
				target := filepath.Join(dir, "kv", filepath.Base(name))
				b, err := os.ReadFile(target)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(target, damage(b), 0o644); err != nil {
					t.Fatal(err)
				}
				tryDamaged(t, dir)
			})
		}
	}
}

func scribble(r *rand.Rand, b []byte, n int) []byte {
	for range n {
		if len(b) > 0 {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
	}
	return b
}

func tryDamaged(t *testing.T, dir string) {
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("Open: %v, want ErrCorrupt", err)
		}
		return
	}
	defer s.Close()
	if err := s.Check(context.Background()); err != nil && !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Check: %v, want ErrCorrupt", err)
	}
	v := s.Snapshot()
	defer v.Release()
	v.Files(func(f graph.File) bool {
		if _, err := v.Facts(f.ID); err != nil && !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("Facts: %v, want ErrCorrupt", err)
		}
		return true
	})
	v.Definers("A")
	v.Referrers("B")
}

func TestForeignDirectory(t *testing.T) {
	for name, make := range map[string]func(dir string) error{
		"other files": func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644) },
		"newer format": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "FORMAT"), []byte("ralph-index graph/store v999\n"), 0o644)
		},
	} {
		dir := t.TempDir()
		if err := make(dir); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadDir(dir)
		if _, err := store.Open(t.Context(), store.Options{Dir: dir}); !errors.Is(err, store.ErrFormat) {
			t.Errorf("%s: Open error = %v, want ErrFormat", name, err)
		}
		after, _ := os.ReadDir(dir)
		if len(after) > len(before)+1 { // the lock
			t.Errorf("%s: Open wrote into the directory", name)
		}
	}
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	storetest.OpenDir(t, dir)
	if _, err := store.Open(t.Context(), store.Options{Dir: dir}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("second Open: %v, want ErrLocked", err)
	}
}

func TestLostManifest(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, "")
	if err := os.Remove(filepath.Join(dir, "kv", "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), store.Options{Dir: dir})
	if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "manifest") {
		t.Errorf("Open without a manifest: %v, want ErrCorrupt", err)
	}
}
