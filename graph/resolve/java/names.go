package java

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// simpleType finds the type that a name without dots means at a place.
func (b *binder) simpleType(name string, sc scope) typ {
	if !b.step() {
		return typ{}
	}
	for def := sc.def; def >= 0 && int(def) < len(sc.f.Defs); def = sc.f.Defs[def].Container {
		d := &sc.f.Defs[def]
		if d.Name == name && isTypeKind(d.Kind) {
			return b.classType(sym{sc.f, sc.id, def})
		}
		if s := typeIn(sym{sc.f, sc.id, def}, name); s.ok() {
			return b.classType(s)
		}
		if isTypeKind(d.Kind) {
			if s := b.inheritedType(sym{sc.f, sc.id, def}, name); s.ok() {
				return b.classType(s)
			}
		}
	}
	return b.fileType(name, sc)
}

// typeIn finds a type that stands directly in a definition.
func typeIn(in sym, name string) sym {
	for i := in.f.NextNamed(name, 0); i != graph.NoDef; i = in.f.NextNamed(name, i+1) {
		if d := &in.f.Defs[i]; d.Container == in.def && isTypeKind(d.Kind) {
			return sym{in.f, in.id, i}
		}
	}
	return sym{}
}

// memberType finds a type that is a member of a type, its own or inherited.
func (b *binder) memberType(of sym, name string) sym {
	if s := typeIn(of, name); s.ok() {
		return s
	}
	return b.inheritedType(of, name)
}

// inheritedType finds a type that a type has from its bases.
func (b *binder) inheritedType(of sym, name string) sym {
	if !b.mayNest(name) {
		return sym{}
	}
	key := graph.Derivation{Rule: ruleInner, File: of.id, Name: name, In: strconv.Itoa(int(of.def))}
	if b.busy == nil {
		b.busy = map[graph.Symbol]bool{}
	}
	return b.withFacts(graph.Derived(b.v, key, func() graph.Symbol {
		b := b.apart()
		if b.busy[of.symbol()] || len(b.busy) > maxBases || !b.step() {
			return none
		}
		b.busy[of.symbol()] = true
		defer delete(b.busy, of.symbol())
		for _, base := range b.bases(b.classType(of)) {
			if base.kind == isClass {
				if s := b.memberType(base.sym, name); s.ok() {
					return s.symbol()
				}
			}
		}
		return none
	}))
}

// mayNest reports whether a type of the name stands in another anywhere in the tree.
func (b *binder) mayNest(name string) bool {
	key := graph.Derivation{Rule: ruleNested, Name: name}
	return graph.Derived(b.v, key, func() bool {
		ids := b.v.Definers(name)
		if len(ids) > maxDefiners {
			return true
		}
		for _, id := range ids {
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
				if d := &f.Defs[i]; d.Container != graph.NoDef && isTypeKind(d.Kind) {
					return true
				}
			}
		}
		return false
	})
}

const (
	maxDefiners = 64 // files that are read to learn whether one has a type
	maxBases    = 64 // types above one
)

// found is what a name of a type leads to.
type foundType struct {
	sym     graph.Symbol
	library bool // it is of the library, or of a package that is not in the tree
	jdk     bool // it comes with the language
	outer   string
}

// fileType finds the type that a name means at the top level of a file.
func (b *binder) fileType(name string, sc scope) typ {
	key := graph.Derivation{Rule: ruleType, File: sc.id, Name: name}
	r := graph.Derived(b.v, key, func() foundType { return b.apart().fileTypeOf(name, sc.f, sc.id) })
	if s := b.withFacts(r.sym); s.ok() {
		return b.classType(s)
	}
	if r.library {
		return typ{kind: isLibrary, name: name, outer: r.outer, jdk: r.jdk}
	}
	return typ{}
}

func (b *binder) fileTypeOf(name string, f *graph.Facts, id graph.FileID) foundType {
	if s := typeIn(sym{f, id, graph.NoDef}, name); s.ok() {
		return foundType{sym: s.symbol()}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias != name || im.Name == "*" {
			continue
		}
		if s := b.importedType(im, f); s.ok() {
			return foundType{sym: s.symbol()}
		}
		if !b.holdsPackage(im.Module, f) && !b.qualifiedType(im.Module, f).ok() {
			return outsideType(im.Module)
		}
	}
	if s := b.packageType(f.Package, name, f); s.ok() {
		return foundType{sym: s.symbol()}
	}
	outside := false
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Name != "*" {
			continue
		}
		if s := b.packageType(im.Module, name, f); s.ok() {
			return foundType{sym: s.symbol()}
		}
		if holder := b.qualifiedType(im.Module, f); holder.ok() {
			if s := b.memberType(holder, name); s.ok() {
				return foundType{sym: s.symbol()}
			}
		} else if !b.holdsPackage(im.Module, f) {
			outside = true
		}
	}
	if s := b.packageType("java.lang", name, f); s.ok() {
		return foundType{sym: s.symbol()}
	}
	lang := isLang(name)
	return foundType{library: outside || lang, jdk: lang}
}

// outsideType is a type of a package or type that is not in the tree.
func outsideType(module string) foundType {
	r := foundType{library: true, jdk: strings.HasPrefix(module, "java.") || strings.HasPrefix(module, "javax.")}
	if last := graph.LastElement(module); startsUpper(last) {
		r.outer = strings.Clone(last)
	}
	return r
}

