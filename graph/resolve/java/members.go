package java

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// member is a member of a type as it is reached.
type member struct {
	sym
	env   *env
	depth int // types between that which was asked and that which has it
}

// members are those of one name that a type has.
type members struct {
	list   []member
	open   bool // one of the types above is not in the tree
	unseen bool // the type that has them builds on one that is not in the tree
}

func anyMember(d *graph.Def) bool { return isMethod(d) || isField(d) }
func isMethod(d *graph.Def) bool  { return d.Kind == graph.KindMethod && d.Type != "" }
func isField(d *graph.Def) bool {
	return d.Kind == graph.KindField || d.Kind == graph.KindConstant || d.Kind == graph.KindEnumMember
}

// namedMembers lists the members of a type with a name, those of the type itself first.
// Of fields the nearest hides all others.
func (b *binder) namedMembers(t typ, name string, want func(*graph.Def) bool) members {
	var out members
	level, seen := []typ{t}, map[graph.Symbol]bool{}
	for depth := 0; len(level) > 0 && depth < maxBases; depth++ {
		var next []typ
		for _, at := range level {
			if at.kind == isClass {
				if seen[at.sym.symbol()] {
					continue
				}
				seen[at.sym.symbol()] = true
			}
			if !b.step() || len(seen) > maxBases {
				return out
			}
			out.list = b.ownMembers(out.list, at, name, depth, want)
			switch at.kind {
			case isClass, isAnon:
				next = append(next, b.bases(at)...)
			case isLibrary, isUnknown:
				out.open = out.open || !libraryLacks(at.name, name)
			default:
			}
		}
		if len(out.list) > 0 && isField(out.list[0].d()) {
			break
		}
		level = next
	}
	return out
}

// ownMembers appends the members that stand in a type itself.
func (b *binder) ownMembers(list []member, t typ, name string, depth int, want func(*graph.Def) bool) []member {
	if t.kind != isClass && t.kind != isAnon {
		return list
	}
	f := t.sym.f
	e := envOf(t)
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		d := &f.Defs[i]
		mine := d.Container == t.sym.def && d.Owner == ""
		if t.kind == isAnon {
			mine = d.Owner == t.name
		}
		if mine && want(d) {
			list = append(list, member{sym{f, t.sym.id, i}, e, depth})
		}
	}
	return list
}

// bases lists the types that a type extends and implements, with what they are given
// for their parameters. What a class extends when it says nothing is left out.
func (b *binder) bases(t typ) []typ {
	switch t.kind {
	case isAnon:
		text, _, _ := strings.Cut(t.name, "#")
		return []typ{b.typeAt(text, t.sym.scope(), nil, 0)}
	case isClass:
	default:
		return nil
	}
	s := t.sym
	if s.d().Kind == graph.KindEnumMember {
		return nil
	}
	b.climbing++
	defer func() { b.climbing-- }()
	var out []typ
	var texts []string
	e := envOf(t)
	outer := scope{f: s.f, id: s.id, def: s.d().Container}
	n := 0
	for i := range s.f.Heritage {
		h := &s.f.Heritage[i]
		if h.Def != s.def {
			continue
		}
		base := b.dottedType(join(h.Qualifier, h.Name), outer)
		if base.kind == isClass || base.kind == isLibrary {
			if texts == nil {
				texts = baseTexts(s.d())
			}
			if n < len(texts) && strings.IndexByte(texts[n], '<') > 0 {
				_, args, _ := splitType(texts[n])
				for _, a := range args {
					base.args = append(base.args, b.typeAt(a, s.scope(), e, 1))
				}
			}
		}
		n++
		out = append(out, base)
	}
	return out
}

// line is what stands above a type.
type line struct {
	syms      []graph.Symbol // itself first
	libraries []string
	unknown   bool
}

