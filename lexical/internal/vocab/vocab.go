// Package vocab finds the words of an index segment that contain a text. It holds
// the words of one immutable segment in flat form, so that a look-up is a search in
// memory, behind a filter that says which parts are worth searching. It knows words
// only, not the files that they stand in. Its caller is package lexical.
//
// The filter is bit-sliced: the words are cut into blocks of about 1 KB; each
// trigram is hashed to one of 2,048 rows, and a row has one bit for each block that
// holds such a trigram. The rows of all trigrams of the text are ANDed; what is left
// is searched. Trigrams are taken of case-folded words with a separator at both
// ends, so that one filter serves all kinds of queries and short prefixes too.
package vocab

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/lexical/match"
)

const (
	separator   = '\n'
	blockTarget = 1 << 10
	rowBits     = 11
	rowCount    = 1 << rowBits
	// filterFrom is the size of text from which a filter is kept: below, searching
	// it all takes some microseconds.
	filterFrom = 32 << 10
)

// Edge says what may stand beside a text within a word.
type Edge uint8

// The edges.
const (
	Open   Edge = iota // anything
	Closed             // nothing: the word ends there
	Wide               // nothing, or a byte beyond ASCII
)

// Query asks for the words that contain a text.
type Query struct {
	Text        string
	Fold        bool // by Unicode simple folding
	Left, Right Edge
}

// Vocab is a set of words. It is safe for concurrent use.
type Vocab struct {
	// Words of ASCII alone are apart from the others, which are few: only those have
	// edges of kind Wide.
	ascii, wide part
	raw         []byte // the encoded form that the parts point into
	unmap       func() error
}

// part is a run of words: separator, word, separator, word, separator.
type part struct {
	text   []byte
	blocks []byte // uint32 each: where block i starts, at a separator; one more for the end
	rows   []byte // rowCount rows of stride bytes; empty without a filter
	stride int
}

func (p *part) blockCount() int { return max(0, len(p.blocks)/4-1) }

func (p *part) blockAt(i int) int { return int(binary.LittleEndian.Uint32(p.blocks[4*i:])) }

// Size returns the bytes that the vocabulary takes.
func (v *Vocab) Size() int { return len(v.raw) }

// Find calls yield with each word that answers the query until it returns false. The
// word is valid as long as the vocabulary.
func (v *Vocab) Find(q Query, yield func(word []byte) bool) {
	asciiOnly := q
	if asciiOnly.Left == Wide {
		asciiOnly.Left = Closed
	}
	if asciiOnly.Right == Wide {
		asciiOnly.Right = Closed
	}
	if v.ascii.find(asciiOnly, yield) {
		v.wide.find(q, yield)
	}
}

// FindWide is Find over the words that are not ASCII alone.
func (v *Vocab) FindWide(q Query, yield func(word []byte) bool) { v.wide.find(q, yield) }

func (p *part) find(q Query, yield func(word []byte) bool) (more bool) {
	if len(p.text) == 0 || q.Text == "" {
		return true
	}
	needle := q.Text
	if q.Left == Closed {
		needle = string(rune(separator)) + needle
	}
	if q.Right == Closed {
		needle += string(rune(separator))
	}
	lit := match.Literal{Text: needle, Fold: q.Fold}
	if len(p.rows) == 0 || !utf8.ValidString(needle) {
		return findIn(p.text, lit, q, yield)
	}
	live := p.filter(needle)
	if live == nil {
		return findIn(p.text, lit, q, yield)
	}
	for from := nextBit(live, 0); from >= 0; {
		to := from + 1
		for to < p.blockCount() && live[to>>6]&(1<<(to&63)) != 0 {
			to++
		}
		// With the separator that the next block begins with.
		if !findIn(p.text[p.blockAt(from):p.blockAt(to)+1], lit, q, yield) {
			return false
		}
		from = nextBit(live, to)
	}
	return true
}

// filter returns one bit for each block that can hold the needle, nil when the
// needle is too short to tell.
func (p *part) filter(needle string) []uint64 {
	var live []uint64
	canon := appendFolded(nil, needle)
	for i := 0; i+3 <= len(canon); i++ {
		row := p.rows[rowOf(canon[i], canon[i+1], canon[i+2])*p.stride:][:p.stride]
		if live == nil {
			live = make([]uint64, p.stride/8)
			for j := range live {
				live[j] = binary.LittleEndian.Uint64(row[8*j:])
			}
			continue
		}
		for j := range live {
			live[j] &= binary.LittleEndian.Uint64(row[8*j:])
		}
	}
	return live
}

func nextBit(set []uint64, from int) int {
	for w := from >> 6; w < len(set); w++ {
		x := set[w]
		if w == from>>6 {
			x &= ^uint64(0) << (from & 63)
		}
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// findIn searches text, which begins and ends with a separator.
func findIn(text []byte, lit match.Literal, q Query, yield func(word []byte) bool) (more bool) {
	c := lit.Cursor(text)
	for from := 0; from < len(text); {
		start, end := c.Next(from)
		if start < 0 {
			return true
		}
		if q.Left == Closed {
			start++
		}
		if q.Right == Closed {
			end--
		}
		if q.Left == Wide && !wideEdge(text[start-1]) || q.Right == Wide && !wideEdge(text[end]) {
			from = start + 1
			continue
		}
		first := bytes.LastIndexByte(text[:start], separator) + 1
		last := end + bytes.IndexByte(text[end:], separator)
		if !yield(text[first:last:last]) {
			return false
		}
		from = last
	}
	return true
}

func wideEdge(b byte) bool { return b == separator || b >= utf8.RuneSelf }

func rowOf(a, b, c byte) int {
	return int((uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9e3779b1 >> (32 - rowBits))
}
