package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// imported follows an import to what it denotes.
func (b *binder) imported(sc scope, i int, in space) found {
	im := &sc.f.Imports[i]
	if im.Flags&graph.ImportExport != 0 {
		r := b.name(scope{sc.f, sc.id, graph.NoDef}, im.Name, anySpace)
		return r
	}
	file, external := b.module(sc.f.Path, im.Module)
	if file == 0 {
		return found{external: external}
	}
	switch im.Name {
	case "":
		if im.Flags&graph.ImportDynamic != 0 && im.Flags&graph.ImportReexport == 0 {
			if r := b.commonValue(file, in); r.ok() {
				return r
			}
		}
		return found{module: file, reason: graph.ReasonImport}
	case "*":
		if im.Alias != "" && im.Flags&graph.ImportReexport == 0 { // m = await import("m")
			return found{module: file, reason: graph.ReasonImport}
		}
		return found{module: file, reason: graph.ReasonStar}
	}
	r := b.exported(file, im.Name, in)
	if f := b.facts(file); !r.ok() && im.Name == "default" && f != nil && f.Language == "svelte" {
		return found{module: file, reason: graph.ReasonImport} // the file is the component
	}
	if !r.ok() && !r.external && im.Flags&graph.ImportDynamic != 0 && im.Flags&graph.ImportReexport == 0 {
		r = b.moduleMember(file, im.Name, in) // const { a } = require("m"), of what m is as a whole
	}
	if r.ok() && (r.reason == graph.ReasonScope || r.reason == graph.ReasonModule) {
		r.reason = graph.ReasonImport
	}
	return r
}

// commonValue returns what a CommonJS module is as a whole: the value assigned to
// module.exports, where that is one definition. A module with a default export is its
// namespace.
func (b *binder) commonValue(file graph.FileID, in space) found {
	f := b.facts(file)
	if f == nil {
		return found{}
	}
	for i := range f.Defs {
		if f.Defs[i].Has(graph.FlagDefault | graph.FlagWhole) {
			return found{syms: []graph.Symbol{{File: file, Def: int32(i)}}, reason: graph.ReasonImport}
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		switch {
		case im.Alias == "default" && im.Flags&(graph.ImportExport|graph.ImportDynamic) == graph.ImportExport|graph.ImportDynamic && b.step():
			r := b.imported(scope{f, file, graph.NoDef}, i, in)
			if r.ok() {
				r.reason = graph.ReasonImport
			}
			return r
		case im.Name == "*" && im.Flags&graph.ImportDynamic != 0 && b.step(): // module.exports = require("m")
			if target, _ := b.module(f.Path, im.Module); target != 0 && target != file {
				if r := b.commonValue(target, in); r.ok() {
					r.reason = graph.ReasonReexport
					return r
				}
			}
		}
	}
	return found{}
}

// exported finds what a module exports under a name, through re-exports.
func (b *binder) exported(file graph.FileID, name string, in space) found {
	r := b.exportedFrom(file, name, in, map[graph.FileID]bool{})
	if !r.ok() && in == valueSpace {
		return b.exportedFrom(file, name, anySpace, map[graph.FileID]bool{})
	}
	return r
}

func (b *binder) exportedFrom(file graph.FileID, name string, in space, seen map[graph.FileID]bool) found {
	f := b.facts(file)
	if f == nil || seen[file] || !b.step() {
		return found{}
	}
	seen[file] = true
	if syms := ownExports(f, file, name, in); len(syms) > 0 {
		return found{syms: syms, reason: graph.ReasonScope}
	}
	external := false
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias != name || im.Flags&(graph.ImportExport|graph.ImportReexport) == 0 {
			continue
		}
		r := b.namedExport(f, file, i, in, seen)
		if r.ok() {
			r.reason = graph.ReasonReexport
			return r
		}
		external = external || r.external
	}
	if name != "default" {
		r := b.starExport(f, name, in, seen)
		if r.ok() {
			return r
		}
		external = external || r.external
	}
	return found{external: external}
}

