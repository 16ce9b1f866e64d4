package main

import (
	"strings"
	"testing"
)

// TestDamagedSaysWhatHappens asks of an index that turns out to be damaged: a command
// that only asks builds none, and says what does.
func TestDamagedSaysWhatHappens(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"graph", "neighbors", "A"}, "was thrown away; to build it again, run: ralph-index reindex"},
		{[]string{"grep", "x"}, "was thrown away; to build it again, run: ralph-index reindex"},
		{[]string{"reindex"}, "is built again"},
	} {
		got := runWith(t, &fake{damaged: true}, c.args...)
		if !strings.Contains(got.stderr, "the index was damaged") || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: %s", c.args, got.stderr)
		}
		if c.args[0] != "reindex" && strings.Contains(got.stderr, "is built again") {
			t.Errorf("%v promises what nobody does: %s", c.args, got.stderr)
		}
	}
}
