package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
)

func (s *testSpace) mutate(e *Engine, req api.MutateRequest) *api.MutateAnswer {
	s.t.Helper()
	ans, err := e.Mutate(s.t.Context(), &req)
	if err != nil {
		s.t.Fatalf("%+v: %v", req, err)
	}
	return ans
}

// indexed lists the paths that the index holds, without a look at the disk.
func (s *testSpace) indexed() []string {
	x := s.index()
	snap := x.store.Snapshot()
	defer snap.Release()
	var out []string
	snap.Files(func(f graph.File) bool {
		out = append(out, string(f.Path))
		return true
	})
	slices.Sort(out)
	return out
}

// Whatever a change does to the tree, the paths that it marks are all that need to be
// indexed for the index to be what a look at everything would make it.
func TestChangesMarkAllThatTheyChange(t *testing.T) {
	s := openSpace(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "d/b.go": "package d\n\nfunc B() {}\n", "d/e/c.go": "package e\n\nfunc C() {}\n", "text.md": "# A\n",
	})
	s.reindex(api.ReindexChanged)
	for _, req := range []api.MutateRequest{
		{Op: api.OpWrite, Path: "n/new.go", Content: "package n\n\nfunc N() {}\n"},
		{Op: api.OpWrite, Path: "a.go", Content: "package a\n\nfunc A2() {}\n"},
		{Op: api.OpAppend, Path: "a.go", Content: "\nfunc A3() {}\n"},
		{Op: api.OpAppend, Path: "fresh.md", Content: "# Fresh\n"},
		{Op: api.OpMkdir, Path: "empty/dir"},
		{Op: api.OpMove, Path: "d", Dest: "moved"},
		{Op: api.OpCopy, Path: "moved/e", Dest: "x/y/copy"},
		{Op: api.OpMove, Path: "text.md", Dest: "a.md"},
		{Op: api.OpCopy, Path: "a.md", Dest: "fresh.md", Overwrite: true},
		{Op: api.OpDelete, Path: "moved", Recursive: true},
		{Op: api.OpDelete, Path: "a.md"},
	} {
		req.Reindex = api.ReindexBlocking
		ans := s.mutate(s.Engine, req)
		if f := ans.Freshness; f == nil || !f.IndexUsed || f.IsStale || f.DirtyPathsCount != 0 || f.StalePathsCount != 0 || f.ReindexInProgress {
			t.Errorf("%s %s: %+v", req.Op, req.Path, f)
		}
		if len(ans.ChangedPaths) == 0 {
			t.Errorf("%s %s changed nothing", req.Op, req.Path)
		}
		got := s.indexed()
		if all := s.reindex(api.ReindexChanged); all.ChangedCount+all.RemovedCount != 0 {
			t.Errorf("%s %s: a look at everything found %q more, and %d gone", req.Op, req.Path, all.ChangedFiles, all.RemovedCount)
		}
		if want := s.indexed(); !slices.Equal(got, want) {
			t.Errorf("%s %s: index has %q, want %q", req.Op, req.Path, got, want)
		}
	}
	if got := s.indexed(); !slices.Equal(got, []string{"a.go", "fresh.md", "n/new.go", "x/y/copy/c.go"}) {
		t.Errorf("in the end: %q", got)
	}
}

// Without blocking, a change says that the index is behind, and the next answer is not.
func TestChangesAreSeenByTheNextAnswer(t *testing.T) {
	for _, policy := range []api.ReindexPolicy{"", api.ReindexAuto, api.ReindexSkip} {
		s := openSpace(t, map[string]string{"a.go": "package a\n\nfunc Old() {}\n", "b.go": "package a\n"})
		s.reindex(api.ReindexChanged)
		ans := s.mutate(s.Engine, api.MutateRequest{Op: api.OpWrite, Path: "a.go", Content: "package a\n\nfunc New() {}\n", Reindex: policy})
		if f := ans.Freshness; !f.IndexUsed || !f.IsStale || f.DirtyPathsCount != 1 || f.StalePathsCount != 1 {
			t.Errorf("%s: %+v", policy, f)
		}
		if got := s.grep(api.GrepRequest{Pattern: "New", UseIndex: api.IndexAlways}); len(got) != 1 {
			t.Errorf("%s: grep finds %q", policy, got)
		}
		same := s.mutate(s.Engine, api.MutateRequest{Op: api.OpWrite, Path: "b.go", Content: "package a\n"})
		if !same.Unchanged || same.ContentHash == "" || !slices.Equal(same.ChangedPaths, []string{"b.go"}) {
			t.Errorf("%s: same bytes: %+v", policy, same)
		}
	}
}

