package store

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/ralph-index/ralph-index/graph"
)

// maxFacts bounds a blob, and so the memory that one damaged value can ask for. A
// source of 24 MB has facts of less than 20 MB.
const maxFacts = 128 << 20

// compressor makes blobs about half as large on disk, for 10 us each way. It is safe
// for concurrent use.
type compressor struct {
	enc *zstd.Encoder
	dec *zstd.Decoder

	rooms sync.Pool // of *[]byte, for what is unpacked and soon forgotten
}

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

func newCompressor() (*compressor, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("create compressor: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxFacts))
	if err != nil {
		return nil, fmt.Errorf("create decompressor: %w", err)
	}
	return &compressor{enc: enc, dec: dec}, nil
}

func (c *compressor) pack(blob []byte) []byte {
	return c.enc.EncodeAll(blob, make([]byte, 0, 64+len(blob)/2))
}

// unpack returns what packed holds, behind what stands in into.
func (c *compressor) unpack(id graph.FileID, packed, into []byte) ([]byte, error) {
	b, err := c.dec.DecodeAll(packed, into)
	if err != nil {
		return nil, fmt.Errorf("%w: facts under file id %d: %w", ErrCorrupt, id, err)
	}
	return b, nil
}
