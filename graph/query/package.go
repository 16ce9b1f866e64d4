package query

import (
	"maps"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Where the files of a directory make one package, as in Go, an import leads to all of
// them, and a question about the package is one about them together. Such a package
// stands in an answer as its first file, under the package's name: while one is a
// target, its files are one symbol, and what they use of each other is no edge.

// packages are the packages that are targets of a question.
type packages struct {
	first map[graph.Symbol]graph.Symbol   // of each file, the one that stands for it
	parts map[graph.Symbol][]graph.Symbol // the files of the one that stands for them
}

// packageOf lists the files of the package that a file belongs to and that an import
// takes as a whole; nil where there is none.
func (r *reader) packageOf(file graph.FileID) []graph.FileID {
	rec, ok := r.v.File(file)
	if !ok {
		return nil
	}
	ids := r.packageIn(rec.Language, rec.Path.Dir())
	if !slices.Contains(ids, file) {
		return nil // tests
	}
	return ids
}

func (r *reader) packageIn(language string, dir graph.Path) []graph.FileID {
	if pk, ok := r.p.byLang[language].(graph.Packager); ok {
		return pk.Package(r.v, dir)
	}
	return nil
}

// packageName returns the name of the package that a file belongs to, as an import
// writes it; "" where there is none.
func (r *reader) packageName(file graph.FileID) string {
	f := r.facts(file)
	if res := r.resolver(f); res != nil {
		return res.Qualify(r.v, f, file, graph.NoDef)
	}
	return ""
}

// unite makes the files of a package one symbol for the rest of the question.
func (r *reader) unite(files []graph.FileID) graph.Symbol {
	p := &packages{first: make(map[graph.Symbol]graph.Symbol), parts: make(map[graph.Symbol][]graph.Symbol)}
	if r.united != nil { // others may read it
		maps.Copy(p.first, r.united.first)
		maps.Copy(p.parts, r.united.parts)
	}
	whole := graph.Symbol{File: files[0], Def: graph.NoDef}
	p.parts[whole] = nil
	for _, id := range files {
		s := graph.Symbol{File: id, Def: graph.NoDef}
		p.first[s] = whole
		p.parts[whole] = append(p.parts[whole], s)
	}
	r.united = p
	return whole
}

// packageAt returns what stands for a file to which an import leads: the package that
// it belongs to, which is one symbol from then on, or the file.
func (r *reader) packageAt(file graph.Symbol) graph.Symbol {
	if r.united != nil {
		if whole, ok := r.united.first[file]; ok {
			return whole
		}
	}
	if files := r.packageOf(file.File); len(files) > 0 {
		return r.unite(files)
	}
	return file
}

// partsOf lists the files of a package that is a target; of anything else itself.
func (r *reader) partsOf(s graph.Symbol) []graph.Symbol {
	if r.united != nil && r.united.parts[s] != nil {
		return r.united.parts[s]
	}
	return []graph.Symbol{s}
}

// isPackage reports whether s stands for a package that is a target.
func (r *reader) isPackage(s graph.Symbol) bool { return r.united != nil && r.united.parts[s] != nil }

// whole returns the symbol that stands for s.
func (r *reader) wholeOf(s graph.Symbol) graph.Symbol {
	if r.united != nil && s.Def == graph.NoDef {
		if w, ok := r.united.first[s]; ok {
			return w
		}
	}
	return s
}

// joined gathers edges of all files of s, and lets packages stand for their files.
func (r *reader) joined(s graph.Symbol, of func(graph.Symbol) []edge) []edge {
	if r.united == nil {
		return of(s)
	}
	var out []edge
	for _, part := range r.partsOf(s) {
		for _, e := range of(part) { // which may be shared
			src, dst := r.wholeOf(e.src), r.wholeOf(e.dst)
			if src == dst && e.src != e.dst {
				continue
			}
			e.src, e.dst = src, dst
			out = append(out, e)
		}
	}
	return dedupe(out)
}

// in returns the edges that end at s.
func (r *reader) in(s graph.Symbol) []edge { return r.joined(s, r.inOf) }

// bound returns the edges that end at s and are the same seen from their source.
func (r *reader) bound(s graph.Symbol) []edge { return r.joined(s, r.boundOf) }

// out returns the edges that start at s.
func (r *reader) out(s graph.Symbol) []edge {
	return r.joined(s, func(s graph.Symbol) []edge { return r.outgoing(s).edges })
}
