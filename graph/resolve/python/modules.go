package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// isPackage reports whether a directory is a regular package.
func isPackage(v graph.View, dir graph.Path) bool {
	if dir == "" {
		return false // nothing could import it by name
	}
	_, ok := v.Lookup(dir + "/__init__.py")
	if !ok {
		_, ok = v.Lookup(dir + "/__init__.pyi")
	}
	return ok
}

// packageRoot returns the directory that holds the outermost package around dir:
// what the interpreter has on its path. A directory without __init__.py below a
// package counts as part of it; one that stands alone is its own root.
func packageRoot(v graph.View, dir graph.Path) (root graph.Path, inside bool) {
	at := dir
	for at != "" && !isPackage(v, at) {
		at = at.Dir()
	}
	if at == "" {
		return dir, false
	}
	for isPackage(v, at) {
		at = at.Dir()
	}
	return at, true
}

// moduleName returns the dotted name of the module that a file is.
func moduleName(v graph.View, p graph.Path) string {
	root, inside := packageRoot(v, p.Dir())
	rest := string(p)
	switch {
	case inside && root != "":
		rest = rest[len(root)+1:]
	case !inside:
		for _, prefix := range [...]string{"src/", "lib/"} {
			rest = strings.TrimPrefix(rest, prefix)
		}
	}
	rest = strings.TrimSuffix(strings.TrimSuffix(rest, ".pyi"), ".py")
	if dir, ok := strings.CutSuffix(rest, "/__init__"); ok {
		rest = dir
	}
	return strings.ReplaceAll(rest, "/", ".")
}

// module is where a module path leads: to a file, to a directory that is a
// namespace package, out of the tree, or nowhere.
type module struct {
	file     graph.FileID
	dir      graph.Path // of a package or namespace package, else ""
	isFile   bool
	isDir    bool
	external bool
	far      bool // in another project of the tree
}

func (m module) binding(reason graph.Reason) graph.Binding {
	switch {
	case m.isFile:
		return bind([]found{m.found(reason)})
	case m.external:
		return graph.Binding{External: true, Reason: reason}
	}
	return graph.Binding{}
}

// found is the file of a module.
func (m module) found(reason graph.Reason) found {
	conf := float32(1)
	if m.far {
		conf = confProject
	}
	return found{sym: graph.Symbol{File: m.file, Def: graph.NoDef}, conf: conf, reason: reason}
}

// moduleAt looks for a module at a path without suffix.
func (r *run) moduleAt(p graph.Path) module {
	for _, pkg := range [...]graph.Path{"/__init__.py", "/__init__.pyi"} {
		if id, ok := r.v.Lookup(p + pkg); ok {
			return module{file: id, dir: p, isFile: true, isDir: true}
		}
	}
	for _, suffix := range [...]graph.Path{".py", ".pyi"} {
		if id, ok := r.v.Lookup(p + suffix); ok {
			return module{file: id, isFile: true}
		}
	}
	if len(r.v.Dir(p)) > 0 {
		return module{dir: p, isDir: true}
	}
	return module{}
}

// findModule finds the module that text names in an import statement of a file.
func (r *run) findModule(from graph.Path, text string) module {
	rest := strings.TrimLeft(text, ".")
	if dots := len(text) - len(rest); dots > 0 {
		dir := from.Dir()
		for range dots - 1 {
			if dir == "" {
				return module{}
			}
			dir = dir.Dir()
		}
		if rest == "" {
			return r.moduleAt(dir)
		}
		return r.moduleAt(join(dir, rest))
	}
	if rest == "" {
		return module{}
	}
	top, _, _ := strings.Cut(rest, ".")
	known := false
	var namespace module
	for _, root := range r.roots(from) {
		m := r.moduleAt(join(root, rest))
		if m.isFile {
			return m
		}
		// A directory is taken last: it may be a part of a tree that stands whole
		// elsewhere.
		if m.isDir && !namespace.isDir && (rest != top || namespaceOf(r.v, m.dir)) {
			namespace = m
		}
		known = known || isPackage(r.v, join(root, top))
	}
	if namespace.isDir {
		return namespace
	}
	if known {
		return module{}
	}
	return r.inProjects(rest)
}

// namespaceOf reports whether a directory without __init__.py holds modules, so
// that its name can be imported. Any other directory only looks like one.
func namespaceOf(v graph.View, dir graph.Path) bool {
	for _, id := range v.Dir(dir) {
		if f, ok := v.File(id); ok && f.Language == "python" {
			return true
		}
	}
	return false
}

func join(dir graph.Path, dotted string) graph.Path {
	rel := graph.Path(strings.ReplaceAll(dotted, ".", "/"))
	if dir == "" {
		return rel
	}
	return dir + "/" + rel
}

// imported finds what the from-import im gives its name to.
func (r *run) imported(f *graph.Facts, id graph.FileID, im *graph.Import) []found {
	if !r.spend() {
		return nil
	}
	m := r.findModule(f.Path, im.Module)
	if m.external {
		if all, known := r.byModuleName(im); known {
			return all
		}
		return []found{external(graph.ReasonImport)}
	}
	if m.isFile && m.file == id && im.Module == "." {
		// "from . import x" in a package's own __init__ takes the submodule.
		return r.submodule(m, im.Name, graph.ReasonImport)
	}
	all := r.moduleMember(m, im.Name, graph.ReasonImport)
	if m.far {
		all = unsure(all, confProject)
	}
	if len(all) == 0 && m.isFile {
		if g := r.facts(m.file); g != nil && r.starFromOutside(g) {
			return []found{external(graph.ReasonStar)}
		}
	}
	return all
}

// boundByImport finds what a plain or from-import binds in its file: "import a.b"
// binds "a".
func (r *run) boundByImport(f *graph.Facts, id graph.FileID, im *graph.Import) []found {
	if im.Name != "" {
		return r.imported(f, id, im)
	}
	name := im.Module
	if top, _, ok := strings.Cut(name, "."); ok && im.Alias == top {
		name = top
	}
	m := r.findModule(f.Path, name)
	switch {
	case m.isFile:
		return []found{m.found(graph.ReasonImport)}
	case m.external:
		return []found{external(graph.ReasonImport)}
	}
	return nil
}

// moduleMember finds a name in a module: what it defines or imports, else a
// module inside the package.
func (r *run) moduleMember(m module, name string, reason graph.Reason) []found {
	if m.isFile {
		if all := r.topLevel(m.file, name, reason); len(all) > 0 {
			return all
		}
	}
	return r.submodule(m, name, reason)
}

func (r *run) submodule(m module, name string, reason graph.Reason) []found {
	if !m.isDir {
		return nil
	}
	sub := r.moduleAt(join(m.dir, name))
	if !sub.isFile {
		return nil
	}
	return []found{{sym: graph.Symbol{File: sub.file, Def: graph.NoDef}, conf: 1, reason: reason}}
}

// moduleOf says what module a file is.
func (r *run) moduleOf(id graph.FileID) module {
	m := module{file: id, isFile: true}
	if f, ok := r.v.File(id); ok && strings.HasPrefix(f.Path.Base(), "__init__.py") {
		m.dir, m.isDir = f.Path.Dir(), true
	}
	return m
}
