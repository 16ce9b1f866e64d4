package golang_test

import (
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/golang"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

var suite = resolvetest.Suite{
	Mark:     "//> ",
	Resolver: resolvetest.One(golang.Resolver{}),
	Label:    resolvetest.PathsAsModules(golang.Resolver{}),
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

func TestDispatch(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	for name, want := range map[string]string{
		"m/geo.Shape.Area":  "m/geo.(*Square).Area | m/geo.Circle.Area | m/use.Wrapped.Area",
		"m/geo.Named.Name":  "m/geo.Circle.Name",
		"m/geo.Circle.Area": "nothing",
		"m/geo.Circle":      "nothing",
		"m/geo.hidden.only": "m/geo.Circle.only",
	} {
		b := golang.Resolver{}.Dispatch(v, suite.Find(t, v, name))
		if got := suite.Targets(v, b); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
		if want != "nothing" && (!b.Dynamic || b.Reason != graph.ReasonImplements || b.Provenance != graph.Inferred) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestNamesAndModules(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/modules.txtar")
	var r golang.Resolver
	id, _ := v.Lookup("odd-name/x.go")
	f, _ := v.Facts(id)
	if got := r.Qualify(v, f, id, graph.NoDef); got != "example.com/app/odd-name" {
		t.Errorf("module %q", got)
	}
	if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, []string{"proper", "odd-name"}) {
		t.Errorf("names %v", got)
	}
	if got := r.Names(v, suite.Find(t, v, "example.com/app/dot.Dotted")); !slices.Equal(got, []string{"Dotted"}) {
		t.Errorf("names %v", got)
	}
	if b := r.Mention(v, f, id, 0); b.Resolved() {
		t.Errorf("a mention is bound to %v", b.Targets)
	}
	if !slices.Equal(r.Languages(), []string{"go"}) {
		t.Error("languages")
	}
}

// TestPackage lists the files that an import of a directory leads to.
func TestPackage(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/modules.txtar")
	for dir, want := range map[graph.Path][]graph.Path{
		"": {"helper.go", "main.go"}, "text": {"text/gen.go", "text/t.go"}, "staging": nil,
	} {
		var got []graph.Path
		for _, id := range (golang.Resolver{}).Package(v, dir) {
			rec, _ := v.File(id)
			got = append(got, rec.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("package in %q is %v, want %v", dir, got, want)
		}
	}
}
