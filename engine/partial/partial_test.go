package partial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// lines splits a text as editors do: the last newline begins no line.
func lines(text string) []string {
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// fit returns the first lines that fit in limit bytes, or the characters of the
// first line that do: the slow and plain model of a limit.
func fit(all []string, limit int) (text string, n int, cut bool) {
	size := 0
	for i, line := range all {
		if size += len(line); size <= limit {
			continue
		}
		if i > 0 {
			return strings.Join(all[:i], ""), i, true
		}
		end := 0
		for _, c := range characters(line) {
			if end+len(c) > limit {
				break
			}
			end += len(c)
		}
		return line[:end], len(lines(line[:end])), true
	}
	return strings.Join(all, ""), len(all), false
}

// fitEnd is fit from the end of the text.
func fitEnd(all []string, limit int) (text string, n int, cut bool) {
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += len(all[i]); size <= limit {
			continue
		}
		if i < len(all)-1 {
			return strings.Join(all[i+1:], ""), len(all) - 1 - i, true
		}
		begin, cs := len(all[i]), characters(all[i])
		for k := len(cs) - 1; k >= 0 && len(all[i])-begin+len(cs[k]) <= limit; k-- {
			begin -= len(cs[k])
		}
		return all[i][begin:], len(lines(all[i][begin:])), true
	}
	return strings.Join(all, ""), len(all), false
}

func characters(text string) []string {
	var out []string
	for len(text) > 0 {
		_, w := utf8.DecodeRuneInString(text)
		out = append(out, text[:w])
		text = text[w:]
	}
	return out
}

// randomText is made of what a cut can go wrong at; long says that it may exceed a
// block.
func randomText(rng *rand.Rand, long bool) string {
	pieces := []string{"", "a", "b", "é", "\n", "\n", "\r\n", "\r", "\f", "日本", "🎉", "\ufffd", "\ufeff"}
	if long {
		pieces = append(pieces, strings.Repeat("x", blockSize-1), strings.Repeat("é🎉\n", blockSize/4), strings.Repeat("é", blockSize))
	}
	if rng.IntN(4) == 0 {
		pieces = append(pieces, "\xff", "\x80", "\xe6\x97", "\xf0\x9f\x8e", "\xc0\x80", "\xed\xa0\x80")
	}
	var b strings.Builder
	for range rng.IntN(14) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func randomLimit(rng *rand.Rand, size int) int {
	switch rng.IntN(4) {
	case 0:
		return 1 + rng.IntN(9)
	case 1:
		return max(size-4+rng.IntN(8), 1)
	case 2:
		return 1 + rng.IntN(size+1)
	}
	return 1 << 40
}

func checkPiece(t *testing.T, what string, p Piece, err error, want string, n, total int, cut bool) {
	t.Helper()
	if string(p.Content) != want || p.Returned != n || p.Total != total || p.Truncated != cut {
		t.Fatalf("%s = %.60q (%d bytes) %d/%d truncated %v, want %.60q (%d) %d/%d %v",
			what, p.Content, len(p.Content), p.Returned, p.Total, p.Truncated, want, len(want), n, total, cut)
	}
	if (err == nil) != utf8.ValidString(want) {
		t.Fatalf("%s: %v", what, err)
	}
}

func TestLinesEqualModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 6000 {
		text := randomText(rng, i%100 == 0)
		all, limit := lines(text), randomLimit(rng, len(text))
		from, to := 1+rng.IntN(5), rng.IntN(7)
		if to > 0 && to < from {
			to = from
		}
		end := len(all)
		if to > 0 {
			end = min(to, end)
		}
		want, n, cut := fit(all[min(from-1, end):end], limit)
		got, err := Lines(t.Context(), strings.NewReader(text), from, to, int64(limit))
		checkPiece(t, fmt.Sprintf("Lines(%.60q, %d, %d, %d)", text, from, to, limit), got, err, want, n, len(all), cut)

		k := 1 + rng.IntN(5)
		want, n, cut = fit(all[:min(k, len(all))], limit)
		got, err = Head(t.Context(), strings.NewReader(text), k, int64(limit))
		checkPiece(t, fmt.Sprintf("Head(%.60q, %d, %d)", text, k, limit), got, err, want, n, len(all), cut)

		want, n, cut = fitEnd(all[max(len(all)-k, 0):], limit)
		got, err = Tail(t.Context(), strings.NewReader(text), int64(len(text)), k, int64(limit))
		checkPiece(t, fmt.Sprintf("Tail(%.60q, %d, %d)", text, k, limit), got, err, want, n, len(all), cut)
	}
}

// seen counts what is read of a text, and how far from its start.
type seen struct {
	*strings.Reader
	bytes  int64
	lowest int64
}

func (s *seen) ReadAt(b []byte, off int64) (int, error) {
	s.lowest = min(s.lowest, off)
	n, err := s.Reader.ReadAt(b, off)
	s.bytes += int64(n)
	return n, err
}

