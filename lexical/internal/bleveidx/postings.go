package bleveidx

import "encoding/binary"

// postings writes lists of postings.
type postings struct {
	*made
	docs   int
	single []uint64 // by document: where the list of only this document is; 0: nowhere yet
	zero   uint64   // where the zeros are that all lists share which are one chunk
}

// chunk is the number of postings from which on zap's lists have more than one chunk.
const chunk = 1024

// zeros writes the frequencies of all lists of one chunk: no list reads more of them than
// it has postings.
func (p *postings) zeros(v *inverted) {
	longest := 0
	for w := range v.words {
		if n := len(v.of(uint32(w))); n < chunk {
			longest = max(longest, n)
		}
	}
	p.zero = p.at()
	p.uvarint(1, uint64(longest)) // one chunk, and its end
	p.buf = append(p.buf, make([]byte, longest)...)
}

// write writes a list, which is not empty, and returns where it is.
func (p *postings) write(docs []uint32) uint64 {
	if len(docs) == 1 && p.single[docs[0]] != 0 {
		return p.single[docs[0]]
	}
	frequencies := p.zero
	if len(docs) >= chunk {
		frequencies = p.chunks(docs)
	}
	at := p.at()
	p.uvarint(frequencies, 0) // no positions
	p.uvarint(uint64(bitmapSize(docs)))
	p.buf = appendBitmap(p.buf, docs)
	if len(docs) == 1 {
		p.single[docs[0]] = at
	}
	return at
}

// chunks writes the frequencies of a long list: the number of chunks, the end of each,
// and the zeros. A chunk covers a range of documents.
func (p *postings) chunks(docs []uint32) uint64 {
	size := uint32(p.docs / (len(docs)/chunk + 1))
	ends := make([]uint64, (uint32(p.docs)-1)/size+1)
	for _, d := range docs {
		ends[d/size]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	at := p.at()
	p.uvarint(uint64(len(ends)))
	p.uvarint(ends...)
	p.buf = append(p.buf, make([]byte, len(docs))...)
	return at
}

// The portable form of roaring bitmaps without runs: a mark, the number of containers, the
// high half of the numbers in each and how many there are (less one), where each
// container begins, and the containers: the low halves as a list, or as bits where these
// are not more bytes.
const (
	bitmapMark  = 12346
	bitmapHead  = 8
	perPart     = 8
	denseFrom   = 4097 // numbers in a container from which on it is bits
	denseSize   = 1 << 16 / 8
	sparseWidth = 2
)

// parts calls yield with each run of numbers that share their high half.
func parts(docs []uint32, yield func(part []uint32)) {
	for len(docs) > 0 {
		n := 1
		if last := docs[len(docs)-1]; last>>16 == docs[0]>>16 {
			n = len(docs)
		}
		for n < len(docs) && docs[n]>>16 == docs[0]>>16 {
			n++
		}
		yield(docs[:n])
		docs = docs[n:]
	}
}

func partSize(part []uint32) int {
	if len(part) >= denseFrom {
		return denseSize
	}
	return sparseWidth * len(part)
}

func bitmapSize(docs []uint32) int {
	size := bitmapHead
	parts(docs, func(part []uint32) { size += perPart + partSize(part) })
	return size
}

func appendBitmap(b []byte, docs []uint32) []byte {
	count := 0
	parts(docs, func([]uint32) { count++ })
	b = binary.LittleEndian.AppendUint32(b, bitmapMark)
	b = binary.LittleEndian.AppendUint32(b, uint32(count))
	parts(docs, func(part []uint32) {
		b = binary.LittleEndian.AppendUint16(b, uint16(part[0]>>16))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(part)-1))
	})
	at := bitmapHead + perPart*count
	parts(docs, func(part []uint32) {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += partSize(part)
	})
	parts(docs, func(part []uint32) {
		if len(part) < denseFrom {
			for _, d := range part {
				b = binary.LittleEndian.AppendUint16(b, uint16(d))
			}
			return
		}
		start := len(b)
		b = append(b, make([]byte, denseSize)...)
		for _, d := range part {
			b[start+int(uint16(d)>>3)] |= 1 << (d & 7)
		}
	})
	return b
}
