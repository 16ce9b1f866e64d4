package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// importNamed finds the import that a name stands for in the file, or nil.
func (b *binder) importNamed(name string) *graph.Import {
	if len(b.f.Imports) == 0 {
		return nil
	}
	ims := b.f.Imports
	for i := range ims {
		if ims[i].Alias == name {
			return &ims[i]
		}
	}
	for i := range ims {
		if ims[i].Alias == "" && (assumedName(ims[i].Module) == name || ims[i].Module == name) {
			return &ims[i]
		}
	}
	i := graph.Derived(b.v, graph.Derivation{Rule: ruleNamed, Name: name, File: b.id}, func() int { return b.oddImport(name) })
	if i >= 0 {
		return &ims[i]
	}
	for i := range ims { // a package outside the tree may be named like a version: k8s.io/api/core/v1
		if ims[i].Alias == "" && graph.LastElement(ims[i].Module) == name && strings.Contains(ims[i].Module, "/") {
			if _, ok := b.importDir(ims[i].Module); !ok {
				return &ims[i]
			}
		}
	}
	return nil
}

// oddImport finds the import of a package whose name is not what its path says.
func (b *binder) oddImport(name string) int {
	ims := b.f.Imports
	for i := range ims {
		if ims[i].Alias != "" {
			continue
		}
		if dir, ok := b.importDir(ims[i].Module); ok && b.packageName(dir) == name {
			return i
		}
	}
	return -1
}

// assumedName guesses a package's name from its import path.
func assumedName(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		if head := strings.TrimSuffix(path, "/"+last); head != path {
			last = head[strings.LastIndexByte(head, '/')+1:]
		}
	}
	if i := strings.LastIndex(last, ".v"); i > 0 {
		last = last[:i]
	}
	return strings.TrimPrefix(last, "go-")
}

// packageName returns the package clause of the files of a directory.
func (b *binder) packageName(dir graph.Path) string {
	for _, id := range b.v.Dir(dir) {
		rec, ok := b.v.File(id)
		if !ok || rec.Language != "go" || isTestFile(rec.Path) {
			continue
		}
		if f := b.facts(id); f != nil && f.Package != "" && f.Constraint != "ignore" {
			return f.Package
		}
	}
	return ""
}

func (b *binder) facts(id graph.FileID) *graph.Facts {
	if id == b.id {
		return b.f
	}
	f, err := b.v.Facts(id)
	if err != nil {
		return nil // the store reports the damage itself
	}
	return f
}

// importDir finds the directory of an import path as the go command would: vendor
// directories, the module around the importer with its replacements, the modules
// around that one, and any other module of the tree.
func (b *binder) importDir(path string) (graph.Path, bool) {
	if path == "" || path == "C" || path == "unsafe" && !b.holdsGo("unsafe") {
		return "", false
	}
	own := b.f.Path.Dir()
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") {
		dir, ok := own.Join(path)
		return dir, ok && b.holdsGo(dir)
	}
	f := b.fromDir(own, path, false)
	return f.dir, f.ok
}

type foundDir struct {
	dir graph.Path
	ok  bool
}

// foundAt keeps nothing of the facts that a path may have been cut from.
func foundAt(dir graph.Path) foundDir {
	return foundDir{graph.Path(strings.Clone(string(dir))), true}
}

// fromDir finds an import path from a directory on upwards. modules tells whether one
// of those below it is the root of a module.
func (b *binder) fromDir(dir graph.Path, path string, modules bool) foundDir {
	dir = b.anchor(dir)
	return graph.Derived(b.v, graph.Derivation{Rule: ruleImport, In: string(dir), Name: path, Flag: modules}, func() foundDir {
		if v, ok := below(dir, "vendor/"+path); ok && b.holdsGo(v) {
			return foundDir{v, true}
		}
		modules := modules
		if m := moduleAt(b.v, dir, "go.mod"); m != nil {
			modules = true
			if found, ok := b.inModule(dir, m, path); ok {
				return foundAt(found)
			}
		}
		if m := moduleAt(b.v, dir, "go.work"); m != nil {
			if found, ok := b.replaced(dir, m, path); ok {
				return foundAt(found)
			}
		}
		if dir != "" {
			return b.fromDir(dir.Dir(), path, modules)
		}
		if found, ok := b.elsewhere(path, modules); ok {
			return foundAt(found)
		}
		return foundDir{}
	})
}

// anchor returns the nearest directory from dir on upwards that may say where imports
// lead.
func (b *binder) anchor(dir graph.Path) graph.Path {
	if dir == "" {
		return dir
	}
	return graph.Derived(b.v, graph.Derivation{Rule: ruleAnchor, In: string(dir)}, func() graph.Path {
		if b.isRoot(dir) {
			return graph.Path(strings.Clone(string(dir)))
		}
		if t, ok := b.v.(graph.TreeView); !ok || t.Holds(dir+"/vendor") {
			return graph.Path(strings.Clone(string(dir)))
		}
		return b.anchor(dir.Dir())
	})
}

// isRoot reports whether a file stands in a directory that says where imports lead.
func (b *binder) isRoot(dir graph.Path) bool {
	for _, name := range [...]string{"go.mod", "go.work"} {
		p, _ := below(dir, name)
		if _, ok := b.v.Lookup(p); ok {
			return true
		}
	}
	return false
}

