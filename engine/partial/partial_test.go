package partial

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// model cuts by splitting the whole text: slow and plain.
func model(text string, from, to int) (string, int, int) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	total := len(lines)
	if to == 0 || to > total {
		to = total
	}
	if from > to {
		return "", 0, total
	}
	return strings.Join(lines[from-1:to], ""), to - from + 1, total
}

func TestLinesEqualModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "é", "\n", "\r\n", "\r", "long" + strings.Repeat("x", 70<<10), "\f", "日本"}
	for range 400 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		from, to := 1+rng.IntN(5), rng.IntN(7)
		if to > 0 && to < from {
			to = from
		}
		want, n, total := model(text, from, to)
		got, err := Lines(strings.NewReader(text), from, to)
		if err != nil || string(got.Content) != want || got.Returned != n || got.Total != total {
			t.Fatalf("Lines(%.60q, %d, %d) = %d/%d %v, want %d/%d", text, from, to, got.Returned, got.Total, err, n, total)
		}
		k := 1 + rng.IntN(5)
		want, n, _ = model(text, max(total-k+1, 1), 0)
		got, err = Tail(strings.NewReader(text), k)
		if err != nil || string(got.Content) != want || got.Returned != n || got.Truncated != (k < total) {
			t.Fatalf("Tail(%.60q, %d) = %.40q %d %v, want %.40q %d", text, k, got.Content, got.Returned, err, want, n)
		}
	}
}

func TestLinesTruncated(t *testing.T) {
	for _, c := range []struct {
		from, to int
		want     bool
	}{{1, 2, true}, {1, 3, false}, {2, 0, false}, {9, 0, false}, {1, 9, false}} {
		p, err := Lines(strings.NewReader("a\nb\nc"), c.from, c.to)
		if err != nil || p.Truncated != c.want {
			t.Errorf("Lines(%d, %d): truncated %v, %v", c.from, c.to, p.Truncated, err)
		}
	}
}

func TestWindowNeverCutsCharacters(t *testing.T) {
	text := []byte("aé日🙂b\nç")
	var all []byte
	for off := int64(0); off < int64(len(text)); {
		for limit := int64(1); limit < 6; limit++ {
			got, err := Window(bytes.NewReader(text), int64(len(text)), off, limit)
			if err != nil || !utf8.Valid(got) || len(got) == 0 {
				t.Fatalf("Window(%d, %d) = %q, %v", off, limit, got, err)
			}
		}
		got, _ := Window(bytes.NewReader(text), int64(len(text)), off, 3)
		all = append(all, got...)
		off += int64(len(got))
	}
	if !bytes.Equal(all, text) {
		t.Errorf("windows put together = %q", all)
	}
	for off := range int64(len(text)) {
		if got, err := Window(bytes.NewReader(text), int64(len(text)), off, 0); err != nil || !utf8.Valid(got) {
			t.Errorf("Window(%d) = %q, %v", off, got, err)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	text := "ok\nb\xffd\nok\n"
	var bad *InvalidUTF8Error
	if _, err := Lines(strings.NewReader(text), 2, 2); !errors.As(err, &bad) || bad.Offset != 4 {
		t.Errorf("Lines over invalid bytes: %v", err)
	}
	if _, err := Tail(strings.NewReader(text), 2); !errors.As(err, &bad) || bad.Offset != 4 {
		t.Errorf("Tail over invalid bytes: %v", err)
	}
	if p, err := Lines(strings.NewReader(text), 3, 3); err != nil || string(p.Content) != "ok\n" {
		t.Errorf("Lines beside invalid bytes: %q, %v", p.Content, err)
	}
}

func TestPreview(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"ab\ncd\nef", 7, "ab\ncd\n"}, {"abc", 5, "abc"}, {"éé", 3, "é"}, {"xyz", 2, "xy"}} {
		if got := Preview([]byte(c.text), c.limit); string(got) != c.want {
			t.Errorf("Preview(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
