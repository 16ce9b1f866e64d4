package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// value is what a path leads to: something of a type, or of the unnamed type whose
// members a definition holds.
type value struct {
	typ   string  // as written in by's file
	by    *binder // nil: nothing is known
	holds sym     // f is nil where the type has a name
	fn    []sym   // functions, where the path is the name of one
	steps int
}

// member binds a member of a value.
func (b *binder) member(r *graph.Ref) graph.Binding {
	val, ok := b.eval(r.Qualifier, r.Hint, r)
	if !ok {
		return b.byMember(r)
	}
	syms, ext := b.declaredMembers(val, r.Name)
	if len(syms) == 0 {
		if ext {
			return graph.Binding{External: true}
		}
		return b.byMember(r)
	}
	syms = b.defining(b.choose(r, syms))
	reason, conf := graph.ReasonDeclared, float32(memberConfidence)
	switch {
	case r.Hint.Rule == graph.HintSelf && r.Qualifier == "this":
		return b.bind(syms, graph.Extracted, graph.ReasonSelf, linkConfidence)
	case val.steps > 0:
		reason, conf = graph.ReasonMember, chainConfidence
	}
	return b.bind(syms, graph.Inferred, reason, conf)
}

// byMember binds a member of something that is not known: the one field or method of
// its name that the file sees.
func (b *binder) byMember(r *graph.Ref) graph.Binding {
	if b.f.Language == "cpp" && containerMember(r.Name) {
		return graph.Binding{}
	}
	var syms []sym
	all := b.closure()
	for _, id := range b.v.Definers(r.Name) {
		f := b.facts(id)
		if f == nil || id != b.id && !all.has(id) {
			continue
		}
		for i := f.NextNamed(r.Name, 0); i != graph.NoDef; i = f.NextNamed(r.Name, i+1) {
			if d := &f.Defs[i]; d.Kind == graph.KindField || d.Kind == graph.KindMethod {
				syms = append(syms, sym{f, id, i})
			}
		}
	}
	syms = b.defining(syms)
	if len(syms) == 1 {
		return b.bind(syms, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
	}
	return graph.Binding{External: len(syms) == 0 && all.outside}
}

// eval follows a path.
func (b *binder) eval(path string, h graph.Hint, r *graph.Ref) (value, bool) {
	head, rest := cutPath(path)
	if head == "" || head == "?" {
		return value{}, false
	}
	var val value
	switch {
	case strings.HasPrefix(head, "("):
		val = value{typ: strings.TrimSuffix(head[1:], ")"), by: b}
	case h.Rule == graph.HintDeclared, h.Rule == graph.HintSelf:
		val = value{typ: h.Type, by: b}
	case h.Rule == graph.HintAssigned:
		v, ok := b.again(h.Type+"()", r)
		if !ok {
			return v, false
		}
		val = v
		val.steps++
	case h.Rule == graph.HintValue:
		v, ok := b.again(h.Type, r)
		if !ok {
			return v, false
		}
		val = v
		val.steps++
	case h.Rule != graph.HintNone:
		return value{}, false
	default:
		v, ok := b.global(head, r)
		if !ok {
			return v, false
		}
		val = v
	}
	return b.follow(val, rest)
}

// again follows the path of a hint, which names no locals.
func (b *binder) again(path string, r *graph.Ref) (value, bool) {
	if b.fuel--; b.fuel < 0 {
		return value{}, false
	}
	return b.eval(path, graph.Hint{}, r)
}

// global is the value of a name that the function does not bind.
func (b *binder) global(name string, r *graph.Ref) (value, bool) {
	if b.fuel--; b.fuel < 0 {
		return value{}, false
	}
	ref := graph.Ref{Name: name, Use: graph.UseCall, Enclosing: r.Enclosing, Args: -1, Span: r.Span}
	if i := strings.LastIndex(name, "::"); i >= 0 {
		ref.Name, ref.Qualifier = name[i+2:], name[:i+2]
	}
	if i := strings.IndexByte(ref.Name, '<'); i > 0 {
		ref.Name = ref.Name[:i]
	}
	out := b.ref(&ref)
	if len(out.Targets) == 0 {
		return value{}, false
	}
	t := out.Targets[0].Symbol
	f := b.facts(t.File)
	if f == nil || t.Def == graph.NoDef {
		return value{}, false
	}
	return b.valueOf(sym{f, t.File, t.Def})
}

// valueOf is what a definition holds, or the function that it is.
func (b *binder) valueOf(s sym) (value, bool) {
	d := s.d()
	switch d.Kind {
	case graph.KindFunction, graph.KindMethod:
		return value{fn: []sym{s}, by: b.at(s)}, true
	case graph.KindVariable, graph.KindField:
		if d.Type == "" {
			return value{holds: s, by: b.at(s)}, true
		}
		c := b.at(s)
		if strings.HasSuffix(d.Type, "?") {
			return value{}, false
		}
		return value{typ: d.Type, by: c}, true
	case graph.KindStruct, graph.KindClass, graph.KindType:
		return value{typ: d.Local, by: b.at(s), fn: []sym{s}}, true
	}
	return value{}, false
}

// follow goes on from a value along the rest of a path.
func (b *binder) follow(val value, rest string) (value, bool) {
	for rest != "" {
		if b.fuel--; b.fuel < 0 || val.by == nil {
			return val, false
		}
		switch {
		case strings.HasPrefix(rest, "()"):
			rest = rest[2:]
			switch {
			case len(val.fn) > 0 && isType(val.fn[0].d().Kind):
				val.fn = nil // an object is made
			case len(val.fn) > 0:
				s := val.fn[0]
				val = value{typ: s.d().Type, by: b.at(s), steps: val.steps + 1}
				if val.typ == "" {
					return val, false
				}
			default:
				val.typ = strings.TrimSuffix(val.typ, "(*)")
			}
		case strings.HasPrefix(rest, "[]"):
			rest = rest[2:]
			if arg, ok := element(val.typ); ok {
				val.typ = arg
			}
		case rest[0] == '.':
			name, next := cutPath(rest[1:])
			rest = next
			syms := b.membersOf(val, name)
			if len(syms) == 0 {
				return val, false
			}
			steps := val.steps + 1
			v, ok := b.valueOf(syms[0])
			if !ok {
				return v, false
			}
			v.steps = steps
			val = v
		default:
			return val, false
		}
	}
	return val, true
}

// element returns the argument of a template whose elements are of it.
func element(typ string) (string, bool) {
	i := strings.IndexByte(typ, '<')
	if i < 0 || !strings.HasSuffix(typ, ">") {
		return "", false
	}
	args := splitArgs(typ[i+1 : len(typ)-1])
	if len(args) == 0 {
		return "", false
	}
	name := typ[:i]
	if strings.HasSuffix(name, "map") && len(args) > 1 {
		return args[1], true
	}
	return args[0], true
}

// splitArgs splits template arguments at commas outside brackets.
func splitArgs(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimRight(s[from:i], "*& "))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimRight(s[from:], "*& "))
}

