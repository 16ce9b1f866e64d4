package bleveidx

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/lexical/internal/word"
)

// dump lists the live documents of each word over all segments.
func dump(t *testing.T, s *Store) map[string][]uint32 {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := snap.Release(); err != nil {
			t.Error(err)
		}
	}()
	out := map[string][]uint32{}
	for _, g := range snap.Segments() {
		ids, err := g.IDs()
		if err != nil {
			t.Fatal(err)
		}
		dead := map[uint32]bool{}
		g.Dead(func(doc uint32) { dead[doc] = true })
		terms, err := g.Terms()
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		if err := terms.All(func(w string) error { words = append(words, w); return nil }); err != nil {
			t.Fatal(err)
		}
		for _, w := range append(words, "absent") {
			if err := terms.Docs([]byte(w), func(docs []uint32) {
				for _, d := range docs {
					if !dead[d] {
						out[w] = append(out[w], ids[d])
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for w := range out {
		slices.Sort(out[w])
	}
	return out
}

func doc(id uint32, words ...string) *Doc {
	list, _ := word.NewSet().Collect([]byte(strings.Join(words, " ")), nil)
	d := NewDoc(list)
	d.SetID(id)
	return d
}

func TestWordsOfSegments(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, time.Second, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var many []*Doc
	for id := range uint32(1000) {
		many = append(many, doc(id+100, "all", fmt.Sprint("own", id), fmt.Sprint("mod", id%3)))
	}
	for _, step := range []struct {
		put []*Doc
		del []uint32
	}{
		{many, nil},
		{[]*Doc{doc(1, "a", "b"), doc(2, "b")}, []uint32{100}},
		{[]*Doc{doc(2, "c")}, []uint32{7777}}, // 2 again
	} {
		if err := s.Apply(step.put, step.del); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string) {
		got := dump(t, s)
		if fmt.Sprint(got["a"], got["b"], got["c"], got["own0"], got["own5"]) != "[1] [1] [2] [] [105]" || len(got["all"]) != 999 || len(got["mod0"]) != 333 {
			t.Errorf("%s: a %v b %v c %v own0 %v own5 %v all %d mod0 %d", when, got["a"], got["b"], got["c"], got["own0"], got["own5"], len(got["all"]), len(got["mod0"]))
		}
	}
	check("applied")
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("merged")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, time.Second, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	check("opened again")
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if segs := snap.Segments(); len(segs) != 1 || segs[0].Path() == "" {
		t.Errorf("%d segments after a merge", len(segs))
	} else if size, crc, err := segs[0].Stamp(); size == 0 || crc == 0 || err != nil {
		t.Errorf("stamp %d, %d, %v", size, crc, err)
	}
	if err := snap.Release(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Jobs and idle work may ask for a merge at the same time.
func TestMergesBesideEachOther(t *testing.T) {
	s, err := Open(t.TempDir(), time.Second, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint32(20) {
		for id := range uint32(3) {
			if err := s.Apply([]*Doc{doc(1+round*3+id, "a", fmt.Sprint("own", round, id))}, nil); err != nil {
				t.Fatal(err)
			}
		}
		results := make(chan error)
		for range 4 {
			go func() { results <- s.Merge(t.Context()) }()
		}
		for range 4 {
			if err := <-results; err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
