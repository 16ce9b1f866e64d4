package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// inClass binds a name without a qualifier in a method: a member of the class or of one
// of its bases, where it has one of the name.
func (b *binder) inClass(r *graph.Ref) graph.Binding {
	for at := r.Enclosing; at != graph.NoDef; at = b.f.Defs[at].Container {
		for _, t := range b.classesAt(at) {
			got := b.memberOf(t, r.Name, 0)
			if len(got) == 0 {
				got = b.nested(t, r.Name)
			}
			if len(got) == 0 {
				continue
			}
			if r.Use == graph.UseCall && t.d().Name == r.Name { // a constructor goes by its class
				return b.bind([]sym{t}, graph.Extracted, graph.ReasonSelf, linkConfidence)
			}
			if r.Use == graph.UseType && !isType(got[0].d().Kind) {
				continue
			}
			return b.bind(b.defining(b.choose(r, got)), graph.Extracted, graph.ReasonSelf, linkConfidence)
		}
	}
	return graph.Binding{}
}

// scoped binds "a::b".
func (b *binder) scoped(r *graph.Ref) graph.Binding {
	scope := strings.TrimPrefix(strings.TrimSuffix(r.Qualifier, "::"), "::")
	if scope == "" { // ::b
		own := *r
		own.Qualifier, own.Enclosing = "", graph.NoDef
		return b.bare(&own)
	}
	if r.Hint.Rule != graph.HintNone {
		return graph.Binding{}
	}
	own, seen, far := b.definitions(r.Name, func(d *graph.Def) bool {
		return d.Kind != graph.KindMacro && (inScope(d, scope, r.Name) || b.inlineScope(d, scope, r.Name))
	})
	if r.Use == graph.UseCall && b.f.Language == "cpp" && functions(own) && functions(seen) {
		own, seen = append(own, seen...), nil
	}
	for k, list := range [...][]sym{own, seen, far} {
		if len(list) == 0 {
			continue
		}
		list = b.linked(b.choose(r, list), r.Name, scope)
		switch {
		case k == 2:
			return b.bind(list, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
		case len(list) == 1:
			return b.bind(list, graph.Extracted, graph.ReasonModule, linkConfidence)
		}
		return b.bind(list, graph.Inferred, graph.ReasonModule, nearConfidence)
	}
	if out := b.takenBy(r, scope); out.Resolved() {
		return out
	}
	return b.inherited(r, scope)
}

// functions reports whether all of some definitions can be called, and there are any.
func functions(syms []sym) bool {
	for _, s := range syms {
		if k := s.d().Kind; k != graph.KindFunction && k != graph.KindMethod {
			return false
		}
	}
	return len(syms) > 0
}

// inlineScope allows for namespaces that a name may leave out: inline ones, and those
// without a name.
func (b *binder) inlineScope(d *graph.Def, scope, name string) bool {
	if !strings.Contains(d.Local, "(anonymous)::") {
		return false
	}
	local := strings.ReplaceAll(d.Local, "(anonymous)::", "")
	return local == scope+"::"+name || strings.HasSuffix(local, "::"+scope+"::"+name)
}

// linked puts definitions in the place of declarations, where there are any.
func (b *binder) linked(syms []sym, name, scope string) []sym {
	var out []sym
	for _, s := range syms {
		d := s.d()
		if !d.Has(graph.FlagDeclaration) {
			out = append(out, s)
			continue
		}
		if d.Kind == graph.KindMethod {
			out = append(out, b.defining([]sym{s})...)
			continue
		}
		var found []sym
		for _, id := range b.v.Definers(name) {
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
				if e := &f.Defs[i]; !e.Has(graph.FlagDeclaration) && e.Kind == d.Kind && inScope(e, scope, name) {
					found = append(found, sym{f, id, i})
				}
			}
		}
		if found = taking(found, d); len(found) == 0 {
			found = []sym{s}
		}
		out = append(out, found...)
	}
	return distinct(out)
}

// inherited binds a name that is qualified by a class, where a base of the class, or a
// typedef's type, has it.
func (b *binder) inherited(r *graph.Ref, scope string) graph.Binding {
	types, ext := b.types(scope)
	for _, t := range types {
		if got := b.memberOf(t, r.Name, 0); len(got) > 0 {
			return b.bind(b.defining(b.choose(r, got)), graph.Inferred, graph.ReasonInherited, memberConfidence)
		}
	}
	first, _, _ := strings.Cut(scope, "::")
	return graph.Binding{External: first == "std" || len(types) == 0 && (ext || b.closure().outside)}
}

