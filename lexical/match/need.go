package match

// NeedOp is the kind of a Need.
type NeedOp uint8

// The kinds. The zero value demands nothing.
const (
	NeedAny  NeedOp = iota // nothing is known: every line may match
	NeedLit                // the line contains Lit
	NeedAnd                // all of Sub hold
	NeedOr                 // one of Sub holds
	NeedNone               // no line can match
)

// Need is a condition that every matching line fulfils.
type Need struct {
	Op  NeedOp
	Sub []*Need
	Lit Literal
}

// Literal is a text that a line contains.
type Literal struct {
	Text string
	Fold bool // by Unicode simple folding
	// Word says that no word character stands directly before or after it.
	Word bool
}
