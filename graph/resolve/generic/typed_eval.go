package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// value is what a path was found to be: a value of a type, functions or values of one
// name, a type itself, or a namespace.
type value struct {
	typ
	group  []reached
	static typ    // the type that is named
	space  string // the namespace that is named
	open   bool   // a type on the way is not in the tree
}

// site is where a path stands.
type site struct {
	binder
	at       sym
	implicit []typ // objects whose members are seen without naming them
	strict   bool  // parameters without values get arguments
	unsure   bool  // there may be others, of unknown types
	depth    int
}

func (b binder) site(from int32) site { return site{binder: b, at: sym{b.f, b.id, from}} }

// asValue returns the type of what a path is, as a value.
func (s site) asValue(v value) typ {
	if v.known() {
		return v.typ
	}
	for _, m := range v.group {
		if !isFunction(m.d()) {
			return s.typeOf(m)
		}
	}
	if v.static.inTree() && s.Receivers { // an object of Kotlin is its own value
		return v.static
	}
	return typ{}
}

// typeOf returns the declared type of a member, or of what a function gives back.
func (s site) typeOf(m reached) typ {
	d := m.d()
	in := s.in(m.sym)
	if text, ok := strings.CutSuffix(d.Type, "()"); ok && s.Receivers {
		if s.depth > maxTypeDepth {
			return typ{}
		}
		at := site{binder: in, at: m.sym, depth: s.depth + 1}
		p := parsePath(text)
		v := at.eval(&p)
		if len(v.group) > 0 && !isFunction(v.group[0].d()) || len(v.group) == 0 && v.known() {
			return at.asValue(v)
		}
		return at.asValue(at.call(v, []path{{op: '*'}}, p.args))
	}
	e := m.env
	if d.Kind == graph.KindEnumMember {
		return typ{sym: sym{m.f, m.id, d.Container}}
	}
	if d.Type == "" {
		return typ{}
	}
	return in.typeAt(d.Type, m.sym, e, 0)
}

// eval finds what a path is.
func (s site) eval(p *path) value {
	if p == nil || !s.spend() || s.depth > 3*maxPathDepth {
		return value{}
	}
	s.depth++
	switch p.op {
	case 't':
		return value{typ: s.typeAt(p.text, s.at, nil, 0)}
	case '+':
		return value{typ: s.typeAt(p.text, s.at, nil, 0)}
	case '#':
		return value{typ: literalType(p.text)}
	case '\\':
		return value{typ: typ{name: "->", args: make([]typ, p.n+1)}}
	case 'n':
		return s.nameValue(p)
	case '.':
		return s.memberValue(s.eval(p.from), p)
	case '(':
		return s.call(s.eval(p.from), p.kids, p.from.args)
	case '[':
		t := s.asValue(s.eval(p.from))
		if t.inTree() {
			return value{}
		}
		return value{typ: s.indexed(t)}
	case '@':
		return value{typ: s.elementOf(s.asValue(s.eval(p.from)))}
	case '!':
		if t := s.asValue(s.eval(p.from)); (t.name == "Task" || t.name == "ValueTask") && len(t.args) == 1 {
			return value{typ: t.args[0]}
		}
		return value{}
	case '^':
		return value{typ: s.parameterType(s.eval(p.from), p.n)}
	case '$':
		return value{typ: s.lambdaParameter(p)}
	case '&':
		if t := s.parameterType(s.eval(p.from), p.n); t.name == "->" && t.ext {
			return value{typ: t.args[0]}
		} else if t.known() || p.from.op == '.' && elementwise(p.from.text) {
			return value{open: true} // there is no receiver
		}
		return value{}
	}
	return value{}
}

func (s site) indexed(t typ) typ {
	if t.name == "string" {
		return typ{name: "char"}
	}
	return t.element()
}

// elementOf returns what a loop over a value gives.
func (s site) elementOf(t typ) typ {
	switch {
	case t.name == "string":
		return typ{name: "char"}
	case t.inTree():
		for _, name := range [...]string{"IEnumerable", "Iterable", "List", "Collection"} {
			if args := s.argsAbove(t, name); len(args) == 1 {
				return args[0]
			}
		}
		return typ{}
	case keyed(t.name) && len(t.args) == 2:
		return typ{name: "KeyValuePair", args: t.args}
	}
	return t.element()
}

