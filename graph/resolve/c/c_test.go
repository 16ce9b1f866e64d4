package c_test

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
	"github.com/ralph-index/ralph-index/graph/resolve/c"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind "//>"
// a line says what the names on it denote:
//
//	Name -> path:Local (reason)   one definition; "(reason)" may be left out
//	Name ~ path:A | path:B        candidates of an ambiguous binding
//	Name -> external / Name -> nothing
//
// Several claims are separated by ";". "import" or "base" before the name claims
// something of an include or a base.
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
					for claim := range strings.SplitSeq(all, ";") {
						if claim = strings.TrimSpace(claim); claim != "" {
							claims++
							check(t, v, graph.Path(f.Name), uint32(n+1), claim)
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
	sep := " -> "
	if strings.Contains(claim, " ~ ") {
		sep = " ~ "
	}
	what, want, ok := strings.Cut(claim, sep)
	if !ok {
		t.Fatalf("%s:%d: cannot read claim %q", p, line, claim)
	}
	reason := ""
	if i := strings.LastIndex(want, " ("); i > 0 {
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
	if many := sep == " ~ "; many != (b.Provenance == graph.Ambiguous) {
		t.Errorf("%s:%d: %s: provenance %q of %d targets", p, line, what, b.Provenance, len(b.Targets))
	}
	sum := float32(0)
	for _, c := range b.Targets {
		sum += c.Confidence
	}
	if b.Provenance == graph.Ambiguous && sum > 1.0001 || len(b.Targets) > 0 && sum <= 0 {
		t.Errorf("%s:%d: %s: confidences add up to %v", p, line, what, sum)
	}
}

// binding asks the resolver about the thing that a claim names.
func binding(v *graphtest.View, p graph.Path, line uint32, what string) (graph.Binding, bool) {
	var r c.Resolver
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	kind, name, ok := strings.Cut(what, " ")
	if !ok {
		kind, name = "ref", what
	}
	switch kind {
	case "import":
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Span.From.Line == line && (im.Module == name || im.Name == name) {
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
	for _, t := range b.Targets {
		f, _ := v.Facts(t.Symbol.File)
		if t.Symbol.Def == graph.NoDef {
			names = append(names, string(f.Path))
			continue
		}
		names = append(names, string(f.Path)+":"+f.Defs[t.Symbol.Def].Local)
	}
	slices.Sort(names)
	return strings.Join(names, " | ")
}

// find returns the symbol of a definition by its path and name.
func find(t *testing.T, v *graphtest.View, p graph.Path, local string) graph.Symbol {
	t.Helper()
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	for i := range f.Defs {
		if f.Defs[i].Local == local {
			return graph.Symbol{File: id, Def: int32(i)}
		}
	}
	t.Fatalf("no definition %s in %s", local, p)
	return graph.Symbol{}
}

func TestDispatch(t *testing.T) {
	v, _ := load(t, "testdata/c.txtar")
	for name, want := range map[string]string{
		"src/util.h ops.open":  "src/main.c:my_open | src/util.c:late_open",
		"src/util.h ops.close": "src/main.c:my_close",
		"src/util.h ops.name":  "nothing",
		"src/main.c my_open":   "nothing",
	} {
		file, local, _ := strings.Cut(name, " ")
		if got := render(v, c.Resolver{}.Dispatch(v, find(t, v, graph.Path(file), local))); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
	}
	v, _ = load(t, "testdata/cpp.txtar")
	if got := render(v, c.Resolver{}.Dispatch(v, find(t, v, "lib/shape.h", "geo::Shape::Area"))); got != "lib/circle.cc:geo::Circle::Area" {
		t.Errorf("overrides: %s", got)
	}
}

func TestNames(t *testing.T) {
	v, _ := load(t, "testdata/c.txtar")
	var r c.Resolver
	id, _ := v.Lookup("src/util.h")
	f, _ := v.Facts(id)
	if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, []string{"util.h"}) {
		t.Errorf("names %v", got)
	}
	if got := r.Qualify(v, f, id, graph.NoDef); got != "src/util.h" {
		t.Errorf("module %q", got)
	}
	s := find(t, v, "src/main.c", "helper")
	all := []graph.FileID{id, s.File}
	if some, ok := r.Narrow(v, s, all); !ok || !slices.Equal(some, []graph.FileID{s.File}) {
		t.Errorf("a static function is seen by %v (%v)", some, ok)
	}
}
