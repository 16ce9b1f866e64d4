package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// via is a definition whose callers may, at run time, reach another one.
type via struct {
	sym    graph.Symbol
	conf   float32
	reason reason
}

// inOf returns the edges that end at one symbol.
func (r *reader) inOf(s graph.Symbol) []edge {
	es := r.boundOf(s)
	if f := r.facts(s.File); f != nil && s.Def != graph.NoDef && int(s.Def) < len(f.Defs) {
		es = r.constructed(es, s, f)
		es = r.dispatched(es, s, f)
	}
	return dedupe(es)
}

// boundOf returns those that are the same seen from their source.
func (r *reader) boundOf(s graph.Symbol) []edge {
	var es []edge
	f := r.facts(s.File)
	for _, n := range r.names(r.v, s) {
		if r.ended {
			break
		}
		t := r.tableFor(n, s)
		for _, h := range t.byTarget[s] {
			es = r.appendTested(es, t.edge(h, s))
		}
	}
	if f == nil || s.Def == graph.NoDef || int(s.Def) >= len(f.Defs) {
		return dedupe(es)
	}
	d := &f.Defs[s.Def]
	if d.Flags&graph.FlagLocal == 0 {
		es = append(es, defined(f, s))
	}
	if d.Container != graph.NoDef {
		es = append(es, contains(graph.Symbol{File: s.File, Def: canonical(f, d.Container)}, s, f))
	} else if t, ok := r.typeOf(r.v, s); ok {
		es = append(es, contains(t, s, f))
	}
	return dedupe(es)
}

func (r *reader) appendTested(es []edge, e edge) []edge {
	es = append(es, e)
	if tested, ok := r.testEdge(e); ok {
		es = append(es, tested)
	}
	return es
}

// constructed adds, for a class, the calls that were bound to its constructor, and
// for a constructor the calls of its class: both are one to those who call them.
func (r *reader) constructed(es []edge, s graph.Symbol, f *graph.Facts) []edge {
	other := constructorOf(f, s.Def)
	if other == graph.NoDef {
		if c := f.Defs[s.Def].Container; c != graph.NoDef && isType(f.Defs[c].Kind) && isConstructor(f, s.Def) {
			other = c
		}
	}
	if other == graph.NoDef {
		return es
	}
	o := graph.Symbol{File: s.File, Def: other}
	for _, n := range r.names(r.v, o) {
		if r.ended {
			break
		}
		t := r.tableFor(n, o)
		for _, h := range t.byTarget[o] {
			if e := t.edge(h, s); e.rel == relCalls && e.flags&siteConstruct != 0 {
				es = r.appendTested(es, e)
			}
		}
	}
	return es
}

// dispatched adds the calls of the interface and base methods behind which s may
// stand.
func (r *reader) dispatched(es []edge, s graph.Symbol, f *graph.Facts) []edge {
	d := &f.Defs[s.Def]
	if d.Kind != graph.KindMethod && d.Kind != graph.KindProperty && d.Owner == "" && !r.mayBeGiven(s, f) || r.ended {
		return es
	}
	type spot struct {
		src       graph.Symbol
		at        graph.FileID
		line, col uint32
		rel       rel
	}
	var holder graph.Symbol // found when it is needed
	best := make(map[spot]edge)
	for _, v := range r.vias(s) {
		t := r.tableFor(r.facts(v.sym.File).Defs[v.sym.Def].Name, v.sym)
		for _, h := range t.byTarget[v.sym] {
			e := t.edge(h, s)
			if e.through.File != 0 && holder.File == 0 {
				holder, _ = r.typeOf(r.v, s)
			}
			if !r.reaches(&e, d, holder) {
				continue
			}
			e.via = v.sym
			e.conf *= v.conf
			if e.through.File != 0 {
				e.conf *= confReplaced
			}
			e.prov = max(e.prov, provInferred)
			e.reason = v.reason
			k := spot{e.src, e.at, e.line, e.col, e.rel}
			if was, dup := best[k]; !dup || was.conf < e.conf || was.conf == e.conf && comparePlaces(r.v, e.via, was.via) < 0 {
				best[k] = e
			}
		}
	}
	for _, e := range best {
		es = r.appendTested(es, e) // whoever asks sorts them
	}
	return es
}

// Bounds of the search for what stands above a method. What lies beyond is not
// silent: the planner says that dynamic dispatch is possible.
const (
	maxInterfaces = 128
	maxBaseDepth  = 8
	maxBases      = 64
)

