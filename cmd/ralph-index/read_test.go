package main

import (
	"net"
	"strings"
	"testing"
)

func TestShownLines(t *testing.T) {
	for _, c := range []struct {
		first, last, context int
		text                 string
		from, to             int
	}{
		{10, 10, 0, "x\n", 10, 10},
		{10, 10, 2, "a\nb\nx\nc\nd\n", 8, 12},
		{2, 3, 5, "a\nx\ny\nb", 1, 4},
		{1, 1, 2, "x", 1, 1},
		{4, 9, 1, "cut", 3, 9},
	} {
		if from, to := shownLines(c.first, c.last, c.context, c.text); from != c.from || to != c.to {
			t.Errorf("lines %d-%d with %d around: %d-%d, want %d-%d", c.first, c.last, c.context, from, to, c.from, c.to)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 9999: "9,999 bytes", 10_000: "10 kB", 999_000: "999 kB", 1_500_000: "1.5 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestPortInUse serves on a port that somebody has.
func TestPortInUse(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	got := runWith(t, &fake{}, "serve", "--http", ln.Addr().String(), "--no-token")
	if got.code != exitUsage || !strings.Contains(got.stderr, ln.Addr().String()+" is in use") || !strings.Contains(got.stderr, "another port") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}
