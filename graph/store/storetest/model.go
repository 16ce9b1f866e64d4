package storetest

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
)

// Model is what a snapshot should show: a map.
type Model struct {
	Generation graph.Generation
	Files      map[graph.Path]ModelFile
}

// ModelFile is a file of a model. Facts may be nil.
type ModelFile struct {
	File  graph.File
	Facts *graph.Facts
}

// NewModel returns the model of an empty store.
func NewModel() *Model { return &Model{Files: make(map[graph.Path]ModelFile)} }

// Clone returns a copy that shares facts.
func (m *Model) Clone() *Model {
	return &Model{Generation: m.Generation, Files: maps.Clone(m.Files)}
}

// Compare fails the test where v does not show m. Names, paths and directories are
// looked up one by one; those in absent must not be found.
func (m *Model) Compare(t testing.TB, v *store.Snapshot, absent ...string) {
	t.Helper()
	if v.Generation() != m.Generation {
		t.Errorf("generation = %d, want %d", v.Generation(), m.Generation)
	}
	paths := slices.Sorted(maps.Keys(m.Files))
	var listed []graph.File
	for f := range v.Files {
		listed = append(listed, f)
	}
	var want []graph.File
	for _, p := range paths {
		want = append(want, m.Files[p].File)
	}
	if !slices.Equal(want, listed) {
		t.Fatalf("files (-want +got):\n%s", cmp.Diff(want, listed))
	}
	if v.Len() != len(paths) || v.Counts().Files != len(paths) {
		t.Errorf("Len = %d, Counts.Files = %d, want %d", v.Len(), v.Counts().Files, len(paths))
	}
	for _, p := range paths {
		m.compareFile(t, v, p)
	}
	m.compareDirs(t, v, paths)
	m.compareNames(t, v)
	for _, a := range absent {
		if ids := append(v.Definers(a), v.Referrers(a)...); len(ids) > 0 {
			t.Errorf("name %q is posted in %v", a, ids)
		}
		if _, ok := v.Lookup(graph.Path(a)); ok {
			t.Errorf("Lookup(%q) finds a file", a)
		}
		if _, ok := v.PathOf(graph.KeyOf(graph.Path(a))); ok {
			t.Errorf("PathOf finds %q", a)
		}
	}
}

func (m *Model) compareFile(t testing.TB, v *store.Snapshot, p graph.Path) {
	t.Helper()
	want := m.Files[p]
	id, ok := v.Lookup(p)
	if !ok || id != want.File.ID {
		t.Errorf("Lookup(%q) = %d, %v, want %d", p, id, ok, want.File.ID)
	}
	if f, ok := v.File(id); !ok || f != want.File {
		t.Errorf("File(%d) = %+v, %v, want %+v", id, f, ok, want.File)
	}
	if got, ok := v.PathOf(graph.KeyOf(p)); !ok || got != p {
		t.Errorf("PathOf(KeyOf(%q)) = %q, %v", p, got, ok)
	}
	facts, err := v.Facts(id)
	if err != nil {
		t.Fatalf("Facts(%q): %v", p, err)
	}
	if want.Facts == nil && facts == nil {
		return
	}
	// Comparing encoded facts is a hundred times faster than looking for the difference.
	if want.Facts == nil || facts == nil || !bytes.Equal(blob.Encode(want.Facts), blob.Encode(facts)) {
		t.Errorf("facts of %q (-want +got):\n%s", p, cmp.Diff(want.Facts, facts, cmpopts.EquateEmpty()))
	}
}

func (m *Model) compareDirs(t testing.TB, v *store.Snapshot, paths []graph.Path) {
	t.Helper()
	want := map[graph.Path][]graph.FileID{"": nil, "absent": nil}
	for _, p := range paths {
		want[p.Dir()] = append(want[p.Dir()], m.Files[p].File.ID)
	}
	for dir, ids := range want {
		if got := v.Dir(dir); !slices.Equal(got, ids) {
			t.Errorf("Dir(%q) = %v, want %v", dir, got, ids)
		}
		for at := dir; ; at = at.Dir() {
			held := slices.ContainsFunc(paths, func(p graph.Path) bool { return p != at && p.Under(at) })
			if got := v.Holds(at); got != held {
				t.Errorf("Holds(%q) = %v, want %v", at, got, held)
			}
			if at == "" {
				break
			}
		}
	}
}

func (m *Model) compareNames(t testing.TB, v *store.Snapshot) {
	t.Helper()
	defs, refs := m.names()
	for n, ids := range defs {
		if got := v.Definers(n); !slices.Equal(got, set(ids)) {
			t.Errorf("Definers(%q) = %v, want %v", n, got, set(ids))
		}
	}
	for n, ids := range refs {
		if got := v.Referrers(n); !slices.Equal(got, set(ids)) {
			t.Errorf("Referrers(%q) = %v, want %v", n, got, set(ids))
		}
	}
}

// names lists the files that define and that refer to each name.
func (m *Model) names() (defs, refs map[string][]graph.FileID) {
	defs, refs = make(map[string][]graph.FileID), make(map[string][]graph.FileID)
	for _, f := range m.Files {
		if f.Facts == nil {
			continue
		}
		f.Facts.DefNames(func(n string) { defs[n] = append(defs[n], f.File.ID) })
		f.Facts.RefNames(func(n string) { refs[n] = append(refs[n], f.File.ID) })
	}
	return defs, refs
}

// CompareChanges fails the test where v, which shows m, does not say of a look-up that
// it may have another answer than in the generation of old.
func (m *Model) CompareChanges(t testing.TB, v *store.Snapshot, old *Model) {
	t.Helper()
	c := v.Since(old.Generation)
	if c == nil {
		return
	}
	for p := range union(m.Files, old.Files) {
		if m.Files[p].File.ID != old.Files[p].File.ID && (!c.Path(p) || !c.Dir(p.Dir()) || !c.Tree(p.Dir()) || !c.Tree("")) {
			t.Errorf("since generation %d, %q is not said to have changed", old.Generation, p)
		}
	}
	defs, refs := m.names()
	oldDefs, oldRefs := old.names()
	for n := range union(union(defs, refs), union(oldDefs, oldRefs)) {
		same := slices.Equal(set(defs[n]), set(oldDefs[n])) && slices.Equal(set(refs[n]), set(oldRefs[n]))
		if !same && !c.Name(n) {
			t.Errorf("since generation %d, name %q is not said to have changed", old.Generation, n)
		}
	}
}

// union returns the keys of both maps.
func union[K comparable, V any](a, b map[K]V) map[K]V {
	out := maps.Clone(b)
	maps.Copy(out, a)
	return out
}

func set(ids []graph.FileID) []graph.FileID {
	slices.Sort(ids)
	return slices.Compact(ids)
}
