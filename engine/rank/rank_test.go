package rank

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestScore(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     Signals
		by    Components
		score int
		want  []string
	}{
		{"bare", Signals{}, 0, 1, []string{"+1 match"}},
		{"definition", Signals{Definition: Yes, Body: No}, BySymbol, 101, []string{"+100 definition", "+1 match"}},
		{"unknown says so", Signals{}, BySymbol, 1, []string{"+0 definition:no_indexed_data", "+0 same_symbol_body:no_indexed_data", "+1 match"}},
		{"graph ignores symbol", Signals{Definition: Yes, Neighbor: Yes, Component: Yes}, ByGraph, 71, []string{"+50 graph_neighbor", "+20 graph_component", "+1 match"}},
		{"the target itself comes first", Signals{Target: Yes, Neighbor: Yes, Component: Yes}, ByGraph, 116, []string{"+50 graph_neighbor", "+45 graph_target", "+20 graph_component", "+1 match"}},
		{"generated", Signals{Changed: Yes, Role: graph.RoleGenerated}, ByChanged, -9, []string{"+40 changed", "-50 generated_or_vendored", "+1 match"}},
	} {
		score, reasons := Score(c.s, c.by)
		if score != c.score || !slices.Equal(reasons, c.want) {
			t.Errorf("%s: Score = %d %q, want %d %q", c.name, score, reasons, c.score, c.want)
		}
	}
}