// A server has a change indexed by itself.
func TestServerIndexesChanges(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	s.write("a.go", "package a\n")
	s.open()
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	s.mutate(s.Engine, api.MutateRequest{Op: api.OpWrite, Path: "d/b.go", Content: "package d\n\nfunc B() {}\n"})
	waitFor(t, "the new file in the index", func() bool { return slices.Contains(s.indexed(), "d/b.go") })
	s.mutate(s.Engine, api.MutateRequest{Op: api.OpMove, Path: "d", Dest: "e"})
	waitFor(t, "the move in the index", func() bool { return slices.Equal(s.indexed(), []string{"a.go", "e/b.go"}) })
}

func TestChangesThroughAFollower(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n", "d/b.go": "package d\n"})
	s.reindex(api.ReindexChanged)
	other := s.follow()
	ans := s.mutate(other, api.MutateRequest{Op: api.OpMove, Path: "d", Dest: "e", Reindex: api.ReindexBlocking})
	if f := ans.Freshness; f == nil || !f.IndexUsed || f.IsStale || f.IndexGeneration != s.index().store.Generation() {
		t.Errorf("freshness: %+v", f)
	}
	if !slices.Equal(ans.ChangedPaths, []string{"d", "e"}) || !slices.Equal(s.indexed(), []string{"a.go", "e/b.go"}) {
		t.Errorf("changed %q, index has %q", ans.ChangedPaths, s.indexed())
	}
	ans = s.mutate(other, api.MutateRequest{Op: api.OpAppend, Path: "a.go", Content: "\nfunc F() {}\n"})
	if f := ans.Freshness; !f.IsStale || f.DirtyPathsCount != 1 {
		t.Errorf("freshness of an append: %+v", f)
	}
	// Both at once lose nothing.
	var wg sync.WaitGroup
	for i, e := range []*Engine{s.Engine, other} {
		wg.Go(func() {
			for j := range 20 {
				req := api.MutateRequest{Op: api.OpAppend, Path: "log", Content: fmt.Sprintf("%d-%d\n", i, j)}
				if _, err := e.Mutate(t.Context(), &req); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if b, err := os.ReadFile(filepath.Join(s.dir, "log")); err != nil || strings.Count(string(b), "\n") != 40 {
		t.Errorf("%q, %v", b, err)
	}
}

// A change that was made is no failure because the leader ended.
func TestChangeAfterTheLeaderEnded(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n"})
	s.reindex(api.ReindexChanged)
	other := s.follow()
	l, err := openLocal(other.o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.close(t.Context()) }()
	gone := func(context.Context, *api.ChangedRequest) (*api.ChangedAnswer, error) { return nil, errors.New("gone") }
	ans, err := mutate(t.Context(), l, &api.MutateRequest{Op: api.OpWrite, Path: "b.go", Content: "package a\n"}, gone)
	if err != nil || ans.Freshness == nil || ans.Freshness.IndexUsed || ans.Freshness.FallbackReason == nil {
		t.Fatalf("%+v, %v", ans, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	ans = s.mutate(other, api.MutateRequest{Op: api.OpWrite, Path: "c.go", Content: "package a\n"})
	if ans.Freshness == nil || !ans.Created {
		t.Errorf("%+v", ans)
	}
	s.Engine = other
	if got := s.reindex(api.ReindexChanged); !slices.Equal(s.indexed(), []string{"a.go", "b.go", "c.go"}) {
		t.Errorf("%+v, index has %q", got, s.indexed())
	}
}

// A change that is made although its caller has gone is noted all the same.
func TestChangeIsNotedForACallerWhoLeft(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n"})
	s.reindex(api.ReindexChanged)
	l, err := openLocal(s.o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.close(t.Context()) }()
	ctx, leave := context.WithCancel(t.Context())
	_, err = mutate(ctx, l, &api.MutateRequest{Op: api.OpWrite, Path: "b.go", Content: "x"}, func(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
		leave()
		if ctx.Err() != nil {
			t.Error("the note was given up with the caller")
		}
		if _, limited := ctx.Deadline(); !limited {
			t.Error("the note has no end")
		}
		return s.Changed(ctx, req)
	})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.index().ledger.Counts(); c.Marked+c.Added != 1 {
		t.Errorf("%+v", c)
	}
}

func TestChangesBeforeTheFirstIndex(t *testing.T) {
	s := openSpace(t, map[string]string{"a": "old"})
	if err := os.Link(filepath.Join(s.dir, "a"), filepath.Join(s.dir, "b")); err != nil {
		t.Fatal(err)
	}
	ans := s.mutate(s.Engine, api.MutateRequest{Op: api.OpWrite, Path: "a", Content: "new", Reindex: api.ReindexBlocking})
	if f := ans.Freshness; f == nil || f.IndexUsed || f.FallbackReason == nil || *f.FallbackReason != api.FallbackNoGeneration || !f.IsStale {
		t.Errorf("%+v", f)
	}
	if !ans.InPlace || ans.HardLinks != 2 {
		t.Errorf("%+v", ans)
	}
	if b, err := os.ReadFile(filepath.Join(s.dir, "b")); err != nil || string(b) != "new" {
		t.Errorf("the other name holds %q, %v", b, err)
	}
}

func TestChangesWithoutAnIndex(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	e, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	ans := s.mutate(e, api.MutateRequest{Op: api.OpWrite, Path: "a", Content: "x"})
	if ans.Freshness != nil || !ans.Created {
		t.Errorf("%+v", ans)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, ".agent")); err == nil {
		t.Error("a directory for the index was made")
	}
}

func TestChangesInAFurtherRoot(t *testing.T) {
	extra, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Roots: []string{extra}}}
	s.write("a.go", "package a\n")
	s.open()
	s.reindex(api.ReindexChanged)
	ans := s.mutate(s.Engine, api.MutateRequest{Op: api.OpMove, Path: "a.go", Dest: extra + "/b.go", Reindex: api.ReindexBlocking})
	if !slices.Equal(ans.ChangedPaths, []string{"a.go", extra + "/b.go"}) || ans.Freshness.IsStale || len(s.indexed()) != 0 {
		t.Errorf("%+v, index has %q", ans, s.indexed())
	}
}

func TestChangeErrors(t *testing.T) {
	s := openSpace(t, map[string]string{"f": "", "g": "", "d/x": "", "repo/.git/config": "", ".git/config": ""})
	long := strings.Repeat("n", 300)
	for _, c := range []struct {
		req  api.MutateRequest
		code api.Code
		arg  string
		says string
	}{
		{api.MutateRequest{Op: api.OpWrite, Path: "../x"}, api.CodeOutsideRoot, "path", "inside the workspace"},
		{api.MutateRequest{Op: api.OpWrite, Path: "d"}, api.CodeNotRegular, "path", "directory"},
		{api.MutateRequest{Op: api.OpWrite, Path: "new/"}, api.CodeInvalidParams, "path", "directory"},
		{api.MutateRequest{Op: api.OpWrite, Path: "f/x"}, api.CodeNotFound, "path", "through a file"},
		{api.MutateRequest{Op: api.OpWrite, Path: ""}, api.CodeProtected, "path", "allowed root"},
		{api.MutateRequest{Op: api.OpWrite, Path: long}, api.CodeInvalidParams, "path", "longer"},
		{api.MutateRequest{Op: api.OpWrite, Path: "a\x00"}, api.CodeInvalidParams, "path", "valid"},
		{api.MutateRequest{Op: api.OpWrite, Path: "a\nb"}, api.CodeInvalidParams, "path", "control"},
		{api.MutateRequest{Op: api.OpAppend, Path: ".git/config"}, api.CodeProtected, "path", "belongs to git"},
		{api.MutateRequest{Op: api.OpMkdir, Path: ".agent/ralph-explore/x"}, api.CodeProtected, "path", "index"},
		{api.MutateRequest{Op: api.OpMkdir, Path: "f"}, api.CodeExists, "path", "no directory"},
		{api.MutateRequest{Op: api.OpMove, Path: "f", Dest: "g"}, api.CodeExists, "dest", "overwrite"},
		{api.MutateRequest{Op: api.OpMove, Path: "f", Dest: "d", Overwrite: true}, api.CodeExists, "dest", "neither replaced"},
		{api.MutateRequest{Op: api.OpMove, Path: "no", Dest: "d/y"}, api.CodeNotFound, "src", "does not exist"},
		{api.MutateRequest{Op: api.OpMove, Path: "f", Dest: "no/y"}, api.CodeNotFound, "dest", "does not exist"},
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: "../y"}, api.CodeOutsideRoot, "dest", "inside the workspace"},
		{api.MutateRequest{Op: api.OpCopy, Path: "d", Dest: "d/e"}, api.CodeInvalidParams, "src", "into itself"},
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: "./f"}, api.CodeInvalidParams, "src", "the same"},
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: ".git/hooks/x"}, api.CodeProtected, "dest", "git"},
		{api.MutateRequest{Op: api.OpDelete, Path: "d"}, api.CodeNotRegular, "recursive", "recursive true"},
		{api.MutateRequest{Op: api.OpDelete, Path: "repo", Recursive: true}, api.CodeProtected, "path", "repo/.git"},
		{api.MutateRequest{Op: api.OpDelete, Path: ".", Recursive: true}, api.CodeProtected, "path", "allowed root"},
		{api.MutateRequest{Op: api.OpDelete, Path: "no"}, api.CodeNotFound, "path", "does not exist"},
		{api.MutateRequest{Op: "burn", Path: "f"}, api.CodeInvalidParams, "op", "burn"},
	} {
		_, err := s.Mutate(t.Context(), &c.req)
		var e *api.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Argument != c.arg || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s %.20q %q: %v (%+v), want %s for %s with %q", c.req.Op, c.req.Path, c.req.Dest, err, e, c.code, c.arg, c.says)
		}
	}
}

