package python

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// env is the place in which a text is understood.
type env struct {
	f  *graph.Facts
	id graph.FileID
	at int32 // enclosing definition, or NoDef
	// self is the class whose members "self" and "Self" mean, when bound. It may be
	// a class that derives from the one around at.
	self  graph.Symbol
	bound bool
	// pos is where in the text of at itself something is used, or 0: what is bound
	// behind it is not meant there.
	pos uint32
}

// name finds what a bare name means at e: functions around it from the inside out,
// a class only for its own statements, the module, the built-ins.
func (r *run) name(e env, name string, ownClass bool) []found {
	for at := e.at; at != graph.NoDef; at = e.f.Defs[at].Container {
		d := &e.f.Defs[at]
		visible := at == e.at || ownClass && e.f.Defs[e.at].Container == at
		if isClass(d) && !visible {
			continue
		}
		live, later := bindings(e.f, at, name, e.posIn(at))
		if later && isClass(d) {
			break // the class will have the name: until then the module's is meant
		}
		if all := r.denoted(e.f, e.id, live, graph.ReasonScope); len(all) > 0 {
			return doubted(all, false)
		}
	}
	if all := r.topLevelAt(e.id, name, graph.ReasonScope, e.posIn(graph.NoDef)); len(all) > 0 {
		return all
	}
	if isBuiltin(name) {
		return []found{external(graph.ReasonScope)}
	}
	return nil
}

// posIn is the place in the text of a scope before which a name must be bound, or 0.
func (e env) posIn(container int32) uint32 {
	if container == e.at {
		return e.pos
	}
	return 0
}

// naming is one statement that binds a name: a definition, or an import.
type naming struct {
	start       uint32
	conditional bool
	def         int32
	im          *graph.Import
}

// bindings lists what the scope of container binds to a name, in the order of the
// text. Of several in a row the last counts, but those under a condition stand beside
// each other. With a position only those before it count; where there are none, later
// says so, and all are listed.
func bindings(f *graph.Facts, container int32, name string, pos uint32) (live []naming, later bool) {
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		if d := &f.Defs[i]; d.Container == container {
			live = append(live, naming{d.NameSpan.Start, d.Has(graph.FlagConditional), i, nil})
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias == name && im.Enclosing == container {
			live = append(live, naming{im.Span.Start, im.Flags&graph.ImportOptional != 0, graph.NoDef, im})
		}
	}
	slices.SortStableFunc(live, func(a, b naming) int { return cmp.Compare(a.start, b.start) })
	if n := slices.IndexFunc(live, func(b naming) bool { return b.start > pos }); pos > 0 && n >= 0 {
		if n == 0 {
			return live, true
		}
		live = live[:n]
	}
	for i := len(live) - 1; i > 0; i-- {
		if !live[i].conditional {
			return live[i:], false
		}
	}
	return live, false
}

// denoted finds what bindings give a name to.
func (r *run) denoted(f *graph.Facts, id graph.FileID, live []naming, reason graph.Reason) []found {
	var all []found
	for _, b := range live {
		if b.im != nil {
			all = append(all, r.boundByImport(f, id, b.im)...)
			continue
		}
		all = append(all, found{sym: graph.Symbol{File: id, Def: b.def}, conf: 1, reason: reason})
	}
	return all
}

// topLevel finds a name of a module's own level, through imports and star imports.
func (r *run) topLevel(id graph.FileID, name string, reason graph.Reason) []found {
	return r.topLevelAt(id, name, reason, 0)
}

// topLevelAt is topLevel for a use in the module's own statements at pos, or for one
// anywhere else where that is 0. A star import counts at its place, as any other.
func (r *run) topLevelAt(id graph.FileID, name string, reason graph.Reason, pos uint32) []found {
	if !r.spend() {
		return nil
	}
	f := r.facts(id)
	if f == nil {
		return nil
	}
	live, later := bindings(f, graph.NoDef, name, pos)
	from := uint32(0)
	if len(live) > 0 && !live[0].conditional {
		from = live[0].start
	}
	if later {
		from, live = 0, nil // of a star import before it
	}
	stars, whole := r.stars(f, id, name, from, pos)
	if whole {
		from = stars[0].at
	}
	if whole {
		n := slices.IndexFunc(live, func(b naming) bool { return b.start > stars[0].at })
		if n < 0 {
			n = len(live)
		}
		live = live[n:]
	}
	all := r.denoted(f, id, live, reason)
	if reason == graph.ReasonImport || reason == graph.ReasonModule {
		for i := range all {
			if all[i].sym.File != id && !all[i].external {
				all[i].reason = graph.ReasonReexport
			}
		}
	}
	for _, s := range stars {
		all = append(all, s.found...)
	}
	switch {
	case len(all) > 0:
		return doubted(all, r.starBehind(f, name, from))
	case later && !isBuiltin(name):
		return r.topLevelAt(id, name, reason, 0)
	}
	return r.starred(f, id, name)
}

