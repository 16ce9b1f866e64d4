package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// traitOf finds the trait of the tree that a bound names.
func (b *binder) traitOf(bound value) (place, bool) {
	if bound.kind == isNamed {
		return bound.sym, true
	}
	if bound.by == nil {
		return place{}, false
	}
	p, _ := splitArgs(bareType(bound.text))
	if i := strings.IndexByte(p, '('); i > 0 {
		p = p[:i]
	}
	return bound.by.traitNamed(splitPath(p), bound.near)
}

// traitNamed finds a trait of the tree by its path.
func (b *binder) traitNamed(segs []string, near int32) (place, bool) {
	for _, e := range b.path(segs, near, nsType, false) {
		if e = b.unaliased(e); e.kind == isItem {
			if f := b.facts(e.id); f != nil && f.Defs[e.def].Kind == graph.KindInterface {
				return e.place, true
			}
		}
	}
	return place{}, false
}

// traitItem finds an item of a trait, or of those that it extends.
func (b *binder) traitItem(tr place, name string, depth int) (place, bool) {
	f := b.facts(tr.id)
	if f == nil || depth > maxDepth {
		return place{}, false
	}
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		if f.Defs[i].Container == tr.def {
			return place{tr.id, i}, true
		}
	}
	in := b.on(tr.id, f)
	for i := range f.Heritage {
		if f.Heritage[i].Def != tr.def {
			continue
		}
		if up, ok := in.baseTrait(i); ok && up != tr {
			if s, ok := b.traitItem(up, name, depth+1); ok {
				return s, true
			}
		}
	}
	return place{}, false
}

// baseTrait finds the trait of b.f.Heritage[i], where it is one of the tree.
func (b *binder) baseTrait(i int) (place, bool) {
	h := &b.f.Heritage[i]
	near := h.Def
	if near == graph.NoDef {
		near = b.around(h.Span.Start)
	} else {
		near = b.f.Defs[near].Container
	}
	return b.traitNamed(splitPath(joinPath(h.Qualifier, h.Name)), near)
}

func joinPath(qualifier, name string) string {
	switch {
	case qualifier == "":
		return name
	case strings.HasSuffix(qualifier, "::"):
		return qualifier + name
	}
	return qualifier + "::" + name
}

// around returns the innermost module or function around a place in the text.
func (b *binder) around(at uint32) int32 {
	best := graph.NoDef
	for i := range b.f.Defs {
		d := &b.f.Defs[i]
		if d.Kind != graph.KindNamespace && d.Kind != graph.KindFunction && d.Kind != graph.KindMethod {
			continue
		}
		if d.Span.Contains(at) && (best == graph.NoDef || d.Span.Start >= b.f.Defs[best].Span.Start) {
			best = int32(i)
		}
	}
	return best
}

// traitsWith lists the traits of the tree that declare an item of a name themselves.
func (b *binder) traitsWith(name string) []place {
	return graph.Derived(b.v, graph.Derivation{Rule: ruleTraits, Name: name}, func() (out []place) {
		ids := b.v.Definers(name)
		if len(ids) > maxTraitFiles {
			return nil
		}
		for _, id := range ids {
			if rec, ok := b.v.File(id); !ok || rec.Language != "rust" {
				continue
			}
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
				if c := f.Defs[i].Container; c != graph.NoDef && f.Defs[c].Kind == graph.KindInterface {
					out = append(out, place{id, c})
				}
			}
		}
		return out
	})
}

// maxTraitFiles bounds the files that are read to know the traits with an item.
const maxTraitFiles = 512

// implementers lists the bases that name a trait: where types are said to implement it.
type implementer struct {
	id graph.FileID
	i  int // of Heritage
}

func (b *binder) implementers(tr place) []implementer {
	f := b.facts(tr.id)
	if f == nil {
		return nil
	}
	name := f.Defs[tr.def].Name
	return graph.Derived(b.v, graph.Derivation{Rule: "rust/implementers", File: tr.id, Owner: ownerKey(tr.def, 0)}, func() (out []implementer) {
		ids := b.v.Referrers(name)
		if len(ids) > maxTraitFiles {
			ids = ids[:maxTraitFiles]
		}
		for _, id := range ids {
			if rec, ok := b.v.File(id); !ok || rec.Language != "rust" {
				continue
			}
			g := b.facts(id)
			if g == nil {
				continue
			}
			in := b.on(id, g)
			for i := range g.Heritage {
				if h := &g.Heritage[i]; h.Name == name && h.Rel == graph.RelImplements {
					if base, ok := in.baseTrait(i); ok && base == tr {
						out = append(out, implementer{id, i})
					}
				}
			}
		}
		return out
	})
}

// heir finds the type that b.f.Heritage[i] is about.
func (b *binder) heir(i int) (place, bool) {
	h := &b.f.Heritage[i]
	if h.Def != graph.NoDef {
		return place{b.id, h.Def}, true
	}
	v := b.typed(h.Of, b.around(h.Span.Start), nil).head()
	if v.kind == isNamed {
		return v.sym, true
	}
	return place{}, false
}

// implements says how a value comes to have the items of a trait: by a block for its
// type, by one for every type, or not.
type implKind uint8

const (
	implNone implKind = iota
	implBlanket
	implOwn
)

func (b *binder) implements(v value, tr place) implKind {
	best := implNone
	for _, im := range b.implementers(tr) {
		g := b.facts(im.id)
		if g == nil {
			continue
		}
		h := &g.Heritage[im.i]
		if v.kind == isNamed {
			if s, ok := b.on(im.id, g).heir(im.i); ok {
				if s == v.sym {
					return implOwn
				}
				continue
			}
		}
		if h.Def != graph.NoDef {
			continue
		}
		switch of := bareType(h.Of); {
		case isBlanket(of):
			best = max(best, implBlanket)
		case v.kind == isSlice && strings.HasPrefix(of, "["), v.kind == isTuple && strings.HasPrefix(of, "("):
			return implOwn
		case v.kind == isStd:
			p, _ := splitArgs(of)
			if p[strings.LastIndexByte(p, ':')+1:] == v.name {
				return implOwn
			}
		}
	}
	return best
}

// isBlanket reports whether the type of an impl block is a type parameter, by custom
// one or two letters, or a reference to one.
func isBlanket(of string) bool {
	return len(of) <= 2 && of != "" && of[0] >= 'A' && of[0] <= 'Z'
}

// inScope reports whether the items of a trait can be called where b stands: the trait
// is defined or used in a module around.
func (b *binder) inScope(tr place, near int32) bool {
	f := b.facts(tr.id)
	if f == nil {
		return false
	}
	name := f.Defs[tr.def].Name
	for _, e := range b.first(name, near, nsType, false) {
		if e.place == tr {
			return true
		}
	}
	here := moduleAround(b.f, near)
	for i := range b.f.Imports { // use a::Trait as _;
		im := &b.f.Imports[i]
		if im.Name == name && im.Alias != name && (im.Enclosing == here || im.Enclosing == near) {
			for _, e := range b.imported(i, nsType) {
				if e.place == tr {
					return true
				}
			}
		}
	}
	return false
}
