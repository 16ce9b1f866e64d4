package graph_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestNextNamed(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		name := func() string { return "n" + strconv.Itoa(rnd.IntN(12)) }
		f := &graph.Facts{Defs: make([]graph.Def, rnd.IntN(40))}
		for i := range f.Defs {
			f.Defs[i].Name = name()
		}
		indexed := *f
		indexed.IndexNames()
		for range 30 {
			n, want := name(), []int32{}
			for i := range f.Defs {
				if f.Defs[i].Name == n {
					want = append(want, int32(i))
				}
			}
			for _, g := range []*graph.Facts{f, &indexed} {
				for i, at := 0, g.NextNamed(n, 0); i < len(want) || at != graph.NoDef; i, at = i+1, g.NextNamed(n, at+1) {
					if i >= len(want) || at != want[i] {
						t.Fatalf("seed %d: occurrence %d of %s at %d, want %v", seed, i, n, at, want)
					}
				}
			}
		}
	}
}
