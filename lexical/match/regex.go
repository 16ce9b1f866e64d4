package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// compileRegex tries RE2 first, the backtracking matcher for what RE2 lacks, and
// names what neither takes.
func compileRegex(s Spec) (*Pattern, error) {
	if strings.IndexByte(s.Text, '\n') >= 0 {
		return nil, lineBreak()
	}
	if !strings.ContainsAny(s.Text, `\.+*?()|[]{}^$`) {
		return compileLiteral(s, s.Text, s.CaseSensitive)
	}
	// Without OneLine: ^ and $ stand at line ends.
	flags := syntax.ClassNL | syntax.PerlX | syntax.UnicodeGroups
	if !s.CaseSensitive {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(s.Text, flags)
	if err != nil {
		return compileBeyond(s, err)
	}
	if text, fold, ok := onlyLiteral(re); ok {
		return compileLiteral(s, text, !fold)
	}
	if err := keepToLine(re); err != nil {
		return nil, err
	}
	need := needOf(re)
	src := re.String()
	if s.WholeWord {
		src = wordRegex(src)
	}
	prog, err := regexp.Compile(src)
	if err != nil {
		return nil, &PatternError{Kind: Unsupported, Construct: "expression size",
			Message: "the regular expression is too large: " + err.Error()}
	}
	if s.WholeWord {
		if re, err = syntax.Parse(src, syntax.Perl); err != nil {
			return nil, asPatternError(err) // not after Compile has taken it
		}
	}
	p := &Pattern{spec: s, need: need}
	p.find = guarded(p.need, newDFAFinder(re, &regexFinder{prog: prog, group: s.WholeWord}))
	return p, nil
}

// onlyLiteral reports whether re matches one text and nothing else.
func onlyLiteral(re *syntax.Regexp) (text string, fold, ok bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return "", false, true
	case syntax.OpLiteral:
		return string(re.Rune), re.Flags&syntax.FoldCase != 0, true
	}
	return "", false, false
}

// keepToLine rewrites re so that no match holds a line end.
func keepToLine(re *syntax.Regexp) error {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r == '\n' {
				return lineBreak()
			}
		}
	case syntax.OpCharClass:
		re.Rune = withoutNewline(re.Rune)
		if len(re.Rune) == 0 {
			re.Op = syntax.OpNoMatch
		}
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op = syntax.OpEndLine
	}
	for _, sub := range re.Sub {
		if err := keepToLine(sub); err != nil {
			return err
		}
	}
	return nil
}

// withoutNewline cuts "\n" out of a list of rune ranges.
func withoutNewline(ranges []rune) []rune {
	var out []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if lo > '\n' || hi < '\n' {
			out = append(out, lo, hi)
			continue
		}
		if lo < '\n' {
			out = append(out, lo, '\n'-1)
		}
		if hi > '\n' {
			out = append(out, '\n'+1, hi)
		}
	}
	return out
}