// A failure names the end that is at fault: the destination where that is closed, and
// what cannot be copied where it stands below the source.
func TestTransferErrorsNameTheirEnd(t *testing.T) {
	if !asUser(t) {
		return
	}
	s := openSpace(t, map[string]string{"f": "", "d/x": "", "odd/in/x": "", "closed/x": ""})
	if err := syscall.Mkfifo(filepath.Join(s.dir, "odd/in/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(s.dir, "closed")
	if err := os.Chmod(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(closed, 0o755)
	for _, c := range []struct {
		req       api.MutateRequest
		code      api.Code
		arg, path string
	}{
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: "closed/f"}, api.CodePermission, "dest", "closed/f"},
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: "closed/x", Overwrite: true}, api.CodePermission, "dest", "closed/x"},
		{api.MutateRequest{Op: api.OpCopy, Path: "f", Dest: "closed/new/f"}, api.CodePermission, "dest", "closed/new/f"},
		{api.MutateRequest{Op: api.OpCopy, Path: "d", Dest: "closed/d"}, api.CodePermission, "dest", "closed/d"},
		{api.MutateRequest{Op: api.OpMove, Path: "f", Dest: "closed/f"}, api.CodePermission, "dest", "closed/f"},
		{api.MutateRequest{Op: api.OpMove, Path: "f", Dest: "closed/x", Overwrite: true}, api.CodePermission, "dest", "closed/x"},
		{api.MutateRequest{Op: api.OpMove, Path: "closed/x", Dest: "g"}, api.CodePermission, "src", "closed/x"},
		{api.MutateRequest{Op: api.OpCopy, Path: "odd", Dest: "odd2"}, api.CodeNotRegular, "src", "odd/in/pipe"},
	} {
		_, err := s.Mutate(t.Context(), &c.req)
		var e *api.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Argument != c.arg || e.Details["path"] != c.path {
			t.Errorf("%s %s %s: %v (%+v), want %s for %s %s", c.req.Op, c.req.Path, c.req.Dest, err, e, c.code, c.arg, c.path)
		}
	}
}

