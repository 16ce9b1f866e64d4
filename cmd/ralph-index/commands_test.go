package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

func TestTextForPeople(t *testing.T) {
	for _, c := range []struct {
		args   []string
		code   int
		stdout []string // all of them, in this order
		stderr []string
	}{
		{
			[]string{"graph", "neighbors", "A", "--direction", "in"}, 0,
			[]string{"pkg/b.go:8:2: pkg.(*T).B calls_syntax pkg.A  inferred 0.90 declared_type e:x\n"},
			[]string{"missing: dynamic_dispatch_possible (4)", "there is more"},
		},
		{[]string{"graph", "path", "B", "A"}, 0, []string{"1. pkg.(*T).B -> pkg.A\n", "pkg/b.go:8:2: "}, nil},
		{
			[]string{"graph", "impact", "A"}, 0,
			[]string{"pkg/a.go:3:1: function pkg.A  distance 1", "\ntests\npkg/a_test.go:5:1: pkg.TestA"},
			nil,
		},
		{[]string{"graph", "hubs", "--limit", "5"}, 0, []string{"pkg/a.go:3:1: function pkg.A", "score 2.5"}, nil},
		{[]string{"graph", "tests", "A"}, 0, []string{"pkg/a_test.go:5:1: pkg.TestA  0.80 calls it"}, nil},
		{[]string{"grep", "x"}, 0, []string{"a.go:2:5: x\uFFFD[31m := 1\n"}, nil},
		{[]string{"grep", "x", "-B", "1", "-A1"}, 0, []string{"a.go-1- before\na.go:2:5: x", "a.go-3- after\n"}, nil},
		{
			[]string{"grep", "x", "--include-graph-context"}, 0,
			[]string{"a.go:2:5: x", "\n\ndefinitions\na.go:1:1: pkg.A  to line 4  callers: pkg.B  tests: pkg.TestA  sp:a\n"}, nil,
		},
		{[]string{"grep", "-l", "x"}, 0, []string{"a.go\nodd\uFFFDname.go\n"}, nil},
		{[]string{"read", "a.go"}, 0, []string{"whole\n"}, nil},
		{[]string{"read", "--symbol", "A"}, 0, []string{"func A\n"}, []string{"a.go:3-4"}},
		{[]string{"export"}, 0, []string{"{\"kind\":\"definition\"}\n"}, nil},
		{[]string{"version"}, 0, []string{"ralph-index ", "commit ", "go1."}, nil},
		{[]string{"--version"}, 0, []string{"ralph-index ", "commit ", "go1."}, nil},
		{[]string{"help", "missing-data"}, 0, []string{"target_unresolved\n", "no_path\n"}, nil},
		{[]string{"help", "graph", "path"}, 0, []string{"--max-paths"}, nil},
		{[]string{"__complete", "graph", ""}, 0, []string{"neighbors\n", "tests\n"}, nil},
		{[]string{"__complete", "graph", "hubs", "--role", ""}, 0, []string{"source\n"}, nil},
		{[]string{"__complete", "graph", "neighbors", "x", "--direction", ""}, 0, []string{"out\n"}, nil},
		{[]string{"__complete", "serve", "--drain", ""}, 0, []string{"review_commit\n"}, nil},
		{[]string{"__complete", "call", ""}, 0, []string{"ralph_graph\n"}, nil},
		{[]string{"__complete", "help", ""}, 0, []string{"missing-data\t"}, nil},
		{[]string{"help", "exit-codes"}, 0, []string{"  0  ", "130  "}, nil},
		{[]string{"completion", "bash"}, 0, []string{"bash completion"}, nil},
		{[]string{}, 0, []string{"Available Commands"}, nil},
	} {
		got := runWith(t, &fake{}, c.args...)
		if got.code != c.code {
			t.Errorf("%v: exit code %d, want %d: %s", c.args, got.code, c.code, got.stderr)
		}
		inOrder(t, c.args, got.stdout, c.stdout)
		inOrder(t, c.args, got.stderr, c.stderr)
		if strings.ContainsAny(got.stdout+got.stderr, "\x1b\r") {
			t.Errorf("%v: colours or redrawing without a terminal: %q", c.args, got.stdout+got.stderr)
		}
	}
}

func inOrder(t *testing.T, args []string, text string, parts []string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Errorf("%v: no %q in order in:\n%s", args, p, text)
			return
		}
		rest = rest[i+len(p):]
	}
}

