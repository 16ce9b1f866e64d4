package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// path resolves a path of names that stands in the definition near, without what types
// have: those segments are left to the caller. use says that it stands in a use
// declaration. Nothing is found, too, where a segment denotes a type and more follow.
func (b *binder) path(segs []string, near int32, ns namespace, use bool) []entity {
	es, rest := b.prefix(segs, near, ns, use)
	for len(rest) == 1 && len(es) > 0 && es[0].kind == isItem { // a variant
		v := b.variants(b.unaliased(es[0]), rest[0])
		return v
	}
	if len(rest) > 0 {
		return nil
	}
	return es
}

// prefix resolves as many segments of a path as lead through modules. What is left
// belongs to the item, or type parameter, that was found.
func (b *binder) prefix(segs []string, near int32, ns namespace, use bool) (es []entity, rest []string) {
	space := func(i int) namespace {
		if i == len(segs)-1 {
			return ns
		}
		return nsType
	}
	if segs[0] == "" && len(segs) > 1 { // ::a::b
		segs = append([]string{"::" + segs[1]}, segs[2:]...)
	}
	es = b.first(segs[0], near, space(0), use)
	for i := 1; i < len(segs); i++ {
		if len(es) == 0 {
			return nil, segs[i:]
		}
		switch es[0].kind {
		case isModule:
			var next []entity
			for _, e := range es {
				if e.kind != isModule {
					continue
				}
				if segs[i] == "super" || segs[i] == "self" {
					next = append(next, b.upward(e.place, segs[i])...)
					continue
				}
				next = appendVia(next, b.inModule(e.place, segs[i], space(i)), viaItem)
			}
			es = next
		case isOutside:
			text := es[0].text
			for _, s := range segs[i:] {
				text += "::" + s
			}
			return []entity{{kind: isOutside, text: text}}, nil
		default:
			return es, segs[i:]
		}
	}
	return es, nil
}

func (b *binder) upward(m place, word string) []entity {
	if word == "self" {
		return []entity{{kind: isModule, place: m}}
	}
	if up, ok := b.parent(m); ok {
		return []entity{{kind: isModule, place: up}}
	}
	return nil
}

// first resolves the first name of a path.
func (b *binder) first(name string, near int32, ns namespace, use bool) []entity {
	here := place{b.id, moduleAround(b.f, near)}
	switch name {
	case "crate", "$crate":
		return []entity{{kind: isModule, place: b.root(here)}}
	case "self":
		return []entity{{kind: isModule, place: here}}
	case "super":
		return b.upward(here, name)
	case "":
		return nil
	}
	if rest, ok := strings.CutPrefix(name, "::"); ok {
		if es := b.crate(rest); len(es) > 0 || !b.old() {
			return es
		}
		root := b.root(here)
		return b.on(root.id, b.facts(root.id)).inModule(root, rest, ns)
	}
	if es := b.lexical(name, near, ns); len(es) > 0 {
		return es
	}
	es := b.inModule(here, name, ns)
	if len(es) > 0 {
		return es
	}
	if ns&nsType != 0 {
		if es = b.crate(name); len(es) > 0 {
			return es
		}
	}
	if use && b.old() {
		if root := b.root(here); root != here {
			return b.on(root.id, b.facts(root.id)).inModule(root, name, ns)
		}
	}
	return nil
}

// old reports whether paths in use declarations begin at the root of the crate.
func (b *binder) old() bool {
	m := b.manifest()
	e := setting(m, "edition")
	return m == nil || e == "" || e == "2015"
}

// crate finds a crate by its name in code.
func (b *binder) crate(name string) []entity {
	root, known := b.externCrate(name)
	switch {
	case root != 0:
		return []entity{{kind: isModule, place: place{root, graph.NoDef}, via: viaImport}}
	case known:
		return []entity{{kind: isOutside, text: name}}
	}
	return nil
}

// lexical finds a name that the definitions around near declare: type parameters, items
// in functions, and what is used there.
func (b *binder) lexical(name string, near int32, ns namespace) []entity {
	for at, n := near, 0; at >= 0 && int(at) < len(b.f.Defs) && n < maxDepth; n++ {
		d := &b.f.Defs[at]
		if d.Kind == graph.KindNamespace {
			return nil
		}
		if ns&nsType != 0 && hasParam(d, name) {
			return []entity{{kind: isTypeParam, place: place{b.id, at}, text: name}}
		}
		if d.Kind == graph.KindFunction || d.Kind == graph.KindMethod || d.Kind == graph.KindConstant || d.Kind == graph.KindVariable {
			if es := b.inFunction(at, name, ns); len(es) > 0 {
				return es
			}
		}
		at = d.Container
	}
	return nil
}

func (b *binder) inFunction(at int32, name string, ns namespace) (out []entity) {
	for i := b.f.NextNamed(name, 0); i != graph.NoDef; i = b.f.NextNamed(name, i+1) {
		if d := &b.f.Defs[i]; d.Container == at && d.Owner == "" && ns.holds(d) {
			out = append(out, entity{kind: isItem, place: place{b.id, i}})
		}
	}
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if im.Enclosing != at || im.Alias != name && im.Name != "*" {
			continue
		}
		if im.Name != "*" {
			key := busyKey{place{b.id, int32(-2 - i)}, name, ns}
			if !b.busy[key] {
				b.busy[key] = true
				out = appendVia(out, b.imported(i, ns), viaImport)
				delete(b.busy, key)
			}
			continue
		}
		for _, e := range b.path(splitPath(im.Module), moduleAround(b.f, at), nsType, true) {
			switch e.kind {
			case isModule:
				out = appendVia(out, b.inModule(e.place, name, ns), viaGlob)
			case isItem:
				out = appendVia(out, b.variants(b.unaliased(e), name), viaGlob)
			default:
			}
		}
	}
	return out
}

// unaliased follows "type A = B;" where B is a path.
func (b *binder) unaliased(e entity) entity {
	for range maxDepth {
		f := b.facts(e.id)
		if e.kind != isItem || f == nil || f.Defs[e.def].Kind != graph.KindType {
			return e
		}
		t := strings.TrimSpace(f.Defs[e.def].Type)
		if t == "" || !isWordByte(t[0]) {
			return e
		}
		es := b.on(e.id, f).path(splitPath(t), f.Defs[e.def].Container, nsType, false)
		if len(es) == 0 {
			return e
		}
		e = es[0]
	}
	return e
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
