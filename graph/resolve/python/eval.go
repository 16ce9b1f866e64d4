package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How sure each rule that is not proof is. What several rules say together is as sure as
// the weakest of them: on trees with the truth of type checkers long chains are right as
// often as their weakest link, not less often with every step.
const (
	confDeclared  = 0.95 // an annotation
	confAssigned  = 0.95 // the call that made the receiver
	confResult    = 0.9  // what the returns of a function without annotation say
	confMember    = 0.95 // what a class assigns to a field
	confInherited = 0.97 // an ancestor's member, which a subclass may override
	confMade      = 0.85 // a base that was an argument of the call that made the real one
	confUnion     = 0.9
)

type valueKind uint8

const (
	valueUnknown valueKind = iota
	valueExternal
	valueModule   // sym is the file
	valueClass    // the class itself
	valueInstance // an instance of sym
	valueFunction // a function or bound method
	valueSuper    // super() in sym
)

// value is what an expression may evaluate to.
type value struct {
	kind   valueKind
	sym    graph.Symbol
	recv   graph.Symbol // of a bound method: the class of the receiver
	bound  bool         // recv is set
	exact  bool         // sym itself: not a class that derives from it, nor an instance of one
	conf   float32
	reason graph.Reason // the rule that decided what it is
	name   string       // of something outside the tree: its last name
	args   string       // type arguments of a container, to be read in in
	in     env
}

// maxValues bounds the alternatives that are carried along.
const maxValues = 4

// eval evaluates an expression of the form name(.name | () | [])*.
func (r *run) eval(e env, text string) []value {
	if !r.spend() {
		return nil
	}
	text, open := strings.CutPrefix(text, "?")
	c, ok := parseChain(text)
	if !ok {
		return nil
	}
	root := r.root(e, c.root)
	for i := range root {
		if root[i].in.f == nil {
			root[i].in = e
		}
	}
	values := r.follow(root, c.steps)
	if open && len(values) > 0 {
		values = append(values[:min(len(values), maxValues-1)], value{conf: 1})
	}
	return values
}

// follow applies the steps of a chain.
func (r *run) follow(values []value, steps []step) []value {
	for i, s := range steps {
		var next []value
		entered := s.op == '.' && s.text == "__enter__" && i+1 < len(steps) && steps[i+1].op == '('
		if i > 0 && s.op == '(' && steps[i-1].op == '.' && steps[i-1].text == "__enter__" {
			continue // done with the name
		}
		for _, v := range values {
			if !r.spend() {
				return nil
			}
			if v.kind == valueUnknown {
				next = append(next, v)
				continue
			}
			switch s.op {
			case '.':
				if entered {
					next = append(next, r.entered(v)...)
					continue
				}
				next = append(next, r.get(v, s.text)...)
			case '(':
				if v.kind == valueSuper && s.text != "" {
					next = append(next, r.superOf(v, s.text)...)
					continue
				}
				next = append(next, r.callValue(v)...)
			case '[':
				next = append(next, r.index(v, s.text)...)
			}
		}
		if len(next) > maxValues {
			next = next[:maxValues]
		}
		if !slices.ContainsFunc(next, known) {
			return nil
		}
		values = next
	}
	return values
}

// known reports whether anything is known of a value; one of which nothing is stands
// beside others for what may be meant instead.
func known(v value) bool { return v.kind != valueUnknown }

// root evaluates the first name of a chain.
func (r *run) root(e env, name string) []value {
	if fixture, ok := strings.CutPrefix(name, "@"); ok {
		return r.provided(e, fixture)
	}
	if name == "self" || name == "cls" || name == "super" {
		if class, ok := e.selfClass(); ok {
			kind, reason := valueInstance, graph.ReasonSelf
			if name == "cls" {
				kind = valueClass
			}
			if name == "super" {
				c, _ := enclosingClass(e.f, e.at)
				return []value{{kind: valueSuper, sym: graph.Symbol{File: e.id, Def: c}, recv: class, bound: true, conf: 1, reason: graph.ReasonInherited, in: e}}
			}
			return []value{{kind: kind, sym: class, conf: 1, reason: reason}}
		}
	}
	return named(r.values(r.name(e, name, false)), name)
}

// named notes under which name values outside the tree were reached.
func named(values []value, name string) []value {
	for i := range values {
		if values[i].kind == valueExternal {
			values[i].name = name
		}
	}
	return values
}

func (e env) selfClass() (graph.Symbol, bool) {
	if e.bound {
		return e.self, true
	}
	c, ok := enclosingClass(e.f, e.at)
	return graph.Symbol{File: e.id, Def: c}, ok
}

