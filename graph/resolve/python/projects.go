package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// What imports of whole directories need again and again is derived once, where the
// view keeps it.
const (
	ruleRoots     = "python/roots"     // In: directory
	ruleElsewhere = "python/elsewhere" // Name: first part of a module's name
)

// roots lists the directories from which a file may import by absolute names: that of
// its own outermost package first, then those around it, each behind the source folders
// of the project that it holds, then the usual source folders.
func (r *run) roots(from graph.Path) []graph.Path {
	root, _ := packageRoot(r.v, from.Dir())
	return graph.Derived(r.v, graph.Derivation{Rule: ruleRoots, In: string(root)}, func() []graph.Path {
		at := graph.Path(strings.Clone(string(root)))
		roots := []graph.Path{at}
		for {
			for _, p := range append(r.projectRoots(at), at) {
				if !slices.Contains(roots, p) {
					roots = append(roots, p)
				}
			}
			if at == "" {
				return append(roots, "src", "lib", "python")
			}
			at = at.Dir()
		}
	})
}

// projectRoots lists the source folders of the project in a directory: those that its
// files name, and "src". It lists none where no project stands.
func (r *run) projectRoots(dir graph.Path) (roots []graph.Path) {
	found := false
	for _, name := range [...]string{"pyproject.toml", "setup.cfg", "setup.py"} {
		p, _ := dir.Join(name)
		id, ok := r.v.Lookup(p)
		if !ok {
			continue
		}
		found = true
		f := r.facts(id)
		if f == nil {
			continue
		}
		for _, pair := range f.Manifest {
			at := pair.Value
			switch pair.Key {
			case "where", "package-dir":
			case "packages": // hatch names the package where it stands
				at = string(graph.Path(at).Dir())
			default:
				continue
			}
			if at == "" || at == "." {
				continue
			}
			if p, ok := dir.Join(strings.TrimSuffix(at, "/")); ok && !slices.Contains(roots, p) {
				roots = append(roots, graph.Path(strings.Clone(string(p))))
			}
		}
	}
	if src, ok := dir.Join("src"); found && ok && !slices.Contains(roots, src) {
		roots = append(roots, src)
	}
	return roots
}

// elsewhere lists the source folders of all projects in the tree that hold a module or
// package of a name.
func (r *run) elsewhere(top string) []graph.Path {
	return graph.Derived(r.v, graph.Derivation{Rule: ruleElsewhere, Name: top}, func() (out []graph.Path) {
		for _, dir := range r.projects() {
			for _, root := range append(r.projectRoots(dir), dir) {
				m := r.moduleAt(join(root, top))
				if (m.isFile || m.isDir && namespaceOf(r.v, m.dir)) && !slices.Contains(out, root) {
					out = append(out, graph.Path(strings.Clone(string(root))))
				}
			}
		}
		return out
	})
}

// projects lists the directories of the tree that hold a project.
func (r *run) projects() (dirs []graph.Path) {
	note := func(files []graph.FileID, names ...string) {
		for _, id := range files {
			f, ok := r.v.File(id)
			if ok && slices.Contains(names, f.Path.Base()) && !slices.Contains(dirs, f.Path.Dir()) {
				dirs = append(dirs, f.Path.Dir())
			}
		}
	}
	for _, table := range [...]string{"project", "build-system", "poetry", "metadata", "options"} {
		note(r.v.Definers(table), "pyproject.toml", "setup.cfg")
	}
	note(r.v.Referrers("setup"), "setup.py")
	slices.SortFunc(dirs, cmp.Compare[graph.Path])
	return dirs
}

// inProjects finds a module that no directory around the importer holds in the other
// projects of the tree. Where several have it, the text does not say which is meant.
func (r *run) inProjects(name string) module {
	top, _, _ := strings.Cut(name, ".")
	if ofStdlib(top) {
		return module{external: true}
	}
	roots := r.elsewhere(top)
	var one module
	for _, root := range roots {
		m := r.moduleAt(join(root, name))
		if !m.isFile {
			continue
		}
		if one.isFile && one.file != m.file {
			return module{}
		}
		one = m
		one.far = true
	}
	if !one.isFile && len(roots) == 0 {
		return module{external: true}
	}
	return one
}

// maxNamesakes bounds the files that are looked at for a module of a name.
const maxNamesakes = 32

// byModuleName finds what a from-import takes in the one module of the tree that has
// the full name and defines it, wherever that stands. known reports whether there is
// any.
func (r *run) byModuleName(im *graph.Import) (all []found, known bool) {
	top, _, _ := strings.Cut(im.Module, ".")
	if im.Name == "" || im.Name == "*" || strings.HasPrefix(im.Module, ".") || ofStdlib(top) {
		return nil, false
	}
	ids := r.v.Definers(im.Name)
	if len(ids) > maxNamesakes {
		return nil, false
	}
	var files []graph.FileID
	for _, id := range ids {
		if f, ok := r.v.File(id); ok && f.Language == "python" && moduleName(r.v, f.Path) == im.Module {
			files = append(files, id)
		}
	}
	if len(files) != 1 {
		return nil, len(files) > 0
	}
	return unsure(r.topLevel(files[0], im.Name, graph.ReasonUnique), confNamesake), true
}

// Confidence of what no directory around the importer holds.
const (
	confProject  = 0.8 // in another project of the tree
	confNamesake = 0.6 // in a module of the name, wherever it stands
)

// unsure caps the confidence of what was found.
func unsure(all []found, conf float32) []found {
	for i := range all {
		all[i].conf = min(all[i].conf, conf)
	}
	return all
}

// ofStdlib reports whether a name is that of a module of the standard library that
// folders are likely to share it with: an import of it means the library.
func ofStdlib(top string) bool {
	switch top {
	case "abc", "argparse", "array", "ast", "asyncio", "base64", "bisect", "builtins", "calendar", "cmd", "code", "codecs",
		"collections", "concurrent", "configparser", "contextlib", "copy", "csv", "ctypes", "dataclasses", "datetime", "decimal",
		"difflib", "dis", "email", "enum", "errno", "fractions", "functools", "gc", "getpass", "glob", "gzip", "hashlib", "heapq",
		"hmac", "html", "http", "importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword", "locale", "logging",
		"math", "mimetypes", "multiprocessing", "numbers", "operator", "os", "parser", "pathlib", "pdb", "pickle", "pkgutil",
		"platform", "pprint", "profile", "queue", "random", "re", "secrets", "select", "selectors", "shelve", "shlex", "shutil",
		"signal", "site", "socket", "sqlite3", "ssl", "stat", "statistics", "string", "struct", "subprocess", "symbol", "symtable",
		"sys", "tempfile", "test", "textwrap", "threading", "time", "timeit", "token", "tokenize", "tomllib", "trace", "traceback",
		"types", "typing", "unicodedata", "unittest", "urllib", "uuid", "venv", "warnings", "weakref", "xml", "zipfile", "zlib":
		return true
	}
	return false
}
