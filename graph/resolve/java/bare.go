package java

import "github.com/ralph-index/ralph-index/graph"

// value returns what a name without qualifier is: a field, a type, or a package.
func (b *binder) value(name string, sc scope) typ {
	if m, _, _ := b.bareField(name, sc); m.ok() {
		return b.fieldType(m)
	}
	if t, ok := b.typeParam(name, sc, nil, 0); ok {
		t.static = true
		return t
	}
	if t := b.simpleType(name, sc); t.kind != isUnknown {
		t.static = true
		return t
	}
	return typ{kind: isPackage, name: name}
}

func (b *binder) fieldType(m member) typ {
	return b.typeAt(m.d().Type, m.scope(), m.env, 0)
}

// bareField finds the field that a name without qualifier means. reason says how it is
// seen; open is set where a type around is built on one that is not in the tree, which
// may have it.
func (b *binder) bareField(name string, sc scope) (m member, reason graph.Reason, open bool) {
	if !b.hasMember(name) {
		return member{}, "", len(b.around(sc)) > 0
	}
	for i, t := range b.around(sc) {
		found := b.namedMembers(t, name, isField)
		if len(found.list) > 0 {
			return found.list[0], selfReason(i, found.list[0].depth), open
		}
		open = open || found.open
	}
	for i := range sc.f.Imports {
		im := &sc.f.Imports[i]
		if im.Name != name && im.Name != "*" {
			continue
		}
		if holder := b.qualifiedType(im.Module, sc.f); holder.ok() {
			if found := b.namedMembers(b.classType(holder), name, isField); len(found.list) > 0 {
				return found.list[0], importReason(im), open
			}
		} else if im.Name == name {
			open = true
		}
	}
	return member{}, "", open
}

func importReason(im *graph.Import) graph.Reason {
	if im.Name == "*" {
		return graph.ReasonStar
	}
	return graph.ReasonImport
}

// selfReason says how a member of a type around a place is seen.
func selfReason(outward, depth int) graph.Reason {
	switch {
	case depth > 0:
		return graph.ReasonInherited
	case outward > 0:
		return graph.ReasonScope
	}
	return graph.ReasonSelf
}

// hasMember reports whether anything in the tree may be a member of the name.
func (b *binder) hasMember(name string) bool {
	if b.f.NextNamed(name, 0) != graph.NoDef {
		return true
	}
	return len(b.v.Definers(name)) > 0
}

// bareMethods finds the methods that a call without receiver may mean, on the innermost
// type around the place that has one of the name.
func (b *binder) bareMethods(name string, sc scope) (ms members, on typ, reason graph.Reason) {
	around := b.around(sc)
	open := false
	for i, t := range around {
		ms = b.namedMembers(t, name, isMethod)
		if len(ms.list) == 0 && isRecord(t) {
			ms.list = b.namedMembers(t, name, isField).list // its accessor
		}
		if len(ms.list) > 0 {
			ms.open, ms.unseen = open, ms.open
			return ms, t, selfReason(i, ms.list[0].depth)
		}
		open = open || ms.open
		if impliedMethod(t, name) {
			return members{open: true}, t, ""
		}
	}
	for i := range sc.f.Imports {
		im := &sc.f.Imports[i]
		if im.Name != name && im.Name != "*" {
			continue
		}
		holder := b.qualifiedType(im.Module, sc.f)
		if !holder.ok() {
			open = open || im.Name == name || im.Name == "*" && startsUpper(graph.LastElement(im.Module))
			continue
		}
		if ms = b.namedMembers(b.classType(holder), name, isMethod); len(ms.list) > 0 {
			ms.open = open
			return ms, typ{static: true}, importReason(im)
		}
		open = open || ms.open
	}
	return members{open: open}, typ{}, ""
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// callBare returns what a call without receiver gives.
func (b *binder) callBare(name string, args []typ, sc scope) (typ, called) {
	ms, on, _ := b.bareMethods(name, sc)
	if len(ms.list) == 0 {
		if ms.open {
			return libraryType(libraryResult("", name), nil, true), called{}
		}
		return typ{}, called{}
	}
	return b.result(b.choose(ms.list, args, len(args)), args, on)
}
