package kv

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// disk is a disk whose free space a test sets.
type disk struct{ free atomic.Int64 }

func (d *disk) measure(string) (int64, error) { return d.free.Load(), nil }

func openOn(t *testing.T, d *disk, dir string) *DB {
	t.Helper()
	db, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler), Free: d.measure})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestFree(t *testing.T) {
	if n, err := Free(t.TempDir()); err != nil || n <= 0 {
		t.Errorf("Free = %d, %v", n, err)
	}
	if _, err := Free(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("Free of an absent directory")
	}
}

func TestFullDiskRefusesWrites(t *testing.T) {
	var d disk
	dir := filepath.Join(t.TempDir(), "kv")
	d.free.Store(room - 1)
	if _, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler), Free: d.measure}); !errors.Is(err, ErrFull) {
		t.Errorf("Open: %v, want ErrFull", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused Open made the directory")
	}
	d.free.Store(room)
	db := openOn(t, &d, dir)
	if err := db.Commit([]Pair{{[]byte("a"), []byte("1")}}); err != nil {
		t.Fatal(err)
	}
	bulk, err := db.Bulk()
	if err != nil {
		t.Fatal(err)
	}
	if err := bulk.Set([]byte("b"), []byte("2")); err != nil {
		t.Fatal(err)
	}
	d.free.Store(room - 1)
	if err := db.HasRoom(); !errors.Is(err, ErrFull) {
		t.Errorf("HasRoom: %v, want ErrFull", err)
	}
	if err := db.Commit([]Pair{{[]byte("a"), []byte("3")}}); !errors.Is(err, ErrFull) {
		t.Errorf("Commit: %v, want ErrFull", err)
	}
	for i := 0; err == nil && i < 1000; i++ {
		err = bulk.Set(fmt.Appendf(nil, "c%d", i), make([]byte, 4<<10))
	}
	if !errors.Is(err, ErrFull) {
		t.Errorf("4 MB in a bulk write: %v, want ErrFull", err)
	}
	bulk.Cancel()
	if err := db.Reclaim(t.Context()); !errors.Is(err, ErrFull) {
		t.Errorf("Reclaim: %v, want ErrFull", err)
	}
	if v, err := db.Get([]byte("a")); err != nil || string(v) != "1" {
		t.Errorf("Get on a full disk = %q, %v", v, err)
	}
	d.free.Store(room)
	if err := db.Commit([]Pair{{[]byte("a"), []byte("3")}}); err != nil {
		t.Errorf("Commit after there is space again: %v", err)
	}
}

// A log that loses its blocks stands for one that never got them: the process lives,
// and every later call says that the directory is damaged.
func TestLogWithoutBlocks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kv")
	db, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	for _, l := range logs {
		if err := os.Truncate(l, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3000 {
		err = db.Commit([]Pair{{fmt.Appendf(nil, "k%d", i), make([]byte, 16<<10)}})
		if !errors.Is(err, ErrCorrupt) {
			t.Fatalf("Commit %d: %v, want ErrCorrupt", i, err)
		}
	}
	if _, err := db.Get([]byte("k1")); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Get: %v, want ErrCorrupt", err)
	}
	if err := db.Scan(t.Context(), []byte("k"), true, func(_, _ []byte) error { return nil }); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Scan: %v, want ErrCorrupt", err)
	}
	if err := db.Close(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Close: %v, want ErrCorrupt", err)
	}
}

func TestDirectoryDeletedWhileOpen(t *testing.T) {
	var d disk
	d.free.Store(1 << 40)
	parent := t.TempDir()
	db := openOn(t, &d, filepath.Join(parent, "kv"))
	if err := db.Commit([]Pair{{[]byte("a"), []byte("1")}}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(parent); err != nil {
		t.Fatal(err)
	}
	if v, err := db.Get([]byte("a")); err != nil || string(v) != "1" {
		t.Errorf("Get = %q, %v", v, err)
	}
	if err := db.Close(); errors.Is(err, ErrCorrupt) {
		t.Errorf("Close: %v", err)
	}
}
