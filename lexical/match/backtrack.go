package match

import (
	"context"
	"errors"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// compileBeyond compiles what RE2 refused with the error given.
func compileBeyond(s Spec, refused error) (*Pattern, error) {
	name, backtracks := constructOf(s.Text)
	if name == "" {
		return nil, asPatternError(refused)
	}
	if !backtracks {
		return nil, unsupported(name)
	}
	opts := regexp2.RegexOptions(regexp2.Multiline | regexp2.RE2)
	need := relaxedNeed(s)
	text, ok := foldSimply(s.Text, !s.CaseSensitive)
	if !ok { // the matcher's own folding, by which no index may rule out anything
		text, need = s.Text, &Need{}
		if !s.CaseSensitive {
			opts |= regexp2.IgnoreCase
		}
	}
	if s.WholeWord {
		const word = `[\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}]`
		text = "(?<!" + word + ")(?:" + text + ")(?!" + word + ")"
	}
	f, err := newBacktrackFinder(text, opts, lineBudget, 4*lineBudget, 16*lineBudget)
	if err != nil {
		return nil, &PatternError{Kind: BadSyntax, Message: "the regular expression is malformed: " + err.Error()}
	}
	p := &Pattern{spec: s, need: need}
	p.find = guarded(p.need, f)
	return p, nil
}

type backtrackCursor struct {
	*backtrackFinder
	text []byte
}

func (f *backtrackFinder) cursor(text []byte) cursor { return &backtrackCursor{f, text} }

func (c *backtrackCursor) next(ctx context.Context, from int) (int, int, error) {
	for from <= len(c.text) {
		if err := ctx.Err(); err != nil {
			return -1, 0, err
		}
		last := lineEnd(c.text, from)
		line := c.text[from:last]
		m, err := c.onLine(ctx, string(line))
		if errors.Is(err, errTooDear) {
			return -1, 0, &tooDear{at: from}
		}
		if err != nil {
			return -1, 0, err
		}
		if m != nil {
			start := runeOffset(line, m.Index)
			return from + start, from + start + runeOffset(line[start:], m.Length), nil
		}
		from = last + 1
	}
	return -1, 0, nil
}

// runeOffset returns the byte offset of the nth rune; bytes that are not UTF-8 count
// as one each, as in a conversion to runes.
func runeOffset(line []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(line); n-- {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}

// relaxedNeed demands the literals of the pattern without its lookaround, and with
// any text in place of backreferences: what RE2 then takes matches at least as much.
func relaxedNeed(s Spec) *Need {
	relaxed, ok := relax(s.Text)
	if !ok {
		return &Need{}
	}
	flags := syntax.ClassNL | syntax.PerlX | syntax.UnicodeGroups
	if !s.CaseSensitive {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(relaxed, flags)
	if err != nil || keepToLine(re) != nil {
		return &Need{}
	}
	return needOf(re)
}

func relax(text string) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(text); {
		end := skipAtom(text, i)
		switch {
		case end < 0:
			return "", false
		case text[i] == '\\' && i+1 < len(text) && ('1' <= text[i+1] && text[i+1] <= '9' || text[i+1] == 'k'):
			if text[i+1] == 'k' {
				return "", false
			}
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			out.WriteString(".*")
		case isLookaround(text[i:]):
			if end = closing(text, i); end < 0 {
				return "", false
			}
			out.WriteString("(?:)")
		case strings.HasPrefix(text[i:], "(?>"):
			out.WriteString("(?:")
			end = i + 3
		default:
			out.WriteString(text[i:end])
		}
		i = end
	}
	return out.String(), true
}

func isLookaround(text string) bool {
	for _, p := range [...]string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// closing returns the place after the parenthesis that closes the one at open, or -1.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if i = skipAtom(text, i); i < 0 {
			return -1
		}
	}
	return -1
}

// skipAtom returns the place after the escape, class or byte at i, or -1 where it
// does not end.
func skipAtom(text string, i int) int {
	switch text[i] {
	case '\\':
		if i+1 >= len(text) {
			return -1
		}
		if text[i+1] == 'Q' {
			return -1 // quoted text hides what follows: not worth reading
		}
		return i + 2
	case '[':
		return skipClass(text, i)
	}
	return i + 1
}

func skipClass(text string, i int) int {
	i++
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := true; i < len(text); first = false {
		switch {
		case text[i] == '\\':
			i += 2
		case text[i] == ']' && !first:
			return i + 1
		case strings.HasPrefix(text[i:], "[:"):
			if end := strings.Index(text[i:], ":]"); end > 0 {
				i += end + 2
				continue
			}
			i++
		default:
			i++
		}
	}
	return -1
}
