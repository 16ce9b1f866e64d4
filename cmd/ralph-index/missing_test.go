package main

import (
	"context"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// TestEveryMissingWordIsExplained reads the vocabulary from the source of package
// query, so that a new word without a sentence fails.
func TestEveryMissingWordIsExplained(t *testing.T) {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "../../graph/query/api.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Word" {
			return true
		}
		lit, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			t.Fatalf("%s is no literal", spec.Names[0].Name)
		}
		word, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		n++
		if meaningOf(query.Word(word)) == "" {
			t.Errorf("%s has no sentence", word)
		}
		return true
	})
	if n == 0 || n != len(missingWords()) {
		t.Errorf("package query has %d words, the table %d", n, len(missingWords()))
	}
}

func TestNotesOfAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		adjust func(*api.GraphAnswer)
		says   string
		not    string
	}{
		{
			"unresolved", []string{"graph", "impact", "Grt"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, MissingData: []query.Word{query.MissingTarget}}}
				ans.Metadata.Nearest = []string{"lib.Greet"}
			},
			"missing: target_unresolved: nothing indexed has this name, path or id as TARGET\n  did you mean lib.Greet?\n", "grep",
		},
		{
			"unresolved, several near", []string{"graph", "impact", "Grt"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, MissingData: []query.Word{query.MissingTarget}}}
				ans.Metadata.Nearest = []string{"lib.Greet", "lib.Grit"}
			},
			"\n  close to it: lib.Greet, lib.Grit\n", "grep",
		},
		{
			"unresolved, nothing near", []string{"graph", "path", "A", "lib/a.go#Nothing"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, MissingData: []query.Word{query.MissingEndpoint}}}
				ans.Metadata.Target, ans.Metadata.TargetB = "A", "lib/a.go#Nothing"
			},
			"\n  to look for it in the text, run: ralph-index grep -F Nothing\n", "close to it",
		},
		{
			"no test", []string{"graph", "tests", "A"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, MissingData: []query.Word{query.MissingCoverage}}}
				ans.Metadata.ResolvedName = "pkg.A"
			},
			"no test is known that reaches pkg.A\n", "",
		},
		{
			"no target for tests", []string{"graph", "tests", "A"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, MissingData: []query.Word{query.MissingTarget}}}
			},
			"target_unresolved", "no test is known",
		},
		{
			"ambiguous end", []string{"graph", "path", "A", "B"},
			func(ans *api.GraphAnswer) {
				ans.MissingData = []query.Word{query.MissingAmbiguous}
				ans.Metadata = query.Metadata{Target: "A", TargetB: "B", AmbiguousArgument: "target_b", Total: 9}
			},
			"several definitions match TARGET_B \"B\"; ask again with an id from below, or with path#symbol:\n" +
				"2 of 9 shown; raise --limit", "missing:",
		},
		{
			"paths", []string{"graph", "path", "A", "B"},
			func(ans *api.GraphAnswer) { ans.Metadata = query.Metadata{Limit: 25, Total: 3} },
			"1 of 3 shown; raise --max-paths or narrow the question", "25",
		},
		{
			"the most there can be", []string{"graph", "hubs", "--limit", "100"},
			func(ans *api.GraphAnswer) { ans.Metadata = query.Metadata{Limit: 100, Total: 300} },
			"there is more than the 100 that can be shown; narrow by --relations, --role or --scope-path\n", "raise",
		},
		{
			"nothing known", []string{"graph", "neighbors", "README.rst"},
			func(ans *api.GraphAnswer) {
				*ans = api.GraphAnswer{Answer: query.Answer{Type: ans.Type, Metadata: query.Metadata{ResolvedName: "README.rst"}}}
			},
			"README.rst is indexed, and nothing is known of it in this way\n", "missing",
		},
		{
			"stale", []string{"graph", "impact", "A"}, func(ans *api.GraphAnswer) { ans.IsStale = true },
			"something this answer used is out of date; run: ralph-index reindex\n", "brought",
		},
		{
			"paths, total unknown", []string{"graph", "path", "A", "B"}, func(*api.GraphAnswer) {},
			"there is more; raise --max-paths or narrow the question", " of ",
		},
		{
			"impact", []string{"graph", "impact", "A"},
			func(ans *api.GraphAnswer) { ans.Metadata.Total = 1234 },
			"2 of 1,234 shown; raise --limit or narrow the question", "",
		},
		{
			"unusable index", []string{"graph", "impact", "A"},
			func(ans *api.GraphAnswer) {
				why := api.FallbackNoIndex
				ans.FallbackReason, ans.MissingData = &why, []query.Word{query.MissingIndex}
			},
			"the index cannot be used: no room\n", "reindex",
		},
	} {
		f := &fake{adjust: c.adjust, status: api.Status{Degraded: "no room"}}
		got := runWith(t, f, c.args...)
		if !strings.Contains(got.stderr, c.says) || c.not != "" && strings.Contains(got.stderr, c.not) {
			t.Errorf("%s: says %q, want %q and not %q", c.name, got.stderr, c.says, c.not)
		}
	}
}

