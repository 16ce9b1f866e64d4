package bleveidx

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSealRefusesDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "words")
	open := func() (*Store, error) { return Open(dir, time.Second, slog.New(slog.DiscardHandler)) }
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = open(); err != nil {
		t.Fatalf("open of a sealed index: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "root.bolt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files: %v, %v", files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 0x55
	if err := os.WriteFile(files[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !errors.Is(err, errSeal) {
		t.Errorf("open of a damaged index: %v", err)
	}
}

// A seal that cannot be written is none: the index opens as after a crash.
func TestSealThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "words")
	open := func() (*Store, error) { return Open(dir, time.Second, slog.New(slog.DiscardHandler)) }
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(sealName(dir), 0o700); err != nil { // stands for a file that is cut short
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = open(); err != nil {
		t.Fatalf("open without a seal: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
