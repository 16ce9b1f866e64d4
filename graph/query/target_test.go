package query

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

const targetLib = `func parse exported
class Server
  method Serve
    call parse
    func inner local
      call parse
  property name
  property name
iface Parser
  method parse
func init
func init
func over overload
func over
`

func targetView() *toyView {
	return newToyView(
		"net/lib.toy", targetLib,
		"net/Server.toy", "func other\nfunc inner\n",
		"go/t.toy", "package p\nclass Conn\nfunc Close owner=Conn\n",
		"go/u.toy", "package p\nclass Pipe\nfunc Close owner=Pipe\n",
		"x/net/lib.toy", "func parse\n",
		"docs/guide.toy", "section Getting\n",
		"plain/notes.toy", "language none\n",
	)
}

func TestResolve(t *testing.T) {
	v, p := targetView(), newToyPlanner()
	file, _ := v.Lookup("net/lib.toy")
	f, _ := v.Facts(file)
	serve := graph.SymbolID(f, 2)
	tests := []struct{ target, want string }{
		{"net.lib.parse", "net.lib.parse"}, // a full name, also the end of a longer one
		{"x.net.lib.parse", "x.net.lib.parse"},
		{"parse", "net.lib.Parser.parse net.lib.parse x.net.lib.parse"},
		{"lib.parse", "net.lib.parse x.net.lib.parse"},
		{"Server.Serve", "net.lib.Server.Serve"},
		{"Server#Serve", "net.lib.Server.Serve"},
		{"Server::Serve", "net.lib.Server.Serve"},
		{"Serve", "net.lib.Server.Serve"},
		{"erve", ""},
		{"erver.Serve", ""},
		{"Server", "net.lib.Server"}, // not the file of that name
		{"name", "net.lib.Server.name"},
		{"init", "net.lib.init net.lib.init"},
		{"over", "net.lib.over"},
		{"inner", "net.Server.inner"}, // the other is local
		{"net.lib.Server.Serve.inner", "net.lib.Server.Serve.inner"},
		{"Conn.Close", "go.t.(*Conn).Close"},
		{"(*Conn).Close", "go.t.(*Conn).Close"},
		{"(*Pipe).Close", "go.u.(*Pipe).Close"},
		{"Close", "go.t.(*Conn).Close go.u.(*Pipe).Close"},
		{"net/lib.toy", "net/lib.toy"},
		{"./net/lib.toy", "net/lib.toy"},
		{"net/lib.toy:4", "net.lib.Server.Serve"},
		{"net/lib.toy:5", "net.lib.Server.Serve.inner"},
		{"net/lib.toy:6", "net.lib.Server.Serve.inner"},
		{"net/lib.toy:3:7", "net.lib.Server.Serve"},
		{"net/lib.toy#Serve", "net.lib.Server.Serve"},
		{"net/lib.toy#Server.Serve", "net.lib.Server.Serve"},
		{"net/lib.toy::Server::Serve", "net.lib.Server.Serve"},
		{"net/lib.toy#parse", "net.lib.parse"},
		{"net/lib.toy#nothing", ""},
		{"docs/guide.toy#Getting", "docs.guide.Getting"},
		{"docs/guide.toy#getting", "docs.guide.Getting"},
		{"net.lib", "net/lib.toy"},
		{"x.net.lib", "x/net/lib.toy"},
		{"guide.toy", "docs/guide.toy"},
		{"lib.toy", "net/lib.toy x/net/lib.toy"},
		{"plain/notes.toy", "plain/notes.toy"},
		{"plain/notes.toy:1", "plain/notes.toy"},
		{serve, "net.lib.Server.Serve"},
		{graph.FileSymbolID("net/lib.toy"), "net/lib.toy"},
		{graph.SpanID(f.Path, f.Hash, f.Defs[2].Span), "net.lib.Server.Serve"},
		{graph.SpanID(f.Path, f.Hash, graph.Span{Start: f.Defs[2].Span.Start + 12, End: f.Defs[2].Span.Start + 15}), "net.lib.Server.Serve"},
		{graph.EvidenceID(f.Path, f.Hash, 4, 4), "net.lib.Server.Serve"},
		{"s:AAAA", ""},
		{"nothing", ""},
	}
	for _, tt := range tests {
		res, err := p.Resolve(t.Context(), v, tt.target)
		if err != nil {
			t.Errorf("Resolve(%q): %v", tt.target, err)
			continue
		}
		var got []string
		for _, s := range res.Symbols {
			got = append(got, p.Label(v, s))
		}
		slices.Sort(got)
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("Resolve(%q) = %q, want %q", tt.target, g, tt.want)
		}
	}
}

