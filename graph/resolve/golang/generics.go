package golang

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// env says what the type parameters in a text stand for.
type env struct {
	names []string
	types []value // by name; of kind isUnknown where the text does not say
}

func (e *env) lookup(name string) (value, bool) {
	if e == nil {
		return value{}, false
	}
	if i := slices.Index(e.names, name); i >= 0 {
		return e.types[i], true
	}
	return value{}, false
}

// bound replaces a type parameter by what it stands for.
func (v value) bound() value {
	for range 8 {
		if v.kind != isValue || v.env == nil {
			break
		}
		t, ok := v.env.lookup(bareType(v.text))
		if !ok {
			break
		}
		t.steps += v.steps
		v = t
	}
	return v
}

// with returns a value of another type that is written in the same place.
func (v value) with(text string) value {
	v.text, v.inst = text, nil
	return v
}

// typeArgs returns the type arguments of an instance of a generic type.
func (v value) typeArgs() []value {
	if v.inst != nil {
		return v.inst
	}
	t := bareType(v.text)
	i := strings.IndexByte(t, '[')
	if i <= 0 || t[len(t)-1] != ']' || isTypeLiteral(t) {
		return nil
	}
	return v.list(t[i+1 : len(t)-1])
}

// list returns the types of a list.
func (v value) list(text string) []value {
	var out []value
	for _, t := range splitTop(text) {
		out = append(out, v.with(t))
	}
	return out
}

// newEnv binds type parameters to arguments by their place. One without an argument is
// known by its constraint where that is a type with a name.
func newEnv(params []typeParam, args []value, in value) *env {
	if len(params) == 0 {
		return nil
	}
	e := &env{}
	for i, p := range params {
		e.names = append(e.names, p.name)
		t := value{}
		if i < len(args) {
			t = args[i]
		}
		e.types = append(e.types, t)
	}
	for i, p := range params {
		if e.types[i].kind != isUnknown {
			continue
		}
		q, name, ok := splitName(p.constraint)
		if !ok || in.by == nil || q == "" && (predeclared(name) || slices.Contains(e.names, name)) {
			continue
		}
		t := in.with(p.constraint)
		t.kind, t.env = isValue, e
		e.types[i] = t
	}
	return e
}

// envAt returns what is known of the type parameters of the definitions around near.
func (b *binder) envAt(near int32) *env {
	for at := near; at >= 0 && int(at) < len(b.f.Defs); at = b.f.Defs[at].Container {
		if sig := b.f.Defs[at].Signature; strings.Contains(sig, "[") {
			if params := typeParamList(sig); len(params) > 0 {
				return newEnv(params, nil, value{by: b, near: at})
			}
		}
	}
	return nil
}

// memberEnv returns what the type parameters in the declaration of a member stand for
// where it is reached through a value of type v.
func (b *binder) memberEnv(v value, m sym) *env {
	d := m.d()
	params := typeParamList(d.Signature) // a method's receiver names them anew
	owner := d.Owner
	if owner == "" && d.Container != graph.NoDef {
		c := &m.f.Defs[d.Container]
		params, owner = typeParamList(c.Signature), c.Name
	}
	if len(params) == 0 {
		return nil
	}
	for _, t := range [...]value{v, b.underlying(v)} {
		if _, name, ok := splitName(t.text); ok && name == owner {
			return newEnv(params, t.typeArgs(), value{by: b.at(m), near: m.def})
		}
	}
	return newEnv(params, nil, value{by: b.at(m), near: m.def})
}

// infer binds the type parameters of a function that is called: to explicit type
// arguments, or to what the arguments are.
func (b *binder) infer(v value) *env {
	params := typeParamList(v.sig)
	if strings.HasPrefix(v.sig, "func (") || len(params) == 0 {
		return v.env
	}
	e := &env{}
	for _, p := range params {
		e.names = append(e.names, p.name)
		e.types = append(e.types, value{})
	}
	copy(e.types, v.inst)
	list, _, _ := parameters(v.sig)
	types := listTypes(list)
	for i, a := range v.args {
		if len(types) == 0 {
			break
		}
		b.unify(e, types[min(i, len(types)-1)], b.argument(a, v.argNear))
	}
	for i, p := range params { // S ~[]E: what S is says what E is
		if e.types[i].kind == isValue {
			b.unify(e, p.constraint, e.types[i])
		}
	}
	return newEnv(params, e.types, value{by: v.by, near: v.near})
}

