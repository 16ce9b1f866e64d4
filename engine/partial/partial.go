// Package partial cuts pieces out of texts: line ranges, heads, tails and byte
// windows. Lines end at "\n" and nowhere else, exactly as the search counts them,
// so that a line number of one tool is the line number of the other; bytes come
// back as they are, the final newline and carriage returns included. A character
// is a UTF-8 sequence, or a byte that is part of none. Each piece has a limit in
// bytes, a positive one, which holds whatever was asked for.
package partial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

const blockSize = 64 << 10

// overhang is how many bytes of a character can lie before or behind one of them.
const overhang = utf8.UTFMax - 1

// Piece is a run of lines. Total counts the lines of the whole text, an
// unterminated last line included.
type Piece struct {
	Content   []byte
	Returned  int // lines, one that is given in part included
	Total     int
	Truncated bool // the limit left some of what was asked for out
}

// InvalidUTF8Error says where a text stops being UTF-8: a byte offset in the whole
// file.
type InvalidUTF8Error struct{ Offset int64 }

func (e *InvalidUTF8Error) Error() string {
	return fmt.Sprintf("utf-8 decode failed at byte %d", e.Offset)
}

// Lines returns lines from..to, 1-based and inclusive, or those of the first ones
// that fit in limit bytes; of a line that does not fit by itself, its beginning.
// from 0 means 1; to 0 means the last. Only the returned bytes must be UTF-8; the
// piece comes with the *InvalidUTF8Error for callers who can do with bytes that
// are not.
func Lines(ctx context.Context, r io.Reader, from, to int, limit int64) (Piece, error) {
	c := cutter{from: max(from, 1), to: to, most: min(limit, math.MaxInt-utf8.UTFMax) + utf8.UTFMax}
	if err := eachBlock(ctx, r, c.add); err != nil {
		return Piece{}, err
	}
	p := Piece{Content: Preview(c.content, limit), Total: c.count.lines()}
	p.Truncated = len(p.Content) < len(c.content)
	p.Returned = linesOf(p.Content)
	return p, checkUTF8(p.Content, c.start)
}

// Head returns the first n lines, as Lines does.
func Head(ctx context.Context, r io.Reader, n int, limit int64) (Piece, error) {
	return Lines(ctx, r, 1, n, limit)
}

// cutter collects a range of lines, and no more than shows that they exceed a limit.
type cutter struct {
	from, to int
	most     int64 // bytes to keep: the limit, and what the character behind it needs
	count    counter
	start    int64 // offset of content
	off      int64
	content  []byte
}

func (c *cutter) add(b []byte) {
	for len(b) > 0 {
		line := c.count.newlines + 1
		if c.to > 0 && line > c.to || int64(len(c.content)) >= c.most {
			c.count.add(b)
			return
		}
		part := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			part = b[:i+1]
		}
		if line >= c.from {
			if c.content == nil {
				c.start = c.off
			}
			c.content = append(c.content, part[:min(int64(len(part)), c.most-int64(len(c.content)))]...)
		}
		c.count.add(part)
		c.off += int64(len(part))
		b = b[len(part):]
	}
}

// counter counts lines.
type counter struct {
	newlines int
	open     bool // the last line is not terminated
}

func (c *counter) add(b []byte) {
	if len(b) > 0 {
		c.newlines += bytes.Count(b, []byte{'\n'})
		c.open = b[len(b)-1] != '\n'
	}
}

func (c *counter) lines() int {
	if c.open {
		return c.newlines + 1
	}
	return c.newlines
}

func linesOf(b []byte) int {
	var c counter
	c.add(b)
	return c.lines()
}

func eachBlock(ctx context.Context, r io.Reader, yield func([]byte)) error {
	buf := make([]byte, blockSize)
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read lines: %w", err)
		}
		n, err := r.Read(buf)
		yield(buf[:n])
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read lines: %w", err)
		}
	}
}

// Tail returns the last n lines of a text of size bytes, or those of them, from the
// end, that fit in limit bytes; of a line that does not fit by itself, its end. It
// looks for them from the end, and what stands before them is only counted.
func Tail(ctx context.Context, r io.ReaderAt, size int64, n int, limit int64) (Piece, error) {
	start, cut, err := tailStart(ctx, r, size, n, limit)
	if err != nil {
		return Piece{}, err
	}
	var c counter
	if err := eachBlock(ctx, io.NewSectionReader(r, 0, start), c.add); err != nil {
		return Piece{}, err
	}
	p := Piece{Truncated: cut}
	if p.Content, err = readAt(r, start, size); err != nil {
		return Piece{}, err
	}
	c.add(p.Content)
	p.Returned, p.Total = linesOf(p.Content), c.lines()
	return p, checkUTF8(p.Content, start)
}