// A tail is looked for from the end only.
func TestTailLooksFromTheEnd(t *testing.T) {
	text := strings.Repeat("a line of a log\n", 1<<16)
	r := &seen{Reader: strings.NewReader(text), lowest: int64(len(text))}
	start, cut, err := tailStart(t.Context(), r, int64(len(text)), 100, 1<<40)
	if err != nil || cut || start != int64(len(text)-1600) || r.bytes > blockSize {
		t.Errorf("tailStart = %d %v %v after %d bytes", start, cut, err, r.bytes)
	}
	const limit = 300_000
	r = &seen{Reader: strings.NewReader(text), lowest: int64(len(text))}
	start, cut, err = tailStart(t.Context(), r, int64(len(text)), 1<<30, limit)
	if err != nil || !cut || start != int64(len(text)-limit) || r.lowest < int64(len(text)-limit-utf8.UTFMax) {
		t.Errorf("tailStart = %d %v %v down to %d", start, cut, err, r.lowest)
	}
}

func TestStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := strings.Repeat("x\n", 10)
	if _, err := Lines(ctx, strings.NewReader(text), 1, 1, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("Lines: %v", err)
	}
	if _, err := Tail(ctx, strings.NewReader(text), int64(len(text)), 1, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("Tail: %v", err)
	}
}

// modelWindow returns the characters that begin in offset..offset+length, those of
// them that fit in limit, and where the next one begins.
func modelWindow(text string, offset, length, limit int64) (content string, end int64, cut bool) {
	at := int64(0)
	for _, c := range characters(text) {
		if length > 0 && at >= offset+length {
			return content, at, false
		}
		// The limit cuts what begins behind it too, as if it were the length.
		if at >= offset && (int64(len(content)+len(c)) > limit || at >= offset+limit) {
			return content, at, true
		}
		if at >= offset {
			content += c
		}
		at += int64(len(c))
	}
	return content, at, false
}

// checkWindows compares windows with the model, and puts windows that stand side
// by side together again.
func checkWindows(t *testing.T, text string, offset, length, limit int64) {
	t.Helper()
	size := int64(len(text))
	w, err := Bytes(strings.NewReader(text), size, offset, length, limit)
	want, end, cut := modelWindow(text, offset, length, limit)
	if string(w.Content) != want || w.End != end || w.Truncated != cut || (err == nil) != utf8.ValidString(want) {
		t.Fatalf("Bytes(%.60q, %d, %d, %d) = %.60q to %d truncated %v, %v; want %.60q to %d %v",
			text, offset, length, limit, w.Content, w.End, w.Truncated, err, want, end, cut)
	}
	var bad *InvalidUTF8Error
	if errors.As(err, &bad) {
		if r, w := utf8.DecodeRuneInString(text[bad.Offset:]); r != utf8.RuneError || w != 1 {
			t.Fatalf("Bytes(%.60q, %d, %d): byte %d is a character's", text, offset, length, bad.Offset)
		}
	}
	if length == 0 {
		return
	}
	var tiles, walk []byte
	for at := int64(0); at < size; at += length {
		w, _ := Bytes(strings.NewReader(text), size, at, length, length+utf8.UTFMax)
		tiles = append(tiles, w.Content...)
	}
	for at := int64(0); at < size; {
		w, _ := Bytes(strings.NewReader(text), size, at, length, max(length, utf8.UTFMax))
		walk = append(walk, w.Content...)
		if at += int64(len(w.Content)); at != w.End {
			t.Fatalf("Bytes(%.60q, %d): ends at %d, not %d", text, length, w.End, at)
		}
	}
	if string(tiles) != text || string(walk) != text {
		t.Fatalf("windows of %d bytes of %.60q, put together: %.60q, and by what was returned: %.60q", length, text, tiles, walk)
	}
}

func TestWindowsEqualModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 6000 {
		text := randomText(rng, false)
		checkWindows(t, text, int64(rng.IntN(len(text)+3)), int64(rng.IntN(12)), int64(randomLimit(rng, len(text))))
	}
	text := "é日🎉x\nß\n"
	for length := int64(1); length < 16; length++ {
		for offset := range int64(16) {
			checkWindows(t, text, offset, length, 1<<40)
		}
	}
	if w, err := Bytes(strings.NewReader(text), int64(len(text)), math.MaxInt64, math.MaxInt64, math.MaxInt64); err != nil || len(w.Content) > 0 {
		t.Errorf("window far behind the end: %q, %v", w.Content, err)
	}
	if w, err := Bytes(strings.NewReader(text), int64(len(text)), 2, math.MaxInt64, math.MaxInt64); err != nil || string(w.Content) != text[2:] {
		t.Errorf("window of any length: %q, %v", w.Content, err)
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("é日🎉x\nß\n", uint16(3), uint16(3), uint16(100))
	f.Add("a\x80b\xe6\x97", uint16(1), uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, text string, offset, length, limit uint16) {
		text = text[:min(len(text), 300)] // it is read once for each of its bytes
		checkWindows(t, text, int64(offset), int64(length), int64(limit)+1)
	})
}

