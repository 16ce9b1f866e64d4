package match

import (
	"context"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"
)

// Bounds of an automaton. One that needs more than its room again and again is
// slower than the machine it stands in for, which then takes over.
const (
	maxInsts    = 1000    // of a program
	maxTable    = 1 << 18 // entries of the table and instructions of states: 1 MB
	minPerState = 16      // bytes that a state must have been good for
)

// dfaFinder says which lines hold a match, by an automaton that is built while it
// runs: a step a byte, where the library's machine takes one for each thread of
// each byte. The place of the match on the line is the library's to find, so that
// there is one judge of it.
type dfaFinder struct {
	of   finder
	prog *syntax.Prog
	// machines are idle automata. Each is for one goroutine at a time, and worth
	// keeping: the next text needs the same states.
	machines sync.Pool
}

// newDFAFinder puts an automaton before a finder of the expression re; the finder
// alone comes back for an expression that is not fit for one.
func newDFAFinder(re *syntax.Regexp, of finder) finder {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > maxInsts || slices.ContainsFunc(prog.Inst, bindsText) {
		return of
	}
	cls, ok := classesOf(prog)
	if !ok {
		return of
	}
	f := &dfaFinder{of: of, prog: prog}
	f.machines.New = func() any { return newDFA(prog, cls) }
	return f
}

// bindsText reports whether an instruction asks for an end of the text, which is
// none of an automaton's: it sees the ends of lines.
func bindsText(in syntax.Inst) bool {
	return in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&(syntax.EmptyBeginText|syntax.EmptyEndText) != 0
}

type dfaCursor struct {
	*dfaFinder
	text []byte
	rest cursor // of the finder behind, once the automaton gave up
}

func (f *dfaFinder) cursor(text []byte) cursor { return &dfaCursor{dfaFinder: f, text: text} }

func (c *dfaCursor) next(ctx context.Context, from int) (int, int, error) {
	d := c.machines.Get().(*dfa)
	defer c.machines.Put(d)
	for from <= len(c.text) && c.rest == nil {
		hit, err := d.find(ctx, c.text, from)
		if err != nil || hit == noHit {
			return -1, 0, err
		}
		if hit == gaveUp {
			c.rest = c.of.cursor(c.text)
			break
		}
		start, end, last, err := onLine(ctx, c.of, c.text, from, hit)
		if err != nil || start >= 0 {
			return start, end, err
		}
		from = last + 1 // not reached while both read the expression alike
	}
	if c.rest == nil || from > len(c.text) {
		return -1, 0, nil
	}
	return c.rest.next(ctx, from)
}

// Outcomes of find beside a place.
const (
	noHit  = -1
	gaveUp = -2
)

// Entries of the table beside the row of the next state.
const (
	unknown  int32 = -1 // not computed yet
	accepted int32 = -2 // a match ends before the byte
)

// dfa is a deterministic automaton over lines, made from a program on demand. A
// state is the set of instructions that threads wait at, with the kind of the last
// rune; a thread starts at every rune.
type dfa struct {
	prog    *syntax.Prog
	cls     *classes
	columns int // classes, and one for the end of the text

	table  []int32 // rows of columns
	states []state
	rows   map[string]int32
	held   int   // instructions of all states
	begin  int32 // row of the state at the start of a line
	spent  int   // bytes read since the table was last emptied

	// Working memory of step.
	stack []uint32
	seen  []uint32 // by instruction: the round in which it was met
	round uint32
	set   []uint32
	key   []byte
}

type state struct {
	insts []uint32 // sorted
	last  kind
}

func newDFA(prog *syntax.Prog, cls *classes) *dfa {
	d := &dfa{prog: prog, cls: cls, columns: len(cls.rep) + 1, seen: make([]uint32, len(prog.Inst))}
	d.empty()
	return d
}

func (d *dfa) empty() {
	d.table, d.states, d.rows, d.spent, d.held = d.table[:0], d.states[:0], map[string]int32{}, 0, 0
	d.set = append(d.set[:0], uint32(d.prog.Start))
	d.begin = d.row(kindLineEnd)
}

