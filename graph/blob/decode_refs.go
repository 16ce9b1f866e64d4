package blob

import "github.com/ralph-index/ralph-index/graph"

// shapes are the shapes of one file.
type shapes struct {
	shared, single []graph.Ref
}

func (d *decoder) refTable(f *graph.Facts) {
	shared := d.count(minShape)
	single := d.count(minShape)
	if shared+single > len(d.b) {
		d.fail("count beyond the end")
		return
	}
	all := make([]graph.Ref, shared+single)
	for i := range all {
		d.shape(&all[i])
	}
	s := shapes{all[:shared], all[shared:]}
	n := d.count(minRef)
	if n == 0 {
		return
	}
	f.Refs = make([]graph.Ref, n)
	d.last = refStart
	enclosing := graph.NoDef
	for i := range f.Refs {
		if d.err != nil {
			return
		}
		enclosing = d.ref(&f.Refs[i], &s, enclosing)
	}
}

func (d *decoder) shape(r *graph.Ref) {
	r.Name = d.text(groupRefs)
	r.Qualifier = d.str()
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

// take returns the shape of a number.
func (s *shapes) take(number uint64) *graph.Ref {
	if number == shapeSingle {
		if len(s.single) == 0 {
			return nil
		}
		r := &s.single[0]
		s.single = s.single[1:]
		return r
	}
	if number -= shapeShared; number >= uint64(len(s.shared)) { // shapeOdd wraps around
		return nil
	}
	return &s.shared[number]
}

// ref reads one ref and returns its enclosing definition; before is that of the
// ref before.
func (d *decoder) ref(r *graph.Ref, s *shapes, before int32) int32 {
	number := d.uint()
	odd := number == shapeOdd
	if odd {
		number = d.uint()
	}
	shape := s.take(number)
	if shape == nil {
		d.fail("shape number")
		return before
	}
	*r = *shape
	r.Enclosing = before
	if odd {
		r.Enclosing = d.enclosing(before)
		r.Span = d.span()
		return r.Enclosing
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
		r.Enclosing = d.enclosing(before)
	}
	r.Span = tokenAt(start, at, uint32(len(r.Name)))
	d.last = r.Span
	return r.Enclosing
}

func (d *decoder) enclosing(before int32) int32 {
	e := before + int32(d.diff())
	if e < graph.NoDef || int(e) >= d.defs {
		d.fail("enclosing definition")
		return graph.NoDef
	}
	return e
}

func (d *decoder) tail(f *graph.Facts) {
	d.imports(f)
	d.heritage(f)
	d.mentions(f)
	if n := d.count(minPair); n > 0 {
		f.Manifest = make([]graph.Pair, n)
		for i := range f.Manifest {
			f.Manifest[i] = graph.Pair{Key: d.str(), Value: d.str()}
		}
	}
}

func (d *decoder) imports(f *graph.Facts) {
	n := d.count(minImport)
	if n == 0 {
		return
	}
	f.Imports = make([]graph.Import, n)
	d.last = graph.Span{}
	for i := range f.Imports {
		im := &f.Imports[i]
		im.Module = d.str()
		im.Name = d.str()
		im.Alias = d.str()
		im.Flags = graph.ImportFlags(d.small(1<<8 - 1))
		im.Enclosing = d.index()
		im.Span = d.span()
	}
}

func (d *decoder) heritage(f *graph.Facts) {
	n := d.count(minHeritage)
	if n == 0 {
		return
	}
	f.Heritage = make([]graph.Heritage, n)
	d.last = graph.Span{}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		h.Def = d.index()
		h.Rel = getEnum(d, heritageRels)
		h.Name = d.text(groupRefs)
		h.Qualifier = d.str()
		h.Span = d.span()
	}
}

func (d *decoder) mentions(f *graph.Facts) {
	n := d.count(minMention)
	if n == 0 {
		return
	}
	f.Mentions = make([]graph.Mention, n)
	d.last = graph.Span{}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		m.Form = getEnum(d, mentionForms)
		m.Target = d.str()
		m.Fragment = d.str()
		m.Name = d.str()
		m.Qualifier = d.str()
		m.Enclosing = d.index()
		m.Span = d.span()
	}
}
