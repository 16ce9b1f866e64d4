// Package word cuts text into the words that the lexical index holds. A word is a
// longest run of word bytes; both ends are decided by the adjacent bytes alone, so
// that any text that contains a literal has the literal's inner words as whole words.
package word

import (
	"math/bits"
	"unsafe"
)

// Words longer than Longest are held as pieces of that length which overlap by
// Overlap bytes: a part of up to Overlap bytes of a long word lies within one piece.
const (
	Longest = 1024
	Overlap = 192
)

// Is reports whether b is a word byte: an ASCII letter or digit, '_', or any byte of
// a character beyond ASCII.
func Is(b byte) bool {
	return b >= 0x80 || b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9'
}

// List holds distinct words of one text.
type List struct {
	text   string // one word behind another
	ends   []uint32
	hashes []uint32
}

// Len returns the number of words.
func (l *List) Len() int { return len(l.ends) }

// At returns the i-th word, and a hash that equal words share.
func (l *List) At(i int) (word string, hash uint32) {
	start := uint32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.text[start:l.ends[i]], l.hashes[i]
}

// Slot returns where to begin to look for a hash of At in a table of mask+1 slots, a
// power of two.
func Slot(hash, mask uint32) uint32 {
	return bits.Reverse32(hash*0x9e3779b1) & mask // FNV's low bits are the weak ones
}

// Set collects the distinct words of one text. It is reused from text to text.
type Set struct {
	isWord [256]bool
	slots  []slot // open addressing; a power of two
	room   []slot // slots is the beginning of it
	round  uint32 // slots of other rounds are free
	words  []place
	bytes  int
}

type slot struct {
	round uint32
	hash  uint32
	at    int32 // into words
}

type place struct {
	start, end int32
	hash       uint32
}

// few is the number of slots that each text begins with: that of most files stays in
// the processor's nearest caches, whatever the files before them were.
const few = 1 << 11

// NewSet returns an empty set.
func NewSet() *Set {
	s := &Set{room: make([]slot, few)}
	for b := range s.isWord {
		s.isWord[b] = Is(byte(b))
	}
	return s
}

// stride is how much of a source is read between two questions whether to go on.
const stride = 1 << 20

// Collect returns the distinct words of src, in the order in which they first stand
// there. src is below 2 GB. stop, where it is not nil, is asked about once a megabyte;
// when it says so the words are none and ok is false.
func (s *Set) Collect(src []byte, stop func() bool) (words List, ok bool) {
	s.reset()
	for i, due := 0, stride; i < len(src); {
		if i >= due {
			if stop != nil && stop() {
				return List{}, false
			}
			due = i + stride
		}
		for i < len(src) && !s.isWord[src[i]] {
			i++
		}
		start, h := i, uint32(2166136261)
		for i < len(src) && s.isWord[src[i]] {
			h = (h ^ uint32(src[i])) * 16777619
			i++
		}
		switch {
		case i == start:
		case i-start <= Longest:
			s.add(src, start, i, h)
		default:
			s.addLong(src, start, i)
		}
	}
	arena := make([]byte, 0, s.bytes)
	out := List{ends: make([]uint32, len(s.words)), hashes: make([]uint32, len(s.words))}
	for i, w := range s.words {
		arena = append(arena, src[w.start:w.end]...)
		out.ends[i], out.hashes[i] = uint32(len(arena)), w.hash
	}
	out.text = unsafe.String(unsafe.SliceData(arena), len(arena)) // nobody else has the bytes
	return out, true
}

func (s *Set) reset() {
	s.words, s.bytes, s.slots = s.words[:0], 0, s.room[:few]
	if s.round++; s.round == 0 {
		clear(s.room)
		s.round = 1
	}
}

func (s *Set) addLong(src []byte, start, end int) {
	for at := start; ; at += Longest - Overlap {
		stop := min(at+Longest, end)
		h := uint32(2166136261)
		for _, b := range src[at:stop] {
			h = (h ^ uint32(b)) * 16777619
		}
		s.add(src, at, stop, h)
		if stop == end {
			return
		}
	}
}

func (s *Set) add(src []byte, start, end int, h uint32) {
	if 2*len(s.words) >= len(s.slots) {
		s.grow()
	}
	mask := uint32(len(s.slots) - 1)
	for i := Slot(h, mask); ; i = (i + 1) & mask {
		sl := &s.slots[i]
		if sl.round != s.round {
			*sl = slot{s.round, h, int32(len(s.words))}
			s.words = append(s.words, place{int32(start), int32(end), h})
			s.bytes += end - start
			return
		}
		if sl.hash == h {
			w := s.words[sl.at]
			if string(src[w.start:w.end]) == string(src[start:end]) {
				return
			}
		}
	}
}

// grow doubles the table. What it held in the first half of it is put anew from words.
func (s *Set) grow() {
	size := 2 * len(s.slots)
	if len(s.room) < size {
		s.room = make([]slot, size)
	}
	s.slots = s.room[:size]
	if s.round++; s.round == 0 {
		clear(s.room)
		s.round = 1
	}
	mask := uint32(size - 1)
	for at, w := range s.words {
		i := Slot(w.hash, mask)
		for s.slots[i].round == s.round {
			i = (i + 1) & mask
		}
		s.slots[i] = slot{s.round, w.hash, int32(at)}
	}
}
