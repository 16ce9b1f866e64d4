// Package partial cuts pieces out of texts: line ranges, heads, tails and byte
// windows. Lines end at "\n" and nowhere else, exactly as the search counts them,
// so that a line number of one tool is the line number of the other; bytes come
// back as they are, the final newline and carriage returns included.
package partial

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Piece is what was cut out. Total counts the lines of the whole text, an
// unterminated last line included.
type Piece struct {
	Content   []byte
	Returned  int // lines
	Total     int
	Truncated bool
}

// InvalidUTF8Error says where a text stops being UTF-8: a byte offset in the whole
// file.
type InvalidUTF8Error struct{ Offset int64 }

func (e *InvalidUTF8Error) Error() string {
	return fmt.Sprintf("utf-8 decode failed at byte %d", e.Offset)
}

// Lines returns lines from..to, 1-based and inclusive. from 0 means 1; to 0 means
// the last. The piece is truncated when lines follow it. Only the returned bytes
// must be UTF-8; the piece comes with the *InvalidUTF8Error for callers who can do
// with bytes that are not.
func Lines(r io.Reader, from, to int) (Piece, error) {
	from = max(from, 1)
	var p Piece
	start := int64(-1)
	err := eachLine(r, func(off int64, n int, line []byte, first bool) {
		p.Total = n
		if n < from || to > 0 && n > to {
			return
		}
		if start < 0 {
			start = off
		}
		p.Content = append(p.Content, line...)
		if first {
			p.Returned++
		}
	})
	if err != nil {
		return Piece{}, err
	}
	p.Truncated = to > 0 && to < p.Total
	return p, checkUTF8(p.Content, max(start, 0))
}

// Head returns the first n lines.
func Head(r io.Reader, n int) (Piece, error) { return Lines(r, 1, n) }

// Tail returns the last n lines, holding no more than them.
func Tail(r io.Reader, n int) (Piece, error) {
	ring := make([][]byte, min(n, 1024))
	var p Piece
	var bytes int64
	err := eachLine(r, func(off int64, num int, line []byte, first bool) {
		p.Total = num
		bytes = off + int64(len(line))
		if num > len(ring) && num <= n {
			ring = append(ring, nil)
		}
		slot := &ring[(num-1)%n]
		if first {
			*slot = (*slot)[:0]
		}
		*slot = append(*slot, line...)
	})
	if err != nil {
		return Piece{}, err
	}
	p.Returned = min(n, p.Total)
	for i := p.Total - p.Returned; i < p.Total; i++ {
		p.Content = append(p.Content, ring[i%n]...)
	}
	p.Truncated = p.Returned < p.Total
	return p, checkUTF8(p.Content, bytes-int64(len(p.Content)))
}

// eachLine calls yield with fragments of lines: long lines come in several, of
// which only the first has first set. n is the 1-based line, off the offset of the
// fragment.
func eachLine(r io.Reader, yield func(off int64, n int, frag []byte, first bool)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	off, n, first := int64(0), 1, true
	for {
		frag, err := br.ReadSlice('\n')
		if len(frag) > 0 {
			yield(off, n, frag, first)
			off += int64(len(frag))
			first = false
		}
		switch {
		case err == nil:
			n, first = n+1, true
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil
		default:
			return fmt.Errorf("read lines: %w", err)
		}
	}
}

// Window returns at most limit bytes from offset on; limit 0 means to the end. It
// never cuts a character: a partial one at the start is skipped, one at the end is
// left for the next window, and a window smaller than one character holds one. size
// is that of the whole file.
func Window(r io.ReaderAt, size, offset, limit int64) (content []byte, err error) {
	if offset >= size {
		return nil, nil
	}
	end := size
	if limit > 0 && limit < size-offset {
		end = offset + limit
	}
	// Up to three bytes more decide whether the last character is whole.
	buf := make([]byte, min(end+utf8.UTFMax-1, size)-offset)
	n, err := r.ReadAt(buf, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read window: %w", err)
	}
	buf = buf[:n]
	skip := 0
	for offset > 0 && skip < len(buf) && skip < utf8.UTFMax-1 && !utf8.RuneStart(buf[skip]) {
		skip++
	}
	cut := min(int(end-offset), len(buf))
	for cut > skip && cut < len(buf) && !utf8.RuneStart(buf[cut]) {
		cut--
	}
	if cut <= skip && skip < len(buf) {
		_, w := utf8.DecodeRune(buf[skip:])
		cut = skip + w
	}
	return buf[skip:cut], checkUTF8(buf[skip:cut], offset+int64(skip))
}

// Preview returns the beginning of a text that is too long to return whole: at most
// limit bytes, ending after a line where one ends in them, else after a character.
func Preview(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	cut := text[:limit]
	for i := len(cut) - 1; i >= 0; i-- {
		if cut[i] == '\n' {
			return cut[:i+1]
		}
	}
	for n := len(cut); n > 0 && n > len(cut)-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			return text[:n]
		}
	}
	return cut
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