// nameValue finds a name that stands alone.
func (s site) nameValue(p *path) value {
	name := p.text
	switch {
	case name == "this":
		return value{typ: s.thisType()}
	case name == "base" || name == "super":
		if t := s.enclosingType(); t.inTree() {
			if up := s.bases(t); len(up) > 0 {
				return value{typ: up[0], open: !up[0].inTree()}
			}
		}
		return value{}
	case strings.HasPrefix(name, "this@"):
		for def := s.at.def; def != graph.NoDef; def = s.at.f.Defs[def].Container {
			if d := &s.at.f.Defs[def]; d.Name == name[5:] {
				if isTypeDef(d) {
					return value{typ: typ{sym: sym{s.at.f, s.at.id, def}}}
				}
				return value{typ: s.receiverOf(def)}
			}
		}
		return value{}
	}
	v := s.visible(name)
	if len(v.group) > 0 {
		return v
	}
	if strings.IndexByte(name, '`') < 0 {
		text := name
		if p.args != "" {
			text += "<" + p.args + ">"
		}
		if t := s.typeAt(text, s.at, nil, 0); t.inTree() || t.known() && (p.args != "" || builtinType(plainType(name))) {
			return value{static: t}
		}
	}
	return value{space: name}
}

// visible finds the functions and values of a name that are seen where the site is.
func (s site) visible(name string) value {
	for _, t := range s.implicit {
		if v := s.ofType(t, name, isValueDef); len(v.group) > 0 {
			return v
		}
	}
	open := false
	for def := s.at.def; ; def = s.at.f.Defs[def].Container {
		if def == graph.NoDef || s.at.f.Defs[def].Kind == graph.KindNamespace {
			break
		}
		here := sym{s.at.f, s.at.id, def}
		if !isTypeDef(here.d()) {
			if list := s.within(here, name); len(list) > 0 {
				return value{group: list, open: open}
			}
			if t := s.receiverOf(def); t.known() {
				if v := s.ofType(t, name, isValueDef); len(v.group) > 0 {
					return v
				}
			}
			continue
		}
		ms := s.membersOf(typ{sym: here}, name, isValueDef)
		open = open || ms.open
		if len(ms.list) > 0 {
			return value{group: ms.list, open: open}
		}
	}
	return value{group: s.topLevel(name), open: open}
}

// within lists what a function defines for itself.
func (s site) within(in sym, name string) (out []reached) {
	for i := in.f.NextNamed(name, 0); i != graph.NoDef; i = in.f.NextNamed(name, i+1) {
		if d := &in.f.Defs[i]; d.Container == in.def && isValueDef(d) {
			out = append(out, reached{sym: sym{in.f, in.id, i}})
		}
	}
	return out
}

// topLevel lists functions and values that stand in no type, or that imports take from one.
func (s site) topLevel(name string) (out []reached) {
	top := s.at.def
	for top != graph.NoDef && s.at.f.Defs[top].Kind != graph.KindNamespace {
		top = s.at.f.Defs[top].Container
	}
	in := s.in(s.at)
	found := in.imported(name)
	if len(found.syms) == 0 && s.Receivers {
		found = in.inPackage(name, s.at.f.Package, graph.ReasonPackage, confPackage)
		if len(found.syms) == 0 {
			for i := s.at.f.NextNamed(name, 0); i != graph.NoDef; i = s.at.f.NextNamed(name, i+1) {
				if d := &s.at.f.Defs[i]; d.Container == graph.NoDef && d.Owner == "" {
					found.syms = append(found.syms, sym{s.at.f, s.at.id, i})
				}
			}
		}
	}
	if len(found.syms) == 0 {
		found = in.starImported(name)
	}
	for _, f := range found.syms {
		if f.def != graph.NoDef && isValueDef(f.d()) && f.d().Owner == "" && !isConstructor(f) {
			out = append(out, reached{sym: f})
		}
	}
	return out
}

// ofType finds members of a name of a value's type.
func (s site) ofType(t typ, name string, want func(*graph.Def) bool) value {
	if !t.inTree() {
		return value{open: true}
	}
	ms := s.membersOf(t, name, want)
	return value{group: ms.list, open: ms.open}
}

// named finds what a reference may mean of a value's type.
func (s site) named(t typ, ref *graph.Ref) (v value) {
	for _, want := range s.wanted(ref) {
		if v = s.ofType(t, ref.Name, want); len(v.group) > 0 {
			return v
		}
	}
	return v
}

// either finds the functions and the values of a name.
func (s site) either(t typ, name string) value {
	v := s.ofType(t, name, isValueDef)
	if s.Receivers && len(v.group) > 0 && !isFunction(v.group[0].d()) {
		v.group = append(v.group, s.ofType(t, name, isFunction).group...)
	}
	return v
}

