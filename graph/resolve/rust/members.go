package rust

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// found is the result of looking for an item of a value or type.
type found struct {
	items   []place
	of      value // what has them: the receiver behind dereferences
	trait   bool  // items of a trait, which types define
	outside bool  // it is of a trait, or a type, from outside the tree
	impl    bool  // of an impl block for a trait, found by the type of the receiver
	loose   bool  // by a rule that may be wrong: an impl for every type
	depth   int   // dereferences
}

// method finds a method of a value, through references and dereferences.
func (b *binder) method(v value, name string, near int32) found {
	v = v.head()
	for depth := range maxDeref {
		m := b.itemOf(v, name, near)
		if len(m.items) > 0 || m.outside {
			m.depth = depth
			return m
		}
		next := b.deref(v)
		if next.kind == isUnknown {
			break
		}
		v = next
	}
	return found{}
}

const maxDeref = 6

// deref is what a value dereferences to.
func (b *binder) deref(v value) value {
	switch v.kind {
	case isStd:
		switch v.name {
		case "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "Cow", "Pin",
			"ManuallyDrop", "Lazy", "OnceCell", "PeekMut":
			return v.argAt(0).head()
		case "Vec":
			return value{kind: isSlice, args: v.args, steps: v.steps}
		}
	case isNamed:
		if t := b.assocOfNamed(v, "Target"); t.kind != isUnknown {
			t.steps += v.steps + 1
			return t.head()
		}
	default:
	}
	return value{}
}

// itemOf finds an item of a type itself: of its impl blocks, of traits that it
// implements, of the bounds of a type parameter.
func (b *binder) itemOf(v value, name string, near int32) found {
	if b.spend() {
		return found{}
	}
	switch v.kind {
	case isNamed:
		return b.itemOfNamed(v, name, near)
	case isBounded:
		return b.itemOfBounds(v, name, near)
	case isStd, isSlice, isTuple:
		if v.kind == isStd && wrapper(v.name) && !wrapperMethod(v.name, name) {
			return found{}
		}
		if v.kind == isStd && v.name == "Vec" && !vecMethod(name) {
			if m := b.extension(v, name, near); len(m.items) > 0 {
				return m
			}
			return found{}
		}
		if m := b.extension(v, name, near); len(m.items) > 0 {
			return m
		}
		return found{outside: true, of: v}
	case isStdFunc, isFunc:
		return found{outside: v.kind == isStdFunc, of: v}
	default:
	}
	return found{}
}

func (b *binder) itemOfNamed(v value, name string, near int32) found {
	own := b.ownItems(v.sym, name)
	if f := b.facts(v.sym.id); f != nil && len(own) == 0 {
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; d.Container == v.sym.def && d.Kind != graph.KindField {
				own = append(own, place{v.sym.id, i})
			}
		}
	}
	var viaTrait found
	var inherent, impls []place
	for _, s := range own {
		f := b.facts(s.id)
		h, ok := headerOf(&f.Defs[s.def])
		if !ok || h.trait == "" {
			inherent = append(inherent, s)
			continue
		}
		p, _ := splitArgs(h.trait)
		in := b.on(s.id, f)
		if tr, ok := in.traitNamed(splitPath(p), s.def); ok {
			if item, ok := b.traitItem(tr, name, 0); ok {
				impls = append(impls, s)
				viaTrait = found{items: []place{item}, of: v, trait: true}
			}
		} else if len(viaTrait.items) == 0 {
			viaTrait = found{outside: true, of: v}
		}
	}
	if len(inherent) > 0 {
		return found{items: b.choose(inherent, v), of: v}
	}
	if len(impls) > 0 { // the type is known, and so is what runs
		if fit := b.choose(impls, v); len(fit) == 1 {
			return found{items: fit, of: v, impl: true}
		}
	}
	if len(viaTrait.items) > 0 || viaTrait.outside {
		return viaTrait
	}
	return b.ofTraits(v, name, near)
}

