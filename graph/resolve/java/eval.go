package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// called is the call that a path went through last.
type called struct {
	member      // in the tree
	library typ // or the type of the library whose method it is
	name    string
	env     *env
}

// eval follows a path.
func (b *binder) eval(path string, sc scope) typ {
	if !b.step() || path == "" || path == "?" {
		return typ{}
	}
	if strings.HasPrefix(path, "->") || path == "::" {
		return typ{kind: isFunction, name: strings.TrimPrefix(path, "->")}
	}
	cur, last, rest := b.primary(path, sc)
	for rest != "" && (cur.kind != isUnknown || cur.jdk) {
		if cur.kind == isUnknown {
			return cur
		}
		switch rest[0] {
		case '.':
			end := 1
			for end < len(rest) && isNameByte(rest[end]) {
				end++
			}
			name := rest[1:end]
			if rest = rest[end:]; strings.HasPrefix(rest, "(") {
				end := closing(rest, 0)
				if end < 0 {
					return typ{}
				}
				cur, last = b.callOn(cur, name, b.evalAll(rest[1:end], sc))
				rest = rest[end+1:]
				if strings.HasPrefix(rest, "#") {
					cur, rest = b.parameter(last, rest)
				}
				continue
			}
			cur = b.selectFrom(cur, name, sc)
		case '[':
			if strings.HasPrefix(rest, "[:]") {
				cur, rest = b.element(cur), rest[3:]
				continue
			}
			if !strings.HasPrefix(rest, "[]") || cur.dims == 0 {
				return typ{}
			}
			cur.dims--
			rest = rest[2:]
		case '#':
			cur, rest = b.parameter(last, rest)
		case '~':
			if len(rest) < 2 {
				return typ{}
			}
			cur, rest = b.functionParam(cur, int(rest[1]-'0')), rest[2:]
		default:
			return typ{}
		}
	}
	return cur
}

func (b *binder) evalAll(args string, sc scope) []typ {
	list := splitTop(args)
	out := make([]typ, len(list))
	for i, a := range list {
		out[i] = b.eval(a, sc)
	}
	return out
}

// primary reads what a path starts with.
func (b *binder) primary(path string, sc scope) (typ, called, string) {
	if path[0] == '(' {
		end := closing(path, 0)
		if end < 0 {
			return typ{}, called{}, ""
		}
		return b.typeAt(path[1:end], sc, nil, 0), called{}, path[end+1:]
	}
	end := 0
	for end < len(path) && isNameByte(path[end]) {
		end++
	}
	name, rest := path[:end], path[end:]
	switch {
	case name == "":
		return typ{}, called{}, ""
	case strings.HasPrefix(rest, "("):
		end := closing(rest, 0)
		if end < 0 {
			return typ{}, called{}, ""
		}
		args := b.evalAll(rest[1:end], sc)
		t, c := b.callBare(name, args, sc)
		return t, c, rest[end+1:]
	case name == "this":
		return b.thisType(sc), called{}, rest
	case name == "super":
		return b.superOf(b.thisType(sc)), called{}, rest
	}
	return b.value(name, sc), called{}, rest
}

// callOn returns what a call of a method of a value or type gives.
func (b *binder) callOn(t typ, name string, args []typ) (typ, called) {
	switch {
	case t.dims > 0:
		if name == "clone" {
			return t, called{}
		}
		return libraryType(libraryResult("Object", name), nil, true), called{}
	case t.kind == isLibrary:
		if made, ok := libraryMaker(t, name, args); ok {
			return made, called{}
		}
		return libraryType(libraryResult(t.name, name), t.args, true), called{library: t, name: name}
	case t.kind != isClass && t.kind != isAnon:
		return typ{}, called{}
	}
	ms := b.namedMembers(t, name, isMethod)
	if len(ms.list) == 0 {
		return b.unlisted(t, name, ms.open)
	}
	return b.result(b.choose(ms.list, args, len(args)), args, t)
}

