package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// receiverPath writes the qualifier of a reference as a path over names that mean
// something outside the function; ok is false for one of which nothing is known.
func receiverPath(r *graph.Ref) (string, bool) {
	q := r.Qualifier
	if r.Hint.Rule == graph.HintDeclared && r.Hint.Type == q {
		return "<" + q + ">", true // a field of a literal: the qualifier is its type
	}
	head := 0
	for head < len(q) && isWordByte(q[head]) {
		head++
	}
	rest := q[head:]
	switch r.Hint.Rule {
	case graph.HintNone:
		return q, q != "?" && q != ""
	case graph.HintSelf, graph.HintClass:
		return q, q != "?"
	case graph.HintDeclared:
		return "<" + r.Hint.Type + ">" + rest, true
	case graph.HintAssigned:
		return r.Hint.Type + "()" + rest, true
	case graph.HintValue:
		return r.Hint.Type + rest, true
	default:
	}
	return "", false
}

// eval follows a path that stands in the definition near.
func (b *binder) eval(path string, near int32) value {
	if b.spend() {
		return value{}
	}
	v, rest := b.primary(path, near)
	for rest != "" && (v.kind != isUnknown || rest[0] == '@') {
		switch rest[0] {
		case '.':
			v = b.unit(v)
			end := pathEnd(rest, 1)
			name := rest[1:end]
			rest = rest[end:]
			if rest != "" && (rest[0] == '(' || rest[0] == '|' || rest[0] == '{') {
				v = b.methodValue(v, name, near)
			} else {
				_, v = b.field(v, name)
			}
		case '(':
			if len(rest) < 2 || rest[1] != ')' {
				return value{}
			}
			v, rest = b.called(v), rest[2:]
		case '{':
			end := closing(rest, 0)
			if end < 0 {
				return value{}
			}
			a := b.eval(rest[1:end], near)
			v.arg, rest = &a, rest[end+1:]
		case '?':
			v, rest = b.tried(v), rest[1:]
		case '[':
			if strings.HasPrefix(rest, "[*]") {
				v, rest = b.iterated(b.unit(v)), rest[3:]
			} else if strings.HasPrefix(rest, "[]") {
				v, rest = b.indexed(v), rest[2:]
			} else {
				return value{}
			}
		case '@', '|':
			end := strings.IndexByte(rest, ';')
			what, number, ok := strings.Cut(rest[1:max(end, 1)], "#")
			if end < 0 || !ok {
				return value{}
			}
			if rest[0] == '@' {
				v = b.payload(v, what, number, near)
			} else {
				v = b.parameter(v, what, number)
			}
			rest = rest[end+1:]
		default:
			return value{}
		}
	}
	return v
}

// pathEnd returns where a name with type arguments, in a path, ends.
func pathEnd(p string, i int) int {
	for i < len(p) {
		switch {
		case isWordByte(p[i]), p[i] == ':', p[i] == '$':
			i++
		case p[i] == '<' && i > 0 && p[i-1] == ':':
			end := closing(p, i)
			if end < 0 {
				return len(p)
			}
			i = end + 1
		default:
			return i
		}
	}
	return i
}

// primary reads what a path begins with.
func (b *binder) primary(path string, near int32) (value, string) {
	switch {
	case path == "" || path == "?":
		return value{}, ""
	case path[0] == '_' && (len(path) == 1 || !isWordByte(path[1])):
		return value{}, path[1:]
	case path[0] == '<':
		end := closing(path, 0)
		if end < 0 {
			return value{}, ""
		}
		text, rest := path[1:end], path[end+1:]
		if !strings.HasPrefix(rest, "::") {
			return b.typed(text, near, nil), rest
		}
		to := pathEnd(rest, 0)
		items := b.qualified(path[:end+1+to], near)
		return b.valueOfItem(items, near), rest[to:]
	}
	end := pathEnd(path, 0)
	name, rest := path[:end], path[end:]
	if name == "self" {
		return b.selfValue(near, nil), rest
	}
	return b.valueNamed(name, near), rest
}

// valueNamed returns what a path of names denotes.
func (b *binder) valueNamed(name string, near int32) value {
	segs := splitPath(name)
	if segs[0] == "Self" {
		if len(segs) == 1 {
			return b.asConstructor(b.selfValue(near, nil))
		}
		return b.itemValue(b.selfValue(near, nil), segs[1:], near, turbofish(name))
	}
	es, rest := b.prefix(segs, near, nsValue|nsType, false)
	if len(es) == 0 {
		if len(segs) == 1 && preludeValue(segs[0]) {
			return value{kind: isStdFunc, name: segs[0]}
		}
		if len(segs) == 2 && (preludeType(segs[0]) || isPrimitive(segs[0])) {
			return b.stdPath(name, near)
		}
		return value{}
	}
	e := es[0]
	if e.kind == isOutside {
		return b.stdPath(e.text+typeArgsOf(name), near)
	}
	if len(rest) > 0 {
		_, args := splitArgs(ownerPath(name))
		base := b.denoted(e, b.typed(segs[0], near, nil), args)
		return b.itemValue(base, rest, near, turbofish(name))
	}
	return b.entityValue(es, turbofish(name), near)
}