// choose prefers, of several definitions, those that are not bound to a condition, and
// those in impl blocks whose type arguments are those of the value.
func (b *binder) choose(items []place, v value) []place {
	if len(items) < 2 {
		return items
	}
	plain := items[:0:0]
	for _, s := range items {
		if f := b.facts(s.id); !f.Defs[s.def].Has(graph.FlagConditional) {
			plain = append(plain, s)
		}
	}
	if len(plain) == 0 {
		plain = items
	}
	if len(plain) > 1 && len(v.args) > 0 {
		var fit []place
		for _, s := range plain {
			f := b.facts(s.id)
			if h, ok := headerOf(&f.Defs[s.def]); ok && b.fits(v, b.on(s.id, f), h, s.def) {
				fit = append(fit, s)
			}
		}
		if len(fit) > 0 {
			plain = fit
		}
	}
	return plain
}

// fits reports whether a value may be of the type of an impl block, by its arguments.
func (b *binder) fits(v value, in *binder, h header, near int32) bool {
	_, args := splitArgs(bareType(h.self))
	params := parseParams(nil, h.params)
	i := 0
	for _, a := range args {
		if a[0] == '\'' {
			continue
		}
		if i >= len(v.args) {
			break
		}
		is := v.args[i].head()
		i++
		if slices.ContainsFunc(params, func(p typeParam) bool { return p.name == a }) {
			continue
		}
		want := in.typed(a, near, nil).head()
		if is.kind != isUnknown && want.kind != isUnknown && (is.kind != want.kind || is.sym != want.sym || is.name != want.name) {
			return false
		}
	}
	return true
}

// ofTraits finds an item of a trait that a type of the tree implements without
// defining the item itself.
func (b *binder) ofTraits(v value, name string, near int32) found {
	var blanket []place
	for _, tr := range b.traitsWith(name) {
		switch b.implements(v, tr) {
		case implOwn:
			if item, ok := b.traitItem(tr, name, 0); ok {
				return found{items: []place{item}, of: v, impl: true} // what the trait itself provides
			}
		case implBlanket:
			if b.inScope(tr, near) {
				blanket = append(blanket, tr)
			}
		default:
		}
	}
	if len(blanket) == 1 {
		if item, ok := b.traitItem(blanket[0], name, 0); ok {
			return found{items: []place{item}, of: v, trait: true, loose: true}
		}
	}
	if b.derives(v.sym, name) {
		return found{outside: true, of: v}
	}
	return found{}
}

// derives reports whether a type of the tree has a method of the standard library's
// traits, which it may derive, or have by an impl of another trait.
func (b *binder) derives(s place, name string) bool {
	switch name {
	case "clone", "clone_from", "eq", "ne", "cmp", "partial_cmp", "hash", "fmt", "default", "into", "try_into", "to_string",
		"to_owned", "borrow", "borrow_mut", "as_ref", "as_mut", "type_id", "lt", "le", "gt", "ge", "max", "min", "from":
		return true
	}
	f := b.facts(s.id)
	if f == nil {
		return false
	}
	for i := range f.Heritage { // provided methods of what is implemented
		h := &f.Heritage[i]
		if h.Def != s.def {
			continue
		}
		switch h.Name {
		case "Iterator", "DoubleEndedIterator", "ExactSizeIterator", "Read", "Write", "BufRead", "Seek", "Hasher", "Error", "Future":
			return stdMethodName(name)
		}
	}
	return false
}

// ownItems lists what impl blocks define for a type under a name.
func (b *binder) ownItems(s place, name string) []place {
	key := graph.Derivation{Rule: ruleMembers, File: s.id, Name: name, Owner: ownerKey(s.def, 0)}
	return graph.Derived(b.v, key, func() (out []place) {
		f := b.facts(s.id)
		if f == nil {
			return nil
		}
		owner := f.Defs[s.def].Name
		out = b.on(s.id, f).ownedHere(out, s, owner, name)
		pkg := b.packageDir(f.Path)
		ids := b.v.Definers(name)
		if len(ids) > 32 {
			ids = intersect(ids, b.v.Referrers(owner))
		}
		for _, id := range ids {
			rec, ok := b.v.File(id)
			if id == s.id || !ok || rec.Language != "rust" || !below(rec.Path, pkg) {
				continue
			}
			if g := b.facts(id); g != nil {
				out = b.on(id, g).ownedHere(out, s, owner, name)
			}
		}
		return out
	})
}

