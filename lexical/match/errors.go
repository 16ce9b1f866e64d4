package match

import "fmt"

// ErrorKind says what is wrong with a pattern.
type ErrorKind string

// The closed set of kinds.
const (
	BadSyntax   ErrorKind = "bad_syntax"  // not a regular expression
	Unsupported ErrorKind = "unsupported" // a construct that no matcher here takes; Construct names it
	TooLong     ErrorKind = "too_long"    // more than MaxPattern bytes
	OverBudget  ErrorKind = "over_budget" // backtracking took too long on one line
)

// PatternError says why a pattern is refused, or why matching it was given up.
type PatternError struct {
	Kind      ErrorKind
	Construct string // for Unsupported: "possessive quantifier", "recursion", "line break", …
	Line      uint32 // for OverBudget: the line that was given up, 1-based
	Message   string // one sentence for the person or model that wrote the pattern
}

func (e *PatternError) Error() string { return "match pattern: " + e.Message }

func overBudget(line uint32) error {
	return &PatternError{
		Kind: OverBudget,
		Line: line,
		Message: fmt.Sprintf("the regular expression backtracks for too long on line %d; "+
			"make it simpler or drop lookaround and backreferences", line),
	}
}

func lineBreak() error {
	return &PatternError{
		Kind:      Unsupported,
		Construct: "line break",
		Message:   "the pattern contains a line break, and matches never cross lines; search for one line of it",
	}
}

func unsupported(construct string) error {
	return &PatternError{
		Kind:      Unsupported,
		Construct: construct,
		Message:   "the regular expression uses an unsupported construct: " + construct,
	}
}