// namedExport follows one entry of an export list.
func (b *binder) namedExport(f *graph.Facts, file graph.FileID, i int, in space, seen map[graph.FileID]bool) found {
	im := &f.Imports[i]
	if im.Flags&graph.ImportExport != 0 {
		r := b.name(scope{f, file, graph.NoDef}, im.Name, in)
		if !r.ok() && !r.external && in != anySpace {
			r = b.name(scope{f, file, graph.NoDef}, im.Name, anySpace)
		}
		return r
	}
	target, external := b.module(f.Path, im.Module)
	if target == 0 {
		return found{external: external}
	}
	if im.Name == "" {
		if im.Flags&graph.ImportDynamic != 0 {
			if r := b.commonValue(target, in); r.ok() {
				return r
			}
		}
		return found{module: target, reason: graph.ReasonReexport}
	}
	if seen[target] && im.Name != im.Alias {
		seen = map[graph.FileID]bool{file: true} // another name: not the same question
	}
	return b.exportedFrom(target, im.Name, in, seen)
}

// maxRivals bounds how many more modules are looked into once a name was found.
const maxRivals = 32

// starExport looks through export * from. Where one leads out of the tree, so may
// the name. What two of them export under one name is neither's.
func (b *binder) starExport(f *graph.Facts, name string, in space, seen map[graph.FileID]bool) found {
	outside, after := false, 0
	var hit found
	rivals := len(b.v.Definers(name)) > 1
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Name != "*" || im.Flags&graph.ImportReexport == 0 {
			continue
		}
		if hit.ok() {
			if after++; !rivals || after > maxRivals {
				break
			}
		}
		target, external := b.module(f.Path, im.Module)
		if target == 0 {
			outside = outside || external
			continue
		}
		r := b.exportedFrom(target, name, in, seen)
		switch {
		case r.ok() && !hit.ok():
			hit = r
			hit.reason = graph.ReasonReexport
		case len(r.syms) > 0 && len(hit.syms) > 0 && r.syms[0] != hit.syms[0]:
			hit.syms = append(hit.syms[:1:1], r.syms[0])
			hit.many = true
			return hit
		}
		outside = outside || r.external
	}
	if hit.ok() {
		return hit
	}
	return found{external: outside}
}

// atTop reports whether d stands at the top of a module: of its file, or of a
// declare module block.
func atTop(f *graph.Facts, d *graph.Def) bool {
	return d.Container < 0 || f.Defs[d.Container].Kind == graph.KindModule
}

// ownExports returns the definitions of f that it exports itself under name.
func ownExports(f *graph.Facts, file graph.FileID, name string, in space) []graph.Symbol {
	var syms []graph.Symbol
	for i := range f.Defs {
		d := &f.Defs[i]
		if name == "default" {
			if d.Has(graph.FlagDefault) {
				syms = append(syms, graph.Symbol{File: file, Def: int32(i)})
			}
			continue
		}
		if d.Name == name && d.Owner == "" && d.Has(graph.FlagExported) && atTop(f, d) && in.holds(d.Kind) {
			syms = append(syms, graph.Symbol{File: file, Def: int32(i)})
		}
	}
	return preferImplementation(f, syms)
}

// moduleMember finds a name of a module taken as a whole: an export, or else a
// member of what module.exports was set to.
func (b *binder) moduleMember(file graph.FileID, name string, in space) found {
	r := b.exported(file, name, in)
	if r.ok() || r.external {
		if r.reason == graph.ReasonScope {
			r.reason = graph.ReasonModule
		}
		return r
	}
	if whole := b.commonValue(file, anySpace); len(whole.syms) > 0 {
		if m := b.member(value{kind: valDef, syms: whole.syms}, name); m.ok() {
			return found{syms: m.syms, reason: graph.ReasonModule}
		}
	}
	return found{}
}

// modulePath is a file's module path: without suffix, and an index file under the
// name of its directory.
func modulePath(p graph.Path) string {
	s := stripSuffix(string(p))
	if dir, ok := strings.CutSuffix(s, "/index"); ok {
		return dir
	}
	return s
}
