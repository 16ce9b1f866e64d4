package typescript

import (
	"path"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Keys of manifest facts that the binding rules read; extract documents them all.
const (
	keyName       = "name"
	keyExports    = "exports"
	keyImports    = "imports"
	keyWorkspaces = "workspaces"
	keyExtends    = "extends"
	keyBaseURL    = "baseUrl"
	keyPaths      = "paths:"
)

// setting returns the value of a manifest key.
func setting(f *graph.Facts, key string) (string, bool) {
	for i := range f.Manifest {
		if f.Manifest[i].Key == key {
			return f.Manifest[i].Value, true
		}
	}
	return "", false
}

// manifest returns the facts of dir/name where that is a manifest.
func (b *binder) manifest(dir graph.Path, name string) *graph.Facts {
	p, _ := dir.Join(name)
	id, ok := b.v.Lookup(p)
	if !ok {
		return nil
	}
	f := b.facts(id)
	if f == nil || len(f.Manifest) == 0 {
		return nil
	}
	return f
}

// upward calls try for dir and each directory above it until it returns true.
func upward(dir graph.Path, try func(graph.Path) bool) {
	for {
		if try(dir) || dir == "" {
			return
		}
		dir = dir.Dir()
	}
}

// maxExtends bounds a chain of extends entries of tsconfig files.
const maxExtends = 6

// mapped resolves a bare specifier by paths and baseUrl of the nearest
// configuration file.
func (b *binder) mapped(from graph.Path, spec string) (id graph.FileID) {
	upward(from.Dir(), func(dir graph.Path) bool {
		for _, name := range [...]string{"tsconfig.json", "jsconfig.json", "tsconfig.base.json"} {
			f := b.manifest(dir, name)
			if f == nil {
				continue
			}
			for hops := 0; f != nil && id == 0 && hops < maxExtends; hops++ {
				id = b.mappedBy(from, f, spec)
				f = b.extended(f)
			}
			if id != 0 {
				return true
			}
		}
		return false
	})
	return id
}

func (b *binder) extended(f *graph.Facts) *graph.Facts {
	ext, ok := setting(f, keyExtends)
	if !ok || !strings.HasPrefix(ext, ".") {
		return nil
	}
	p, ok := f.Path.Dir().Join(ext)
	if !ok {
		return nil
	}
	if p.Ext() != ".json" {
		p += ".json"
	}
	return b.manifest(p.Dir(), p.Base())
}

func (b *binder) mappedBy(from graph.Path, f *graph.Facts, spec string) graph.FileID {
	base := f.Path.Dir()
	url, hasBase := setting(f, keyBaseURL)
	if hasBase {
		base, _ = base.Join(url)
	}
	best, target := -1, []string(nil)
	for _, pr := range f.Manifest {
		pattern, ok := strings.CutPrefix(pr.Key, keyPaths)
		if !ok {
			continue
		}
		star, ok := matchPattern(pattern, spec)
		if !ok {
			continue
		}
		size := len(pattern)
		if !strings.Contains(pattern, "*") {
			size = len(pattern) + 1<<16
		}
		if size > best {
			best, target = size, nil
		}
		if size == best {
			target = append(target, strings.Replace(pr.Value, "*", star, 1))
		}
	}
	for _, t := range target {
		if p, ok := base.Join(t); ok {
			if id := b.file(from, p); id != 0 {
				return id
			}
		}
	}
	if hasBase {
		if p, ok := base.Join(spec); ok {
			return b.file(from, p)
		}
	}
	return 0
}

// matchPattern matches spec against a pattern with at most one star and returns
// what the star stands for.
func matchPattern(pattern, spec string) (star string, ok bool) {
	before, after, has := strings.Cut(pattern, "*")
	if !has {
		return "", pattern == spec
	}
	if len(spec) < len(before)+len(after) || !strings.HasPrefix(spec, before) || !strings.HasSuffix(spec, after) {
		return "", false
	}
	return spec[len(before) : len(spec)-len(after)], true
}

// splitSpecifier cuts "@scope/pkg/sub/path" into the package and "./sub/path".
func splitSpecifier(spec string) (pkg, sub string) {
	n := 1
	if strings.HasPrefix(spec, "@") {
		n = 2
	}
	parts := strings.SplitN(spec, "/", n+1)
	if len(parts) <= n {
		return spec, "."
	}
	return strings.Join(parts[:n], "/"), "./" + parts[n]
}

// packaged resolves a bare specifier to a package of the tree: the one around the
// importer, a sibling of a workspace, or one that is installed in the tree.
func (b *binder) packaged(from graph.Path, spec string) (id graph.FileID) {
	pkg, sub := splitSpecifier(spec)
	upward(from.Dir(), func(dir graph.Path) bool {
		f := b.manifest(dir, "package.json")
		if f != nil {
			if strings.HasPrefix(spec, "#") {
				id = b.entry(from, f, keyImports, spec)
				return true
			}
			if name, _ := setting(f, keyName); name == pkg {
				id = b.packageFile(from, f, sub)
				return id != 0
			}
			if id = b.workspace(from, f, pkg, sub); id != 0 {
				return true
			}
		}
		installed, ok := dir.Join("node_modules/" + pkg)
		if m := b.manifest(installed, "package.json"); ok && m != nil {
			id = b.packageFile(from, m, sub)
		}
		return id != 0
	})
	return id
}

// workspace finds a package of a workspace. The tree cannot be listed by package
// name, so a member is looked for where its name says: packages/* with the last
// part of the name, and where the index knows a definition of the name.
func (b *binder) workspace(from graph.Path, root *graph.Facts, pkg, sub string) graph.FileID {
	dirs := []string{}
	for _, pr := range root.Manifest {
		if pr.Key != keyWorkspaces {
			continue
		}
		glob := strings.TrimSuffix(strings.TrimSuffix(pr.Value, "/"), "/**")
		dirs = append(dirs, strings.Replace(glob, "*", path.Base(pkg), 1))
		if strings.HasPrefix(pkg, "@") {
			flat := strings.Replace(strings.TrimPrefix(pkg, "@"), "/", "-", 1)
			dirs = append(dirs, strings.Replace(glob, "*", flat, 1), strings.Replace(glob, "*", pkg, 1))
		}
	}
	for _, d := range dirs {
		p, ok := root.Path.Dir().Join(d)
		if !ok {
			continue
		}
		if m := b.manifest(p, "package.json"); m != nil {
			if name, _ := setting(m, keyName); name == pkg {
				return b.packageFile(from, m, sub)
			}
		}
	}
	return b.packageByName(from, pkg, sub)
}

// packageByName asks the index for the manifest that defines the package name.
func (b *binder) packageByName(from graph.Path, pkg, sub string) graph.FileID {
	ids, ok := b.definers(pkg)
	if !ok {
		return 0
	}
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || f.Path.Base() != "package.json" {
			continue
		}
		if name, _ := setting(f, keyName); name == pkg {
			return b.packageFile(from, f, sub)
		}
	}
	return 0
}

