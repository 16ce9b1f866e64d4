package blob

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// census counts the shapes of the refs of one file.
type census struct {
	seen   places // of shapes
	shapes []shape
	counts []uint32
	order  []uint32 // of places, the most frequent first
	rank   []uint32 // by place
}

func (c *census) reset() {
	c.seen.reset()
	c.shapes, c.counts = c.shapes[:0], c.counts[:0]
}

// hash mixes what tells most shapes of a file apart.
func (s *shape) hash() uint32 {
	h := s.name*0x9e3779b1 ^ s.qualifier*0x85ebca6b ^ s.hint*0xc2b2ae35 ^ uint32(s.use)<<16 ^ uint32(uint16(s.args))
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>12
}

// add counts a shape and returns its place.
func (c *census) add(s shape) uint32 {
	k, ok := c.seen.find(s.hash(), uint32(len(c.shapes)), func(at uint32) bool { return c.shapes[at] == s })
	if !ok {
		c.shapes = append(c.shapes, s)
		c.counts = append(c.counts, 0)
	}
	c.counts[k]++
	return k
}

// sort fills order and rank: by count, and among the same by place. Most shapes are used
// once, and need no sorting.
func (c *census) sort() {
	c.order, c.rank = c.order[:0], append(c.rank[:0], c.counts...)
	for i, n := range c.counts {
		if n > 1 {
			c.order = append(c.order, uint32(i))
		}
	}
	slices.SortFunc(c.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.counts[b], c.counts[a]), cmp.Compare(a, b))
	})
	for i, n := range c.counts {
		if n == 1 {
			c.order = append(c.order, uint32(i))
		}
	}
	for at, k := range c.order {
		c.rank[k] = uint32(at)
	}
}

// collectRefs finds the shapes, and ranks those that are used more than once, so
// that most refs need one byte for theirs.
func (e *encoder) collectRefs() {
	if len(e.f.Refs) == 0 {
		return
	}
	c := &e.census
	c.reset()
	e.refs = slices.Grow(e.refs, len(e.f.Refs))
	for i := range e.f.Refs {
		r := &e.f.Refs[i]
		e.refs = append(e.refs, c.add(shape{
			name: e.strs.add(r.Name, inRefs), qualifier: e.strs.add(r.Qualifier, 0),
			hint: e.strs.add(r.Hint.Type, 0), use: r.Use, rule: r.Hint.Rule, args: r.Args,
		}))
	}
	c.sort()
	for _, k := range c.order {
		e.shapes = append(e.shapes, c.shapes[k])
		if c.counts[k] > 1 {
			e.shared++
		}
	}
	for i, k := range e.refs {
		e.refs[i] = c.rank[k]
	}
}

// refTable writes whether there are refs for the outline, the shapes and the refs.
func (e *encoder) refTable() {
	outlined := uint64(0)
	for i := range e.f.Refs {
		if e.f.Refs[i].Outlined() {
			outlined = 1
			break
		}
	}
	e.uint(outlined)
	e.uint(uint64(e.shared))
	e.uint(uint64(len(e.shapes) - e.shared))
	for _, s := range e.shapes {
		e.text(s.name, groupRefs)
		e.text(s.qualifier, groupRest)
		e.uint(zigzag(uint32(int32(s.args))))
		if s.rule == graph.HintNone && s.hint == 0 {
			e.uint(uint64(s.use) << 1)
			continue
		}
		e.uint(uint64(s.use)<<1 | 1)
		e.uint(uint64(s.rule))
		e.text(s.hint, groupRest)
	}
	e.uint(uint64(len(e.f.Refs)))
	e.last, e.lastEnc = refStart, graph.NoDef
	for i := range e.f.Refs {
		e.ref(i)
	}
}

// shape writes the number of a shape by its place in e.shapes.
func (e *encoder) shape(at uint32) {
	if int(at) < e.shared {
		e.uint(uint64(at) + shapeShared)
	} else {
		e.uint(shapeSingle)
	}
}

// refStart is what the first ref of a file is relative to.
var refStart = tokenAt(0, graph.Pos{Line: 1, Col: 1}, 0) //nolint:gochecknoglobals // immutable

// ref writes one ref. The usual one is a token that is written as it is called and
// stands after the ref before: its shape, then the distance from there, counted
// from the start of the line when that is another line. Bit 0 of the distance says
// so, bit 1 that the enclosing definition is another.
func (e *encoder) ref(i int) {
	r := &e.f.Refs[i]
	s, last := r.Span, e.last
	col := s.From.Col
	var gap uint32
	newLine := s.From.Line != last.To.Line
	plain := s == tokenAt(s.Start, s.From, uint32(len(r.Name))) && s.Start >= last.End && s.From.Line >= last.To.Line
	if newLine {
		gap = s.Start - last.End - (col - 1)
		plain = plain && col >= 1 && uint64(last.End)+uint64(col-1) <= uint64(s.Start)
	} else {
		gap = s.Start - last.End
		plain = plain && col-last.To.Col == gap
	}
	if !plain {
		e.uint(shapeOdd)
		e.shape(e.refs[i])
		e.diff(uint32(r.Enclosing), uint32(e.lastEnc))
		e.span(s)
		e.lastEnc = r.Enclosing
		return
	}
	e.shape(e.refs[i])
	head := uint64(gap) << 2
	if r.Enclosing != e.lastEnc {
		head |= 2
	}
	if newLine {
		head |= 1
	}
	e.uint(head)
	if newLine {
		if lines := s.From.Line - last.To.Line; lines == 1 {
			e.uint(uint64(col) << 1)
		} else {
			e.uint(uint64(col)<<1 | 1)
			e.uint(uint64(lines))
		}
	}
	if r.Enclosing != e.lastEnc {
		e.diff(uint32(r.Enclosing), uint32(e.lastEnc))
		e.lastEnc = r.Enclosing
	}
	e.last = s
}
