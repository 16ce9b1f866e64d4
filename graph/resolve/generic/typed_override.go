package generic

import (
	"slices"
	"strings"
)

// standsFor reports whether a member may be the one of a base in a type built on it, as far
// as the parameters of both tell.
func (b binder) standsFor(s, base sym) bool {
	if !isFunction(s.d()) || !isFunction(base.d()) {
		return true
	}
	h, up := b.headerOf(s), b.headerOf(base)
	if h.cut || up.cut || !h.hasList || !up.hasList {
		return true
	}
	if len(h.params) != len(up.params) {
		return false
	}
	open := append(slices.Clone(up.generics), b.headerOf(sym{base.f, base.id, base.d().Container}).generics...)
	for i := range h.params {
		want := up.params[i].typ
		if !mentions(want, open) && b.bareType(want) != b.bareType(h.params[i].typ) {
			return false
		}
	}
	return true
}

// mentions reports whether the text of a type names one of a list.
func mentions(text string, names []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return c < 0x80 && !isNameByte(byte(c)) }), func(word string) bool {
		return slices.Contains(names, word)
	})
}

// bareType is the text of a type without what may be written in several ways: what stands
// before its name, and whether it may be null.
func (b binder) bareType(text string) string {
	text = strings.NewReplacer("?", "", " ", "").Replace(text)
	head, args, _ := strings.Cut(text, "<")
	return plainType(b.lastPart(head)) + "<" + args
}
