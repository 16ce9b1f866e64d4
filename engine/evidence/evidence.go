// Package evidence opens the ids that answers carry. An id names a file by the
// hash of its path, a range, and the head of the content hash; opening it reads
// the bytes as they are now and refuses when they are not the ones it was minted
// on. Minting is graph's (EvidenceID, SpanID, SymbolID), because it needs nothing
// but the facts; this package holds what needs the disk.
package evidence

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
)

// Source is where ids are looked up.
type Source interface {
	// PathOf finds the path behind a key among the files that are known now.
	PathOf(ctx context.Context, k graph.PathKey) (graph.Path, bool)
	// Facts returns the facts of a path as the index holds them, or nil.
	Facts(p graph.Path) *graph.Facts
	// Read returns the bytes of a file as they are now, and their hash. A file that
	// is gone gives an error that wraps ErrMissing.
	Read(ctx context.Context, p graph.Path) ([]byte, graph.Hash, error)
	// Former returns the path and the full hash of bytes that are no longer current.
	Former(k graph.PathKey, head [4]byte) (graph.Path, graph.Hash, bool)
}

// ErrMissing says that a file does not exist any more.
var ErrMissing = errors.New("file is missing")

// Stale reasons.
const (
	ContentChanged = "content_changed"
	FileMissing    = "file_missing"
)

// StaleError says that the bytes an id was minted on are gone. Hashes are hex:
// Expected is the full hash where it is still known, else the head the id carries;
// Current is "" when the file is missing.
type StaleError struct {
	Reason            string
	Path              graph.Path
	Expected, Current string
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("stale evidence: %s: %s", e.Path, e.Reason)
}

// UnknownError says that an id is malformed or names a file that was never known.
type UnknownError struct {
	ID     string
	Reason string // no_matching_evidence, no_matching_span, no_matching_symbol, malformed_id
}

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown evidence %q: %s", e.ID, e.Reason) }

// Found is an opened id: where it stands, and the whole file's bytes.
type Found struct {
	Kind     graph.IDKind
	Path     graph.Path
	Hash     graph.Hash
	Bytes    []byte
	From, To uint32 // 1-based inclusive lines
	Def      int32  // index into the facts for a symbol id; else NoDef
}

// Open resolves an id of any kind. expected, when not "", is a full content hash
// that the current bytes must have besides what the id itself demands.
func Open(ctx context.Context, src Source, id, expected string) (*Found, error) {
	parsed, ok := graph.ParseID(id)
	if !ok {
		return nil, &UnknownError{ID: id, Reason: "malformed_id"}
	}
	path, ok := src.PathOf(ctx, parsed.Path)
	if !ok {
		if former, hash, was := src.Former(parsed.Path, parsed.Head); was {
			return nil, &StaleError{Reason: FileMissing, Path: former, Expected: hash.String()}
		}
		return nil, &UnknownError{ID: id, Reason: unknownReason(parsed.Kind)}
	}
	text, hash, err := src.Read(ctx, path)
	if errors.Is(err, ErrMissing) {
		return nil, &StaleError{Reason: FileMissing, Path: path, Expected: expectedHash(src, parsed)}
	}
	if err != nil {
		return nil, fmt.Errorf("open evidence: %w", err)
	}
	if expected != "" && expected != hash.String() {
		return nil, &StaleError{Reason: ContentChanged, Path: path, Expected: expected, Current: hash.String()}
	}
	f := &Found{Kind: parsed.Kind, Path: path, Hash: hash, Bytes: text, Def: graph.NoDef}
	if parsed.Kind == graph.IDSymbol {
		return f, f.openSymbol(src, id, parsed)
	}
	if !parsed.Matches(hash) {
		return nil, &StaleError{Reason: ContentChanged, Path: path, Expected: expectedHash(src, parsed), Current: hash.String()}
	}
	f.From, f.To = parsed.From, parsed.To
	if parsed.Kind == graph.IDSpan {
		if int(parsed.To) > len(text) {
			return nil, &UnknownError{ID: id, Reason: unknownReason(parsed.Kind)}
		}
		f.From = lineOf(text, parsed.From)
		f.To = max(f.From, lineOf(text, max(parsed.To, 1)-1))
	}
	return f, nil
}

// openSymbol finds the definition in the indexed facts. The id itself demands no
// content hash: it names the symbol, wherever it stands now; but line numbers of
// facts that were made from other bytes would be wrong.
func (f *Found) openSymbol(src Source, id string, parsed graph.ID) error {
	facts := src.Facts(f.Path)
	if facts == nil {
		if parsed.Symbol == [6]byte{} {
			f.From, f.To = 1, lastLine(f.Bytes)
			return nil
		}
		return &UnknownError{ID: id, Reason: unknownReason(parsed.Kind)}
	}
	def, ok := graph.FindSymbol(facts, parsed)
	switch {
	case !ok:
		return &UnknownError{ID: id, Reason: unknownReason(parsed.Kind)}
	case def == graph.NoDef:
		f.From, f.To = 1, lastLine(f.Bytes)
		return nil
	case facts.Hash != f.Hash:
		return &StaleError{Reason: ContentChanged, Path: f.Path, Expected: facts.Hash.String(), Current: f.Hash.String()}
	}
	f.Def = def
	f.From, f.To = facts.Defs[def].Span.From.Line, facts.Defs[def].Span.To.Line
	return nil
}

func unknownReason(k graph.IDKind) string {
	switch k {
	case graph.IDSpan:
		return "no_matching_span"
	case graph.IDSymbol:
		return "no_matching_symbol"
	default:
		return "no_matching_evidence"
	}
}

func expectedHash(src Source, id graph.ID) string {
	if _, h, ok := src.Former(id.Path, id.Head); ok {
		return h.String()
	}
	return hex.EncodeToString(id.Head[:])
}

func lineOf(text []byte, off uint32) uint32 {
	off = min(off, uint32(len(text)))
	return uint32(bytes.Count(text[:off], []byte{'\n'})) + 1
}

func lastLine(text []byte) uint32 {
	n := uint32(bytes.Count(text, []byte{'\n'}))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return max(n, 1)
}
