package engine

import (
	"slices"
	"testing"
)

// TestRest lets work come and go: memory is given back when it has gone, and once.
func TestRest(t *testing.T) {
	const busy, idle = quietBytes + 1, quietBytes / 4
	for _, c := range []struct {
		name  string
		ticks []uint64 // bytes allocated before each
		due   []int    // ticks at which memory is given back
	}{
		{"work, then rest", []uint64{worthBytes, busy, idle, idle, idle, idle, idle, idle}, []int{5}},
		{"too little work", []uint64{worthBytes / 2, idle, idle, idle, idle, idle}, nil},
		{"work in between", []uint64{worthBytes + busy, idle, idle, idle, busy, idle, idle, idle, idle, idle}, []int{8}},
		{"work again", []uint64{worthBytes + busy, 0, 0, 0, 0, 0, worthBytes + busy, 0, 0, 0, 0}, []int{4, 10}},
		{"little by little", slices.Repeat([]uint64{quietBytes}, 20), []int{4, 9, 14, 19}},
	} {
		var r rest
		var due []int
		now := uint64(0)
		for i, n := range c.ticks {
			if now += n; r.due(now) {
				due = append(due, i)
			}
		}
		if !slices.Equal(due, c.due) {
			t.Errorf("%s: memory is given back at %v, want %v", c.name, due, c.due)
		}
	}
}
