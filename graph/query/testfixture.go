package query

import "github.com/ralph-index/ralph-index/graph"

// fixtureUsers reaches the tests for which a runner runs a fixture without naming it:
// those of its class or block, or of its file.
func (c *testChains) fixtureUsers(i int, f *graph.Facts) {
	sym := c.nodes[i].sym
	if sym.Def == graph.NoDef || !f.Defs[sym.Def].Has(graph.FlagFixture) {
		return
	}
	for k := range c.met {
		if e := &c.met[k]; e.dst == sym && e.flags&siteFixture != 0 {
			return // it is named where it is used
		}
	}
	holder := f.Defs[sym.Def].Container
	for k := range f.Defs {
		if f.Defs[k].Has(graph.FlagTest) && (holder == graph.NoDef || standsIn(f, int32(k), holder)) {
			e := edge{dst: sym, conf: 0.9}
			e.site = site{src: graph.Symbol{File: sym.File, Def: int32(k)}, prov: provInferred, rel: relCalls, flags: siteFixture, reason: reasonOf(graph.ReasonFixture)}
			c.step(i, &e, 1)
		}
	}
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
