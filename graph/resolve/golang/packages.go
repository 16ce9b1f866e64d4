package golang

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// fewFiles is the number of files up to which it costs less to look where each stands
// than to list a directory.
const fewFiles = 8

// definersIn lists the files of a directory that define a name, by path.
func (b *binder) definersIn(dir graph.Path, name string) []graph.FileID {
	all := b.v.Definers(name)
	if len(all) > fewFiles {
		var out []graph.FileID
		for _, id := range b.v.Dir(dir) {
			if _, ok := slices.BinarySearch(all, id); ok {
				out = append(out, id)
			}
		}
		return out
	}
	var paths [fewFiles]graph.Path
	out := make([]graph.FileID, 0, len(all))
	for _, id := range all {
		rec, ok := b.v.File(id)
		if !ok || rec.Path.Dir() != dir {
			continue
		}
		at := len(out)
		out = append(out, id)
		for ; at > 0 && paths[at-1] > rec.Path; at-- {
			paths[at], out[at] = paths[at-1], out[at-1]
		}
		paths[at], out[at] = rec.Path, id
	}
	return out
}

// packageScope finds a name of the file's own package at package level.
func (b *binder) packageScope(name string) []sym {
	return preferFile(b.scopeOf(b.f.Path.Dir(), name, b.f.Package, isTestFile(b.f.Path)), b.id)
}

// preferFile drops the definitions of other files where the file has one of its own. A
// package that declared the name in both would not compile, so the others belong to
// another build, or to another program whose files lie in the same directory.
func preferFile(syms []sym, id graph.FileID) []sym {
	own := func(s sym) bool { return s.id == id }
	if len(syms) < 2 || !slices.ContainsFunc(syms, own) {
		return syms
	}
	return slices.DeleteFunc(slices.Clone(syms), func(s sym) bool { return !own(s) })
}

// exportedIn finds a name of another package. Tests that stand beside the package, in
// one of their own, see what its own tests define.
func (b *binder) exportedIn(dir graph.Path, name string) []sym {
	if isTestFile(b.f.Path) && dir == b.f.Path.Dir() {
		if pkg, ok := strings.CutSuffix(b.f.Package, "_test"); ok {
			return b.scopeOf(dir, name, pkg, true)
		}
	}
	return b.scopeOf(dir, name, "", false)
}

// scopeOf finds the definitions of a name at package level. pkg "" takes any package
// of the directory but those of tests.
func (b *binder) scopeOf(dir graph.Path, name, pkg string, tests bool) []sym {
	return b.withFacts(graph.Derived(b.v, graph.Derivation{Rule: ruleScope, In: string(dir), Name: name, Package: pkg, Flag: tests}, func() (out []graph.Symbol) {
		for _, id := range b.definersIn(dir, name) {
			f := b.facts(id)
			if f == nil || !samePackage(f, pkg, tests) {
				continue
			}
			for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
				if d := &f.Defs[i]; d.Container == graph.NoDef && d.Owner == "" && !d.Has(graph.FlagLocal) {
					out = append(out, graph.Symbol{File: id, Def: i})
				}
			}
		}
		return out
	}))
}

func samePackage(f *graph.Facts, pkg string, tests bool) bool {
	switch {
	case f.Language != "go", !tests && isTestFile(f.Path):
		return false
	case pkg != "":
		return f.Package == pkg
	}
	return f.Constraint != "ignore" && f.Package != "main" || !tests && f.Constraint != "ignore"
}

// methodsOf finds the methods that a package declares on a type, those of its own file
// before others.
func (b *binder) methodsOf(typ sym, name string) []sym {
	dir, owner, pkg := typ.f.Path.Dir(), typ.d().Name, typ.f.Package
	tests := isTestFile(typ.f.Path) || isTestFile(b.from) && dir == b.from.Dir()
	return preferFile(b.withFacts(graph.Derived(b.v, graph.Derivation{Rule: ruleMethods, In: string(dir), Name: name, Owner: owner, Package: pkg, Flag: tests}, func() (out []graph.Symbol) {
		for _, id := range b.definersIn(dir, name) {
			f := b.facts(id)
			if f == nil || !samePackage(f, pkg, tests) {
				continue
			}
			for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
				if d := &f.Defs[i]; d.Owner == owner && d.Kind == graph.KindMethod {
					out = append(out, graph.Symbol{File: id, Def: i})
				}
			}
		}
		return out
	})), typ.id)
}

// typeName finds a type by its name as written in the file. external says that it is
// predeclared or outside the tree. near is a definition around the use: types of a
// function body are visible only there.
func (b *binder) typeName(qualifier, name string, near int32) (syms []sym, external bool) {
	if qualifier != "" {
		im := b.importNamed(qualifier)
		if im == nil {
			return nil, false
		}
		dir, ok := b.importDir(im.Module)
		if !ok {
			return nil, true
		}
		return b.exportedIn(dir, name), false
	}
	if i := b.localType(name, near); i != graph.NoDef {
		return []sym{{b.f, b.id, i}}, false
	}
	if syms = b.packageScope(name); len(syms) > 0 {
		return syms, false
	}
	for i := range b.f.Imports {
		if im := &b.f.Imports[i]; im.Alias == "." {
			dir, ok := b.importDir(im.Module)
			if !ok {
				external = true
			} else if syms = b.exportedIn(dir, name); len(syms) > 0 {
				return syms, false
			}
		}
	}
	return nil, external || predeclared(name)
}

// localType finds a type that a function around near declares.
func (b *binder) localType(name string, near int32) int32 {
	if near < 0 || int(near) >= len(b.f.Defs) {
		return graph.NoDef
	}
	found := graph.NoDef
	for i := b.f.NextNamed(name, 0); i != graph.NoDef; i = b.f.NextNamed(name, i+1) {
		d := &b.f.Defs[i]
		if !d.Has(graph.FlagLocal) || !isType(d.Kind) {
			continue
		}
		for at := near; at != graph.NoDef; at = b.f.Defs[at].Container {
			if d.Container == at || at == i {
				found = i
				break
			}
		}
	}
	return found
}

func isType(k graph.Kind) bool {
	return k == graph.KindStruct || k == graph.KindInterface || k == graph.KindType
}

// predeclared reports whether the language itself declares a name.
func predeclared(name string) bool {
	switch name {
	case "string", "int", "error", "bool", "byte", "any", "int64", "uint64", "int32", "uint32", "float64", "rune",
		"uint8", "uint16", "int8", "int16", "uint", "uintptr", "float32", "complex64", "complex128", "comparable",
		"len", "cap", "append", "make", "new", "panic", "recover", "copy", "delete", "close", "print", "println",
		"min", "max", "clear", "complex", "real", "imag", "nil", "true", "false", "iota":
		return true
	}
	return false
}

func isIdent(s string) bool {
	return s != "" && !strings.ContainsAny(s, ".()[]{}*#?\" ")
}
