package edit

import (
	"bytes"
	"slices"
	"sort"
)

const crlf = "\r\n"

// folded is a text in which "\r\n" is one byte, a newline. A text without any is
// itself. As what is looked for, its newlines that were "\r\n" match only such.
type folded struct {
	text []byte
	crs  []int // offsets in text of the newlines that were "\r\n", rising
}

func fold(raw []byte) folded {
	n := bytes.Count(raw, []byte(crlf))
	if n == 0 {
		return folded{text: raw}
	}
	f := folded{text: make([]byte, 0, len(raw)-n), crs: make([]int, 0, n)}
	for range n {
		i := bytes.Index(raw, []byte(crlf))
		f.text = append(f.text, raw[:i]...)
		f.crs = append(f.crs, len(f.text))
		f.text = append(f.text, '\n')
		raw = raw[i+len(crlf):]
	}
	f.text = append(f.text, raw...)
	return f
}

// raw translates an offset into the text as it was. That of a newline is that of its
// carriage return.
func (f *folded) raw(i int) int { return i + sort.SearchInts(f.crs, i) }

// folded is the reverse of raw.
func (f *folded) folded(raw int) int {
	return raw - sort.Search(len(f.crs), func(k int) bool { return f.crs[k]+k >= raw })
}

// isCRLF reports whether the newline at i was "\r\n".
func (f *folded) isCRLF(i int) bool {
	_, ok := slices.BinarySearch(f.crs, i)
	return ok
}

// holds reports whether p, whose text stands at an offset, has its "\r\n" there too.
func (f *folded) holds(p *folded, at int) bool {
	for _, i := range p.crs {
		if !f.isCRLF(at + i) {
			return false
		}
	}
	return true
}

func (f *folded) equal(p *folded, r Range) bool {
	return bytes.Equal(f.text[r.From:r.To], p.text) && f.holds(p, r.From)
}

// index returns where p first stands in from..to, or -1.
func (f *folded) index(p *folded, from, to int) int {
	for from+len(p.text) <= to {
		i := bytes.Index(f.text[from:to], p.text)
		if i < 0 {
			return -1
		}
		if from += i; f.holds(p, from) {
			return from
		}
		from++
	}
	return -1
}

// all returns the first occurrences in from..to that do not overlap.
func (f *folded) all(p *folded, from, to, most int) []Range {
	var out []Range
	for len(out) < most {
		at := f.index(p, from, to)
		if at < 0 {
			break
		}
		from = at + len(p.text)
		out = append(out, Range{at, from})
	}
	return out
}

// count counts occurrences in the whole text up to most.
func (f *folded) count(p *folded, most int) int {
	n := 0
	for from := 0; n < most; n++ {
		at := f.index(p, from, len(f.text))
		if at < 0 {
			break
		}
		from = at + len(p.text)
	}
	return n
}

// trimNewline cuts the newline off that ends the text.
func (f *folded) trimNewline() (folded, bool) {
	n := len(f.text) - 1
	if n < 0 || f.text[n] != '\n' {
		return folded{}, false
	}
	at := sort.SearchInts(f.crs, n)
	return folded{text: f.text[:n], crs: f.crs[:at]}, true
}

// writer writes a new text with the newlines of the place where it comes to stand.
type writer struct {
	f    *folded
	text []byte
	crlf []byte // the text with "\r\n"; made when it is needed
	next int    // offset of the newline behind the last place, len(f.text) if there is none
}

// at returns the text for a match. Its newlines are those of the match; where that
// has none, those of the line on which it stands.
func (w *writer) at(m Range) []byte {
	if len(w.f.crs) == 0 || bytes.IndexByte(w.text, '\n') < 0 {
		return w.text
	}
	end := w.newlineFrom(m.From)
	if end == len(w.f.text) {
		end = bytes.LastIndexByte(w.f.text[:m.From], '\n')
	}
	if end < 0 || !w.f.isCRLF(end) {
		return w.text
	}
	if w.crlf == nil {
		lf := bytes.ReplaceAll(w.text, []byte(crlf), []byte("\n"))
		w.crlf = bytes.ReplaceAll(lf, []byte("\n"), []byte(crlf))
	}
	return w.crlf
}

// newlineFrom returns the first newline from an offset on. Matches come in order, so
// what was found for one often holds for the next.
func (w *writer) newlineFrom(from int) int {
	if w.next < from || w.next == 0 {
		i := bytes.IndexByte(w.f.text[from:], '\n')
		if i < 0 {
			i = len(w.f.text) - from
		}
		w.next = from + i
	}
	return w.next
}
