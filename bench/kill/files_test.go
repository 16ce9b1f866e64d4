package kill

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the set says of its files is what is on the disk.
func TestFileSetFollowsTheDisk(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		text := fmt.Sprintf("def function_%d():\n    return shared\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.py", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	s, err := prepare(dir, rng)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if err := s.change(rng); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != len(s.texts) {
		t.Fatalf("%d files, %d known: %v", len(names), len(s.texts), err)
	}
	var want []string
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil || string(b) != s.texts[filepath.Base(n)] {
			t.Errorf("%s: %v", n, err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if strings.Contains(line, "shared") {
				want = append(want, fmt.Sprintf("%s:%d", filepath.Base(n), i+1))
			}
		}
	}
	slices.Sort(want)
	if got := s.places("shared"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	file, token, ok := s.recent(rng)
	if !ok || len(s.places(token)) != 1 || !strings.HasPrefix(s.places(token)[0], file+":") {
		t.Errorf("%s in %s: %q", token, file, s.places(token))
	}
	if len(s.old) == 0 || len(s.places(s.old[0])) != 0 {
		t.Errorf("old tokens: %q", s.old)
	}
}