// above lists the types that a type builds on.
func (b *binder) above(s sym) line {
	key := graph.Derivation{Rule: ruleAbove, File: s.id, In: strconv.Itoa(int(s.def))}
	return graph.Derived(b.v, key, func() line {
		b := b.apart()
		var out line
		todo := []sym{s}
		for n := 0; n < len(todo) && n < maxBases; n++ {
			out.syms = append(out.syms, todo[n].symbol())
			for _, base := range b.bases(typ{kind: isClass, sym: todo[n]}) {
				switch base.kind {
				case isClass:
					if !slices.ContainsFunc(todo, func(o sym) bool { return o.symbol() == base.sym.symbol() }) {
						todo = append(todo, base.sym)
					}
				case isLibrary:
					out.libraries = append(out.libraries, strings.Clone(base.name))
				default:
					out.unknown = true
				}
			}
		}
		return out
	})
}

// openAbove reports whether a type builds on one that is not in the tree.
func (b *binder) openAbove(s sym) bool {
	l := b.above(s)
	return l.unknown || len(l.libraries) > 0
}

// baseNamed finds the type of a name above a type, with what it is given for its
// parameters.
func (b *binder) baseNamed(t typ, name string) (typ, bool) {
	level := []typ{t}
	for n := 0; n < len(level) && n < maxBases; n++ {
		at := level[n]
		if (at.kind == isLibrary && at.name == name) || (at.kind == isClass && at.sym.d().Name == name) {
			return at, true
		}
		if !b.step() {
			break
		}
		level = append(level, b.bases(at)...)
		if at.kind == isLibrary {
			for _, up := range libraryBases(at.name) {
				level = append(level, typ{kind: isLibrary, name: up, args: at.args})
			}
		}
	}
	return typ{}, false
}

// thisType returns the type whose object this is at a place.
func (b *binder) thisType(sc scope) typ {
	for _, t := range b.around(sc) {
		return t
	}
	return typ{}
}

// around lists the types around a place, the innermost first.
func (b *binder) around(sc scope) []typ {
	var out []typ
	anon := sc.anon
	if anon != "" {
		out = append(out, typ{kind: isAnon, name: anon, sym: sym{sc.f, sc.id, sc.def}})
	}
	for def := sc.def; def >= 0 && int(def) < len(sc.f.Defs); def = sc.f.Defs[def].Container {
		d := &sc.f.Defs[def]
		if strings.IndexByte(d.Owner, '#') >= 0 && d.Owner != anon {
			anon = d.Owner
			out = append(out, typ{kind: isAnon, name: anon, sym: sym{sc.f, sc.id, d.Container}})
		}
		if isTypeKind(d.Kind) {
			out = append(out, b.classType(sym{sc.f, sc.id, def}))
		}
	}
	return out
}

// superOf returns the class that a type extends.
func (b *binder) superOf(t typ) typ {
	for _, base := range b.bases(t) {
		if base.kind != isClass || base.sym.d().Kind != graph.KindInterface || t.kind == isAnon || t.sym.d().Kind == graph.KindInterface {
			return base
		}
	}
	return typ{kind: isLibrary, name: "Object"}
}

// objectMethod reports whether every object has a method of the name.
func objectMethod(name string) bool {
	switch name {
	case "getClass", "hashCode", "equals", "toString", "clone", "finalize", "notify", "notifyAll", "wait":
		return true
	}
	return false
}

// impliedMethod reports whether a type has a method of the name without declaring it.
func impliedMethod(t typ, name string) bool {
	if objectMethod(name) {
		return true
	}
	if t.kind != isClass || t.sym.d().Kind != graph.KindEnum {
		return false
	}
	switch name {
	case "values", "valueOf", "name", "ordinal", "compareTo", "getDeclaringClass", "describeConstable":
		return true
	}
	return false
}

// isRecord reports whether a type is a record, whose fields have accessors.
func isRecord(t typ) bool {
	if t.kind != isClass || t.sym.d().Kind != graph.KindClass {
		return false
	}
	head, _, ok := strings.Cut(t.sym.d().Signature, "record ")
	return ok && onlyModifiers(head)
}
