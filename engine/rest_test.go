package engine

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
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

// TestForgets lets questions come and go: what they left is dropped long after the last
// one, and once.
func TestForgets(t *testing.T) {
	var r rest
	begin := time.Unix(1_000_000, 0)
	asked := int64(0)
	dropped := 0
	for i, c := range []struct {
		after time.Duration // since the beginning
		ask   bool
		want  int // dropped so far
	}{
		{time.Minute, false, 0}, // nobody has asked anything
		{time.Hour, false, 0},
		{time.Hour, true, 0},
		{time.Hour + forgetRest - 1, false, 0},
		{time.Hour + forgetRest, false, 1},
		{2 * time.Hour, false, 1},
		{2 * time.Hour, true, 1},
		{2*time.Hour + forgetRest/2, true, 1},
		{2*time.Hour + forgetRest, false, 1},
		{3 * time.Hour, false, 2},
	} {
		now := begin.Add(c.after)
		if c.ask {
			asked = now.UnixNano()
		}
		r.forget(asked, now, func() { dropped++ })
		if dropped != c.want {
			t.Fatalf("step %d: dropped %d times, want %d", i, dropped, c.want)
		}
	}
}

// TestForgetting asks again after what the first answer left was dropped.
func TestForgetting(t *testing.T) {
	s := openSpace(t, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc F() { G() }\n\nfunc G() {}\n"})
	s.reindex(api.ReindexChanged)
	x := s.index()
	begun := x.asking.Load()
	first := s.callers("G", api.PreferFresh)
	if len(first.Edges) == 0 || x.asking.Load() <= begun {
		t.Fatalf("%d edges, asked at %d, opened at %d", len(first.Edges), x.asking.Load(), begun)
	}
	x.forget()
	if again := s.callers("G", api.PreferFresh); !reflect.DeepEqual(again.Edges, first.Edges) {
		t.Errorf("answer %v, before %v", again.Edges, first.Edges)
	}
}
