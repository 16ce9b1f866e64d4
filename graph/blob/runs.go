package blob

import "github.com/ralph-index/ralph-index/graph"

// bigRefs is the number of bytes of packed references from which on those of one
// definition are found by an index. It is made when it is first needed, and takes
// about runsCost times what it indexes.
const (
	bigRefs  = 1 << 10
	runsCost = 4
)

// runs says where the references of each definition begin.
type runs struct {
	of     []shapeRef
	shared int
	list   []run
}

// run is a row of references in one definition, and what a decoder has to know that
// begins there.
type run struct {
	enclosing int32
	before    int32 // what enclosing was
	pos, n    uint32
	single    uint32
	last      graph.Span
}

func (f *File) decoder() decoder {
	return decoder{b: f.packed, strs: f.strs, next: f.next, defs: len(f.outline.Defs)}
}

// index makes the runs.
func (f *File) index() (*runs, error) {
	d := f.decoder()
	s := d.shapes(nil)
	n := d.count(minRef)
	if d.err != nil {
		return nil, d.err
	}
	x := &runs{of: s.of, shared: s.shared}
	d.last = refStart
	enclosing := graph.NoDef
	for i := range n {
		at := run{before: enclosing, pos: uint32(d.pos), single: uint32(s.single), last: d.last}
		d.ref(s, &enclosing)
		if d.err != nil {
			return nil, d.err
		}
		if i == 0 || enclosing != at.before {
			at.enclosing = enclosing
			x.list = append(x.list, at)
		}
		x.list[len(x.list)-1].n++
	}
	return x, nil
}

// refsIn decodes the references in the definitions that in accepts.
func (f *File) refsIn(in func(int32) bool) ([]graph.Ref, error) {
	x := f.runs.Load()
	if x == nil {
		var err error
		if x, err = f.index(); err != nil {
			return nil, err
		}
		f.runs.Store(x)
	}
	d := f.decoder()
	var out []graph.Ref
	for i := range x.list {
		at := &x.list[i]
		if !in(at.enclosing) {
			continue
		}
		d.pos, d.last = int(at.pos), at.last
		s := shapes{of: x.of, shared: x.shared, single: int(at.single)}
		enclosing := at.before
		for range at.n {
			shape := d.ref(&s, &enclosing)
			if d.err != nil {
				return nil, d.err
			}
			out = append(out, graph.Ref{Enclosing: enclosing, Span: d.last})
			d.fill(&out[len(out)-1], shape)
		}
	}
	return out, nil
}
