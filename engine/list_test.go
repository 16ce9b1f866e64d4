package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func (s *testSpace) list(e *Engine, req api.ListRequest) *api.ListAnswer {
	s.t.Helper()
	ans, err := e.List(s.t.Context(), &req)
	if err != nil {
		s.t.Fatalf("%+v: %v", req, err)
	}
	return ans
}

// outlineOf writes a node and what is below it, a line each.
func outlineOf(n *api.Node) string {
	var b strings.Builder
	var write func(n *api.Node, level int)
	write = func(n *api.Node, level int) {
		fmt.Fprintf(&b, "%s%s %s", strings.Repeat(" ", level), n.Type, n.Path)
		if n.Link {
			b.WriteString(" link")
		}
		if n.Counts != nil {
			fmt.Fprintf(&b, " %d files", n.Counts.Files)
			if n.Counts.Symbols != nil {
				fmt.Fprintf(&b, " %d symbols", *n.Counts.Symbols)
			}
		}
		for _, s := range n.Symbols {
			fmt.Fprintf(&b, " %s %s:%d", s.Kind, s.Name, s.Line)
		}
		if n.ChildrenOmitted > 0 {
			fmt.Fprintf(&b, " +%d", n.ChildrenOmitted)
		}
		b.WriteString("\n")
		for i := range n.Children {
			write(&n.Children[i], level+1)
		}
	}
	if n == nil {
		return "none\n"
	}
	write(n, 0)
	return b.String()
}

func (s *testSpace) wantList(e *Engine, req api.ListRequest, want ...string) {
	s.t.Helper()
	if got := outlineOf(s.list(e, req).Root); got != strings.Join(want, "\n")+"\n" {
		s.t.Errorf("%+v:\n%s", req, got)
	}
}

