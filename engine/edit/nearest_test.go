package edit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

const program = `package main

func first() {
	if ready {
		run(1)
	}
}

func second() {
	if ready {
		run(2)
	}
}

func third(name string) error {
	return fmt.Errorf("no such thing: %q", name)
}
`

// missed returns the nearest text of an edit that must miss.
func missed(t *testing.T, text, old string, target *Lines) *Nearest {
	t.Helper()
	_, err := apply(t, text, Request{Edits: one(old, "new text"), Target: target})
	var miss *NoMatchError
	if !errors.As(err, &miss) {
		t.Fatalf("%q: error is %v", old, err)
	}
	return miss.Nearest
}

func TestNearest(t *testing.T) {
	for name, c := range map[string]struct {
		text, old string
		lines     Lines
		space     bool
		near      string
		want      []string
	}{
		"spaces for tabs": {
			program, "    if ready {\n        run(2)\n    }\n", Lines{10, 12}, true, "\tif ready {\n\t\trun(2)\n\t}\n",
			[]string{
				"line 10: indentation: the file has 1 tab, oldText has 4 spaces",
				"line 11: indentation: the file has 2 tabs, oldText has 8 spaces",
				"line 12: indentation: the file has 1 tab, oldText has 4 spaces",
			},
		},
		"no indentation at all": {
			program, "if ready {\nrun(2)\n", Lines{10, 11}, true, "if ready {\n\t\trun(2)\n",
			[]string{"line 11: indentation: the file has 2 tabs, oldText has none"},
		},
		"trailing blanks": {
			"a = 1  \nb = 2\n", "a = 1\nb = 2\n", Lines{1, 2}, true, "a = 1  \nb = 2\n",
			[]string{"line 1: trailing white space: the file has 2 spaces, oldText has none"},
		},
		"blanks inside": {
			"call(a,b)\n", "call(a, b)", Lines{1, 1}, true, "call(a,b)",
			[]string{"line 1: white space inside the line: the file has none, oldText has 1 space"},
		},
		"no-break space": {
			"x\u00a0= 1\n", "x = 1", Lines{1, 1}, true, "x\u00a0= 1",
			[]string{"line 1: white space inside the line: the file has 1 no-break space, oldText has 1 space"},
		},
		"zero width": {
			"na\u200bme\n", "name", Lines{1, 1}, true, "na\u200bme",
			[]string{"line 1: white space inside the line: the file has 1 U+200B, oldText has none"},
		},
		"line endings": {
			"one\ntwo\nthree\n", "one\r\ntwo\r\n", Lines{1, 2}, true, "one\ntwo\n",
			[]string{
				"line 1: line ending: the file has LF, oldText has CRLF",
				"line 2: line ending: the file has LF, oldText has CRLF",
			},
		},
		"a blank line more": {
			"one\n\n\ntwo\n", "one\n\ntwo\n", Lines{1, 4}, true, "one\n\n\ntwo\n",
			[]string{"line 1: line breaks: the file has 3, oldText has 2"},
		},
		"no final newline": {
			"one\ntwo", "two\n", Lines{2, 2}, true, "two",
			[]string{"line 2: line breaks: the file has 0, oldText has 1"},
		},
		"a word differs": {
			program, "\treturn fmt.Errorf(\"no such name: %q\", name)\n", Lines{16, 16}, false,
			"\treturn fmt.Errorf(\"no such thing: %q\", name)\n",
			[]string{`line 16: text: the file has "return fmt.Errorf(\"no such thing: %q\", name)", oldText has "return fmt.Errorf(\"no such name: %q\", name)"`},
		},
		"one of several lines differs": {
			program, "func second() {\n\tif ready {\n    run(3)\n\t}\n}", Lines{9, 13}, false,
			"func second() {\n\tif ready {\n\t\trun(2)\n\t}\n}",
			[]string{`line 11: text: the file has "run(2)", oldText has "run(3)"`},
		},
		"and another its white space": {
			program, "func second() {\n  if ready {\n\t\trun(3)\n\t}\n}\n", Lines{9, 13}, false,
			"func second() {\n\tif ready {\n\t\trun(2)\n\t}\n}\n",
			[]string{
				"line 10: indentation: the file has 1 tab, oldText has 2 spaces",
				`line 11: text: the file has "run(2)", oldText has "run(3)"`,
			},
		},
		"in crlf": {
			strings.ReplaceAll(program, "\n", "\r\n"), "  if ready {\n\t\trun(2)\n", Lines{10, 11}, true, "\tif ready {\r\n\t\trun(2)\r\n",
			[]string{"line 10: indentation: the file has 1 tab, oldText has 2 spaces"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := missed(t, c.text, c.old, nil)
			if n == nil {
				t.Fatal("nothing is near")
			}
			if n.Lines != c.lines || n.Text != c.near || n.OnlySpace != c.space || n.Cut || n.More != 0 {
				t.Errorf("got %+v", n)
			}
			if got := fmt.Sprint(n.Differences); got != fmt.Sprint(c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNothingIsNear(t *testing.T) {
	for _, c := range [][2]string{
		{program, "SELECT zebra OVER quilt"}, {program, "\t\t\t\t \n\t"}, {program, "@"}, {"", "a"}, {"a", "bcd"}, {"\n\n", "no"},
	} {
		if n := missed(t, c[0], c[1], nil); n != nil {
			t.Errorf("%q is near %q", n.Text, c[1])
		}
	}
}

func TestNearestInTarget(t *testing.T) {
	if n := missed(t, program, "if ready { run(1) }", at(9, 13)); n == nil || n.Lines != (Lines{10, 10}) || n.OnlySpace {
		t.Errorf("got %+v", n)
	}
}

func TestNearestIsBounded(t *testing.T) {
	long := strings.Repeat("let x=1;", 10_000)
	n := missed(t, long+"const answer = 42;"+long, "const answer = 43;", nil)
	if n == nil || !strings.Contains(n.Text, "answer = 42") || len(n.Text) > 100 || n.Lines != (Lines{1, 1}) {
		t.Errorf("in a long line: %+v", n)
	}
	lines := strings.Repeat("\tsome line\n", 1000)
	n = missed(t, lines, strings.Repeat("some line\n", 1000), nil)
	if n == nil || !n.Cut || len(n.Text) > mostNearest || len(n.Differences) != mostDifferences || n.More != 1000-1-mostDifferences {
		t.Errorf("many lines: %+v", n)
	}
}

// TestNearestFindsItsWayBack damages a piece of a program, and wants its lines named.
func TestNearestFindsItsWayBack(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "func name%d(x int) int {\n\ty := x * %d\n\treturn y + other%d(x)\n}\n\n", i, i*7, i*3)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	r := rand.New(rand.NewPCG(7, 8))
	right := 0
	const tries = 300
	for range tries {
		from, n := r.IntN(390)*5, 2+r.IntN(8)
		old := strings.Join(lines[from:from+n], "")
		damaged := strings.Replace(strings.ReplaceAll(old, "\t", "  "), "x", "xx", 1)
		if near := missed(t, b.String(), damaged, nil); near != nil && near.Lines.From == from+1 {
			right++
		}
	}
	if right < tries*95/100 {
		t.Errorf("%d of %d were found", right, tries)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("a b\n\tc d\n", "a  b\nc d")
	f.Add("x\u00a0y\r\nz", "x y\n z\n")
	f.Add(program, "func secnd() {\n  if ready")
	f.Add("\u200b\ufeffé\n\n\n", "\n\né\n")
	f.Add(strings.Repeat("ab", 300), "abba")
	f.Fuzz(func(t *testing.T, text, old string) {
		if old == "" || !utf8.ValidString(text) || !utf8.ValidString(old) {
			return
		}
		n := nearest([]byte(text), Range{0, len(text)}, old)
		if n == nil {
			return
		}
		if !utf8.ValidString(n.Text) || !strings.Contains(text, n.Text) {
			t.Fatalf("%q is no text of %q", n.Text, text)
		}
		lines := CountLines([]byte(text))
		if n.Lines.From < 1 || n.Lines.From > lines+1 || n.Lines.To > lines {
			t.Fatalf("lines %v of %d", n.Lines, lines)
		}
		if bare := string(squeeze([]byte(n.Text))); n.OnlySpace && !n.Cut && bare != string(squeeze([]byte(old))) {
			t.Fatalf("%q differs from %q in more than white space", n.Text, old)
		}
		if n.OnlySpace && !n.Cut && strings.ReplaceAll(n.Text, "\r\n", "\n") != strings.ReplaceAll(old, "\r\n", "\n") && len(n.Differences) == 0 {
			t.Fatalf("%q and %q: nothing differs", n.Text, old)
		}
	})
}

func large() string {
	var b strings.Builder
	for i := 0; b.Len() < 5_000_000; i++ {
		fmt.Fprintf(&b, "\tresult%d, err := compute(ctx, input[%d], options.Value%d)\n", i%97, i, i%13)
	}
	return b.String()
}

func BenchmarkMiss(b *testing.B) {
	text := []byte(large())
	for name, old := range map[string]string{
		"space": "    result40, err := compute(ctx, input[70000], options.Value8)\n",
		"word":  "\tresult, err := compute(ctx, input[700001], opts.Value8)\n",
		"none":  "zebra quilts jump over vexed wizards",
		"long":  strings.ReplaceAll(string(text[1_000_000:1_100_000]), "compute", "count"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Apply(b.Context(), text, Request{Edits: one(old, "x")}); err == nil {
					b.Fatal("found")
				}
			}
		})
	}
}

func BenchmarkHit(b *testing.B) {
	text := []byte(large())
	for name, req := range map[string]Request{
		"one": {Edits: one("input[70000]", "input[x]")},
		"all": {Edits: one("compute", "calculate"), Target: at(1, 1<<30), Strategy: AllInTarget},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r, err := Apply(b.Context(), text, req)
				if err != nil {
					b.Fatal(err)
				}
				Diff("f", text, r.Text, r.Changes)
			}
		})
	}
}
