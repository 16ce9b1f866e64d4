package bleveidx

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/ralph-index/ralph-index/lexical/internal/word"
)

// inverted says of each word of some documents in which of them it stands.
type inverted struct {
	words []string
	// ends is the end of the word's part of docs, which begins where that of the word
	// before ends.
	ends []uint32
	docs []uint32 // positions in the list of documents, ascending for each word
}

// of returns the documents of a word.
func (v *inverted) of(w uint32) []uint32 {
	start := uint32(0)
	if w > 0 {
		start = v.ends[w-1]
	}
	return v.docs[start:v.ends[w]]
}

// invert numbers the words in the order in which it meets them, and then gives each of
// them its documents.
func invert(list []*Doc) *inverted {
	total := 0
	for _, d := range list {
		total += d.words.Len()
	}
	n := numbering{slots: make([]numbered, 1<<12)}
	numbers := make([]uint32, 0, total) // of each word of each document
	for _, d := range list {
		for i := range d.words.Len() {
			numbers = append(numbers, n.number(d.words.At(i)))
		}
	}
	v := &inverted{words: n.words, ends: make([]uint32, len(n.words)), docs: make([]uint32, total)}
	for _, w := range numbers {
		v.ends[w]++
	}
	start := uint32(0)
	for w, count := range v.ends {
		v.ends[w], start = start, start+count
	}
	at := 0
	for doc, d := range list {
		for _, w := range numbers[at : at+d.words.Len()] {
			v.docs[v.ends[w]] = uint32(doc)
			v.ends[w]++
		}
		at += d.words.Len()
	}
	return v
}

// sorted returns the numbers of the words, in the byte order of the words.
func (v *inverted) sorted() []uint32 {
	// The first bytes decide mostly, and need no look at the word.
	type head struct {
		first uint64
		word  uint32
	}
	heads := make([]head, len(v.words))
	for i, w := range v.words {
		var b [8]byte
		copy(b[:], w)
		heads[i] = head{binary.BigEndian.Uint64(b[:]), uint32(i)}
	}
	slices.SortFunc(heads, func(a, b head) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return cmp.Compare(v.words[a.word], v.words[b.word])
	})
	out := make([]uint32, len(heads))
	for i, h := range heads {
		out[i] = h.word
	}
	return out
}

// numbering gives numbers to words.
type numbering struct {
	words []string
	slots []numbered // open addressing; a power of two
}

type numbered struct{ hash, next uint32 } // next is the number and one; 0: free

func (n *numbering) number(w string, hash uint32) uint32 {
	if 2*len(n.words) >= len(n.slots) {
		n.grow()
	}
	mask := uint32(len(n.slots) - 1)
	for i := word.Slot(hash, mask); ; i = (i + 1) & mask {
		s := &n.slots[i]
		if s.next == 0 {
			n.words = append(n.words, w)
			*s = numbered{hash, uint32(len(n.words))}
			return s.next - 1
		}
		if s.hash == hash && n.words[s.next-1] == w {
			return s.next - 1
		}
	}
}

func (n *numbering) grow() {
	old := n.slots
	n.slots = make([]numbered, 2*len(old))
	mask := uint32(len(n.slots) - 1)
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		i := word.Slot(s.hash, mask)
		for n.slots[i].next != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = s
	}
}