func listSpace(t *testing.T) *testSpace {
	t.Helper()
	s := openSpace(t, map[string]string{
		"a/a.go": "package a\n\nfunc A() {}\n\nfunc B() {}\n", "a/b/b.go": "package b\n\ntype T struct{ F int }\n", "a/none.txt": "x\n",
		".hidden": "x\n", "ignored/z.go": "package z\n\nfunc Z() {}\n", ".gitignore": "ignored/\n", "node_modules/m/m.js": "function m() {}\n",
		"nested/.git/HEAD": "ref: refs/heads/main\n", "nested/n.txt": "x\n", "build/out.go": "package out\n",
	})
	if err := os.Symlink("a", filepath.Join(s.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.reindex(api.ReindexChanged)
	return s
}

func TestRawListings(t *testing.T) {
	s := listSpace(t)
	one := 1
	zero := 0
	for _, e := range []*Engine{s.Engine, s.follow()} {
		s.wantList(e, api.ListRequest{Path: "."}, "dir ", " dir .agent", " file .gitignore", " file .hidden", " dir a", " dir build", " dir empty",
			" dir ignored", " dir link link", " dir nested", " dir node_modules")
		s.wantList(e, api.ListRequest{Path: "./a//b/.."}, "dir a", " file a/a.go", " dir a/b", " file a/none.txt")
		s.wantList(e, api.ListRequest{Path: "link/b"}, "dir link/b", " file link/b/b.go")
		s.wantList(e, api.ListRequest{Path: "nested/.git"}, "dir nested/.git", " file nested/.git/HEAD")
		s.wantList(e, api.ListRequest{Path: filepath.Join(s.dir, "a", "b")}, "dir a/b", " file a/b/b.go")
		s.wantList(e, api.ListRequest{Path: "gone"}, "none")
		s.wantList(e, api.ListRequest{Path: "a/a.go"}, "none")
		s.wantList(e, api.ListRequest{Path: "gone", Scope: api.ScopeDump}, "none")
		s.wantList(e, api.ListRequest{Path: ".", Scope: api.ScopeTree, Depth: &one, Exclude: []string{".*", "ignored/", "empty"}},
			"dir ", " dir a", " dir link link", " dir nested")
		s.wantList(e, api.ListRequest{Path: "a", Scope: api.ScopeTree}, "dir a", " file a/a.go", " dir a/b", "  file a/b/b.go", " file a/none.txt")
		s.wantList(e, api.ListRequest{Path: "a", Scope: api.ScopeTree, Depth: &zero}, "dir a")
		s.wantList(e, api.ListRequest{Path: "a/a.go", Scope: api.ScopeTree}, "file a/a.go")
		s.wantList(e, api.ListRequest{Path: "build", Scope: api.ScopeTree}, "dir build", " file build/out.go")
		// never bypasses the index whatever else is asked for.
		s.wantList(e, api.ListRequest{Path: "a/b", View: api.ViewRanked, IncludeCounts: true, ChangedOnly: true, UseIndex: api.IndexNever}, "dir a/b", " file a/b/b.go")
		got := outlineOf(s.list(e, api.ListRequest{Path: "", Scope: api.ScopeDump}).Root)
		for _, has := range []string{" dir node_modules\n", " dir nested\n", "  file ignored/z.go\n", " dir build\n", " dir link link\n"} {
			if !strings.Contains(got, has) {
				t.Errorf("dump lacks %q:\n%s", has, got)
			}
		}
		for _, not := range []string{"node_modules/m", "nested/n.txt", "build/out.go", "link/a.go"} {
			if strings.Contains(got, not) {
				t.Errorf("dump has %q:\n%s", not, got)
			}
		}
	}
}

func TestDumpEndsAtItsBounds(t *testing.T) {
	s := openSpace(t, map[string]string{"a": "x"})
	for i := range maxDumpEntries + 5 {
		if err := os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("f%05d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if ans := s.list(s.Engine, api.ListRequest{Path: ".", Scope: api.ScopeDump}); !ans.Truncated || strings.Count(outlineOf(ans.Root), "\n")-1 != maxDumpEntries {
		t.Errorf("truncated %t with %d entries", ans.Truncated, len(ans.Root.Children))
	}
	s = openSpace(t, map[string]string{strings.Repeat("d/", maxDumpDepth+3) + "f": "x"})
	if ans := s.list(s.Engine, api.ListRequest{Path: "d", Scope: api.ScopeDump}); !ans.Truncated {
		t.Error("a deep listing does not say that it is cut")
	}
}

func TestListingsStayInside(t *testing.T) {
	s := openSpace(t, map[string]string{"a/x": "x"})
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "secret"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"out": other, "a/up": "../..", "a/abs": other + "/secret", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(s.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"..", "a/../..", other, s.dir + "x", "out", "out/", "a/up", "a/up/x", "/proc/self/root", "/"} {
		for _, scope := range []api.ListScope{api.ScopeDirectory, api.ScopeDump, api.ScopeTree} {
			for _, view := range []api.View{api.ViewRaw, api.ViewCompact} {
				if _, err := s.List(t.Context(), &api.ListRequest{Path: path, Scope: scope, View: view}); codeOf(err) != api.CodeOutsideRoot {
					t.Errorf("%s %s %s: %v", path, scope, view, err)
				}
			}
		}
	}
	for _, path := range []string{"a\x00", "loop", strings.Repeat("n", 300), strings.Repeat("n/", 3000)} {
		if _, err := s.List(t.Context(), &api.ListRequest{Path: path, Scope: api.ScopeTree}); codeOf(err) != api.CodeInvalidParams && codeOf(err) != api.CodeNotRegular {
			t.Errorf("%.20q: %v", path, err)
		}
	}
	got := outlineOf(s.list(s.Engine, api.ListRequest{Path: ".", Scope: api.ScopeTree}).Root)
	if strings.Contains(got, "secret") || !strings.Contains(got, "file out link") || !strings.Contains(got, "file loop link") {
		t.Errorf("what leads outside is shown as more than a name:\n%s", got)
	}
}

// A directory that becomes a link while it is listed never shows what lies outside.
func TestListingWhileADirectoryIsSwapped(t *testing.T) {
	s := openSpace(t, map[string]string{"d/in": "x"})
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "secret"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, spare := filepath.Join(s.dir, "d"), filepath.Join(s.dir, "spare")
	ctx, stop := context.WithCancel(t.Context())
	swapped := make(chan error, 1)
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			if err = os.Rename(dir, spare); err != nil {
				break
			}
			if err = os.Symlink(other, dir); err != nil {
				break
			}
			if err = os.Remove(dir); err != nil {
				break
			}
			err = os.Rename(spare, dir)
		}
		swapped <- err
	}()
	for range 500 {
		for _, req := range []api.ListRequest{{Path: "d"}, {Path: ".", Scope: api.ScopeTree}, {Path: "d", Scope: api.ScopeDump}} {
			if ans, err := s.List(t.Context(), &req); err == nil && strings.Contains(outlineOf(ans.Root), "secret") {
				t.Errorf("%+v shows what lies outside", req)
			}
		}
	}
	stop()
	if err := <-swapped; err != nil {
		t.Fatal(err)
	}
}

func TestIndexedViews(t *testing.T) {
	s := listSpace(t)
	two := 2
	for _, e := range []*Engine{s.Engine, s.follow()} {
		s.wantList(e, api.ListRequest{Path: ".", View: api.ViewCompact}, "dir  8 files 5 symbols", " file .gitignore 0 files 0 symbols",
			" file .hidden 0 files 0 symbols", " dir a 3 files 4 symbols", " dir build 1 files 0 symbols", " dir link link 0 files 0 symbols",
			" dir nested 1 files 0 symbols", " dir node_modules 1 files 1 symbols")
		s.wantList(e, api.ListRequest{Path: "a", View: api.ViewRanked, LimitChildren: 2}, "dir a 3 files 4 symbols +1",
			" file a/a.go 0 files 2 symbols", " dir a/b 1 files 2 symbols")
		s.wantList(e, api.ListRequest{Path: "a", View: api.ViewOutline}, "dir a", " file a/a.go function A:3 function B:5", " dir a/b", " file a/none.txt")
		s.wantList(e, api.ListRequest{Path: "a", Scope: api.ScopeTree, Depth: &two, View: api.ViewOutline, IncludeCounts: true, Exclude: []string{"*.txt"}},
			"dir a 3 files 4 symbols", " file a/a.go 0 files 2 symbols function A:3 function B:5", " dir a/b 1 files 2 symbols",
			"  file a/b/b.go 0 files 2 symbols struct T:3")
		s.wantList(e, api.ListRequest{Path: "link/b", View: api.ViewCompact}, "dir link/b 1 files 2 symbols", " file link/b/b.go 0 files 2 symbols")
		// Raw with counts shows what the disk holds.
		s.wantList(e, api.ListRequest{Path: ".", IncludeCounts: true, LimitChildren: 4}, "dir  8 files 5 symbols +6", " dir .agent 0 files 0 symbols",
			" file .gitignore 0 files 0 symbols", " file .hidden 0 files 0 symbols", " dir a 3 files 4 symbols")
		ans := s.list(e, api.ListRequest{Path: "ignored", View: api.ViewRanked})
		if f := ans.Freshness; f.IndexUsed || f.FallbackReason == nil || *f.FallbackReason != api.FallbackPathIgnored || !strings.Contains(outlineOf(ans.Root), "file ignored/z.go") {
			t.Errorf("an ignored directory: %+v\n%s", f, outlineOf(ans.Root))
		}
		if f := s.list(e, api.ListRequest{Path: "a", UseIndex: api.IndexAlways}).Freshness; f == nil || !f.IndexUsed || f.IndexGeneration == 0 || f.IsStale {
			t.Errorf("freshness: %+v", f)
		}
		for path, want := range map[string]api.Code{"gone": api.CodeNotFound, "a/a.go": api.CodeInvalidParams} {
			if _, err := e.List(t.Context(), &api.ListRequest{Path: path, View: api.ViewCompact}); codeOf(err) != want {
				t.Errorf("%s: %v, want %s", path, err, want)
			}
		}
		if _, err := e.List(t.Context(), &api.ListRequest{Path: ".", Scope: api.ScopeTree, Exclude: []string{"["}}); codeOf(err) != api.CodeInvalidParams {
			t.Errorf("a bad glob: %v", err)
		}
	}
}

func TestChangedOnly(t *testing.T) {
	s := listSpace(t)
	s.write("a/b/b.go", "package b\n\nfunc N() {}\n")
	s.write("a/b/new.go", "package b\n\nfunc New() {}\n")
	s.remove("a/none.txt")
	s.reindex(api.ReindexChanged)
	for _, e := range []*Engine{s.Engine, s.follow()} {
		for _, view := range []api.View{api.ViewRaw, api.ViewOutline} {
			got := outlineOf(s.list(e, api.ListRequest{Path: ".", Scope: api.ScopeTree, View: view, ChangedOnly: true}).Root)
			var paths []string
			for line := range strings.Lines(got) {
				paths = append(paths, strings.Fields(line)[min(1, len(strings.Fields(line))-1)])
			}
			if !slices.Equal(paths, []string{"dir", "a", "a/b", "a/b/b.go", "a/b/new.go"}) {
				t.Errorf("%s: %q", view, paths)
			}
			// Below any base, not the root alone.
			below := outlineOf(s.list(e, api.ListRequest{Path: "a/b", Scope: api.ScopeTree, View: view, ChangedOnly: true}).Root)
			if !strings.Contains(below, " file a/b/b.go") || !strings.Contains(below, " file a/b/new.go") {
				t.Errorf("%s below a base:\n%s", view, below)
			}
		}
		s.wantList(e, api.ListRequest{Path: ".", ChangedOnly: true}, "dir ", " dir a")
	}
}

func TestListingsWithoutAnIndex(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	s.write("a/a.go", "package a\n\nfunc A() {}\n")
	s.write("ignored/z", "")
	s.write(".gitignore", "ignored\n")
	e, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	s.Engine = e
	s.wantList(s.Engine, api.ListRequest{Path: ".", Scope: api.ScopeTree, View: api.ViewCompact}, "dir  2 files", " file .gitignore", " dir a 1 files", "  file a/a.go")
	f := s.list(s.Engine, api.ListRequest{Path: ".", IncludeSymbols: true}).Freshness
	if f == nil || f.IndexUsed || f.FallbackReason == nil || *f.FallbackReason != api.FallbackIndexDisabled {
		t.Errorf("freshness: %+v", f)
	}
	for _, req := range []api.ListRequest{{Path: ".", UseIndex: api.IndexAlways}, {Path: ".", ChangedOnly: true}} {
		if _, err := s.List(t.Context(), &req); codeOf(err) != api.CodeViewUnavailable {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

func TestListingThatIsOutOfTime(t *testing.T) {
	s := listSpace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := openLocal(Options{Workspace: s.dir}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.close(t.Context()) }()
	for _, req := range []api.ListRequest{{Path: ".", Scope: api.ScopeTree}, {Path: "."}, {Path: ".", View: api.ViewCompact}, {Path: ".", Scope: api.ScopeDump}} {
		if ans, err := l.List(ctx, &req); err != nil || !ans.Cancelled || !ans.Truncated || ans.Deadline {
			t.Errorf("%+v: %+v, %v", req, ans, err)
		}
	}
}