func TestJSONForPrograms(t *testing.T) {
	for _, args := range [][]string{
		{"status"}, {"reindex"}, {"graph", "hubs"}, {"grep", "x"}, {"grep", "-l", "x"}, {"read", "a.go"}, {"read", "a.go:3"},
		{"read", "--symbol", "A"}, {"version"}, {"help", "exit-codes"}, {"help", "missing-data"}, {"call", "read_file", `{"path":"a"}`}, {"call", "ralph_index_status"},
	} {
		f := &fake{job: api.ReindexAnswer{JobStatus: api.JobOK}}
		got := runWith(t, f, append(args, "--json")...)
		var v map[string]any
		if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.code != 0 || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("%v: exit code %d, %v: %q %s", args, got.code, err, got.stdout, got.stderr)
		}
	}
	got := runWith(t, &fake{}, "graph", "hubs", "--json", "--limit", "500")
	var failure struct {
		Error    api.Error `json:"error"`
		ExitCode int       `json:"exit_code"`
	}
	if err := json.Unmarshal([]byte(got.stderr), &failure); err != nil || failure.Error.Code != api.CodeInvalidParams ||
		failure.Error.Argument != "limit" || failure.ExitCode != 2 || got.code != 2 || got.stdout != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestExitCodes(t *testing.T) {
	refuse := func(c api.Code) *fake { return &fake{err: &api.Error{Code: c, Message: "no"}} }
	for _, c := range []struct {
		f    *fake
		args []string
		code int
	}{
		{&fake{empty: true}, []string{"grep", "x"}, 1},
		{&fake{empty: true}, []string{"grep", "-l", "x"}, 1},
		{&fake{empty: true}, []string{"graph", "impact", "A"}, 1},
		{refuse(api.CodeStaleEvidence), []string{"read", "a.go"}, 1},
		{refuse(api.CodeAmbiguousSymbol), []string{"graph", "impact", "A"}, 1},
		{&fake{}, []string{"status", "--check"}, 1},
		{&fake{}, []string{"nonsense"}, 2},
		{&fake{}, []string{"grep"}, 2},
		{&fake{}, []string{"grep", "a", "b", "c"}, 2},
		{&fake{}, []string{"grep", "x", "--nonsense"}, 2},
		{&fake{}, []string{"grep", "x", "--limit", "many"}, 2},
		{&fake{}, []string{"grep", "x", "--limit", "0"}, 2},
		{&fake{}, []string{"graph", "callers", "A"}, 2},
		{&fake{}, []string{"graph", "impact"}, 2},
		{&fake{}, []string{"graph", "path", "A"}, 2},
		{&fake{}, []string{"graph", "hubs", "A"}, 2},
		{&fake{}, []string{"graph", "tests", "A", "B"}, 2},
		{&fake{}, []string{"read", "a.go:0"}, 2},
		{&fake{}, []string{"read", "a.go:5-3"}, 2},
		{&fake{}, []string{"read", "a.go:99999999999999999999"}, 2},
		{&fake{}, []string{"read", "a.go:9999"}, 1},
		{&fake{}, []string{"read", "a.go", "--line-start", "9999"}, 1},
		{&fake{}, []string{"grep", "x", "-C", "-1"}, 2},
		{&fake{}, []string{"help", "nope"}, 2},
		{&fake{}, []string{"help", "status", "nope"}, 2},
		{&fake{}, []string{"completion", "tcsh"}, 2},
		{&fake{}, []string{"completion", "bash", "x"}, 2},
		{&fake{}, []string{"status", "--color", "pink"}, 2},
		{&fake{}, []string{"export", "--format", "xml"}, 2},
		{&fake{}, []string{"reindex", "../elsewhere"}, 2},
		{&fake{}, []string{"serve", "--drain", "nonsense"}, 2},
		{&fake{}, []string{"serve", "--http", "nonsense"}, 2},
		{&fake{}, []string{"serve", "--http", "0.0.0.0:0", "--no-token"}, 2},
		{&fake{}, []string{"serve", "--http", ":0", "--no-token"}, 2},
		{&fake{}, []string{"status", "--root", "/nowhere"}, 2},
		{&fake{}, []string{"graph", "neighbors", "A", "--depth", "0"}, 2},
		{&fake{}, []string{"read", "a.go", "--expected-content-hash", "abc"}, 2},
		{&fake{}, []string{"serve", "--no-token"}, 2},
		{&fake{}, []string{"serve", "--token-file", "t"}, 2},
		{&fake{}, []string{"serve", "--http", "127.0.0.1:0", "--no-token", "--token-file", "t"}, 2},
		{&fake{}, []string{"call", "read_file", "{"}, 2},
		{&fake{}, []string{"call", "read_fil", "{}"}, 2},
		{&fake{}, []string{"call", "read_file", "{}"}, 2},
		{&fake{}, []string{"call", "read_file", `{"path":"a"}`, "--drain", "x"}, 2},
		{refuse(api.CodeNotFound), []string{"call", "read_file", `{"path":"a"}`}, 1},
		{refuse(api.CodeIndexNotReady), []string{"export"}, 3},
		{refuse(api.CodeDeadline), []string{"grep", "x"}, 4},
		{&fake{late: true}, []string{"grep", "x"}, 4},
		{&fake{late: true}, []string{"grep", "-l", "x"}, 4},
		{&fake{gaveUp: []api.Place{{Path: "a.go", Line: 7}}}, []string{"grep", "x"}, 4},
		{&fake{late: true, empty: true}, []string{"grep", "x"}, 4},
		{&fake{late: true}, []string{"graph", "neighbors", "A"}, 4},
		{&fake{late: true, empty: true}, []string{"graph", "hubs"}, 4},
		{&fake{}, []string{"watch", "--no-index"}, 3},
		{&fake{damaged: true, err: &api.Error{Code: api.CodeIndexNotReady, Message: "no"}}, []string{"export"}, 5},
		{&fake{err: &api.Error{Code: api.CodeIndexUnavailable, Message: "no"}}, []string{"grep", "x"}, 3},
		{&fake{job: api.ReindexAnswer{JobStatus: api.JobTimedOut}}, []string{"reindex"}, 4},
		{refuse(api.CodeIO), []string{"read", "a"}, 6},
		{&fake{err: errors.New("x")}, []string{"read", "a"}, 6},
		{&fake{job: api.ReindexAnswer{JobStatus: api.JobFailed}}, []string{"reindex"}, 6},
		{&fake{job: api.ReindexAnswer{JobStatus: api.JobCancelled}}, []string{"reindex"}, 130},
	} {
		got := runWith(t, c.f, c.args...)
		if got.code != c.code {
			t.Errorf("%v: exit code %d, want %d; %s", c.args, got.code, c.code, got.stderr)
		}
		if got.code == 2 && got.stderr == "" && c.args[0] != "call" {
			t.Errorf("%v: a usage error says nothing", c.args)
		}
	}
}

