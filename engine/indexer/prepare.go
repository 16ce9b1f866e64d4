package indexer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// prepared is one file, read and extracted, ready to be put.
type prepared struct {
	file   graph.File
	blob   []byte
	doc    lexical.Doc
	gone   bool // vanished since it was seen
	same   bool // its bytes are those of the live version: only the signature moved
	parsed bool // the extractor ran
	later  bool // prepared apart, and not ready
}

// worker is the state of one preparing goroutine.
type worker struct {
	x       *Indexer
	buf     []byte
	scratch *lexical.Scratch
}

func (x *Indexer) newWorker() *worker {
	return &worker{x: x, scratch: lexical.NewScratch()}
}

// prepare reads a file and makes its record, facts and words. force says that facts
// are made even when the bytes are those of the live version. The error is that of
// ctx or of an extractor that cannot work at all.
func (w *worker) prepare(ctx context.Context, p graph.Path, c *collector, force bool) (prepared, error) {
	readAt := w.x.o.Clock()
	src, sig, err := w.x.o.Tree.Read(p, w.buf)
	if err != nil {
		return w.unreadable(p, err)
	}
	w.buf = src[:0]
	f := graph.File{Path: p, Sig: sig, Role: graph.RoleOf(p), Racy: freshness.Racy(sig, readAt)}
	f.Hash = sha256.Sum256(src)
	if old, ok := c.snap.Record(p); ok && !force && old.Hash == f.Hash {
		return prepared{file: f, same: true}, nil
	}
	if err := ctx.Err(); err != nil { // a large file is worth a look between the steps
		return prepared{}, err
	}
	f.Content = match.Classify(src)
	if f.Content != graph.ContentText {
		f.Reason = string(f.Content)
		return prepared{file: f}, nil
	}
	if got, is, err := w.apart(c, f, src); is {
		return got, err
	}
	return w.text(ctx, f, src, c)
}

// text makes facts and words of a text file; c as of facts.
func (w *worker) text(ctx context.Context, f graph.File, src []byte, c *collector) (prepared, error) {
	w.scratch.Stop = func() bool { return ctx.Err() != nil }
	out := prepared{doc: lexical.NewDoc(0, src, w.scratch)}
	w.scratch.Stop = nil
	if err := ctx.Err(); err != nil {
		return prepared{}, err
	}
	f.Language = extract.Detect(f.Path, src)
	f.Lines = countLines(src)
	if f.Language == "" {
		noteEncoding(&f, src)
		out.file = f
		return out, nil
	}
	encoded, err := w.facts(ctx, f, src, c, &out)
	if err != nil {
		return prepared{}, err
	}
	if encoded != nil {
		sum, err := blob.Summary(encoded)
		if err != nil {
			return prepared{}, fmt.Errorf("read extracted facts of %s: %w", f.Path, err)
		}
		f.Status, f.Reason, f.Defs, f.Role = sum.Status, sum.Reason, sum.Defs, sum.Role
		out.blob = encoded
	}
	noteEncoding(&f, src)
	out.file = f
	return out, nil
}

// noteEncoding adds to the reason of a text that it is no UTF-8.
func noteEncoding(f *graph.File, src []byte) {
	switch {
	case utf8.Valid(src):
	case f.Reason == "":
		f.Reason = graph.ReasonInvalidUTF8
	default:
		f.Reason += "," + graph.ReasonInvalidUTF8
	}
}

// facts extracts, unless an earlier full run had come so far with the same bytes. c is
// nil for a file that no run waits for.
func (w *worker) facts(ctx context.Context, f graph.File, src []byte, c *collector, out *prepared) ([]byte, error) {
	if c != nil && c.full && w.x.resumable(f.Path, f.Hash) {
		if b, ok, err := c.batch.BlobFor(f.Path, f.Hash); err == nil && ok {
			return b, nil
		}
	}
	out.parsed = true
	return w.x.o.Extract.Extract(ctx, extract.File{Path: f.Path, Src: src, Hash: f.Hash})
}

// words reads a file and extracts its words, if its bytes are still those of the
// version id.
func (w *worker) words(snap *store.Snapshot, id graph.FileID, p graph.Path) (lexical.Doc, bool) {
	f, ok := snap.File(id)
	if !ok {
		return lexical.Doc{}, false
	}
	src, _, err := w.x.o.Tree.Read(p, w.buf)
	if err != nil {
		return lexical.Doc{}, false
	}
	w.buf = src[:0]
	if sha256.Sum256(src) != f.Hash {
		return lexical.Doc{}, false
	}
	return lexical.NewDoc(id, src, w.scratch), true
}

// unreadable makes the record of a path whose bytes cannot be read.
func (w *worker) unreadable(p graph.Path, err error) (prepared, error) {
	content, reason, ok := tree.Content(err)
	if !ok {
		if errors.Is(err, tree.ErrNotExist) {
			return prepared{file: graph.File{Path: p}, gone: true}, nil
		}
		content, reason = graph.ContentUnreadable, tree.ReasonIO
	}
	e, statErr := w.x.o.Tree.Stat(p)
	if errors.Is(statErr, tree.ErrNotExist) {
		return prepared{file: graph.File{Path: p}, gone: true}, nil
	}
	return prepared{file: oddFile(p, e.Sig, content, reason)}, nil
}

func oddFile(p graph.Path, sig graph.Signature, c graph.Content, r tree.Reason) graph.File {
	return graph.File{Path: p, Sig: sig, Content: c, Reason: string(r), Role: graph.RoleOf(p)}
}

func countLines(src []byte) uint32 {
	n := uint32(bytes.Count(src, []byte{'\n'}))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}
