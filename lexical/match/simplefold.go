package match

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// folder spells out, for the backtracking matcher, what compares without case: that
// matcher compares lower-case forms, which takes the dotted capital I for an i and
// tells the two small sigmas apart. Each literal and each class becomes the class of
// all that simple folding makes equal.
type folder struct {
	text string
	out  strings.Builder
	fold bool
	outs []bool // fold of the open groups
}

// foldSimply returns an expression that, compiled with case, matches as text does
// without it (fold), or where its own flags say so; false where it does not read it.
func foldSimply(text string, fold bool) (string, bool) {
	f := &folder{text: text, fold: fold}
	for i := 0; i < len(text); {
		n := f.atom(i)
		if n <= i {
			return "", false
		}
		i = n
	}
	return f.out.String(), true
}

// atom writes what begins at i and returns the place after it; 0 gives up.
func (f *folder) atom(i int) int {
	switch f.text[i] {
	case '(':
		return f.open(i)
	case ')':
		if len(f.outs) == 0 {
			return 0
		}
		f.fold, f.outs = f.outs[len(f.outs)-1], f.outs[:len(f.outs)-1]
		return f.copy(i, i+1)
	case '[':
		end := skipClass(f.text, i)
		if end < 0 || end > len(f.text) {
			return 0
		}
		return f.class(i, end)
	case '\\':
		return f.escape(i)
	}
	r, n := utf8.DecodeRuneInString(f.text[i:])
	if f.fold && unicode.SimpleFold(r) != r {
		f.orbit(r)
		return i + n
	}
	return f.copy(i, i+n)
}

func (f *folder) copy(i, end int) int {
	f.out.WriteString(f.text[i:end])
	return end
}

func (f *folder) orbit(r rune) {
	f.out.WriteByte('[')
	f.out.WriteRune(r)
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		f.out.WriteRune(o)
	}
	f.out.WriteByte(']')
}

// open writes the beginning of a group, up to where its content begins.
func (f *folder) open(i int) int {
	rest := f.text[i:]
	was := f.fold
	switch {
	case !strings.HasPrefix(rest, "(?"):
		f.outs = append(f.outs, was)
		return f.copy(i, i+1)
	case strings.HasPrefix(rest, "(?("), strings.HasPrefix(rest, "(?P="):
		return 0
	case strings.HasPrefix(rest, "(?#"):
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return 0
		}
		return i + end + 1
	case isLookaround(rest), strings.HasPrefix(rest, "(?>"):
		f.outs = append(f.outs, was)
		return f.copy(i, i+strings.IndexAny(rest, "=!>")+1)
	case strings.HasPrefix(rest, "(?P<"), strings.HasPrefix(rest, "(?<"):
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			return 0
		}
		f.outs = append(f.outs, was)
		return f.copy(i, i+end+1)
	}
	return f.flags(i)
}

// flags reads (?i) and its like. The case is written out, so it is left off there.
func (f *folder) flags(i int) int {
	was, fold, on := f.fold, f.fold, true
	var kept strings.Builder
	for at := i + 2; at < len(f.text); at++ {
		switch c := f.text[at]; c {
		case 'i':
			fold = on
		case '-':
			on = false
			kept.WriteByte(c)
		case 'm', 's':
			kept.WriteByte(c)
		case ':', ')':
			flags := strings.TrimSuffix(kept.String(), "-")
			if c == ':' {
				f.outs = append(f.outs, was)
				f.out.WriteString("(?" + flags + ":")
			} else if flags != "" {
				f.out.WriteString("(?" + flags + ")")
			}
			f.fold = fold
			return at + 1
		default:
			return 0
		}
	}
	return 0
}

// escape writes the escape at i whole.
func (f *folder) escape(i int) int {
	if i+1 >= len(f.text) {
		return 0
	}
	end := i + 2
	switch c := f.text[i+1]; {
	case '1' <= c && c <= '9':
		for end < len(f.text) && '0' <= f.text[end] && f.text[end] <= '9' {
			end++
		}
		return f.back(i, end)
	case c == 'k':
		if end = i + strings.IndexAny(f.text[i:], ">'}") + 1; end < i+4 {
			return 0
		}
		return f.back(i, end)
	case c == 'x':
		if end < len(f.text) && f.text[end] == '{' {
			end = i + strings.IndexByte(f.text[i:], '}') + 1
		} else {
			end += 2
		}
	case c == 'p' || c == 'P':
		if end < len(f.text) && f.text[end] == '{' {
			end = i + strings.IndexByte(f.text[i:], '}') + 1
		} else {
			end++
		}
	case strings.IndexByte("bBAzdDsSnrtfva", c) >= 0:
		return f.copy(i, end)
	case c == 'w' || c == 'W':
	case c < utf8.RuneSelf && c != '_' && !isWord(rune(c)):
		return f.copy(i, end)
	default:
		return 0
	}
	if end <= i+1 || end > len(f.text) {
		return 0
	}
	return f.class(i, end)
}

// back writes a backreference. It compares lower-case forms: what it repeats has
// been matched, so nothing that an index could rule out hangs on it.
func (f *folder) back(i, end int) int {
	if !f.fold {
		return f.copy(i, end)
	}
	f.out.WriteString("(?i:" + f.text[i:end] + ")")
	return end
}

// class writes a class or an escape as RE2 reads it.
func (f *folder) class(i, end int) int {
	if !f.fold {
		return f.copy(i, end)
	}
	re, err := syntax.Parse(f.text[i:end], syntax.FoldCase|syntax.ClassNL|syntax.PerlX|syntax.UnicodeGroups)
	switch {
	case err != nil:
		return 0
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1 && re.Flags&syntax.FoldCase != 0:
		f.orbit(re.Rune[0])
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1:
		fmt.Fprintf(&f.out, `\x{%x}`, re.Rune[0])
	case re.Op == syntax.OpCharClass && len(re.Rune) > 0:
		f.out.WriteByte('[')
		for k := 0; k+1 < len(re.Rune); k += 2 {
			fmt.Fprintf(&f.out, `\x{%x}-\x{%x}`, re.Rune[k], re.Rune[k+1])
		}
		f.out.WriteByte(']')
	default:
		return 0
	}
	return end
}
