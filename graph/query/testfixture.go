package query

import "github.com/ralph-index/ralph-index/graph"

// fixtureUsers reaches the tests for which a runner runs a fixture without naming it.
func (c *testChains) fixtureUsers(i int, f *graph.Facts) {
	es := fixtureEdges(c.nodes[i].sym, f, c.met)
	for k := range es {
		c.step(i, &es[k], 1)
	}
}

// fixtureEdges lists, of a fixture that a runner runs without its being named, the edges
// from the tests for which it does: those of its class or block, or of its file. met are
// the edges met before, which tell whether it is named.
func fixtureEdges(sym graph.Symbol, f *graph.Facts, met []edge) (out []edge) {
	if f == nil || sym.Def == graph.NoDef || !f.Defs[sym.Def].Has(graph.FlagFixture) {
		return nil
	}
	for k := range met {
		if e := &met[k]; e.dst == sym && e.flags&siteFixture != 0 {
			return nil // it is named where it is used
		}
	}
	holder := f.Defs[sym.Def].Container
	for k := range f.Defs {
		if f.Defs[k].Has(graph.FlagTest) && (holder == graph.NoDef || standsIn(f, int32(k), holder)) {
			e := edge{dst: sym, conf: 0.9}
			e.site = site{src: graph.Symbol{File: sym.File, Def: int32(k)}, prov: provInferred, rel: relCalls, flags: siteFixture, reason: reasonOf(graph.ReasonFixture)}
			out = append(out, e)
		}
	}
	return out
}

// standsIn reports whether a definition stands in another.
func standsIn(f *graph.Facts, def, holder int32) bool {
	for n := 0; def != graph.NoDef && n <= len(f.Defs); n++ {
		if def = f.Defs[def].Container; def == holder {
			return true
		}
	}
	return false
}
