package accuracy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Change is a commit of a repository with what it did: which functions of the sources
// as its parent has them, and which test files and other sources with them.
type Change struct {
	Commit  string   `json:"commit"`
	Parent  string   `json:"parent"`
	Changed []TestAt `json:"changed"`
	Tests   []string `json:"test_files"`
	Sources []string `json:"co_src"`
	Ranked  []string `json:"ranked"` // test files as answered, best first
	Near    []string `json:"near"`   // sources as answered, best first
}

// ReadHistory reads changes.
func ReadHistory(name string) (out []Change, err error) {
	err = lines(name, func(line []byte) error {
		var c Change
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if len(c.Tests) > 0 && len(c.Changed) > 0 {
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// Merge makes one ranking of several: each name at the best place that it has in one of
// them. Of names with equal places those of earlier rankings come first. A ranking may
// name something repeatedly, which counts once.
func Merge(rankings [][]string) []string {
	type placed struct {
		name string
		rank int
	}
	var all []placed
	at := map[string]int{}
	for _, names := range rankings {
		rank := 0
		seen := map[string]bool{}
		for _, n := range names {
			if seen[n] {
				continue
			}
			seen[n] = true
			if i, ok := at[n]; ok {
				all[i].rank = min(all[i].rank, rank)
			} else {
				at[n] = len(all)
				all = append(all, placed{n, rank})
			}
			rank++
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = p.name
	}
	return out
}

// ScoreHistory measures the answers of changes: the mean share of the test files which
// stands among the first 1, 3, 5 and 10, and of the other sources among the first 5 and 10.
func ScoreHistory(changes []Change) []Figure {
	var m means
	for i := range changes {
		c := &changes[i]
		for _, k := range [...]int{1, 3, 5, 10} {
			m.add(fmt.Sprintf("test files recall@%d", k), recallAt(c.Ranked, c.Tests, k))
		}
		m.add("changes answered", truth(len(c.Ranked) > 0))
		for _, k := range [...]int{5, 10} {
			if len(c.Sources) > 0 {
				m.add(fmt.Sprintf("other sources recall@%d", k), recallAt(c.Near, c.Sources, k))
			}
		}
	}
	return m.figures()
}

// recallAt is the share of wanted names which stands among the first k.
func recallAt(ranked, want []string, k int) float64 {
	return compare(want, ranked[:min(k, len(ranked))]).Recall()
}
