package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// yields stands before the type of what a generator yields.
const yields = "yield "

// isTypeArgs reports whether what stands in the brackets behind a name is types, and no
// index.
func isTypeArgs(text string) bool {
	return text != "" && (letter(text[0]) || text[0] == '"' || text[0] == '\'')
}

// passesOn reports whether a name is a method of containers that yields what they hold.
func passesOn(name string) bool {
	switch name {
	case "values", "items", "keys", "copy", "get", "pop", "popleft", "setdefault":
		return true
	}
	return false
}

// passed evaluates the call of such a method.
func (r *run) passed(v value) []value {
	switch v.name {
	case "values", "items", "keys", "copy":
		return []value{v}
	}
	v.name = "dict"
	return r.elements(v, "")
}

// entered evaluates what a with statement takes from its object: what __enter__ returns,
// what a generator yields, or where neither is known the object.
func (r *run) entered(v value) []value {
	switch v.kind {
	case valueInstance:
		for _, name := range [...]string{"__enter__", "__aenter__"} {
			m, _, _, ok := r.classMember(v.sym, name)
			if !ok {
				continue
			}
			if got := r.result(m, v); slices.ContainsFunc(got, known) {
				return got
			}
		}
	case valueExternal:
		switch v.name {
		case "Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator", "ContextManager", "AbstractContextManager", "AsyncContextManager":
			return r.elements(v, "*")
		}
	default:
	}
	return []value{v}
}

// provided evaluates what a fixture gives: what its function returns or yields.
func (r *run) provided(e env, name string) []value {
	var out []value
	for _, x := range r.fixture(e, name) {
		for _, v := range r.result(x.sym, value{}) {
			if v.kind == valueExternal && v.args != "" {
				if got := r.entered(v); !slices.ContainsFunc(got, func(o value) bool { return o.kind == valueExternal }) {
					out = append(out, weaken(got, x.conf, graph.ReasonFixture)...)
					continue
				}
			}
			v.conf = min(v.conf, x.conf)
			out = append(out, v)
		}
	}
	return out[:min(len(out), maxValues)]
}

// typeArgument evaluates the result of a method that is declared as a type parameter of
// its class, by the arguments that the type of the object has.
func (r *run) typeArgument(f *graph.Facts, fn int32, recv value) ([]value, bool) {
	d := &f.Defs[fn]
	if recv.args == "" || recv.args[0] == '=' || d.Container == graph.NoDef || d.Type == "" || identLen(d.Type) != len(d.Type) {
		return nil, false
	}
	args := splitTop(recv.args, ',')
	for i, p := range typeParameters(f.Defs[d.Container].Signature) {
		if p == d.Type && i < len(args) {
			return weaken(r.annotation(recv.in, args[i], false), confDeclared, graph.ReasonDeclared), true
		}
	}
	return nil, false
}

// typeParameters reads the type parameters from the signature of a class: of
// "class A(Generic[T, U])" and "class A[T, U]" T and U.
func typeParameters(signature string) []string {
	at := strings.Index(signature, "Generic[")
	if at < 0 {
		at = strings.Index(signature, "Protocol[")
	}
	if at < 0 {
		if paren := strings.IndexByte(signature+"(", '('); !strings.Contains(signature[:paren], "[") {
			return nil
		}
		at = 0
	}
	at += strings.IndexByte(signature[at:], '[')
	end := closing(signature[at:])
	if end < 0 {
		return nil
	}
	var out []string
	for _, p := range splitTop(signature[at+1:at+end], ',') {
		p, _, _ = strings.Cut(strings.TrimSpace(p), ":")
		out = append(out, strings.TrimSpace(p))
	}
	return out
}
