package spec

import (
	"bytes"
	"sort"

	"github.com/ralph-index/ralph-index/graph"
)

// Lines turns byte offsets into places. Offsets asked in rising order cost next to
// nothing.
type Lines struct {
	starts []uint32 // of each line
	size   uint32
	last   int // line found last, 0-based
}

// Reset makes l speak of src.
func (l *Lines) Reset(src []byte) {
	l.starts = append(make([]uint32, 0, len(src)/28+2), 0)
	for off := 0; ; {
		i := bytes.IndexByte(src[off:], '\n')
		if i < 0 {
			break
		}
		off += i + 1
		l.starts = append(l.starts, uint32(off))
	}
	l.size, l.last = uint32(len(src)), 0
}

// Count returns the number of lines; a last line without a newline counts.
func (l *Lines) Count() uint32 {
	n := uint32(len(l.starts))
	if l.starts[n-1] == l.size {
		n--
	}
	return n
}

// Line returns the 1-based line of a byte offset.
func (l *Lines) Line(off uint32) uint32 { return uint32(l.find(off)) + 1 }

// Pos returns the place of a byte offset.
func (l *Lines) Pos(off uint32) graph.Pos {
	i := l.find(off)
	return graph.Pos{Line: uint32(i) + 1, Col: off - l.starts[i] + 1}
}

// Span returns the bytes from start up to end with their places.
func (l *Lines) Span(start, end uint32) graph.Span {
	s := graph.Span{Start: start, End: end, From: l.Pos(start)}
	s.To = s.From
	if end > start {
		s.To = l.Pos(end - 1)
		s.To.Col++
	}
	return s
}

func (l *Lines) find(off uint32) int {
	i := l.last
	if l.starts[i] <= off {
		for step := 0; step < 8; step++ {
			if i+1 == len(l.starts) || off < l.starts[i+1] {
				l.last = i
				return i
			}
			i++
		}
	}
	i = sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > off }) - 1
	l.last = i
	return i
}