// wordRegex wraps src so that its first group is the match and no word character
// touches it.
func wordRegex(src string) string {
	var apart strings.Builder
	apart.WriteString(`[^\n0-9A-Za-z_\pL\pM\p{Nd}\p{Nl}\p{Pc}`)
	for _, t := range [...]*unicode.RangeTable{unicode.Other_Alphabetic, unicode.Join_Control} {
		for _, r := range t.R16 {
			writeRange(&apart, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			writeRange(&apart, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	apart.WriteByte(']')
	return "(?:(?m:^)|" + apart.String() + ")(" + src + ")(?:(?m:$)|" + apart.String() + ")"
}

func writeRange(out *strings.Builder, lo, hi, stride rune) {
	if stride == 1 {
		fmt.Fprintf(out, `\x{%x}-\x{%x}`, lo, hi)
		return
	}
	for r := lo; r <= hi; r += stride {
		fmt.Fprintf(out, `\x{%x}`, r)
	}
}

// regexFinder runs RE2 over the text.
type regexFinder struct {
	prog  *regexp.Regexp
	group bool // the match proper is the first group
}

type regexCursor struct {
	*regexFinder
	text []byte
}

func (f *regexFinder) cursor(text []byte) cursor { return &regexCursor{f, text} }

// longText is where a search looks at its context on the way. Only a text with one
// very long line gets there: others come in windows.
const longText = 2 * window

func (c *regexCursor) next(ctx context.Context, from int) (int, int, error) {
	if from > len(c.text) {
		return -1, 0, nil
	}
	rest := c.text[from:]
	var loc []int
	switch {
	case len(rest) > longText:
		r := &runeReader{ctx: ctx, text: rest}
		loc = c.prog.FindReaderSubmatchIndex(r)
		if r.err != nil {
			return -1, 0, r.err
		}
	case c.group:
		loc = c.prog.FindSubmatchIndex(rest)
	default:
		loc = c.prog.FindIndex(rest)
	}
	if loc == nil {
		return -1, 0, nil
	}
	if c.group {
		loc = loc[2:]
	}
	return from + loc[0], from + loc[1], nil
}

// runeReader feeds a regular expression and ends early when the context does.
type runeReader struct {
	ctx  context.Context
	text []byte
	at   int
	due  int // where to look at the context next
	err  error
}

func (r *runeReader) ReadRune() (rune, int, error) {
	if r.at >= r.due {
		if r.err = r.ctx.Err(); r.err != nil {
			return 0, 0, r.err
		}
		r.due = r.at + 1<<16
	}
	if r.at >= len(r.text) {
		return 0, 0, io.EOF
	}
	ch, n := rune(r.text[r.at]), 1
	if ch >= utf8.RuneSelf {
		ch, n = utf8.DecodeRune(r.text[r.at:])
	}
	r.at += n
	return ch, n, nil
}

// guarded puts a search for literals that a match needs in front of a dear finder,
// which then sees only the lines that hold one.
func guarded(need *Need, f finder) finder {
	lits := need.guards()
	if lits == nil {
		return f
	}
	g := guardFinder{of: f}
	if len(lits) == 1 {
		g.guard = lits[0].finder()
		return g
	}
	var any anyFinder
	for _, l := range lits {
		any = append(any, l.finder())
	}
	g.guard = any
	return g
}

type guardFinder struct{ guard, of finder }

type guardCursor struct {
	guard cursor
	of    finder
	text  []byte
}

func (f guardFinder) cursor(text []byte) cursor {
	return &guardCursor{f.guard.cursor(text), f.of, text}
}

func (c *guardCursor) next(ctx context.Context, from int) (int, int, error) {
	for from <= len(c.text) {
		hit, _, err := c.guard.next(ctx, from)
		if hit < 0 || err != nil {
			return -1, 0, err
		}
		start, end, last, err := onLine(ctx, c.of, c.text, from, hit)
		if err != nil || start >= 0 {
			return start, end, err
		}
		from = last + 1
	}
	return -1, 0, nil
}

// onLine looks for the first match in the line that holds hit, at from or after it.
// start is -1 where there is none; last is the end of the line.
func onLine(ctx context.Context, of finder, text []byte, from, hit int) (start, end, last int, err error) {
	first := from + bytes.LastIndexByte(text[from:hit], '\n') + 1
	last = lineEnd(text, hit)
	start, end, err = of.cursor(text[first:last]).next(ctx, 0)
	var dear *tooDear
	if errors.As(err, &dear) {
		return -1, 0, last, &tooDear{first + dear.at}
	}
	if err != nil || start < 0 {
		return -1, 0, last, err
	}
	return first + start, first + end, last, nil
}

// asPatternError turns a parser's error into ours.
func asPatternError(err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return &PatternError{Kind: BadSyntax, Message: "the regular expression is malformed: " + err.Error()}
	}
	switch se.Code {
	case syntax.ErrInvalidRepeatSize:
		return unsupported("repeat count over 1000")
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return unsupported("expression size")
	case syntax.ErrInvalidEscape:
		return unsupported("escape " + se.Expr)
	case syntax.ErrInvalidUTF8:
		return &PatternError{Kind: BadSyntax, Message: "the regular expression is not valid UTF-8"}
	}
	msg := "the regular expression is malformed: " + se.Code.String()
	if se.Expr != "" {
		msg += ": " + se.Expr
	}
	return &PatternError{Kind: BadSyntax, Message: msg}
}