// star is what a star import takes under a name.
type star struct {
	at    uint32
	found []found
}

// stars lists what star imports behind from, and with a position before pos, bind to a
// name, in the order of the text. whole says that the first of them is made in any
// case: nothing before it counts.
func (r *run) stars(f *graph.Facts, id graph.FileID, name string, from, pos uint32) (stars []star, whole bool) {
	for i := len(f.Imports) - 1; i >= 0; i-- {
		im := &f.Imports[i]
		at := im.Span.Start
		if im.Name != "*" || im.Enclosing != graph.NoDef || at < from || pos > 0 && at > pos {
			continue
		}
		m := r.findModule(f.Path, im.Module)
		if !m.isFile || m.file == id || !r.exports(m.file, name) {
			continue
		}
		all := r.topLevel(m.file, name, graph.ReasonStar)
		if len(all) == 0 {
			continue
		}
		for i := range all {
			all[i].reason = graph.ReasonStar
		}
		stars = append(stars, star{at, all})
		if im.Flags&graph.ImportOptional == 0 {
			whole = true
			break
		}
	}
	slices.Reverse(stars)
	return stars, whole
}

// starBehind reports whether a module outside the tree may give a name anew behind from.
func (r *run) starBehind(f *graph.Facts, name string, from uint32) bool {
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Name == "*" && im.Span.Start > from && name[0] != '_' && r.findModule(f.Path, im.Module).external {
			return true
		}
	}
	return false
}

// doubted says of what a name denotes that it may be something else: what stands
// outside the tree, or what a module there has.
func doubted(all []found, star bool) []found {
	by := float32(1)
	if slices.ContainsFunc(all, func(x found) bool { return x.external }) {
		by = confOpen
	} else if star {
		by = confStar
	}
	for i := range all {
		if by < 1 && !all[i].external {
			all[i].open, all[i].conf = true, min(all[i].conf, by)
		}
	}
	return all
}

// starred finds the module of a package that a star import takes under a name.
func (r *run) starred(f *graph.Facts, id graph.FileID, name string) []found {
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Name != "*" || im.Enclosing != graph.NoDef {
			continue
		}
		m := r.findModule(f.Path, im.Module)
		if !m.isFile || m.file == id || !r.exports(m.file, name) {
			continue
		}
		if all := r.submodule(m, name, graph.ReasonStar); len(all) > 0 {
			return all
		}
	}
	return nil
}

// exports reports whether "import *" takes a name from a module.
func (r *run) exports(id graph.FileID, name string) bool {
	f := r.facts(id)
	if f == nil || !r.spend() {
		return false
	}
	listed := false
	for i := range f.Refs {
		ref := &f.Refs[i]
		if ref.Use != graph.UseExport {
			continue
		}
		if ref.Name == name || ref.Name == "__all__" {
			return true // of a list that is not spelled out anything may come
		}
		listed = true
		if r.exportsThrough(f, id, ref.Name, name) {
			return true
		}
	}
	return !listed && name[0] != '_'
}

// exportsThrough reports whether list, a name in __all__, is another module's
// __all__ that has the name.
func (r *run) exportsThrough(f *graph.Facts, id graph.FileID, list, name string) bool {
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias != list || im.Name != "__all__" {
			continue
		}
		m := r.findModule(f.Path, im.Module)
		return m.isFile && m.file != id && r.exports(m.file, name)
	}
	return false
}

// starFromOutside reports whether a name that nothing binds may come from a star
// import of a module outside the tree.
func (r *run) starFromOutside(f *graph.Facts) bool {
	for i := range f.Imports {
		if f.Imports[i].Name == "*" && r.findModule(f.Path, f.Imports[i].Module).external {
			return true
		}
	}
	return false
}

// enclosingClass returns the class around a definition.
func enclosingClass(f *graph.Facts, at int32) (int32, bool) {
	for ; at != graph.NoDef; at = f.Defs[at].Container {
		if isClass(&f.Defs[at]) {
			return at, true
		}
	}
	return graph.NoDef, false
}