// memberValue finds a member of what a path is.
func (s site) memberValue(v value, p *path) value {
	named := s.Receivers && v.static.inTree() && len(v.group) == 0 && !v.known()
	if t := s.asValue(v); t.known() && !named {
		m := s.either(t, p.text)
		if len(m.group) == 0 {
			if t.null && (p.text == "GetValueOrDefault" || p.text == "Value") && !s.Receivers {
				t.null = false
				return value{typ: t}
			}
			if !ownLibraryMember(t, p.text) {
				m.group = s.extensions(t, p.text, s.at.def)
			}
			if len(m.group) == 0 && !t.inTree() {
				return s.libraryMember(t, p)
			}
		}
		if len(m.group) > 0 || len(v.group) == 0 {
			return m
		}
	}
	static := v.static
	if len(v.group) > 0 && !static.known() { // a property that is called as its type is
		static = s.typeAt(v.group[0].d().Name, s.at, nil, 0)
	}
	if static.inTree() {
		m := s.either(static, p.text)
		if len(m.group) > 0 {
			return m
		}
		if nested := s.ofType(static, p.text, isTypeDef); len(nested.group) > 0 {
			return value{static: typ{sym: nested.group[0].sym}}
		}
		if s.Receivers {
			m.group = s.extensions(static, p.text, s.at.def)
		}
		return m
	}
	if static.known() {
		return staticLibraryMember(static.name, p.text)
	}
	if v.space != "" {
		if out := staticLibraryMember(v.space, p.text); out.known() && len(s.definers(v.space)) == 0 {
			return out
		}
		full := v.space + "." + p.text
		if t := s.typeAt(full, s.at, nil, 0); t.inTree() {
			return value{static: t}
		}
		out := value{space: full}
		if s.Receivers {
			for _, f := range s.inPackage(p.text, v.space, graph.ReasonModule, confStatic).syms {
				if isValueDef(f.d()) {
					out.group = append(out.group, reached{sym: f})
				}
			}
		}
		return out
	}
	return value{}
}

// call finds what a call gives back.
func (s site) call(v value, args []path, generics string) value {
	if v.static.known() && len(v.group) == 0 {
		return value{typ: v.static}
	}
	var functions []reached
	for _, m := range v.group {
		if isFunction(m.d()) {
			functions = append(functions, m)
		}
	}
	if len(functions) == 0 {
		if v.known() && v.name != "->" { // what libraryMember says
			return value{typ: v.typ}
		}
		if t := s.asValue(v); t.name == "->" && len(t.args) > 0 && s.Receivers {
			return value{typ: t.args[len(t.args)-1]}
		}
		return value{typ: s.libraryCall(v.space, args, generics)}
	}
	picked := s.pick(functions, args, len(args) != 1 || args[0].op != '*')
	picked = s.withGenerics(picked, generics)
	if len(picked) == 0 {
		return value{}
	}
	var out typ
	for i, m := range picked {
		t := s.resultOf(m, args, generics)
		if i > 0 && !t.equal(out) {
			return value{}
		}
		out = t
	}
	return value{typ: out}
}

// withGenerics keeps the functions that take as many type arguments as are given.
func (s site) withGenerics(list []reached, generics string) (out []reached) {
	if generics == "" {
		return list
	}
	n := len(splitTop(generics))
	for _, m := range list {
		if len(s.headerOf(m.sym).generics) == n {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// resultOf returns the type of what a call of a function gives back.
func (s site) resultOf(m reached, args []path, generics string) typ {
	h := s.headerOf(m.sym)
	if len(h.generics) > 0 {
		e := env{}
		for k, t := range m.env {
			e[k] = t
		}
		if given := splitTop(generics); len(given) == len(h.generics) {
			for i, g := range h.generics {
				e[g] = s.typeAt(given[i], s.at, nil, 1)
			}
		}
		for i := range args {
			p := h.parameterFor(i, args[i].name)
			if p == nil || args[i].op == '*' {
				continue
			}
			s.infer(e, h, p.typ, s.asValue(s.eval(&args[i])))
		}
		m.env = e
	}
	return s.typeOf(m)
}

// enclosingType returns the innermost type around the site.
func (s site) enclosingType() typ {
	for def := s.at.def; def != graph.NoDef; def = s.at.f.Defs[def].Container {
		if isTypeDef(&s.at.f.Defs[def]) {
			return typ{sym: sym{s.at.f, s.at.id, def}}
		}
	}
	return typ{}
}

// thisType returns the type of this.
func (s site) thisType() typ {
	if len(s.implicit) > 0 {
		return s.implicit[0]
	}
	for def := s.at.def; def != graph.NoDef; def = s.at.f.Defs[def].Container {
		if isTypeDef(&s.at.f.Defs[def]) {
			return typ{sym: sym{s.at.f, s.at.id, def}}
		}
		if t := s.receiverOf(def); t.known() || s.Receivers && s.at.f.Defs[def].Owner != "" {
			return t
		}
	}
	return typ{}
}

// receiverOf returns the type that a function of Kotlin extends.
func (s site) receiverOf(def int32) typ {
	if !s.Receivers || s.at.f.Defs[def].Owner == "" {
		return typ{}
	}
	at := sym{s.at.f, s.at.id, def}
	return s.typeAt(s.headerOf(at).receiver, at, nil, 0)
}
