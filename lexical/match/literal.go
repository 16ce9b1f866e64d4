package match

import (
	"bytes"
	"context"
	"unicode/utf8"
)

// finder returns what looks for the literal.
func (l Literal) finder() finder {
	var f finder
	switch {
	case l.Text == "":
		f = emptyFinder{}
	case l.Fold:
		f = newFoldFinder(l.Text)
	default:
		f = newExactFinder(l.Text)
	}
	if l.Word {
		return wordFinder{f}
	}
	return f
}

// exactFinder looks for the very bytes: for the rarest of them, which the processor
// finds many bytes at a time, and for the others around it.
type exactFinder struct {
	needle []byte
	rare   int // place of the rarest byte in needle
}

func newExactFinder(text string) *exactFinder {
	f := &exactFinder{needle: []byte(text)}
	for i, b := range f.needle {
		if byteFrequency[b] < byteFrequency[f.needle[f.rare]] {
			f.rare = i
		}
	}
	return f
}

type exactCursor struct {
	*exactFinder
	text []byte
}

func (f *exactFinder) cursor(text []byte) cursor { return &exactCursor{f, text} }

func (c *exactCursor) next(_ context.Context, from int) (int, int, error) {
	if i := c.find(c.text[from:]); i >= 0 {
		return from + i, from + i + len(c.needle), nil
	}
	return -1, 0, nil
}

// A text in which one byte in perMiss is the rarest of the needle is no text that the
// frequencies were measured for; the first fewMisses say nothing.
const (
	perMiss   = 8
	fewMisses = 16
)

func (f *exactFinder) find(text []byte) int {
	last := len(text) - len(f.needle) + f.rare // where the rarest byte can stand at most
	misses := 0
	for at := f.rare; at <= last; {
		i := bytes.IndexByte(text[at:last+1], f.needle[f.rare])
		if i < 0 {
			return -1
		}
		at += i
		start := at - f.rare
		if bytes.HasPrefix(text[start:], f.needle) {
			return start
		}
		at++
		if misses++; misses > fewMisses && misses*perMiss > at {
			start++
			if i = bytes.Index(text[start:], f.needle); i < 0 {
				return -1
			}
			return start + i
		}
	}
	return -1
}

// emptyFinder matches the empty text before every character and at the end.
type emptyFinder struct{}

type emptyCursor []byte

func (emptyFinder) cursor(text []byte) cursor { return emptyCursor(text) }

func (c emptyCursor) next(_ context.Context, from int) (int, int, error) {
	for i := max(0, from-utf8.UTFMax+1); i < from && from < len(c); i++ {
		if _, n := utf8.DecodeRune(c[i:]); i+n > from {
			from = i + n // it stood inside a character
		}
	}
	if from > len(c) {
		return -1, 0, nil
	}
	return from, from, nil
}

// wordFinder keeps the matches of another finder that no word character touches.
type wordFinder struct{ of finder }

type wordCursor struct {
	text []byte
	of   cursor
}

func (f wordFinder) cursor(text []byte) cursor { return &wordCursor{text, f.of.cursor(text)} }

func (c *wordCursor) next(ctx context.Context, from int) (int, int, error) {
	for from <= len(c.text) {
		start, end, err := c.of.next(ctx, from)
		if start < 0 || err != nil {
			return start, end, err
		}
		before, _ := utf8.DecodeLastRune(c.text[:start])
		after, _ := utf8.DecodeRune(c.text[end:])
		// At either end of the text both decode to RuneError, which is no word
		// character; so does a byte that is not UTF-8.
		if !isWord(before) && !isWord(after) {
			return start, end, nil
		}
		from = start + 1 // occurrences may overlap
	}
	return -1, 0, nil
}

// anyFinder finds the first match of several finders.
type anyFinder []finder

type anyCursor struct {
	of   []cursor
	hits []span // the pending match of each; start -1: no more
}

type span struct{ start, end int }

func (f anyFinder) cursor(text []byte) cursor {
	c := &anyCursor{of: make([]cursor, len(f)), hits: make([]span, len(f))}
	for i, g := range f {
		c.of[i] = g.cursor(text)
		c.hits[i].start = -2 // not asked yet
	}
	return c
}

func (c *anyCursor) next(ctx context.Context, from int) (int, int, error) {
	best := span{-1, 0}
	for i := range c.of {
		h := &c.hits[i]
		if h.start == -2 || h.start >= 0 && h.start < from {
			var err error
			if h.start, h.end, err = c.of[i].next(ctx, from); err != nil {
				return -1, 0, err
			}
		}
		if h.start >= 0 && (best.start < 0 || h.start < best.start) {
			best = *h
		}
	}
	return best.start, best.end, nil
}

// Cursor walks the places of a literal in one text. It is for one goroutine.
type Cursor struct{ of cursor }

// Cursor starts at the beginning of text, which must not change meanwhile.
func (l Literal) Cursor(text []byte) Cursor { return Cursor{l.finder().cursor(text)} }

// Next returns the first place that starts at or after from, which never moves
// back; start is -1 where there is none. Line ends are bytes like any other here.
func (c Cursor) Next(from int) (start, end int) {
	start, end, _ = c.of.next(context.Background(), from) // literals look at no context
	return start, end
}
