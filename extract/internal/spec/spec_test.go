package spec

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestLinesAgainstCounting(t *testing.T) {
	for _, src := range []string{"", "a", "a\n", "\n\n", "ab\ncd\r\n\nef", strings.Repeat("x\nyy\n", 50)} {
		var l Lines
		l.Reset([]byte(src))
		want := uint32(strings.Count(src, "\n"))
		if src != "" && !strings.HasSuffix(src, "\n") {
			want++
		}
		if l.Count() != want {
			t.Errorf("%q: %d lines, want %d", src, l.Count(), want)
		}
		r := rand.New(rand.NewSource(1))
		for range 300 {
			off := r.Intn(len(src) + 1)
			p := graph.Pos{Line: uint32(strings.Count(src[:off], "\n")) + 1, Col: uint32(off-strings.LastIndex(src[:off], "\n")-1) + 1}
			if got := l.Pos(uint32(off)); got != p {
				t.Fatalf("%q: Pos(%d) = %v, want %v", src, off, got, p)
			}
		}
	}
}

func TestSpanEnds(t *testing.T) {
	var l Lines
	l.Reset([]byte("ab\ncd\n"))
	for _, c := range []struct {
		start, end uint32
		to         graph.Pos
	}{{0, 2, graph.Pos{Line: 1, Col: 3}}, {0, 3, graph.Pos{Line: 1, Col: 4}}, {0, 5, graph.Pos{Line: 2, Col: 3}}, {3, 3, graph.Pos{Line: 2, Col: 1}}} {
		if got := l.Span(c.start, c.end); got.To != c.to {
			t.Errorf("Span(%d, %d).To = %v, want %v", c.start, c.end, got.To, c.to)
		}
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{"a": "a", " a\n\tb  c ": "a b c", "": "", "a b": "a b"} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"// F does.\n// More.": "F does.", "/**\n * Does it.\n */": "Does it.", "/* a */": "a", "\"\"\"Doc.\n\nMore\"\"\"": "Doc.",
		"# x": "x", "//\n// y": "y", "": "", "//": "",
	} {
		if got := DocLine(in); got != want {
			t.Errorf("DocLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestScopes(t *testing.T) {
	var s Scopes
	if s.Lookup("x") != nil {
		t.Error("x bound in no scope")
	}
	s.Open()
	s.Declare(Local{Name: "x", Hint: graph.Hint{Type: "outer"}})
	s.Open()
	if s.InInnermost("x") || s.Lookup("x").Hint.Type != "outer" {
		t.Error("outer x not visible, or taken for an inner one")
	}
	s.Declare(Local{Name: "x", Hint: graph.Hint{Type: "inner"}})
	if !s.InInnermost("x") || s.Lookup("x").Hint.Type != "inner" {
		t.Error("inner x does not hide the outer one")
	}
	s.Close()
	if s.Lookup("x").Hint.Type != "outer" || s.Lookup("y") != nil || s.Depth() != 1 {
		t.Error("inner scope left traces")
	}
	s.Close()
	if s.Lookup("x") != nil {
		t.Error("outer scope left traces")
	}
}

func TestAddStyleRefs(t *testing.T) {
	for text, want := range map[string]string{
		"a b-c  d_1": "a b-c d_1", `"x"`: "x", "btn {on ? 'b' : ''} c": "btn c", "a{b} c": "c", "{{ x }} k": "k", "md:flex w-1/2 k": "k", "": "", "<?php echo $x ?> a": "a",
		"{% if a %}b{% endif %} c": "c", "}x y": "",
	} {
		b := NewBuilder(&graph.Facts{}, []byte(text), nil)
		b.AddStyleRefs(0, uint32(len(text)))
		var got []string
		for i := range b.Facts.Refs {
			got = append(got, b.Facts.Refs[i].Name)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}
