package edit

import (
	"bytes"
	"unicode/utf8"
)

// Range is a run of bytes; To is behind the last.
type Range struct{ From, To int }

// Change is a place where a text was changed: what stood there before, and what stands
// there after. Either may be empty, not both. Bytes that both begin or end with are no
// part of it.
type Change struct {
	Before, After           Range
	BeforeLines, AfterLines Lines
}

// span is a change in offsets alone.
type span struct{ before, after Range }

func (s span) grow() int { return (s.after.To - s.after.From) - (s.before.To - s.before.From) }

// compose joins changes from a first text to a second with changes from the second to
// a third. Both are in order; those that touch become one.
func compose(first, second []span) []span {
	out := make([]span, 0, len(first)+len(second))
	i, j := 0, 0
	grown1, grown2 := 0, 0 // bytes that the changes passed so far have added
	for i < len(first) || j < len(second) {
		// In the offsets of the second text.
		var r Range
		back, ahead := grown1, grown2
		if j == len(second) || i < len(first) && first[i].after.From <= second[j].before.From {
			r = first[i].after
		} else {
			r = second[j].before
		}
		for {
			if i < len(first) && first[i].after.From <= r.To {
				r.To = max(r.To, first[i].after.To)
				grown1 += first[i].grow()
				i++
				continue
			}
			if j < len(second) && second[j].before.From <= r.To {
				r.To = max(r.To, second[j].before.To)
				grown2 += second[j].grow()
				j++
				continue
			}
			break
		}
		out = append(out, span{Range{r.From - back, r.To - grown1}, Range{r.From + ahead, r.To + grown2}})
	}
	return out
}

// changes trims what did not change off spans, and counts their lines.
func changes(before, after []byte, spans []span) []Change {
	out := make([]Change, 0, len(spans))
	b, a := lineCounter{text: before}, lineCounter{text: after}
	for _, s := range spans {
		s = trim(before, after, s)
		if s.before == (Range{s.before.From, s.before.From}) && s.after.From == s.after.To {
			continue
		}
		out = append(out, Change{s.before, s.after, b.lines(s.before), a.lines(s.after)})
	}
	return out
}

// trim leaves out what both sides begin and end with, in whole characters.
func trim(before, after []byte, s span) span {
	b, a := before[s.before.From:s.before.To], after[s.after.From:s.after.To]
	n := 0
	for n < min(len(b), len(a)) && b[n] == a[n] {
		n++
	}
	for n > 0 && (n < len(b) && !utf8.RuneStart(b[n]) || n < len(a) && !utf8.RuneStart(a[n])) {
		n--
	}
	b, a = b[n:], a[n:]
	m := 0
	for m < min(len(b), len(a)) && b[len(b)-1-m] == a[len(a)-1-m] {
		m++
	}
	for m > 0 && !utf8.RuneStart(b[len(b)-m]) {
		m--
	}
	return span{
		Range{s.before.From + n, s.before.To - m},
		Range{s.after.From + n, s.after.To - m},
	}
}

// lineCounter counts the lines of ranges that come in order.
type lineCounter struct {
	text []byte
	off  int
	line int // newlines before off
}

// lines returns the lines that a range touches. One that is empty touches the line it
// stands in; between two lines it touches none.
func (c *lineCounter) lines(r Range) Lines {
	c.line += bytes.Count(c.text[c.off:r.From], []byte("\n"))
	c.off = r.From
	l := Lines{c.line + 1, c.line + 1}
	if r.From == r.To {
		if r.From == 0 || c.text[r.From-1] == '\n' {
			l.To--
		}
		return l
	}
	l.To += bytes.Count(c.text[r.From:r.To-1], []byte("\n"))
	return l
}

func linesOf(text []byte, r Range) Lines {
	c := lineCounter{text: text}
	return c.lines(r)
}

// lineStart returns where a line begins, 1-based, or where the text ends if it has
// fewer; ok says that it has that line. An empty text has an empty line 1.
func lineStart(text []byte, line int) (off int, ok bool) {
	if line < 1 {
		return 0, false
	}
	for range line - 1 {
		i := bytes.IndexByte(text[off:], '\n')
		if i < 0 {
			return len(text), false
		}
		off += i + 1
	}
	return off, off < len(text) || line == 1
}

// CountLines counts the lines of a text, an unterminated last one included.
func CountLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// invalidAt returns the offset of the first byte that is not UTF-8, or -1.
func invalidAt(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, w := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && w == 1 {
			return i
		}
		i += w
	}
	return -1
}
