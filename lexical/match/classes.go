package match

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxClasses bounds the classes of an automaton: beyond it a byte has no room.
const maxClasses = 250

// classes part the runes into those that a program cannot tell from one another, so
// that an automaton needs one column for each.
type classes struct {
	ascii [utf8.RuneSelf]uint8
	from  []rune // where a class begins; from[0] is 0
	of    []uint8
	rep   []rune // a rune of each class
}

// class returns the class of a rune that is not ASCII.
func (c *classes) class(r rune) uint8 {
	lo, hi := 0, len(c.from)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; c.from[mid] <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	return c.of[lo]
}

// classesOf returns false for a program that tells too many apart.
func classesOf(prog *syntax.Prog) (*classes, bool) {
	// Beside what the instructions ask for, the line end and the words of \b.
	cuts := []rune{0, utf8.RuneSelf, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	var tests []*syntax.Inst // one of each set of runes
	known := map[string]bool{}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
		default:
			continue
		}
		key := string(in.Rune) + "\xff" + string(rune(in.Arg))
		if known[key] {
			continue
		}
		known[key] = true
		tests = append(tests, in)
		cuts = append(cuts, edges(in)...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	c := &classes{from: cuts, of: make([]uint8, len(cuts))}
	// A row for each cut: the kind of its runes, and which tests they pass.
	width := len(tests) + 1
	rows := make([]byte, len(cuts)*width)
	for i, r := range cuts {
		rows[i*width] = byte(kindOf(r))
	}
	for t, in := range tests {
		ends := edges(in)
		for k := 0; k+1 < len(ends); k += 2 {
			at, _ := slices.BinarySearch(cuts, ends[k])
			for ; at < len(cuts) && cuts[at] < ends[k+1]; at++ {
				rows[at*width+t+1] = 1
			}
		}
	}
	byRow := map[string]uint8{}
	for i, r := range cuts {
		row := rows[i*width : (i+1)*width]
		id, ok := byRow[string(row)]
		if !ok {
			if len(c.rep) == maxClasses {
				return nil, false
			}
			id = uint8(len(c.rep))
			byRow[string(row)] = id
			c.rep = append(c.rep, r)
		}
		c.of[i] = id
	}
	for b := range c.ascii {
		c.ascii[b] = c.class(rune(b))
	}
	return c, true
}

// edges are where the ranges of an instruction begin and end, in pairs.
func edges(in *syntax.Inst) []rune {
	if len(in.Rune) != 1 {
		var out []rune
		for i := 0; i+1 < len(in.Rune); i += 2 {
			out = append(out, in.Rune[i], in.Rune[i+1]+1)
		}
		return out
	}
	r := in.Rune[0]
	out := []rune{r, r + 1}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			out = append(out, o, o+1)
		}
	}
	return out
}

// kind is what an assertion can see of a neighbouring rune.
type kind uint8

const (
	kindLineEnd kind = iota // or an end of the text
	kindWord                // in the sense of \b
	kindOther
)

func kindOf(r rune) kind {
	switch {
	case r == '\n':
		return kindLineEnd
	case syntax.IsWordChar(r):
		return kindWord
	}
	return kindOther
}

// rune returns one of the kind.
func (k kind) rune() rune {
	return [...]rune{kindLineEnd: '\n', kindWord: 'a', kindOther: ' '}[k]
}
