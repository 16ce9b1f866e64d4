package java_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/java"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind "//>"
// a line says what the names on it denote:
//
//	name -> pkg.Type.name (reason)   one definition; "(reason)" may be left out
//	name ? pkg.Type.name             one definition that is inferred
//	name ~ a.B.m | a.C.m             candidates of an ambiguous binding
//	name -> external / name -> nothing
//
// Several claims are separated by ";". Methods stand with their parameters as written.
// "import" or "base" before the name claims something of an import or a base.
func TestBindings(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			v, a := load(t, name)
			claims := 0
			for _, f := range a.Files {
				for n, line := range strings.Split(string(f.Data), "\n") {
					_, all, _ := strings.Cut(line, "//> ")
					for c := range strings.SplitSeq(all, ";") {
						if c = strings.TrimSpace(c); c != "" {
							claims++
							check(t, v, graph.Path(f.Name), uint32(n+1), c)
						}
					}
				}
			}
			if claims == 0 {
				t.Error("no claims in the archive")
			}
		})
	}
}

func load(t *testing.T, name string) (*graphtest.View, *txtar.Archive) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var facts []*graph.Facts
	for _, f := range a.Files {
		got, err := extract.Extract(context.Background(), extract.File{Path: graph.Path(f.Name), Src: f.Data})
		if err != nil {
			t.Fatal(err)
		}
		if got == nil || got.Status != graph.StatusOK {
			t.Fatalf("%s: facts %+v", f.Name, got)
		}
		facts = append(facts, got)
	}
	return graphtest.NewView(facts...), a
}

func check(t *testing.T, v *graphtest.View, p graph.Path, line uint32, claim string) {
	t.Helper()
	sep, provenance := " -> ", graph.Extracted
	for s, pv := range map[string]graph.Provenance{" ~ ": graph.Ambiguous, " ? ": graph.Inferred} {
		if strings.Contains(claim, s) {
			sep, provenance = s, pv
		}
	}
	what, want, ok := strings.Cut(claim, sep)
	if !ok {
		t.Fatalf("%s:%d: cannot read claim %q", p, line, claim)
	}
	reason := ""
	if i := strings.LastIndex(want, " ("); i >= 0 {
		want, reason = want[:i], strings.TrimSuffix(want[i+2:], ")")
	}
	b, ok := binding(v, p, line, what)
	if !ok {
		t.Errorf("%s:%d: no %s on the line", p, line, what)
		return
	}
	if got := render(v, b); got != want {
		t.Errorf("%s:%d: %s is %s (%s), want %s", p, line, what, got, b.Reason, want)
	}
	if reason != "" && string(b.Reason) != reason {
		t.Errorf("%s:%d: %s: reason %s, want %s", p, line, what, b.Reason, reason)
	}
	if b.Resolved() && b.Provenance != provenance {
		t.Errorf("%s:%d: %s: provenance %q of %d targets", p, line, what, b.Provenance, len(b.Targets))
	}
	sum := float32(0)
	for _, c := range b.Targets {
		sum += c.Confidence
	}
	if sum > 1.0001 || b.Resolved() && sum <= 0 {
		t.Errorf("%s:%d: %s: confidences add up to %v", p, line, what, sum)
	}
}

// binding asks the resolver about the thing that a claim names.
func binding(v *graphtest.View, p graph.Path, line uint32, what string) (graph.Binding, bool) {
	var r java.Resolver
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	kind, name, ok := strings.Cut(what, " ")
	if !ok {
		kind, name = "ref", what
	}
	switch kind {
	case "import":
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Span.From.Line == line && im.Name == name {
				return r.Import(v, f, id, i), true
			}
		}
	case "base":
		for i := range f.Heritage {
			if h := &f.Heritage[i]; h.Span.From.Line == line && h.Name == name {
				return r.Base(v, f, id, i), true
			}
		}
	case "ref":
		for i := range f.Refs {
			if ref := &f.Refs[i]; ref.Span.From.Line == line && ref.Name == name {
				return r.Ref(v, f, id, i), true
			}
		}
	}
	return graph.Binding{}, false
}

