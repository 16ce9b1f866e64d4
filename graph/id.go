package graph

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// Ids are one namespace of three short types. They carry what they name, so that
// minting one writes nothing, and one minted by a live scan means the same in
// every process:
//
//	s:   a symbol: its file and the hash of (name, kind, signature, ordinal). It
//	     survives edits elsewhere in the file.
//	sp:  a span: file, bytes, and the head of the content hash.
//	e:   evidence: file, lines, and the head of the content hash.
//
// A span or evidence id is valid for exactly the bytes it was minted on, and
// stale afterwards. The file is carried as the head of the hash of its path; in a
// span or evidence id it is masked with a hash of the other fields, so that an id
// which was altered in any of them names no file instead of other lines.
const (
	symbolPrefix   = "s:"
	spanPrefix     = "sp:"
	evidencePrefix = "e:"
	pathHashLen    = 6
	symbolHashLen  = 6
	hashHeadLen    = 4
)

// IDKind is the type of an id.
type IDKind uint8

// The id types.
const (
	IDSymbol IDKind = iota + 1
	IDSpan
	IDEvidence
)

// PathKey is the head of the SHA-256 of a path: how an id carries its file.
type PathKey [pathHashLen]byte

// KeyOf returns the key under which ids carry p.
func KeyOf(p Path) (k PathKey) {
	h := sha256.Sum256([]byte(p))
	copy(k[:], h[:])
	return k
}

// ID is a parsed id. Symbol is set for IDSymbol; From, To and Head for the
// others: 1-based inclusive lines of evidence, half-open bytes of a span.
type ID struct {
	Kind     IDKind
	Path     PathKey
	Symbol   [symbolHashLen]byte
	From, To uint32
	Head     [hashHeadLen]byte
}

// Matches reports whether h begins with the head that the id carries.
func (id ID) Matches(h Hash) bool { return string(id.Head[:]) == string(h[:hashHeadLen]) }

// String writes the id in its wire form.
func (id ID) String() string {
	b := make([]byte, 0, 24)
	b = append(b, id.Path[:]...)
	prefix := symbolPrefix
	switch id.Kind {
	case IDSymbol:
		b = append(b, id.Symbol[:]...)
	case IDSpan, IDEvidence:
		prefix = evidencePrefix
		if id.Kind == IDSpan {
			prefix = spanPrefix
		}
		b = append(b, id.Head[:]...)
		b = binary.AppendUvarint(b, uint64(id.From))
		b = binary.AppendUvarint(b, uint64(id.To-id.From))
		maskPath(b, id.Kind)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// maskPath covers, or uncovers, the path key at the head of an encoded id with a hash
// of the kind and of what follows the key.
func maskPath(b []byte, kind IDKind) {
	mask := sha256.Sum256(append([]byte{byte(kind)}, b[pathHashLen:]...))
	for i := range b[:pathHashLen] {
		b[i] ^= mask[i]
	}
}

// EvidenceID mints the id of lines from..to (1-based, inclusive) of a file whose
// content hashes to h.
func EvidenceID(p Path, h Hash, from, to uint32) string {
	id := ID{Kind: IDEvidence, Path: KeyOf(p), From: from, To: max(from, to)}
	copy(id.Head[:], h[:])
	return id.String()
}

// SpanID mints the id of the bytes of s.
func SpanID(p Path, h Hash, s Span) string {
	id := ID{Kind: IDSpan, Path: KeyOf(p), From: s.Start, To: max(s.Start, s.End)}
	copy(id.Head[:], h[:])
	return id.String()
}

// SymbolID mints the id of f.Defs[i]. Definitions with the same name, kind and
// signature in one file are told apart by their order.
func SymbolID(f *Facts, i int32) string {
	id := ID{Kind: IDSymbol, Path: KeyOf(f.Path), Symbol: symbolHash(f, i)}
	return id.String()
}

// FileSymbolID mints the symbol id of the file itself.
func FileSymbolID(p Path) string {
	return ID{Kind: IDSymbol, Path: KeyOf(p)}.String()
}

// FindSymbol returns the definition of f that carries the symbol hash of id, or
// ok false. NoDef with ok true is the file itself.
func FindSymbol(f *Facts, id ID) (def int32, ok bool) {
	if id.Symbol == [symbolHashLen]byte{} {
		return NoDef, true
	}
	for i := range f.Defs {
		if symbolHash(f, int32(i)) == id.Symbol {
			return int32(i), true
		}
	}
	return NoDef, false
}

func symbolHash(f *Facts, i int32) (out [symbolHashLen]byte) {
	d := &f.Defs[i]
	ordinal := byte(0)
	for j := int32(0); j < i; j++ {
		o := &f.Defs[j]
		if o.Local == d.Local && o.Kind == d.Kind && o.Signature == d.Signature {
			ordinal++
		}
	}
	h := sha256.New()
	h.Write([]byte(d.Local))
	h.Write([]byte{0})
	h.Write([]byte(d.Kind))
	h.Write([]byte{0})
	h.Write([]byte(d.Signature))
	h.Write([]byte{0, ordinal})
	sum := h.Sum(nil)
	sum[0] |= 1 // never all zero: that is the file
	copy(out[:], sum)
	return out
}

// ParseID reads an id in its wire form.
func ParseID(s string) (ID, bool) {
	var id ID
	body, ok := strings.CutPrefix(s, symbolPrefix)
	switch {
	case ok:
		id.Kind = IDSymbol
	case strings.HasPrefix(s, spanPrefix):
		id.Kind, body = IDSpan, s[len(spanPrefix):]
	case strings.HasPrefix(s, evidencePrefix):
		id.Kind, body = IDEvidence, s[len(evidencePrefix):]
	default:
		return ID{}, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if err != nil || len(b) < pathHashLen {
		return ID{}, false
	}
	if id.Kind != IDSymbol {
		maskPath(b, id.Kind)
	}
	b = b[copy(id.Path[:], b):]
	if id.Kind == IDSymbol {
		if len(b) != symbolHashLen {
			return ID{}, false
		}
		copy(id.Symbol[:], b)
		return id, true
	}
	if len(b) < hashHeadLen {
		return ID{}, false
	}
	b = b[copy(id.Head[:], b):]
	from, n := binary.Uvarint(b)
	if n <= 0 || from > 1<<32-1 {
		return ID{}, false
	}
	size, m := binary.Uvarint(b[n:])
	if m <= 0 || n+m != len(b) || from+size > 1<<32-1 {
		return ID{}, false
	}
	id.From, id.To = uint32(from), uint32(from+size)
	return id, true
}