// A parameter of a constructor may declare a field of the class: both are named on one
// line, and the line is the constructor's.
func TestLineOfParts(t *testing.T) {
	def := func(container int32, from, to uint32) graph.Def {
		d := graph.Def{Container: container, Span: graph.Span{Start: from, End: to}}
		d.NameSpan.From.Line = 7
		return d
	}
	f := &graph.Facts{Defs: []graph.Def{{Container: graph.NoDef}, def(0, 10, 50), def(0, 22, 30)}}
	if got := symbolsAt(f, 1, 7); len(got) != 1 || got[0].Def != 1 {
		t.Errorf("symbolsAt = %v, want the constructor alone", got)
	}
}

// A statement may define several names: an id of its text means all of them, but for what
// stands in one of them.
func TestSpanOfSeveral(t *testing.T) {
	def := func(container int32) graph.Def {
		return graph.Def{Container: container, Span: graph.Span{Start: 10, End: 20}}
	}
	f := &graph.Facts{Defs: []graph.Def{def(graph.NoDef), def(graph.NoDef), def(1), {Container: graph.NoDef, Span: graph.Span{Start: 10, End: 21}}}}
	if got := spanning(f, 1, 10, 20); len(got) != 2 || got[0].Def != 0 || got[1].Def != 1 {
		t.Errorf("spanning = %v, want the first two definitions", got)
	}
}

// The settings of a project file have the names of what a program is likely to define.
func TestResolveKeys(t *testing.T) {
	p := newToyPlanner()
	v := newToyView(
		"pack.toy", "key version\nkey main\nkey scripts\n  key build\n  key lint\nkey files\nkey Guide\n",
		"a.toy", "func version\nfunc build\nfunc outer\n  func files local\n",
		"b.toy", "func main\n", "c.toy", "func main\n", "docs.toy", "section Guide\n",
	)
	for target, want := range map[string]string{
		"version":          "a.version",
		"main":             "b.main c.main",
		"build":            "a.build pack.scripts.build", // a script is run like code
		"lint":             "pack.scripts.lint",
		"files":            "pack.files", // what is local to a function is no rival
		"Guide":            "docs.Guide pack.Guide",
		"pack.version":     "pack.version",
		"pack.toy#version": "pack.version",
	} {
		res, err := p.Resolve(t.Context(), v, target)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range res.Symbols {
			got = append(got, p.Label(v, s))
		}
		slices.Sort(got)
		if g := strings.Join(got, " "); g != want {
			t.Errorf("Resolve(%q) = %q, want %q", target, g, want)
		}
	}
}

// A directory is not silently taken for what ends in its name.
func TestResolveDirectory(t *testing.T) {
	v := newToyView(
		"web/a.toy", "func run exported\n", "web/b.toy", "func web exported\n", "x/one.toy", "class K\n  method x\n",
		"pkg/serve/c.toy", "func go exported\n", "run/d.toy", "func other\n",
	)
	p := newToyPlanner()
	for _, tt := range []struct{ target, nearest string }{
		{"web", "web.b.web web/a.toy web/b.toy"},
		{"./x/", "x/one.toy"},
		{"x", "x.one.K.x x/one.toy"},
		{"pkg/serve", "pkg/serve/c.toy"},
		{"run", "web.a.run run/d.toy"},
	} {
		res, err := p.Resolve(t.Context(), v, tt.target)
		if err != nil || !res.Directory || len(res.Symbols) != 0 || strings.Join(res.Nearest, " ") != tt.nearest {
			t.Errorf("Resolve(%q) = %+v, %v, want nearest %q", tt.target, res, err, tt.nearest)
		}
	}
	if res, err := p.Resolve(t.Context(), v, "web.b.web"); err != nil || res.Directory || len(res.Symbols) != 1 {
		t.Errorf("a full name: %+v, %v", res, err)
	}
	a := ask(t, v, Request{Type: Neighbors, Target: "web"})
	if !a.Metadata.Directory || !slices.Equal(a.MissingData, []Word{MissingTarget}) || len(a.Nodes) > 0 {
		t.Errorf("neighbors of a directory: %+v", a)
	}
}

