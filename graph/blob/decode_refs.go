package blob

import "github.com/ralph-index/ralph-index/graph"

// shapes are the shapes of one file, in numbers of the string table: most are not
// wanted, and of those that are most refs are not.
type shapes struct {
	of     []shapeRef
	wanted int // number of those that are
	shared int // number of those that are used more than once; the others follow
	single int // the next of the others
}

type shapeRef struct {
	name, qualifier, hint uint32
	args                  int16
	use                   graph.Use
	rule                  graph.HintRule
	wanted                bool
}

// shapes reads the shapes and marks those that like accepts; nil accepts all.
func (d *decoder) shapes(like func(*graph.Ref) bool) *shapes {
	shared := d.count(minShape)
	single := d.count(minShape)
	if shared+single > d.left() {
		d.fail("count beyond the end")
		return nil
	}
	s := &shapes{of: make([]shapeRef, shared+single), shared: shared, single: shared}
	var r graph.Ref
	for i := range s.of {
		sh := &s.of[i]
		d.shape(sh)
		if d.err != nil {
			break
		}
		if like != nil {
			d.fill(&r, sh)
		}
		if like == nil || like(&r) {
			sh.wanted = true
			s.wanted++
		}
	}
	return s
}

func (d *decoder) shape(s *shapeRef) {
	s.name, s.qualifier = d.number(groupRefs), d.number(groupRest)
	args := int32(d.diff())
	s.args = int16(args)
	if int32(s.args) != args {
		d.fail("arguments")
	}
	use := d.small(1<<9 - 1)
	s.use = graph.Use(use >> 1)
	if use&1 != 0 {
		s.rule = graph.HintRule(d.small(1<<8 - 1))
		s.hint = d.number(groupRest)
	}
}

// fill writes what a shape says into a ref.
func (d *decoder) fill(r *graph.Ref, s *shapeRef) {
	r.Name, r.Qualifier, r.Use, r.Args = d.strs.at(s.name), d.strs.at(s.qualifier), s.use, s.args
	r.Hint = graph.Hint{Rule: s.rule, Type: d.strs.at(s.hint)}
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
	if d.err != nil || n == 0 || s.wanted == 0 && sel.Like != nil {
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
		if in && shape.wanted {
			out = append(out, graph.Ref{Enclosing: enclosing, Span: d.last})
			d.fill(&out[len(out)-1], shape)
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
	d.last = tokenAt(start, at, d.strs.size(shape.name))
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
