package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/corpus"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// testSpace is an engine on a directory of its own.
type testSpace struct {
	*Engine
	t    *testing.T
	dir  string
	opts Options // Workspace is set to dir
}

func openSpace(t *testing.T, files map[string]string) *testSpace {
	t.Helper()
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range files {
		s.write(name, text)
	}
	return s.open()
}

func openCorpus(t *testing.T, name string) *testSpace {
	t.Helper()
	s := &testSpace{t: t, dir: t.TempDir()}
	if _, err := corpus.Workspace(name, s.dir); err != nil {
		t.Fatal(err)
	}
	return s.open()
}

func (s *testSpace) open() *testSpace {
	s.t.Helper()
	s.reopen()
	s.t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

func (s *testSpace) reopen() {
	s.t.Helper()
	if s.Engine != nil {
		if err := s.Close(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
	s.opts.Workspace = s.dir
	e, err := Open(s.t.Context(), s.opts)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Engine = e
	// Status would look at the tree: what a test wants to do first.
	c, err := e.enter()
	if err != nil {
		s.t.Fatal(err)
	}
	defer e.leave(c)
	if l, ok := c.svc.(*local); ok && l.degraded != "" {
		s.t.Fatalf("engine is degraded: %s", l.degraded)
	}
}

func (s *testSpace) write(name, text string) {
	s.t.Helper()
	p := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *testSpace) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *testSpace) reindex(mode api.ReindexMode, scope ...string) *api.ReindexAnswer {
	s.t.Helper()
	ans, err := s.Reindex(s.t.Context(), &api.ReindexRequest{Mode: mode, Scope: scope}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if ans.ErrorSummary != nil {
		s.t.Fatalf("reindex: %s", *ans.ErrorSummary)
	}
	return ans
}

func (s *testSpace) graph(req query.Request, policy api.Policy) *api.GraphAnswer {
	s.t.Helper()
	ans, err := s.Graph(s.t.Context(), &api.GraphRequest{Request: req, Freshness: policy})
	if err != nil {
		s.t.Fatal(err)
	}
	return ans
}

// callers asks for the definitions that call a target.
func (s *testSpace) callers(target string, policy api.Policy) *api.GraphAnswer {
	s.t.Helper()
	return s.graph(query.Request{
		Type: query.Neighbors, Target: target, Direction: query.In, Relations: []graph.Relation{graph.CallsSyntax},
	}, policy)
}

// grep returns "path:line" of the matches.
func (s *testSpace) grep(req api.GrepRequest) []string {
	s.t.Helper()
	ans, err := s.Grep(s.t.Context(), &req)
	if err != nil {
		s.t.Fatal(err)
	}
	out := []string{}
	for _, m := range ans.Matches {
		out = append(out, string(m.Path)+":"+strconv.Itoa(int(m.Line)))
	}
	return out
}

// index is the index of the space's own process.
func (s *testSpace) index() *index {
	s.t.Helper()
	c, err := s.enter()
	if err != nil {
		s.t.Fatal(err)
	}
	defer s.leave(c)
	return c.svc.(*local).x
}

func (s *testSpace) status() *api.Status {
	s.t.Helper()
	st, err := s.Status(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return st
}

func codeOf(err error) api.Code {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func labels(nodes []query.Node) []string {
	out := []string{}
	for _, n := range nodes {
		out = append(out, n.Label)
	}
	slices.Sort(out)
	return out
}

func TestExportOfWorkspaces(t *testing.T) {
	names, err := corpus.Workspaces()
	if err != nil || len(names) == 0 {
		t.Fatalf("no workspaces: %v", err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := openCorpus(t, name)
			s.reindex(api.ReindexChanged)
			var got bytes.Buffer
			if err := s.Export(t.Context(), &got); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("..", "corpus", "workspaces", name+".jsonl"), got.Bytes())
		})
	}
}

func TestCallersAcrossFiles(t *testing.T) {
	for _, c := range []struct{ space, target, caller string }{
		{"go-shop", "price.Total", "example.com/shop/cart.(*Cart).Total"},
		{"py-shop", "price.total", "shop.cart.Cart.total"},
		{"ts-shop", "price.total", "src/cart.Cart.total"},
	} {
		s := openCorpus(t, c.space)
		s.reindex(api.ReindexChanged)
		ans := s.graph(query.Request{Type: query.Impact, Target: c.target, ChangeKind: query.ChangeSignature}, api.AllowStale)
		if !slices.Contains(labels(ans.Nodes), c.caller) {
			t.Errorf("%s: impact of %s = %q, missing %v, want %s", c.space, c.target, labels(ans.Nodes), ans.MissingData, c.caller)
		}
		for _, id := range ans.EvidenceIDs {
			if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: id}); err != nil {
				t.Errorf("%s: evidence %s: %v", c.space, id, err)
			}
		}
	}
}

func TestSecondRunParsesNothing(t *testing.T) {
	s := openCorpus(t, "go-shop")
	first := s.reindex(api.ReindexChanged)
	if first.ParseCount == 0 || first.JobStatus != api.JobOK {
		t.Fatalf("first run: %+v", first)
	}
	again := s.reindex(api.ReindexChanged)
	if again.ParseCount != 0 || again.JobStatus != api.JobSkipped || again.Generation != first.Generation {
		t.Errorf("second run: %+v", again)
	}
	s.reopen()
	if again := s.reindex(api.ReindexChanged); again.ParseCount != 0 || again.Generation != first.Generation {
		t.Errorf("run after reopening: %+v", again)
	}
}

func TestEditsAreSeen(t *testing.T) {
	s := openSpace(t, map[string]string{
		"a.go": "package a\n\nfunc F() { G() }\n", "b.go": "package a\n\nfunc G() {}\n", "go.mod": "module m\n",
	})
	s.reindex(api.ReindexChanged)
	s.write("a.go", "package a\n\nfunc F() {}\n\nfunc H() { G() }\n")
	if got := labels(s.callers("G", api.PreferFresh).Nodes); !slices.Contains(got, "m.H") || slices.Contains(got, "m.F") {
		t.Errorf("callers after an edit = %q", got)
	}
	s.write("a.go", "package a\n\nfunc F() {}\n\nfunc I() { G() }\n")
	if got := labels(s.callers("G", api.Required).Nodes); !slices.Contains(got, "m.I") {
		t.Errorf("callers after a second edit = %q", got)
	}
	s.remove("a.go")
	if ans := s.callers("G", api.Required); len(ans.Edges) > 0 || ans.IsStale {
		t.Errorf("callers after a deletion = %+v, stale %v", ans.Edges, ans.IsStale)
	}
	st, err := s.Status(t.Context())
	if err != nil || st.IsStale || st.FilesIndexed != 2 {
		t.Errorf("status after a deletion: %+v, %v", st, err)
	}
}

func TestScopedReindexLeavesTheRest(t *testing.T) {
	s := openSpace(t, map[string]string{"d/a.py": "def a(): pass\n", "d/e/b.py": "def b(): pass\n", "c.py": "def c(): pass\n"})
	s.reindex(api.ReindexChanged)
	s.write("d/e/b.py", "def b2(): pass\n")
	s.write("c.py", "def c2(): pass\n")
	ans := s.reindex(api.ReindexChanged, "d")
	if !slices.Equal(ans.ChangedFiles, []graph.Path{"d/e/b.py"}) || ans.FilesSeen != 2 {
		t.Errorf("scoped run: %+v", ans)
	}
	if got := s.callers("c.py#c", api.AllowStale); got.Metadata.ResolvedID == "" {
		t.Errorf("a file outside the scope lost its old facts: %v", got.MissingData)
	}
	if ans := s.reindex(api.ReindexFull, "d"); ans.ParseCount != 2 {
		t.Errorf("scoped full run parsed %d files, want 2", ans.ParseCount)
	}
}

func TestGrepIndexedEqualsLive(t *testing.T) {
	s := openSpace(t, map[string]string{
		"a.txt": "needle one\nNeedle two\nneedles\r\n", "b/c.py": "x = need(le)\n", "d.txt": "K\xe2\x84\xaa ſ\n", "bin": "needle\x00\n",
		".gitignore": "ignored/\n", "ignored/x.txt": "needle\n",
	})
	s.reindex(api.ReindexChanged)
	for _, lit := range []string{"needle", "eedl", "(", "->", "k", "s", "need(", "e o", "absent"} {
		for _, fold := range []bool{false, true} {
			for _, word := range []bool{false, true} {
				req := api.GrepRequest{Pattern: lit, CaseSensitive: !fold, WholeWord: word}
				live := req
				live.UseIndex = api.IndexNever
				if got, want := s.grep(req), s.grep(live); !slices.Equal(got, want) {
					t.Errorf("%q fold=%v word=%v: indexed %q, live %q", lit, fold, word, got, want)
				}
			}
		}
	}
	s.write("new.txt", "needle\n")
	s.write("a.txt", "nothing\n")
	s.reindex(api.ReindexChanged)
	got := s.grep(api.GrepRequest{Pattern: "needle", CaseSensitive: true, UseIndex: api.IndexAlways})
	if !slices.Equal(got, []string{"new.txt:1"}) {
		t.Errorf("after edits: %q", got)
	}
	got = s.grep(api.GrepRequest{Pattern: "needle", Path: "ignored", CaseSensitive: true})
	if !slices.Equal(got, []string{"ignored/x.txt:1"}) {
		t.Errorf("in an ignored directory: %q", got)
	}
}

func TestGrepNamesLinesGivenUp(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": "ac\n", "b.txt": "aac\n" + strings.Repeat("a", 64) + "\nac\n", "c.txt": "ac\n"})
	s.reindex(api.ReindexChanged)
	ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: `^(a+)+(?=c)`, Regex: true, CaseSensitive: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(ans.Matches) != 3 || !ans.Truncated || ans.Deadline || !slices.Equal(ans.GaveUp, []api.Place{{Path: "b.txt", Line: 2}}) {
		t.Errorf("%d matches, truncated %v, deadline %v, gave up %v", len(ans.Matches), ans.Truncated, ans.Deadline, ans.GaveUp)
	}
}

func TestKeysAreNoRivalsOfCode(t *testing.T) {
	s := openSpace(t, map[string]string{
		"package.json": "{\"name\": \"x\", \"version\": \"1.0.0\", \"main\": \"a.js\"}\n",
		"a.ts":         "export function version() { return 1 }\nexport function user() { return version() }\n",
	})
	s.reindex(api.ReindexChanged)
	if ans := s.callers("version", api.AllowStale); len(ans.Edges) != 1 {
		t.Errorf("%d callers, missing %v", len(ans.Edges), ans.MissingData)
	}
	read := func(symbol string) string {
		ans, err := s.Read(t.Context(), &api.ReadRequest{Symbol: symbol})
		if err != nil {
			t.Fatal(err)
		}
		return string(ans.Path)
	}
	if read("version") != "a.ts" || read("package.json#version") != "package.json" || read("main") != "package.json" {
		t.Errorf("version is read from %s, main from %s", read("version"), read("main"))
	}
}

func TestReadRefusesStaleEvidence(t *testing.T) {
	s := openSpace(t, map[string]string{"a.py": "def f():\r\n    return 1\r\n"})
	s.reindex(api.ReindexChanged)
	found, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "return", CaseSensitive: true, ReturnEvidenceIDs: true})
	if err != nil || len(found.EvidenceIDs) != 1 {
		t.Fatalf("grep: %+v, %v", found, err)
	}
	id := found.EvidenceIDs[0]
	ans, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: id})
	if err != nil || ans.Content != "    return 1\r\n" || ans.StartLine != 2 {
		t.Errorf("read: %+v, %v", ans, err)
	}
	s.write("a.py", "def f():\n    return 2\n")
	if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: id}); codeOf(err) != api.CodeStaleEvidence {
		t.Errorf("read after an edit: %v", err)
	}
	s.reindex(api.ReindexChanged)
	_, err = s.Read(t.Context(), &api.ReadRequest{EvidenceID: id})
	var e *api.Error
	if !errors.As(err, &e) || len(e.Details["expected_content_hash"].(string)) != 64 || e.Details["current_content_hash"] == "" {
		t.Errorf("stale evidence does not name both hashes: %+v", err)
	}
	if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: "e:AAAAAAAAAAAAAAEA"}); codeOf(err) != api.CodeUnknownEvidence {
		t.Errorf("unknown id: %v", err)
	}
	if ans, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "f"}); err != nil || !strings.HasPrefix(ans.Content, "def f()") {
		t.Errorf("read of a symbol: %+v, %v", ans, err)
	}
}
