package blob

import "github.com/ralph-index/ralph-index/graph"

func (d *decoder) defTable(f *graph.Facts) {
	n := d.count(minDef)
	d.defs = n
	d.joined.Grow(int(min(d.uint(), uint64(2*maxJoined*n))))
	if n == 0 {
		return
	}
	f.Defs = make([]graph.Def, n)
	d.last = graph.Span{}
	before := &graph.Def{Container: graph.NoDef}
	for i := range f.Defs {
		if d.err != nil {
			return
		}
		d.def(f.Defs[:i+1], before)
		before = &f.Defs[i]
		d.last = before.Span
	}
}

// def reads the last of defs.
func (d *decoder) def(defs []graph.Def, before *graph.Def) {
	i := len(defs) - 1
	def := &defs[i]
	bits := d.uint()
	def.Name = d.text(groupDefs)
	def.Kind, def.Container, def.Flags = before.Kind, before.Container, before.Flags
	if bits&defSamePlace == 0 {
		def.Kind = getEnum(d, kinds)
		def.Container = d.container(i)
	}
	if bits&defSameFlags == 0 {
		def.Flags = graph.DefFlags(d.small(1<<16 - 1))
	}
	if bits&defOwner != 0 {
		def.Owner = d.str()
	}
	def.Local = d.local(bits&localForms, defs)
	if bits&defSplit != 0 {
		head, tail := d.str(), d.str()
		def.Signature = d.join(head, def.Name, tail)
	}
	if bits&defSignature != 0 {
		def.Signature = d.str()
	}
	if bits&defDoc != 0 {
		def.Doc = d.str()
	}
	if bits&defType != 0 {
		def.Type = d.str()
	}
	if bits&defFollows != 0 {
		def.Span = d.follow()
	} else {
		def.Span = d.span()
	}
	switch {
	case bits&defOddName != 0:
		def.NameSpan = d.span()
	case bits&defNameAt != 0:
		def.NameSpan = plainName(def.Span, d.uint32(), def.Name)
	default:
		def.NameSpan = plainName(def.Span, nameAt(before), def.Name)
	}
}

// container reads the container of the definition at i.
func (d *decoder) container(i int) int32 {
	v := d.small(1 << 32)
	if v == 0 {
		return graph.NoDef
	}
	c := int32(uint32(i) - unzigzag(v-1))
	if c < 0 || int(c) >= d.defs {
		d.fail("container")
		return graph.NoDef
	}
	return c
}

// local puts together, or reads, the Local of the last of defs.
func (d *decoder) local(form uint64, defs []graph.Def) string {
	i := len(defs) - 1
	def := &defs[i]
	switch form {
	case localName:
		return def.Name
	case localContained:
		if def.Container < 0 || int(def.Container) >= i {
			d.fail("container of a local name")
			return ""
		}
		return d.join(defs[def.Container].Local, ".", def.Name)
	case localPointer:
		return d.join("(*", def.Owner, ").", def.Name)
	case localOwned:
		return d.join(def.Owner, ".", def.Name)
	case localText:
		return d.str()
	}
	d.fail("form of a local name")
	return ""
}

// follow reads what encoder.follow wrote.
func (d *decoder) follow() graph.Span {
	start := d.last.End + d.uint32()
	from := graph.Pos{Line: d.last.To.Line + d.uint32(), Col: d.last.From.Col}
	n := d.small(1<<33 - 1)
	s := tokenAt(start, from, uint32(n>>1))
	if n&1 == 0 {
		s.To.Line = from.Line + d.diff()
		s.To.Col = d.uint32()
	}
	d.last = s
	return s
}
