package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

type valueKind uint8

const (
	isUnknown valueKind = iota
	isTyped             // text: a type as written at
	isNamed             // sym: a struct, enum or union of the tree, with args
	isBounded           // one that is known by traits alone: bounds
	isStd               // name: a type from outside the tree, with args
	isTuple             // args: the elements
	isSlice             // args: the element
	isFunc              // sym: a function, or a struct or variant that makes a value
	isStdFunc           // name: a function or method from outside, of args[0]
)

// value is what a path denotes: a value, known by its type, or a function. The text of
// a type means something only at the place that it was written at.
type value struct {
	kind   valueKind
	text   string
	by     *binder // of the file of the text
	near   int32   // definition around the text
	env    *env    // of the type parameters in the text, and of Self
	sym    place
	name   string
	args   []value
	bounds []value // traits, as texts
	steps  int     // declarations gone through
	arg    *value  // of the call that follows
}

// env says what type parameters stand for.
type env struct {
	names []string
	types []value
}

func (e *env) lookup(name string) (value, bool) {
	if e != nil {
		for i, n := range e.names {
			if n == name {
				return e.types[i], true
			}
		}
	}
	return value{}, false
}

func (e *env) set(name string, v value) {
	e.names, e.types = append(e.names, name), append(e.types, v)
}

func std(name string, args ...value) value { return value{kind: isStd, name: name, args: args} }

// with returns a value of another type that is written in the same place.
func (v value) with(text string) value {
	return value{kind: isTyped, text: text, by: v.by, near: v.near, env: v.env, steps: v.steps}
}

// typed returns a value of the type that is written at a definition.
func (b *binder) typed(text string, near int32, e *env) value {
	return value{kind: isTyped, text: text, by: b, near: near, env: e}
}

// arg0 returns the i-th type argument.
func (v value) argAt(i int) value {
	if i < len(v.args) {
		a := v.args[i]
		a.steps += v.steps
		return a
	}
	return value{}
}

// head replaces the text of a type by what it denotes.
func (v value) head() value {
	for range maxDepth {
		if v.kind != isTyped || v.by == nil {
			return v
		}
		b := v.by
		if b.spend() {
			return value{}
		}
		t := bareType(v.text)
		switch {
		case t == "" || t == "_":
			return value{}
		case t[0] == '[':
			end := closing(t, 0)
			if end < 0 {
				return value{}
			}
			elem, _, _ := cutTop(t[1:end], ";")
			return value{kind: isSlice, args: []value{v.with(elem)}, steps: v.steps}
		case t[0] == '(':
			out := value{kind: isTuple, steps: v.steps}
			if end := closing(t, 0); end > 0 {
				for _, e := range splitTop(t[1:end], ",") {
					out.args = append(out.args, v.with(e))
				}
			}
			return out
		case t[0] == '<':
			v = b.projected(v, t)
			continue
		case t == "!":
			return std("never")
		case strings.HasPrefix(t, "fn(") || strings.HasPrefix(t, "unsafe ") || strings.HasPrefix(t, "extern "):
			return std("fn")
		}
		if parts := splitTop(t, "+"); len(parts) > 1 {
			return v.bounded(parts)
		}
		next := b.named(v, t)
		next.steps += v.steps
		if next.kind != isTyped {
			return next
		}
		v = next
	}
	return value{}
}

// bounded returns a value that is known by traits.
func (v value) bounded(bounds []string) value {
	out := value{kind: isBounded, steps: v.steps}
	for _, t := range bounds {
		if t = bareType(t); t != "" && t[0] != '?' {
			out.bounds = append(out.bounds, v.with(t))
		}
	}
	return out
}

// named resolves a type that is written as a path.
func (b *binder) named(v value, t string) value {
	p, args := splitArgs(t)
	if i := strings.IndexByte(p, '('); i > 0 { // Fn(A) -> B
		return v.bounded([]string{t})
	}
	segs := splitPath(p)
	if len(segs) == 1 {
		if bound, ok := v.env.lookup(segs[0]); ok {
			return bound
		}
	}
	if segs[0] == "Self" {
		self, ok := v.env.lookup("Self")
		if !ok {
			self = b.selfValue(v.near, v.env)
		}
		return b.project(self, segs[1:])
	}
	es, rest := b.prefix(segs, v.near, nsType, false)
	if len(es) == 0 {
		if len(segs) == 1 && preludeType(segs[0]) || isPrimitive(segs[0]) {
			return v.std(segs[0], args)
		}
		return value{}
	}
	return b.project(b.denoted(es[0], v, args), rest)
}

// std returns a type from outside the tree with arguments as written.
func (v value) std(name string, args []string) value {
	out := value{kind: isStd, name: name, steps: v.steps}
	for _, a := range args {
		if a[0] != '\'' {
			out.args = append(out.args, v.with(a))
		}
	}
	return out
}

// denoted turns what a path denotes into the type of a value, with arguments as they
// are written at v.
func (b *binder) denoted(e entity, v value, args []string) value {
	switch e.kind {
	case isTypeParam:
		if bound, ok := v.env.lookup(e.text); ok {
			return bound
		}
		return b.paramValue(e, v)
	case isOutside:
		return v.std(e.text[strings.LastIndexByte(e.text, ':')+1:], args)
	case isItem:
	default:
		return value{}
	}
	f := b.facts(e.id)
	if f == nil {
		return value{}
	}
	d := &f.Defs[e.def]
	list := v.std("", args).args
	switch d.Kind {
	case graph.KindInterface:
		text := v.text
		if v.kind != isTyped {
			return value{kind: isBounded, bounds: []value{{kind: isNamed, sym: e.place}}}
		}
		return v.bounded([]string{text})
	case graph.KindEnumMember:
		return value{kind: isNamed, sym: place{e.id, d.Container}}
	case graph.KindType:
		in := b.on(e.id, f)
		if d.Container != graph.NoDef && f.Defs[d.Container].Kind == graph.KindInterface {
			return value{}
		}
		return in.typed(d.Type, e.def, bind(paramsOf(d), list))
	case graph.KindStruct, graph.KindEnum:
		return value{kind: isNamed, sym: e.place, args: list, steps: v.steps}
	default:
	}
	return value{}
}