func render(v *graphtest.View, b graph.Binding) string {
	if len(b.Targets) == 0 {
		if b.External {
			return "external"
		}
		return "nothing"
	}
	var names []string
	for _, c := range b.Targets {
		names = append(names, label(v, c.Symbol))
	}
	slices.Sort(names)
	return strings.Join(names, " | ")
}

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

// find returns the symbol of a definition by its label.
func find(t *testing.T, v *graphtest.View, a *txtar.Archive, name string) graph.Symbol {
	t.Helper()
	for _, file := range a.Files {
		id, _ := v.Lookup(graph.Path(file.Name))
		f, _ := v.Facts(id)
		for i := range f.Defs {
			if s := (graph.Symbol{File: id, Def: int32(i)}); label(v, s) == name {
				return s
			}
		}
	}
	t.Fatalf("no definition %s", name)
	return graph.Symbol{}
}

func TestDispatch(t *testing.T) {
	v, a := load(t, "testdata/dispatch/shapes.txtar")
	for name, want := range map[string]string{
		"a.Shape.area()":        "a.Circle.area() | a.Shapes.make.area() | a.Shapes.unit.area() | a.Square.area()",
		"a.Shape.scale(int by)": "a.Circle.scale(int factor)",
		"a.Square.area()":       "a.Shapes.unit.area()",
		"a.Box.put(T value)":    "a.IntBox.put(Integer value)",
		"a.Square.side()":       "nothing",
		"a.Shapes.make()":       "nothing",
		"a.Circle":              "nothing",
	} {
		s := find(t, v, a, name)
		b := java.Resolver{}.Dispatch(v, s)
		if got := render(v, b); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
		if want != "nothing" && (!b.Dynamic || b.Provenance != graph.Inferred) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestOverrides(t *testing.T) {
	v, a := load(t, "testdata/dispatch/shapes.txtar")
	for pair, want := range map[[2]string]bool{
		{"a.Circle.scale(int factor)", "a.Shape.scale(int by)"}:    true,
		{"a.Circle.scale(int factor)", "a.Shape.scale(String by)"}: false,
		{"a.IntBox.put(Integer value)", "a.Box.put(T value)"}:      true,
		{"a.IntBox.put()", "a.Box.put(T value)"}:                   false,
	} {
		if got := (java.Resolver{}).Overrides(v, find(t, v, a, pair[0]), find(t, v, a, pair[1])); got != want {
			t.Errorf("%v: %v", pair, got)
		}
	}
}

func TestThrough(t *testing.T) {
	v, a := load(t, "testdata/dispatch/shapes.txtar")
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
	if s := find(t, v, a, "a.Shape"); s.File == 0 {
		t.Error("no interface")
	}
}

func TestNames(t *testing.T) {
	v, a := load(t, "testdata/constructors.txtar")
	var r java.Resolver
	for name, want := range map[string][]string{
		"a.Base":                {"Base", "new"},
		"a.Base.Base(int i)":    {"Base", "super", "this", "new"},
		"a.Color.Color(int id)": {"Color", "super", "this", "new", "RED", "GREEN"},
		"a.Base.run()":          {"run"},
	} {
		if got := r.Names(v, find(t, v, a, name)); !slices.Equal(got, want) {
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
	v, a := load(t, "testdata/constructors.txtar")
	var all []graph.FileID
	for _, f := range a.Files {
		id, _ := v.Lookup(graph.Path(f.Name))
		all = append(all, id)
	}
	slices.Sort(all)
	for name, want := range map[string]int{"a.Base.Base(int i)": 3, "a.Base.secret()": 1, "a.Base.run()": -1} {
		some, ok := java.Resolver{}.Narrow(v, find(t, v, a, name), all)
		if ok != (want >= 0) || ok && len(some) != want {
			t.Errorf("%s: %d files, %v; want %d", name, len(some), ok, want)
		}
	}
}
