package blob

import "github.com/ralph-index/ralph-index/graph"

// shapes are the shapes of one file. Those that are not wanted are known by the
// length of their name alone, which is needed to go on.
type shapes struct {
	of     []shapeRef
	wanted []graph.Ref
	shared int // number of those that are used more than once; the others follow
	single int // the next of the others
}

type shapeRef struct {
	wanted int32 // in wanted, or -1
	name   uint32
}

// shapes reads the shapes and keeps those that like accepts; nil accepts all.
func (d *decoder) shapes(like func(*graph.Ref) bool) *shapes {
	shared := d.count(minShape)
	single := d.count(minShape)
	if shared+single > d.left() {
		d.fail("count beyond the end")
		return nil
	}
	s := &shapes{of: make([]shapeRef, shared+single), shared: shared, single: shared}
	if like == nil {
		s.wanted = make([]graph.Ref, 0, len(s.of))
	}
	var r graph.Ref
	for i := range s.of {
		d.shape(&r)
		s.of[i] = shapeRef{-1, uint32(len(r.Name))}
		if d.err == nil && (like == nil || like(&r)) {
			s.of[i].wanted = int32(len(s.wanted))
			s.wanted = append(s.wanted, r)
		}
	}
	return s
}

func (d *decoder) shape(r *graph.Ref) {
	*r = graph.Ref{Name: d.text(groupRefs), Qualifier: d.str()}
	args := int32(d.diff())
	r.Args = int16(args)
	if int32(r.Args) != args {
		d.fail("arguments")
	}
	use := d.small(1<<9 - 1)
	r.Use = graph.Use(use >> 1)
	if use&1 != 0 {
		r.Hint.Rule = graph.HintRule(d.small(1<<8 - 1))
		r.Hint.Type = d.str()
	}
}

// take returns the shape of a number, or nil.
func (s *shapes) take(number uint64) *shapeRef {
	if number == shapeSingle {
		if s.single == len(s.of) {
			return nil
		}
		s.single++
		return &s.of[s.single-1]
	}
	if number -= shapeShared; number >= uint64(s.shared) { // shapeOdd wraps around
		return nil
	}
	return &s.of[number]
}

// refTable reads the refs that sel selects.
func (d *decoder) refTable(sel graph.Selection) []graph.Ref {
	s := d.shapes(sel.Like)
	n := d.count(minRef)
	if d.err != nil || n == 0 || len(s.wanted) == 0 && sel.Like != nil {
		return nil
	}
	var out []graph.Ref
	if sel.Like == nil && sel.In == nil {
		out = make([]graph.Ref, 0, n)
	}
	d.last = refStart
	enclosing, in := graph.NoDef, sel.In == nil || sel.In(graph.NoDef)
	for range n {
		before := enclosing
		shape := d.ref(s, &enclosing)
		if d.err != nil {
			return nil
		}
		if sel.In != nil && enclosing != before {
			in = sel.In(enclosing)
		}
		if in && shape.wanted >= 0 {
			out = append(out, s.wanted[shape.wanted])
			r := &out[len(out)-1]
			r.Enclosing, r.Span = enclosing, d.last
		}
	}
	return out
}

// ref reads one ref: its span into last, its enclosing definition into the argument,
// which holds that of the ref before.
func (d *decoder) ref(s *shapes, enclosing *int32) *shapeRef {
	number := d.uint()
	odd := number == shapeOdd
	if odd {
		number = d.uint()
	}
	shape := s.take(number)
	if shape == nil {
		d.fail("shape number")
		return nil
	}
	if odd {
		d.enclosing(enclosing)
		d.span()
		return shape
	}
	head := d.small(1<<34 - 1)
	start := d.last.End + uint32(head>>2)
	at := graph.Pos{Line: d.last.To.Line, Col: d.last.To.Col + uint32(head>>2)}
	if head&1 != 0 {
		col := d.small(1<<33 - 1)
		at.Col = uint32(col >> 1)
		at.Line++
		if col&1 != 0 {
			at.Line = d.last.To.Line + d.uint32()
		}
		start += at.Col - 1
	}
	if head&2 != 0 {
		d.enclosing(enclosing)
	}
	d.last = tokenAt(start, at, shape.name)
	return shape
}

// enclosing reads a definition relative to the one that it is given.
func (d *decoder) enclosing(at *int32) {
	e := *at + int32(d.diff())
	if e < graph.NoDef || int(e) >= d.defs {
		d.fail("enclosing definition")
		e = graph.NoDef
	}
	*at = e
}
