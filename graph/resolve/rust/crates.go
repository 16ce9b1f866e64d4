package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// setting returns the value of a manifest key.
func setting(f *graph.Facts, key string) string {
	if f == nil {
		return ""
	}
	for i := range f.Manifest {
		if f.Manifest[i].Key == key {
			return f.Manifest[i].Value
		}
	}
	return ""
}

// manifestOf returns the manifest of the package that a directory belongs to, or 0.
func (b *binder) manifestOf(dir graph.Path) graph.FileID {
	return graph.Derived(b.v, graph.Derivation{Rule: ruleManifest, In: string(dir)}, func() graph.FileID {
		for d := dir; ; d = d.Dir() {
			if p, ok := d.Join("Cargo.toml"); ok {
				if id, ok := b.v.Lookup(p); ok {
					if f := b.facts(id); setting(f, "name") != "" {
						return id
					}
				}
			}
			if d == "" {
				return 0
			}
		}
	})
}

// manifest returns the facts of the manifest of a file's package, or nil.
func (b *binder) manifest() *graph.Facts {
	if id := b.manifestOf(b.f.Path.Dir()); id != 0 {
		return b.facts(id)
	}
	return nil
}

// libRoot returns the file that a package's library begins with, or 0.
func (b *binder) libRoot(m *graph.Facts) graph.FileID {
	dir := m.Path.Dir()
	for _, guess := range [...]string{setting(m, "lib"), "src/lib.rs", "lib.rs"} {
		if guess == "" {
			continue
		}
		if p, ok := dir.Join(guess); ok {
			if id, ok := b.v.Lookup(p); ok {
				return id
			}
		}
	}
	return 0
}

// externCrate returns the root of a crate that the file's package calls by a name; known
// says that the name is one of a crate, in the tree or not.
func (b *binder) externCrate(name string) (root graph.FileID, known bool) {
	if name == "std" || name == "core" || name == "alloc" || name == "proc_macro" || name == "test" {
		return 0, true
	}
	m := b.manifest()
	key := graph.Derivation{Rule: ruleCrate, Name: name}
	if m != nil {
		key.In = string(m.Path)
	}
	root = graph.Derived(b.v, key, func() graph.FileID { return b.findCrate(m, name) })
	return root, root != 0 || m != nil && (setting(m, "crate:"+name) != "" || setting(m, "crate") == name)
}

func (b *binder) findCrate(m *graph.Facts, name string) graph.FileID {
	if m == nil {
		return b.crateNamed(name, name, "")
	}
	dep := setting(m, "crate:"+name)
	if dep == "" {
		if setting(m, "crate") == name {
			return b.libRoot(m)
		}
		return 0
	}
	if !strings.Contains(dep, " ") { // the workspace may say more
		dep = b.workspaceCrate(m, name, dep)
	}
	for w := range strings.FieldsSeq(dep) {
		if rest, ok := strings.CutPrefix(w, "="); ok {
			if p, ok := graph.Path(path.Dir(string(m.Path))).Join(rest + "/Cargo.toml"); ok {
				if id, ok := b.v.Lookup(p); ok {
					return b.libRoot(b.facts(id))
				}
			}
		}
	}
	return b.crateNamed(firstWord(dep), name, askedVersion(dep))
}

// askedVersion returns the version that a dependency asks for, or "".
func askedVersion(dep string) (version string) {
	for w := range strings.FieldsSeq(dep) {
		if rest, ok := strings.CutPrefix(w, "@"); ok {
			version = rest
		}
	}
	return version
}

func (b *binder) workspaceCrate(m *graph.Facts, name, dep string) string {
	for d := m.Path.Dir(); d != ""; {
		d = d.Dir()
		p, _ := d.Join("Cargo.toml")
		if id, ok := b.v.Lookup(p); ok {
			f := b.facts(id)
			if w := setting(f, "workspace-crate:"+name); w != "" {
				if before, rel, ok := strings.Cut(w, " ="); ok { // relative to the workspace
					if full, ok := d.Join(rel + "/Cargo.toml"); ok {
						if id, ok := b.v.Lookup(full); ok {
							return before + " @" + setting(b.facts(id), "version")
						}
					}
				}
				return w
			}
		}
	}
	return dep
}

// crateNamed finds the library of a package of the tree by its name. Of several
// versions it takes the one that begins like what is asked for.
func (b *binder) crateNamed(pkg, crate, version string) graph.FileID {
	ids := b.v.Definers(strings.ReplaceAll(pkg, "-", "_"))
	if crate != pkg {
		ids = append(slices.Clip(ids), b.v.Definers(crate)...)
	}
	version = strings.TrimLeft(version, "^=~ ")
	var best *graph.Facts
	better := 0
	for _, id := range ids {
		rec, ok := b.v.File(id)
		if !ok || rec.Path.Base() != "Cargo.toml" {
			continue
		}
		f := b.facts(id)
		if f == nil || setting(f, "name") != pkg && setting(f, "crate") != pkg {
			continue
		}
		n := 1 + commonVersion(setting(f, "version"), version)
		if n > better || n == better && f.Path < best.Path {
			best, better = f, n
		}
	}
	if best == nil {
		return 0
	}
	return b.libRoot(best)
}

// commonVersion counts the leading numbers that two versions share.
func commonVersion(a, b string) (n int) {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	return n
}

// packageDir is the directory of a file's package.
func (b *binder) packageDir(p graph.Path) graph.Path {
	if id := b.manifestOf(p.Dir()); id != 0 {
		if rec, ok := b.v.File(id); ok {
			return rec.Path.Dir()
		}
	}
	return ""
}

// below reports whether a path stands in a directory or below it.
func below(p, dir graph.Path) bool {
	return dir == "" || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}
