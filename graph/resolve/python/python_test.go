package python_test

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
	"github.com/ralph-index/ralph-index/graph/resolve/python"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind
// "#>" a line says what the names on it denote:
//
//	name -> pkg.mod.Class.method (reason)   one definition; "(reason)" may be left out
//	name ~ a.b | a.c                        several candidates; one, where the call may run another name
//	name -> external / name -> nothing
//	name -> X.f at 3                        the definition of the name on that line
//	name -> no reference                    a value that the text binds: nothing is looked up
//	name -> X.f maybe                       one definition of those that may be meant
//	name -> m lacks                         the module, which has not the name
//	name -> X.f through Y                   found on an object of Y or of what derives from it
//	name -> X.f exactly                     nothing can stand in its place
//
// Several claims are separated by ";". "import" or "base" before the name claims
// something of an import or a base class.
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
			v := view(t, a)
			claims := 0
			for _, f := range a.Files {
				for n, line := range strings.Split(string(f.Data), "\n") {
					_, all, ok := strings.Cut(line, "#> ")
					if !ok {
						continue
					}
					for _, c := range strings.Split(all, ";") {
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
	sep := " -> "
	if strings.Contains(claim, " ~ ") {
		sep = " ~ "
	}
	what, want, ok := strings.Cut(claim, sep)
	if !ok {
		t.Fatalf("%s:%d: cannot read claim %q", p, line, claim)
	}
	want, place, _ := strings.Cut(want, " at ")
	want, reason, _ := strings.Cut(strings.TrimSuffix(want, ")"), " (")
	b, ok := binding(v, p, line, what)
	if want == "no reference" && !ok {
		return
	}
	if !ok {
		t.Errorf("%s:%d: no %s on the line", p, line, what)
		return
	}
	want, through, _ := strings.Cut(want, " through ")
	want, exactly := strings.CutSuffix(want, " exactly")
	want, maybe := strings.CutSuffix(want, " maybe")
	if certain := b.Provenance == graph.Extracted || !b.Dynamic; maybe && certain {
		t.Errorf("%s:%d: %s is certain: %+v", p, line, what, b)
	}
	if place != "" && len(b.Targets) > 0 {
		s := b.Targets[0].Symbol
		g, _ := v.Facts(s.File)
		if got := fmt.Sprint(g.Defs[s.Def].NameSpan.From.Line); got != place {
			t.Errorf("%s:%d: %s is the one at %s, want %s", p, line, what, got, place)
		}
	}
	if got := throughOf(v, b); through != "" && got != through || exactly && got != "" {
		t.Errorf("%s:%d: %s is found through %q, want %q", p, line, what, got, through)
	}
	if got := render(v, b); got != want {
		t.Errorf("%s:%d: %s is %s (%s), want %s", p, line, what, got, b.Reason, want)
	}
	if reason != "" && string(b.Reason) != reason {
		t.Errorf("%s:%d: %s: reason %s, want %s", p, line, what, b.Reason, reason)
	}
	if many := len(b.Targets) > 1; many && sep != " ~ " || (sep == " ~ ") != (b.Provenance == graph.Ambiguous) {
		t.Errorf("%s:%d: %s: provenance %q of %d targets", p, line, what, b.Provenance, len(b.Targets))
	}
	sum := float32(0)
	for _, c := range b.Targets {
		sum += c.Confidence
	}
	if sum > 1.0001 || len(b.Targets) > 0 && sum <= 0 {
		t.Errorf("%s:%d: %s: confidences add up to %v", p, line, what, sum)
	}
}

// binding asks the resolver about the thing that a claim names.
func binding(v *graphtest.View, p graph.Path, line uint32, what string) (graph.Binding, bool) {
	r := python.New()
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	kind, name, ok := strings.Cut(what, " ")
	if !ok {
		kind, name = "ref", what
	}
	switch kind {
	case "import":
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Span.From.Line == line && (im.Name == name || im.Name == "" && im.Module == name) {
				return r.Import(v, f, id, i), true
			}
		}
	case "base":
		for i := range f.Heritage {
			if f.Heritage[i].Span.From.Line == line && f.Heritage[i].Name == name {
				return r.Base(v, f, id, i), true
			}
		}
	case "ref":
		for i := range f.Refs {
			if f.Refs[i].Span.From.Line == line && f.Refs[i].Name == name {
				// The planner has outlines, and of a file at hand the references in question.
				one := *f
				one.Refs = f.Refs[i : i+1]
				return r.Ref(outlines{v}, &one, id, 0), true
			}
		}
	}
	return graph.Binding{}, false
}

// outlines gives outlines for facts.
type outlines struct{ *graphtest.View }

func (v outlines) Facts(id graph.FileID) (*graph.Facts, error) { return v.Outline(id) }

func render(v *graphtest.View, b graph.Binding) string {
	if len(b.Targets) == 0 {
		if b.External {
			return "external"
		}
		return "nothing"
	}
	var names []string
	for _, c := range b.Targets {
		f, _ := v.Facts(c.Symbol.File)
		names = append(names, python.New().Qualify(v, f, c.Symbol.File, c.Symbol.Def))
	}
	slices.Sort(names)
	if b.Lacks {
		return strings.Join(names, " | ") + " lacks"
	}
	return strings.Join(names, " | ")
}

func throughOf(v *graphtest.View, b graph.Binding) string {
	if b.Through.File == 0 {
		return ""
	}
	f, _ := v.Facts(b.Through.File)
	return python.New().Qualify(v, f, b.Through.File, b.Through.Def)
}

func symbol(t *testing.T, v *graphtest.View, qualified string) graph.Symbol {
	t.Helper()
	for _, id := range v.Files() {
		f, _ := v.Facts(id)
		if f == nil {
			continue
		}
		for i := int32(graph.NoDef); i < int32(len(f.Defs)); i++ {
			if python.New().Qualify(v, f, id, i) == qualified {
				return graph.Symbol{File: id, Def: i}
			}
		}
	}
	t.Fatalf("no definition %s", qualified)
	return graph.Symbol{}
}

func TestQualify(t *testing.T) {
	init := ""
	v := view(t, &txtar.Archive{Files: []txtar.File{
		{Name: "src/app/__init__.py", Data: []byte(init)},
		{Name: "src/app/db/__init__.py", Data: []byte("def f(): pass\n")},
		{Name: "src/app/db/q.py", Data: []byte("class Q:\n  def get(self): pass\n")},
		{Name: "src/app/ns/m.py", Data: []byte("x = 1\n")},
		{Name: "scripts/run.py", Data: []byte("def main(): pass\n")},
		{Name: "src/one.py", Data: []byte("y = 1\n")},
		{Name: "tests/q/__init__.py", Data: []byte(init)},
		{Name: "tests/q/tests.py", Data: []byte("def g():\n  def h(): pass\n")},
		{Name: "setup.py", Data: []byte("z = 1\n")},
		{Name: "__init__.py", Data: []byte("w = 1\n")},
	}})
	for _, want := range []string{
		"app", "app.db", "app.db.f", "app.db.q.Q.get", "app.ns.m.x", "scripts.run.main", "one.y", "q.tests.g.h", "setup.z",
	} {
		symbol(t, v, want)
	}
}

func TestNames(t *testing.T) {
	v := view(t, &txtar.Archive{Files: []txtar.File{
		{Name: "a/__init__.py", Data: []byte("")},
		{Name: "a/b.py", Data: []byte("class C:\n  def __init__(self): pass\n  def m(self): pass\ndef gettext(s): pass\n")},
		{Name: "u.py", Data: []byte("from a.b import gettext as _, C as D\nimport a.b as ab\nimport a.b\n")},
		{Name: "g.py", Data: []byte("import a.b\ndef given(): pass\na.b.hook = given\n")},
	}})
	for name, want := range map[string][]string{
		"a.b.C.m": {"m"}, "a.b.gettext": {"gettext", "_"}, "a.b.C.__init__": {"__init__", "C", "D"}, "a.b": {"b.py", "b", "ab"}, "g.given": {"given", "hook"},
	} {
		if got := python.New().Names(v, symbol(t, v, name)); !slices.Equal(got, want) {
			t.Errorf("Names(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestDispatch(t *testing.T) {
	v := view(t, &txtar.Archive{Files: []txtar.File{
		{Name: "a.py", Data: []byte("class A:\n  def m(self): pass\nclass B(A):\n  def m(self): pass\nclass X:\n  def m(self): pass\n")},
		{Name: "c.py", Data: []byte("from a import B as Base\nclass C(Base):\n  def m(self): pass\nclass D(C): pass\n")},
		{Name: "loop.py", Data: []byte("class P(Q):\n  def m(self): pass\nclass Q(P): pass\n")},
	}})
	for name, want := range map[string]string{
		"a.A.m": "a.B.m | c.C.m", "c.C.m": "nothing", "a.A": "nothing", "loop.P.m": "nothing",
	} {
		b := python.New().Dispatch(v, symbol(t, v, name))
		if got := render(v, b); got != want {
			t.Errorf("Dispatch(%s) = %s, want %s", name, got, want)
		}
	}
}

// Where too many files name what derives from a class, its overrides are found among
// those that define the name, whatever the order of the files.
func TestDispatchBelowManyClasses(t *testing.T) {
	files := []txtar.File{
		{Name: "a.py", Data: []byte("class A:\n  def m(self): pass\nclass B(A): pass\n")},
		{Name: "x.py", Data: []byte("from a import B\nclass X(B):\n  def m(self): pass\n")},
		{Name: "y.py", Data: []byte("def m(): pass\n")},
	}
	for i := range 600 {
		files = append(files, txtar.File{Name: fmt.Sprintf("n%d.py", i), Data: []byte("from a import B\nB()\n")})
	}
	for range 2 {
		v := view(t, &txtar.Archive{Files: files})
		b := python.New().Dispatch(v, symbol(t, v, "a.A.m"))
		if got := render(v, b); got != "x.X.m" {
			t.Errorf("Dispatch(a.A.m) = %s, want x.X.m", got)
		}
		slices.Reverse(files)
	}
}