// vias lists the methods whose callers may reach s at run time: those that it
// overrides, and the interface methods that it satisfies.
func (r *reader) vias(s graph.Symbol) []via {
	if f := r.facts(s.File); r.mayBeGiven(s, f) {
		return r.givenTo(s)
	}
	count := func(vs []via) int { return len(vs) }
	vs := remember(r, cellKey{kind: cellBases, sym: s}, count, func(v graph.View) ([]via, bool) {
		vs := r.baseMethods(v, s)
		return vs, !r.ended
	})
	f := r.facts(s.File)
	res := r.resolver(f)
	if res == nil || r.ended {
		return vs
	}
	vs = slices.Clip(vs)
	has := r.methodNames(s)
	name := f.Defs[s.Def].Name
	for _, m := range r.interfaceMethods(name, s) {
		// Asking whom an interface's method reaches is dear: first see whether it is
		// called at all, and whether the type has the other methods too.
		if m == s || len(r.tableFor(name, m).byTarget[m]) == 0 || slices.ContainsFunc(vs, func(o via) bool { return o.sym == m }) {
			continue
		}
		if !r.check() {
			break
		}
		g := r.facts(m.File)
		if r.resolver(g) != res || !satisfies(has, g, g.Defs[m.Def].Container) {
			continue
		}
		for _, c := range r.dispatch(m).Targets {
			if c.Symbol == s {
				vs = append(vs, via{m, c.Confidence, reasonOf(graph.ReasonImplements)})
			}
		}
	}
	return vs
}

// mayBeGiven reports whether a symbol is a function that a field may hold.
func (r *reader) mayBeGiven(s graph.Symbol, f *graph.Facts) bool {
	if f == nil || s.Def == graph.NoDef || f.Defs[s.Def].Kind != graph.KindFunction {
		return false
	}
	_, ok := r.resolver(f).(graph.Giver)
	return ok
}

// givenTo lists the fields that hold a function: who calls one of them may run it.
func (r *reader) givenTo(s graph.Symbol) []via {
	count := func(vs []via) int { return len(vs) }
	return remember(r, cellKey{kind: cellBases, sym: s}, count, func(v graph.View) ([]via, bool) {
		giver, _ := r.resolver(r.facts(s.File)).(graph.Giver)
		b := r.ask(func() graph.Binding { return giver.Given(v, s) })
		var vs []via
		for _, c := range b.Targets {
			vs = append(vs, via{c.Symbol, c.Confidence, reasonOf(b.Reason)})
		}
		return vs, !r.ended
	})
}

// methodNames lists the names of the members of the type that holds s and of those
// that it builds on; nil where some may come from what is not known.
func (r *reader) methodNames(s graph.Symbol) map[string]bool {
	t, ok := r.typeOf(r.v, s)
	if !ok {
		return nil
	}
	k := cellKey{kind: cellMembers, sym: t}
	return remember(r, k, func(n map[string]bool) int { return 1 + len(n)/4 }, func(v graph.View) (map[string]bool, bool) {
		names := make(map[string]bool)
		if !r.collectNames(v, []graph.Symbol{t}, names) {
			names = nil
		}
		return names, !r.ended
	})
}

// collectNames adds the names of the members of types, and of all that these build on.
// It reports false where it does not know them all.
func (r *reader) collectNames(v graph.View, types []graph.Symbol, names map[string]bool) bool {
	for at := 0; at < len(types); at++ {
		t := types[at]
		f := r.facts(t.File)
		res := r.resolver(f)
		if res == nil || at > maxBases || !r.alive() {
			return false
		}
		r.members(v, t, func(m graph.Symbol, g *graph.Facts) bool {
			if n := g.Defs[m.Def].Name; !names[n] {
				names[strings.Clone(n)] = true // facts share one text
			}
			return r.alive()
		})
		for i := range f.Heritage {
			if f.Heritage[i].Def != t.Def {
				continue
			}
			if f.Heritage[i].Rel != graph.RelEmbeds || f.Package == "" {
				return false // who declares what it satisfies need not list it all, nor who is made by a call
			}
			b := r.ask(func() graph.Binding { return res.Base(v, f, t.File, i) })
			targets, _ := r.targets(&b)
			if len(targets) == 0 {
				return false
			}
			for _, c := range targets {
				g := r.facts(c.Symbol.File)
				if g == nil || c.Symbol.Def == graph.NoDef || g.Defs[c.Symbol.Def].Kind == graph.KindType {
					return false // another type stands behind it
				}
				if !slices.Contains(types, c.Symbol) {
					types = append(types, c.Symbol)
				}
			}
		}
	}
	return true
}

// satisfies reports whether every method that the interface itself lists is among
// the names; nil is unknown.
func satisfies(names map[string]bool, f *graph.Facts, iface int32) bool {
	if names == nil {
		return true
	}
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Container == iface && d.Kind == graph.KindMethod && !names[d.Name] {
			return false
		}
	}
	return true
}

