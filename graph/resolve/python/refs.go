package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Limits of the rule that looks for a member by its name alone.
const (
	maxCandidates = 8  // more say nothing
	maxDefiners   = 48 // files read in search of them
	confUnique    = 0.35
	confRebound   = 0.5 // a name that the file also gives other values
	confOpen      = 0.5 // what a receiver is that may be something else
	confStar      = 0.8 // what a star import from outside may have given anew
	confShared    = 0.7 // what several candidates share: one of them is meant, or none
	confHeld      = 0.9 // a variable that is called, found by a rule: it may hold something else by then
	confChoice    = 0.5 // one of at least two that a call runs
	maxQualifier  = 159 // a longer one may have been cut
)

// Ref implements graph.Resolver.
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := newRun(v)
	ref := &f.Refs[i]
	e := env{f: f, id: id, at: ref.Enclosing}
	switch ref.Use {
	case graph.UseCall, graph.UseChoice, graph.UseDecorator, graph.UseRead, graph.UseDynamic:
		e.pos = ref.Span.Start
	default: // what these name may stand in another scope, or further down
	}
	if at := ref.Enclosing; at != graph.NoDef && ref.Span.Start < f.Defs[at].NameSpan.Start {
		e.at, e.pos = f.Defs[at].Container, ref.Span.Start // in a decorator
	}
	switch {
	case ref.Hint.Rule == graph.HintFlow:
		return r.flowed(e, ref)
	case ref.Use == graph.UseFixture:
		return bind(r.fixture(e, ref.Name))
	case ref.Use == graph.UseExport:
		return bind(r.moduleMember(r.moduleOf(id), ref.Name, graph.ReasonScope))
	case ref.Qualifier == "" && ref.Use != graph.UseDynamic:
		return r.calling(r.bare(e, ref), ref)
	}
	receivers := r.qualifier(e, ref)
	b, known := r.memberRef(receivers, ref.Name)
	if ref.Use.Calls() && len(b.Targets) == 1 && len(receivers) > 0 {
		b = r.replaced(e, ref, receivers[0], b)
	}
	if !b.Resolved() && !b.External && !known {
		b = bind(r.byName(e, ref))
	}
	b.Dynamic = b.Dynamic || ref.Use == graph.UseDynamic
	return r.calling(b, ref)
}

// calling says of a call that what it reaches holds what is run, and is not itself
// that; and lets what is one of several that a call runs share the confidence.
func (r *run) calling(b graph.Binding, ref *graph.Ref) graph.Binding {
	for i, t := range b.Targets {
		if !ref.Use.Calls() || t.Symbol.Def == graph.NoDef {
			continue
		}
		switch f := r.facts(t.Symbol.File); f.Defs[t.Symbol.Def].Kind {
		case graph.KindVariable, graph.KindConstant, graph.KindField, graph.KindProperty:
			if b.Dynamic = true; b.Provenance != graph.Extracted {
				b.Targets[i].Confidence = min(t.Confidence, confHeld)
			}
		default:
		}
	}
	if ref.Use == graph.UseChoice && b.Resolved() {
		b.Provenance, b.Reason = graph.Ambiguous, graph.ReasonCandidates
		for i := range b.Targets {
			b.Targets[i].Confidence = min(b.Targets[i].Confidence, confChoice)
		}
	}
	return b
}

// memberRef binds a member of what stands before the dot. known says that it is a
// module, which has what it has: a member of some class is not meant.
func (r *run) memberRef(receivers []value, name string) (b graph.Binding, known bool) {
	var all []found
	var through graph.Symbol
	known = len(receivers) > 0
	open := false
	for _, v := range receivers {
		if v.kind == valueUnknown {
			open = true
			continue
		}
		got := r.attribute(v, name)
		known = known && v.kind == valueModule
		if len(all) == 0 && len(got) == 1 && r.replaceable(v, got[0]) {
			through = v.sym
		}
		all = append(all, got...)
	}
	if b = bind(all); len(b.Targets) == 1 {
		b.Through = through
	}
	if open && b.Resolved() {
		b.Dynamic = true
		if b.Provenance == graph.Extracted {
			b.Provenance = graph.Inferred
		}
		for i := range b.Targets {
			b.Targets[i].Confidence = min(b.Targets[i].Confidence, confOpen/float32(len(b.Targets)))
		}
	}
	return b, known && !open
}

