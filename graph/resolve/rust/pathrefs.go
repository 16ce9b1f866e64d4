package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// pathRef binds the last name of a path.
func (b *binder) pathRef(r *graph.Ref) graph.Binding {
	q := r.Qualifier
	if strings.HasPrefix(q, "<") {
		items := b.qualified(joinPath(q, r.Name), r.Enclosing)
		if len(items) == 0 {
			return graph.Binding{External: b.qualifiedOutside(q, r.Enclosing)}
		}
		return b.bind(items, graph.Extracted, graph.ReasonMember, typeConfidence)
	}
	segs := splitPath(q)
	if segs[0] == "Self" {
		return b.itemRef(b.project(b.selfValue(r.Enclosing, nil), segs[1:]), r, graph.ReasonSelf)
	}
	ns := nsType | nsValue
	if r.Use == graph.UseType {
		ns = nsType
	}
	es, rest := b.prefix(append(segs, r.Name), r.Enclosing, ns, false)
	if len(es) == 0 {
		if len(segs) == 1 && (preludeType(segs[0]) || isPrimitive(segs[0])) {
			return b.itemRef(b.typed(q, r.Enclosing, nil).std(segs[0], nil), r, graph.ReasonMember)
		}
		return b.unknownPath(segs, r)
	}
	if len(rest) == 0 {
		if r.Use == graph.UseCall {
			es = callable(b, es)
			if len(es) == 0 {
				return graph.Binding{}
			}
		}
		return b.entities(es, pathReason)
	}
	if d := b.def(es[0].place); es[0].kind == isItem && d != nil && (d.Kind == graph.KindConstant || d.Kind == graph.KindVariable) {
		return b.memberRef(r)
	}
	_, args := splitArgs(q)
	v := b.denoted(es[0], b.typed(q, r.Enclosing, nil), args)
	return b.itemRef(b.project(v, rest[:len(rest)-1]), r, graph.ReasonMember)
}

// unknownPath says of a path whose beginning nothing defines whether it leaves the
// tree.
func (b *binder) unknownPath(segs []string, r *graph.Ref) graph.Binding {
	if segs[0] == "super" || segs[0] == "self" || segs[0] == "crate" || segs[0] == "" {
		return graph.Binding{}
	}
	if len(b.first(segs[0], r.Enclosing, nsType, false)) > 0 {
		return graph.Binding{}
	}
	if v, ok := b.memberOfValue(r); ok {
		return v
	}
	return graph.Binding{External: preludeType(segs[0])}
}

// memberOfValue binds a member of a constant or static.
func (b *binder) memberOfValue(r *graph.Ref) (graph.Binding, bool) {
	if strings.Contains(r.Qualifier, "::") {
		return graph.Binding{}, false
	}
	for _, e := range b.first(r.Qualifier, r.Enclosing, nsValue, false) {
		if d := b.def(e.place); e.kind == isItem && d != nil && (d.Kind == graph.KindConstant || d.Kind == graph.KindVariable) {
			return b.memberRef(r), true
		}
	}
	return graph.Binding{}, false
}

// itemRef binds an associated item of a type.
func (b *binder) itemRef(v value, r *graph.Ref, reason graph.Reason) graph.Binding {
	v = v.head()
	m := b.itemOf(v, r.Name, r.Enclosing)
	if len(m.items) == 0 && m.outside && v.kind == isNamed && r.Use == graph.UseCall {
		m.items, m.impl = b.ownItems(v.sym, r.Name), true // of a trait from outside: what this type has
	}
	if len(m.items) == 0 {
		if !m.outside && v.kind == isNamed {
			if next := b.deref(v); next.kind == isStd {
				return graph.Binding{External: true}
			}
		}
		return graph.Binding{External: m.outside || v.kind == isStd}
	}
	prov, conf := graph.Extracted, float32(typeConfidence)
	switch {
	case m.impl:
		prov, reason, conf = graph.Inferred, graph.ReasonImplements, traitConfidence
	case m.loose:
		prov, reason, conf = graph.Inferred, graph.ReasonInherited, looseConfidence
	}
	out := b.bind(b.plain(m.items), prov, reason, conf)
	out.Dynamic = m.trait
	return out
}

// qualified finds the item behind "<T as Trait>::" or "<T>::".
func (b *binder) qualified(path string, near int32) []place {
	end := closing(path, 0)
	if end < 0 {
		return nil
	}
	name := strings.TrimPrefix(path[end+1:], "::")
	of, trait, ok := cutTop(path[1:end], " as ")
	if strings.Contains(name, "::") {
		segs := splitPath(name)
		v := b.project(b.typed(path[:end+1], near, nil), segs[:len(segs)-1])
		return b.itemOf(v.head(), segs[len(segs)-1], near).items
	}
	if ok {
		p, _ := splitArgs(trait)
		if tr, ok := b.traitNamed(splitPath(p), near); ok {
			if item, ok := b.traitItem(tr, name, 0); ok {
				return []place{item}
			}
		}
		return nil
	}
	return b.itemOf(b.typed(of, near, nil).head(), name, near).items
}

func (b *binder) qualifiedOutside(q string, near int32) bool {
	end := closing(q, 0)
	if end < 0 {
		return false
	}
	of, trait, ok := cutTop(q[1:end], " as ")
	if ok {
		p, _ := splitArgs(trait)
		_, in := b.traitNamed(splitPath(p), near)
		return !in
	}
	k := b.typed(of, near, nil).head().kind
	return k == isStd || k == isSlice || k == isTuple || k == isNamed
}
