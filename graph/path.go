package graph

import (
	"encoding/hex"
	"path"
	"strings"
)

// Path names a file relative to the workspace root: slash-separated, cleaned,
// without a leading "./" or "/". The root itself is "". The bytes are those of
// the file system and need not be valid UTF-8.
type Path string

// Dir returns the directory of p, "" for a file at the root.
func (p Path) Dir() Path {
	if i := strings.LastIndexByte(string(p), '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Base returns the last element of p.
func (p Path) Base() string {
	return string(p[strings.LastIndexByte(string(p), '/')+1:])
}

// Ext returns the lower-cased suffix of the base name with its dot, or "".
func (p Path) Ext() string { return strings.ToLower(path.Ext(p.Base())) }

// Join appends slash-separated elements and cleans the result. ok is false when
// the result would leave the root.
func (p Path) Join(elem string) (joined Path, ok bool) {
	j := path.Join(string(p), elem)
	if j == "." {
		return "", true
	}
	if j == ".." || strings.HasPrefix(j, "../") || strings.HasPrefix(j, "/") {
		return "", false
	}
	return Path(j), true
}

// Under reports whether p is dir or lies below it. Every path is under "".
func (p Path) Under(dir Path) bool {
	if dir == "" || p == dir {
		return true
	}
	return len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// Hash is the SHA-256 of a file's bytes.
type Hash [32]byte

// String returns the 64 lower-case hex digits that the wire shows.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h was never set. No content hashes to zero in practice.
func (h Hash) IsZero() bool { return h == Hash{} }

// ParseHash reads the form that String writes, and nothing else.
func ParseHash(s string) (h Hash, ok bool) {
	if len(s) != 2*len(h) || strings.ToLower(s) != s {
		return Hash{}, false
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return Hash{}, false
	}
	return h, true
}

// Generation counts published states of an index. It only grows.
type Generation uint64

// FileID names one indexed version of one file. A changed file gets a new id, so
// whatever was derived from an id stays true for ever. Ids are not reused within
// one index directory.
type FileID uint32

// Pos is a place in a text: a 1-based line, and a 1-based column in bytes.
type Pos struct {
	Line uint32 `json:"line"`
	Col  uint32 `json:"col"`
}

// Span is a half-open range of bytes with the places of its two ends. End.Line is
// the line of the last byte (inclusive, as editors show it); End.Col is one past
// the last byte on that line.
type Span struct {
	Start, End uint32
	From, To   Pos
}

// Contains reports whether the byte offset lies in the span.
func (s Span) Contains(off uint32) bool { return s.Start <= off && off < s.End }
