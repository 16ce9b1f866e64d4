package match

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// The finder of a literal finds what bytes.Index finds, in texts that are made of few
// bytes too, where the rarest one of the literal is none.
func TestExactFinderAgreesWithIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, alphabet := range []string{"a", "ab", "etZ", "etaoin shrdlu\n", "\xffZ\x00q"} {
		for range 3000 {
			text := randomBytes(rng, alphabet, rng.IntN(400))
			needle := randomBytes(rng, alphabet, 1+rng.IntN(6))
			if rng.IntN(2) == 0 && len(text) > 3 {
				at := rng.IntN(len(text) - 1)
				needle = text[at : at+1+rng.IntN(min(len(text)-at, 80))]
			}
			c := newExactFinder(string(needle)).cursor(text)
			for from := 0; from <= len(text); {
				want := bytes.Index(text[from:], needle)
				start, end, _ := c.next(t.Context(), from)
				if want < 0 {
					if start != -1 {
						t.Fatalf("%q in %q from %d: found at %d", needle, text, from, start)
					}
					break
				}
				if start != from+want || end != start+len(needle) {
					t.Fatalf("%q in %q from %d: %d-%d, want %d", needle, text, from, start, end, from+want)
				}
				from = start + 1
			}
		}
	}
}

func randomBytes(rng *rand.Rand, alphabet string, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return b
}