func TestEveryCodeHasAnExitCode(t *testing.T) {
	known := map[int]bool{}
	for _, row := range exitCodes() {
		known[row.code] = true
	}
	for _, c := range []api.Code{
		api.CodeInvalidParams, api.CodeNotFound, api.CodeOutsideRoot, api.CodeNotRegular, api.CodePermission,
		api.CodeStaleEvidence, api.CodeUnknownEvidence, api.CodeAmbiguousSymbol, api.CodeBinary, api.CodeIndexUnavailable,
		api.CodeNotEligible, api.CodeIndexNotReady, api.CodeCapabilityDenied, api.CodeUnknownTool, api.CodeUnsupportedPattern,
		api.CodeDeadline, api.CodeCancelled, api.CodeIO, api.CodeInternal,
	} {
		if code := exitCodeOf(c); code == exitOK || !known[code] {
			t.Errorf("%s ends with %d", c, code)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := runIn(ctx, t, &fake{}, t.TempDir(), "reindex"); got.code != 130 {
		t.Errorf("got %+v", got)
	}
}

func TestErrorsNameTheNextStep(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"stauts"}, `did you mean "status"?`},
		{[]string{"zzzzzz"}, "the commands are"},
		{[]string{"grep", "x", "--limt", "5"}, "ralph-index grep --help"},
		{[]string{"grep"}, "usage: ralph-index grep PATTERN [PATH]"},
		{[]string{"graph", "impact", "A", "--change-kind", "delet"}, `did you mean "delete"?`},
		{[]string{"serve", "--drain", "develop"}, `did you mean "development"?`},
		{[]string{"serve", "--drain", "foo"}, `unknown drain "foo"; known: planning`},
		{[]string{"grep", "--fixd", "x"}, "did you mean --fixed? See ralph-index grep --help"},
		{[]string{"graph", "hubs", "--lmit", "5"}, "did you mean --limit?"},
		{[]string{"graph", "hubs", "--qqqqqq"}, "unknown flag: --qqqqqq; see ralph-index graph --help"},
		{[]string{"graph", "neighbors", "A", "--relation", "imports"}, "only to hubs, tests; give it with --relations"},
		{[]string{"help", "stauts"}, `did you mean "status"?`},
		{[]string{"graph", "path", "A"}, "usage: ralph-index graph path TARGET TARGET_B"},
		{[]string{"read", "a.go:9999"}, "there is no line 9999; the file has 9 lines"},
		{[]string{"status", "-W", "/nowhere"}, "/nowhere does not exist"},
		{[]string{"grep", "x", "--limit", "many"}, `invalid argument "many" for "--limit" flag; see`},
		{[]string{"grep", "x", "-A", "1000"}, "ralph-index: -A cannot be 1000; allowed: 0 to 100 (invalid_params)\n"},
		{[]string{"grep", "x", "-C", "1000"}, "ralph-index: -C cannot be 1000"},
		{[]string{"read", "a.go", "--context-lines", "3"}, "applies to an id or a symbol; with path use --line-start and --line-end"},
		{[]string{"graph", "neighbors", "A", "--depth", "0"}, "--depth of neighbors cannot be 0; allowed: 1 to 3 (invalid_params)\n"},
		{[]string{"graph", "path", "A", "B", "--depth", "-1"}, "--depth of path cannot be -1; allowed: 1 to 6"},
		{[]string{"grep", "x", "--limit", "0"}, "--limit cannot be 0; allowed: 1 to 10000 (invalid_params)\n"},
	} {
		if got := runWith(t, &fake{}, c.args...); !strings.Contains(got.stderr, c.says) {
			t.Errorf("%v says %q, want %s", c.args, got.stderr, c.says)
		}
	}
}