// bind gives type parameters the arguments in their places.
func bind(params []typeParam, args []value) *env {
	if len(params) == 0 {
		return nil
	}
	e := &env{}
	for i, p := range params {
		if i < len(args) {
			e.set(p.name, args[i])
		} else {
			e.set(p.name, value{})
		}
	}
	return e
}

// paramValue returns a value of a type parameter: one that is known by its bounds.
func (b *binder) paramValue(e entity, v value) value {
	f := b.facts(e.id)
	if f == nil {
		return value{}
	}
	for _, p := range paramsOf(&f.Defs[e.def]) {
		if p.name == e.text {
			at := value{kind: isTyped, by: b.on(e.id, f), near: e.def, env: v.env, steps: v.steps}
			return at.bounded(p.bounds)
		}
	}
	return value{}
}

// selfValue returns a value of the type Self at a definition.
func (b *binder) selfValue(near int32, e *env) value {
	for at, n := near, 0; at >= 0 && int(at) < len(b.f.Defs) && n < maxDepth; n++ {
		d := &b.f.Defs[at]
		if h, ok := headerOf(d); ok {
			return b.typed(h.self, at, e)
		}
		switch d.Kind {
		case graph.KindInterface:
			return value{kind: isBounded, bounds: []value{{kind: isNamed, sym: place{b.id, at}}}}
		case graph.KindStruct, graph.KindEnum:
			return value{kind: isNamed, sym: place{b.id, at}}
		case graph.KindNamespace:
			return value{}
		default:
		}
		at = d.Container
	}
	return value{}
}

// project follows associated types: Self::Item.
func (b *binder) project(v value, segs []string) value {
	for _, s := range segs {
		v = b.assocType(v.head(), s)
	}
	return v
}

// projected reads "<T as Trait>::Item" and "<T>::Item".
func (b *binder) projected(v value, t string) value {
	end := closing(t, 0)
	if end < 0 {
		return value{}
	}
	of, _, _ := cutTop(t[1:end], " as ")
	rest := strings.TrimPrefix(t[end+1:], "::")
	if rest == "" {
		return v.with(of)
	}
	return b.project(v.with(of), splitPath(rest))
}

// assocType finds an associated type of a value.
func (b *binder) assocType(v value, name string) value {
	switch v.kind {
	case isNamed:
		return b.assocOfNamed(v, name)
	case isBounded:
		for _, bound := range v.bounds {
			if bound.kind == isTyped {
				if t, ok := binding(bound.text, name); ok {
					return bound.with(t)
				}
			}
		}
		for _, bound := range v.bounds {
			if tr, ok := b.traitOf(bound); ok {
				if s, ok := b.traitItem(tr, name, 0); ok {
					f := b.facts(s.id)
					_, bounds, _ := cutTop(f.Defs[s.def].Signature, ":")
					at := b.on(s.id, f).typed("", s.def, nil)
					return at.bounded(splitTop(bounds, "+"))
				}
			}
		}
	case isStd:
		if name == "Item" || name == "Target" || name == "Output" {
			return b.iterated(v)
		}
	default:
	}
	return value{}
}

// binding returns what an associated type is bound to in the text of a trait.
func binding(trait, name string) (string, bool) {
	_, args := splitArgs(trait)
	for _, a := range args {
		if n, t, ok := cutTop(a, "="); ok && strings.TrimSpace(n) == name {
			return strings.TrimSpace(t), true
		}
	}
	return "", false
}

// assocOfNamed looks for "type name = …" in the impl blocks of a type.
func (b *binder) assocOfNamed(v value, name string) value {
	f := b.facts(v.sym.id)
	if f == nil {
		return value{}
	}
	in := b.on(v.sym.id, f)
	owner := f.Defs[v.sym.def].Name
	last := ""
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Owner != owner || !strings.Contains(d.Signature, name+" = ") {
			continue
		}
		h, ok := headerOf(d)
		if !ok || h.trait == last {
			continue
		}
		last = h.trait
		if t, ok := binding(h.trait, name); ok {
			return in.typed(t, int32(i), implEnv(v, d))
		}
	}
	return value{}
}

// implEnv binds the type parameters of an impl block by what a value has in their
// places.
func implEnv(v value, d *graph.Def) *env {
	h, ok := headerOf(d)
	if !ok {
		return nil
	}
	e := &env{}
	e.set("Self", v)
	params := parseParams(nil, h.params)
	if len(params) == 0 || len(v.args) == 0 {
		return e
	}
	_, args := splitArgs(bareType(h.self))
	i := 0
	for _, a := range args {
		if a[0] == '\'' {
			continue
		}
		for _, p := range params {
			if p.name == a && i < len(v.args) {
				e.set(a, v.args[i])
			}
		}
		i++
	}
	return e
}

// unit is the value that a struct or variant without fields is, where it is no function
// that makes one.
func (b *binder) unit(v value) value {
	if v.kind != isFunc {
		return v
	}
	d := b.def(v.sym)
	if d == nil || d.Kind != graph.KindStruct && d.Kind != graph.KindEnumMember {
		return v
	}
	out := b.called(v)
	out.steps = v.steps
	return out
}
