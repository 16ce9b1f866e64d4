package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// census is what a pass over a tree says of its words.
type census struct {
	paths []graph.Path // text files
	odd   map[graph.Path]bool
	bad   map[graph.Path]bool // text, but not valid UTF-8
	words []string            // sorted
	files map[string]int      // word -> number of files that hold it
	lines [][]byte            // a sample
}

// takeCensus reads a tree once.
func takeCensus(ctx context.Context, dir string, rng *rand.Rand) (*census, error) {
	t, err := tree.Open(dir, tree.Options{})
	if err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	defer func() { _ = t.Close() }()
	c := &census{files: map[string]int{}, odd: map[graph.Path]bool{}, bad: map[graph.Path]bool{}}
	err = t.Walk(ctx, tree.WalkOptions{}, func(e tree.Entry) error {
		if e.Type != tree.File || e.Link { // ripgrep does not follow links
			c.odd[e.Path] = true
			return nil
		}
		src, _, err := t.Read(e.Path, nil)
		if err != nil || match.Classify(src) != graph.ContentText {
			c.odd[e.Path] = true
			return nil
		}
		if !validUTF8(src) {
			c.bad[e.Path] = true
		}
		c.paths = append(c.paths, e.Path)
		c.count(src)
		if lines := bytes.Split(src, []byte{'\n'}); len(src) > 0 {
			if l := lines[rng.IntN(len(lines))]; len(l) > 3 && len(l) < 300 {
				c.lines = append(c.lines, slices.Clone(l))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	for w := range c.files {
		c.words = append(c.words, w)
	}
	slices.Sort(c.words)
	slices.Sort(c.paths)
	return c, nil
}

func validUTF8(b []byte) bool { return bytes.Equal(b, bytes.ToValidUTF8(b, nil)) }

func (c *census) count(src []byte) {
	seen := map[string]bool{}
	for _, w := range bytes.FieldsFunc(src, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if len(w) >= 3 && len(w) <= 40 && !seen[string(w)] {
			seen[string(w)] = true
			c.files[string(w)]++
		}
	}
}

// band picks n words that stand in more than lo and at most hi of the files.
func (c *census) band(rng *rand.Rand, n int, lo, hi float64) []string {
	total := float64(len(c.paths))
	var in []string
	for _, w := range c.words {
		if share := float64(c.files[w]) / total; share > lo && share <= hi {
			in = append(in, w)
		}
	}
	return pick(rng, in, n)
}

func pick[T any](rng *rand.Rand, from []T, n int) []T {
	rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:min(n, len(from))]
}

// subWords cuts n pieces out of the inside of words of a band.
func (c *census) subWords(rng *rand.Rand, n int) []string {
	var out []string
	for _, w := range c.band(rng, 50*n, 0.0005, 0.02) {
		if len(w) < 9 || len(out) == n {
			continue
		}
		size := 5 + rng.IntN(len(w)-8)
		at := 1 + rng.IntN(len(w)-size-1)
		out = append(out, w[at:at+size])
	}
	return out
}

// absent makes n literals that stand nowhere.
func (c *census) absent(rng *rand.Rand, n int) []string {
	var out []string
	for len(out) < n {
		b := make([]byte, 12)
		for i := range b {
			b[i] = "bcdfghjklmnpqrstvwxz"[rng.IntN(20)]
		}
		if c.files[string(b)] == 0 {
			out = append(out, string(b))
		}
	}
	return out
}

// oneOrTwo makes a literal of one or two bytes.
func oneOrTwo(rng *rand.Rand) string {
	const from = "etaoinshrdlu_09(){}.\t "
	b := []byte{from[rng.IntN(len(from))], from[rng.IntN(len(from))]}
	return string(b[:1+rng.IntN(2)])
}

// random makes a literal of any kind: word, part of a word, piece of a line,
// punctuation, one or two bytes, other scripts.
func (c *census) random(rng *rand.Rand) string {
	switch rng.IntN(8) {
	case 0, 1:
		return c.words[rng.IntN(len(c.words))]
	case 2:
		w := c.words[rng.IntN(len(c.words))]
		at := rng.IntN(len(w))
		return w[at : at+1+rng.IntN(len(w)-at)]
	case 3, 4:
		l := c.lines[rng.IntN(len(c.lines))]
		at := rng.IntN(len(l))
		return string(bytes.ToValidUTF8(l[at:at+1+rng.IntN(min(len(l)-at, 40))], nil))
	case 5:
		p := []string{"->", "==", "{}", "();", "::", "/*", "//", "<=", "...", "\"\"", "[]", "$", "\\n", "#!", "%s", "&&", "||", "=>", "-", "."}
		return p[rng.IntN(len(p))]
	case 6:
		return oneOrTwo(rng)
	default:
		p := []string{"é", "ü", "ß", "日本", "ſ", "\u212a", "→", "“", "ñ", "Ω", "µ", "…", "İ", "ﬁ"}
		return p[rng.IntN(len(p))]
	}
}
