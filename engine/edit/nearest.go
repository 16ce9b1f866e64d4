package edit

import (
	"bytes"
	"unicode/utf8"
)

// Nearest is the text that is most like an old text that was not found.
type Nearest struct {
	Lines Lines
	Text  string // what stands there, or its beginning
	Cut   bool   // Text is only a part
	// OnlySpace says that nothing but white space differs.
	OnlySpace   bool
	Differences []Difference // the first few
	More        int          // further ones
}

const (
	mostNearest = 4000 // bytes of Nearest.Text
	// leastLike is the share of the old text's trigrams, in percent, that a place must
	// have to be called like it.
	leastLike = 40
)

// nearest looks in a region for the place most like old. It takes a few passes over
// the region, whatever old is.
func nearest(text []byte, region Range, old string) *Nearest {
	part := text[region.From:region.To]
	if r, ok := spaced(part, old); ok {
		return show(text, Range{region.From + r.From, region.From + r.To}, old, true)
	}
	end, ok := likest(part, old)
	if !ok {
		return nil
	}
	r := snap(part, end, old)
	return show(text, Range{region.From + r.From, region.From + r.To}, old, false)
}

// spaced looks for old without regard to white space.
func spaced(text []byte, old string) (Range, bool) {
	bare := squeeze([]byte(old))
	if len(bare) == 0 {
		return Range{}, false
	}
	at := bytes.Index(squeeze(text), bare)
	if at < 0 {
		return Range{}, false
	}
	from := unsqueeze(text, at)
	// The last character and not the place behind it: white space may follow.
	_, last := utf8.DecodeLastRune(bare)
	to := from + unsqueeze(text[from:], len(bare)-last) + last
	return Range{from - spaceBefore(text[:from], leading(old)), to + spaceAfter(text[to:], trailing(old))}, true
}

// spaceBefore returns how much of the white space at the end of text corresponds to
// the white space that an old text begins with: no more lines of it.
func spaceBefore(text []byte, lead string) int {
	n, lines := 0, countNewlines(lead)
	for lead != "" && n < len(text) {
		r, w := utf8.DecodeLastRune(text[:len(text)-n])
		if !isSpace(r) {
			break
		}
		if r == '\n' {
			if lines == 0 {
				break
			}
			lines--
		}
		n += w
	}
	return n
}

// spaceAfter is the same for the white space that follows.
func spaceAfter(text []byte, trail string) int {
	n, lines := 0, countNewlines(trail)
	for trail != "" && n < len(text) {
		r, w := utf8.DecodeRune(text[n:])
		if !isSpace(r) || r == '\n' && lines == 0 {
			break
		}
		n += w
		if r == '\n' {
			if lines--; lines == 0 && trail[len(trail)-1] == '\n' {
				break
			}
		}
	}
	return n
}

// trigrams counts the runs of three bytes without white space, by a hash of 16 bits.
type trigrams [1 << 16]int32

// trigramAt returns the hash of the run that ends at i.
func trigramAt(text []byte, i int) (hash uint32, ok bool) {
	a, b, c := text[i-2], text[i-1], text[i]
	if a <= ' ' || b <= ' ' || c <= ' ' {
		return 0, false
	}
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 >> 16, true
}

// likest slides a window as long as old over the text, and returns the end of the
// first one that has most of old's trigrams; ok says that it has enough of them.
func likest(text []byte, old string) (end int, ok bool) {
	want, sought := new(trigrams), []byte(old)
	total := 0
	for i := 2; i < len(sought); i++ {
		if h, ok := trigramAt(sought, i); ok {
			want[h]++
			total++
		}
	}
	if total == 0 {
		return 0, false
	}
	have := new(trigrams)
	score, best := 0, 0
	for i := 2; i < len(text); i++ {
		if h, ok := trigramAt(text, i); ok && want[h] > 0 {
			if have[h] < want[h] {
				score++
			}
			have[h]++
		}
		if j := i - len(old) + 2; j >= 2 {
			if h, ok := trigramAt(text, j); ok && want[h] > 0 {
				have[h]--
				if have[h] < want[h] {
					score--
				}
			}
		}
		if score > best {
			best, end = score, i+1
		}
	}
	return end, best*100 >= total*leastLike
}

// A window that has most trigrams may have them from two neighbours of the place that
// is meant, so up to snapLines lines around it are tried; mostCompared is how many
// lines are compared at each.
const (
	snapLines    = 50
	mostCompared = 200
)

// snap finds the lines of text that old was most likely meant to be: as many as old
// has, ending about where a likely place ends. Of lines that are much longer than old
// it takes the place itself, and half as much before and behind it.
func snap(text []byte, end int, old string) Range {
	lines := splitLines([]byte(old))
	n := len(lines)
	slack := min(n, snapLines) + 2
	from := end
	for range n + slack {
		if from == 0 {
			break
		}
		from = bytes.LastIndexByte(text[:from-1], '\n') + 1
	}
	best, bestScore := Range{}, -1.0
	for range 2*slack + 1 {
		to, score := from, 0.0
		for i := 0; i < n && to < len(text); i++ {
			next := len(text)
			if k := bytes.IndexByte(text[to:], '\n'); k >= 0 {
				next = to + k + 1
			}
			if i < mostCompared {
				score += alike(text[to:next], lines[i])
			}
			to = next
		}
		if score > bestScore {
			best, bestScore = Range{from, to}, score
		}
		k := bytes.IndexByte(text[from:], '\n')
		if k < 0 {
			break
		}
		from += k + 1
	}
	if best.To-best.From <= 4*len(old)+400 {
		return best
	}
	from, end = max(end-len(old)-len(old)/2, 0), min(end+len(old)/2, len(text))
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return Range{from, end}
}

// alike measures how much of two lines is the same, from 0 to 1: what they begin and
// end with, white space around them left out.
func alike(a, b []byte) float64 {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	if len(a) == 0 && len(b) == 0 {
		return 0.1
	}
	longest, most := max(len(a), len(b)), min(len(a), len(b))
	n := 0
	for n < most && a[n] == b[n] {
		n++
	}
	m := 0
	for m < most-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return float64(n+m) / float64(longest)
}

// show renders a place. A final newline that the old text has not is no part of it.
func show(text []byte, r Range, old string, onlySpace bool) *Nearest {
	if got := text[r.From:r.To]; old[len(old)-1] != '\n' && bytes.HasSuffix(got, []byte("\n")) {
		r.To = r.From + len(bytes.TrimSuffix(bytes.TrimSuffix(got, []byte("\n")), []byte{'\r'}))
	}
	got := text[r.From:r.To]
	n := &Nearest{Lines: linesOf(text, r), OnlySpace: onlySpace}
	if onlySpace {
		n.Differences, n.More = spaceDifferences(got, old, n.Lines.From)
	} else {
		n.Differences, n.More = lineDifferences(got, old, n.Lines.From)
	}
	n.Text, n.Cut = clip(string(got), mostNearest)
	return n
}

// clip cuts a text behind its first few bytes, not inside a character.
func clip(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most], true
}