// scopeFilter keeps the definitions that a name without qualifier may mean at a place:
// those of the scopes around it, of namespaces that the file uses, and of none.
func scopeFilter(b *binder, r *graph.Ref, syms []sym) []sym {
	syms = bodies(syms)
	if b.f.Language != "cpp" || len(syms) == 0 {
		return syms
	}
	around := ""
	if r.Enclosing != graph.NoDef {
		d := &b.f.Defs[r.Enclosing]
		around = strings.TrimSuffix(strings.TrimSuffix(d.Local, d.Name), "::")
	}
	best, out := -1, []sym(nil)
	for _, s := range syms {
		d := s.d()
		scope := strings.TrimSuffix(strings.TrimSuffix(d.Local, d.Name), "::")
		scope = strings.TrimSuffix(strings.ReplaceAll(scope+"::", "(anonymous)::", ""), "::")
		rank := 0
		switch plain := strings.TrimSuffix(strings.ReplaceAll(around+"::", "(anonymous)::", ""), "::"); {
		case scope == "":
			rank = 1
		case plain == scope || strings.HasPrefix(plain, scope+"::"):
			rank = 2 + strings.Count(scope, "::")
		case b.uses(scope, r.Name):
			rank = 1
		}
		if rank > best {
			best, out = rank, nil
		}
		if rank == best {
			out = append(out, s)
		}
	}
	if best == 0 && r.Use != graph.UseCall {
		return nil // a call may find a function by the types of its arguments
	}
	return out
}

// uses reports whether the file takes a name, or all names, of a namespace.
func (b *binder) uses(scope, name string) bool {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if !isInclude(im) && (im.Name == "*" || im.Name == name) && (im.Module == scope || strings.HasSuffix(scope, "::"+im.Module)) {
			return true
		}
	}
	return false
}

// bodies drops a typedef beside the struct that it names.
func bodies(syms []sym) []sym {
	if len(syms) < 2 {
		return syms
	}
	named := false
	for _, s := range syms {
		named = named || s.d().Kind == graph.KindStruct || s.d().Kind == graph.KindEnum || s.d().Kind == graph.KindClass
	}
	if !named {
		return syms
	}
	out := syms[:0]
	for _, s := range syms {
		if d := s.d(); d.Kind != graph.KindType || !strings.HasSuffix(d.Type, " "+d.Name) && d.Type != d.Name {
			out = append(out, s)
		}
	}
	return out
}

// arity keeps, of several definitions, those that take as many arguments as a call has.
func (b *binder) arity(r *graph.Ref, syms []sym) []sym {
	if len(syms) < 2 || r.Args < 0 || b.f.Language != "cpp" {
		return syms
	}
	var out []sym
	for _, s := range syms {
		least, most, ok := paramCount(s.d().Signature)
		if !ok || int(r.Args) >= least && (most < 0 || int(r.Args) <= most) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return syms
	}
	return out
}

// arities counts the parameters of two signatures.
func arities(a, c string) (p, q int, ok bool) {
	_, p, okA := paramCount(a)
	_, q, okC := paramCount(c)
	return p, q, okA && okC
}

// paramCount counts the parameters of a signature: the least and the most arguments that
// it takes, -1 for any number.
func paramCount(sig string) (least, most int, ok bool) {
	open := -1
	depth := 0
	for i := 0; i < len(sig); i++ {
		switch sig[i] {
		case '<':
			depth++
		case '>':
			depth = max(0, depth-1)
		case '(':
			if depth == 0 {
				open = i
			}
		}
		if open >= 0 {
			break
		}
	}
	if open < 0 || strings.Contains(sig[:open], "operator") {
		return 0, 0, false
	}
	depth, some, optional, variadic := 0, false, 0, false
	start, angle := open+1, 0
	end := func(i int) {
		part := strings.TrimSpace(sig[start:i])
		if part == "" || part == "void" {
			return
		}
		some = true
		most++
		if strings.Contains(part, "...") {
			variadic = true
		}
		if strings.Contains(part, "=") {
			optional++
		}
	}
	for i := open; i < len(sig); i++ {
		switch sig[i] {
		case '(', '[', '{':
			depth++
		case '<':
			angle++
		case '>':
			angle = max(0, angle-1)
		case ')', ']', '}':
			if depth--; depth == 0 {
				end(i)
				_ = some
				least = most - optional
				if variadic {
					return least - 1, -1, true
				}
				return least, most, true
			}
		case ',':
			if depth == 1 && angle == 0 {
				end(i)
				start = i + 1
			}
		}
	}
	return 0, 0, false
}
