package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxReferrers bounds how many files are read for aliases of one name.
const maxReferrers = 128

// names lists the names under which files refer to a symbol.
func (b *binder) names(s graph.Symbol) []string {
	f := b.facts(s.File)
	if f == nil {
		return nil
	}
	if s.Def < 0 {
		return fileNames(f.Path)
	}
	if int(s.Def) >= len(f.Defs) {
		return nil
	}
	d := &f.Defs[s.Def]
	out := []string{d.Name}
	if d.Name == "constructor" && d.Container >= 0 {
		out = append(out, f.Defs[d.Container].Name, "super")
		if f.Defs[d.Container].Has(graph.FlagDefault) {
			out = append(out, "default")
		}
	}
	if d.Kind == graph.KindClass {
		out = append(out, "super")
	}
	if d.Has(graph.FlagDefault) && d.Name != "default" {
		out = append(out, "default")
	}
	if d.Container < 0 {
		out = b.aliases(out, s, d.Name)
		if isWhole(f, d) {
			out = append(out, "require")
		}
	}
	return out
}

// isWhole reports whether the module sets module.exports to d: require("m")() calls it.
func isWhole(f *graph.Facts, d *graph.Def) bool {
	const listed = graph.ImportExport | graph.ImportDynamic
	return d.Has(graph.FlagWhole) || slices.ContainsFunc(f.Imports, func(im graph.Import) bool {
		return im.Alias == "default" && im.Name == d.Name && im.Flags&listed == listed
	})
}

// aliases adds the other names that importers and export lists give the symbol.
func (b *binder) aliases(out []string, s graph.Symbol, name string) []string {
	ids := b.v.Referrers(name)
	if len(ids) > maxReferrers {
		ids = ids[:maxReferrers]
	}
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || !served(f.Language) {
			continue
		}
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Name != name || im.Alias == "" || im.Alias == name || has(out, im.Alias) {
				continue
			}
			b.steps = 0
			r := b.imported(scope{f, id, im.Enclosing}, i, anySpace)
			for _, t := range r.syms {
				if t == s {
					out = append(out, im.Alias)
					break
				}
			}
		}
	}
	return out
}

func has(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// fileNames lists the last elements of specifiers that may mean the file.
func fileNames(p graph.Path) []string {
	stem := stripSuffix(p.Base())
	out := []string{stem}
	add := func(s string) {
		if s != "" && s != "." && !has(out, s) {
			out = append(out, s)
		}
	}
	add(p.Base())
	for _, ext := range [...]string{".js", ".mjs", ".cjs", ".jsx"} {
		add(stem + ext)
	}
	add(strings.TrimSuffix(p.Base(), ".svelte")) // what tags call the component
	if stem == "index" {
		add(path.Base(string(p.Dir())))
	}
	return out
}
