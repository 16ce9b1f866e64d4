package blob

import "github.com/ralph-index/ralph-index/graph"

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
	d.valueCalls(f)
}

func (d *decoder) valueCalls(f *graph.Facts) {
	n := d.count(minValueCalls)
	if n == 0 {
		return
	}
	f.ValueCalls = make([]graph.ValueCalls, n)
	at := graph.NoDef
	for i := range f.ValueCalls {
		v := d.small(1<<33 - 1)
		at += int32(unzigzag(v >> 1))
		if at < graph.NoDef || int(at) >= d.defs {
			d.fail("enclosing definition")
			at = graph.NoDef
		}
		f.ValueCalls[i] = graph.ValueCalls{Enclosing: at, Count: 1}
		if v&1 != 0 {
			f.ValueCalls[i].Count = d.uint32()
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
		if h.Def = d.index(); h.Def == graph.NoDef {
			h.Of = d.str()
		}
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
