package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// packResolver binds toy files whose directories are packages: an import of "m/DIR"
// leads to all files of DIR but those that end in _test.
type packResolver struct{ toyResolver }

var _ graph.Packager = packResolver{}

func (packResolver) Languages() []string { return []string{"pack"} }

func (packResolver) Package(v graph.View, dir graph.Path) (files []graph.FileID) {
	for _, id := range v.Dir(dir) {
		if rec, ok := v.File(id); ok && rec.Language == "pack" && !strings.HasSuffix(string(rec.Path), "_test.toy") {
			files = append(files, id)
		}
	}
	return files
}

func (packResolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	name := "m/" + string(f.Path.Dir())
	if def == graph.NoDef {
		return name
	}
	return name + "." + f.Defs[def].Local
}

func (p packResolver) Import(v graph.View, f *graph.Facts, _ graph.FileID, i int) graph.Binding {
	b := graph.Binding{Provenance: graph.Extracted, Reason: graph.ReasonImport}
	for _, id := range p.Package(v, graph.Path(strings.TrimPrefix(f.Imports[i].Module, "m/"))) {
		b.Targets = append(b.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: graph.NoDef}, Confidence: 1})
	}
	return b
}

func (packResolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def == graph.NoDef {
		return []string{f.Path.Dir().Base()}
	}
	return []string{f.Defs[s.Def].Name}
}

// packTree is a small tree of packages, without some of its files.
func packTree(without ...string) (*toyView, *Planner) {
	texts := []string{
		"a/inv/one.toy", "func open\n  call shut\nfunc odd\n",
		"a/inv/two.toy", "func shut\n",
		"a/inv/inv_test.toy", "func test_open test\n  call open\n",
		"a/app/main.toy", "import m/a/inv *\nfunc main\n  call open\n",
		"a/app/more.toy", "import m/a/inv *\nimport m/b/util *\n",
		"b/util/u.toy", "func x\n",
		"c/util/u.toy", "func y\n",
		"c/util/w.toy", "func z\n",
	}
	var files []*graph.Facts
	for i := 0; i < len(texts); i += 2 {
		if slices.Contains(without, texts[i]) {
			continue
		}
		files = append(files, toyFile(graph.Path(texts[i]), "language pack\n"+texts[i+1]))
	}
	return &toyView{View: graphtest.NewView(files...), gen: 1}, New([]graph.Resolver{packResolver{}}, Options{})
}

// TestPackageIsOneTarget asks of a package by its names: its files are one thing.
func TestPackageIsOneTarget(t *testing.T) {
	v, p := packTree()
	for _, c := range []struct {
		name string
		req  Request
		want string
	}{
		{"who imports it", Request{Type: Neighbors, Direction: In}, `
node a/app/main.toy a/app/main.toy:1 file 1 distance=1
node a/app/more.toy a/app/more.toy:1 file 1 distance=1
edge a/app/main.toy -> m/a/inv imports a/app/main.toy:2:1 1 extracted import
edge a/app/more.toy -> m/a/inv imports a/app/more.toy:2:1 1 extracted import
`},
		{"what it defines", Request{Type: Neighbors, Direction: Out}, `
node m/a/inv.open a/inv/one.toy:2 function 1 distance=1
node m/a/inv.odd a/inv/one.toy:4 function 1 distance=1
node m/a/inv.shut a/inv/two.toy:2 function 1 distance=1
edge m/a/inv -> m/a/inv.open defines a/inv/one.toy:2:6 1 extracted scope
edge m/a/inv -> m/a/inv.odd defines a/inv/one.toy:4:6 1 extracted scope
edge m/a/inv -> m/a/inv.shut defines a/inv/two.toy:2:6 1 extracted scope
`},
		{"whom a change reaches", Request{Type: Impact}, `
node m/a/app.main a/app/main.toy:3 function 0.8 distance=1 (calls_syntax m/a/inv.open)
node m/a/inv.test_open a/inv/inv_test.toy:2 function 0.8 distance=1 (calls_syntax m/a/inv.open)
node a/app/main.toy a/app/main.toy:1 file 1 distance=1 (imports m/a/inv)
node a/app/more.toy a/app/more.toy:1 file 1 distance=1 (imports m/a/inv)
`},
		{"how it is reached", Request{Type: Path, Target: "a/app/more.toy", TargetB: "m/a/inv"}, `
node a/app/more.toy a/app/more.toy:1 file 1
node m/a/inv a/inv/one.toy:1 module 1 distance=1
edge a/app/more.toy -> m/a/inv imports a/app/more.toy:2:1 1 extracted import
path a/app/more.toy m/a/inv
`},
		{"its tests", Request{Type: Tests}, `
file a/inv/inv_test.toy
test m/a/inv.test_open a/inv/inv_test.toy:2 test 0.852 distance=1 (calls; name; its file stands beside; its file uses a/inv/one.toy)
missing behavioral_coverage_unproven 1 []
`},
	} {
		for _, name := range []string{"m/a/inv", "a/inv", "inv", "a/inv/"} {
			if c.req.Type != Path {
				c.req.Target = name
			}
			a, err := p.Run(t.Context(), v, c.req)
			if err != nil {
				t.Fatal(err)
			}
			got := show(a)
			if c.req.Type == Impact {
				got = keepLines(got, "node")
			}
			if want := strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("%s, as %s:\n%swant\n%s", c.name, name, got, want)
			}
		}
	}
}

