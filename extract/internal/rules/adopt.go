package rules

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Adopt puts the facts of a file into order again after definitions were found that the
// parser had lost: what the parser took for the file's own, and stands inside of a type
// or a function, is that one's. A reference that is a definition's name is none.
func Adopt(b *spec.Builder, separator string) {
	a := adoption{f: b.Facts, separator: separator}
	a.sort()
	a.names = map[uint32]bool{}
	for i := range a.f.Defs {
		a.names[a.f.Defs[i].NameSpan.Start] = true
	}
	for i := range a.f.Defs {
		a.adopt(int32(i))
	}
	a.f.Refs = slices.DeleteFunc(a.f.Refs, func(r graph.Ref) bool { return a.names[r.Span.Start] })
	for i := range a.f.Refs {
		if r := &a.f.Refs[i]; r.Enclosing == graph.NoDef {
			r.Enclosing = a.around(r.Span, graph.NoDef)
		}
	}
}

type adoption struct {
	f         *graph.Facts
	separator string
	names     map[uint32]bool // where the name of a definition stands
}

// sort puts the definitions into the order of the text, the outer before the inner.
func (a *adoption) sort() {
	order := make([]int32, len(a.f.Defs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		p, q := a.f.Defs[x].Span, a.f.Defs[y].Span
		return cmp.Or(cmp.Compare(p.Start, q.Start), cmp.Compare(q.End, p.End))
	})
	to, defs := make([]int32, len(order)), make([]graph.Def, len(order))
	for n, i := range order {
		to[i], defs[n] = int32(n), a.f.Defs[i]
	}
	moved := func(def *int32) {
		if *def != graph.NoDef {
			*def = to[*def]
		}
	}
	a.f.Defs = defs
	for i := range defs {
		moved(&defs[i].Container)
	}
	for i := range a.f.Refs {
		moved(&a.f.Refs[i].Enclosing)
	}
	for i := range a.f.Imports {
		moved(&a.f.Imports[i].Enclosing)
	}
	for i := range a.f.Heritage {
		moved(&a.f.Heritage[i].Def)
	}
	for i := range a.f.ValueCalls {
		moved(&a.f.ValueCalls[i].Enclosing)
	}
	slices.SortFunc(a.f.ValueCalls, func(x, y graph.ValueCalls) int { return cmp.Compare(x.Enclosing, y.Enclosing) })
}

// around returns the innermost type or function that holds a place, but for one.
func (a *adoption) around(s graph.Span, but int32) int32 {
	for i := len(a.f.Defs) - 1; i >= 0; i-- {
		d := &a.f.Defs[i]
		if int32(i) == but || d.Span.Start > s.Start || d.Span.End < s.End || d.Span == s {
			continue
		}
		if isType(d.Kind) || d.Kind == graph.KindFunction || d.Kind == graph.KindMethod {
			return int32(i)
		}
	}
	return graph.NoDef
}

func (a *adoption) adopt(i int32) {
	d := &a.f.Defs[i]
	in := a.around(d.Span, i)
	if d.Container != graph.NoDef || in == graph.NoDef {
		if in = d.Container; in != graph.NoDef {
			d.Local = a.f.Defs[in].Local + a.separator + d.Name
		}
		return
	}
	holder := &a.f.Defs[in]
	d.Container, d.Local = in, holder.Local+a.separator+d.Name
	switch {
	case !isType(holder.Kind):
		d.Flags = d.Flags&^graph.FlagExported | graph.FlagLocal
	case d.Kind == graph.KindFunction:
		d.Kind = graph.KindMethod
	case d.Kind == graph.KindVariable:
		d.Kind = graph.KindField
	}
}
