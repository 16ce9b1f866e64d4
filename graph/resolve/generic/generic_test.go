package generic_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/generic"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind ">>>"
// a line says what names on it denote, separated by ";":
//
//	name -> Full.name (reason)      one definition; "(reason)" may be left out
//	name -> A.x | B.x               several candidates
//	name -> external                known to be outside
//	name -> nothing
//	import name -> …; base name -> …; name -> … dispatch A.x | B.x
func TestBindings(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			v, claims := view(t, a), 0
			for _, f := range a.Files {
				for n, line := range strings.Split(string(f.Data), "\n") {
					_, all, ok := strings.Cut(line, ">>> ")
					if !ok {
						continue
					}
					all = strings.TrimSuffix(strings.TrimSpace(all), "*)") // where a comment has an end
					for c := range strings.SplitSeq(all, ";") {
						claims++
						check(t, v, graph.Path(f.Name), uint32(n+1), strings.TrimSpace(c))
					}
				}
			}
			if claims == 0 {
				t.Error("no claims in the archive")
			}
		})
	}
}

func view(t *testing.T, a *txtar.Archive) *graphtest.View {
	t.Helper()
	var facts []*graph.Facts
	for _, f := range a.Files {
		got, err := extract.Extract(context.Background(), extract.File{Path: graph.Path(f.Name), Src: f.Data})
		if err != nil {
			t.Fatal(err)
		}
		if got == nil {
			got = &graph.Facts{Path: graph.Path(f.Name)}
		}
		facts = append(facts, got)
	}
	return graphtest.NewView(facts...)
}

func check(t *testing.T, v *graphtest.View, p graph.Path, line uint32, claim string) {
	t.Helper()
	what, want, ok := strings.Cut(claim, " -> ")
	if !ok {
		t.Fatalf("%s:%d: cannot read claim %q", p, line, claim)
	}
	want, dispatch, dispatches := strings.Cut(want, " dispatch ")
	want, reason, _ := strings.Cut(strings.TrimSuffix(want, ")"), " (")
	b, ok := binding(v, p, line, what)
	if !ok {
		t.Errorf("%s:%d: no %s on the line", p, line, what)
		return
	}
	if got := render(v, b); got != want {
		t.Errorf("%s:%d: %s is %s (%s), want %s", p, line, what, got, b.Reason, want)
		return
	}
	if reason != "" && string(b.Reason) != reason {
		t.Errorf("%s:%d: %s: reason %s, want %s", p, line, what, b.Reason, reason)
	}
	if kind, _, _ := strings.Cut(what, " "); kind != "import" && (len(b.Targets) > 1) != (b.Provenance == graph.Ambiguous) {
		t.Errorf("%s:%d: %s: provenance %q of %d targets", p, line, what, b.Provenance, len(b.Targets))
	}
	if dispatches {
		if got := render(v, resolver(v, p).Dispatch(v, b.Targets[0].Symbol)); got != dispatch {
			t.Errorf("%s:%d: %s may run %s, want %s", p, line, what, got, dispatch)
		}
	}
}

// resolver returns the one that serves the language of a file.
func resolver(v *graphtest.View, p graph.Path) graph.Resolver {
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	for _, r := range generic.Resolvers() {
		if slices.Contains(r.Languages(), f.Language) {
			return r
		}
	}
	panic(fmt.Sprintf("%s: no resolver of %q", p, f.Language))
}

// binding asks the resolver about the thing that a claim names.
func binding(v *graphtest.View, p graph.Path, line uint32, what string) (graph.Binding, bool) {
	r := resolver(v, p)
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	kind, name, ok := strings.Cut(what, " ")
	if !ok {
		kind, name = "ref", what
	}
	switch kind {
	case "import":
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Span.From.Line == line && (im.Name == name || im.Name == "" && im.Module == name) {
				return r.Import(v, f, id, i), true
			}
		}
	case "base":
		for i := range f.Heritage {
			if f.Heritage[i].Span.From.Line == line && f.Heritage[i].Name == name {
				return r.Base(v, f, id, i), true
			}
		}
	default:
		for i := range f.Refs {
			if f.Refs[i].Span.From.Line == line && f.Refs[i].Name == name {
				one := *f // the planner has outlines, and of a file at hand the references in question
				one.Refs = f.Refs[i : i+1]
				return r.Ref(graph.Outlines(v), &one, id, 0), true
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
	var list []string
	for _, c := range b.Targets {
		f, _ := v.Facts(c.Symbol.File)
		list = append(list, resolver(v, f.Path).Qualify(v, f, c.Symbol.File, c.Symbol.Def))
	}
	slices.Sort(list)
	return strings.Join(list, " | ")
}