func intersect(a, b []graph.FileID) (out []graph.FileID) {
	for _, id := range a {
		if _, ok := slices.BinarySearch(b, id); ok {
			out = append(out, id)
		}
	}
	return out
}

func (b *binder) ownedHere(out []place, s place, owner, name string) []place {
	for i := b.f.NextNamed(name, 0); i != graph.NoDef; i = b.f.NextNamed(name, i+1) {
		d := &b.f.Defs[i]
		if d.Owner != owner {
			continue
		}
		if b.id == s.id && b.f.Defs[s.def].Container == d.Container || b.ownerIs(d, i, s) {
			out = append(out, place{b.id, i})
		}
	}
	return out
}

// ownerIs reports whether the impl block around a definition is for a type.
func (b *binder) ownerIs(d *graph.Def, near int32, s place) bool {
	h, ok := headerOf(d)
	if !ok {
		return false
	}
	p, _ := splitArgs(bareType(h.self))
	for _, e := range b.path(splitPath(p), near, nsType, false) {
		if b.unaliased(e).place == s {
			return true
		}
	}
	return false
}

// itemOfBounds finds an item of the traits that a value is known by.
func (b *binder) itemOfBounds(v value, name string, near int32) found {
	outside := len(v.bounds) == 0
	for _, bound := range v.bounds {
		tr, ok := b.traitOf(bound)
		if !ok {
			outside = true
			continue
		}
		if item, ok := b.traitItem(tr, name, 0); ok {
			return found{items: []place{item}, of: v, trait: true}
		}
	}
	for _, tr := range b.traitsWith(name) { // impl<T: Bound> Trait for T
		if b.implements(v, tr) == implBlanket && b.inScope(tr, near) {
			if item, ok := b.traitItem(tr, name, 0); ok {
				return found{items: []place{item}, of: v, trait: true, loose: true}
			}
		}
	}
	if outside || stdMethodName(name) {
		return found{outside: true, of: v}
	}
	return found{}
}

// extension finds an item of a trait of the tree that is implemented for a type from
// outside.
func (b *binder) extension(v value, name string, near int32) found {
	for _, tr := range b.traitsWith(name) {
		if b.inScope(tr, near) {
			if k := b.implements(v, tr); k != implNone {
				if k == implBlanket && stdMethodName(name) {
					continue
				}
				if item, ok := b.traitItem(tr, name, 0); ok {
					return found{items: []place{item}, of: v, trait: true, loose: k == implBlanket}
				}
			}
		}
	}
	return found{}
}

// field finds a field of a value by name, or of a tuple by number.
func (b *binder) field(v value, name string) (place, value) {
	v = v.head()
	for range maxDeref {
		switch v.kind {
		case isTuple:
			if n := number(name); n >= 0 {
				return place{}, v.argAt(n)
			}
		case isNamed:
			if s, val, ok := b.fieldOf(v.sym, v, name); ok {
				return s, val
			}
		default:
		}
		if v = b.deref(v); v.kind == isUnknown {
			break
		}
	}
	return place{}, value{}
}

// fieldOf finds a field of a struct or variant; v has the type arguments.
func (b *binder) fieldOf(s place, v value, name string) (place, value, bool) {
	f := b.facts(s.id)
	if f == nil {
		return place{}, value{}, false
	}
	d := &f.Defs[s.def]
	params := paramsOf(d)
	if d.Kind == graph.KindEnumMember && d.Container != graph.NoDef {
		params = paramsOf(&f.Defs[d.Container])
	}
	var e *env
	if len(v.args) > 0 {
		e = bind(params, v.args)
	}
	in := b.on(s.id, f)
	if n := number(name); n >= 0 {
		types := tupleTypes(d)
		if n >= len(types) {
			return place{}, value{}, false
		}
		val := in.typed(types[n], s.def, e)
		val.steps = v.steps + 1
		return place{}, val, true
	}
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		if c := &f.Defs[i]; c.Container == s.def && c.Kind == graph.KindField {
			val := in.typed(c.Type, s.def, e)
			val.steps = v.steps + 1
			return place{s.id, i}, val, true
		}
	}
	return place{}, value{}, false
}

// number reads the index of a tuple's element, or returns -1.
func number(s string) int {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 2 {
		return -1
	}
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
