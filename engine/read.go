package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
		ans, err = l.readPath(req)
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
func (l *local) readPath(req *api.ReadRequest) (*api.ReadAnswer, error) {
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
		if err := checkHash(f, req); err != nil {
			return nil, err
		}
	}
	ans := &api.ReadAnswer{Path: req.Path}
	switch {
	case req.Offset > 0 || req.Limit > 0:
		err = readBytes(f, sig.Size, req, ans)
	case req.LineStart > 0 || req.LineEnd > 0 || req.Head > 0 || req.Tail > 0:
		err = readLines(f, req, ans)
	default:
		err = readWhole(f, sig.Size, req, ans)
	}
	if err != nil {
		return nil, readError("path", req.Path, err)
	}
	return ans, nil
}

// checkHash compares the whole file with the hash that the caller expects.
func checkHash(f *os.File, req *api.ReadRequest) error {
	text, err := io.ReadAll(f)
	if err != nil {
		return pathError("path", req.Path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return pathError("path", req.Path, err)
	}
	if now := sum(text).String(); now != req.ExpectedContentHash {
		return stale(req.Path, evidence.ContentChanged, req.ExpectedContentHash, now)
	}
	return nil
}

func readBytes(f *os.File, size int64, req *api.ReadRequest, ans *api.ReadAnswer) error {
	b, err := partial.Window(f, size, req.Offset, req.Limit)
	if err != nil {
		return err
	}
	ans.Mode, ans.Content = api.ReadBytes, string(b)
	ans.TotalBytes, ans.ReturnedBytes = size, int64(len(b))
	ans.Truncated = req.Offset > 0 && len(b) > 0 || req.Offset+int64(len(b)) < size
	return nil
}

func readLines(f *os.File, req *api.ReadRequest, ans *api.ReadAnswer) error {
	var p partial.Piece
	var err error
	switch {
	case req.Head > 0:
		p, err = partial.Head(f, req.Head)
	case req.Tail > 0:
		p, err = partial.Tail(f, req.Tail)
	default:
		p, err = partial.Lines(f, req.LineStart, req.LineEnd)
	}
	if err != nil {
		return err
	}
	ans.Mode, ans.Content, ans.Truncated = api.ReadLines, string(p.Content), p.Truncated
	ans.TotalLines, ans.ReturnedLines = p.Total, p.Returned
	return nil
}

func readWhole(f *os.File, size int64, req *api.ReadRequest, ans *api.ReadAnswer) error {
	limit := req.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	if size > limit {
		return readOversize(f, size, limit, ans)
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return err
	}
	if at := partial.InvalidAt(text); at >= 0 {
		return &partial.InvalidUTF8Error{Offset: int64(at)}
	}
	ans.Mode, ans.Content, ans.TotalBytes = api.ReadWhole, string(text), int64(len(text))
	if req.ReturnMetadata {
		ans.ContentHash = sum(text).String()
	}
	return nil
}

func readOversize(f *os.File, size, limit int64, ans *api.ReadAnswer) error {
	head := make([]byte, min(limit, previewBytes)+utf8.UTFMax)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	cut := partial.Preview(head[:n], int(min(limit, previewBytes)))
	if at := partial.InvalidAt(cut); at >= 0 {
		return &partial.InvalidUTF8Error{Offset: int64(at)}
	}
	ans.Mode, ans.Content, ans.Truncated = api.ReadOversize, string(cut), true
	ans.TotalBytes, ans.MaxBytes, ans.Reason = size, limit, "oversize"
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

// cutLines returns lines from..to widened by context. Searches find lines that are
// no UTF-8 too, and their ids must open: what is no character is replaced then, and
// exact is false.
func cutLines(text []byte, from, to uint32, context int) (lines string, exact bool, err error) {
	p, err := partial.Lines(bytes.NewReader(text), max(int(from)-context, 1), int(to)+context)
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
