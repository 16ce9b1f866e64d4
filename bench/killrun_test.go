package bench

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine"
)

// Servers can be brought to every step of an engine, and to no other.
func TestEveryStepHasAWay(t *testing.T) {
	steps := engine.Steps()
	all, err := killSteps(nil)
	if err != nil || len(all) != len(steps) {
		t.Fatalf("%d steps of %d: %v", len(all), len(steps), err)
	}
	for _, s := range all {
		if len(s.Ways) == 0 {
			t.Errorf("%s: no way leads there", s.Name)
		}
	}
	for name := range killWays() {
		if !slices.Contains(steps, name) {
			t.Errorf("%s is no step of an engine", name)
		}
	}
	if one, err := killSteps(steps[:1]); err != nil || len(one) != 1 || one[0].Name != steps[0] {
		t.Errorf("one step: %v, %v", one, err)
	}
	if _, err := killSteps([]string{steps[0], "no step"}); err == nil {
		t.Error("what is no step was taken for one")
	}
}