func keepLines(text, prefix string) string {
	var out strings.Builder
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			out.WriteString(l)
		}
	}
	return out.String()
}

// TestPackagesOfOneName lists each package once, under the name that tells it apart; a
// path is a file and nothing more.
func TestPackagesOfOneName(t *testing.T) {
	v, p := packTree()
	a, err := p.Run(t.Context(), v, Request{Type: Neighbors, Target: "util"})
	if err != nil {
		t.Fatal(err)
	}
	want := "node b/util/u.toy b/util/u.toy:1 file 0.5 (package m/b/util)\n" +
		"node c/util/u.toy c/util/u.toy:1 file 0.5 (package m/c/util)\n" +
		"missing ambiguous_symbol 2 []\n"
	if got := show(a); got != want {
		t.Errorf("util:\n%swant\n%s", got, want)
	}
	for target, files := range map[string][]string{
		"c/util/w.toy": {"c/util/w.toy"}, "util/w.toy": {"c/util/w.toy"}, "m/c/util": {"c/util/u.toy", "c/util/w.toy"},
	} {
		res, err := p.Resolve(t.Context(), v, target)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range res.Symbols {
			rec, _ := v.File(s.File)
			got = append(got, string(rec.Path))
		}
		if !slices.Equal(got, files) || res.Package != (len(files) > 1) {
			t.Errorf("%s is %v, a package: %t; want %v", target, got, res.Package, files)
		}
	}
}

// TestPackageKeepsNothing asks of a file after its package: what is remembered is of
// single files.
func TestPackageKeepsNothing(t *testing.T) {
	v, p := packTree()
	ask := func(target string) string {
		a, err := p.Run(t.Context(), v, Request{Type: Neighbors, Target: target, Depth: 2})
		if err != nil {
			t.Fatal(err)
		}
		return show(a)
	}
	before := ask("a/inv/two.toy")
	ask("m/a/inv")
	if after := ask("a/inv/two.toy"); after != before {
		t.Errorf("after a question about the package\n%sbefore\n%s", after, before)
	}
}

// TestImportOfAPackageIsOneNeighbor asks what a file imports: the package, not its files.
func TestImportOfAPackageIsOneNeighbor(t *testing.T) {
	v, p := packTree()
	a, err := p.Run(t.Context(), v, Request{Type: Neighbors, Target: "a/app/main.toy", Direction: Out, Relations: []graph.Relation{graph.Imports}})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Nodes) != 1 || a.Nodes[0].Label != "m/a/inv" || a.Nodes[0].Kind != string(graph.KindModule) || len(a.Edges) != 1 {
		t.Errorf("imports of a/app/main.toy: %+v, %+v", a.Nodes, a.Edges)
	}
}