// stdPath is the function or value from outside that a path names.
func (b *binder) stdPath(name string, near int32) value {
	segs := splitPath(name)
	fn := segs[len(segs)-1]
	out := value{kind: isStdFunc, name: fn}
	if len(segs) > 1 {
		out.text = segs[len(segs)-2]
		_, args := splitArgs(ownerPath(name))
		out.args = b.typed("", near, nil).std("", args).args
	}
	return out
}

// ownerPath is a path without its last name: "Vec::<T>" of "Vec::<T>::new".
func ownerPath(name string) string {
	if t := turbofish(name); t != nil {
		name = name[:strings.LastIndex(name, "::<")]
	}
	if i := strings.LastIndex(name, "::"); i > 0 {
		return name[:i]
	}
	return ""
}

// turbofish returns the type arguments behind the last name of a path.
func turbofish(name string) []string {
	if !strings.HasSuffix(name, ">") {
		return nil
	}
	_, args := splitArgs(name)
	return args
}

// typeArgsOf returns the text of the type arguments at the end of a path.
func typeArgsOf(name string) string {
	if i := strings.LastIndex(name, "::<"); i > 0 && strings.HasSuffix(name, ">") {
		return name[i:]
	}
	return ""
}

// entityValue is the value or function that a path without types denotes.
func (b *binder) entityValue(es []entity, args []string, near int32) value {
	for _, e := range es {
		if e.kind != isItem {
			continue
		}
		f := b.facts(e.id)
		if f == nil {
			continue
		}
		d := &f.Defs[e.def]
		in := b.on(e.id, f)
		switch d.Kind {
		case graph.KindFunction, graph.KindMethod:
			return value{kind: isFunc, sym: e.place, env: bind(paramsOf(d), b.typed("", near, nil).std("", args).args)}
		case graph.KindConstant, graph.KindVariable:
			v := in.typed(d.Type, e.def, nil)
			v.steps = 1
			return v
		case graph.KindStruct, graph.KindEnumMember:
			return value{kind: isFunc, sym: e.place}
		case graph.KindType:
			return b.asConstructor(in.typed(d.Type, e.def, nil))
		default:
		}
	}
	return value{}
}

// asConstructor turns a type into the function that makes a value of it.
func (b *binder) asConstructor(v value) value {
	if v = v.head(); v.kind == isNamed {
		return value{kind: isFunc, sym: v.sym, args: v.args}
	}
	return value{}
}

// itemValue follows names behind a type: its functions, constants and variants.
func (b *binder) itemValue(v value, segs []string, near int32, args []string) value {
	for len(segs) > 1 {
		v, segs = b.assocType(v.head(), segs[0]), segs[1:]
	}
	v = v.head()
	m := b.itemOf(v, segs[0], near)
	if len(m.items) == 0 {
		if m.outside || v.kind == isStd {
			out := value{kind: isStdFunc, name: segs[0], text: v.name, args: v.args}
			if v.kind == isNamed && (segs[0] == "default" || segs[0] == "from" || segs[0] == "clone") {
				return value{kind: isFunc, sym: v.sym, args: v.args} // what it makes is one of the type
			}
			return out
		}
		return value{}
	}
	out := b.valueOfItem(m.items, near)
	if out.kind == isFunc {
		out.env = b.memberEnv(m.of, m.items[0], args, near)
	}
	return out
}

func (b *binder) valueOfItem(items []place, near int32) value {
	var es []entity
	for _, s := range items {
		es = append(es, entity{kind: isItem, place: s})
	}
	return b.entityValue(es, nil, near)
}

// memberEnv binds what the signature of a member speaks of: Self, the parameters of its
// impl block, and its own by type arguments.
func (b *binder) memberEnv(of value, item place, args []string, near int32) *env {
	f := b.facts(item.id)
	if f == nil {
		return nil
	}
	d := &f.Defs[item.def]
	e := implEnv(of, d)
	if e == nil {
		e = &env{}
		e.set("Self", of)
	}
	if len(args) > 0 {
		sig := d.Signature
		if h, ok := headerOf(d); ok {
			sig = h.fn
		}
		own := paramsOf(&graph.Def{Name: d.Name, Signature: sig})
		for i, a := range args {
			if i < len(own) && a[0] != '\'' && a != "_" {
				e.set(own[i].name, b.typed(a, near, nil))
			}
		}
	}
	return e
}

