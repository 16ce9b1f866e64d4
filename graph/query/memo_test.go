package query

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// TestMemoAcrossGenerations asks one planner about a tree, changes a file, and asks
// again: the answers are those of a planner without a memory.
func TestMemoAcrossGenerations(t *testing.T) {
	for seed := range 150 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 11))
		old := randomTree(rnd)
		p := newToyPlanner()
		files := map[string]*graph.Facts{}
		view := evolve(files, old, 1)
		for range 4 {
			fresh := newToyPlanner()
			for _, s := range view.symbols() {
				a := answers(t, p, view, s)
				if b := answers(t, fresh, view, s); a != b {
					t.Fatalf("seed %d, generation %d, %v: remembered\n%s\nfresh\n%s", seed, view.gen, s, a, b)
				}
			}
			change := randomTree(rnd)
			view = evolve(files, change[:2], view.gen+1).after(view)
		}
	}
}

// TestForget asks before and after the memory of a planner is dropped.
func TestForget(t *testing.T) {
	p := newToyPlanner()
	view := evolve(map[string]*graph.Facts{}, randomTree(rand.New(rand.NewPCG(3, 11))), 1)
	kept := func() int {
		return len(p.memo.young) + len(p.memo.old) + len(p.nodes.young.asked) + len(p.nodes.young.derived) + len(p.nodes.old.asked) + len(p.nodes.old.derived)
	}
	ask := func() string {
		var b strings.Builder
		for _, s := range view.symbols() {
			b.WriteString(answers(t, p, view, s))
		}
		return b.String()
	}
	first := ask()
	if kept() == 0 {
		t.Fatal("questions leave nothing")
	}
	p.Forget()
	if n := kept(); n != 0 || p.memo.cost != 0 {
		t.Errorf("%d things at a cost of %d are kept", n, p.memo.cost)
	}
	if ask() != first || kept() == 0 {
		t.Error("a planner that has forgotten does not answer or remember as before")
	}
}

func answers(t *testing.T, p *Planner, v *genView, s graph.Symbol) string {
	t.Helper()
	var b strings.Builder
	f, _ := v.Facts(s.File)
	id := graph.FileSymbolID(f.Path)
	if s.Def != graph.NoDef {
		id = graph.SymbolID(f, s.Def)
	}
	for _, typ := range [...]Type{Neighbors, Impact, Tests} {
		a, err := p.Run(t.Context(), v, Request{Type: typ, Target: id, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(show(a))
	}
	return b.String()
}

// genView is one of several generations, in which unchanged files keep their ids.
type genView struct {
	gen   graph.Generation
	files map[graph.FileID]*graph.Facts
	next  graph.FileID
	prev  *genView // nil: what came before is not known
}

// evolve parses changes into files and makes a first view of them.
func evolve(files map[string]*graph.Facts, changes []string, gen graph.Generation) *genView {
	for i := 0; i+1 < len(changes); i += 2 {
		files[changes[i]] = toyFile(graph.Path(changes[i]), changes[i+1])
	}
	v := &genView{gen: gen, files: map[graph.FileID]*graph.Facts{}, next: 1}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		v.files[v.next] = files[p]
		v.next++
	}
	return v
}

// after hands out ids as a store does that already holds prev.
func (v *genView) after(prev *genView) *genView {
	ids := map[*graph.Facts]graph.FileID{}
	for id, f := range prev.files {
		ids[f] = id
	}
	out := &genView{gen: v.gen, files: map[graph.FileID]*graph.Facts{}, next: prev.next, prev: prev}
	for _, old := range slices.Sorted(maps.Keys(v.files)) {
		f := v.files[old]
		id, ok := ids[f]
		if !ok {
			id = out.next
			out.next++
		}
		out.files[id] = f
	}
	return out
}

func (v *genView) symbols() (out []graph.Symbol) {
	for _, id := range v.Files() {
		out = append(out, graph.Symbol{File: id, Def: graph.NoDef})
		for i := range v.files[id].Defs {
			if f := v.files[id]; canonical(f, int32(i)) == int32(i) {
				out = append(out, graph.Symbol{File: id, Def: int32(i)})
			}
		}
	}
	return out
}

func (v *genView) Files() []graph.FileID { return slices.Sorted(maps.Keys(v.files)) }

func (v *genView) Generation() graph.Generation { return v.gen }

func (v *genView) Lookup(p graph.Path) (graph.FileID, bool) {
	for id, f := range v.files {
		if f.Path == p {
			return id, true
		}
	}
	return 0, false
}

func (v *genView) PathOf(k graph.PathKey) (graph.Path, bool) {
	for _, f := range v.files {
		if graph.KeyOf(f.Path) == k {
			return f.Path, true
		}
	}
	return "", false
}

func (v *genView) Dir(p graph.Path) (out []graph.FileID) {
	for _, id := range v.Files() {
		if v.files[id].Path.Dir() == p {
			out = append(out, id)
		}
	}
	return out
}

func (v *genView) File(id graph.FileID) (graph.File, bool) {
	f, ok := v.files[id]
	if !ok {
		return graph.File{}, false
	}
	one := graphtest.NewView(f)
	rec, _ := one.File(1)
	rec.ID = id
	return rec, true
}

func (v *genView) Facts(id graph.FileID) (*graph.Facts, error) { return v.files[id], nil }

func (v *genView) named(has func(*graph.Facts) bool) (out []graph.FileID) {
	for _, id := range v.Files() {
		if has(v.files[id]) {
			out = append(out, id)
		}
	}
	return out
}

func (v *genView) Definers(name string) []graph.FileID {
	return v.named(func(f *graph.Facts) (ok bool) {
		f.DefNames(func(n string) { ok = ok || n == name })
		return ok
	})
}

func (v *genView) Referrers(name string) []graph.FileID {
	return v.named(func(f *graph.Facts) (ok bool) {
		f.RefNames(func(n string) { ok = ok || n == name })
		return ok
	})
}

// Since says exactly what changed since a generation, and nothing more.
func (v *genView) Since(old graph.Generation) graph.Changes {
	for was := v; was != nil; was = was.prev {
		if was.gen == old {
			return &genChanges{was, v}
		}
	}
	return nil
}

type genChanges struct{ was, is *genView }

func (c *genChanges) Name(n string) bool {
	return !slices.Equal(c.was.Definers(n), c.is.Definers(n)) || !slices.Equal(c.was.Referrers(n), c.is.Referrers(n))
}

func (c *genChanges) Path(p graph.Path) bool {
	was, _ := c.was.Lookup(p)
	is, _ := c.is.Lookup(p)
	return was != is
}

func (c *genChanges) Dir(p graph.Path) bool { return !slices.Equal(c.was.Dir(p), c.is.Dir(p)) }

func (c *genChanges) Tree(graph.Path) bool { return true }
