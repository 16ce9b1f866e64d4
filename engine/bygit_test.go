package engine

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// TestChangedWithoutAnIndex asks what changed where only git can tell.
func TestChangedWithoutAnIndex(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for _, p := range []string{"a/kept.go", "a/edited.go", "b/kept.go"} {
		s.write(p, "package a\n")
	}
	s.write(".gitignore", "ignored\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false", "commit", "-qm", "all"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = s.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	s.write("a/edited.go", "package b\n")
	s.write("a/new.go", "package a\n")
	s.write("ignored/z", "")
	e, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	s.Engine = e
	ans := s.find(e, api.FindRequest{Pattern: "*", ChangedOnly: true, Ranked: true})
	if strings.Join(ans.Matches, " ") != "a/edited.go a/new.go" || ans.ChangedNote == nil || *ans.ChangedNote != api.NoteLiveGit ||
		strings.Join(ans.ScoreReasons[0].Reasons, " ") != "+40 changed" || ans.IndexUsed {
		t.Errorf("found %+v", ans)
	}
	if ans := s.find(e, api.FindRequest{Pattern: "*"}); ans.ChangedNote != nil {
		t.Errorf("git was asked for nothing: %+v", ans)
	}
	for _, view := range []api.View{api.ViewRaw, api.ViewCompact} {
		s.wantList(e, api.ListRequest{Path: "a", View: view, ChangedOnly: true}, map[api.View][]string{
			api.ViewRaw:     {"dir a", " file a/edited.go", " file a/new.go"},
			api.ViewCompact: {"dir a 3 files", " file a/edited.go", " file a/new.go"},
		}[view]...)
		s.wantList(e, api.ListRequest{Path: "b", View: view, ChangedOnly: true, Scope: api.ScopeTree}, map[api.View][]string{
			api.ViewRaw: {"dir b"}, api.ViewCompact: {"dir b 1 files"},
		}[view]...)
	}
	if ans := s.list(e, api.ListRequest{Path: ".", ChangedOnly: true}); ans.ChangedNote == nil || *ans.ChangedNote != api.NoteLiveGit {
		t.Errorf("listing: %+v", ans)
	}
	// Of what is ignored git knows nothing.
	if _, err := e.Find(t.Context(), &api.FindRequest{Pattern: "*", Path: "ignored", ChangedOnly: true}); codeOf(err) != api.CodeIndexNotReady {
		t.Errorf("ignored: %v", err)
	}
	if _, err := e.List(t.Context(), &api.ListRequest{Path: "ignored", ChangedOnly: true}); codeOf(err) != api.CodeViewUnavailable {
		t.Errorf("ignored: %v", err)
	}
}
