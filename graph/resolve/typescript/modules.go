package typescript

import (
	"path"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// suffixes lists what a specifier may leave out, in the order in which an importer
// of either kind tries it.
func suffixes(js bool) [11]string {
	if js {
		return [...]string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"}
	}
	return [...]string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"}
}

// stripSuffix removes the suffix that import specifiers leave out.
func stripSuffix(s string) string {
	for _, ext := range [...]string{".d.mts", ".d.cts", ".d.ts", ".tsx", ".mts", ".cts", ".ts", ".jsx", ".mjs", ".cjs", ".js"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" && !strings.HasSuffix(t, "/") {
			return t
		}
	}
	return s
}

// sourcesOf lists the suffixes of the possible sources of a compiled module, or
// nil for the suffix of anything else.
func sourcesOf(ext string) []string {
	switch ext {
	case ".js":
		return []string{".ts", ".tsx", ".d.ts"}
	case ".jsx":
		return []string{".tsx", ".d.ts"}
	case ".mjs":
		return []string{".mts", ".d.mts"}
	case ".cjs":
		return []string{".cts", ".d.cts"}
	}
	return nil
}

// module finds the file that a specifier names. external says that the specifier
// leads out of the tree; neither means that it is broken.
func (b *binder) module(from graph.Path, spec string) (id graph.FileID, external bool) {
	if i := strings.IndexAny(spec, "?!"); i > 0 {
		spec = spec[:i] // bundlers' queries and loaders
	}
	if spec == "" {
		return 0, false
	}
	if spec[0] == '.' {
		base, ok := from.Dir().Join(spec)
		if !ok {
			return 0, true
		}
		return b.file(from, base), false
	}
	if spec[0] == '/' {
		return b.file(from, graph.Path(strings.TrimPrefix(path.Clean(spec), "/"))), true
	}
	if strings.HasPrefix(spec, "node:") {
		return 0, true
	}
	if id := b.mapped(from, spec); id != 0 {
		return id, false
	}
	if id := b.packaged(from, spec); id != 0 {
		return id, false
	}
	return b.ambient(spec), true
}

// file tries a path without suffix, with it, and as a directory.
func (b *binder) file(from, base graph.Path) graph.FileID {
	js := isJavaScript(from)
	ext := base.Ext()
	if sources := sourcesOf(ext); sources != nil && (!js || !b.exists(base)) {
		stem := base[:len(base)-len(ext)]
		for _, src := range sources {
			if id, ok := b.v.Lookup(stem + graph.Path(src)); ok {
				return id
			}
		}
	}
	if id, ok := b.v.Lookup(base); ok && base != "" {
		return id
	}
	if base != "" {
		if id := b.suffixed(base, js); id != 0 {
			return id
		}
		if id := b.packageMain(from, base); id != 0 {
			return id
		}
	}
	index, _ := base.Join("index")
	return b.suffixed(index, js)
}

func (b *binder) exists(p graph.Path) bool {
	_, ok := b.v.Lookup(p)
	return ok
}

func (b *binder) suffixed(base graph.Path, js bool) graph.FileID {
	for _, ext := range suffixes(js) {
		if id, ok := b.v.Lookup(base + graph.Path(ext)); ok {
			return id
		}
	}
	return 0
}

func isJavaScript(p graph.Path) bool {
	switch p.Ext() {
	case ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// ambient finds the file that declares a module of the name: declare module "x".
func (b *binder) ambient(spec string) graph.FileID {
	ids, ok := b.definers(spec)
	if !ok {
		return 0
	}
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || !served(f.Language) {
			continue
		}
		for i := range f.Defs {
			if d := &f.Defs[i]; d.Name == spec && d.Kind == graph.KindModule {
				return id
			}
		}
	}
	return 0
}