// values turns what names denote into what they evaluate to.
func (r *run) values(all []found) []value {
	var out []value
	for _, x := range all {
		if x.external {
			out = append(out, value{kind: valueExternal, conf: 1, reason: x.reason})
			continue
		}
		for _, v := range r.valueOf(x.sym, value{}) {
			v.conf = min(v.conf, x.conf)
			out = append(out, v)
		}
		if x.open && x.conf <= confOpen && len(out) > 0 {
			out = append(out, value{conf: 1})
		}
		if len(out) >= maxValues {
			break
		}
	}
	return out
}

// valueOf evaluates a definition. recv is the object it was found on, or the zero
// value.
func (r *run) valueOf(s graph.Symbol, recv value) []value {
	if s.Def == graph.NoDef {
		return []value{{kind: valueModule, sym: s, conf: 1, reason: graph.ReasonModule}}
	}
	f := r.facts(s.File)
	if f == nil || !r.spend() {
		return nil
	}
	d := &f.Defs[s.Def]
	e := env{f: f, id: s.File, at: s.Def}
	if recv.kind == valueInstance || recv.kind == valueClass {
		e.self, e.bound = recv.sym, true
	}
	switch {
	case isClass(d):
		return []value{{kind: valueClass, sym: s, conf: 1, reason: graph.ReasonModule, exact: true}}
	case isFunction(d):
		v := value{kind: valueFunction, sym: s, conf: 1, reason: graph.ReasonMember}
		v.recv, v.bound = e.self, e.bound
		return []value{v}
	case d.Kind == graph.KindEnumMember:
		return []value{{kind: valueInstance, sym: graph.Symbol{File: s.File, Def: d.Container}, conf: 1, reason: graph.ReasonMember}}
	case d.Kind == graph.KindType:
		if strings.HasSuffix(d.Type, "()") {
			return nil // a type variable
		}
		return r.annotation(e, strings.TrimPrefix(d.Type, "="), true)
	}
	e.at = d.Container
	if d.Kind == graph.KindProperty {
		e.at = s.Def
	}
	return loose(weaken(r.typeText(e, d.Type), confMember, graph.ReasonMember))
}

// loose says that values may be of derived classes: what a field holds may be set
// elsewhere, and what a function returns decided there.
func loose(values []value) []value {
	for i := range values {
		values[i].exact = false
	}
	return values
}

func weaken(values []value, by float32, reason graph.Reason) []value {
	for i := range values {
		values[i].conf = min(values[i].conf, by)
		values[i].reason = reason
	}
	return values
}

// typeText evaluates Def.Type: what a variable holds or a function returns.
func (r *run) typeText(e env, text string) []value {
	switch {
	case text == "" || !r.spend():
		return nil
	case text == "Self":
		if class, ok := e.selfClass(); ok {
			return []value{{kind: valueInstance, sym: class, conf: 1, reason: graph.ReasonSelf}}
		}
		return nil
	case strings.Contains(text, " | ") && (text[0] == '=' || strings.Contains(text, "()") || strings.Contains(text, " | =")):
		return r.alternatives(e, text)
	case text[0] == '=':
		return r.eval(e, text[1:])
	case strings.HasPrefix(text, yields):
		return []value{{kind: valueExternal, conf: 1, reason: graph.ReasonMember, name: "Generator", args: "=" + text[len(yields):], in: e}}
	case strings.HasSuffix(text, "()"):
		return r.eval(e, text)
	}
	return r.annotation(e, text, false)
}

// alternatives evaluates the results that a function without annotation may have.
func (r *run) alternatives(e env, text string) []value {
	var out []value
	open := false
	for _, part := range strings.Split(text, " | ") {
		got := r.typeText(e, part)
		open = open || len(got) == 0
		for _, v := range got {
			if v.kind == valueUnknown {
				open = true
			} else if !slices.ContainsFunc(out, func(o value) bool { return o.kind == v.kind && o.sym == v.sym }) {
				out = append(out, v)
			}
		}
	}
	if open && len(out) > 0 {
		return append(out[:min(len(out), maxValues-1)], value{conf: 1})
	}
	return out[:min(len(out), maxValues)]
}

// superOf is super(X, …): the search begins behind X.
func (r *run) superOf(v value, class string) []value {
	for _, c := range r.eval(v.in, class) {
		if c.kind == valueClass {
			v.sym = c.sym
			return []value{v}
		}
	}
	return nil
}

