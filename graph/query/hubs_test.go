package query

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
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