// libraryMaker returns what a static method of the library makes of its arguments.
func libraryMaker(t typ, name string, args []typ) (typ, bool) {
	if !t.static || len(args) == 0 {
		return typ{}, false
	}
	of := args[0]
	of.static, of.guess = false, true
	switch t.name + "." + name {
	case "List.of", "Set.of", "Optional.of", "Optional.ofNullable", "Stream.of", "EnumSet.of":
		return typ{kind: isLibrary, name: t.name, args: []typ{of}, guess: true, jdk: true}, true
	case "Arrays.asList", "Collections.singletonList", "Collections.singleton":
		of.dims = max(0, of.dims-1)
		return typ{kind: isLibrary, name: "List", args: []typ{of}, guess: true, jdk: true}, true
	case "Objects.requireNonNull", "Objects.requireNonNullElse", "Collections.unmodifiableList", "Collections.unmodifiableSet",
		"Collections.unmodifiableMap", "Collections.unmodifiableCollection":
		return of, true
	}
	return typ{}, false
}

// unlisted returns what a method gives that a type does not declare.
func (b *binder) unlisted(t typ, name string, open bool) (typ, called) {
	if t.kind == isClass {
		switch d := t.sym.d(); {
		case d.Kind == graph.KindEnum && name == "values":
			return typ{kind: isClass, sym: t.sym, dims: 1}, called{}
		case d.Kind == graph.KindEnum && name == "valueOf":
			return typ{kind: isClass, sym: t.sym}, called{}
		case name == "getClass":
			return typ{kind: isLibrary, name: "Class", args: []typ{t}}, called{}
		}
		if f := b.namedMembers(t, name, isField); len(f.list) > 0 { // of a record
			return b.fieldType(f.list[0]), called{}
		}
		if open {
			if up, ok := b.libraryAbove(t); ok {
				return libraryType(libraryResult(up.name, name), up.args, true), called{library: up, name: name}
			}
		}
	}
	return libraryType(libraryResult("Object", name), nil, true), called{}
}

// libraryAbove finds the type of the library that a type is built on.
func (b *binder) libraryAbove(t typ) (typ, bool) {
	level := []typ{t}
	for n := 0; n < len(level) && n < maxBases; n++ {
		if level[n].kind == isLibrary && len(level[n].args) > 0 {
			return level[n], true
		}
		level = append(level, b.bases(level[n])...)
	}
	return typ{}, false
}

// result returns what the chosen method gives.
func (b *binder) result(c choice, args []typ, on typ) (typ, called) {
	if len(c.list) == 0 {
		return typ{}, called{}
	}
	m := c.list[0]
	e := b.inferred(m, args)
	t := b.typeAt(m.d().Type, m.scope(), e, 0)
	t.guess = t.guess || on.guess || !c.sure
	if t.any && t.kind == isLibrary && t.name == "Object" && m.d().Type != "Object" && on.guess {
		t.kind = isUnknown
	}
	return t, called{member: m, env: e}
}

// inferred extends the bindings of a member by what the arguments say of the method's
// own type parameters.
func (b *binder) inferred(m member, args []typ) *env {
	params := typeParams(m.d())
	if len(params) == 0 {
		return m.env
	}
	e := &env{of: m.sym, params: paramNames(params), args: make([]typ, len(params)), next: m.env}
	texts, _ := paramTypes(m.sym)
	for i, text := range texts {
		if i < len(args) {
			b.unify(text, args[i], e, 0)
		}
	}
	return e
}

// unify binds the type parameters in the text of a type to what stands there in a type.
func (b *binder) unify(text string, t typ, e *env, depth int) {
	if t.kind == isUnknown || t.kind == isFunction || t.kind == isNull || depth > maxTypeDepth || !b.step() {
		return
	}
	base, args, dims := splitType(text)
	for i, p := range e.params {
		if p != base || len(args) > 0 || e.args[i].kind != isUnknown {
			continue
		}
		if t.dims < dims {
			dims = 0 // one of any number
		}
		t.dims -= dims
		if t.kind == isPrimitive && t.dims == 0 {
			t = typ{kind: isLibrary, name: boxed(t.name)}
		}
		t.static = false
		e.args[i] = t
		return
	}
	if len(args) == 0 {
		return
	}
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		base = base[i+1:]
	}
	if at, ok := b.baseNamed(t, base); ok && len(at.args) == len(args) {
		for i, a := range args {
			b.unify(a, at.args[i], e, depth+1)
		}
	}
}

