package kv

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A failed Open leaves nothing behind: a server tries again for as long as it lives.
func TestFailedOpenLeavesNothing(t *testing.T) {
	junk := []byte("this is not what Badger wrote, and longer than its header")
	write := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), junk, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	folder := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, damage := range map[string]func(*testing.T, string){
		"log with another name":    write("other.mem"),
		"log that is a directory":  folder("00009.mem"),
		"log of junk":              write("00009.mem"),
		"value log of junk":        write("000009.vlog"),
		"value log, a directory":   folder("000009.vlog"),
		"value log, another name":  write("other.vlog"),
		"key registry of junk":     write("KEYREGISTRY"),
		"key registry a directory": folder("KEYREGISTRY"),
		"manifest of junk":         write("MANIFEST"),
		"lock, a directory":        folder("LOCK"),
		"discards, a directory":    folder("DISCARD"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "kv")
			d, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Commit([]Pair{{[]byte("a"), []byte("1")}}); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, dir)
			goroutines, open := runtime.NumGoroutine(), descriptors(t)
			for range 20 {
				if d, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler)}); !errors.Is(err, ErrCorrupt) {
					t.Errorf("Open: %v, want ErrCorrupt", err)
					if err == nil {
						_ = d.Close() // it should not have been opened
					}
				}
			}
			for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > goroutines || descriptors(t) > open; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d goroutines and %d files, before %d and %d", runtime.NumGoroutine(), descriptors(t), goroutines, open)
				}
			}
		})
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
