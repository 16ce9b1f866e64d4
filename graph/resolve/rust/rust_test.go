package rust_test

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
	"github.com/ralph-index/ralph-index/graph/resolve/rust"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind "//>"
// a line says what the names on it denote:
//
//	Name -> import/path.Local (reason)   one definition; "(reason)" may be left out
//	Name ~ a.B | a.C                     candidates of an ambiguous binding
//	Name -> external / Name -> nothing
//
// Several claims are separated by ";". "import" or "base" before the name claims
// something of an import or an embedded type.
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
	sep := " -> "
	if strings.Contains(claim, " ~ ") {
		sep = " ~ "
	}
	what, want, ok := strings.Cut(claim, sep)
	if !ok {
		t.Fatalf("%s:%d: cannot read claim %q", p, line, claim)
	}
	want, reason, _ := strings.Cut(strings.TrimSuffix(want, ")"), " (")
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
	var r rust.Resolver
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
		f, _ := v.Facts(c.Symbol.File)
		if c.Symbol.Def == graph.NoDef {
			names = append(names, string(f.Path))
			continue
		}
		names = append(names, rust.Resolver{}.Qualify(v, f, c.Symbol.File, c.Symbol.Def))
	}
	slices.Sort(names)
	return strings.Join(names, " | ")
}

// find returns the symbol of a definition by its full name.
func find(t *testing.T, v *graphtest.View, a *txtar.Archive, name string) graph.Symbol {
	t.Helper()
	for _, file := range a.Files {
		id, _ := v.Lookup(graph.Path(file.Name))
		f, _ := v.Facts(id)
		for i := range f.Defs {
			if (rust.Resolver{}).Qualify(v, f, id, int32(i)) == name {
				return graph.Symbol{File: id, Def: int32(i)}
			}
		}
	}
	t.Fatalf("no definition %s", name)
	return graph.Symbol{}
}

func TestDispatch(t *testing.T) {
	v, a := load(t, "testdata/dispatch/shapes.txtar")
	for name, want := range map[string]string{
		"geo::Shape::area":   "geo::Circle::area | geo::flat::Square::area",
		"geo::Shape::twice":  "geo::flat::Square::twice",
		"geo::Named::area":   "geo::Circle::area",
		"geo::Circle::area":  "nothing",
		"geo::Circle":        "nothing",
		"geo::Shape::nobody": "nothing",
	} {
		b := rust.Resolver{}.Dispatch(v, find(t, v, a, name))
		if got := render(v, b); got != want {
			t.Errorf("%s reaches %s, want %s", name, got, want)
		}
		if want != "nothing" && (!b.Dynamic || b.Reason != graph.ReasonImplements || b.Provenance != graph.Inferred) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestNames(t *testing.T) {
	v, a := load(t, "testdata/modules.txtar")
	var r rust.Resolver
	for path, want := range map[graph.Path][]string{
		"app/src/lib.rs": {"app_core", "lib"}, "app/src/net/mod.rs": {"net"}, "app/src/net/tcp.rs": {"tcp"},
	} {
		id, _ := v.Lookup(path)
		if got := r.Names(v, graph.Symbol{File: id, Def: graph.NoDef}); !slices.Equal(got, want) {
			t.Errorf("%s is called %v, want %v", path, got, want)
		}
	}
	if got := r.Names(v, find(t, v, a, "app_core::net::tcp::Conn")); !slices.Equal(got, []string{"Conn", "Link"}) {
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
	v, a := load(t, "testdata/dispatch/shapes.txtar")
	id, _ := v.Lookup("src/flat.rs")
	f, _ := v.Facts(id)
	var got []string
	for i := range f.Heritage {
		if f.Heritage[i].Def != graph.NoDef {
			continue
		}
		s, ok := rust.Resolver{}.Heir(v, f, id, i)
		if !ok {
			got = append(got, f.Heritage[i].Of)
			continue
		}
		g, _ := v.Facts(s.File)
		got = append(got, rust.Resolver{}.Qualify(v, g, s.File, s.Def))
	}
	if want := []string{"geo::Circle", "T", "[u8]"}; !slices.Equal(got, want) {
		t.Errorf("heirs %v, want %v", got, want)
	}
	_ = a
}