// find returns a place on the first line from from on that holds a match, or noHit,
// or gaveUp. from is the start of a line.
func (d *dfa) find(ctx context.Context, text []byte, from int) (int, error) {
	s := d.begin
	for at := from; at < len(text); {
		if err := ctx.Err(); err != nil {
			return noHit, err
		}
		stop := min(at+window, len(text))
		var hit int
		if at, s, hit = d.scan(text, at, stop, s); hit != noHit {
			return hit, nil
		}
	}
	next := d.table[int(s)+d.columns-1]
	if next == unknown {
		if next = d.step(s, d.columns-1); next == unknown {
			return gaveUp, nil
		}
	}
	if next == accepted {
		return len(text), nil
	}
	return noHit, nil
}

// scan runs from at to stop, or a little further where that is inside a character.
func (d *dfa) scan(text []byte, at, stop int, s int32) (int, int32, int) {
	begin, table, ascii := at, d.table, &d.cls.ascii
	for at < stop {
		class, size := uint8(0), 1
		if b := text[at]; b < utf8.RuneSelf {
			class = ascii[b]
		} else {
			var r rune
			r, size = utf8.DecodeRune(text[at:])
			class = d.cls.class(r)
		}
		next := table[int(s)+int(class)]
		if next == unknown {
			d.spent += at - begin
			begin = at
			if next = d.step(s, int(class)); next == unknown {
				return at, s, gaveUp
			}
			table = d.table
		}
		if next == accepted {
			d.spent += at - begin
			return at, s, at
		}
		s = next
		at += size
	}
	d.spent += at - begin
	return at, s, noHit
}

// step computes an entry of the table. It is unknown still when there is no room: a
// table that was filled by few bytes is not worth another.
func (d *dfa) step(s int32, column int) int32 {
	from := d.states[int(s)/d.columns]
	r, next := rune(-1), kindLineEnd
	if column < len(d.cls.rep) {
		r = d.cls.rep[column]
		next = kindOf(r)
	}
	flags := syntax.EmptyOpContext(from.last.rune(), next.rune())
	d.round++
	d.set = d.set[:0]
	for _, pc := range from.insts {
		if d.follow(pc, flags, r) {
			d.table[int(s)+column] = accepted
			return accepted
		}
	}
	d.set = append(d.set, uint32(d.prog.Start))
	slices.Sort(d.set)
	d.set = slices.Compact(d.set)
	if len(d.table)+d.held > maxTable {
		if d.spent < minPerState*len(d.states) {
			return unknown
		}
		set := slices.Clone(d.set)
		d.empty()
		d.set = append(d.set[:0], set...)
		return d.row(next) // the row of s is gone, and with it the entry
	}
	to := d.row(next)
	d.table[int(s)+column] = to
	return to
}

// follow runs a thread from an instruction to those that read a rune, adds where it
// is after reading r, and reports whether it can match before reading.
func (d *dfa) follow(pc uint32, flags syntax.EmptyOp, r rune) (match bool) {
	d.stack = append(d.stack[:0], pc)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if d.seen[pc] == d.round {
			continue
		}
		d.seen[pc] = d.round
		in := &d.prog.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			d.stack = append(d.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			d.stack = append(d.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				d.stack = append(d.stack, in.Out)
			}
		case syntax.InstMatch:
			return true
		case syntax.InstRune, syntax.InstRune1:
			if r >= 0 && in.MatchRune(r) {
				d.set = append(d.set, in.Out)
			}
		case syntax.InstRuneAny:
			if r >= 0 {
				d.set = append(d.set, in.Out)
			}
		case syntax.InstRuneAnyNotNL:
			if r >= 0 && r != '\n' {
				d.set = append(d.set, in.Out)
			}
		case syntax.InstFail:
		}
	}
	return false
}

// row returns the row of the state that set and the kind of the last rune make.
func (d *dfa) row(last kind) int32 {
	d.key = append(d.key[:0], byte(last))
	for _, pc := range d.set {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	if row, ok := d.rows[string(d.key)]; ok {
		return row
	}
	row := int32(len(d.table))
	d.rows[string(d.key)] = row
	d.held += len(d.set)
	d.states = append(d.states, state{insts: slices.Clone(d.set), last: last})
	for range d.columns {
		d.table = append(d.table, unknown)
	}
	return row
}
