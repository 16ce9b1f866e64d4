package java

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Narrow keeps the files that see a definition: its own, where it is private or local;
// those that name the class, where it is a constructor.
func (Resolver) Narrow(v graph.View, s graph.Symbol, files []graph.FileID) (some []graph.FileID, ok bool) {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil, false
	}
	d := &f.Defs[s.Def]
	var users []graph.FileID
	switch {
	case isConstructor(f, s.Def) || isTypeKind(d.Kind) && !d.Has(graph.FlagLocal):
		users = v.Referrers(d.Name)
	case d.Has(graph.FlagLocal) || onlyModifiers(before(d.Signature, " ")) && before(d.Signature, " ") == "private":
	default:
		return nil, false
	}
	for _, id := range files {
		rec, live := v.File(id)
		if !live {
			continue
		}
		if _, names := slices.BinarySearch(users, id); names || id == s.File || rec.Language != "java" {
			some = append(some, id)
		}
	}
	return some, true
}