// cutPath splits a path behind its first element. A type in parentheses is one.
func cutPath(path string) (head, rest string) {
	depth := 0
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '(' && i == 0, c == '<':
			depth++
		case c == ')' && path[0] == '(' || c == '>':
			if depth--; depth <= 0 && c == ')' {
				return path[:i+1], path[i+1:]
			}
		case depth > 0:
			if c == '(' {
				depth++
			}
		case c == '.' || c == '(' || c == '[':
			return path[:i], path[i:]
		}
	}
	return path, ""
}

// maxBases bounds how far members are looked for along bases and typedefs.
const maxBases = 12

// membersOf finds the members of a name.
func (b *binder) membersOf(val value, name string) []sym {
	syms, _ := b.declaredMembers(val, name)
	return b.defining(syms)
}

// declaredMembers is membersOf, with methods as their classes declare them. external says
// that the type is known and not of the tree.
func (b *binder) declaredMembers(val value, name string) (syms []sym, external bool) {
	if val.by == nil {
		return nil, false
	}
	if val.holds.f != nil {
		return memberIn(val.holds, name), false
	}
	if len(val.fn) > 0 && !isType(val.fn[0].d().Kind) {
		return nil, false
	}
	types, ext := val.by.types(val.typ)
	if len(types) == 0 {
		if arg, ok := element(val.typ); ok { // a smart pointer
			return b.declaredMembers(value{typ: arg, by: val.by}, name)
		}
		return nil, ext
	}
	for _, t := range types {
		if got := b.memberOf(t, name, 0); len(got) > 0 {
			return got, false
		}
	}
	return nil, false
}

