package engine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
)

func (s *testSpace) edit(req api.EditRequest) (*api.EditAnswer, error) {
	s.t.Helper()
	return s.Edit(s.t.Context(), &req)
}

func (s *testSpace) text(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func replace(old, replacement string) []api.TextEdit {
	return []api.TextEdit{{OldText: old, NewText: replacement}}
}

func hashOf(text string) string { return sum([]byte(text)).String() }

// detail returns a field of a refusal.
func detail(err error, field string) any {
	var e *api.Error
	if !errors.As(err, &e) {
		return nil
	}
	return e.Details[field]
}

func TestEditWrites(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": "one\r\ntwo\r\nthree", "d/run.sh": "#!/bin/sh\nrun\n"})
	s.reindex(api.ReindexChanged)
	if err := os.Chmod(filepath.Join(s.dir, "d/run.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	before, after := s.text("a.txt"), "one\r\n2\r\n2b\r\nthree"
	req := api.EditRequest{Path: "a.txt", Edits: replace("two\n", "2\n2b\n"), ExpectedContentHash: hashOf(before)}
	req.DryRun = true
	p, err := s.edit(req)
	if err != nil || p.Status != api.EditPreview || p.BytesWritten != nil || p.Freshness != nil || p.EditsApplied != 1 || s.text("a.txt") != before {
		t.Fatalf("preview %+v, %v; the file is %q", p, err, s.text("a.txt"))
	}
	req.DryRun = false
	a, err := s.edit(req)
	if err != nil || a.Status != api.EditApplied || s.text("a.txt") != after {
		t.Fatalf("%+v, %v; the file is %q", a, err, s.text("a.txt"))
	}
	if *a.BytesWritten != int64(len(after)) || a.ContentHash != hashOf(after) || a.ContentHash != p.ContentHash || a.Diff != p.Diff {
		t.Errorf("applied %+v\npreview %+v", a, p)
	}
	if !reflect.DeepEqual(a.ChangedPaths, []string{"a.txt"}) || a.Freshness == nil || !a.Freshness.IndexUsed {
		t.Errorf("noted as %v, %+v", a.ChangedPaths, a.Freshness)
	}
	if _, err := s.edit(req); codeOf(err) != api.CodeStaleEvidence || detail(err, "current_content_hash") != a.ContentHash ||
		detail(err, "expected_content_hash") != req.ExpectedContentHash {
		t.Errorf("the hash of the old text: %v", err)
	}
	if _, err := s.edit(api.EditRequest{Path: "d/run.sh", Edits: replace("run", "go")}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(filepath.Join(s.dir, "d/run.sh")); err != nil || fi.Mode().Perm() != 0o751 {
		t.Errorf("mode is %v, %v", fi.Mode(), err)
	}
	same, err := s.edit(api.EditRequest{Path: "d/run.sh", Edits: replace("#!", "#!")})
	if err != nil || *same.BytesWritten != 0 || same.Diff != "" || len(same.OtherMatches) != 0 {
		t.Errorf("nothing changes: %+v, %v", same, err)
	}
	// What was edited is found at once.
	if got := s.grep(api.GrepRequest{Pattern: "2b"}); len(got) != 1 || !strings.HasPrefix(got[0], "a.txt:3") {
		t.Errorf("grep finds %v", got)
	}
}

func TestGitTakesTheDiff(t *testing.T) {
	s := openSpace(t, map[string]string{"dir/a b.go": "package a\n\nfunc F() {}\n\nfunc G() {}"})
	ans, err := s.edit(api.EditRequest{Path: "dir/a b.go", Edits: []api.TextEdit{{OldText: "F()", NewText: "H()"}, {OldText: "G() {}", NewText: "G() {\n}\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := s.text("dir/a b.go")
	cmd := exec.CommandContext(t.Context(), "git", "apply", "-R", "-")
	cmd.Dir, cmd.Stdin = s.dir, strings.NewReader(ans.Diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s%s", err, out, ans.Diff)
	}
	if got := s.text("dir/a b.go"); got == want || got != "package a\n\nfunc F() {}\n\nfunc G() {}" {
		t.Errorf("taken back it is %q", got)
	}
}

func TestEditRefusesAndTouchesNothing(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc F() {\n\treturn\n}\n", "bad.txt": "good\nbad \xff\n", "empty": "", "d/x": "x", ".git/config": "a"}
	s := openSpace(t, files)
	s.reindex(api.ReindexChanged)
	for name, c := range map[string]struct {
		req  api.EditRequest
		code api.Code
		says string
	}{
		"a miss":               {api.EditRequest{Path: "a.go", Edits: replace("func F() {\n    return\n", "x")}, api.CodeNoMatch, "white space only"},
		"the second one":       {api.EditRequest{Path: "a.go", Edits: []api.TextEdit{{OldText: "F", NewText: "G"}, {OldText: "F", NewText: "H"}}}, api.CodeNoMatch, "edits[1]"},
		"an empty file":        {api.EditRequest{Path: "empty", Edits: replace("a", "b")}, api.CodeNoMatch, "read the file again"},
		"an empty old text":    {api.EditRequest{Path: "a.go", Edits: replace("", "b")}, api.CodeInvalidParams, "old text is empty"},
		"no edits":             {api.EditRequest{Path: "a.go"}, api.CodeInvalidParams, "there are none"},
		"a missing file":       {api.EditRequest{Path: "no/such.go", Edits: replace("a", "b")}, api.CodeNotFound, "does not exist"},
		"and an expected hash": {api.EditRequest{Path: "no/such.go", Edits: replace("a", "b"), ExpectedContentHash: hashOf("")}, api.CodeStaleEvidence, "file_missing"},
		"a wrong hash":         {api.EditRequest{Path: "a.go", Edits: replace("F", "G"), ExpectedContentHash: strings.ToUpper(hashOf(files["a.go"]))}, api.CodeStaleEvidence, "content_changed"},
		"not utf-8":            {api.EditRequest{Path: "bad.txt", Edits: replace("good", "b")}, api.CodeBinary, "not UTF-8"},
		"a directory":          {api.EditRequest{Path: "d", Edits: replace("a", "b")}, api.CodeNotRegular, "directory"},
		"the root":             {api.EditRequest{Path: ".", Edits: replace("a", "b")}, api.CodeProtected, "root"},
		"outside":              {api.EditRequest{Path: "../a.go", Edits: replace("a", "b")}, api.CodeOutsideRoot, "outside"},
		"of git":               {api.EditRequest{Path: ".git/config", Edits: replace("a", "b")}, api.CodeProtected, "git"},
		"impact, no dry run":   {api.EditRequest{Path: "a.go", Edits: replace("F", "G"), ImpactPreview: true}, api.CodeInvalidParams, "dry_run"},
		"strategy, no target":  {api.EditRequest{Path: "a.go", Edits: replace("F", "G"), MatchStrategy: api.MatchAll}, api.CodeInvalidParams, "target"},
		"unknown evidence":     {api.EditRequest{Path: "a.go", Edits: replace("F", "G"), Target: &api.EditTarget{EvidenceID: "e:x"}}, api.CodeUnknownEvidence, ""},
		"unknown symbol":       {api.EditRequest{Path: "a.go", Edits: replace("F", "G"), Target: &api.EditTarget{Symbol: "Nope"}}, api.CodeUnknownEvidence, ""},
	} {
		for _, dry := range []bool{false, true} {
			if c.req.DryRun = dry; dry && c.req.ImpactPreview {
				continue
			}
			_, err := s.edit(c.req)
			if err == nil || c.code != "" && codeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, dry run %v: %v", name, dry, err)
			}
		}
	}
	for name, text := range files {
		if s.text(name) != text {
			t.Errorf("%s is now %q", name, s.text(name))
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "no")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory was made: %v", err)
	}
}

func TestMissShowsWhatIsNearest(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n\nfunc F() {\n\treturn\n}\n"})
	_, err := s.edit(api.EditRequest{Path: "a.go", Edits: []api.TextEdit{{OldText: "package a", NewText: "package b"}, {OldText: "  return\n", NewText: "x"}}})
	near, _ := detail(err, "nearest").(map[string]any)
	want := map[string]any{
		"start_line": 4, "end_line": 4, "text": "\treturn\n", "whitespace_only": true,
		"differences": []string{"line 4: indentation: the file has 1 tab, oldText has 2 spaces"},
	}
	if !reflect.DeepEqual(near, want) {
		t.Errorf("got  %v\nwant %v", near, want)
	}
	if p, _ := detail(err, "preview").(string); !strings.Contains(p, "+package b") || detail(err, "edit_index") != 1 {
		t.Errorf("preview %q of edit %v", p, detail(err, "edit_index"))
	}
}

const targets = "package a\n\nfunc First() int {\n\tx := 1\n\treturn x\n}\n\nfunc Second() int {\n\tx := 1\n\treturn x\n}\n"

func targetSpace(t *testing.T) *testSpace {
	return openSpace(t, map[string]string{
		"a/a.go": targets, "a/use.go": "package a\n\nfunc use() int { return Second() }\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestSecond(t *testing.T) { use() }\n",
		"b/b.go":      "package b\n\nfunc Second() {}\n\nfunc Third() {}\n", "go.mod": "module m\n",
	})
}

func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		target func(s *testSpace) api.EditTarget
		req    api.EditRequest
		want   string // in place of the second function
	}{
		"a symbol, within": {
			func(*testSpace) api.EditTarget { return api.EditTarget{Symbol: "Second"} },
			api.EditRequest{MatchStrategy: api.MatchWithin, Edits: replace("x", "y")},
			"func Second() int {\n\ty := 1\n\treturn x\n}\n",
		},
		"a symbol, all": {
			func(*testSpace) api.EditTarget { return api.EditTarget{Symbol: "Second"} },
			api.EditRequest{MatchStrategy: api.MatchAll, Edits: replace("x", "y")},
			"func Second() int {\n\ty := 1\n\treturn y\n}\n",
		},
		"a symbol, exact": {
			func(*testSpace) api.EditTarget { return api.EditTarget{Symbol: "Second"} },
			api.EditRequest{Edits: replace("func Second() int {\n\tx := 1\n\treturn x\n}", "func Second() int { return 2 }")},
			"func Second() int { return 2 }\n",
		},
		"a span": {
			func(s *testSpace) api.EditTarget {
				ans, err := s.Read(s.t.Context(), &api.ReadRequest{Symbol: "a.Second"})
				if err != nil {
					s.t.Fatal(err)
				}
				return api.EditTarget{SpanID: ans.SpanID}
			},
			api.EditRequest{MatchStrategy: api.MatchAll, Edits: replace("x", "z")},
			"func Second() int {\n\tz := 1\n\treturn z\n}\n",
		},
		"evidence": {
			func(s *testSpace) api.EditTarget {
				return api.EditTarget{EvidenceID: graph.EvidenceID("a/a.go", sum([]byte(targets)), 9, 9)}
			},
			api.EditRequest{Edits: replace("\tx := 1\n", "\tx := 2\n")},
			"func Second() int {\n\tx := 2\n\treturn x\n}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := targetSpace(t)
			s.reindex(api.ReindexChanged)
			target := c.target(s)
			c.req.Path, c.req.Target = "a/a.go", &target
			if _, err := s.edit(c.req); err != nil {
				t.Fatal(err)
			}
			i := strings.Index(targets, "func Second")
			if got := s.text("a/a.go"); got != targets[:i]+c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestTargetsThatDoNotFit(t *testing.T) {
	s := targetSpace(t)
	s.reindex(api.ReindexChanged)
	id := graph.EvidenceID("a/a.go", sum([]byte(targets)), 9, 9)
	within := func(symbol, old string) api.EditRequest {
		return api.EditRequest{Path: "a/a.go", MatchStrategy: api.MatchWithin, Edits: replace(old, "q"), Target: &api.EditTarget{Symbol: symbol}}
	}
	exact := within("Second", "x := 1")
	exact.MatchStrategy = ""
	for name, c := range map[string]struct {
		req    api.EditRequest
		code   api.Code
		reason string
	}{
		"in another file": {within("Third", "x"), api.CodeAmbiguousTarget, "target_path_mismatch"},
		"a part":          {exact, api.CodeAmbiguousTarget, "match_strategy_exact_violation"},
		"outside":         {within("Second", "First"), api.CodeAmbiguousTarget, "match_strategy_within_target_violation"},
		"nowhere":         {within("Second", "zebra"), api.CodeNoMatch, ""},
	} {
		_, err := s.edit(c.req)
		if got, _ := detail(err, "reason").(string); codeOf(err) != c.code || got != c.reason {
			t.Errorf("%s: %v, %s", name, err, got)
		}
	}
	s.write("a/a.go", "// changed\n"+targets)
	_, err := s.edit(api.EditRequest{Path: "a/a.go", Edits: replace("\tx := 1\n", ""), Target: &api.EditTarget{EvidenceID: id}})
	if codeOf(err) != api.CodeStaleEvidence || detail(err, "current_content_hash") != hashOf("// changed\n"+targets) {
		t.Errorf("stale evidence: %v", err)
	}
	if s.text("a/a.go") != "// changed\n"+targets {
		t.Errorf("the file is now %q", s.text("a/a.go"))
	}
}

func TestImpactPreview(t *testing.T) {
	s := targetSpace(t)
	s.reindex(api.ReindexChanged)
	for name, target := range map[string]*api.EditTarget{"of a symbol": {Symbol: "Second"}, "of the lines": nil} {
		req := api.EditRequest{Path: "a/a.go", Edits: replace("func Second() int", "func Second() (n int)"), DryRun: true, ImpactPreview: true, Target: target}
		if target != nil {
			req.MatchStrategy = api.MatchWithin
		}
		ans, err := s.edit(req)
		if err != nil {
			t.Fatal(err)
		}
		p := ans.ImpactPreview
		if !p.Available || ans.ImpactUnavailable || !reflect.DeepEqual(p.ImpactedFiles, []graph.Path{"a/use.go", "a/a_test.go"}) ||
			len(p.SuggestedTests) != 1 || p.SuggestedTests[0].Name != "m/a.TestSecond" || p.IndexGeneration == 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if s.text("a/a.go") != targets {
		t.Error("a preview wrote")
	}
	ans, err := s.edit(api.EditRequest{Path: "go.mod", Edits: replace("m\n", "m\n"), DryRun: true, ImpactPreview: true})
	if err != nil || ans.ImpactPreview.Available || !ans.ImpactUnavailable || ans.ImpactReason != "no_symbol_target_for_impact" {
		t.Errorf("of nothing: %+v, %v", ans, err)
	}
}

func TestEvidenceUpdates(t *testing.T) {
	s := targetSpace(t)
	s.reindex(api.ReindexChanged)
	id := graph.EvidenceID("a/a.go", sum([]byte(targets)), 8, 11)
	ans, err := s.edit(api.EditRequest{
		Path: "a/a.go", Target: &api.EditTarget{EvidenceID: id}, MatchStrategy: api.MatchWithin, Reindex: api.ReindexBlocking,
		Edits: []api.TextEdit{{OldText: "\tx := 1\n", NewText: "\tx := 1\n\tx++\n"}, {OldText: "return x", NewText: "return -x"}}, ReturnEvidenceUpdates: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	u := ans.EvidenceUpdates
	if len(u.Spans) != 2 || u.Target == nil || u.Target.Replaces != id || u.Target.StartLine != 8 || u.Target.EndLine != 12 || u.ContentHash != ans.ContentHash {
		t.Fatalf("got %+v", u)
	}
	for want, span := range map[string]api.EvidenceUpdate{
		"\tx++\n": u.Spans[0], "\treturn -x\n": u.Spans[1], "func Second() int {\n\tx := 1\n\tx++\n\treturn -x\n}\n": *u.Target,
	} {
		got, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: span.EvidenceID})
		if err != nil || got.Content != want {
			t.Errorf("%+v reads %+v, %v", span, got, err)
		}
		if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: span.Replaces}); codeOf(err) != api.CodeStaleEvidence {
			t.Errorf("%s is still good: %v", span.Replaces, err)
		}
	}
	if ans.Freshness.IsStale || ans.Freshness.DirtyPathsCount+ans.Freshness.StalePathsCount > 0 {
		t.Errorf("after changed_blocking: %+v", ans.Freshness)
	}
	// Scoped, so that nothing else is lost.
	if got := s.callers("a.Second", api.AllowStale); len(got.Nodes) == 0 {
		t.Errorf("nobody calls it any more: %+v", got)
	}
	empty, err := s.edit(api.EditRequest{Path: "b/b.go", Edits: replace(s.text("b/b.go"), ""), ReturnEvidenceUpdates: true})
	if err != nil || empty.EvidenceUpdates.Spans[0].EvidenceID != "" || s.text("b/b.go") != "" {
		t.Errorf("of an emptied file: %+v, %v", empty, err)
	}
}

func TestEditsWithoutAnIndex(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": "one\ntwo\n"})
	e, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	ans, err := e.Edit(t.Context(), &api.EditRequest{Path: "a.txt", Edits: replace("one", "1")})
	if err != nil || ans.Freshness != nil || ans.ChangedPaths != nil || s.text("a.txt") != "1\ntwo\n" {
		t.Errorf("%+v, %v", ans, err)
	}
	id := graph.EvidenceID("a.txt", sum([]byte("1\ntwo\n")), 2, 2)
	ans, err = e.Edit(t.Context(), &api.EditRequest{Path: "a.txt", Edits: replace("two", "2"), Target: &api.EditTarget{EvidenceID: id}, DryRun: true, ImpactPreview: true})
	if err != nil || ans.ImpactReason != "no_explore_index_handle" {
		t.Errorf("%+v, %v", ans, err)
	}
}

// TestEditsAtOnce has many callers, in two processes' worth of engines, add a line each.
func TestEditsAtOnce(t *testing.T) {
	s := openSpace(t, map[string]string{"log.txt": "begin\nend\n"})
	other := s.follow()
	const callers, each = 8, 5
	var wg sync.WaitGroup
	for c := range callers {
		svc := api.Service(s.Engine)
		if c%2 == 1 {
			svc = other
		}
		wg.Go(func() {
			for i := range each {
				if _, err := svc.Edit(t.Context(), &api.EditRequest{Path: "log.txt", Edits: replace("end\n", fmt.Sprintf("%d-%d\nend\n", c, i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	text := s.text("log.txt")
	for c := range callers {
		for i := range each {
			if !strings.Contains(text, fmt.Sprintf("\n%d-%d\n", c, i)) {
				t.Errorf("edit %d-%d is lost", c, i)
			}
		}
	}
	// Of those who know the same bytes, one wins.
	var won, lost int
	var mu sync.Mutex
	for c := range callers {
		wg.Go(func() {
			_, err := s.edit(api.EditRequest{Path: "log.txt", Edits: replace("begin", fmt.Sprint("begin ", c)), ExpectedContentHash: hashOf(text)})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case codeOf(err) == api.CodeStaleEvidence:
				lost++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 || lost != callers-1 {
		t.Errorf("%d won, %d lost", won, lost)
	}
}

// A link inside the root is followed and stays, and ids are those of the file itself.
func TestEditsThroughLinks(t *testing.T) {
	s := openSpace(t, map[string]string{"real/a.go": targets, "go.mod": "module m\n"})
	if err := os.Symlink("real/a.go", filepath.Join(s.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	s.reindex(api.ReindexChanged)
	ans, err := s.edit(api.EditRequest{
		Path: "link.go", Edits: replace("x", "y"), Target: &api.EditTarget{Symbol: "Second"}, MatchStrategy: api.MatchAll, ReturnEvidenceUpdates: true,
	})
	if err != nil || !reflect.DeepEqual(ans.ChangedPaths, []string{"real/a.go"}) || !strings.Contains(s.text("real/a.go"), "return y") {
		t.Fatalf("%+v, %v", ans, err)
	}
	if to, err := os.Readlink(filepath.Join(s.dir, "link.go")); err != nil || to != "real/a.go" {
		t.Errorf("the link is %q, %v", to, err)
	}
	if got, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: ans.EvidenceUpdates.Target.EvidenceID}); err != nil || got.Path != "real/a.go" || got.StartLine != 8 {
		t.Errorf("the new id reads %+v, %v", got, err)
	}
}

// The current hash does not make a stale target good, and no file is too long.
func TestStaleTargetsStayStale(t *testing.T) {
	long := strings.Repeat("a line of text\n", 400_000) + "the end\n"
	s := openSpace(t, map[string]string{"a.txt": "one\ntwo\n", "long.txt": long})
	id := graph.EvidenceID("a.txt", sum([]byte("one\ntwo\n")), 2, 2)
	s.write("a.txt", "zero\none\ntwo\n")
	_, err := s.edit(api.EditRequest{
		Path: "a.txt", Edits: replace("one\n", ""), Target: &api.EditTarget{EvidenceID: id}, ExpectedContentHash: hashOf("zero\none\ntwo\n"),
	})
	if codeOf(err) != api.CodeStaleEvidence || s.text("a.txt") != "zero\none\ntwo\n" {
		t.Errorf("%v; the file is %q", err, s.text("a.txt"))
	}
	ans, err := s.edit(api.EditRequest{Path: "long.txt", Edits: replace("the end", "its end"), ExpectedContentHash: hashOf(long)})
	if err != nil || s.text("long.txt") != strings.Replace(long, "the end", "its end", 1) || len(ans.Diff) > 200 {
		t.Errorf("%v", err)
	}
}
