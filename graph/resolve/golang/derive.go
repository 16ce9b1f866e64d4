package golang

import "github.com/ralph-index/ralph-index/graph"

// What most bindings need again and again is derived once, where the view keeps it.
// Each key names all that its value depends on beside the view.
const (
	ruleImport  = "go/import"  // In: directory, Name: import path, Flag: below a module
	ruleNamed   = "go/named"   // Name, File: an import by the name of its package
	ruleScope   = "go/scope"   // In: directory, Name, Package, Flag: also in tests
	ruleMethods = "go/methods" // In: directory, Name, Owner, Package, Flag: also in tests
	rulePath    = "go/path"    // In: directory
	ruleFiles   = "go/files"   // In: directory
	ruleAnchor  = "go/anchor"  // In: directory
)

// withFacts gives symbols their facts: the view may not keep those as long as what is
// derived from them.
func (b *binder) withFacts(symbols []graph.Symbol) []sym {
	if len(symbols) == 0 {
		return nil
	}
	out := make([]sym, 0, len(symbols))
	for _, s := range symbols {
		if f := b.facts(s.File); f != nil {
			out = append(out, sym{f, s.File, s.Def})
		}
	}
	return out
}
