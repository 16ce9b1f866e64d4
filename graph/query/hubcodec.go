package query

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// errHubs is what DecodeHubs returns for what Encode did not write.
var errHubs = errors.New("decode hubs: damaged or of another version")

const hubMagic = "rhubs4"

// Encode writes the table in a form that DecodeHubs reads: magic, body of varints
// and counted strings, checksum.
func (t *HubTable) Encode() []byte {
	b := append(make([]byte, 0, t.sizeHint()), hubMagic...)
	b = binary.AppendUvarint(b, uint64(t.gen))
	b = binary.AppendUvarint(b, uint64(len(t.paths)))
	for _, p := range t.paths {
		b = appendText(b, string(p))
	}
	b = binary.AppendUvarint(b, uint64(len(t.syms)))
	for i := range t.syms {
		s := &t.syms[i]
		b = binary.AppendUvarint(b, uint64(s.path))
		b = binary.AppendUvarint(b, uint64(s.nth))
		b = appendText(appendText(b, s.local), string(s.kind))
	}
	names := make([]graph.Path, 0, len(t.files))
	for p := range t.files {
		names = append(names, p)
	}
	slices.Sort(names)
	b = binary.AppendUvarint(b, uint64(len(names)))
	for _, p := range names {
		f := t.files[p]
		b = appendText(b, string(p))
		b = binary.AppendUvarint(b, uint64(f.id))
		b = binary.AppendUvarint(b, f.exports)
		b = binary.AppendUvarint(b, uint64(len(f.uses)))
		for _, u := range f.uses {
			b = binary.AppendUvarint(b, uint64(u.sym))
			b = append(b, u.conf[:]...)
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// sizeHint is about the size of the encoded table, so that its growing copies nothing.
func (t *HubTable) sizeHint() int {
	n := 64
	for _, p := range t.paths {
		n += len(p) + 2
	}
	for i := range t.syms {
		n += len(t.syms[i].local) + len(t.syms[i].kind) + 6
	}
	for p, f := range t.files {
		n += len(p) + 16 + len(f.uses)*(3+int(hubAll))
	}
	return n
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// DecodeHubs reads what Encode wrote. Anything else is an error: the caller builds
// the table again.
func DecodeHubs(b []byte) (*HubTable, error) {
	n := len(b) - 4
	if n < len(hubMagic) || string(b[:len(hubMagic)]) != hubMagic || binary.LittleEndian.Uint32(b[n:]) != crc32.ChecksumIEEE(b[:n]) {
		return nil, errHubs
	}
	d := hubDecoder{b: b[len(hubMagic):n]}
	t := &HubTable{gen: graph.Generation(d.number()), files: make(map[graph.Path]hubFile)}
	for range d.count() {
		t.paths = append(t.paths, graph.Path(d.text()))
	}
	for range d.count() {
		s := hubSymbol{path: uint32(d.below(len(t.paths))), nth: uint32(d.number()), local: d.text(), kind: graph.Kind(d.text())}
		t.syms = append(t.syms, s)
	}
	t.sums = make([][hubKinds]uint32, len(t.syms))
	hb := hubBuilder{t: t, touched: make(map[uint32]bool)}
	for range d.count() {
		p := graph.Path(d.text())
		f := hubFile{id: graph.FileID(d.number()), exports: d.number()}
		for range d.count() {
			u := hubUse{sym: uint32(d.below(len(t.syms)))}
			copy(u.conf[:], d.take(len(u.conf)))
			if d.bad {
				return nil, errHubs
			}
			f.uses = append(f.uses, u)
		}
		markMere(f.uses)
		for _, u := range f.uses {
			hb.count(u, 1)
		}
		t.files[p] = f
	}
	if d.bad || len(d.b) != 0 {
		return nil, errHubs
	}
	hb.sort()
	return t, nil
}

// hubDecoder reads values until one does not fit; then it reads zeros.
type hubDecoder struct {
	b   []byte
	bad bool
}

func (d *hubDecoder) number() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads a number of things that take at least one byte each.
func (d *hubDecoder) count() int {
	v := d.number()
	if v > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(v)
}

// below reads an index into n things.
func (d *hubDecoder) below(n int) uint64 {
	v := d.number()
	if v >= uint64(n) {
		d.bad, d.b = true, nil
		return 0
	}
	return v
}

func (d *hubDecoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.bad, d.b = true, nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *hubDecoder) text() string { return string(d.take(d.count())) }
