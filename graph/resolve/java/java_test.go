package java_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/java"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

var suite = resolvetest.Suite{
	Mark:     "//> ",
	Resolver: resolvetest.One(java.Resolver{}),
	Label:    label,
	Strict:   true,
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

// label is the full name of a definition, of a method with its parameters.
func label(v *graphtest.View, s graph.Symbol) string {
	f, _ := v.Facts(s.File)
	name := java.Resolver{}.Qualify(v, f, s.File, s.Def)
	if s.Def == graph.NoDef {
		return name
	}
	if d := &f.Defs[s.Def]; d.Kind == graph.KindMethod {
		if _, params, ok := strings.Cut(d.Signature, d.Name+"("); ok {
			params, _, _ = strings.Cut(params, ") throws")
			return name + "(" + strings.TrimSuffix(params, ")") + ")"
		}
	}
	return name
}

func TestDispatch(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	for name, want := range map[string]string{
		"a.Shape.area()":        "a.Circle.area() | a.Shapes.make.area() | a.Shapes.unit.area() | a.Square.area()",
		"a.Shape.scale(int by)": "a.Circle.scale(int factor)",
		"a.Square.area()":       "a.Shapes.unit.area()",
		"a.Box.put(T value)":    "a.IntBox.put(Integer value)",
		"a.Square.side()":       "nothing",
		"a.Shapes.make()":       "nothing",
		"a.Circle":              "nothing",
	} {
		s := suite.Find(t, v, name)
		b := java.Resolver{}.Dispatch(v, s)
		if got := suite.Targets(v, b); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
		if want != "nothing" && (!b.Dynamic || b.Provenance != graph.Inferred) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestOverrides(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	for pair, want := range map[[2]string]bool{
		{"a.Circle.scale(int factor)", "a.Shape.scale(int by)"}:    true,
		{"a.Circle.scale(int factor)", "a.Shape.scale(String by)"}: false,
		{"a.IntBox.put(Integer value)", "a.Box.put(T value)"}:      true,
		{"a.IntBox.put()", "a.Box.put(T value)"}:                   false,
	} {
		if got := (java.Resolver{}).Overrides(v, suite.Find(t, v, pair[0]), suite.Find(t, v, pair[1])); got != want {
			t.Errorf("%v: %v", pair, got)
		}
	}
}

func TestThrough(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/dispatch/shapes.txtar")
	id, _ := v.Lookup("a/Shapes.java")
	f, _ := v.Facts(id)
	through := map[string]string{}
	dynamic := map[string]bool{}
	for i := range f.Refs {
		b := java.Resolver{}.Ref(v, f, id, i)
		if b.Resolved() && f.Refs[i].Use == graph.UseCall {
			dynamic[f.Refs[i].Name] = b.Dynamic
			if b.Through.File != 0 {
				through[f.Refs[i].Name] = label(v, b.Through)
			}
		}
	}
	for name, want := range map[string]string{"area": "a.Shape", "scale": "a.Circle", "side": "", "unit": "", "hidden": ""} {
		if through[name] != want {
			t.Errorf("%s is reached through %q, want %q", name, through[name], want)
		}
	}
	if !dynamic["area"] || dynamic["scale"] {
		t.Errorf("dynamic: %v", dynamic)
	}
	if s := suite.Find(t, v, "a.Shape"); s.File == 0 {
		t.Error("no interface")
	}
}

func TestNames(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/constructors.txtar")
	var r java.Resolver
	for name, want := range map[string][]string{
		"a.Base":                {"Base", "new"},
		"a.Base.Base(int i)":    {"Base", "super", "this", "new"},
		"a.Color.Color(int id)": {"Color", "super", "this", "new", "RED", "GREEN"},
		"a.Base.run()":          {"run"},
	} {
		if got := r.Names(v, suite.Find(t, v, name)); !slices.Equal(got, want) {
			t.Errorf("%s: names %v, want %v", name, got, want)
		}
	}
	id, _ := v.Lookup("a/Base.java")
	f, _ := v.Facts(id)
	if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, []string{"Base"}) {
		t.Errorf("names of the file %v", got)
	}
	if got := r.Qualify(v, f, id, graph.NoDef); got != "a.Base" {
		t.Errorf("name of the file %q", got)
	}
	if b := r.Mention(v, f, id, 0); b.Resolved() {
		t.Errorf("a mention is bound to %v", b.Targets)
	}
}

func TestNarrow(t *testing.T) {
	v, _ := resolvetest.Load(t, "testdata/constructors.txtar")
	all := v.Files()
	for name, want := range map[string]int{"a.Base.Base(int i)": 3, "a.Base.secret()": 1, "a.Base.run()": -1} {
		some, ok := java.Resolver{}.Narrow(v, suite.Find(t, v, name), all)
		if ok != (want >= 0) || ok && len(some) != want {
			t.Errorf("%s: %d files, %v; want %d", name, len(some), ok, want)
		}
	}
}
