package model

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScriptRoundTrip(t *testing.T) {
	c := &chooser{rng: rand.New(rand.NewPCG(1, 1))}
	var s Script
	for range 500 {
		s = append(s, c.next(listing{files: []string{"a.go", "Ünï dir/b \"x\".py"}, links: []string{"l"}, dirs: []string{"lib"}}))
	}
	back, err := Parse(strings.NewReader("# a script\n\n" + s.String()))
	if err != nil || !slices.Equal(back, s) {
		t.Errorf("%d steps came back as %d: %v", len(s), len(back), err)
	}
	for _, bad := range []string{`{"op":"write","pth":"x"}`, `write a.go`, `{`} {
		if _, err := Parse(strings.NewReader(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// What remains of a script after shrinking still fails, and every step of it is
// needed.
func TestShrink(t *testing.T) {
	var s Script
	for i := range 300 {
		s = append(s, Step{Op: OpWrite, N: i})
		if i%20 == 19 {
			s = append(s, Step{Op: OpBarrier, N: i})
		}
	}
	tries := 0
	fails := func(s Script) bool {
		tries++
		need := map[int]bool{7: true, 120: true, 121: true, 299: true}
		for _, step := range s {
			if step.Op == OpWrite || step.Op == OpBarrier && step.N == 299 {
				delete(need, step.N)
			}
		}
		return len(need) == 0 && len(s) > 0 && s[len(s)-1].Op == OpBarrier
	}
	small := shrink(s, fails, func() bool { return tries < 5000 })
	want := Script{{Op: OpWrite, N: 7}, {Op: OpWrite, N: 120}, {Op: OpWrite, N: 121}, {Op: OpBarrier, N: 299}}
	if !slices.Equal(small, want) {
		t.Errorf("after %d tries:\n%s", tries, small)
	}
}

// Steps do what they say, and a script makes the same tree each time.
func TestStepsAreReproducible(t *testing.T) {
	c := &chooser{rng: rand.New(rand.NewPCG(3, 1))}
	one, err := newDisk(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var s Script
	seen := map[Op]bool{}
	for range 800 {
		step := c.next(one.list())
		seen[step.Op] = true
		one.apply(t.Context(), step)
		s = append(s, step)
	}
	for _, w := range weights() {
		if !seen[w.op] {
			t.Errorf("no %s in 800 steps", w.op)
		}
	}
	two, err := newDisk(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range s {
		two.apply(t.Context(), step)
	}
	a, b := one.list(), two.list()
	if !slices.Equal(a.files, b.files) || !slices.Equal(a.links, b.links) || !slices.Equal(a.dirs, b.dirs) || len(a.files) == 0 {
		t.Fatalf("%q\n%q", a, b)
	}
	texts, err := one.texts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	others, err := two.texts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for p, text := range texts {
		if !bytes.Equal(text, others[p]) {
			t.Errorf("%s differs", p)
		}
	}
}

func TestAlikeKeepsTheSize(t *testing.T) {
	changed := 0
	for n := range 200 {
		src := source([]string{"a.go", "b.py", "c.ts", "d.md"}[n%4], n)
		out := alike(src, n)
		if len(out) != len(src) {
			t.Fatalf("version %d: %d bytes became %d", n, len(src), len(out))
		}
		if !bytes.Equal(out, src) {
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d of 200 changed", changed)
	}
}

func TestOtherCase(t *testing.T) {
	for in, want := range map[string]string{"a.go": "A.GO", "lib/README.md": "lib/readme.MD", "Ünï dir/b": "Ünï dir/B"} {
		if got := otherCase(in); got != want || filepath.Dir(got) != filepath.Dir(in) {
			t.Errorf("%s: %s", in, got)
		}
	}
}
