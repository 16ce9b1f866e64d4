package kv

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// At any time as many blocks are kept as the next table may take; after Close none.
func TestReserveCoversTheLog(t *testing.T) {
	if f, err := os.Create(filepath.Join(t.TempDir(), "probe")); err != nil {
		t.Fatal(err)
	} else if err := allocate(f, 1<<20); err != nil {
		t.Logf("this disk keeps nothing back: %v", err)
		return
	}
	dir := filepath.Join(t.TempDir(), "kv")
	open := func() *DB {
		t.Helper()
		db, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	blocks := func(path string) int64 {
		var st syscall.Stat_t
		if err := syscall.Stat(path, &st); err != nil {
			t.Fatal(err)
		}
		return st.Blocks * 512
	}
	spare := filepath.Join(dir, reserveFile)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spare, []byte("left by a crash"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := open()
	if _, err := os.Lstat(spare); err == nil {
		t.Error("what a crash left is still there")
	}
	most := int64(0)
	check := func(what string) {
		t.Helper()
		have := blocks(spare)
		used, err := db.spare.logBlocks()
		if err != nil || have < used {
			t.Errorf("%s: %d bytes kept, the logs take %d, %v", what, have, used, err)
		}
		most = max(most, have)
	}
	for i, size := range []int{1, 100, 10_000, 300_000, MaxValue, 1, 1, 70_000, MaxValue, MaxValue} {
		if err := db.Commit([]Pair{{fmt.Appendf(nil, "k%d", i), make([]byte, size)}}); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("commit %d", i))
	}
	bulk, err := db.Bulk()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := bulk.Set(fmt.Appendf(nil, "b%d", i), make([]byte, 20_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := bulk.Flush(); err != nil {
		t.Fatal(err)
	}
	check("bulk")
	if err := db.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := db.Commit([]Pair{{[]byte("after"), make([]byte, roomStride/4)}}); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("commit %d after the logs became tables", i))
	}
	if now := blocks(spare); now >= most {
		t.Errorf("%d bytes kept after the logs became tables, %d before", now, most)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(spare); !os.IsNotExist(err) {
		t.Errorf("after Close: %v, want %v", err, fs.ErrNotExist)
	}
	db = open()
	defer db.Close()
	if v, err := db.Get([]byte("k4")); err != nil || len(v) != MaxValue {
		t.Errorf("Get after all: %d bytes, %v", len(v), err)
	}
}
