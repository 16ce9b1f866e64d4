package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/evidence"
	"github.com/ralph-index/ralph-index/engine/partial"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	defaultMaxBytes = 5_000_000
	previewBytes    = 16 << 10 // of a file that is too long to return whole
)

// Read reads a file, a part of it, or a piece of evidence.
func (l *local) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	var ans *api.ReadAnswer
	var err error
	switch {
	case req.EvidenceID != "":
		ans, err = l.readID(ctx, req, req.EvidenceID)
	case req.SpanID != "":
		ans, err = l.readID(ctx, req, req.SpanID)
	case req.Symbol != "":
		ans, err = l.readSymbol(ctx, req)
	default:
		ans, err = l.readPath(ctx, req)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case !req.ReturnMetadata || l.o.NoIndex:
	case l.x != nil:
		l.x.withFreshness(ans)
	default:
		ans.Freshness = &api.Freshness{FallbackReason: reason(l.fallback())}
	}
	return ans, nil
}

func (x *index) withFreshness(ans *api.ReadAnswer) {
	s := x.store.Snapshot()
	defer s.Release()
	f := x.freshness(s)
	ans.Freshness = &f
}

// readPath reads by path: whole, by lines, or by bytes.
func (l *local) readPath(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	root, p, err := l.resolve("path", req.Path)
	if err != nil {
		return nil, err
	}
	f, sig, err := root.Tree.OpenFile(p)
	switch {
	case errors.Is(err, tree.ErrNotExist) && req.ExpectedContentHash != "":
		return nil, stale(req.Path, evidence.FileMissing, req.ExpectedContentHash, "")
	case err != nil:
		return nil, pathError("path", req.Path, err)
	}
	defer func() { _ = f.Close() }() // read only
	if req.ExpectedContentHash != "" {
		if err := checkHash(ctx, f, req); err != nil {
			return nil, err
		}
	}
	ans := &api.ReadAnswer{Path: req.Path}
	switch {
	case req.Offset > 0 || req.Limit > 0:
		err = readBytes(f, sig.Size, req, ans)
	case req.LineStart > 0 || req.LineEnd > 0 || req.Head > 0 || req.Tail > 0:
		err = readLines(ctx, f, sig.Size, req, ans)
	default:
		err = readWhole(f, sig.Size, req, ans)
	}
	if err != nil {
		return nil, readError("path", req.Path, err)
	}
	return ans, nil
}

// maxBytes is how many bytes of content an answer may have.
func maxBytes(req *api.ReadRequest) int64 {
	if req.MaxBytes <= 0 {
		return defaultMaxBytes
	}
	return req.MaxBytes
}

// oversize says in an answer that max_bytes ended it.
func oversize(ans *api.ReadAnswer, limit int64) {
	ans.Truncated, ans.MaxBytes, ans.Reason = true, limit, "oversize"
}

// checkHash compares the whole file with the hash that the caller expects.
func checkHash(ctx context.Context, f *os.File, req *api.ReadRequest) error {
	h, buf := sha256.New(), make([]byte, 64<<10)
	for {
		if err := ctx.Err(); err != nil {
			return readError("path", req.Path, err)
		}
		n, err := f.Read(buf)
		_, _ = h.Write(buf[:n]) // never fails
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return pathError("path", req.Path, err)
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return pathError("path", req.Path, err)
	}
	if now := hex.EncodeToString(h.Sum(nil)); now != req.ExpectedContentHash {
		return stale(req.Path, evidence.ContentChanged, req.ExpectedContentHash, now)
	}
	return nil
}

// readBytes answers with a window of characters. It is truncated while there are
// characters behind it, so that who reads on knows when to end.
func readBytes(f *os.File, size int64, req *api.ReadRequest, ans *api.ReadAnswer) error {
	w, err := partial.Bytes(f, size, req.Offset, req.Limit, maxBytes(req))
	if err != nil {
		return err
	}
	ans.Mode, ans.Content = api.ReadBytes, string(w.Content)
	ans.TotalBytes, ans.ReturnedBytes = size, int64(len(w.Content))
	ans.Truncated = w.End < size
	if w.Truncated {
		oversize(ans, maxBytes(req))
	}
	return nil
}

