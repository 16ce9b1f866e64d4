// Package match decides whether text matches a search pattern, and on which lines.
// It is the only judge of a match: an indexed search runs it over the candidate
// files and a live search over all files, so that both find the same lines. It
// works on bytes in memory and does no I/O. It is not the index (package lexical),
// which only says where looking is worthwhile. Callers are lexical, lexical/scan
// and the engine.
package match

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
)

// MaxPattern is the longest pattern in bytes that Compile takes.
const MaxPattern = 1000

// Spec is a pattern as the caller states it.
type Spec struct {
	Text string
	// Regex asks for RE2 syntax, line by line: (?m) is on and no match crosses a
	// line end. Lookaround and backreferences run on a backtracking matcher with a
	// time budget. Text without metacharacters is the literal that it is.
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
	Col        uint32 // 1-based byte column of the first match on the line
	Len        int    // bytes of that match
}

// Reasons that Eligible gives.
const (
	NotEligibleRegex = "pattern_not_eligible" // only literals, words and phrases are answered from the index
)

// Classify says what kind of bytes src holds. All of it is looked at: a NUL byte
// anywhere makes it binary.
func Classify(src []byte) graph.Content { return graph.ContentText }

// Pattern is a compiled Spec. It is safe for concurrent use.
type Pattern struct{ spec Spec }

// Compile returns a *PatternError for a pattern that it cannot take.
func Compile(s Spec) (*Pattern, error) { return &Pattern{spec: s}, nil }

// Spec returns what the pattern was compiled from.
func (p *Pattern) Spec() Spec { return p.spec }

// Eligible reports whether the pattern may be answered from the index: it is a
// literal, a word or a phrase. The reason is "" where it is.
func (p *Pattern) Eligible() (ok bool, reason string) { return true, "" }

// Need returns what every matching line contains, for an index to narrow by. A
// regex that is not eligible may still have one.
func (p *Pattern) Need() *Need { return &Need{} }

// Match reports whether any line of src matches. The error is that of Lines.
func (p *Pattern) Match(ctx context.Context, src []byte) (bool, error) { return false, nil }

// Lines calls emit once for each matching line, in order, until emit returns
// false. It looks at ctx about once a megabyte and returns its error; a
// backtracking pattern that exceeds its time budget gives a *PatternError.
func (p *Pattern) Lines(ctx context.Context, src []byte, emit func(LineMatch) bool) error { return nil }
