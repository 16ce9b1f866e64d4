package edit

import (
	"bytes"
	"fmt"
	"strings"
)

// contextLines is how many lines a diff shows around a change.
const contextLines = 3

// Diff renders changes from one text to another as a unified diff of one file, which
// git apply and patch -p1 take; "" if there are none. What it costs depends on the
// changes, but for one count of the lines between them.
func Diff(path string, before, after []byte, changes []Change) string {
	d := differ{before: before, after: after}
	for _, c := range changes {
		d.add(c)
	}
	d.flush()
	if len(d.blocks) == 0 {
		return ""
	}
	d.out.WriteString("--- " + label("a/"+path) + "\n+++ " + label("b/"+path) + "\n")
	for from := 0; from < len(d.blocks); {
		to := from + 1
		for to < len(d.blocks) && d.blocks[to].line-d.blocks[to-1].end() <= 2*contextLines {
			to++
		}
		d.hunk(d.blocks[from:to])
		from = to
	}
	return d.out.String()
}

// label writes a file name as git does: quoted where it holds bytes that would end or
// change it, with a tab behind it where it holds blanks.
func label(name string) string {
	plain := func(r rune) bool { return r >= ' ' && r != 0x7f && r != '"' && r != '\\' && r != '\ufffd' }
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.Write([]byte{'\\', c})
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// block is a run of whole lines that others replace. Between two blocks stands at
// least one line that both texts have.
type block struct {
	span
	line, newLine int // lines before it, in either text
	del, ins      int // lines
}

func (b block) end() int { return b.line + b.del }

type differ struct {
	before, after []byte
	pending       span // whole lines, not yet compared
	held          bool
	off           int // in before, up to which lines are counted
	line, newLine int
	blocks        []block
	out           strings.Builder
}

// add widens a change to whole lines. Changes on one line are one.
func (d *differ) add(c Change) {
	s := span{c.Before, c.After}
	head := s.before.From - (bytes.LastIndexByte(d.before[:s.before.From], '\n') + 1)
	s.before.From, s.after.From = s.before.From-head, s.after.From-head
	if !atLineStart(d.before, s.before.To) || !atLineStart(d.after, s.after.To) {
		tail := bytes.IndexByte(d.before[s.before.To:], '\n') + 1
		if tail == 0 {
			tail = len(d.before) - s.before.To
		}
		s.before.To, s.after.To = s.before.To+tail, s.after.To+tail
	}
	if d.held && s.before.From <= d.pending.before.To {
		d.pending.before.To, d.pending.after.To = s.before.To, s.after.To
		return
	}
	d.flush()
	d.pending, d.held = s, true
}

func atLineStart(text []byte, off int) bool { return off == 0 || text[off-1] == '\n' }

// flush compares the lines of the pending change.
func (d *differ) flush() {
	if !d.held {
		return
	}
	d.held = false
	s := d.pending
	same := bytes.Count(d.before[d.off:s.before.From], []byte("\n"))
	d.line, d.newLine, d.off = d.line+same, d.newLine+same, s.before.To
	old, replaced := splitLines(d.before[s.before.From:s.before.To]), splitLines(d.after[s.after.From:s.after.To])
	at, newAt := s.before.From, s.after.From
	lineNo, newNo := 0, 0
	for _, e := range compareLines(old, replaced) {
		at, newAt = at+size(old[lineNo:e.from]), newAt+size(replaced[newNo:e.newFrom])
		b := block{line: d.line + e.from, newLine: d.newLine + e.newFrom, del: e.to - e.from, ins: e.newTo - e.newFrom}
		b.before = Range{at, at + size(old[e.from:e.to])}
		b.after = Range{newAt, newAt + size(replaced[e.newFrom:e.newTo])}
		d.blocks = append(d.blocks, b)
		at, newAt, lineNo, newNo = b.before.To, b.after.To, e.to, e.newTo
	}
	d.line, d.newLine = d.line+len(old), d.newLine+len(replaced)
}

func size(lines [][]byte) int {
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	return n
}

// splitLines cuts a text behind each newline.
func splitLines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		lines = lines[:last]
	}
	return lines
}

// hunk writes blocks with the lines around and between them.
func (d *differ) hunk(blocks []block) {
	first, last := blocks[0], blocks[len(blocks)-1]
	lead := d.linesBefore(first.before.From)
	trail := d.linesFrom(last.before.To)
	dels := last.end() - first.line + len(lead) + len(trail)
	inss := last.newLine + last.ins - first.newLine + len(lead) + len(trail)
	fmt.Fprintf(&d.out, "@@ -%s +%s @@\n", extent(first.line-len(lead), dels), extent(first.newLine-len(lead), inss))
	d.write(' ', lead)
	for i, b := range blocks {
		if i > 0 {
			d.write(' ', splitLines(d.before[blocks[i-1].before.To:b.before.From]))
		}
		d.write('-', splitLines(d.before[b.before.From:b.before.To]))
		d.write('+', splitLines(d.after[b.after.From:b.after.To]))
	}
	d.write(' ', trail)
}

// extent writes the first line, counted from 1, and the number of lines; of none, the
// line that they would follow.
func extent(skipped, lines int) string {
	switch lines {
	case 0:
		return fmt.Sprintf("%d,0", skipped)
	case 1:
		return fmt.Sprint(skipped + 1)
	}
	return fmt.Sprintf("%d,%d", skipped+1, lines)
}

func (d *differ) write(sign byte, lines [][]byte) {
	for _, l := range lines {
		d.out.WriteByte(sign)
		d.out.Write(l)
		if l[len(l)-1] != '\n' {
			d.out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// linesBefore returns the context before an offset, which begins a line, and
// linesFrom that behind one.
func (d *differ) linesBefore(off int) [][]byte {
	from := off
	for i := 0; i < contextLines && from > 0; i++ {
		from = bytes.LastIndexByte(d.before[:from-1], '\n') + 1
	}
	return splitLines(d.before[from:off])
}

func (d *differ) linesFrom(off int) [][]byte {
	to := off
	for i := 0; i < contextLines && to < len(d.before); i++ {
		n := bytes.IndexByte(d.before[to:], '\n') + 1
		if n == 0 {
			n = len(d.before) - to
		}
		to += n
	}
	return splitLines(d.before[off:to])
}