// readLines answers with lines. It is truncated when it lacks some that were asked
// for; that there are others, the totals tell.
func readLines(ctx context.Context, f *os.File, size int64, req *api.ReadRequest, ans *api.ReadAnswer) error {
	var p partial.Piece
	var err error
	switch limit := maxBytes(req); {
	case req.Head > 0:
		p, err = partial.Head(ctx, f, req.Head, limit)
	case req.Tail > 0:
		p, err = partial.Tail(ctx, f, size, req.Tail, limit)
	default:
		p, err = partial.Lines(ctx, f, req.LineStart, req.LineEnd, limit)
	}
	if err != nil {
		return err
	}
	ans.Mode, ans.Content = api.ReadLines, string(p.Content)
	ans.TotalLines, ans.ReturnedLines = p.Total, p.Returned
	if p.Truncated {
		oversize(ans, maxBytes(req))
	}
	return nil
}

func readWhole(f *os.File, size int64, req *api.ReadRequest, ans *api.ReadAnswer) error {
	limit := maxBytes(req)
	if size > limit {
		return readOversize(f, size, limit, ans)
	}
	// What a file has grown by since it was opened is left for the next read.
	var b strings.Builder
	b.Grow(int(size)) // once, and without zeros
	if _, err := io.CopyBuffer(&b, io.LimitReader(f, size), make([]byte, max(min(size, readPiece), 1))); err != nil {
		return err
	}
	text := b.String()
	if !utf8.ValidString(text) {
		return &partial.InvalidUTF8Error{Offset: int64(partial.InvalidAt([]byte(text)))}
	}
	ans.Mode, ans.Content, ans.TotalBytes = api.ReadWhole, text, int64(len(text))
	if req.ReturnMetadata {
		ans.ContentHash = sum([]byte(text)).String()
	}
	return nil
}

// readPiece is how much of a file is read at once.
const readPiece = 64 << 10

func readOversize(f *os.File, size, limit int64, ans *api.ReadAnswer) error {
	head := make([]byte, min(limit, previewBytes)+utf8.UTFMax)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	text := partial.Preview(head[:n], min(limit, previewBytes))
	if at := partial.InvalidAt(text); at >= 0 {
		return &partial.InvalidUTF8Error{Offset: int64(at)}
	}
	ans.Mode, ans.Content, ans.TotalBytes = api.ReadOversize, string(text), size
	oversize(ans, limit)
	return nil
}

// readError classifies what went wrong while a file was read.
func readError(arg, path string, err error) error {
	var bad *partial.InvalidUTF8Error
	if errors.As(err, &bad) {
		return &api.Error{
			Code: api.CodeBinary, Argument: arg,
			Message: fmt.Sprintf("%q is not UTF-8 text: %v; lines without such bytes can be read by line_start and line_end", path, bad),
			Details: map[string]any{"path": path, "error": bad.Error(), "byte_offset": bad.Offset},
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return pathError(arg, path, err)
}

func stale(path, why, expected, current string) error {
	path = clipPath(path)
	d := map[string]any{"path": path, "reason": why, "expected_content_hash": expected}
	if current != "" {
		d["current_content_hash"] = current
	}
	return &api.Error{
		Code: api.CodeStaleEvidence, Argument: "expected_content_hash", Details: d,
		Message: fmt.Sprintf("%q is not what it was (%s); read it again or repeat the search for a current id", path, why),
	}
}

// cutLines returns lines from..to widened by those around them. Searches find lines that are
// no UTF-8 too, and their ids must open: what is no character is replaced then, and
// exact is false.
func cutLines(ctx context.Context, text []byte, from, to uint32, around int) (lines string, exact bool, err error) {
	p, err := partial.Lines(ctx, bytes.NewReader(text), max(int(from)-around, 1), int(to)+around, math.MaxInt64)
	var bad *partial.InvalidUTF8Error
	if err != nil && !errors.As(err, &bad) {
		return "", false, err
	}
	return valid(string(p.Content)), bad == nil, nil
}

// valid replaces what is not UTF-8, for fields that are JSON text.
func valid(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

func validAll(ss []string) []string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = valid(s)
	}
	return out
}

func symbolName(f *graph.Facts, def int32) string {
	if f == nil || def == graph.NoDef {
		return ""
	}
	return f.Defs[def].Local
}