// get reads an attribute of a value.
func (r *run) get(v value, name string) []value {
	switch name {
	case "__class__":
		if v.kind == valueInstance {
			v.kind = valueClass
			return []value{v}
		}
	case "__dict__", "__name__", "__doc__", "__module__":
		return []value{{kind: valueExternal, conf: 1, name: name}}
	}
	if v.kind == valueExternal {
		if v.name = name; !passesOn(name) {
			v.args = ""
		}
		return []value{v}
	}
	recv := v
	if v.kind == valueSuper {
		recv = value{kind: valueInstance, sym: v.recv}
	}
	var out []value
	for _, x := range r.attribute(v, name) {
		if x.external && name == "__new__" && (v.kind == valueSuper || v.kind == valueClass) {
			// object.__new__ and type.__new__ make an instance of what they are given.
			return []value{{kind: valueClass, sym: recv.sym, conf: v.conf, reason: graph.ReasonConstructed}}
		}
		if x.external {
			out = append(out, value{kind: valueExternal, conf: 1, reason: x.reason, name: name})
			continue
		}
		for _, got := range r.valueOf(x.sym, recv) {
			got.conf = min(got.conf, x.conf)
			if got.kind == valueFunction {
				got.args, got.in = v.args, v.in
			}
			out = append(out, got)
		}
	}
	return out
}

// attribute finds the definition of an attribute of a value.
func (r *run) attribute(v value, name string) []found {
	switch v.kind {
	case valueExternal:
		return []found{external(v.reason)}
	case valueModule:
		all := r.moduleMember(r.moduleOf(v.sym.File), name, graph.ReasonModule)
		for i := range all {
			all[i].conf = min(all[i].conf, v.conf)
		}
		return all
	case valueSuper:
		m, more, ok := r.superMember(v.recv, v.sym, name)
		switch {
		case ok:
			return []found{{sym: m, conf: min(v.conf, confInherited), reason: graph.ReasonInherited}}
		case isObjectMember(name) || more.outside && !more.unknown:
			return []found{external(graph.ReasonInherited)}
		}
	case valueClass, valueInstance:
		m, inherited, more, ok := r.classMember(v.sym, name)
		if !ok {
			if isObjectMember(name) || more.outside && !more.unknown {
				return []found{external(graph.ReasonInherited)}
			}
			return nil
		}
		if v.kind == valueClass && r.ofObject(m) {
			if other, ok := r.classOnly(v.sym, name); ok {
				m, inherited = other, true
			}
		}
		x := found{sym: m, conf: v.conf, reason: v.reason}
		if inherited {
			x.reason = graph.ReasonInherited
			if more.outside || more.unknown { // or one of those has it
				x.conf = min(x.conf, confInherited)
			}
		}
		return []found{x}
	case valueFunction:
		return []found{external(graph.ReasonMember)} // attributes of functions
	default:
	}
	return nil
}

// callValue calls a value.
func (r *run) callValue(v value) []value {
	switch v.kind {
	case valueExternal:
		if v.args != "" && passesOn(v.name) {
			return r.passed(v)
		}
		if !makesItsOwn(v.name) {
			return nil
		}
		return []value{v}
	case valueClass:
		v.kind = valueInstance
		v.reason = graph.ReasonConstructed
		v.conf = min(v.conf, confAssigned)
		return []value{v}
	case valueInstance:
		m, _, _, ok := r.classMember(v.sym, "__call__")
		if !ok {
			return nil
		}
		return r.result(m, v)
	case valueFunction:
		recv := value{}
		if v.bound {
			recv = value{kind: valueInstance, sym: v.recv, args: v.args, in: v.in}
		}
		return weaken(r.result(v.sym, recv), v.conf, graph.ReasonMember)
	case valueSuper:
		return []value{v}
	default:
	}
	return nil
}

// makesItsOwn reports whether a call of something outside the tree yields
// something outside the tree: a class does, by its name. What a function or a
// container returns may be one of ours.
func makesItsOwn(name string) bool {
	if name == "" {
		return false
	}
	switch name {
	case "str", "bytes", "bytearray", "int", "float", "bool", "complex", "list", "tuple", "set", "frozenset", "dict", "object",
		"range", "open", "len", "getLogger", "compile", "repr", "format", "defaultdict", "deque", "namedtuple", "memoryview":
		return true
	}
	return name[0] >= 'A' && name[0] <= 'Z'
}

// result evaluates what a function returns when it is called on recv.
func (r *run) result(fn graph.Symbol, recv value) []value {
	f := r.facts(fn.File)
	if f == nil || !r.spend() {
		return nil
	}
	d := &f.Defs[fn.Def]
	e := env{f: f, id: fn.File, at: fn.Def}
	if recv.kind == valueInstance || recv.kind == valueClass {
		e.self, e.bound = recv.sym, true
	}
	if given, ok := r.typeArgument(f, fn.Def, recv); ok {
		return given
	}
	conf := float32(confDeclared)
	if strings.HasSuffix(d.Type, "()") || strings.HasPrefix(d.Type, "=") || d.Type == "Self" {
		conf = confResult
	}
	return loose(weaken(r.typeText(e, d.Type), conf, graph.ReasonMember))
}
