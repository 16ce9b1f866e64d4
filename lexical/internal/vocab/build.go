package vocab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// Stamp ties an encoded vocabulary to the segment that it was made of.
type Stamp struct {
	Size int64
	CRC  uint32
}

// ErrStale is returned by Load for a file that does not belong to the segment, is
// damaged, or is not there.
var ErrStale = errors.New("vocabulary file is stale")

// The encoded form: magic, the stamp, six section lengths, the sections (each padded
// to eight bytes), a hash over everything before. Numbers are little-endian.
const (
	magic      = "rxvocab1"
	headerSize = 8 + 8 + 8 + 6*8
)

// Builder takes the words of a segment, each once.
type Builder struct{ ascii, wide partBuilder }

// Add adds a word. It must not contain a line end.
func (b *Builder) Add(word string) {
	p := &b.ascii
	for i := 0; i < len(word); i++ {
		if word[i] >= 0x80 {
			p = &b.wide
			break
		}
	}
	p.add(word)
}

// Build returns the vocabulary of the words added.
func (b *Builder) Build(s Stamp) *Vocab {
	var sections [6][]byte
	copy(sections[0:], b.ascii.sections())
	copy(sections[3:], b.wide.sections())
	size := headerSize + 8
	for _, s := range sections {
		size += padded(len(s))
	}
	raw := make([]byte, 0, size)
	raw = append(raw, magic...)
	raw = binary.LittleEndian.AppendUint64(raw, uint64(s.Size))
	raw = binary.LittleEndian.AppendUint64(raw, uint64(s.CRC))
	for _, s := range sections {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(len(s)))
	}
	for _, s := range sections {
		raw = append(raw, s...)
		raw = append(raw, make([]byte, padded(len(s))-len(s))...)
	}
	raw = binary.LittleEndian.AppendUint64(raw, xxhash.Sum64(raw))
	v, err := decodeVocab(raw, s)
	if err != nil {
		panic("vocab: cannot read what was just written: " + err.Error())
	}
	return v
}

func padded(n int) int { return (n + 7) &^ 7 }

type partBuilder struct {
	text   []byte
	blocks []uint32
}

func (p *partBuilder) add(word string) {
	if len(p.text) == 0 {
		p.text = append(p.text, separator)
		p.blocks = append(p.blocks, 0)
	}
	if at := uint32(len(p.text) - 1); at >= p.blocks[len(p.blocks)-1]+blockTarget {
		p.blocks = append(p.blocks, at)
	}
	p.text = append(p.text, word...)
	p.text = append(p.text, separator)
}

// sections returns text, block starts and filter rows.
func (p *partBuilder) sections() [][]byte {
	if len(p.text) < filterFrom {
		return [][]byte{p.text, nil, nil}
	}
	count := len(p.blocks)
	bounds := append(p.blocks, uint32(len(p.text)-1))
	blocks := make([]byte, 0, 4*len(bounds))
	for _, at := range bounds {
		blocks = binary.LittleEndian.AppendUint32(blocks, at)
	}
	stride := (count + 63) / 64 * 8
	rows := make([]byte, rowCount*stride)
	var folded []byte
	for i := range count {
		folded = appendFolded(folded[:0], p.text[bounds[i]:bounds[i+1]+1])
		at, bit := i>>3, byte(1)<<(i&7)
		for j := 0; j+3 <= len(folded); j++ {
			rows[rowOf(folded[j], folded[j+1], folded[j+2])*stride+at] |= bit
		}
	}
	return [][]byte{p.text, blocks, rows}
}

// decodeVocab reads the encoded form. It checks everything that find relies on.
func decodeVocab(raw []byte, want Stamp) (*Vocab, error) {
	if len(raw) < headerSize+8 || string(raw[:8]) != magic {
		return nil, fmt.Errorf("%w: header", ErrStale)
	}
	if got := (Stamp{int64(binary.LittleEndian.Uint64(raw[8:])), uint32(binary.LittleEndian.Uint64(raw[16:]))}); got != want {
		return nil, fmt.Errorf("%w: made for another segment", ErrStale)
	}
	body := raw[:len(raw)-8]
	if xxhash.Sum64(body) != binary.LittleEndian.Uint64(raw[len(body):]) {
		return nil, fmt.Errorf("%w: checksum", ErrStale)
	}
	var sections [6][]byte
	rest := body[headerSize:]
	for i := range sections {
		n := binary.LittleEndian.Uint64(raw[24+8*i:])
		if n > uint64(len(rest)) || padded(int(n)) > len(rest) {
			return nil, fmt.Errorf("%w: section lengths", ErrStale)
		}
		sections[i], rest = rest[:n:n], rest[padded(int(n)):]
	}
	v := &Vocab{raw: raw}
	v.ascii = newPart(sections[0], sections[1], sections[2])
	v.wide = newPart(sections[3], sections[4], sections[5])
	return v, nil
}

func newPart(text, blocks, rows []byte) part {
	return part{text: text, blocks: blocks, rows: rows, stride: len(rows) / rowCount}
}

// Save writes the vocabulary to a file, all of it or nothing. It makes the directory of
// the file, if it is not there, but none above.
func (v *Vocab) Save(path string) error {
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("save vocabulary: %w", err)
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, v.raw, 0o600); err != nil {
		return fmt.Errorf("save vocabulary: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("save vocabulary: %w", err)
	}
	return nil
}

// Load maps a saved vocabulary. The error wraps ErrStale when it has to be built
// anew. The vocabulary must be closed.
func Load(path string, want Stamp) (*Vocab, error) {
	raw, unmap, err := mapFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: no file", ErrStale)
	}
	if err != nil {
		return nil, fmt.Errorf("load vocabulary: %w", err)
	}
	v, err := decodeVocab(raw, want)
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	v.unmap = unmap
	return v, nil
}

// Mapped reports whether the words are read from a file. A nil Vocab has none.
func (v *Vocab) Mapped() bool { return v != nil && v.unmap != nil }

// Close lets go of a mapped file. Words that Find gave out are then invalid.
func (v *Vocab) Close() error {
	if v.unmap == nil {
		return nil
	}
	return v.unmap()
}
