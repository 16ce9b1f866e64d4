package match

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"
)

// foldFinder looks for a text by simple folding. A rune matches any rune of its fold
// orbit, whose encodings may differ in length: "k" also matches the three bytes of
// the Kelvin sign. It looks for the rarest rune of the text in each of its forms and
// compares to both sides from there.
type foldFinder struct {
	units  []unit
	anchor int
}

// unit is one rune of the text in all its forms, or one byte that is not UTF-8.
type unit struct{ forms [][]byte }

func newFoldFinder(text string) *foldFinder {
	f := &foldFinder{}
	best := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		u := unit{forms: [][]byte{[]byte(text[i : i+n])}}
		if r != utf8.RuneError || n > 1 {
			for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
				u.forms = append(u.forms, []byte(string(o)))
			}
		}
		if cost := u.cost(); len(f.units) == 0 || cost < best {
			f.anchor, best = len(f.units), cost
		}
		f.units = append(f.units, u)
		i += n
	}
	return f
}

// anotherPass is what looking for one more form costs, as if it were so frequent.
const anotherPass = 10

// cost estimates how often the forms turn up in source text.
func (u unit) cost() int {
	cost := 0
	for _, form := range u.forms {
		if len(form) == 1 {
			cost += int(byteFrequency[form[0]])
		} else {
			cost += anotherPass // rare, but looked for apart
		}
	}
	return cost
}

type foldCursor struct {
	*foldFinder
	text []byte
	// at is the next occurrence of each form of the anchor; len(text): none.
	at []int
}

func (f *foldFinder) cursor(text []byte) cursor {
	c := &foldCursor{foldFinder: f, text: text, at: make([]int, len(f.units[f.anchor].forms))}
	for i := range c.at {
		c.at[i] = -1
	}
	return c
}

func (c *foldCursor) next(_ context.Context, from int) (int, int, error) {
	for {
		form, pos := c.first(from)
		if pos == len(c.text) {
			return -1, 0, nil
		}
		c.at[form] = c.seek(form, pos+1)
		start := c.back(pos)
		if start < from { // no match, or one that the caller has passed
			continue
		}
		if end := c.forward(pos + len(c.units[c.anchor].forms[form])); end >= 0 {
			// The same anchor may be asked for again: a caller that moves on by one
			// byte only wants what starts later, so it stays passed.
			return start, end, nil
		}
	}
}

// first returns the form of the anchor that occurs first at or after from.
func (c *foldCursor) first(from int) (form, pos int) {
	pos = len(c.text)
	for i := range c.at {
		if c.at[i] < from {
			c.at[i] = c.seek(i, from)
		}
		if c.at[i] < pos {
			form, pos = i, c.at[i]
		}
	}
	return form, pos
}

func (c *foldCursor) seek(form, from int) int {
	if from >= len(c.text) {
		return len(c.text)
	}
	b := c.units[c.anchor].forms[form]
	var i int
	if len(b) == 1 {
		i = bytes.IndexByte(c.text[from:], b[0])
	} else {
		i = bytes.Index(c.text[from:], b)
	}
	if i < 0 {
		return len(c.text)
	}
	return from + i
}

// back matches the units before the anchor backwards from pos, -1 for no.
func (c *foldCursor) back(pos int) int {
units:
	for i := c.anchor - 1; i >= 0; i-- {
		for _, form := range c.units[i].forms {
			if bytes.HasSuffix(c.text[:pos], form) {
				pos -= len(form)
				continue units
			}
		}
		return -1
	}
	return pos
}

// forward matches the units after the anchor from pos on, -1 for no.
func (c *foldCursor) forward(pos int) int {
units:
	for i := c.anchor + 1; i < len(c.units); i++ {
		for _, form := range c.units[i].forms {
			if bytes.HasPrefix(c.text[pos:], form) {
				pos += len(form)
				continue units
			}
		}
		return -1
	}
	return pos
}

// hasCase reports whether folding changes anything about the text.
func hasCase(text string) bool {
	for _, r := range text {
		if unicode.SimpleFold(r) != r {
			return true
		}
	}
	return false
}

// isWord reports whether r is a word character as Unicode's annex on regular
// expressions has it.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
		unicode.Other_Alphabetic, unicode.Join_Control)
}
