package graph

import (
	"fmt"
	"strings"
)

// syntaxError begins the reason of a file whose text does not parse from a place on.
const syntaxError = "syntax_error:"

// SyntaxErrorAt is the reason of a partial file whose text first fails to parse at a
// place.
func SyntaxErrorAt(p Pos) string { return fmt.Sprintf("%s%d:%d", syntaxError, p.Line, p.Col) }

// SyntaxError returns the place that SyntaxErrorAt wrote into the reason.
func (f *Facts) SyntaxError() (at Pos, ok bool) {
	if f.Status != StatusPartial || !strings.HasPrefix(f.Reason, syntaxError) {
		return at, false
	}
	n, _ := fmt.Sscanf(f.Reason[len(syntaxError):], "%d:%d", &at.Line, &at.Col)
	return at, n == 2
}

// doubtful is the most that is believed of a binding in a text that did not parse.
const doubtful = 0.8

// Doubt takes the certainty from the binding of something that stands at or behind a
// syntax error: in which scope it stands is not proven there. It reports whether it
// does.
func (f *Facts) Doubt(at Pos, b *Binding) bool {
	e, ok := f.SyntaxError()
	if !ok || at.Line < e.Line || at.Line == e.Line && at.Col < e.Col || !b.Resolved() {
		return false
	}
	if b.Provenance == Extracted {
		b.Provenance = Inferred
	}
	targets := make([]Candidate, len(b.Targets))
	for i, t := range b.Targets {
		t.Confidence = min(t.Confidence, doubtful/float32(len(targets)))
		targets[i] = t
	}
	b.Targets = targets
	return true
}