func TestResolveLineBeyondEnd(t *testing.T) {
	v, p := targetView(), newToyPlanner()
	for _, target := range []string{"net/lib.toy:900", "net/lib.toy:900:3"} {
		_, err := p.Resolve(t.Context(), v, target)
		var beyond *LineError
		if !errors.As(err, &beyond) || beyond.Line != 900 || beyond.Path != "net/lib.toy" || beyond.Lines == 0 || beyond.Target != target {
			t.Errorf("Resolve(%q): %v, want a LineError", target, err)
		}
	}
}

func TestResolveStaleAndEmpty(t *testing.T) {
	v, p := targetView(), newToyPlanner()
	old := graph.EvidenceID("net/lib.toy", graph.Hash{1}, 1, 2)
	if res, err := p.Resolve(t.Context(), v, old); err != nil || !res.Stale || len(res.Symbols) != 0 {
		t.Errorf("Resolve(stale) = %+v, %v", res, err)
	}
	if a := ask(t, v, Request{Type: Impact, Target: old}); !a.Metadata.StaleID || !slices.Equal(a.MissingData, []Word{MissingTarget}) {
		t.Errorf("stale id: %+v", a)
	}
	for _, typ := range [...]Type{Neighbors, Path, Impact, Tests} {
		if _, err := p.Run(t.Context(), v, Request{Type: typ}); !errors.Is(err, ErrNoTarget) {
			t.Errorf("%s without a target = %v", typ, err)
		}
	}
	if _, err := p.Resolve(t.Context(), v, "  "); !errors.Is(err, ErrNoTarget) {
		t.Errorf("Resolve(blank) = %v", err)
	}
}

func TestNearest(t *testing.T) {
	v := targetView()
	tests := []struct{ target, want string }{
		{"net.Wrong.Serve", "net.lib.Server.Serve"},
		{"serve", "net.lib.Server.Serve"},
		{"qqq", ""},
		{"Sreve", "net.lib.Server.Serve"},
		{"net.Serv", "net.lib.Server.Serve"},
		{"lib.Servve", "net.lib.Server.Serve"},
		{"Sxrve", "net.lib.Server.Serve"},
		{"ab", ""},
	}
	for _, tt := range tests {
		a := ask(t, v, Request{Type: Impact, Target: tt.target})
		if got := strings.Join(a.Metadata.Nearest, " "); got != tt.want || !slices.Equal(a.MissingData, []Word{MissingTarget}) {
			t.Errorf("%q: nearest %q, missing %v, want %q", tt.target, got, a.MissingData, tt.want)
		}
	}
}

func TestNearestInAFile(t *testing.T) {
	for target, want := range map[string]string{
		"net/lib.toy#Sever": "net.lib.Server", "net/lib.toy#parsse": "net.lib.parse net.lib.Parser.parse", "net/lib.toy#nosuch": "",
	} {
		a := ask(t, targetView(), Request{Type: Impact, Target: target})
		if got := strings.Join(a.Metadata.Nearest, " "); got != want || !slices.Contains(a.MissingData, MissingTarget) {
			t.Errorf("%q: nearest %q, missing %v, want %q", target, got, a.MissingData, want)
		}
	}
}

func TestAmbiguousAnswer(t *testing.T) {
	a := ask(t, targetView(), Request{Type: Neighbors, Target: "parse", Limit: 2})
	if len(a.Nodes) != 2 || a.Metadata.Total != 3 || !a.Truncated || a.Metadata.AmbiguousArgument != "target" ||
		a.Provenance != graph.Ambiguous || a.Confidence != 0.333 || len(a.EvidenceIDs) != 2 {
		t.Errorf("answer %+v", a)
	}
}

func TestEndsWith(t *testing.T) {
	for end, want := range map[string]bool{"User.f": true, "f": true, `Http\User.f`: true, "ser.f": false} {
		if got := endsWith(normal(`App\Http\User::f`), end); got != want {
			t.Errorf("endsWith(%q) = %t", end, got)
		}
	}
}

func TestNormal(t *testing.T) {
	tests := []struct{ name, want string }{
		{"net/http.(*Server).Serve", "net/http.Server.Serve"},
		{"a.(*Set[T]).Add", "a.Set.Add"},
		{"crate::mod::f", "crate.mod.f"},
		{"A#b", "A.b"},
		{"plain", "plain"},
		{"a:1", "a:1"},
	}
	for _, tt := range tests {
		if got := normal(tt.name); got != tt.want {
			t.Errorf("normal(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
