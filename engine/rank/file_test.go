package rank

import (
	"slices"
	"testing"
)

func TestScoreFile(t *testing.T) {
	for name, c := range map[string]struct {
		s       FileSignals
		symbol  bool
		score   int
		reasons []string
	}{
		"nothing known": {FileSignals{}, true, 0, []string{
			"+0 symbol_definition:no_indexed_data", "+0 symbol_mention:no_indexed_data", "+0 changed:no_indexed_data",
			"+0 graph_neighbor:no_indexed_data",
		}},
		"nothing applies": {FileSignals{Definition: No, Mention: No, Neighbor: No, Changed: No}, true, 0, []string{}},
		"no symbol":       {FileSignals{Basename: true, Changed: No}, false, 100, []string{"+100 exact_basename"}},
		"everything": {FileSignals{true, Yes, Yes, Yes, Yes, true, true}, true, 280, []string{
			"+100 exact_basename", "+80 symbol_definition", "+60 symbol_mention", "+40 changed", "+30 role", "+20 graph_neighbor", "-50 generated_or_vendored",
		}},
	} {
		if score, reasons := ScoreFile(c.s, c.symbol); score != c.score || !slices.Equal(reasons, c.reasons) {
			t.Errorf("%s: %d %q", name, score, reasons)
		}
	}
}
