package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// objectLiteral evaluates "{a=x,b=y()}", as extractors write object literals, and
// "{?f,x}", which is x unless f is declared to tell the type of its argument.
func (b *binder) objectLiteral(sc scope, root string) value {
	inside := strings.TrimSuffix(root[1:], "}")
	test, ok := strings.CutPrefix(inside, "?")
	if !ok {
		return value{kind: valObject, name: inside, at: sc}
	}
	i := topIndex(test, ',')
	if i < 0 {
		return value{}
	}
	if v := b.tells(b.expression(sc, test[:i], graph.Hint{})); v.kind != valUnknown {
		return v
	}
	if test = test[i+1:]; test == "" {
		return value{}
	}
	return b.expression(sc, test, graph.Hint{})
}

// tells is a value of the type that a function is declared to find in its argument:
// T of "x is T".
func (b *binder) tells(f value) value {
	if f.kind != valDef {
		return value{}
	}
	for _, s := range f.syms {
		d := b.def(s)
		if d == nil || d.Kind != graph.KindFunction && d.Kind != graph.KindMethod {
			continue
		}
		if _, typ, ok := strings.Cut(d.Type, " is "); ok && isWord(strings.TrimPrefix(d.Type[:len(d.Type)-len(typ)-len(" is ")], "asserts ")) {
			return value{kind: valType, typ: closure{t: parseType(typ), at: b.scopeOf(s), env: b.envOf(f)}, reason: graph.ReasonMember}
		}
	}
	return value{}
}

func isWord(s string) bool {
	for i := range len(s) {
		if !isIdent(s[i]) {
			return false
		}
	}
	return s != ""
}

// field is a member of the object literal that a value is or holds, where no definition
// stands for the member.
func (b *binder) field(v value, name string) value {
	if v.kind == valDef {
		v = b.valueOf(v)
		if v.kind == valObject || len(v.alts) > 0 {
			return each(v, func(v value) value { return b.field(v, name) })
		}
	}
	if v.kind != valObject {
		return value{}
	}
	for _, part := range splitTop(v.name, ',') {
		if expr, ok := strings.CutPrefix(part, name+"="); ok {
			return b.expression(v.at, expr, graph.Hint{})
		}
		if part == "()" {
			if m := b.unnamedMember(v.at, name); m.kind != valUnknown {
				return m
			}
		}
	}
	return value{}
}

// unnamedMember is the method of an object literal in the function around a place, where
// the function has one of the name: which of several is meant, the text does not say.
func (b *binder) unnamedMember(sc scope, name string) value {
	best, hit := 0, value{}
	for i := range sc.f.Defs {
		d := &sc.f.Defs[i]
		if d.Name != name || d.Owner != unnamedOwner || d.Kind != graph.KindMethod && d.Kind != graph.KindProperty {
			continue
		}
		switch depth := depthOf(sc.f, sc.encl, d.Container); {
		case depth < 1 || depth < best:
		case depth == best:
			hit = value{}
		default:
			best, hit = depth, value{kind: valDef, syms: []graph.Symbol{{File: sc.id, Def: int32(i)}}, reason: graph.ReasonMember}
		}
	}
	return hit
}
