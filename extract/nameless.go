package extract

import (
	"maps"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// dropNameless takes out the definitions that have no name: a parser that goes on behind
// an error puts a name of no bytes where one must be. What they hold belongs to what
// holds them.
func dropNameless(f *graph.Facts) {
	to := make([]int32, len(f.Defs))
	kept := f.Defs[:0:0]
	for i := range f.Defs {
		if f.Defs[i].Name != "" {
			to[i] = int32(len(kept))
			kept = append(kept, f.Defs[i])
			continue
		}
		to[i] = graph.NoDef - 1 // not known before those around it are
	}
	if len(kept) == len(f.Defs) {
		return
	}
	moved := func(def int32) int32 {
		for steps := 0; def >= 0 && int(def) < len(to) && steps <= len(to); steps++ {
			if to[def] >= 0 {
				return to[def]
			}
			def = f.Defs[def].Container
		}
		return graph.NoDef
	}
	for i := range kept {
		kept[i].Container = moved(kept[i].Container)
	}
	for i := range f.Refs {
		f.Refs[i].Enclosing = moved(f.Refs[i].Enclosing)
	}
	for i := range f.Imports {
		f.Imports[i].Enclosing = moved(f.Imports[i].Enclosing)
	}
	for i := range f.Mentions {
		f.Mentions[i].Enclosing = moved(f.Mentions[i].Enclosing)
	}
	bases := f.Heritage[:0]
	for _, h := range f.Heritage {
		if h.Def == graph.NoDef || to[h.Def] >= 0 {
			h.Def = moved(h.Def)
			bases = append(bases, h)
		}
	}
	f.Heritage = bases
	count := map[int32]uint32{}
	for _, v := range f.ValueCalls {
		count[moved(v.Enclosing)] += v.Count
	}
	f.ValueCalls = nil
	for _, def := range slices.Sorted(maps.Keys(count)) {
		f.ValueCalls = append(f.ValueCalls, graph.ValueCalls{Enclosing: def, Count: count[def]})
	}
	f.Defs = kept
}
