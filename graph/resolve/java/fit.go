package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// fits says how an argument goes where a parameter stands.
type fits uint8

const (
	fitsNot   fits = iota
	fitsMaybe      // the text does not say
	fitsBoxed      // by a conversion between a primitive type and its class
	fitsAlready
)

// fit says how a value of type a goes where p is wanted.
func (b *binder) fit(a, p typ) fits {
	switch {
	case a.kind == isUnknown || p.kind == isUnknown || p.kind == isPackage:
		return fitsMaybe
	case a.kind == isNull:
		if p.kind == isPrimitive && p.dims == 0 {
			return fitsNot
		}
		return fitsAlready
	case a.kind == isFunction:
		return b.fitFunction(a.name, p)
	case p.dims == 0 && p.kind == isLibrary && p.name == "Object":
		if a.kind == isPrimitive && a.dims == 0 {
			return fitsBoxed
		}
		return fitsAlready
	case a.dims != p.dims:
		return fitDimensions(a, p)
	case a.dims > 0 && (a.kind == isPrimitive || p.kind == isPrimitive):
		if a.kind == p.kind && a.name == p.name {
			return fitsAlready
		}
		return fitsNot
	case a.kind == isPrimitive && p.kind == isPrimitive:
		if widens(a.name, p.name) {
			return fitsAlready
		}
		return fitsNot
	case a.kind == isPrimitive:
		return fitBox(a.name, p)
	case p.kind == isPrimitive:
		return fitUnbox(a, p.name)
	}
	return b.fitReference(a, p)
}

func fitDimensions(a, p typ) fits {
	switch {
	case a.dims > p.dims && p.kind == isLibrary && (p.name == "Object" || p.name == "Serializable" || p.name == "Cloneable"):
		return fitsAlready
	case a.any && a.dims < p.dims, p.any && p.dims < a.dims:
		return fitsMaybe
	}
	return fitsNot
}

// widens reports whether a value of one primitive type goes where another is wanted.
func widens(from, to string) bool {
	if from == to {
		return true
	}
	const order = "byte short int long float double"
	if from == "boolean" || to == "boolean" || to == "char" {
		return false
	}
	if from == "char" {
		from = "short"
		if to == "short" {
			return false
		}
	}
	i, j := strings.Index(order, from), strings.Index(order, to)
	return i >= 0 && i < j
}

// boxed returns the class of a primitive type.
func boxed(primitive string) string {
	switch primitive {
	case "int":
		return "Integer"
	case "char":
		return "Character"
	case "":
		return ""
	}
	return strings.ToUpper(primitive[:1]) + primitive[1:]
}

func fitBox(primitive string, p typ) fits {
	if p.kind != isLibrary {
		if p.any {
			return fitsMaybe
		}
		return fitsNot
	}
	box := boxed(primitive)
	switch p.name {
	case box, "Comparable", "Serializable", "Constable":
		return fitsBoxed
	case "Number":
		if primitive != "boolean" && primitive != "char" {
			return fitsBoxed
		}
	}
	if p.any {
		return fitsBoxed
	}
	return fitsNot
}

func fitUnbox(a typ, primitive string) fits {
	if a.kind == isLibrary {
		for _, from := range [...]string{"int", "long", "boolean", "char", "byte", "short", "double", "float"} {
			if boxed(from) == a.name {
				if widens(from, primitive) {
					return fitsBoxed
				}
				return fitsNot
			}
		}
	}
	if a.any {
		return fitsMaybe
	}
	return fitsNot
}

// fitReference compares two types of objects.
func (b *binder) fitReference(a, p typ) fits {
	if a.kind == isAnon {
		base := b.bases(a)
		if len(base) == 0 {
			return fitsMaybe
		}
		a = base[0]
	}
	switch {
	case a.kind == isClass && p.kind == isClass:
		l := b.above(a.sym)
		for _, s := range l.syms {
			if s == p.sym.symbol() {
				return fitsAlready
			}
		}
		if l.unknown {
			return fitsMaybe
		}
	case a.kind == isClass && p.kind == isLibrary:
		return b.fitToLibrary(a.sym, p)
	case a.kind == isLibrary && p.kind == isLibrary:
		return fitLibraries(a, p)
	}
	if a.any {
		return fitsMaybe
	}
	return fitsNot
}

func (b *binder) fitToLibrary(s sym, p typ) fits {
	l, name := b.above(s), p.name
	best := fitsNot
	if l.unknown {
		best = fitsMaybe
	}
	if s.d().Kind == graph.KindEnum && (name == "Enum" || name == "Comparable" || name == "Serializable") {
		return fitsAlready
	}
	for _, base := range l.libraries {
		best = max(best, fitLibraries(typ{kind: isLibrary, name: base}, p))
	}
	return best
}

// fitFunction compares a lambda or a method reference with the type that it is to be.
func (b *binder) fitFunction(fn string, p typ) fits {
	if p.dims > 0 || p.kind == isPrimitive || p.kind == isAnon || len(fn) < 2 {
		return fitsNot
	}
	arity, returns, ok := b.functionOf(p)
	switch {
	case p.any:
		return fitsMaybe
	case !ok && (p.kind == isClass || isPlainLibrary(p.name)):
		return fitsNot
	case !ok || fn == "::":
		return fitsMaybe
	}
	want, body := fn[:len(fn)-1], fn[len(fn)-1]
	if want != string(rune('0'+arity)) || body == 'v' && returns || body == 'r' && !returns {
		return fitsNot
	}
	return fitsAlready
}

// functionOf returns the number of parameters of the one method that a functional
// interface leaves open, and whether that returns something.
func (b *binder) functionOf(t typ) (arity int, returns, ok bool) {
	switch t.kind {
	case isLibrary:
		return libraryFunction(t.name)
	case isClass:
		if m := b.openMethod(t); m.ok() {
			types, _ := paramTypes(m.sym)
			return len(types), m.d().Type != "void", true
		}
		for _, name := range b.above(t.sym).libraries {
			if arity, returns, ok = libraryFunction(name); ok {
				return arity, returns, ok
			}
		}
	default:
	}
	return 0, false, false
}

// openMethod finds the one method of an interface that has no body.
func (b *binder) openMethod(t typ) member {
	level := []typ{t}
	for n := 0; n < len(level) && n < maxBases; n++ {
		at := level[n]
		if at.kind != isClass || at.sym.d().Kind != graph.KindInterface || !b.step() {
			continue
		}
		for i := range at.sym.f.Defs {
			d := &at.sym.f.Defs[i]
			if d.Container == at.sym.def && isMethod(d) && d.Has(graph.FlagAbstract) && !objectMethod(d.Name) {
				return member{sym: sym{at.sym.f, at.sym.id, int32(i)}, env: envOf(at)}
			}
		}
		level = append(level, b.bases(at)...)
	}
	return member{}
}