// importedType finds the type that an import takes.
func (b *binder) importedType(im *graph.Import, from *graph.Facts) sym {
	if s := b.packageType(im.Module, im.Name, from); s.ok() {
		return s
	}
	if holder := b.qualifiedType(im.Module, from); holder.ok() {
		return b.memberType(holder, im.Name)
	}
	return sym{}
}

// qualifiedType finds a type by its full name.
func (b *binder) qualifiedType(full string, from *graph.Facts) sym {
	if full == "" || !b.step() {
		return sym{}
	}
	pkg, name := "", full
	if i := strings.LastIndexByte(full, '.'); i >= 0 {
		pkg, name = full[:i], full[i+1:]
	}
	if s := b.packageType(pkg, name, from); s.ok() {
		return s
	}
	if i := strings.LastIndexByte(pkg, '.'); i < 0 || !startsUpper(pkg[i+1:]) {
		return sym{} // what holds a type has by custom a name like one
	}
	if holder := b.qualifiedType(pkg, from); holder.ok() {
		return b.memberType(holder, name)
	}
	return sym{}
}

// dottedType finds the type that a name with dots means: its first part is a type that
// is known at the place, or a package.
func (b *binder) dottedType(name string, sc scope) typ {
	head, rest, dotted := strings.Cut(name, ".")
	t := b.simpleType(head, sc)
	if !dotted {
		return t
	}
	if t.kind == isClass {
		s := t.sym
		for part := range strings.SplitSeq(rest, ".") {
			outer := s
			if s = b.memberType(s, part); !s.ok() {
				if b.openAbove(outer) {
					return typ{kind: isLibrary, name: part}
				}
				return typ{}
			}
		}
		return b.classType(s)
	}
	if s := b.qualifiedType(name, sc.f); s.ok() {
		return b.classType(s)
	}
	module := name[:strings.LastIndexByte(name, '.')]
	if t.kind == isLibrary || !b.holdsPackage(module, sc.f) {
		r := outsideType(module)
		return typ{kind: isLibrary, name: graph.LastElement(name), outer: r.outer, jdk: r.jdk || t.jdk}
	}
	return typ{}
}

// packageType finds a type of the top level of a package. Of several trees that have
// the package the one that is nearest to a file counts.
func (b *binder) packageType(pkg, name string, from *graph.Facts) sym {
	if pkg == "" && name == "" {
		return sym{}
	}
	key := graph.Derivation{Rule: rulePackage, In: string(from.Path.Dir()), Owner: from.Package, Package: pkg, Name: name}
	return b.withFacts(graph.Derived(b.v, key, func() graph.Symbol { return b.packageTypeOf(pkg, name, from) }))
}

func (b *binder) packageTypeOf(pkg, name string, from *graph.Facts) graph.Symbol {
	dir := strings.ReplaceAll(pkg, ".", "/")
	for _, root := range sourceRoots(from.Path.Dir(), from.Package) {
		if id, ok := b.v.Lookup(graph.Path(joinPath(joinPath(string(root), dir), name+".java"))); ok {
			if s := b.topType(id, pkg, name); s.ok() {
				return s.symbol()
			}
		}
	}
	best, near := none, -1
	ids := b.v.Definers(name)
	strict := len(ids) > maxDefiners
	for _, id := range ids {
		rec, ok := b.v.File(id)
		if !ok || rec.Language != "java" {
			continue
		}
		at := string(rec.Path.Dir())
		if strict && at != dir && !strings.HasSuffix(at, "/"+dir) {
			continue
		}
		s := b.topType(id, pkg, name)
		if !s.ok() {
			continue
		}
		if n := nearness(from.Path, rec.Path); n > near {
			best, near = s.symbol(), n
		}
	}
	return best
}

// sourceRoots returns the directory below which a file's package stands, if its path
// says so.
func sourceRoots(dir graph.Path, pkg string) []graph.Path {
	tail := strings.ReplaceAll(pkg, ".", "/")
	switch {
	case string(dir) == tail:
		return []graph.Path{""}
	case tail == "":
		return []graph.Path{dir}
	}
	if root, ok := strings.CutSuffix(string(dir), "/"+tail); ok {
		return []graph.Path{graph.Path(root)}
	}
	return nil
}

func joinPath(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	}
	return dir + "/" + name
}

// nearness orders files by how many directories they share with a file, and then by how
// few stand between.
func nearness(from, to graph.Path) int {
	a, c := strings.Split(string(from.Dir()), "/"), strings.Split(string(to.Dir()), "/")
	n := 0
	for n < len(a) && n < len(c) && a[n] == c[n] {
		n++
	}
	return n<<8 + max(0, 255-len(c))
}

// topType finds a type of the top level of a file that belongs to a package.
func (b *binder) topType(id graph.FileID, pkg, name string) sym {
	f := b.facts(id)
	if f == nil || f.Package != pkg {
		return sym{}
	}
	return typeIn(sym{f, id, graph.NoDef}, name)
}

// holdsPackage reports whether a package stands in the tree, beside the package of a
// file or by its path anywhere else that is known.
func (b *binder) holdsPackage(pkg string, from *graph.Facts) bool {
	key := graph.Derivation{Rule: ruleHolds, In: string(from.Path.Dir()), Owner: from.Package, Package: pkg}
	return graph.Derived(b.v, key, func() bool {
		dir := strings.ReplaceAll(pkg, ".", "/")
		for _, root := range sourceRoots(from.Path.Dir(), from.Package) {
			for _, id := range b.v.Dir(graph.Path(joinPath(string(root), dir))) {
				if rec, ok := b.v.File(id); ok && rec.Language == "java" {
					return true
				}
			}
		}
		return false
	})
}
