package typescript_test

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
	"github.com/ralph-index/ralph-index/graph/resolve/typescript"
)

// TestBindings checks the claims that stand in the sources of testdata. Behind
// "//>" a line says what the names on it denote:
//
//	name -> src/mod.Class.method (reason)   one definition; "(reason)" may be left out
//	name ~ src/a.f | src/b.f                several candidates; one, where the call may run another name
//	name -> external / name -> nothing
//	name -> nothing is looked up            a value that the text binds: no reference
//	name -> X.f maybe                       one definition of those that may be meant
//	name -> m lacks                         the module, which has not the name
//	name -> X.f through Y                   found on an object of Y or of what derives from it
//	name -> X.f exactly                     nothing can stand in its place
//
// Several claims are separated by ";". "import" or "base" before the name claims
// something of an import, by the name that it binds or else its module, or of a
// base. "name#2" is the second reference of the name on the line.
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
					_, all, ok := strings.Cut(line, "//> ")
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

func view(t testing.TB, a *txtar.Archive) *graphtest.View {
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
	reason := ""
	if i := strings.LastIndex(want, " ("); i > 0 {
		want, reason = want[:i], strings.TrimSuffix(want[i+2:], ")")
	}
	b, ok := binding(v, p, line, what)
	if want == "nothing is looked up" && !ok {
		return
	}
	if !ok {
		t.Errorf("%s:%d: no %s on the line", p, line, what)
		return
	}
	want, through, _ := strings.Cut(want, " through ")
	want, exactly := strings.CutSuffix(want, " exactly")
	want, maybe := strings.CutSuffix(want, " maybe")
	if maybe && (!b.Dynamic || b.Provenance == graph.Extracted || len(b.Targets) > 0 && b.Targets[0].Confidence > 0.5) {
		t.Errorf("%s:%d: %s is certain: %+v", p, line, what, b)
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
	r := typescript.New()
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	kind, name, ok := strings.Cut(what, " ")
	if !ok {
		kind, name = "ref", what
	}
	nth := 1
	if rest, ok := strings.CutSuffix(name, "#2"); ok {
		name, nth = rest, 2
	}
	switch kind {
	case "import":
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Span.From.Line == line && (im.Alias == name || im.Alias == "" && im.Module == name) {
				return r.Import(v, f, id, i), true
			}
		}
	case "base":
		for i := range f.Heritage {
			if f.Heritage[i].Span.From.Line == line && f.Heritage[i].Name == name {
				return r.Base(v, f, id, i), true
			}
		}
	case "mention":
		for i := range f.Mentions {
			if f.Mentions[i].Span.From.Line == line && f.Mentions[i].Name == name {
				return r.Mention(v, f, id, i), true
			}
		}
	case "ref":
		for i := range f.Refs {
			if f.Refs[i].Span.From.Line == line && f.Refs[i].Name == name {
				if nth--; nth == 0 {
					return r.Ref(v, f, id, i), true
				}
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
		names = append(names, qualified(v, c.Symbol))
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
	return qualified(v, b.Through)
}

func qualified(v *graphtest.View, s graph.Symbol) string {
	f, _ := v.Facts(s.File)
	if f == nil {
		file, _ := v.File(s.File)
		return string(file.Path)
	}
	return typescript.New().Qualify(v, f, s.File, s.Def)
}

// symbol finds a definition by its qualified name.
func symbol(t *testing.T, v *graphtest.View, name string) graph.Symbol {
	t.Helper()
	for _, id := range v.Files() {
		f, _ := v.Facts(id)
		for i := range f.Defs {
			s := graph.Symbol{File: id, Def: int32(i)}
			if qualified(v, s) == name && !f.Defs[i].Has(graph.FlagOverload) {
				return s
			}
		}
		if s := (graph.Symbol{File: id, Def: graph.NoDef}); qualified(v, s) == name {
			return s
		}
	}
	t.Fatalf("no definition %s", name)
	return graph.Symbol{}
}

const hierarchy = `
-- src/shape.ts --
export interface Shape { area(): number; }
export abstract class Base implements Shape { abstract area(): number; }
export default class Square extends Base { constructor(side: number) { super(); } area() { return 1; } }
export { Base as Figure };
-- src/round.ts --
import { Figure } from './shape';
import type { Shape as S } from './shape';
export class Circle extends Figure { area() { return 3; } static area2() {} }
class Dot implements S { area() { return 0; } }
-- src/index.ts --
export { Base as Abstract } from './shape';
-- src/whole.js --
function run() {}
module.exports = run;
`

func TestDispatch(t *testing.T) {
	v := view(t, txtar.Parse([]byte(hierarchy)))
	for name, want := range map[string]string{
		"src/shape.Shape.area":         "src/round.Circle.area | src/round.Dot.area | src/shape.Base.area | src/shape.Square.area",
		"src/shape.Base.area":          "src/round.Circle.area | src/shape.Square.area",
		"src/shape.Square.area":        "nothing",
		"src/round.Circle.area2":       "nothing",
		"src/shape.Square":             "nothing",
		"src/shape.Square.constructor": "nothing",
	} {
		b := typescript.New().Dispatch(v, symbol(t, v, name))
		if got := render(v, b); got != want {
			t.Errorf("dispatch of %s: %s, want %s", name, got, want)
		}
		if len(b.Targets) > 0 && !b.Dynamic {
			t.Errorf("dispatch of %s is not dynamic", name)
		}
	}
}

func TestNames(t *testing.T) {
	v := view(t, txtar.Parse([]byte(hierarchy)))
	for name, want := range map[string][]string{
		"src/shape.Base":               {"Base", "super", "Figure", "Abstract"},
		"src/shape.Square":             {"Square", "super", "default"},
		"src/shape.Square.constructor": {"constructor", "Square", "super", "default"},
		"src/shape.Shape":              {"Shape", "S"},
		"src/shape.Base.area":          {"area"},
		"src/shape":                    {"shape", "shape.ts", "shape.js", "shape.mjs", "shape.cjs", "shape.jsx"},
		"src/whole.run":                {"run", "default", "require"},
		"src":                          {"index", "index.ts", "index.js", "index.mjs", "index.cjs", "index.jsx", "src"},
	} {
		if got := typescript.New().Names(v, symbol(t, v, name)); !slices.Equal(got, want) {
			t.Errorf("names of %s: %v, want %v", name, got, want)
		}
	}
}

// Where too many files name what derives from a type, its overrides are found among
// those that define the name, whatever the order of the files.
func TestDispatchBelowManyTypes(t *testing.T) {
	files := []txtar.File{
		{Name: "a.ts", Data: []byte("class A { m() {} }\nexport class B extends A {}\n")},
		{Name: "x.ts", Data: []byte("import { B } from './a';\nexport class X extends B { m() {} }\n")},
		{Name: "y.ts", Data: []byte("export function m() {}\n")},
	}
	for i := range 600 {
		files = append(files, txtar.File{Name: fmt.Sprintf("n%d.ts", i), Data: []byte("import { B } from './a';\nnew B();\n")})
	}
	for range 2 {
		v := view(t, &txtar.Archive{Files: files})
		b := typescript.New().Dispatch(v, symbol(t, v, "a.A.m"))
		if got := render(v, b); got != "x.X.m" {
			t.Errorf("dispatch of a.A.m: %s, want x.X.m", got)
		}
		slices.Reverse(files)
	}
}