// packageMain resolves a directory that has a manifest of its own.
func (b *binder) packageMain(from, dir graph.Path) graph.FileID {
	if m := b.manifest(dir, "package.json"); m != nil {
		return b.mainOf(from, m)
	}
	return 0
}

// packageFile resolves a path inside a package.
func (b *binder) packageFile(from graph.Path, m *graph.Facts, sub string) graph.FileID {
	if id := b.entry(from, m, keyExports, sub); id != 0 {
		return id
	}
	if sub == "." {
		return b.mainOf(from, m)
	}
	if p, ok := m.Path.Dir().Join(sub); ok {
		if id := b.file(from, p); id != 0 {
			return id
		}
	}
	p, _ := m.Path.Dir().Join("src/" + sub)
	return b.file(from, p)
}

// mainOf finds the file that a package is imported as. Published entries often
// name build output that is not in the tree: the source beside it is next.
func (b *binder) mainOf(from graph.Path, m *graph.Facts) graph.FileID {
	dir := m.Path.Dir()
	for _, key := range [...]string{"source", "types", "typings", "module", "main"} {
		if val, ok := setting(m, key); ok {
			if p, ok := dir.Join(val); ok && p != dir {
				if id := b.file(from, p); id != 0 {
					return id
				}
			}
		}
	}
	for _, guess := range [...]string{"src/index", "index", "lib/index"} {
		p, _ := dir.Join(guess)
		if id := b.suffixed(p, isJavaScript(from)); id != 0 {
			return id
		}
	}
	return 0
}

// entry looks a path up in exports or imports, whose patterns have one star at
// most. A bare "exports" is the package itself. Of what the conditions of an entry name,
// a source goes before what is built from it.
func (b *binder) entry(from graph.Path, m *graph.Facts, table, sub string) (built graph.FileID) {
	for _, pr := range m.Manifest {
		rest, ok := strings.CutPrefix(pr.Key, table)
		if !ok {
			continue
		}
		pattern := "."
		if rest != "" {
			if pattern, ok = strings.CutPrefix(rest, ":"); !ok {
				continue
			}
		}
		star, ok := matchPattern(pattern, sub)
		if !ok {
			continue
		}
		p, ok := m.Path.Dir().Join(strings.ReplaceAll(pr.Value, "*", star))
		if !ok || p == m.Path.Dir() {
			continue
		}
		id := b.file(from, p)
		if f := b.facts(id); id != 0 && (f == nil || f.Role != graph.RoleGenerated) {
			return id
		}
		if built == 0 {
			built = id
		}
	}
	return built
}
