package bleveidx

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whatever becomes of the list of segments, looking at it is survived; what is cut is
// told.
func TestCheckBolt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "words")
	s, err := Open(dir, time.Second, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(sealName(dir)); err != nil {
		t.Fatal(err)
	}
	if err := checkBolt(dir, time.Second); err != nil {
		t.Fatalf("a whole file: %v", err)
	}
	path := filepath.Join(dir, "root.bolt")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 4096, 8192, 12288} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := checkBolt(dir, time.Second); err == nil && size > 0 { // an empty file is a new one
			t.Errorf("cut to %d of %d bytes: no error", size, len(whole))
		}
	}
	for at := 0; at < len(whole); at += 97 {
		bad := append([]byte{}, whole...)
		bad[at] ^= 0xff
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = checkBolt(dir, time.Second) // a byte that nobody reads is no damage
	}
}
