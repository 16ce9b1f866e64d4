package match

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
	Message   string // one sentence for the person or model that wrote the pattern
}

func (e *PatternError) Error() string { return "match pattern: " + e.Message }

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
