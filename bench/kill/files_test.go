package kill

import (
	"fmt"
	"io"
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

// After a tool call that its server may not have survived, a file is as it was or as
// it was to be; all else is wrong.
func TestLookAfterACall(t *testing.T) {
	for name, c := range map[string]struct {
		was, want, on string // "": no file
		wrong         int
		token         string // that is known afterwards
	}{
		"done":           {"a", "ab", "ab", 0, "new"},
		"not done":       {"a", "ab", "a", 0, "old"},
		"torn":           {"a", "abc", "ab", 1, ""},
		"lost":           {"a", "ab", "", 1, ""},
		"removed":        {"a", "", "", 0, ""},
		"not removed":    {"a", "", "a", 0, "old"},
		"never made":     {"", "ab", "", 0, ""},
		"made":           {"", "ab", "ab", 0, "new"},
		"made of pieces": {"", "ab", "b", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &run{o: Options{Log: io.Discard}, out: &Outcome{}, files: &fileSet{dir: t.TempDir(), texts: map[string]string{}, tokens: map[string]string{}}}
			if c.was != "" {
				r.files.took("f.py", c.was, "old")
			}
			if c.on != "" {
				if err := os.WriteFile(r.files.path("f.py"), []byte(c.on), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.look("f.py", c.was, c.want, "new"); err != nil {
				t.Fatal(err)
			}
			if r.out.Wrong != c.wrong || r.files.texts["f.py"] != c.on || r.files.tokens["f.py"] != c.token {
				t.Errorf("%d wrong, text %q, token %q; want %d, %q, %q", r.out.Wrong, r.files.texts["f.py"], r.files.tokens["f.py"], c.wrong, c.on, c.token)
			}
		})
	}
	s := &fileSet{texts: map[string]string{"a.py": "text"}, tokens: map[string]string{"a.py": "token"}}
	s.moved("a.py", "b.py")
	if len(s.texts) != 1 || s.texts["b.py"] != "text" || len(s.tokens) != 1 || s.tokens["b.py"] != "token" || len(s.old) != 0 {
		t.Errorf("after a move: %+v", s)
	}
}