// below is dir.Join(rest), which costs less for what is in order.
func below(dir graph.Path, rest string) (graph.Path, bool) {
	if rest == "" || rest[0] == '.' || rest[0] == '/' || rest[len(rest)-1] == '/' || strings.Contains(rest, "//") || strings.Contains(rest, "/.") {
		return dir.Join(rest)
	}
	if dir == "" {
		return graph.Path(rest), true
	}
	return dir + "/" + graph.Path(rest), true
}

// elsewhere finds an import path that no directory around the importer provides.
func (b *binder) elsewhere(path string, modules bool) (graph.Path, bool) {
	if found, ok := b.otherModule(path); ok {
		return found, true
	}
	if !modules { // a tree from before modules
		for _, root := range [...]graph.Path{"src", ""} {
			if dir, ok := root.Join(path); ok && b.holdsGo(dir) {
				return dir, true
			}
		}
	}
	return "", false
}

func moduleAt(v graph.View, dir graph.Path, name string) *graph.Facts {
	p, _ := below(dir, name)
	id, ok := v.Lookup(p)
	if !ok {
		return nil
	}
	f, err := v.Facts(id)
	if err != nil {
		return nil
	}
	return f
}

func modulePath(m *graph.Facts) string {
	for _, p := range m.Manifest {
		if p.Key == "module" {
			return p.Value
		}
	}
	return ""
}

// inModule finds a package in the module at root, or where that replaces it.
func (b *binder) inModule(root graph.Path, m *graph.Facts, path string) (graph.Path, bool) {
	mod := modulePath(m)
	if mod == "std" {
		mod = ""
	}
	if rest, ok := under(path, mod); ok {
		if dir, ok := root.Join(rest); ok && b.holdsGo(dir) {
			return dir, true
		}
	}
	return b.replaced(root, m, path)
}

// replaced applies the replace directives that point into the tree.
func (b *binder) replaced(root graph.Path, m *graph.Facts, path string) (graph.Path, bool) {
	for _, p := range m.Manifest {
		if p.Key != "replace" || !startsModule(p.Value, path) {
			continue
		}
		old, target, ok := strings.Cut(p.Value, " => ")
		old, _, _ = strings.Cut(old, " ")
		if !ok || !strings.HasPrefix(target, ".") {
			continue
		}
		rest, ok := under(path, old)
		if !ok {
			continue
		}
		if dir, ok := root.Join(target + "/" + rest); ok && b.holdsGo(dir) {
			return dir, true
		}
	}
	return "", false
}

// startsModule reports whether the first word of a directive is a prefix of path. A
// go.mod may have hundreds of directives, and each external import asks all of them.
func startsModule(directive, path string) bool {
	i := 0
	for i < len(directive) && i < len(path) && directive[i] == path[i] {
		i++
	}
	return i < len(directive) && directive[i] == ' '
}

// otherModule looks for a module of the tree that the path lies in.
func (b *binder) otherModule(path string) (graph.Path, bool) {
	for mod := path; strings.Contains(mod, "."); {
		for _, id := range b.v.Definers(mod) {
			rec, ok := b.v.File(id)
			if !ok || rec.Path.Base() != "go.mod" {
				continue
			}
			if m := b.facts(id); m == nil || modulePath(m) != mod {
				continue
			}
			rest, _ := under(path, mod)
			if dir, ok := rec.Path.Dir().Join(rest); ok && b.holdsGo(dir) {
				return dir, true
			}
		}
		i := strings.LastIndexByte(mod, '/')
		if i < 0 {
			break
		}
		mod = mod[:i]
	}
	return "", false
}

// under returns what follows the module path in an import path.
func under(path, mod string) (rest string, ok bool) {
	if mod == "" {
		return path, true
	}
	rest, ok = strings.CutPrefix(path, mod)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}

// holdsGo reports whether Go files stand in a directory.
func (b *binder) holdsGo(dir graph.Path) bool {
	for _, id := range b.v.Dir(dir) {
		if rec, ok := b.v.File(id); ok && rec.Language == "go" {
			return true
		}
	}
	return false
}

// importPath returns the path under which the package in dir is imported, or "" for
// the root of a tree without a module.
func importPath(v graph.View, dir graph.Path) string {
	return graph.Derived(v, graph.Derivation{Rule: rulePath, In: string(dir)}, func() string {
		return strings.Clone(pathOf(v, dir))
	})
}

func pathOf(v graph.View, dir graph.Path) string {
	s := string(dir)
	if i := strings.LastIndex("/"+s, "/vendor/"); i >= 0 {
		return s[i+len("vendor/"):]
	}
	for root := dir; ; root = root.Dir() {
		if m := moduleAt(v, root, "go.mod"); m != nil {
			mod, rest := modulePath(m), strings.TrimPrefix(strings.TrimPrefix(s, string(root)), "/")
			switch {
			case mod == "std" || mod == "":
				return rest
			case rest == "":
				return mod
			}
			return mod + "/" + rest
		}
		if root == "" {
			return strings.TrimPrefix(s, "src/")
		}
	}
}

func isTestFile(p graph.Path) bool { return strings.HasSuffix(string(p), "_test.go") }
