package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/s2"

	"github.com/ralph-index/ralph-index/graph"
)

// maxFacts bounds a blob, and so the memory that one damaged value can ask for. A
// source of 24 MB has facts of less than 20 MB.
const maxFacts = 128 << 20

// compressor makes blobs about half as large on disk. It is chosen for its speed: most
// of a blob is numbers, of which a slower one saves another tenth. A packed blob is the
// head of the hash of what follows it, and an S2 block. The compressor is safe for
// concurrent use.
type compressor struct {
	rooms sync.Pool // of *[]byte, for what is unpacked and soon forgotten
}

const packedSum = 4 // bytes of the hash

// maxRoom is the size above which a buffer is not kept.
const maxRoom = 256 << 10

// room returns a buffer. giveBack ends its use.
func (c *compressor) room() *[]byte {
	if b, ok := c.rooms.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

func (c *compressor) giveBack(b *[]byte) {
	if cap(*b) <= maxRoom {
		c.rooms.Put(b)
	}
}

func (c *compressor) pack(blob []byte) []byte {
	room := c.room()
	defer c.giveBack(room)
	*room = slices.Grow((*room)[:0], packedSum+s2.MaxEncodedLen(len(blob)))[:packedSum]
	block := s2.Encode((*room)[packedSum:cap(*room)], blob)
	out := make([]byte, packedSum, packedSum+len(block))
	binary.LittleEndian.PutUint32(out, uint32(xxhash.Sum64(block)))
	return append(out, block...)
}

// unpack returns what packed holds, behind what stands in into.
func (c *compressor) unpack(id graph.FileID, packed, into []byte) ([]byte, error) {
	if len(packed) < packedSum || binary.LittleEndian.Uint32(packed) != uint32(xxhash.Sum64(packed[packedSum:])) {
		return nil, fmt.Errorf("%w: facts under file id %d do not hold what was written", ErrCorrupt, id)
	}
	block := packed[packedSum:]
	n, err := s2.DecodedLen(block)
	if err == nil && n > maxFacts {
		err = fmt.Errorf("%d bytes", n)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: facts under file id %d: %w", ErrCorrupt, id, err)
	}
	into = slices.Grow(into, n)
	if _, err := s2.Decode(into[len(into):len(into)+n], block); err != nil {
		return nil, fmt.Errorf("%w: facts under file id %d: %w", ErrCorrupt, id, err)
	}
	return into[:len(into)+n], nil
}
