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

// Literal is a text that a line contains. It is never empty in a Need.
type Literal struct {
	Text string
	Fold bool // compared by Unicode simple folding
	// Word says that no word character stands directly before or after it.
	Word bool
}

// and drops what demands nothing.
func and(subs []*Need) *Need {
	kept := make([]*Need, 0, len(subs))
	for _, s := range subs {
		switch s.Op {
		case NeedAny:
		case NeedNone:
			return s
		case NeedAnd:
			kept = append(kept, s.Sub...)
		default:
			kept = append(kept, s)
		}
	}
	switch len(kept) {
	case 0:
		return &Need{}
	case 1:
		return kept[0]
	}
	return &Need{Op: NeedAnd, Sub: kept}
}

// or demands nothing as soon as one branch does.
func or(subs []*Need) *Need {
	kept := make([]*Need, 0, len(subs))
	for _, s := range subs {
		switch s.Op {
		case NeedAny:
			return s
		case NeedNone:
		case NeedOr:
			kept = append(kept, s.Sub...)
		default:
			kept = append(kept, s)
		}
	}
	switch len(kept) {
	case 0:
		return &Need{Op: NeedNone}
	case 1:
		return kept[0]
	}
	return &Need{Op: NeedOr, Sub: kept}
}

// oneOf demands one of the texts. An empty one demands nothing, and a choice among
// single characters is not worth a look.
func oneOf(texts []string, fold bool) *Need {
	subs := make([]*Need, len(texts))
	for i, t := range texts {
		if t == "" || len(t) == 1 && len(texts) > 1 {
			return &Need{}
		}
		subs[i] = &Need{Op: NeedLit, Lit: Literal{Text: t, Fold: fold && hasCase(t)}}
	}
	return or(subs)
}

// Bounds of the literal set that stands in front of a regular expression: more
// literals, or shorter ones, cost more than they spare.
const (
	maxGuards   = 8
	minGuardLen = 2
)

// guards picks literals of which each matching line contains at least one: the
// choice whose shortest literal is longest. It returns nil when there is none worth
// looking for.
func (n *Need) guards() []Literal {
	switch n.Op {
	case NeedLit:
		if len(n.Lit.Text) < minGuardLen {
			return nil
		}
		return []Literal{n.Lit}
	case NeedAnd:
		var best []Literal
		for _, s := range n.Sub {
			if g := s.guards(); g != nil && (best == nil || guardValue(g) > guardValue(best)) {
				best = g
			}
		}
		return best
	case NeedOr:
		var all []Literal
		for _, s := range n.Sub {
			g := s.guards()
			if g == nil || len(all)+len(g) > maxGuards {
				return nil
			}
			all = append(all, g...)
		}
		return all
	}
	return nil
}

func guardValue(g []Literal) int {
	shortest := MaxPattern
	for _, l := range g {
		v := 2 * len(l.Text)
		if l.Fold {
			v-- // slower to look for
		}
		shortest = min(shortest, v)
	}
	return shortest
}
