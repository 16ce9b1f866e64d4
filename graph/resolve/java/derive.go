package java

import "github.com/ralph-index/ralph-index/graph"

// What most bindings need again and again is derived once, where the view keeps it.
// Each key names all that its value depends on beside the view.
const (
	ruleType    = "java/type"    // File, Name: at the top level of a file
	ruleInner   = "java/inner"   // File, In: definition, Name
	ruleNested  = "java/nested"  // Name
	rulePackage = "java/package" // In, Owner: directory and package of the file that asks, Package, Name
	ruleHolds   = "java/holds"   // In, Owner: as before, Package
	ruleAbove   = "java/above"   // File, In: definition
)

// none is no definition.
var none = graph.Symbol{Def: graph.NoDef} //nolint:gochecknoglobals // immutable

// withFacts gives a symbol its facts: the view may not keep those as long as what is
// derived from them.
func (b *binder) withFacts(s graph.Symbol) sym {
	if s.Def == graph.NoDef {
		return sym{}
	}
	f := b.facts(s.File)
	if f == nil || int(s.Def) >= len(f.Defs) {
		return sym{}
	}
	return sym{f, s.File, s.Def}
}
