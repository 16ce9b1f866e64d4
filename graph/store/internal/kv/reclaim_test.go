package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// onDisk is what a directory takes, in bytes.
func onDisk(t *testing.T, dir string) (total int64) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		info, err := os.Stat(n)
		if err != nil {
			t.Fatal(err)
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			total += st.Blocks * 512
		}
	}
	return total
}

func TestReclaim(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kv")
	d := open(t, dir)
	for round := range 60 {
		for i := range 20 {
			value := bytes.Repeat([]byte{byte(round), byte(i)}, 10<<10)
			if err := d.Commit([]Pair{{fmt.Appendf(nil, "k%d", i), value}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !d.WorthReclaiming() {
		t.Error("24 MB that were written 60 times are not worth reclaiming")
	}
	before := onDisk(t, dir)
	gone, stop := context.WithCancel(t.Context())
	stop()
	if err := d.Reclaim(gone); !errors.Is(err, context.Canceled) || !d.WorthReclaiming() {
		t.Errorf("Reclaim for nobody: %v", err)
	}
	if err := d.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.WorthReclaiming() {
		t.Error("it is worth reclaiming what was just reclaimed")
	}
	if after := onDisk(t, dir); after > 2<<20 || before < 16<<20 {
		t.Errorf("%d KB before, %d KB after", before>>10, after>>10)
	}
	for i := range 20 {
		v, err := d.Get(fmt.Appendf(nil, "k%d", i))
		if err != nil || len(v) != 20<<10 || v[0] != 59 || v[1] != byte(i) {
			t.Errorf("k%d: %d bytes, %v", i, len(v), err)
		}
	}
}