// memberIn finds the members that a definition contains.
func memberIn(t sym, name string) (out []sym) {
	for i := t.f.NextNamed(name, 0); i != graph.NoDef; i = t.f.NextNamed(name, i+1) {
		if d := &t.f.Defs[i]; d.Container == t.def && d.Kind != graph.KindMacro {
			out = append(out, sym{t.f, t.id, i})
		}
	}
	return out
}

// memberOf finds a member of a type, through typedefs and bases.
func (b *binder) memberOf(t sym, name string, depth int) []sym {
	if b.fuel--; b.fuel < 0 || depth > maxBases {
		return nil
	}
	if got := append(memberIn(t, name), b.takenIn(t, name, depth)...); len(got) > 0 {
		return got
	}
	d := t.d()
	c := b.at(t)
	if d.Kind == graph.KindType {
		types, _ := c.types(d.Type)
		for _, u := range types {
			if u.symbol() == t.symbol() {
				continue
			}
			if got := b.memberOf(u, name, depth+1); len(got) > 0 {
				return got
			}
		}
		return nil
	}
	for i := range t.f.Heritage {
		h := &t.f.Heritage[i]
		if h.Def != t.def {
			continue
		}
		base := h.Name
		if h.Qualifier != "" {
			base = h.Qualifier + "::" + h.Name
		}
		types, _ := c.types(base)
		for _, u := range types {
			if got := b.memberOf(u, name, depth+1); len(got) > 0 {
				return got
			}
		}
	}
	return nil
}

// defining puts the definitions of methods in the place of their declarations in
// classes.
func (b *binder) defining(syms []sym) []sym {
	var out []sym
	for _, s := range syms {
		d := s.d()
		if !d.Has(graph.FlagDeclaration) || d.Kind != graph.KindMethod && d.Kind != graph.KindField {
			out = append(out, s)
			continue
		}
		owner := ""
		if d.Container != graph.NoDef {
			owner = s.f.Defs[d.Container].Local
		}
		var found []sym
		for _, id := range b.v.Definers(d.Name) {
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := f.NextNamed(d.Name, 0); i != graph.NoDef; i = f.NextNamed(d.Name, i+1) {
				e := &f.Defs[i]
				if e.Owner == "" || e.Has(graph.FlagDeclaration) || !sameOwner(e.Local, owner, d.Name) {
					continue
				}
				if p, q, ok := arities(d.Signature, e.Signature); ok && p != q {
					continue
				}
				found = append(found, sym{f, id, i})
			}
		}
		if found = taking(found, d); len(found) == 0 {
			found = []sym{s}
		}
		out = append(out, found...)
	}
	return distinct(out)
}

// taking keeps the definitions that have the parameters of a declaration, where one has
// them as they are written there; a type may be written in another way.
func taking(found []sym, d *graph.Def) []sym {
	if len(found) < 2 {
		return found
	}
	params, constant := parameterTypes(d.Signature), constMethod(d.Signature)
	var alike, exact []sym
	for _, s := range found {
		if d.Kind == graph.KindMethod && constMethod(s.d().Signature) != constant {
			continue
		}
		alike = append(alike, s)
		if alikeTexts(parameterTypes(s.d().Signature), params) {
			exact = append(exact, s)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(alike) > 0:
		return alike
	}
	return found
}

// sameOwner reports whether a qualified name is of a member of an owner. One of the two
// may be written without a namespace around.
func sameOwner(local, owner, name string) bool {
	scope := strings.TrimSuffix(strings.TrimSuffix(local, name), "::")
	scope = strings.ReplaceAll(scope, "(anonymous)::", "")
	owner = strings.ReplaceAll(owner, "(anonymous)::", "")
	return scope == owner || strings.HasSuffix(owner, "::"+scope) || strings.HasSuffix(scope, "::"+owner)
}

func distinct(syms []sym) []sym {
	seen := map[graph.Symbol]bool{}
	out := syms[:0]
	for _, s := range syms {
		if !seen[s.symbol()] {
			seen[s.symbol()] = true
			out = append(out, s)
		}
	}
	return out
}
