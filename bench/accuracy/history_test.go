package accuracy

import (
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name     string
		rankings [][]string
		want     []string
	}{
		{"none", nil, []string{}},
		{"one, with repeated names", [][]string{{"a", "a", "b", "a"}}, []string{"a", "b"}},
		{"the best place counts", [][]string{{"a", "b", "c"}, {"c", "d"}}, []string{"a", "c", "b", "d"}},
		{"a repeated name takes one place", [][]string{{"a", "a", "a", "b"}, {"c", "d"}}, []string{"a", "c", "b", "d"}},
	} {
		if got := Merge(c.rankings); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestScoreHistory(t *testing.T) {
	figures := map[string]Figure{}
	for _, f := range ScoreHistory([]Change{
		{Tests: []string{"a", "b"}, Ranked: []string{"a", "x", "b"}, Sources: []string{"s"}, Near: []string{"s"}},
		{Tests: []string{"a"}, Ranked: []string{"1", "2", "3", "4", "5", "a"}},
		{Tests: []string{"a"}},
	}) {
		figures[f.Name] = f
	}
	for name, want := range map[string]Figure{
		"test files recall@1": {Value: .5 / 3, Cases: 3}, "test files recall@3": {Value: 1.0 / 3, Cases: 3}, "test files recall@5": {Value: 1.0 / 3, Cases: 3},
		"test files recall@10": {Value: 2.0 / 3, Cases: 3}, "changes answered": {Value: 2.0 / 3, Cases: 3}, "other sources recall@5": {Value: 1, Cases: 1},
	} {
		if got := figures[name]; got.Cases != want.Cases || got.Value-want.Value > 1e-9 || want.Value-got.Value > 1e-9 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
