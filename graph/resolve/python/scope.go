package python

import (
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
		pos := e.pos
		if at != e.at {
			pos = 0
		}
		if all := r.bound(e.f, e.id, at, name, graph.ReasonScope, pos); len(all) > 0 {
			return all
		}
	}
	if e.at == graph.NoDef && e.pos > 0 {
		if all := r.bound(e.f, e.id, graph.NoDef, name, graph.ReasonScope, e.pos); len(all) > 0 {
			return all
		}
	}
	if all := r.topLevel(e.id, name, graph.ReasonScope); len(all) > 0 {
		return all
	}
	if isBuiltin(name) {
		return []found{external(graph.ReasonScope)}
	}
	return nil
}

// bound finds what the scope of container binds to a name. Of several bindings in
// a row the last counts, but those under a condition stand beside each other. With a
// position only those before it count, where there are any.
func (r *run) bound(f *graph.Facts, id graph.FileID, container int32, name string, reason graph.Reason, pos uint32) []found {
	type binding struct {
		start       uint32
		conditional bool
		def         int32
		im          *graph.Import
	}
	var live []binding
	add := func(b binding) {
		at := len(live)
		for at > 0 && live[at-1].start > b.start {
			at--
		}
		live = append(live, binding{})
		copy(live[at+1:], live[at:])
		live[at] = b
	}
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Name == name && d.Container == container {
			add(binding{d.NameSpan.Start, d.Has(graph.FlagConditional), int32(i), nil})
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias == name && im.Enclosing == container {
			add(binding{im.Span.Start, im.Flags&graph.ImportOptional != 0, graph.NoDef, im})
		}
	}
	if n := slices.IndexFunc(live, func(b binding) bool { return b.start > pos }); pos > 0 && n >= 0 {
		if n > 0 || container != graph.NoDef && isClass(&f.Defs[container]) {
			live = live[:n] // what a class body does not have yet is looked for further out
		}
	}
	for i := len(live) - 1; i > 0; i-- {
		if !live[i].conditional {
			live = live[i:]
			break
		}
	}
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
	if !r.spend() {
		return nil
	}
	f := r.facts(id)
	if f == nil {
		return nil
	}
	all := r.bound(f, id, graph.NoDef, name, reason, 0)
	if len(all) > 0 {
		if reason == graph.ReasonImport || reason == graph.ReasonModule {
			for i := range all {
				if all[i].sym.File != id && !all[i].external {
					all[i].reason = graph.ReasonReexport
				}
			}
		}
		return all
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Name != "*" || im.Enclosing != graph.NoDef {
			continue
		}
		m := r.findModule(f.Path, im.Module)
		if !m.isFile || m.file == id || !r.exports(m.file, name) {
			continue
		}
		if all := r.moduleMember(m, name, graph.ReasonStar); len(all) > 0 {
			for i := range all {
				all[i].reason = graph.ReasonStar
			}
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