// tailStart returns where a tail begins, and whether the limit put it there.
func tailStart(ctx context.Context, r io.ReaderAt, size int64, n int, limit int64) (start int64, cut bool, err error) {
	floor := max(size-limit, 0)
	// A line begins behind a newline, so the byte before the floor counts too.
	lowest := max(floor-1, 0)
	start = size
	for end, found := size, 0; end > lowest; {
		if err := ctx.Err(); err != nil {
			return 0, false, fmt.Errorf("read tail: %w", err)
		}
		base := max(end-blockSize, lowest)
		b, err := readAt(r, base, end)
		if err != nil {
			return 0, false, err
		}
		for i := bytes.LastIndexByte(b, '\n'); i >= 0; i = bytes.LastIndexByte(b[:i], '\n') {
			if at := base + int64(i) + 1; at < size { // the last newline begins no line
				start = at
				if found++; found == n {
					return start, false, nil
				}
			}
		}
		end = base
	}
	if floor == 0 {
		return 0, false, nil
	}
	if start == size {
		w, err := around(r, size, floor, floor)
		return w.base + int64(w.next(floor)), true, err
	}
	return start, true, nil
}

// Window is a run of characters.
type Window struct {
	Content   []byte
	End       int64 // where the next character begins
	Truncated bool  // the limit left characters of the window out
}

// Bytes returns the characters that begin in the length bytes from offset on;
// length 0 means to the end. Windows that stand side by side therefore hold each
// character once, and one may hold up to three bytes more or less than its length,
// though never more than limit: then the characters that fit. size is that of the
// whole text.
func Bytes(r io.ReaderAt, size, offset, length, limit int64) (Window, error) {
	if offset >= size {
		return Window{End: size}, nil
	}
	end := size
	if length > 0 && length < size-offset {
		end = offset + length
	}
	w, err := around(r, size, offset, offset+min(end-offset, limit))
	if err != nil {
		return Window{}, err
	}
	from, to := w.next(offset), w.next(offset+min(end-offset, limit))
	if int64(to-from) > limit {
		to, _ = charAt(w.text, from+int(limit))
	}
	out := Window{Content: w.text[from:to], End: w.base + int64(to)}
	out.Truncated = out.End < min(end, w.base+int64(len(w.text)))
	return out, checkUTF8(out.Content, w.base+int64(from))
}

// stretch is a part of a text with the neighbours that its characters may have.
type stretch struct {
	base int64
	text []byte
}

func around(r io.ReaderAt, size, from, to int64) (stretch, error) {
	base := max(from-overhang, 0)
	text, err := readAt(r, base, min(to, size-utf8.UTFMax)+utf8.UTFMax)
	return stretch{base, text}, err
}

// next returns the index of the first character that begins at an offset or after it.
func (s stretch) next(offset int64) int {
	i := int(offset - s.base)
	if i >= len(s.text) {
		return len(s.text)
	}
	from, to := charAt(s.text, i)
	if from < i {
		return to
	}
	return i
}

// charAt returns where the character begins and ends that b[i] is part of.
func charAt(b []byte, i int) (from, to int) {
	from = i
	for from > 0 && from > i-overhang && !utf8.RuneStart(b[from]) {
		from--
	}
	if _, w := utf8.DecodeRune(b[from:]); from+w > i {
		return from, from + w
	}
	return i, i + 1
}

// readAt returns the bytes from..to, or as many as there are by now.
func readAt(r io.ReaderAt, from, to int64) ([]byte, error) {
	b := make([]byte, max(to-from, 0))
	n, err := r.ReadAt(b, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read bytes: %w", err)
	}
	return b[:n], nil
}

// Preview returns the beginning of a text that is too long to return whole: at most
// limit bytes, ending after a line where one ends in them, else after a character.
func Preview(text []byte, limit int64) []byte {
	if int64(len(text)) <= limit {
		return text
	}
	if i := bytes.LastIndexByte(text[:limit], '\n'); i >= 0 {
		return text[:i+1]
	}
	from, _ := charAt(text, int(limit))
	return text[:from]
}

// checkUTF8 reports the first invalid byte of a piece that starts at base.
func checkUTF8(b []byte, base int64) error {
	if i := InvalidAt(b); i >= 0 {
		return &InvalidUTF8Error{Offset: base + int64(i)}
	}
	return nil
}

// InvalidAt returns the offset of the first byte that is not UTF-8, or -1.
func InvalidAt(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, w := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && w == 1 {
			return i
		}
		i += w
	}
	return -1
}
