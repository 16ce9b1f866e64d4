package vocab

import (
	"unicode"
	"unicode/utf8"
)

// appendFolded appends text with each character replaced by one that stands for its
// fold orbit: two texts that match by simple folding are equal after it. Bytes that
// are not UTF-8 stay. UTF-8 synchronises itself, so a valid text that stands within
// another one also does so after folding.
func appendFolded[T string | []byte](dst []byte, text T) []byte {
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			dst = append(dst, b)
			i++
			continue
		}
		r, n := decode(text[i:])
		if r == utf8.RuneError && n <= 1 {
			dst = append(dst, b)
			i++
			continue
		}
		dst = utf8.AppendRune(dst, foldRune(r))
		i += n
	}
	return dst
}

func decode[T string | []byte](text T) (rune, int) {
	return utf8.DecodeRuneInString(string(text[:min(utf8.UTFMax, len(text))]))
}

// foldRune returns the smallest rune of the orbit, in lower case where that is an
// ASCII letter.
func foldRune(r rune) rune {
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
