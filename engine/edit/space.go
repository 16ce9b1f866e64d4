package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Difference is one way in which the nearest text differs from an old text.
type Difference struct {
	Line int // of the text
	What string
	// Text and Old say what either has: white space in words, text in quotes.
	Text, Old string
}

func (d Difference) String() string {
	return fmt.Sprintf("line %d: %s: the file has %s, oldText has %s", d.Line, d.What, d.Text, d.Old)
}

// What differs.
const (
	Indentation   = "indentation"
	TrailingSpace = "trailing white space"
	InnerSpace    = "white space inside the line"
	LineEnding    = "line ending"
	LineBreaks    = "line breaks"
	OtherText     = "text"
)

// mostDifferences is how many differences are listed.
const mostDifferences = 5

// isSpace reports white space, including what has no width.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\ufeff'
}

// squeeze leaves the white space out of a text.
func squeeze(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !asciiSpace(c) {
				out = append(out, c)
			}
			i++
			continue
		}
		r, w := utf8.DecodeRune(text[i:])
		if !isSpace(r) {
			out = append(out, text[i:i+w]...)
		}
		i += w
	}
	return out
}

// unsqueeze returns where the byte n of squeeze(text) stands in text.
func unsqueeze(text []byte, n int) int {
	i := 0
	for i < len(text) {
		w, space := 1, false
		if c := text[i]; c < utf8.RuneSelf {
			space = asciiSpace(c)
		} else {
			var r rune
			r, w = utf8.DecodeRune(text[i:])
			space = isSpace(r)
		}
		if !space {
			if n < w {
				break
			}
			n -= w
		}
		i += w
	}
	return i
}

func asciiSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func leading(s string) string {
	return s[:len(s)-len(strings.TrimLeftFunc(s, isSpace))]
}

func trailing(s string) string {
	return s[len(strings.TrimRightFunc(s, isSpace)):]
}

func countNewlines(s string) int { return strings.Count(s, "\n") }

// found collects differences.
type found struct {
	list []Difference
	more int
}

func (f *found) add(d Difference) {
	if len(f.list) == mostDifferences {
		f.more++
		return
	}
	f.list = append(f.list, d)
}

// spaceDifferences compares two texts that are the same without white space, gap by
// gap. line is that of the first.
func spaceDifferences(text []byte, old string, line int) ([]Difference, int) {
	var f found
	got := string(text)
	first := true
	for got != "" || old != "" {
		a, b := leading(got), leading(old)
		if a != b {
			f.gap(a, b, line, first)
		}
		first = false
		line += countNewlines(a)
		got, old = got[len(a):], old[len(b):]
		n := sameWord(got, old)
		if n == 0 && got != "" {
			break // not the same after all
		}
		got, old = got[n:], old[n:]
	}
	return f.list, f.more
}

// sameWord returns how many bytes both texts begin with before white space in either.
func sameWord(a, b string) int {
	n := 0
	for n < len(a) {
		r, w := utf8.DecodeRuneInString(a[n:])
		if isSpace(r) || !strings.HasPrefix(b[n:], a[n:n+w]) {
			break
		}
		n += w
	}
	return n
}

// gap names the difference between two runs of white space. atStart says that nothing
// stands before them.
func (f *found) gap(text, old string, line int, atStart bool) {
	add := func(line int, what, a, b string) {
		if a != b {
			f.add(Difference{line, what, spaceName(a), spaceName(b)})
		}
	}
	a, b := strings.Split(text, "\n"), strings.Split(old, "\n")
	switch {
	case len(a) != len(b):
		f.add(Difference{line, LineBreaks, strconv.Itoa(len(a) - 1), strconv.Itoa(len(b) - 1)})
	case len(a) == 1 && atStart:
		add(line, Indentation, text, old)
	case len(a) == 1:
		add(line, InnerSpace, text, old)
	default:
		for i := range a {
			last := i == len(a)-1
			if !last {
				x, xcr := strings.CutSuffix(a[i], "\r")
				y, ycr := strings.CutSuffix(b[i], "\r")
				if ycr && !xcr { // the reverse is no reason for a miss
					f.add(Difference{line + i, LineEnding, "LF", "CRLF"})
				}
				add(line+i, TrailingSpace, x, y)
				continue
			}
			add(line+i, Indentation, a[i], b[i])
		}
	}
}

// spaceName says white space in words.
func spaceName(s string) string {
	if s == "" {
		return "none"
	}
	var parts []string
	for s != "" {
		r, _ := utf8.DecodeRuneInString(s)
		n := 0
		for strings.HasPrefix(s, string(r)) {
			s = s[len(string(r)):]
			n++
		}
		name, ok := map[rune]string{' ': "space", '\t': "tab", '\r': "carriage return", '\u00a0': "no-break space"}[r]
		if !ok {
			name = fmt.Sprintf("U+%04X", r)
		}
		if n > 1 {
			name += "s"
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, name))
	}
	return strings.Join(parts, " and ")
}

// lineDifferences compares texts line by line.
func lineDifferences(text []byte, old string, line int) ([]Difference, int) {
	var f found
	a, b := splitLines(text), splitLines([]byte(old))
	if len(a) != len(b) {
		f.add(Difference{line, LineBreaks, fmt.Sprintf("%d lines", len(a)), fmt.Sprintf("%d lines", len(b))})
	}
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		switch {
		case bytes.Equal(x, y):
		case slices.Equal(squeeze(x), squeeze(y)):
			list, more := spaceDifferences(x, string(y), line+i)
			for _, d := range list {
				f.add(d)
			}
			f.more += more
		default:
			f.add(Difference{line + i, OtherText, quote(x), quote(y)})
		}
	}
	return f.list, f.more
}

// quote shows a line, or its beginning.
func quote(line []byte) string {
	const most = 120
	s, cut := clip(strings.TrimSpace(string(line)), most)
	if cut {
		s += "…"
	}
	return strconv.Quote(s)
}