// methodValue follows ".name" before a call.
func (b *binder) methodValue(v value, name string, near int32) value {
	name, args := splitArgs(name)
	steps := v.steps
	v = v.head()
	m := b.method(v, name, near)
	if len(m.items) == 0 {
		if m.outside || v.kind == isStd || v.kind == isSlice || v.kind == isTuple {
			of := m.of
			if of.kind == isUnknown {
				of = v
			}
			out := value{kind: isStdFunc, name: name, text: ".", args: []value{of}, steps: steps}
			if len(args) > 0 && (name == "collect" || name == "parse" || name == "into" || name == "sum") {
				t := b.typed(args[0], near, nil)
				out.arg = &t
			}
			return out
		}
		return value{}
	}
	out := b.valueOfItem(m.items, near)
	out.steps += steps + 1
	if out.kind == isFunc {
		out.env = b.memberEnv(m.of, m.items[0], args, near)
	}
	return out
}

// called is what a call of a function gives.
func (b *binder) called(v value) value {
	switch v.kind {
	case isFunc:
		f := b.facts(v.sym.id)
		if f == nil {
			return value{}
		}
		d := &f.Defs[v.sym.def]
		switch d.Kind {
		case graph.KindStruct, graph.KindEnum:
			return value{kind: isNamed, sym: v.sym, args: v.args, steps: v.steps}
		case graph.KindEnumMember:
			return value{kind: isNamed, sym: place{v.sym.id, d.Container}, steps: v.steps}
		default:
		}
		if d.Type == "" {
			return tuple()
		}
		out := b.on(v.sym.id, f).typed(d.Type, v.sym.def, v.env)
		out.steps = v.steps + 1
		return out
	case isStdFunc:
		if v.text == "." {
			if v.arg != nil && v.name == "parse" {
				return std("Result", *v.arg)
			}
			if v.arg != nil {
				return *v.arg
			}
			out := b.stdResult(v.argAt(0).head(), v.name)
			out.steps += v.steps
			return out
		}
		out := made(v.text, v.name, v.arg)
		if out.kind == isStd && len(v.args) > 0 && v.arg == nil {
			out.args = v.args
		}
		return out
	default:
	}
	return value{}
}

// indexed is an element of a value.
func (b *binder) indexed(v value) value {
	v = v.head()
	switch v.kind {
	case isStd:
		switch v.name {
		case "HashMap", "BTreeMap":
			return v.argAt(1)
		}
	case isNamed:
		if t := b.assocOfNamed(v, "Output"); t.kind != isUnknown {
			t.steps += v.steps + 1
			return t
		}
		return b.iterated(b.deref(v))
	default:
	}
	return b.iterated(v)
}

// payload is what a variant, or struct, that a pattern asks for holds at a place.
func (b *binder) payload(v value, variant, at string, near int32) value {
	v = v.head()
	switch last := variant[strings.LastIndexByte(variant, ':')+1:]; last {
	case "Some", "Ok":
		if v.kind == isStd {
			return v.argAt(0)
		}
	case "Err":
		if v.kind == isStd {
			return v.argAt(1)
		}
	}
	val := b.valueNamed(variant, near)
	if val.kind == isTyped || val.kind == isNamed {
		val = b.asConstructor(val)
	}
	if val.kind != isFunc {
		if strings.HasPrefix(variant, "Self") {
			val = b.asConstructor(b.selfValue(near, nil))
		}
		if val.kind != isFunc {
			return value{}
		}
	}
	if f := b.facts(val.sym.id); v.kind != isNamed || f == nil || v.sym != val.sym && f.Defs[val.sym.def].Container != v.sym.def {
		v = value{}
	}
	_, out, _ := b.fieldOf(val.sym, v, at)
	return out
}

// parameter is what a function gives to a parameter of the closure that is one of its
// arguments.
func (b *binder) parameter(v value, arg, param string) value {
	i, n := number(arg), number(param)
	if i < 0 || n < 0 {
		return value{}
	}
	switch v.kind {
	case isStdFunc:
		if v.text == "." {
			return b.closureParam(v.argAt(0).head(), v.name, n)
		}
	case isFunc:
		f := b.facts(v.sym.id)
		if f == nil {
			return value{}
		}
		types := argTypes(&f.Defs[v.sym.def])
		if i >= len(types) {
			return value{}
		}
		at := b.on(v.sym.id, f).typed(types[i], v.sym.def, v.env)
		return closureArg(at, n)
	default:
	}
	return value{}
}

// closureArg is the n-th parameter of a function of a type: Fn(A, B), a parameter with
// such a bound, or a box of one.
func closureArg(v value, n int) value {
	t := bareType(v.text)
	if i := strings.Index(t, "Fn"); i >= 0 && strings.Contains(t, "(") || strings.HasPrefix(t, "fn(") {
		open := strings.IndexByte(t, '(')
		end := closing(t, open)
		if end < 0 {
			return value{}
		}
		if args := splitTop(t[open+1:end], ","); n < len(args) {
			return v.with(args[n])
		}
		return value{}
	}
	if v = v.head(); v.kind == isBounded {
		for _, bound := range v.bounds {
			if bound.kind == isTyped && strings.Contains(bound.text, "(") {
				return closureArg(bound, n)
			}
		}
	}
	return value{}
}
