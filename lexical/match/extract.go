package match

import (
	"regexp/syntax"
	"unicode"
)

// maxExact bounds the texts that a part of an expression may be spelled out into.
const maxExact = 16

// part is what is known of a subexpression: all texts that it matches, or else what
// each of them contains.
type part struct {
	exact []string // nil: not known
	fold  bool     // the exact texts match by folding
	need  *Need    // set where exact is nil
}

func (p part) demand() *Need {
	if p.exact != nil {
		return oneOf(p.exact, p.fold)
	}
	return p.need
}

// needOf returns what every match of re contains. re holds no line ends.
func needOf(re *syntax.Regexp) *Need { return partOf(re).demand() }

func partOf(re *syntax.Regexp) part {
	unknown := part{need: &Need{}}
	switch re.Op {
	case syntax.OpNoMatch:
		return part{need: &Need{Op: NeedNone}}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText,
		syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return part{exact: []string{""}}
	case syntax.OpLiteral:
		return part{exact: []string{string(re.Rune)}, fold: re.Flags&syntax.FoldCase != 0}
	case syntax.OpCharClass:
		return classPart(re.Rune)
	case syntax.OpCapture:
		return partOf(re.Sub[0])
	case syntax.OpQuest:
		p := partOf(re.Sub[0])
		if p.exact == nil || len(p.exact) >= maxExact {
			return unknown
		}
		p.exact = append([]string{""}, p.exact...)
		return p
	case syntax.OpPlus:
		return part{need: partOf(re.Sub[0]).demand()}
	case syntax.OpRepeat:
		if re.Min == 0 {
			return unknown
		}
		return part{need: partOf(re.Sub[0]).demand()}
	case syntax.OpConcat:
		return concatPart(re.Sub)
	case syntax.OpAlternate:
		return alternatePart(re.Sub)
	}
	return unknown
}

// classPart spells out a small class.
func classPart(ranges []rune) part {
	size := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		size += int(ranges[i+1]-ranges[i]) + 1
	}
	if size > maxExact/2 {
		return part{need: &Need{}}
	}
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			out = append(out, string(r))
		}
	}
	if first := ranges[0]; size > 1 && isOrbit(first, ranges, size) {
		return part{exact: out[:1], fold: true}
	}
	return part{exact: out}
}

// isOrbit reports whether the ranges are exactly the fold orbit of r.
func isOrbit(r rune, ranges []rune, size int) bool {
	n := 1
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		in := false
		for i := 0; i+1 < len(ranges); i += 2 {
			in = in || ranges[i] <= o && o <= ranges[i+1]
		}
		if !in {
			return false
		}
		n++
	}
	return n == size
}

// concatPart joins exact neighbours into longer texts and demands the rest one by
// one.
func concatPart(subs []*syntax.Regexp) part {
	run := part{exact: []string{""}}
	var needs []*Need
	for _, sub := range subs {
		p := partOf(sub)
		if p.exact == nil {
			needs = append(needs, run.demand(), p.need)
			run = part{exact: []string{""}}
			continue
		}
		if len(run.exact)*len(p.exact) > maxExact {
			needs = append(needs, run.demand())
			run = p
			continue
		}
		run = product(run, p)
	}
	if len(needs) == 0 {
		return run
	}
	return part{need: and(append(needs, run.demand()))}
}

func product(a, b part) part {
	out := part{fold: a.fold || b.fold, exact: make([]string, 0, len(a.exact)*len(b.exact))}
	for _, x := range a.exact {
		for _, y := range b.exact {
			out.exact = append(out.exact, x+y)
		}
	}
	return out
}

func alternatePart(subs []*syntax.Regexp) part {
	var out part
	var needs []*Need
	exact := true
	for _, sub := range subs {
		p := partOf(sub)
		needs = append(needs, p.demand())
		if p.exact == nil || len(out.exact)+len(p.exact) > maxExact {
			exact = false
			continue
		}
		out.exact = append(out.exact, p.exact...)
		out.fold = out.fold || p.fold
	}
	if exact {
		return out
	}
	return part{need: or(needs)}
}
