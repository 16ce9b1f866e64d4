package rust_test

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
	"github.com/ralph-index/ralph-index/graph/resolve/rust"
)

var suite = resolvetest.Suite{
	Mark:     "//> ",
	Resolver: resolvetest.One(rust.Resolver{}),
	Label:    resolvetest.PathsAsModules(rust.Resolver{}),
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

func TestDispatch(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	for name, want := range map[string]string{
		"geo::Shape::area":   "geo::Circle::area | geo::flat::Square::area",
		"geo::Shape::twice":  "geo::flat::Square::twice",
		"geo::Named::area":   "geo::Circle::area",
		"geo::Circle::area":  "nothing",
		"geo::Circle":        "nothing",
		"geo::Shape::nobody": "nothing",
	} {
		b := rust.Resolver{}.Dispatch(v, suite.Find(t, v, name))
		if got := suite.Targets(v, b); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
		if want != "nothing" && (!b.Dynamic || b.Reason != graph.ReasonImplements || b.Provenance != graph.Inferred) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestNames(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/modules.txtar")
	var r rust.Resolver
	for path, want := range map[graph.Path][]string{
		"app/src/lib.rs": {"app_core", "lib"}, "app/src/net/mod.rs": {"net"}, "app/src/net/tcp.rs": {"tcp"},
	} {
		id, _ := v.Lookup(path)
		if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, want) {
			t.Errorf("%s is called %v, want %v", path, got, want)
		}
	}
	if got := r.Names(v, suite.Find(t, v, "app_core::net::tcp::Conn")); !slices.Equal(got, []string{"Conn", "Link"}) {
		t.Errorf("names of Conn: %v", got)
	}
	id, _ := v.Lookup("app/src/lib.rs")
	f, _ := v.Facts(id)
	if b := r.Mention(v, f, id, 0); b.Resolved() {
		t.Errorf("a mention is bound to %v", b.Targets)
	}
	if !slices.Equal(r.Languages(), []string{"rust"}) || !r.DenotesFiles() {
		t.Error("languages")
	}
}

// TestHeir finds the types of impl blocks that stand in other files.
func TestHeir(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	id, _ := v.Lookup("src/flat.rs")
	f, _ := v.Facts(id)
	var got []string
	for i := range f.Heritage {
		if f.Heritage[i].Def != graph.NoDef {
			continue
		}
		s, ok := rust.Resolver{}.Heir(v, f, id, i)
		if !ok || s.Def == graph.NoDef {
			if every := f.Heritage[i].Of == "T"; ok != every {
				t.Errorf("%s is every type: %v", f.Heritage[i].Of, ok)
			}
			got = append(got, f.Heritage[i].Of)
			continue
		}
		g, _ := v.Facts(s.File)
		got = append(got, rust.Resolver{}.Qualify(v, g, s.File, s.Def))
	}
	if want := []string{"geo::Circle", "T", "[u8]"}; !slices.Equal(got, want) {
		t.Errorf("heirs %v, want %v", got, want)
	}
}
