package c_test

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/c"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

var suite = resolvetest.Suite{
	Mark:     "//> ",
	Resolver: resolvetest.One(c.Resolver{}),
	Label:    placed,
}

// placed writes a definition as its file and its name there, and a module as its path.
func placed(v *graphtest.View, sym graph.Symbol) string {
	f, _ := v.Facts(sym.File)
	if sym.Def == graph.NoDef {
		return string(f.Path)
	}
	return string(f.Path) + ":" + f.Defs[sym.Def].Local
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

func TestDispatch(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/c.txtar")
	for name, want := range map[string]string{
		"src/util.h:ops.open":  "src/main.c:my_open | src/util.c:late_open",
		"src/util.h:ops.close": "src/main.c:my_close",
		"src/util.h:ops.name":  "nothing",
		"src/main.c:my_open":   "nothing",
	} {
		if got := suite.Targets(v, c.Resolver{}.Dispatch(v, suite.Find(t, v, name))); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
	}
	v, _ = resolvetest.Load(t, "testdata/cpp.txtar")
	if got := suite.Targets(v, c.Resolver{}.Dispatch(v, suite.Find(t, v, "lib/shape.h:geo::Shape::Area"))); got != "lib/circle.cc:geo::Circle::Area" {
		t.Errorf("overrides: %s", got)
	}
}

// TestGiven looks at the fields that hold functions from the other end.
func TestGiven(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/c.txtar")
	for name, want := range map[string]string{
		"src/main.c:my_open":   "src/util.h:ops.open",
		"src/util.c:late_open": "src/util.h:ops.open",
		"src/main.c:my_close":  "src/util.h:ops.close",
		"src/main.c:helper":    "nothing",
	} {
		if got := suite.Targets(v, c.Resolver{}.Given(v, suite.Find(t, v, name))); got != want {
			t.Errorf("%s is given to %s, want %s", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/c.txtar")
	var r c.Resolver
	id, _ := v.Lookup("src/util.h")
	f, _ := v.Facts(id)
	if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, []string{"util.h"}) {
		t.Errorf("names %v", got)
	}
	if got := r.Qualify(v, f, id, graph.NoDef); got != "src/util.h" {
		t.Errorf("module %q", got)
	}
	s := suite.Find(t, v, "src/main.c:helper")
	all := []graph.FileID{id, s.File}
	if some, ok := r.Narrow(v, s, all); !ok || !slices.Equal(some, []graph.FileID{s.File}) {
		t.Errorf("a static function is seen by %v (%v)", some, ok)
	}
}

// TestOverrides tells an override from an overload.
func TestOverrides(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/classes.txtar")
	base := suite.Find(t, v, "db/table.h:kv::Reader::Get")
	f, _ := v.Facts(base.File)
	id, _ := v.Lookup("db/table.cc")
	g, _ := v.Facts(id)
	var got []bool
	for i := range g.Defs {
		if g.Defs[i].Local == "kv::Far::Get" {
			got = append(got, c.Resolver{}.Overrides(v, graph.Symbol{File: id, Def: int32(i)}, base))
		}
	}
	if !slices.Equal(got, []bool{true, false}) {
		t.Errorf("overrides %v of %s", got, f.Defs[base.Def].Signature)
	}
}
