package query

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// TestHubsPatched changes one file and compares the patched table with a new one.
// The toy files export nothing, so only the changed file is read again: the names
// of the changed file are ones that others do not use.
func TestHubsPatched(t *testing.T) {
	files := map[string]*graph.Facts{}
	one := evolve(files, []string{"a.toy", "func f\nfunc g\n  call f\n", "b.toy", "func h\n  call f\n  call g\n", "c.toy", "func z\n  call f\n"}, 1)
	p := newToyPlanner()
	table, err := p.BuildHubs(t.Context(), one, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := table.Encode()
	two := evolve(files, []string{"b.toy", "func h2\n  call g\n"}, 2).after(one)
	gone, _ := two.Lookup("c.toy")
	delete(two.files, gone)
	patched, err := p.BuildHubs(t.Context(), two, table)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := p.BuildHubs(t.Context(), two, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(table *HubTable) string {
		a, err := p.RunWith(t.Context(), two, table, Request{Type: Hubs})
		if err != nil {
			t.Fatal(err)
		}
		return show(a)
	}
	if got, want := answer(patched), answer(whole); got != want || want == "" {
		t.Errorf("patched\n%swhole\n%s", got, want)
	}
	if !bytes.Equal(before, table.Encode()) {
		t.Error("patching changed the table that it started from")
	}
}

func TestHubsRoundTrip(t *testing.T) {
	for seed := range 30 {
		v := newToyView(randomTree(rand.New(rand.NewPCG(uint64(seed), 3)))...)
		table, err := newToyPlanner().BuildHubs(t.Context(), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := table.Encode()
		back, err := DecodeHubs(b)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back.Encode(), b) || back.Generation() != table.Generation() {
			t.Error("a table changed on the way")
		}
		a, _ := newToyPlanner().RunWith(t.Context(), v, table, Request{Type: Hubs})
		c, _ := newToyPlanner().RunWith(t.Context(), v, back, Request{Type: Hubs})
		if show(a) != show(c) {
			t.Errorf("answers differ:\n%s\n%s", show(a), show(c))
		}
		for i := range b {
			if bad := bytes.Clone(b); true {
				bad[i] ^= 0x10
				if _, err := DecodeHubs(bad); err == nil {
					t.Fatalf("byte %d flipped, and nobody noticed", i)
				}
			}
		}
	}
}

func FuzzDecodeHubs(f *testing.F) {
	v := newToyView(randomTree(rand.New(rand.NewPCG(1, 3)))...)
	table, err := newToyPlanner().BuildHubs(f.Context(), v, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(table.Encode(), false)
	f.Add(table.Encode()[len(hubMagic):], true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal { // reach what stands behind the checksum
			b = sealHubs(b)
		}
		table, err := DecodeHubs(b)
		if err != nil {
			return
		}
		if _, err := DecodeHubs(table.Encode()); err != nil {
			t.Errorf("a decoded table does not decode: %v", err)
		}
	})
}

// sealHubs makes a body pass the outer checks.
func sealHubs(body []byte) []byte {
	b := append([]byte(hubMagic), body...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// TestHubImportsAgreeWithNeighbors counts the importers of everything in both ways.
func TestHubImportsAgreeWithNeighbors(t *testing.T) {
	files := 0
	eachTree(t, 150, func(t *testing.T, v *toyView, _ map[plain]float32, _ *rand.Rand) {
		p := newToyPlanner()
		table, err := p.BuildHubs(t.Context(), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.RunWith(t.Context(), v, table, Request{Type: Hubs, Relation: graph.Imports, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, n := range a.Nodes {
			got[n.ID] = n.Score
		}
		r := p.reader(t.Context(), v)
		for _, s := range symbolsOf(v) {
			best := map[graph.Symbol]float32{}
			for _, e := range r.in(s) {
				if e.rel == relImports && e.src != s {
					best[e.src] = max(best[e.src], e.conf)
				}
			}
			sum := 0.0
			for _, c := range best {
				sum += float64(c)
			}
			if d := got[symbolID(v, s)] - sum; d > 0.2 || d < -0.2 {
				t.Errorf("%s has %g importers by hubs, %g by neighbors", p.Label(v, s), got[symbolID(v, s)], sum)
			}
			if s.Def == graph.NoDef && sum > 0 {
				files++
			}
		}
	})
	if files < 20 {
		t.Errorf("only %d files were imported: the test says little", files)
	}
}

// TestHubsOfPackages counts an import of a package once, for the package, and finds it
// when it has other files than it was counted with.
func TestHubsOfPackages(t *testing.T) {
	v, p := packTree()
	table, err := p.BuildHubs(t.Context(), v, nil)
	if err != nil {
		t.Fatal(err)
	}
	hubs := func(v *toyView, req Request) string {
		req.Type = Hubs
		a, err := p.RunWith(t.Context(), v, table, req)
		if err != nil {
			t.Fatal(err)
		}
		return show(a)
	}
	inv := "node a/inv/one.toy a/inv/one.toy:1 file 1 score=2 (imports 2; package m/a/inv, with 1 more of its files)\n"
	util := "node b/util/u.toy b/util/u.toy:1 file 1 score=1 (imports 1)\n"
	for _, c := range []struct {
		req  Request
		want string
	}{
		{Request{Relation: graph.Imports}, inv + util},
		{Request{Relations: []graph.Relation{graph.Imports}}, inv + util},
		{Request{Relation: graph.Imports, ScopePath: "b"}, util},
		{Request{Relation: graph.Imports, Role: graph.RoleTest}, ""},
	} {
		if got := hubs(v, c.req); got != c.want {
			t.Errorf("hubs %+v:\n%swant\n%s", c.req, got, c.want)
		}
	}
	v, p = packTree("a/inv/one.toy")
	want := "node a/inv/two.toy a/inv/two.toy:1 file 1 score=2 (imports 2)\n"
	if got := hubs(v, Request{Relation: graph.Imports, ScopePath: "a"}); got != want {
		t.Errorf("without its first file:\n%swant\n%s", got, want)
	}
}

// TestHubsRefusesWhatItDoesNotCount asks for a ranking by each relation, and by some.
func TestHubsRefusesWhatItDoesNotCount(t *testing.T) {
	v := newToyView("a.toy", "func f\nfunc g\n  call f\n")
	p := newToyPlanner()
	table, err := p.BuildHubs(t.Context(), v, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(rels ...graph.Relation) error {
		_, err := p.RunWith(t.Context(), v, table, Request{Type: Hubs, Relations: rels})
		return err
	}
	for _, r := range graph.Relations() {
		var refused *HubsError
		if err := ask(r); errors.As(err, &refused) == slices.Contains(HubRelations(), r) {
			t.Errorf("hubs by %s: %v", r, err)
		}
	}
	if err := ask(HubRelations()...); err != nil {
		t.Errorf("hubs by all that count: %v", err)
	}
	if err := ask(graph.Imports, graph.CallsSyntax); err == nil {
		t.Error("hubs by two relations: no error")
	}
}