func TestPendingHubsAreWaitedFor(t *testing.T) {
	asked := 0
	pending := func(ans *api.GraphAnswer) {
		if asked++; asked < 3 {
			ans.Nodes, ans.Edges, ans.MissingData, ans.IndexGeneration = nil, nil, []query.Word{query.MissingHubsPending}, 1
		}
	}
	got := runWith(t, &fake{adjust: pending}, "graph", "hubs")
	if got.code != 0 || asked != 3 || strings.Count(got.stderr, "computing hubs…\n") != 1 || !strings.Contains(got.stdout, "pkg.A") {
		t.Errorf("asked %d times: %+v", asked, got)
	}
	// A budget of the caller bounds the wait.
	asked = 0
	if got := runWith(t, &fake{adjust: pending}, "graph", "hubs", "--timeout-ms", "50"); got.code != 1 || asked != 1 {
		t.Errorf("asked %d times: %+v", asked, got)
	}
	// Of an empty index there never are any.
	asked = 0
	empty := func(ans *api.GraphAnswer) {
		asked++
		ans.Nodes, ans.Edges, ans.MissingData = nil, nil, []query.Word{query.MissingHubsPending}
	}
	if got := runWith(t, &fake{adjust: empty}, "graph", "hubs"); got.code != 1 || asked != 1 || strings.Contains(got.stderr, "pending") {
		t.Errorf("asked %d times: %+v", asked, got)
	}
	// Who is interrupted stops waiting.
	ctx, cancel := context.WithCancel(t.Context())
	never := func(ans *api.GraphAnswer) {
		ans.Nodes, ans.Edges, ans.MissingData, ans.IndexGeneration = nil, nil, []query.Word{query.MissingHubsPending}, 1
		cancel()
	}
	if got := runIn(ctx, t, &fake{adjust: never}, t.TempDir(), "graph", "hubs"); got.code != exitInterrupted {
		t.Errorf("got %+v", got)
	}
}

func TestHintsOfGrep(t *testing.T) {
	for _, c := range []struct {
		f    *fake
		args []string
		says string
		not  string
	}{
		{&fake{empty: true}, []string{"grep", "f(s)"}, "try -F", ""},
		{&fake{empty: true}, []string{"grep", "-l", "f(s)"}, "try -F", ""},
		{&fake{empty: true}, []string{"grep", "-F", "f(s)"}, "", "try -F"},
		{&fake{empty: true}, []string{"grep", "plain"}, "", "try -F"},
		{&fake{}, []string{"grep", "f(s)"}, "", "try -F"},
		{
			&fake{err: &api.Error{Code: api.CodeInvalidParams, Argument: "pattern", Message: "the regular expression is malformed: x"}},
			[]string{"grep", "f("}, "try -F", "",
		},
		{
			&fake{err: &api.Error{Code: api.CodeInvalidParams, Argument: "pattern", Message: "the regular expression backtracks for too long"}},
			[]string{"grep", `(a)\\1`}, "", "try -F",
		},
		{&fake{}, []string{"grep", "-rnE", "x"}, "", "unknown"},
		{&fake{skipped: map[string]int{"binary": 3}}, []string{"grep", "x"}, "", "binary"},
		{&fake{skipped: map[string]int{"binary": 3}}, []string{"grep", "x", "-v"}, "3 paths could not be read or searched: binary 3\n", ""},
		{
			&fake{skipped: map[string]int{"binary": 3, "unreadable": 1}},
			[]string{"grep", "x"}, "4 paths could not be read or searched: binary 3, unreadable 1\n", "",
		},
	} {
		got := runWith(t, c.f, c.args...)
		if !strings.Contains(got.stderr, c.says) || c.not != "" && strings.Contains(got.stderr, c.not) {
			t.Errorf("%v says %q, want %q and not %q", c.args, got.stderr, c.says, c.not)
		}
	}
}

func TestHelpOfOneQuestion(t *testing.T) {
	for args, hidden := range map[string]string{
		"graph path --help":  "--change-kind",
		"help graph path":    "--role",
		"graph hubs --help":  "--max-paths",
		"graph --help":       "--cancel",
		"grep --help":        "--whole-word",
		"read --help":        "--return-metadata",
		"graph tests --help": "--change-kind",
	} {
		if got := runWith(t, &fake{}, strings.Fields(args)...); got.code != 0 || strings.Contains(got.stdout, hidden) {
			t.Errorf("%s: exit code %d, shows %s: %t", args, got.code, hidden, strings.Contains(got.stdout, hidden))
		}
	}
	if got := runWith(t, &fake{}, "graph", "--help"); !strings.Contains(got.stdout, "--direction") || !strings.Contains(got.stdout, "--max-paths") {
		t.Errorf("got %s", got.stdout)
	}
}