// replaceable reports whether a class that derives from that of v may have another
// definition in place of the method x: not where v is of one class and no other, and
// not for a name that the language mangles.
func (r *run) replaceable(v value, x found) bool {
	if v.exact || x.external || x.sym.Def == graph.NoDef || v.kind != valueInstance && v.kind != valueClass {
		return false
	}
	f := r.facts(x.sym.File)
	return f != nil && isMethod(f, x.sym.Def) && !mangled(f.Defs[x.sym.Def].Name)
}

// isMethod reports whether a definition is a method or property of a class.
func isMethod(f *graph.Facts, def int32) bool {
	d := &f.Defs[def]
	return d.Container != graph.NoDef && isClass(&f.Defs[d.Container]) && (d.Kind == graph.KindMethod || d.Kind == graph.KindProperty)
}

func mangled(name string) bool {
	return strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__")
}

// bare binds a reference without qualifier.
func (r *run) bare(e env, ref *graph.Ref) graph.Binding {
	outer := ref.Use == graph.UseDecorator || ref.Use == graph.UseType
	b := bind(r.name(e, ref.Name, outer))
	if !b.Resolved() && !b.External && r.starFromOutside(e.f) {
		b.External, b.Reason = true, graph.ReasonStar
	}
	if b.Provenance == graph.Extracted && ref.Hint.Rule == graph.HintRebound && len(b.Targets) == 1 && r.fixed(b.Targets[0].Symbol) {
		b.Provenance, b.Dynamic = graph.Inferred, true
		b.Targets[0].Confidence = confRebound
	}
	return b
}

// fixed reports whether a definition is more than a variable, which holds
// whatever it is given.
func (r *run) fixed(s graph.Symbol) bool {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return true
	}
	k := f.Defs[s.Def].Kind
	return k != graph.KindVariable && k != graph.KindConstant
}

// qualifier evaluates what stands before the dot, with the extractor's hint about
// its first name.
func (r *run) qualifier(e env, ref *graph.Ref) []value {
	h := ref.Hint
	if h.Rule == graph.HintGiven {
		h = graph.Hint{}
	}
	if h.Rule == graph.HintLocal || len(ref.Qualifier) >= maxQualifier {
		return nil
	}
	c, ok := parseChain(ref.Qualifier)
	if !ok {
		// The hint is about all of it.
		if h.Rule != graph.HintNone {
			return r.hinted(e, h)
		}
		return nil
	}
	var root []value
	if h.Rule == graph.HintNone {
		root = named(r.values(r.name(e, c.root, ref.Use == graph.UseDecorator || ref.Use == graph.UseType)), c.root)
		if len(root) == 0 && c.root == "self" {
			root = r.root(e, c.root) // in a text with syntax errors
		}
	} else {
		root = r.hinted(e, h)
	}
	return r.follow(root, c.steps)
}

// hinted evaluates a hint.
func (r *run) hinted(e env, h graph.Hint) []value {
	switch h.Rule {
	case graph.HintLiteral:
		return []value{{kind: valueExternal, name: h.Type, conf: 1, reason: graph.ReasonConstructed}}
	case graph.HintDeclared:
		return r.annotation(e, h.Type, false)
	case graph.HintElement:
		var out []value
		for _, v := range r.annotation(e, h.Type, false) {
			out = append(out, r.index(v, "*")...)
		}
		return out
	case graph.HintAssigned:
		return weaken(r.eval(e, h.Type+"()"), 1, graph.ReasonConstructed)
	case graph.HintValue:
		if strings.Contains(h.Type, " | ") {
			return weaken(r.alternatives(e, h.Type), confAssigned, graph.ReasonConstructed)
		}
		return weaken(r.eval(e, h.Type), confAssigned, graph.ReasonConstructed)
	case graph.HintSelf, graph.HintClass, graph.HintSuper:
		class, ok := r.classByLocal(e, h.Type)
		if !ok {
			return nil
		}
		v := value{kind: valueInstance, sym: class, conf: 1, reason: graph.ReasonSelf}
		switch h.Rule {
		case graph.HintClass:
			v.kind = valueClass
		case graph.HintSuper:
			v.kind, v.recv, v.bound, v.in = valueSuper, class, true, e
		default:
		}
		return []value{v}
	default:
	}
	return nil
}

