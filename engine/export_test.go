package engine

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

func TestExportSaysWhatAnswersSay(t *testing.T) {
	s := openSpace(t, map[string]string{
		"base.py":  "class A:\n    def m(self):\n        self.n()\n        self.only()\n\n    def n(self): ...\n    def only(self): ...\n\n\nclass B(A):\n    def n(self): ...\n",
		"other.py": "from base import A, B\n\n\ndef f(c):\n    if c:\n        x = A()\n    else:\n        x = B()\n    x.only()\n",
		"a.go":     "package a\n\ntype I interface{ Run() }\n\ntype T struct{}\n\nfunc (T) Run() {}\n\nfunc Do(i I) { i.Run() }\n",
	})
	s.reindex(api.ReindexChanged)
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	calls := map[string]int{}
	for line := range bytes.Lines(out.Bytes()) {
		var r exported
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.K != "call" || r.CalleeFile == "" {
			continue
		}
		calls[r.Name]++
		target := r.CalleeFile + "#" + r.Callee
		ans := s.graph(query.Request{Type: query.Neighbors, Target: target, Direction: query.In, Relations: []graph.Relation{graph.CallsSyntax}}, api.AllowStale)
		i := slices.IndexFunc(ans.Edges, func(e query.Edge) bool {
			return string(e.Path) == r.File && e.Line == r.Line && e.Col == r.Col && string(e.Reason) == r.Reason
		})
		if i < 0 {
			t.Errorf("%s: no such edge among %+v", line, ans.Edges)
			continue
		}
		e := ans.Edges[i]
		if e.Confidence != r.Confidence || string(e.Provenance) != r.Provenance {
			t.Errorf("%sthe answer says %v %v", line, e.Confidence, e.Provenance)
		}
		if want := slices.Contains(ans.MissingData, query.MissingDynamic); r.Dynamic != want {
			t.Errorf("%sdynamic in answers: %v", line, want)
		}
	}
	if calls["n"] == 0 || calls["only"] < 2 || calls["Run"] == 0 {
		t.Errorf("calls: %v", calls)
	}
}

// TestExportTellsVariantsApart lists apart what a plain build leaves out, what is said of
// types that the tree does not define, and objects that no constructor makes.
func TestExportTellsVariantsApart(t *testing.T) {
	s := openSpace(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"a\"\n",
		"a.cc":       "struct P { int x; };\nstruct Q { Q(); };\nvoid f() { new P; new Q(); }\n",
		"src/lib.rs": "trait T {}\nstruct S;\nimpl T for S {}\nimpl T for Vec<u8> {}\nfn f() {}\n#[cfg(test)]\nmod tests {\n    struct M;\n    impl super::T for M {}\n    fn g() { super::f() }\n}\n",
	})
	s.reindex(api.ReindexChanged)
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range bytes.Lines(out.Bytes()) {
		var r exported
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.File == "src/lib.rs" || r.K == "construct" || r.K == "call" && r.CalleeLine != 0 {
			k := r.K + " " + r.Name
			if r.Excluded {
				k += " excluded"
			}
			got = append(got, k)
		}
	}
	slices.Sort(got)
	want := []string{
		"call Q", "call f excluded", "construct P", "def S", "def T", "def f", "impl Vec<u8>", "inherits S", "inherits_variant M", "variant M", "variant g", "variant tests",
	}
	if !slices.Equal(got, want) {
		t.Errorf("exported %q", got)
	}
}
