package blob

import "github.com/ralph-index/ralph-index/graph"

// tail writes what is rare: imports, heritage, mentions, manifest, calls of values.
func (e *encoder) tail() {
	f := e.f
	e.uint(uint64(len(f.Imports)))
	e.last = graph.Span{}
	for i := range f.Imports {
		im := &f.Imports[i]
		e.str(im.Module)
		e.str(im.Name)
		e.str(im.Alias)
		e.uint(uint64(im.Flags))
		e.index(im.Enclosing)
		e.span(im.Span)
	}
	e.uint(uint64(len(f.Heritage)))
	e.last = graph.Span{}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		e.index(h.Def)
		if h.Def == graph.NoDef {
			e.str(h.Of)
		}
		putEnum(e, heritageRels, h.Rel)
		e.text(e.strs.id(h.Name), groupRefs)
		e.str(h.Qualifier)
		e.span(h.Span)
	}
	e.uint(uint64(len(f.Mentions)))
	e.last = graph.Span{}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		putEnum(e, mentionForms, m.Form)
		e.str(m.Target)
		e.str(m.Fragment)
		e.str(m.Name)
		e.str(m.Qualifier)
		e.index(m.Enclosing)
		e.span(m.Span)
	}
	e.uint(uint64(len(f.Manifest)))
	for _, p := range f.Manifest {
		e.str(p.Key)
		e.str(p.Value)
	}
	e.valueCalls()
}

// valueCalls writes calls of values. A count of one, as most are, takes no byte of
// its own.
func (e *encoder) valueCalls() {
	e.uint(uint64(len(e.f.ValueCalls)))
	last := graph.NoDef
	for _, c := range e.f.ValueCalls {
		if c.Count == 1 {
			e.uint(uint64(zigzag(uint32(c.Enclosing-last))) << 1)
		} else {
			e.uint(uint64(zigzag(uint32(c.Enclosing-last)))<<1 | 1)
			e.uint(uint64(c.Count))
		}
		last = c.Enclosing
	}
}

// index writes the index of a definition, NoDef as zero.
func (e *encoder) index(i int32) { e.uint(uint64(uint32(i + 1))) }