// classByLocal finds the class around e that a self hint names.
func (r *run) classByLocal(e env, local string) (graph.Symbol, bool) {
	for at := e.at; at != graph.NoDef; at = e.f.Defs[at].Container {
		if d := &e.f.Defs[at]; isClass(d) && d.Local == local {
			return graph.Symbol{File: e.id, Def: at}, true
		}
	}
	for i := range e.f.Defs {
		if d := &e.f.Defs[i]; d.Local == local && isClass(d) {
			return graph.Symbol{File: e.id, Def: int32(i)}, true
		}
	}
	return graph.Symbol{}, false
}

// byName lists the members of that name, where the receiver is not known. A name
// that built-in types have too says nothing.
func (r *run) byName(e env, ref *graph.Ref) []found {
	if len(ref.Name) < 3 || strings.HasPrefix(ref.Name, "__") || isBuiltinMember(ref.Name) {
		return nil
	}
	definers := r.v.Definers(ref.Name)
	if len(definers) > maxDefiners {
		return nil
	}
	inTest := e.f.Role == graph.RoleTest
	// Definitions of tests and of folders that are hidden count only where there
	// is nothing else: a test's helper is seldom what others call, and a hidden
	// folder holds copies.
	var near, far []found
	for _, id := range definers {
		f := r.facts(id)
		if f == nil || f.Language != "python" {
			continue
		}
		for i := range f.Defs {
			d := &f.Defs[i]
			if d.Name != ref.Name || !memberFits(f, d, ref.Use) {
				continue
			}
			x := found{sym: graph.Symbol{File: id, Def: int32(i)}, conf: confUnique, reason: graph.ReasonUnique}
			if id != e.id && (f.Role == graph.RoleTest || hidden(f.Path) && !hidden(e.f.Path)) {
				far = append(far, x)
			} else {
				near = append(near, x)
			}
		}
	}
	if len(near) == 0 && inTest {
		near = far
	}
	if len(near) > 1 {
		return r.overridden(near)
	}
	return near
}

// overridden returns the member among several that all others override, or nothing: a
// name that unrelated classes have says nothing of which is meant.
func (r *run) overridden(members []found) []found {
	if len(members) > maxCandidates {
		return nil
	}
	classOf := func(x found) graph.Symbol {
		return graph.Symbol{File: x.sym.File, Def: r.facts(x.sym.File).Defs[x.sym.Def].Container}
	}
	for i, m := range members {
		base, all := classOf(m), true
		for j, o := range members {
			if all = i == j || r.derives(classOf(o), base); !all {
				break
			}
		}
		if all {
			m.open = true
			return []found{m}
		}
	}
	return nil
}

// derives reports whether base is among the ancestors of a class.
func (r *run) derives(class, base graph.Symbol) bool {
	order, _ := r.order(class)
	return class != base && slices.Contains(order, base)
}

func hidden(p graph.Path) bool {
	return strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.")
}

// memberFits reports whether a definition can be a member that is used so.
func memberFits(f *graph.Facts, d *graph.Def, use graph.Use) bool {
	if d.Container == graph.NoDef || !isClass(&f.Defs[d.Container]) {
		return false
	}
	switch d.Kind {
	case graph.KindMethod:
		return true
	case graph.KindProperty, graph.KindField, graph.KindConstant:
		return use != graph.UseCall && use != graph.UseChoice
	default:
	}
	return false
}

// fixture finds the function that provides a fixture to a test: in its class, its
// file, the conftest.py files upwards, or the only one of the name.
func (r *run) fixture(e env, name string) []found {
	provides := func(id graph.FileID) []found {
		f := r.facts(id)
		if f == nil {
			return nil
		}
		for i := len(f.Defs) - 1; i >= 0; i-- {
			d := &f.Defs[i]
			if d.Name == name && d.Has(graph.FlagFixture) && (id != e.id || int32(i) != e.at) {
				return []found{{sym: graph.Symbol{File: id, Def: int32(i)}, conf: 1, reason: graph.ReasonFixture}}
			}
		}
		return nil
	}
	if all := provides(e.id); all != nil {
		return all
	}
	for dir := e.f.Path.Dir(); ; dir = dir.Dir() {
		if p, ok := dir.Join("conftest.py"); ok {
			if id, ok := r.v.Lookup(p); ok && id != e.id {
				if all := provides(id); all != nil {
					return all
				}
			}
		}
		if dir == "" {
			break
		}
	}
	var all []found
	for _, id := range r.v.Definers(name) {
		all = append(all, provides(id)...)
	}
	if len(all) == 1 {
		all[0].conf = confUnique
		return all
	}
	return nil
}
