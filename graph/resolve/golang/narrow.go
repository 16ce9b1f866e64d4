package golang

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Narrow keeps the files that see a definition: those of its directory and, where it
// is exported, those that import it. A file that imports a directory refers to its
// last element. What belongs to a type is reached without an import.
func (Resolver) Narrow(v graph.View, s graph.Symbol, files []graph.FileID) (some []graph.FileID, ok bool) {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil, false
	}
	d := &f.Defs[s.Def]
	if d.Has(graph.FlagLocal) || d.Has(graph.FlagExported) && (d.Container != graph.NoDef || d.Owner != "") {
		return nil, false
	}
	dir := f.Path.Dir()
	var importers []graph.FileID
	if d.Has(graph.FlagExported) {
		if dir == "" || newBinder(v, f, s.File).isRoot(dir) {
			return nil, false // its import path may end otherwise
		}
		importers = v.Referrers(dir.Base())
	}
	for _, id := range files {
		rec, live := v.File(id)
		if !live {
			continue
		}
		_, imports := slices.BinarySearch(importers, id)
		if imports || rec.Language != "go" || rec.Path.Dir() == dir {
			some = append(some, id)
		}
	}
	return some, true
}
