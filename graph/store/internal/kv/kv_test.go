package kv

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func open(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler), Verify: true})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return d
}

func TestCommitGetScan(t *testing.T) {
	d := open(t, t.TempDir())
	var pairs []Pair
	for i := range 600 {
		pairs = append(pairs, Pair{fmt.Appendf(nil, "k%03d", i), fmt.Append(nil, i)})
	}
	if err := d.Commit(append(pairs, Pair{[]byte("kz"), []byte{}})); err != nil {
		t.Fatal(err)
	}
	if err := d.Commit([]Pair{{Key: []byte("k007")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get([]byte("k007")); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get of a deleted key: %v", err)
	}
	if v, err := d.Get([]byte("kz")); err != nil || len(v) != 0 {
		t.Errorf("Get of an empty value = %q, %v", v, err)
	}
	var last []byte
	n := 0
	err := d.Scan(t.Context(), []byte("k"), false, func(key, value []byte) error {
		if bytes.Compare(last, key) >= 0 {
			t.Errorf("%q after %q", key, last)
		}
		last = bytes.Clone(key)
		n++
		return nil
	})
	if err != nil || n != 600 {
		t.Errorf("Scan: %d keys, %v, want 600", n, err)
	}
	if k, err := d.Last([]byte("k")); err != nil || string(k) != "kz" {
		t.Errorf("Last = %q, %v", k, err)
	}
	if _, err := d.Last([]byte("j")); !errors.Is(err, ErrNotFound) {
		t.Errorf("Last of nothing: %v", err)
	}
}

func TestCommitIsAllOrNothing(t *testing.T) {
	d := open(t, t.TempDir())
	pairs := []Pair{{[]byte("a"), []byte("1")}}
	for i := range 8 {
		pairs = append(pairs, Pair{fmt.Appendf(nil, "big%d", i), make([]byte, MaxValue)})
	}
	if err := d.Commit(pairs); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Commit of 4 MB: %v, want ErrTooLarge", err)
	}
	if _, err := d.Get([]byte("a")); !errors.Is(err, ErrNotFound) {
		t.Errorf("a part of a refused commit shows: %v", err)
	}
}

func TestCloseWaitsForCalls(t *testing.T) {
	d := open(t, t.TempDir())
	var pairs []Pair
	for i := range 5000 {
		pairs = append(pairs, Pair{fmt.Appendf(nil, "k%05d", i), make([]byte, 100)})
	}
	if err := d.Commit(pairs); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	started := make(chan struct{}, 4)
	for range 4 {
		wg.Go(func() {
			started <- struct{}{}
			for {
				err := d.Scan(t.Context(), []byte("k"), false, func(key, _ []byte) error {
					_, err := d.Get(key) // a call within a call must not block Close
					return err
				})
				if err != nil {
					if !errors.Is(err, ErrClosed) {
						t.Errorf("Scan: %v", err)
					}
					return
				}
			}
		})
	}
	<-started
	if err := d.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	wg.Wait()
	if err := d.Commit(pairs[:1]); !errors.Is(err, ErrClosed) {
		t.Errorf("Commit after Close: %v, want ErrClosed", err)
	}
}

// A directory whose place something else has taken cannot be written: closing ends all
// the same.
func TestCloseWhereNothingCanBeWritten(t *testing.T) {
	up := filepath.Join(t.TempDir(), "up")
	if err := os.Mkdir(up, 0o700); err != nil {
		t.Fatal(err)
	}
	d := open(t, filepath.Join(up, "kv"))
	if err := d.Commit([]Pair{{Key: []byte("k"), Value: []byte("v")}}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(up); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(up, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err == nil {
		t.Error("closing says nothing of a table that was not written")
	}
}
