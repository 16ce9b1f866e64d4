package bench

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine"
)

// Servers can be brought to every step of an engine, and to no other.
func TestEveryStepHasAWay(t *testing.T) {
	steps := engine.Steps()
	for _, s := range killSteps() {
		if len(s.Ways) == 0 {
			t.Errorf("%s: no way leads there", s.Name)
		}
	}
	for name := range killWays() {
		if !slices.Contains(steps, name) {
			t.Errorf("%s is no step of an engine", name)
		}
	}
}