func TestWhatGitKeeps(t *testing.T) {
	s := openSpace(t, map[string]string{".gitignore": "build/\n*.log\n", "src/a.go": "package a\n", "build/kept": "k", "build/out": "o"})
	write := func(path string, forbid api.WriteClass) error {
		_, err := s.Mutate(t.Context(), &api.MutateRequest{Op: api.OpWrite, Path: path, Content: "x", Forbid: forbid})
		var e *api.Error
		if err != nil && (!errors.As(err, &e) || e.Code != api.CodeCapabilityDenied) {
			t.Fatalf("%s: %v", path, err)
		}
		return err
	}
	if write("build/out", api.ClassEphemeral) != nil {
		t.Error("without a repository a file is ephemeral")
	}
	s.git("init", "-q")
	s.git("add", "src/a.go")
	s.git("add", "-f", "build/kept")
	for path, ephemeral := range map[string]bool{
		"src/a.go": false, "src/new.go": false, "new/deep/x.go": false, "build/kept": false,
		"build/out": true, "build/new/deep": true, "x.log": true, "new/y.log": true, ".agent/notes.md": true,
	} {
		class, other := api.ClassTracked, api.ClassEphemeral
		if ephemeral {
			class, other = other, class
		}
		if write(path, class) == nil {
			t.Errorf("%s is written though %s files are forbidden", path, class)
		}
		if err := write(path, other); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A server removes what a killed one left unfinished, and the index never sees it.
func TestStraysAreRemovedAtTheStart(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
	s.write("a.go", "package a\n")
	s.write("d/.ralph-tmp-0011", "half")
	notes := filepath.Join(s.indexDir(), "writes")
	if err := os.MkdirAll(notes, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(s.dir, "d/.ralph-tmp-0011"), filepath.Join(notes, ".ralph-tmp-0011")); err != nil {
		t.Fatal(err)
	}
	s.open()
	waitFor(t, "the end of the stray", func() bool {
		_, err := os.Lstat(filepath.Join(s.dir, "d/.ralph-tmp-0011"))
		return err != nil
	})
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	if got := s.indexed(); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("index has %q", got)
	}
}

func TestCloseWaitsForChanges(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n"})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := 0; ; j++ {
				req := api.MutateRequest{Op: api.OpWrite, Path: fmt.Sprintf("d%d/%d", i, j), Content: "x"}
				if _, err := s.Mutate(t.Context(), &req); err != nil {
					if !errors.Is(err, ErrClosed) && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	wg.Wait()
}
