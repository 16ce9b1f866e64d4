// Package keys holds the byte form of the keys of graph/store, and nothing of what
// stands under them. All numbers are big-endian, so that keys sort as they count.
package keys

import (
	"encoding/binary"

	"github.com/ralph-index/ralph-index/graph"
)

// Kind is the first byte of a key. Kinds are part of the format.
type Kind byte

// The kinds of keys.
const (
	Blob      Kind = 'b' // file id, part: encoded facts
	Commit    Kind = 'c' // the commit record
	Definers  Kind = 'd' // base, chunk: postings
	Files     Kind = 'f' // base, chunk: file table
	Header    Kind = 'h' // base, part: what a base consists of
	Meta      Kind = 'm' // name, zero byte, part
	Overlay   Kind = 'o' // base, slot: one changed file
	Referrers Kind = 'r' // base, chunk: postings
	Staged    Kind = 's' // file id: record of a full batch that is not published
	Tombstone Kind = 't' // path key, head of the content hash
)

// OfBase lists the kinds whose keys begin with the number of a base.
func OfBase() [5]Kind { return [...]Kind{Files, Definers, Referrers, Header, Overlay} }

// All is the prefix of all keys of a kind.
func All(k Kind) []byte { return []byte{byte(k)} }

// Base is the prefix of all keys of a kind under a base.
func Base(k Kind, base uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{byte(k)}, base)
}

// InBase is the key of a chunk, part or slot of a base.
func InBase(k Kind, base, n uint32) []byte {
	return binary.BigEndian.AppendUint32(Base(k, base), n)
}

// ParseBase reads the base, and the number after it, of a key that InBase made.
func ParseBase(key []byte) (base, n uint32, ok bool) {
	if len(key) != 9 {
		return 0, 0, false
	}
	return binary.BigEndian.Uint32(key[1:]), binary.BigEndian.Uint32(key[5:]), true
}

// ParseBasePrefix reads the base of any key of the kinds that OfBase lists.
func ParseBasePrefix(key []byte) (base uint32, ok bool) {
	if len(key) < 5 {
		return 0, false
	}
	return binary.BigEndian.Uint32(key[1:]), true
}

// File is the prefix of what stands under a file id: the key of a Staged record,
// and the parts of a Blob.
func File(k Kind, id graph.FileID) []byte {
	return binary.BigEndian.AppendUint32([]byte{byte(k)}, uint32(id))
}

// ParseFile reads the file id of a key that begins as File makes it.
func ParseFile(key []byte) (graph.FileID, bool) {
	if len(key) < 5 {
		return 0, false
	}
	return graph.FileID(binary.BigEndian.Uint32(key[1:])), true
}

// Part appends the number of a part of a value that is too large for one key.
func Part(prefix []byte, part uint16) []byte {
	return binary.BigEndian.AppendUint16(append(make([]byte, 0, len(prefix)+2), prefix...), part)
}

// MetaName is the prefix of the parts of a meta value.
func MetaName(name string) []byte {
	return append(append([]byte{byte(Meta)}, name...), 0)
}

// OfTombstone is the key of the version of a file that ids name.
func OfTombstone(p graph.PathKey, head [4]byte) []byte {
	return append(append([]byte{byte(Tombstone)}, p[:]...), head[:]...)
}
