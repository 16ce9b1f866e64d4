package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/glob"
)

func (s *testSpace) find(e *Engine, req api.FindRequest) *api.FindAnswer {
	s.t.Helper()
	ans, err := e.Find(s.t.Context(), &req)
	if err != nil {
		s.t.Fatalf("%+v: %v", req, err)
	}
	return ans
}

func findSpace(t *testing.T) *testSpace {
	t.Helper()
	s := openSpace(t, map[string]string{
		"cmd/main.go": "package main\n\nfunc main() { Run() }\n", "cmd/run.go": "package main\n\nfunc Run() {}\n",
		"cmd/run_test.go": "package main\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { Run() }\n",
		"vendor/x/run.go": "package x\n\nfunc Run() {}\n", "docs/run.md": "# Run\n", "docs/é.md": "# Other\n", "app.yaml": "a: b\n",
		"pkg/Run.py": "def run():\n    pass\n", "data.bin": "a\x00b", "empty.txt": "", ".gitignore": "out/\n", "out/run.go": "package out\n",
	})
	if err := os.Symlink("cmd", filepath.Join(s.dir, "linked")); err != nil {
		t.Fatal(err)
	}
	s.reindex(api.ReindexChanged)
	return s
}

func TestFindByGlob(t *testing.T) {
	s := findSpace(t)
	live, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = live.Close(context.Background()) })
	for name, e := range map[string]*Engine{"leader": s.Engine, "follower": s.follow(), "live": live} {
		for _, c := range []struct {
			req  api.FindRequest
			want string
		}{
			{api.FindRequest{Pattern: "*.go"}, "cmd/main.go cmd/run.go cmd/run_test.go vendor/x/run.go"},
			{api.FindRequest{Pattern: "*.go", Exclude: []string{"vendor", "*_test.go"}}, "cmd/main.go cmd/run.go"},
			{api.FindRequest{Pattern: "cmd"}, "cmd/main.go cmd/run.go cmd/run_test.go"},
			{api.FindRequest{Pattern: "cmd/*.go", Path: "cmd"}, "cmd/main.go cmd/run.go cmd/run_test.go"},
			{api.FindRequest{Pattern: "x/run.go"}, "vendor/x/run.go"},
			{api.FindRequest{Pattern: "**/run.*"}, "cmd/run.go docs/run.md vendor/x/run.go"},
			{api.FindRequest{Pattern: "**/run.*", Path: "docs"}, "docs/run.md"},
			{api.FindRequest{Pattern: "*", Path: "cmd/run.go"}, "cmd/run.go"},
			{api.FindRequest{Pattern: "*", Path: "linked"}, "cmd/main.go cmd/run.go cmd/run_test.go"},
			{api.FindRequest{Pattern: "[a-c]pp.{yaml,toml}"}, "app.yaml"},
			{api.FindRequest{Pattern: "?.md"}, "docs/é.md"},
			{api.FindRequest{Pattern: "*.bin"}, "data.bin"},
			{api.FindRequest{Pattern: "run.PY"}, ""},
			{api.FindRequest{Pattern: "out/run.go", Path: "out"}, "out/run.go"},
			{api.FindRequest{Pattern: "*.go", Limit: 2}, "cmd/main.go cmd/run.go"},
			// Filters come before the limit.
			{api.FindRequest{Pattern: "*", Limit: 1, Role: graph.RoleTest}, "cmd/run_test.go"},
			{api.FindRequest{Pattern: "*", Role: graph.RoleGenerated}, "vendor/x/run.go"},
			{api.FindRequest{Pattern: "*", Role: graph.RoleConfig}, ".gitignore app.yaml"},
		} {
			ans := s.find(e, c.req)
			if got := strings.Join(ans.Matches, " "); got != c.want || ans.Truncated != (c.req.Limit == 2) {
				t.Errorf("%s: %+v: %q, truncated %t", name, c.req, got, ans.Truncated)
			}
			if indexed := name != "live" && c.req.Path != "out"; ans.IndexUsed != indexed || (ans.FallbackReason == nil) != indexed {
				t.Errorf("%s: %+v: %+v", name, c.req, ans.Freshness)
			}
		}
		for _, c := range []struct {
			req  api.FindRequest
			code api.Code
			arg  string
		}{
			{api.FindRequest{Pattern: "["}, api.CodeInvalidParams, "pattern"}, {api.FindRequest{Pattern: ""}, api.CodeInvalidParams, "pattern"},
			{api.FindRequest{Pattern: "*", Exclude: []string{"{"}}, api.CodeInvalidParams, "exclude"},
			{api.FindRequest{Pattern: "*", Path: "nothing"}, api.CodeNotFound, "path"}, {api.FindRequest{Pattern: "*", Path: ".."}, api.CodeOutsideRoot, "path"},
			{api.FindRequest{Pattern: "*", Path: "/etc"}, api.CodeOutsideRoot, "path"}, {api.FindRequest{Pattern: "*", Path: s.dir + "x"}, api.CodeOutsideRoot, "path"},
			{api.FindRequest{Pattern: "*", Path: "a\x00"}, api.CodeInvalidParams, "path"},
		} {
			_, err := e.Find(t.Context(), &c.req)
			if argument := argumentOf(err); codeOf(err) != c.code || argument != c.arg {
				t.Errorf("%s: %+v: %v of %q", name, c.req, err, argument)
			}
		}
	}
	if _, err := live.Find(t.Context(), &api.FindRequest{Pattern: "*", ChangedOnly: true}); codeOf(err) != api.CodeIndexNotReady {
		t.Errorf("changed without an index: %v", err)
	}
	if ans := s.find(live, api.FindRequest{Pattern: "*.go", ContainsSymbol: "Run", Ranked: true}); ans.SymbolNote == nil || *ans.SymbolNote != api.NoteNoIndex ||
		len(ans.Matches) != 4 || !slices.Contains(ans.ScoreReasons[0].Reasons, "+0 symbol_definition:no_indexed_data") {
		t.Errorf("a symbol without an index: %+v", ans)
	}
}