// stuttering gives its text away in pieces of any sizes.
type stuttering struct {
	text  string
	sizes []byte
	next  int
}

func (s *stuttering) Read(b []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := min(len(b), len(s.text))
	if len(s.sizes) > 0 {
		size := int(s.sizes[s.next%len(s.sizes)]) % 9
		if len(s.text) > 4<<10 {
			size *= 1 << 10
		}
		n = min(n, size)
		s.next++
		if n == 0 && s.next%len(s.sizes) == 0 {
			n = 1 // or nothing is ever read
		}
	}
	copy(b, s.text[:n])
	s.text = s.text[n:]
	return n, nil
}

// padded puts a text behind so much of what has no end of a line, or of lines, that a
// block ends in the text or at either end of it.
func padded(text string, pad uint16) string {
	if pad%16 != 15 || len(text) == 0 {
		return text // mostly: it takes a thousand times as long
	}
	n := blockSize - int(pad/64)%(len(text)+2)
	switch pad / 16 % 4 {
	case 0:
		return strings.Repeat("x", n) + text
	case 1:
		return strings.Repeat("\n", n) + text
	case 2: // seen from the end, where tails are looked for
		return text + strings.Repeat("x", n)
	default:
		return text + strings.Repeat("x\n", n/2) + strings.Repeat("y", n%2)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\n日\nc", uint8(1), uint8(2), uint16(4), uint16(0), []byte(nil))
	f.Add("a\n日\n🎉\n\nb", uint8(0), uint8(1), uint16(9), uint16(0), []byte{1, 0, 3})
	f.Add("\n日\nc\x80", uint8(1), uint8(0), uint16(4), uint16(15+64*3), []byte(nil))
	f.Add("日🎉\n日日", uint8(2), uint8(3), uint16(3), uint16(15+16+64*4), []byte(nil))
	f.Add("日🎉\n", uint8(1), uint8(1), uint16(65534), uint16(15+32+64*5), []byte(nil))
	f.Add("\n🎉\n", uint8(1), uint8(200), uint16(65535), uint16(15+48+64*2), []byte(nil))
	f.Fuzz(func(t *testing.T, text string, from, count uint8, limit, pad uint16, sizes []byte) {
		if len(text) > 1<<10 {
			return
		}
		text = padded(text, pad)
		all, first, n, most := lines(text), int(from)+1, int(count), int(limit)+1
		to, end := 0, len(all)
		if n > 0 {
			to, end = first-1+n, min(first-1+n, len(all))
		}
		want, k, cut := fit(all[min(first-1, end):end], most)
		got, err := Lines(t.Context(), &stuttering{text: text, sizes: sizes}, first, to, int64(most))
		checkPiece(t, "Lines", got, err, want, k, len(all), cut)
		if n == 0 {
			return
		}
		want, k, cut = fit(all[:min(n, len(all))], most)
		got, err = Head(t.Context(), &stuttering{text: text, sizes: sizes}, n, int64(most))
		checkPiece(t, "Head", got, err, want, k, len(all), cut)
		want, k, cut = fitEnd(all[max(len(all)-n, 0):], most)
		got, err = Tail(t.Context(), strings.NewReader(text), int64(len(text)), n, int64(most))
		checkPiece(t, "Tail", got, err, want, k, len(all), cut)
		if want := modelPreview(text, most); string(Preview([]byte(text), int64(most))) != want {
			t.Fatalf("Preview(%.60q, %d) is not %.60q", text, most, want)
		}
	})
}

// modelPreview returns the whole lines that fit in limit bytes, or characters where
// no line does.
func modelPreview(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	want, _, _ := fit(lines(text), limit)
	return want
}

func TestInvalidUTF8(t *testing.T) {
	text := "ok\nb\xffd\nok\n"
	var bad *InvalidUTF8Error
	if _, err := Lines(t.Context(), strings.NewReader(text), 2, 2, 100); !errors.As(err, &bad) || bad.Offset != 4 {
		t.Errorf("Lines over invalid bytes: %v", err)
	}
	if _, err := Tail(t.Context(), strings.NewReader(text), int64(len(text)), 2, 100); !errors.As(err, &bad) || bad.Offset != 4 {
		t.Errorf("Tail over invalid bytes: %v", err)
	}
	if p, err := Lines(t.Context(), strings.NewReader(text), 3, 3, 100); err != nil || string(p.Content) != "ok\n" {
		t.Errorf("Lines beside invalid bytes: %q, %v", p.Content, err)
	}
}

func TestPreview(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int64
		want  string
	}{{"ab\ncd\nef", 7, "ab\ncd\n"}, {"abc", 5, "abc"}, {"éé", 3, "é"}, {"é", 1, ""}, {"\x80\x80\x80", 1, "\x80"}, {"xyz", 2, "xy"}} {
		if got := Preview([]byte(c.text), c.limit); string(got) != c.want {
			t.Errorf("Preview(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
