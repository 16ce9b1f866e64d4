package kill

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTargetEndsOneProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "aim")
	a := aim{file: file}
	first, second := NewTarget(file), NewTarget(file)
	want := func(what string, target *Target, step string, end bool) {
		t.Helper()
		if linger, got := target.Reached(step); got != end || got && linger != 7*time.Millisecond {
			t.Errorf("%s: end %v after %v, want %v", what, got, linger, end)
		}
	}
	want("without an aim", first, "x", false)
	for round := range 2 {
		if err := a.at("x", 2, 7*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		want("another step", first, "y", false)
		want("the first time", first, "x", false)
		want("the first time of another process", second, "x", false)
		if round == 0 {
			want("the second time", second, "x", true)
			want("the aim is taken", first, "x", false)
			continue
		}
		if err := a.nowhere(); err != nil {
			t.Fatal(err)
		}
		want("the aim is taken back", first, "x", false)
	}
	if err := a.nowhere(); err != nil {
		t.Error("there is nothing to take back:", err)
	}
}

// Steps that were met least often come next, and one that cannot be reached does not
// keep the others waiting.
func TestChoose(t *testing.T) {
	r := &run{
		o:   Options{Steps: []Step{{Name: "a"}, {Name: "b"}, {Name: "never"}}},
		rng: rand.New(rand.NewPCG(1, 1)), tries: map[string]int{}, out: &Outcome{AtSteps: map[string]int{}},
	}
	random := 0
	for range 100 {
		s := r.choose()
		if s == nil {
			random++
		} else if s.Name != "never" {
			r.out.AtSteps[s.Name]++
		}
	}
	a, b := r.out.AtSteps["a"], r.out.AtSteps["b"]
	if a < 8 || b < 8 || max(a, b)-min(a, b) > 1 || random < 10 || random > 50 {
		t.Errorf("%d times a, %d times b, %d at random", a, b, random)
	}
}

func TestCopyTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	if err := os.MkdirAll(filepath.Join(from, "a/b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "a/b/c"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere", filepath.Join(from, "a/link")); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(to, from); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(to, "a/b/c")); err != nil || string(b) != "text" {
		t.Errorf("file: %q, %v", b, err)
	}
	if where, err := os.Readlink(filepath.Join(to, "a/link")); err != nil || where != "/nowhere" {
		t.Errorf("link: %q, %v", where, err)
	}
	if err := copyTree(to+"2", filepath.Join(from, "gone")); err != nil {
		t.Errorf("what is gone: %v", err)
	}
}
