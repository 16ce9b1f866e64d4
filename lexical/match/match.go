// Package match decides whether text matches a search pattern, and on which lines.
// It is the only judge of a match: an indexed search runs it over the candidate
// files and a live search over all files, so that both find the same lines. It
// works on bytes in memory and does no I/O. It is not the index (package lexical),
// which only says where looking is worthwhile. Callers are lexical, lexical/scan
// and the engine.
//
// Its answers are those of ripgrep on valid UTF-8: a line ends at "\n" alone, "$"
// stands before that and not before "\r", "whole word" means that no Unicode word
// character touches the match, and case is compared by Unicode simple folding. Where
// a regular expression names classes (\w, \d, \s, \b) they are RE2's ASCII ones.
//
// What is cheap stands before what is dear: literals that a match needs are looked
// for first, then an automaton says which lines match, and the library's matcher
// finds the place on those.
package match

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// MaxPattern is the longest pattern in bytes that Compile takes.
const MaxPattern = 1000

// NotEligible is the reason that Eligible gives for a regular expression.
const NotEligible = "pattern_not_eligible"

// window is how much text is searched between two looks at the context.
const window = 1 << 20

// utf8BOM is not part of the first line.
const utf8BOM = "\xef\xbb\xbf"

// Spec is a pattern as the caller states it.
type Spec struct {
	Text string
	// Regex asks for RE2 syntax, line by line: (?m) is on and no match crosses a
	// line end. Lookaround and backreferences run on a backtracking matcher with a
	// budget of processor time for each line. A regex that can only match one text is that literal.
	Regex bool
	// CaseSensitive false compares by Unicode simple folding.
	CaseSensitive bool
	// WholeWord asks for matches with no word character (Unicode letters, marks,
	// digits, connectors) directly before or after them.
	WholeWord bool
}

// LineMatch is one matching line. A line ends at "\n" only.
type LineMatch struct {
	Line       uint32 // 1-based
	Start, End int    // the line's text in the source; its "\n" or "\r\n" is outside
	Col        uint32 // 1-based byte column, from Start, of the first match on the line
	Len        int    // bytes of that match
}

// Pattern is a compiled Spec. It is safe for concurrent use.
type Pattern struct {
	spec     Spec
	find     finder
	need     *Need
	eligible bool
}

// finder makes cursors over one text.
type finder interface {
	cursor(text []byte) cursor
}

// cursor walks the matches of one text. next returns the first match that starts at
// or after from, which never moves back; start is -1 where there is none. For a
// regular expression, from is the start of a line.
type cursor interface {
	next(ctx context.Context, from int) (start, end int, err error)
}

// Compile returns a *PatternError for a pattern that it cannot take.
func Compile(s Spec) (*Pattern, error) {
	if len(s.Text) > MaxPattern {
		return nil, &PatternError{Kind: TooLong, Message: "the pattern is longer than 1000 bytes"}
	}
	if s.Regex {
		return compileRegex(s)
	}
	return compileLiteral(s, s.Text, s.CaseSensitive)
}

func compileLiteral(s Spec, text string, caseSensitive bool) (*Pattern, error) {
	if strings.IndexByte(text, '\n') >= 0 {
		return nil, lineBreak()
	}
	p := &Pattern{spec: s, eligible: true}
	lit := Literal{Text: text, Fold: !caseSensitive && hasCase(text), Word: s.WholeWord}
	p.find = lit.finder()
	p.need = &Need{Op: NeedLit, Lit: lit}
	if text == "" {
		p.need = &Need{}
	}
	return p, nil
}

// Spec returns what the pattern was compiled from.
func (p *Pattern) Spec() Spec { return p.spec }

// Eligible reports whether the pattern may be answered from the index: it is a
// literal, a word or a phrase. The reason is "" where it is.
func (p *Pattern) Eligible() (ok bool, reason string) {
	if !p.eligible {
		return false, NotEligible
	}
	return true, ""
}

// Need returns what every matching line contains, for an index to narrow by. A
// regex that is not eligible may still have one. It is shared: do not change it.
func (p *Pattern) Need() *Need { return p.need }

// Match reports whether any line of src matches. The error is that of Lines.
func (p *Pattern) Match(ctx context.Context, src []byte) (bool, error) {
	found := false
	err := p.Lines(ctx, src, func(LineMatch) bool { found = true; return false })
	return found, err
}

// Lines calls emit once for each matching line, in order, until emit returns
// false. It looks at ctx about once a megabyte and returns its error. Where a
// backtracking pattern takes its whole budget of processor time on one line, Lines ends
// there with a *PatternError of kind OverBudget: what it has emitted stands.
func (p *Pattern) Lines(ctx context.Context, src []byte, emit func(LineMatch) bool) error {
	w := lineWalk{src: src, line: 1}
	if bytes.HasPrefix(src, []byte(utf8BOM)) {
		w.counted = len(utf8BOM)
	}
	for lo := w.counted; lo < len(src); {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := len(src)
		if lo+window < hi {
			if nl := bytes.IndexByte(src[lo+window:], '\n'); nl >= 0 {
				hi = lo + window + nl + 1
			}
		}
		more, err := p.window(ctx, &w, lo, hi, emit)
		if err != nil || !more {
			return err
		}
		lo = hi
	}
	return nil
}

// lineWalk counts lines up to the last one that was asked for.
type lineWalk struct {
	src     []byte
	line    uint32 // number of the line that starts at counted
	counted int
}

func (w *lineWalk) at(lineStart int) uint32 {
	w.line += uint32(bytes.Count(w.src[w.counted:lineStart], []byte{'\n'}))
	w.counted = lineStart
	return w.line
}

// window emits the matching lines of src[lo:hi], which holds whole lines.
func (p *Pattern) window(ctx context.Context, w *lineWalk, lo, hi int, emit func(LineMatch) bool) (more bool, err error) {
	// Without its last line end, so that no empty line follows it.
	text := bytes.TrimSuffix(w.src[lo:hi], []byte{'\n'})
	c := p.find.cursor(text)
	for from := 0; from <= len(text); {
		start, end, err := c.next(ctx, from)
		var dear *tooDear
		if errors.As(err, &dear) {
			return false, overBudget(w.at(lo + dear.at))
		}
		if err != nil {
			return false, err
		}
		if start < 0 {
			break
		}
		first := from + bytes.LastIndexByte(text[from:start], '\n') + 1
		last := lineEnd(text, start)
		m := LineMatch{
			Line:  w.at(lo + first),
			Start: lo + first,
			End:   lo + last,
			Col:   uint32(start-first) + 1,
			Len:   end - start,
		}
		if m.End > m.Start && m.End < len(w.src) && w.src[m.End-1] == '\r' {
			m.End--
		}
		if !emit(m) {
			return false, nil
		}
		from = last + 1
	}
	return true, nil
}

// lineEnd returns the place of the next "\n" from at on, or the end of text.
func lineEnd(text []byte, at int) int {
	if nl := bytes.IndexByte(text[at:], '\n'); nl >= 0 {
		return at + nl
	}
	return len(text)
}

// Classify says what kind of bytes src holds. All of it is looked at: a NUL byte
// anywhere makes it binary.
func Classify(src []byte) graph.Content {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return graph.ContentUTF16
	case bytes.IndexByte(src, 0) >= 0:
		return graph.ContentBinary
	}
	return graph.ContentText
}
