package python_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/python"
	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
)

var suite = resolvetest.Suite{
	Mark:     "#> ",
	Resolver: resolvetest.One(python.New()),
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

func TestQualify(t *testing.T) {
	init := ""
	v := resolvetest.View(t, &txtar.Archive{Files: []txtar.File{
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
		suite.Find(t, v, want)
	}
}

func TestNames(t *testing.T) {
	v := resolvetest.View(t, &txtar.Archive{Files: []txtar.File{
		{Name: "a/__init__.py", Data: []byte("")},
		{Name: "a/b.py", Data: []byte("class C:\n  def __init__(self): pass\n  def m(self): pass\ndef gettext(s): pass\n")},
		{Name: "u.py", Data: []byte("from a.b import gettext as _, C as D\nimport a.b as ab\nimport a.b\n")},
		{Name: "g.py", Data: []byte("import a.b\ndef given(): pass\na.b.hook = given\n")},
	}})
	for name, want := range map[string][]string{
		"a.b.C.m": {"m"}, "a.b.gettext": {"gettext", "_"}, "a.b.C.__init__": {"__init__", "C", "D"}, "a.b": {"b.py", "b", "ab"}, "g.given": {"given", "hook"},
	} {
		if got := python.New().Names(v, suite.Find(t, v, name)); !slices.Equal(got, want) {
			t.Errorf("Names(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestDispatch(t *testing.T) {
	v := resolvetest.View(t, &txtar.Archive{Files: []txtar.File{
		{Name: "a.py", Data: []byte("class A:\n  def m(self): pass\nclass B(A):\n  def m(self): pass\nclass X:\n  def m(self): pass\n")},
		{Name: "c.py", Data: []byte("from a import B as Base\nclass C(Base):\n  def m(self): pass\nclass D(C): pass\n")},
		{Name: "loop.py", Data: []byte("class P(Q):\n  def m(self): pass\nclass Q(P): pass\n")},
	}})
	for name, want := range map[string]string{
		"a.A.m": "a.B.m | c.C.m", "c.C.m": "nothing", "a.A": "nothing", "loop.P.m": "nothing",
	} {
		b := python.New().Dispatch(v, suite.Find(t, v, name))
		if got := suite.Targets(v, b); got != want {
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
		v := resolvetest.View(t, &txtar.Archive{Files: files})
		b := python.New().Dispatch(v, suite.Find(t, v, "a.A.m"))
		if got := suite.Targets(v, b); got != "x.X.m" {
			t.Errorf("Dispatch(a.A.m) = %s, want x.X.m", got)
		}
		slices.Reverse(files)
	}
}

// A chain is as sure as its weakest link, candidates share what is left for one of them,
// and a variable that is called may hold something else.
func TestConfidence(t *testing.T) {
	const src = "class A:\n  def n(self): return A()\n  def m(self): pass\nclass B:\n  def m(self): pass\n" +
		"class H:\n  def __init__(self):\n    self.a = A()\n    self.held = A().m\n"
	for body, want := range map[string][]float32{
		"A().n().n().n().m()": {0.9},        // what n returns, three times
		"H().a.n().m()":       {0.9},        // and what a field holds
		"(A() or B()).m()":    {0.35, 0.35}, // .7 shared
		"H().held()":          {0.9},        // a field that is called
		"A().m()":             {0.95},       // what was just made
	} {
		v := resolvetest.View(t, &txtar.Archive{Files: []txtar.File{{Name: "a.py", Data: []byte(src + "def f():\n  " + body + "\n")}}})
		id, _ := v.Lookup("a.py")
		f, err := v.Facts(id)
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		for i := range f.Refs {
			if r := &f.Refs[i]; r.Use == graph.UseCall && (r.Name == "m" || r.Name == "held") {
				last = i
			}
		}
		if last < 0 {
			t.Fatalf("%s: no call", body)
		}
		var got []float32
		for _, c := range python.New().Ref(v, f, id, last).Targets {
			got = append(got, c.Confidence)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