func TestPathsAreRelativeToTheCurrentDirectory(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{".git", "sub"} {
		if err := os.Mkdir(filepath.Join(top, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sub/odd:7", "top.go"} {
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sub := filepath.Join(top, "sub")
	elsewhere := t.TempDir()
	for _, c := range []struct {
		cwd  string
		args []string
		got  func(*fake) any
		want any
	}{
		{sub, []string{"reindex", "x", "../y", "."}, func(f *fake) any { return strings.Join(f.reindex.Scope, " ") }, "sub/x y sub"},
		{sub, []string{"reindex", ".."}, func(f *fake) any { return len(f.reindex.Scope) }, 0},
		{elsewhere, []string{"reindex", "x", "-W", top}, func(f *fake) any { return strings.Join(f.reindex.Scope, " ") }, "x"},
		{sub, []string{"grep", "p", "x"}, func(f *fake) any { return f.grep.Path }, filepath.Join(sub, "x")},
		{sub, []string{"grep", "p"}, func(f *fake) any { return f.grep.Path }, "."},
		{sub, []string{"read", "a.go"}, func(f *fake) any { return f.read.Path }, "sub/a.go"},
		{sub, []string{"read", "a.go:3-5"}, func(f *fake) any { return [2]int{f.read.LineStart, f.read.LineEnd} }, [2]int{3, 5}},
		{sub, []string{"read", "a.go:3"}, func(f *fake) any { return [2]int{f.read.LineStart, f.read.LineEnd} }, [2]int{3, 3}},
		{sub, []string{"read", "odd:7"}, func(f *fake) any { return f.read.Path }, "sub/odd:7"},
		{sub, []string{"read", "top.go"}, func(f *fake) any { return f.read.Path }, "top.go"},
		{sub, []string{"read", "top.go:3"}, func(f *fake) any { return f.read.Path }, "top.go"},
		{sub, []string{"read", "odd:7#F"}, func(f *fake) any { return f.read.Symbol }, "sub/odd:7#F"},
		{sub, []string{"read", "top.go#F"}, func(f *fake) any { return f.read.Symbol }, "top.go#F"},
		{sub, []string{"read", "sub/odd:7"}, func(f *fake) any { return f.read.Path }, "sub/odd:7"},
		{sub, []string{"grep", "p", "sub"}, func(f *fake) any { return f.grep.Path }, sub},
		{sub, []string{"reindex", "top.go"}, func(f *fake) any { return strings.Join(f.reindex.Scope, " ") }, "top.go"},
		{sub, []string{"read", "/etc/x"}, func(f *fake) any { return f.read.Path }, "/etc/x"},
		{sub, []string{"status"}, func(f *fake) any { return f.opened.Workspace }, top},
	} {
		f := &fake{job: api.ReindexAnswer{JobStatus: api.JobOK, RemovedCount: 1}}
		got := runIn(t.Context(), t, f, c.cwd, c.args...)
		if got.code != 0 {
			t.Errorf("%v: exit code %d: %s", c.args, got.code, got.stderr)
			continue
		}
		if v := c.got(f); v != c.want {
			t.Errorf("%v asks for %v, want %v", c.args, v, c.want)
		}
	}
}

func TestFlagsReachTheTool(t *testing.T) {
	f := &fake{}
	runWith(t, f, "graph", "impact", "A", "--change-kind", "rename", "--depth", "4", "--relations", "imports,tests",
		"--freshness", "required", "--timeout-ms", "50", "--limit", "7")
	want := query.Request{
		Type: query.Impact, Target: "A", Limit: 7, Depth: 4, ChangeKind: query.ChangeRename,
		Relations: []graph.Relation{graph.Imports, graph.Tests},
	}
	if g := f.graph; g == nil || g.Freshness != api.Required || g.TimeoutMS != 50 || len(g.Relations) != 2 || g.Depth != want.Depth ||
		g.ChangeKind != want.ChangeKind || g.Limit != want.Limit || g.Target != want.Target {
		t.Errorf("graph asks %+v", g)
	}
	runWith(t, f, "grep", "-F", "-i", "-w", "a.b", "--include", "*.{go,py}", "-C", "2", "--use-index", "never", "--rank-by", "hybrid")
	if g := f.grep; g.Regex || g.CaseSensitive || !g.WholeWord || len(g.Include) != 1 || g.ContextBefore != 2 || g.ContextAfter != 2 ||
		g.UseIndex != api.IndexNever || g.RankBy != api.RankHybrid {
		t.Errorf("grep asks %+v", g)
	}
	id := graph.EvidenceID("a.go", graph.Hash{1}, 1, 2)
	runWith(t, f, "read", id, "--context-lines", "3")
	if r := f.read; r.EvidenceID != id || r.ContextLines != 3 {
		t.Errorf("read asks %+v", r)
	}
	runWith(t, f, "read", "a", "--line-start", "5", "--line-end", "40")
	if r := f.read; r.LineStart != 5 || r.LineEnd != 40 {
		t.Errorf("read asks %+v", r)
	}
	runWith(t, f, "status", "--no-index", "--root", t.TempDir(), "--root", t.TempDir())
	if o := f.opened; !o.NoIndex || len(o.Roots) != 2 || strings.Join(o.WorkerCommand, " ") != "/bin/ralph-index extract-worker" {
		t.Errorf("opened with %+v", o)
	}
}

func TestCallGoesThroughTheProtocol(t *testing.T) {
	got := runWith(t, &fake{}, "call", "mcp__ralph__read_file", `{"file_path":"a"}`, "-v")
	if got.stdout != "whole\n" || !strings.Contains(got.stderr, `--> {"jsonrpc":"2.0"`) || !strings.Contains(got.stderr, "<-- ") {
		t.Errorf("got %+v", got)
	}
	if got := runWith(t, &fake{job: api.ReindexAnswer{JobStatus: api.JobOK}}, "call", "ralph_reindex", "-"); got.code != 0 ||
		!strings.Contains(got.stdout, `"job_status":"ok"`) {
		t.Errorf("got %+v", got)
	}
	if got := runWith(t, &fake{}, "call", "ralph_graph", `{"query_type":"hubs","limt":1}`); got.code != 2 ||
		!strings.Contains(got.stdout, `did you mean`) {
		t.Errorf("got %+v", got)
	}
}

func TestColour(t *testing.T) {
	if got := runWith(t, &fake{}, "grep", "x", "--color", "always"); !strings.Contains(got.stdout, "\x1b[35ma.go\x1b[0m") {
		t.Errorf("got %q", got.stdout)
	}
}
