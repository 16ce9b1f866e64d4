package word

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func collect(t testing.TB, s *Set, src []byte) []string {
	t.Helper()
	words, ok := s.Collect(src, nil)
	if !ok {
		t.Fatal("stopped, and nobody said so")
	}
	var out []string
	alone := NewSet()
	for i := range words.Len() {
		w, h := words.At(i)
		only, _ := alone.Collect([]byte(w), nil)
		if _, again := only.At(0); only.Len() != 1 || again != h {
			t.Fatalf("%q has hash %x here and %x alone", w, h, again)
		}
		out = append(out, w)
	}
	return out
}

func TestCollectStops(t *testing.T) {
	src := []byte(strings.Repeat("some words ", 5*stride/11))
	for _, after := range []int{0, 2, 100} {
		asked := 0
		words, ok := NewSet().Collect(src, func() bool { asked++; return asked > after })
		if wantOK := after >= 5; ok != wantOK || ok == (words.Len() == 0) || !ok && asked != after+1 {
			t.Errorf("after %d: %d words, %v, asked %d times", after, words.Len(), ok, asked)
		}
	}
}

func TestCollect(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"", "[]"},
		{" .-> ", "[]"},
		{"a_1 b2-c a_1\nb2\r\n", "[a_1 b2 c]"},
		{"caf\u00e9s \u201cx\u201d \xff\xfe.", "[caf\u00e9s \u201cx\u201d \xff\xfe]"},
	} {
		if got := fmt.Sprint(collect(t, NewSet(), []byte(tt.src))); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}

func TestSetIsReused(t *testing.T) {
	s := NewSet()
	var many strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	if got := collect(t, s, []byte(many.String()+many.String())); len(got) != 20000 || got[19999] != "w19999" {
		t.Errorf("%d words", len(got))
	}
	if got := fmt.Sprint(collect(t, s, []byte("w1 x w1"))); got != "[w1 x]" {
		t.Errorf("second text: %s", got)
	}
}

func FuzzCollect(f *testing.F) {
	f.Add([]byte("a b c_\xc3\xa9"), 3)
	f.Add([]byte("x"), 5000)
	words := regexp.MustCompile(`(?s)[^\x00-/:-@\[-^` + "`" + `{-\x7f]+`)
	f.Fuzz(func(t *testing.T, src []byte, times int) {
		src = slices.Repeat(src, 1+times&0x3ff)
		got := map[string]bool{}
		for _, w := range collect(t, NewSet(), src) {
			if w == "" || len(w) > Longest || got[w] {
				t.Fatalf("word %q is empty, long or repeated", w)
			}
			got[w] = true
		}
		for _, w := range words.FindAll(src, -1) {
			if len(w) <= Longest {
				if !got[string(w)] {
					t.Fatalf("word %q is missing", w)
				}
				continue
			}
			// Any part up to Overlap is in a piece; both ends are ends of pieces.
			for i := 0; i+Overlap <= len(w); i += 61 {
				part, found := string(w[i:i+Overlap]), false
				for p := range got {
					found = found || strings.Contains(p, part)
				}
				if !found {
					t.Fatalf("part %d of a word of %d bytes is missing", i, len(w))
				}
			}
			first, last := false, false
			for p := range got {
				first = first || strings.HasPrefix(p, string(w[:Overlap]))
				last = last || strings.HasSuffix(p, string(w[len(w)-Overlap:]))
			}
			if !first || !last {
				t.Fatal("an end of a long word is missing")
			}
		}
	})
}
