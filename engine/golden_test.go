package engine

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares with a file, or rewrites it under -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte{'\n'}), bytes.Split(want, []byte{'\n'})
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Fatalf("%s:%d: missing line\n%s", path, i+1, w[i])
		case i >= len(w):
			t.Fatalf("%s:%d: unexpected line\n%s", path, i+1, g[i])
		case !bytes.Equal(g[i], w[i]):
			t.Fatalf("%s:%d:\n got %s\nwant %s\n(run with -update and read the diff)", path, i+1, g[i], w[i])
		}
	}
}
