package query

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// TestImpactEqualsBruteForce compares who is reached, and how far away, where
// neither interfaces nor constructors add edges of their own.
func TestImpactEqualsBruteForce(t *testing.T) {
	reached := 0
	eachTree(t, 300, func(t *testing.T, v *toyView, _ map[plain]float32, rnd *rand.Rand) {
		p := newToyPlanner()
		r := p.reader(t.Context(), v)
		all := map[plain]float32{}
		bound := func(es []edge) []edge {
			return slices.DeleteFunc(slices.Clone(es), func(e edge) bool { return e.possible() || e.guessed() })
		}
		for _, s := range symbolsOf(v) {
			maps.Copy(all, collapse(bound(r.in(s))))
			maps.Copy(all, ranBefore(v, s, r.in(s)))
		}
		syms := symbolsOf(v)
		target := syms[rnd.IntN(len(syms))]
		if es := r.in(target); !slices.ContainsFunc(es, called) {
			maps.Copy(all, collapse(es))
		}
		maps.Copy(all, collapse(r.replacing(target)))
		rels := setOf(relCalls, relTests, relReferences, relInherits)
		f, _ := v.Facts(target.File)
		if target.Def == graph.NoDef || isType(f.Defs[target.Def].Kind) {
			return
		}
		want := map[string]int{}
		dist := map[graph.Symbol]int{target: 0}
		for d := 0; len(dist) > 0 && d < 50; d++ {
			for e := range all {
				// Those who import a file whose top level runs the target are reached too.
				runs := rels.has(e.rel) || e.rel == relImports && e.dst.Def == graph.NoDef
				if at, ok := dist[e.dst]; ok && at == d && runs && rels.has(e.rel) {
					if _, seen := dist[e.src]; !seen {
						dist[e.src] = d + 1
					}
				}
			}
		}
		delete(dist, target)
		for s, d := range dist {
			want[symbolID(v, s)] = d
		}
		a, err := p.Run(t.Context(), v, Request{Type: Impact, Target: symbolID(v, target), ChangeKind: ChangeSignature, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, n := range a.Nodes {
			got[n.ID] = n.Distance
		}
		reached += len(got)
		if !maps.Equal(got, want) {
			t.Errorf("impact(%s) = %v, want %v", p.Label(v, target), got, want)
		}
	})
	if reached < 100 {
		t.Errorf("only %d symbols were reached: the test says little", reached)
	}
}

// ranBefore lists the tests that a runner runs a fixture before: of all tests of its file
// those that the path of its holder begins, unless one asks for it by name.
func ranBefore(v *toyView, s graph.Symbol, in []edge) map[plain]float32 {
	out := map[plain]float32{}
	f, _ := v.Facts(s.File)
	if s.Def == graph.NoDef || f.Defs[s.Def].Flags&graph.FlagFixture == 0 {
		return out
	}
	for _, e := range in {
		if e.flags&siteFixture != 0 {
			return out
		}
	}
	for k := range f.Defs {
		within := f.Defs[s.Def].Container == graph.NoDef
		for at := int32(k); at != graph.NoDef; at = f.Defs[at].Container {
			within = within || f.Defs[at].Container == f.Defs[s.Def].Container
		}
		if within && f.Defs[k].Flags&graph.FlagTest != 0 {
			out[plain{src: graph.Symbol{File: s.File, Def: int32(k)}, dst: s, rel: relCalls}] = 0.9
		}
	}
	return out
}

// TestUnknownChangeReachesMost holds what a change of an unknown kind reaches against
// what each known one does, and relations that are asked for by name against none.
func TestUnknownChangeReachesMost(t *testing.T) {
	reached := 0
	eachTree(t, 150, func(t *testing.T, v *toyView, _ map[plain]float32, rnd *rand.Rand) {
		p := newToyPlanner()
		syms := symbolsOf(v)
		at := syms[rnd.IntN(len(syms))]
		target := symbolID(v, at)
		f, _ := v.Facts(at.File)
		whole := at.Def == graph.NoDef || isType(f.Defs[at.Def].Kind)
		nodes := func(k ChangeKind, rels ...graph.Relation) map[string]int {
			a, err := p.Run(t.Context(), v, Request{Type: Impact, Target: target, ChangeKind: k, Relations: rels, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			out := map[string]int{}
			for _, n := range a.Nodes {
				if len(rels) > 0 || !strings.HasPrefix(n.Reasons[0], string(graph.Contains)) { // a deletion's own
					out[n.ID] = n.Distance
				}
			}
			return out
		}
		most := nodes("")
		for _, k := range []ChangeKind{ChangeRename, ChangeSignature, ChangeBehavior, ChangeDelete} {
			if k == ChangeRename && whole {
				continue // what a whole holds changes with it, but for its name
			}
			some := nodes(k)
			for id, d := range some {
				if far, ok := most[id]; !ok || far > d {
					t.Errorf("impact of %s on %s reaches %s at %d, of an unknown change %d, %t", k, target, id, d, far, ok)
				}
			}
			reached += len(some)
			for _, rel := range graph.Relations() {
				if got, want := nodes(k, rel), nodes("", rel); k != ChangeRename && !maps.Equal(got, want) {
					t.Errorf("impact of %s on %s along %s = %v, want %v", k, target, rel, got, want)
				}
			}
		}
	})
	if reached < 500 {
		t.Errorf("only %d symbols were reached: the test says little", reached)
	}
}