// selectFrom returns a member that is no method: a field, a type, or what stands in a
// package.
func (b *binder) selectFrom(t typ, name string, sc scope) typ {
	switch {
	case t.dims > 0:
		if name == "length" {
			return typ{kind: isPrimitive, name: "int"}
		}
		return typ{}
	case t.kind == isPackage:
		full := join(t.name, name)
		if s := b.packageType(t.name, name, sc.f); s.ok() {
			c := b.classType(s)
			c.static = true
			return c
		}
		if startsUpper(name) {
			return typ{kind: isLibrary, name: name, static: true}
		}
		return typ{kind: isPackage, name: full}
	case t.kind == isClass || t.kind == isAnon:
		if ms := b.namedMembers(t, name, isField); len(ms.list) > 0 {
			out := b.fieldType(ms.list[0])
			out.guess = out.guess || t.guess
			return out
		}
		if t.kind == isClass {
			if s := b.memberType(t.sym, name); s.ok() {
				c := b.classType(s)
				c.static = true
				return c
			}
		}
	case t.kind == isLibrary && t.static && startsUpper(name) && strings.ToUpper(name) != name:
		return typ{kind: isLibrary, name: name, static: true}
	}
	return typ{jdk: t.kind == isLibrary}
}

// element returns what a loop over a value gives.
func (b *binder) element(t typ) typ {
	if t.dims > 0 {
		t.dims--
		return t
	}
	if at, ok := b.baseNamed(t, "Iterable"); ok && len(at.args) == 1 {
		out := at.args[0]
		out.guess = true
		return out
	}
	if t.kind == isLibrary && len(t.args) == 1 {
		out := t.args[0]
		out.guess = true
		return out
	}
	return typ{}
}

// parameter returns the type of the parameter of a call that "#i" asks for.
func (b *binder) parameter(c called, rest string) (typ, string) {
	end := 1
	n := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		n = min(n*10+int(rest[end]-'0'), 1000)
		end++
	}
	rest = rest[end:]
	if c.library.kind == isLibrary {
		return libraryType(libraryParameter(c.library.name, c.name), c.library.args, true), rest
	}
	if !c.ok() {
		return typ{}, rest
	}
	texts, _ := paramTypes(c.sym)
	if n >= len(texts) {
		return typ{}, rest
	}
	return b.typeAt(texts[n], c.scope(), c.env, 0), rest
}

// functionParam returns the type of the i-th parameter of a function of a type.
func (b *binder) functionParam(t typ, i int) typ {
	switch {
	case t.dims > 0:
	case t.kind == isLibrary:
		return libraryType(functionParameter(t.name, i), t.args, true)
	case t.kind == isClass:
		if m := b.openMethod(t); m.ok() {
			if texts, _ := paramTypes(m.sym); i < len(texts) {
				out := b.typeAt(texts[i], m.scope(), m.env, 0)
				out.guess = true
				return out
			}
			return typ{}
		}
		for _, base := range b.bases(t) {
			if base.kind == isLibrary {
				return libraryType(functionParameter(base.name, i), base.args, true)
			}
		}
	default:
	}
	return typ{}
}

// libraryType reads a type as the tables of the library spell it.
func libraryType(text string, args []typ, guess bool) typ {
	if text == "" {
		return typ{jdk: guess}
	}
	base, params, dims := splitType(text)
	var t typ
	switch {
	case base == "$0" || base == "$1":
		if i := int(base[1] - '0'); i < len(args) {
			t = args[i]
		}
	case isPrimitiveName(base):
		t = typ{kind: isPrimitive, name: base}
	case base == "?":
		t = typ{kind: isLibrary, name: "Object", any: true}
	default:
		t = typ{kind: isLibrary, name: base, jdk: true}
		for _, p := range params {
			t.args = append(t.args, libraryType(p, args, guess))
		}
	}
	t.dims += dims
	t.guess = guess
	return t
}