// baseMethods finds the methods that s overrides along the declared bases.
func (r *reader) baseMethods(v graph.View, s graph.Symbol) []via {
	t, ok := r.typeOf(v, s)
	if !ok {
		return nil
	}
	name := r.facts(s.File).Defs[s.Def].Name
	overloads, _ := r.resolver(r.facts(s.File)).(graph.Overrider)
	var vs []via
	r.above(v, t, func(base via) bool {
		r.members(v, base.sym, func(m graph.Symbol, g *graph.Facts) bool {
			if g.Defs[m.Def].Name == name && (overloads == nil || overloads.Overrides(v, s, m)) {
				vs = append(vs, via{m, base.conf, base.reason})
			}
			return r.alive()
		})
		return len(vs) < maxBases
	})
	return vs
}

func (r *reader) bases(v graph.View, t graph.Symbol) []via {
	f := r.facts(t.File)
	res := r.resolver(f)
	if res == nil {
		return nil
	}
	var out []via
	for i := range f.Heritage {
		if f.Heritage[i].Def != t.Def {
			continue
		}
		why := reasonOf(graph.ReasonOverride)
		if f.Heritage[i].Rel == graph.RelImplements {
			why = reasonOf(graph.ReasonImplements)
		}
		b := r.ask(func() graph.Binding { return res.Base(v, f, t.File, i) })
		targets, _ := r.targets(&b)
		for _, c := range targets {
			if c.Symbol.Def != graph.NoDef {
				out = append(out, via{c.Symbol, c.Confidence, why})
			}
		}
	}
	return out
}

// interfaceMethods lists methods of interfaces that have the name of s and may be what
// it is called through, in order: those that something is bound to.
func (r *reader) interfaceMethods(name string, s graph.Symbol) []graph.Symbol {
	some, ok := r.seenBy(s, r.v.Definers(name))
	if !ok {
		return r.table(name).abstract
	}
	var out []graph.Symbol
	for _, id := range some {
		g := r.facts(id)
		if g == nil || !r.alive() {
			continue
		}
		for i := g.NextNamed(name, 0); i != graph.NoDef; i = g.NextNamed(name, i+1) {
			if m := (graph.Symbol{File: id, Def: i}); r.isAbstract(m) {
				out = append(out, m)
			}
		}
	}
	return out[:min(len(out), maxInterfaces)]
}

// isAbstract reports whether a symbol is a method of an interface.
func (r *reader) isAbstract(s graph.Symbol) bool {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return false
	}
	c := f.Defs[s.Def].Container
	return c != graph.NoDef && f.Defs[c].Kind == graph.KindInterface && canonical(f, s.Def) == s.Def
}

// abstract lists the targets of a table that are methods of interfaces with the name
// itself, in order.
func (r *reader) abstract(t *table, name string) (out []graph.Symbol) {
	for s := range t.byTarget {
		if r.alive() && r.isAbstract(s) && r.facts(s.File).Defs[s.Def].Name == name {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b graph.Symbol) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Def, b.Def))
	})
	return slices.Clip(out[:min(len(out), maxInterfaces)])
}

// seenBy narrows files to those that a definition may be referred to from.
func (r *reader) seenBy(s graph.Symbol, files []graph.FileID) ([]graph.FileID, bool) {
	n, ok := r.resolver(r.facts(s.File)).(graph.Narrower)
	if !ok {
		return nil, false
	}
	return n.Narrow(r.v, s, files)
}

// dispatch returns whom a call of a method may reach.
func (r *reader) dispatch(m graph.Symbol) graph.Binding {
	res := r.resolver(r.facts(m.File))
	if res == nil {
		return graph.Binding{}
	}
	k := cellKey{kind: cellDispatch, sym: m}
	return remember(r, k, func(b graph.Binding) int { return len(b.Targets) / 4 }, func(v graph.View) (graph.Binding, bool) {
		b := r.ask(func() graph.Binding { return res.Dispatch(v, m) })
		b.Targets, _ = r.targets(&b)
		return b, !r.ended
	})
}

// dedupe drops edges that were found under two names, keeping the surest.
func dedupe(es []edge) []edge {
	slices.SortFunc(es, func(a, b edge) int {
		return cmp.Or(
			cmp.Compare(a.at, b.at), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.rel, b.rel),
			cmp.Compare(a.src.File, b.src.File), cmp.Compare(a.src.Def, b.src.Def),
			cmp.Compare(a.dst.File, b.dst.File), cmp.Compare(a.dst.Def, b.dst.Def),
			compareBool(a.possible(), b.possible()), cmp.Compare(a.prov, b.prov), cmp.Compare(b.conf, a.conf), cmp.Compare(a.reason, b.reason), cmp.Compare(a.flags, b.flags),
		)
	})
	return slices.CompactFunc(es, func(a, b edge) bool {
		return a.src == b.src && a.dst == b.dst && a.at == b.at && a.line == b.line && a.col == b.col && a.rel == b.rel
	})
}