// argument returns what a written argument is.
func (b *binder) argument(path string, near int32) value {
	if path == "" || path == "?" {
		return value{}
	}
	return b.eval(path, near)
}

// unify binds the type parameters in the text of a type by what a value has in their
// places.
func (b *binder) unify(e *env, text string, v value) {
	text = bareType(text)
	if i := slices.Index(e.names, text); i >= 0 {
		if e.types[i].kind == isUnknown && (v.kind == isValue || v.kind == isExternal) {
			e.types[i] = v
		}
		return
	}
	if v.kind == isFunc {
		v = value{kind: isValue, text: withoutName(v.sig), by: v.by, near: v.near, env: v.env}
	}
	if v = v.bound(); v.kind != isValue || v.by == nil {
		return
	}
	switch {
	case strings.HasPrefix(text, "func("):
		if u := b.underlying(v); u.kind == isValue && strings.HasPrefix(bareType(u.text), "func(") {
			pl, _, _ := parameters(text)
			vl, _, _ := parameters(bareType(u.text))
			b.unifyAll(e, listTypes(pl), u, listTypes(vl))
			b.unifyAll(e, results(text), u, results(bareType(u.text)))
		}
	case isTypeLiteral(text):
		elem, key, ok := elementType(text)
		u := b.underlying(v)
		if !ok || u.kind != isValue {
			return
		}
		if ve, vk, ok := elementType(u.text); ok {
			b.unify(e, key, u.with(vk))
			b.unify(e, elem, u.with(ve))
		}
	default:
		i := strings.IndexByte(text, '[')
		_, name, ok := splitName(text)
		_, other, named := splitName(v.text)
		if i > 0 && ok && named && name == other {
			for k, a := range v.typeArgs() {
				if parts := splitTop(text[i+1 : len(text)-1]); k < len(parts) {
					b.unify(e, parts[k], a)
				}
			}
		}
	}
}

func (b *binder) unifyAll(e *env, texts []string, v value, types []string) {
	for i, t := range texts {
		if i < len(types) {
			b.unify(e, t, v.with(types[i]))
		}
	}
}

// withoutName returns the type of a function from its signature.
func withoutName(sig string) string {
	list, after, ok := parameters(sig)
	if !ok {
		return ""
	}
	return "func(" + list + ")" + after
}

// carries reports whether what an external function gives for the values may be of a
// type of the tree: of their types, if it is generic.
func (b *binder) carries(values []value) bool {
	for _, v := range values {
		v = v.bound()
		switch v.kind {
		case isExternal:
			if v.maybe {
				return true
			}
		case isValue:
			if b.ofTree(v, 0) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// ofTree reports whether a type is one of the tree, or is made of one.
func (b *binder) ofTree(v value, depth int) bool {
	if depth > maxEmbedding || v.by == nil {
		return true
	}
	t := bareType(v.text)
	q, name, ok := splitName(t)
	if ok {
		syms, ext := v.by.typeName(q, name, v.near)
		if len(syms) > 0 || !ext {
			return true
		}
		return slices.ContainsFunc(v.typeArgs(), func(a value) bool { return b.ofTree(a.bound(), depth+1) })
	}
	if elem, key, ok := elementType(t); ok {
		return b.ofTree(v.with(elem).bound(), depth+1) || b.ofTree(v.with(key).bound(), depth+1)
	}
	if strings.HasPrefix(t, "func(") {
		list, _, _ := parameters(t)
		for _, p := range append(listTypes(list), results(t)...) {
			if b.ofTree(v.with(p).bound(), depth+1) {
				return true
			}
		}
		return false
	}
	return !strings.HasPrefix(t, "interface{")
}
