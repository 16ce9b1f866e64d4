package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAppendLines(t *testing.T) {
	for before, want := range map[string]string{"": "a\nb\n", "x": "x\na\nb\n", "x\n": "x\na\nb\n", "x\r\n": "x\r\na\nb\n"} {
		path := filepath.Join(t.TempDir(), "rules")
		if err := os.WriteFile(path, []byte(before), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := appendLines(path, []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", before, got, err, want)
		}
	}
}
