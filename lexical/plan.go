package lexical

import (
	"slices"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/lexical/internal/vocab"
	"github.com/ralph-index/ralph-index/lexical/internal/word"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// plan is what to look up for a pattern.
type plan struct {
	op   planOp
	sub  []*plan // of planAnd cheapest first
	term term    // of planTerm
}

type planOp uint8

const (
	planAll  planOp = iota // cannot be narrowed
	planNone               // nothing matches
	planTerm
	planAnd
	planOr
)

// term is a part of a word that a file must have.
type term vocab.Query

// exact reports whether the term is a whole word as it is written: one look-up.
func (t *term) exact() bool { return !t.Fold && t.Left == vocab.Closed && t.Right == vocab.Closed }

// cost orders terms: the first ones are cheaper, or leave fewer files.
func (p *plan) cost() int {
	switch p.op {
	case planNone, planAll:
		return 0
	case planTerm:
		n := min(len(p.term.Text), 40)
		if p.term.exact() {
			return 100 - n
		}
		return 1000 - 10*n
	}
	total := 0
	for _, s := range p.sub {
		total += s.cost()
	}
	return total
}

// planFor turns what a line needs into what the index can look up.
func planFor(n *match.Need) *plan {
	switch n.Op {
	case match.NeedNone:
		return &plan{op: planNone}
	case match.NeedLit:
		return planLiteral(n.Lit)
	case match.NeedAnd, match.NeedOr:
		subs := make([]*plan, len(n.Sub))
		for i, s := range n.Sub {
			subs[i] = planFor(s)
		}
		if n.Op == match.NeedAnd {
			return planAllOf(subs)
		}
		return planOneOf(subs)
	}
	return &plan{op: planAll}
}

func planAllOf(subs []*plan) *plan {
	kept := make([]*plan, 0, len(subs))
	for _, s := range subs {
		switch s.op {
		case planAll:
		case planNone:
			return s
		case planAnd:
			kept = append(kept, s.sub...)
		default:
			kept = append(kept, s)
		}
	}
	switch len(kept) {
	case 0:
		return &plan{op: planAll}
	case 1:
		return kept[0]
	}
	slices.SortStableFunc(kept, func(a, b *plan) int { return a.cost() - b.cost() })
	return &plan{op: planAnd, sub: kept}
}

func planOneOf(subs []*plan) *plan {
	kept := make([]*plan, 0, len(subs))
	for _, s := range subs {
		switch s.op {
		case planAll:
			return s
		case planNone:
		default:
			kept = append(kept, s)
		}
	}
	switch len(kept) {
	case 0:
		return &plan{op: planNone}
	case 1:
		return kept[0]
	}
	return &plan{op: planOr, sub: kept}
}

// planLiteral cuts a literal at its word ends.
func planLiteral(l match.Literal) *plan {
	var terms []*plan
	seen := map[term]bool{}
	for i := 0; i < len(l.Text); {
		if !word.Is(l.Text[i]) {
			i++
			continue
		}
		start := i
		for i < len(l.Text) && word.Is(l.Text[i]) {
			i++
		}
		t := term{Text: l.Text[start:i], Fold: l.Fold, Left: vocab.Closed, Right: vocab.Closed}
		// What a whole-word search allows beside its first and last character is a
		// byte that ends the word here or one beyond ASCII that is no word character.
		outer := vocab.Open
		if l.Word {
			outer = vocab.Wide
		}
		if start == 0 {
			t.Left = outer
		}
		if i == len(l.Text) {
			t.Right = outer
		}
		t.fit()
		if !seen[t] {
			seen[t] = true
			terms = append(terms, &plan{op: planTerm, term: t})
		}
	}
	return planAllOf(terms)
}

// fit shortens a text that may stand in a long word, which is held in pieces.
func (t *term) fit() {
	longest, part := word.Longest, word.Overlap
	if t.Fold {
		// A character may be three times as long in another case.
		longest, part = longest/3, part/3
	}
	switch {
	case t.Left != vocab.Open && t.Right != vocab.Open && len(t.Text) <= longest:
	case len(t.Text) <= part:
	case t.Left != vocab.Open || t.Right == vocab.Open:
		for part > 0 && !utf8.RuneStart(t.Text[part]) {
			part--
		}
		t.Text, t.Right = t.Text[:part], vocab.Open
	default:
		at := len(t.Text) - part
		for at < len(t.Text) && !utf8.RuneStart(t.Text[at]) {
			at++
		}
		t.Text, t.Left = t.Text[at:], vocab.Open
	}
}