func argumentOf(err error) string {
	var e *api.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Argument
}

func TestFindBySymbol(t *testing.T) {
	s := findSpace(t)
	for name, want := range map[string]string{
		"Run": "cmd/main.go cmd/run.go cmd/run_test.go docs/run.md vendor/x/run.go", "TestRun": "cmd/run_test.go", "run": "pkg/Run.py",
	} {
		if ans := s.find(s.Engine, api.FindRequest{Pattern: "*", ContainsSymbol: name}); strings.Join(ans.Matches, " ") != want || ans.SymbolNote != nil {
			t.Errorf("%s: %q", name, ans.Matches)
		}
	}
	for _, name := range []string{"NoSuch", "pkg.NoSuch", "no.such.Run"} {
		if ans := s.find(s.Engine, api.FindRequest{Pattern: "*", ContainsSymbol: name}); len(ans.Matches) != 0 || ans.SymbolNote == nil || *ans.SymbolNote != api.NoteNoMatchingSymbol {
			t.Errorf("%s: %+v", name, ans)
		}
	}
}

func TestFindRanks(t *testing.T) {
	s := findSpace(t)
	s.write("cmd/main.go", "package main\n\nfunc main() { Run(); Run() }\n")
	s.reindex(api.ReindexChanged)
	ans := s.find(s.Engine, api.FindRequest{Pattern: "**/*.go", ContainsSymbol: "Run", Ranked: true})
	want := []string{
		"cmd/main.go 120 +60 symbol_mention, +40 changed, +20 graph_neighbor", "cmd/run.go 80 +80 symbol_definition", "cmd/run_test.go 80 +60 symbol_mention, +20 graph_neighbor",
		"vendor/x/run.go 30 +80 symbol_definition, -50 generated_or_vendored",
	}
	for i, f := range ans.ScoreReasons {
		got := f.Path + " " + strconv.Itoa(f.Score) + " " + strings.Join(f.Reasons, ", ")
		if i >= len(want) || got != want[i] || f.Path != ans.Matches[i] {
			t.Errorf("%d: %s", i, got)
		}
	}
	ans = s.find(s.Engine, api.FindRequest{Pattern: "run.go", Ranked: true, Role: graph.RoleSource, Limit: 1})
	if len(ans.Matches) != 1 || ans.Matches[0] != "cmd/run.go" || ans.Truncated || !slices.Equal(ans.ScoreReasons[0].Reasons, []string{"+100 exact_basename", "+30 role"}) {
		t.Errorf("%+v", ans)
	}
	ans = s.find(s.Engine, api.FindRequest{Pattern: "*", ChangedOnly: true})
	if !slices.Equal(ans.Matches, []string{"cmd/main.go"}) {
		t.Errorf("changed: %q", ans.Matches)
	}
}

func TestFindEvidenceReadsBack(t *testing.T) {
	s := findSpace(t)
	s.write("late.txt", "no\nfinal\nnewline")
	s.reindex(api.ReindexChanged)
	for _, e := range []*Engine{s.Engine, s.follow()} {
		ans := s.find(e, api.FindRequest{Pattern: "*", ReturnEvidenceIDs: true})
		if len(ans.EvidenceIDs) != len(ans.Matches) || !slices.Contains(ans.Matches, "late.txt") {
			t.Fatalf("%d ids for %q", len(ans.EvidenceIDs), ans.Matches)
		}
		for i, id := range ans.EvidenceIDs {
			path := ans.Matches[i]
			if id == "" {
				if path != "data.bin" {
					t.Errorf("%s has no id", path)
				}
				continue
			}
			text, err := os.ReadFile(filepath.Join(s.dir, path))
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Read(t.Context(), &api.ReadRequest{EvidenceID: id})
			if err != nil || got.Content != string(text) || got.Path != path {
				t.Errorf("%s: %+v, %v", path, got, err)
			}
		}
	}
	ans := s.find(s.Engine, api.FindRequest{Pattern: "late.txt", ReturnEvidenceIDs: true})
	s.write("late.txt", "other")
	if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: ans.EvidenceIDs[0]}); codeOf(err) != api.CodeStaleEvidence {
		t.Errorf("an id of other bytes: %v", err)
	}
}

// What the index finds is what a walk finds, whatever the pattern.
func TestFindEqualsAWalk(t *testing.T) {
	s := openCorpus(t, "go-shop")
	s.reindex(api.ReindexChanged)
	live, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = live.Close(context.Background()) })
	all := s.find(live, api.FindRequest{Pattern: "*"}).Matches
	for _, pattern := range []string{"*", "**", "*.go", "*/*", "**/*_test.go", "{cart,price}/*", "c*", "./go.mod", "cart/", "[!a-m]*", "**/[a-c]*/**"} {
		a, b := s.find(s.Engine, api.FindRequest{Pattern: pattern}).Matches, s.find(live, api.FindRequest{Pattern: pattern}).Matches
		if !slices.Equal(a, b) {
			t.Errorf("%s: index %q, walk %q", pattern, a, b)
		}
		g, err := glob.Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, p := range all {
			if g.Match(graph.Path(p)) {
				want = append(want, p)
			}
		}
		if !slices.Equal(b, want) && len(b)+len(want) > 0 {
			t.Errorf("%s: %q, want %q", pattern, b, want)
		}
	}
}
