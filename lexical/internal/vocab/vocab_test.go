package vocab

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/lexical/match"
)

// words draws distinct words; enough of them for a filter when n is large.
func words(rng *rand.Rand, n int) []string {
	letters := []rune("aAbBkKsSeinot_01\u00e9\u00c9\u212a\u017f\u03c3\u03c2\u03a3\u4e2d")
	set := map[string]bool{}
	for len(set) < n {
		var b strings.Builder
		wide := rng.IntN(4) == 0
		for range 1 + rng.IntN(12) {
			k := 16
			if wide {
				k = len(letters)
			}
			b.WriteRune(letters[rng.IntN(k)])
		}
		if rng.IntN(50) == 0 {
			b.WriteByte(0x80 + byte(rng.IntN(0x80)))
		}
		set[b.String()] = true
	}
	out := make([]string, 0, n)
	for w := range set {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

func build(list []string) *Vocab {
	var b Builder
	for _, w := range list {
		b.Add(w)
	}
	return b.Build(Stamp{Size: 7, CRC: 9})
}

// naive answers a query word by word.
func naive(list []string, q Query) []string {
	var out []string
	lit := match.Literal{Text: q.Text, Fold: q.Fold}
	for _, w := range list {
		c := lit.Cursor([]byte(w))
		for at := 0; at <= len(w); at++ {
			start, end := c.Next(at)
			if start < 0 {
				break
			}
			left := q.Left == Open || start == 0 || q.Left == Wide && w[start-1] >= 0x80
			right := q.Right == Open || end == len(w) || q.Right == Wide && w[end] >= 0x80
			if left && right {
				out = append(out, w)
				break
			}
			at = start
		}
	}
	return out
}

func find(v *Vocab, q Query) []string {
	var out []string
	v.Find(q, func(w []byte) bool { out = append(out, string(w)); return true })
	slices.Sort(out)
	return out
}

func TestFindEqualsNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 40, 9000} {
		list := words(rng, n)
		v := build(list)
		if filtered := len(v.ascii.rows) > 0; filtered != (n == 9000) {
			t.Fatalf("%d words: filter %v", n, filtered)
		}
		for range 300 {
			text := words(rng, 1)[0]
			if n > 0 && rng.IntN(3) > 0 {
				text = list[rng.IntN(n)]
			}
			from := rng.IntN(len(text))
			text = text[from : from+1+rng.IntN(len(text)-from)]
			q := Query{Text: text, Fold: rng.IntN(2) == 0, Left: Edge(rng.IntN(3)), Right: Edge(rng.IntN(3))}
			if !utf8.ValidString(text) && rng.IntN(4) > 0 {
				continue
			}
			if got, want := find(v, q), naive(list, q); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%d words, %+v: %d found, want %d", n, q, len(got), len(want))
			}
		}
	}
}

func TestFindStops(t *testing.T) {
	v := build(words(rand.New(rand.NewPCG(1, 1)), 9000))
	n := 0
	v.Find(Query{Text: "a"}, func([]byte) bool { n++; return n < 5 })
	if n != 5 {
		t.Errorf("%d words after the stop at 5", n)
	}
}

func TestSaveAndLoad(t *testing.T) {
	list := words(rand.New(rand.NewPCG(2, 2)), 9000)
	path := filepath.Join(t.TempDir(), "vocab", "a.voc")
	for range 2 { // without the directory, and with it
		if err := build(list).Save(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := build(list).Save(filepath.Join(path, "..", "..", "gone", "vocab", "a.voc")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below an index that is gone: %v", err)
	}
	v, err := Load(path, Stamp{Size: 7, CRC: 9})
	if err != nil {
		t.Fatal(err)
	}
	q := Query{Text: "ks", Fold: true}
	if got, want := find(v, q), naive(list, q); len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d found, want %d", len(got), len(want))
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Load(path, Stamp{Size: 7, CRC: 8}); !errors.Is(err, ErrStale) {
		t.Errorf("another segment: %v", err)
	}
	if _, err := Load(path+"x", Stamp{}); !errors.Is(err, ErrStale) {
		t.Errorf("no file: %v", err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, raw[:10], raw[:len(raw)-9], flip(raw, 30), flip(raw, len(raw)/2), flip(raw, len(raw)-1)} {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, Stamp{Size: 7, CRC: 9}); !errors.Is(err, ErrStale) {
			t.Errorf("damaged file of %d bytes: %v", len(bad), err)
		}
	}
}

func flip(b []byte, at int) []byte {
	b = slices.Clone(b)
	b[at] ^= 1
	return b
}
