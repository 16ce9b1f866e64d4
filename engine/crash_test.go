package engine

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// generate writes n small files in several languages, some of which nothing is
// extracted from. Each version of a file has words of its own.
func generate(t *testing.T, dir string, n, version int) {
	t.Helper()
	for i := range n {
		name, text := generated(i, version)
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func generated(i, version int) (name, text string) {
	word := fmt.Sprintf("only_%d_%d", i, version)
	switch i % 4 {
	case 0:
		return fmt.Sprintf("go%d/f%d.go", i%40, i), fmt.Sprintf("package p\n\nfunc F%d() { F%d(); shared() }\n\n// %s\n", i, i/2, word)
	case 1:
		return fmt.Sprintf("py%d/m%d.py", i%40, i), fmt.Sprintf("def f%d():\n    return f%d()  # %s\n", i, i/2, word)
	case 2:
		return fmt.Sprintf("ts%d/m%d.ts", i%40, i), fmt.Sprintf("export function f%d() { return f%d() } // %s\n", i, i/2, word)
	}
	return fmt.Sprintf("txt%d/n%d.txt", i%40, i), fmt.Sprintf("some words %s and %d\n", word, version)
}

// indexUntilKilled is a process that indexes a directory again and again.
func indexUntilKilled(args []string) int {
	ctx := context.Background()
	for {
		e, err := Open(ctx, Options{Workspace: args[0]})
		if err != nil {
			fmt.Fprintln(os.Stderr, "open:", err)
			return 1
		}
		if st, err := e.Status(ctx); err != nil || st.Degraded != "" {
			fmt.Fprintln(os.Stderr, "status:", st, err)
			return 1
		}
		for _, mode := range []api.ReindexMode{api.ReindexChanged, api.ReindexFull} {
			ans, err := e.Reindex(ctx, &api.ReindexRequest{Mode: mode}, nil)
			if err != nil || ans.ErrorSummary != nil {
				fmt.Fprintln(os.Stderr, "reindex:", ans, err)
				return 1
			}
		}
		if err := e.Close(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "close:", err)
			return 1
		}
	}
}

// sameAsCold compares the answers of an index with those of a new one over the same
// tree.
func sameAsCold(t *testing.T, s *testSpace, patterns []string) {
	t.Helper()
	cold, err := Open(t.Context(), Options{Workspace: s.dir, IndexDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer cold.Close(t.Context())
	if _, err := cold.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil {
		t.Fatal(err)
	}
	var got, want bytes.Buffer
	if err := s.Export(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	if err := cold.Export(t.Context(), &want); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("export differs from a cold index: %d and %d bytes", got.Len(), want.Len())
	}
	a, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := cold.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.FilesIndexed != b.FilesIndexed || a.SourceBytes != b.SourceBytes || a.IsStale {
		t.Errorf("%d files of %d bytes (stale: %v), cold %d of %d", a.FilesIndexed, a.SourceBytes, a.IsStale, b.FilesIndexed, b.SourceBytes)
	}
	sameAsLive(t, s, patterns)
}

// sameAsLive compares indexed searches with live ones.
func sameAsLive(t *testing.T, s *testSpace, patterns []string) {
	t.Helper()
	for _, p := range patterns {
		req := api.GrepRequest{Pattern: p, CaseSensitive: true}
		got := s.grep(req)
		req.UseIndex = api.IndexNever
		if want := s.grep(req); !slices.Equal(got, want) {
			t.Errorf("%q: indexed %q, live %q", p, got, want)
		}
	}
}

func somePatterns(rng *rand.Rand, n, versions int) []string {
	out := []string{"shared", "return f1", "words only", "absent_everywhere"}
	for range 5 {
		i, v := rng.IntN(n), rng.IntN(versions+1)
		out = append(out, fmt.Sprintf("only_%d_%d", i, v), fmt.Sprintf("nly_%d_", i))
	}
	return out
}

func TestKilledWhileIndexing(t *testing.T) {
	const files, rounds = 2000, 20
	rng := rand.New(rand.NewPCG(7, 9))
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, files, 0)
	index := filepath.Join(s.dir, ".agent")
	for round := 1; round <= rounds; round++ {
		if round%5 == 1 { // a cold start now and then
			if err := os.RemoveAll(index); err != nil {
				t.Fatal(err)
			}
		}
		var edited []string
		for range 200 {
			i := rng.IntN(files)
			name, text := generated(i, round)
			s.write(name, text)
			edited = append(edited, fmt.Sprintf("only_%d_%d", i, round))
		}
		cmd := child(t, "index", s.dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("round %d: the process ended by itself: %v", round, err)
		}
		s.Engine = nil
		s.reopen()
		patterns := append(somePatterns(rng, files, round), edited[:5]...)
		sameAsLive(t, s, patterns)
		s.reindex(api.ReindexChanged)
		if round%4 == 0 {
			sameAsCold(t, s, patterns)
		} else {
			sameAsLive(t, s, patterns)
		}
		if again := s.reindex(api.ReindexChanged); again.ParseCount != 0 {
			t.Errorf("round %d: second run parsed %d files", round, again.ParseCount)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

func TestDamagedFiles(t *testing.T) {
	const files = 1200
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, files, 0)
	for round := range 20 {
		rng := rand.New(rand.NewPCG(uint64(round), 3))
		s.Engine = nil
		s.reopen()
		s.reindex(api.ReindexChanged)
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		what := hurt(t, s.part([...]string{graphDir, wordsDir}[round%2]), rng)
		s.Engine = nil
		e, err := Open(t.Context(), Options{Workspace: s.dir})
		if err != nil {
			t.Fatalf("round %d: %s: open: %v", round, what, err)
		}
		s.Engine = e
		patterns := somePatterns(rng, files, 0)
		sameAsLive(t, s, patterns)
		untilWhole(t, s, what)
		sameAsCold(t, s, patterns)
		if err := s.Close(t.Context()); err != nil {
			t.Fatalf("round %d: %s: close: %v", round, what, err)
		}
		if t.Failed() {
			t.Fatalf("round %d: %s", round, what)
		}
	}
}

// part is the directory of a part of the space's index.
func (s *testSpace) part(name string) string {
	s.t.Helper()
	dir := s.opts.IndexDir
	if dir == "" {
		dir = filepath.Join(s.dir, ".agent", "ralph-explore")
	}
	found, err := filepath.Glob(filepath.Join(dir, format, name+"-*"))
	if err != nil || len(found) != 1 {
		s.t.Fatalf("parts %q of the index: %q, %v", name, found, err)
	}
	return found[0]
}

// untilWhole reindexes until the index is whole again, as a client would.
func untilWhole(t *testing.T, s *testSpace, what string) {
	t.Helper()
	var last string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ans, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
		switch {
		case err != nil:
			last = err.Error()
			continue
		case ans.ErrorSummary != nil:
			last = *ans.ErrorSummary
			continue
		}
		var out bytes.Buffer
		if err := s.Export(t.Context(), &out); err != nil {
			last = err.Error()
			continue
		}
		if st, err := s.Status(t.Context()); err == nil && st.Degraded == "" && !st.ColdIndexRequired {
			return
		}
	}
	t.Fatalf("%s: the index did not recover: %s", what, last)
}

// Words of a run that was killed before it published must not be taken for those of
// the file that gets the same id later.
func TestWordsOfAnUnpublishedRun(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": "first\n"})
	s.reindex(api.ReindexChanged)
	for round := range 2 {
		x := s.index()
		var newest graph.FileID
		x.withSnapshot(func(snap *store.Snapshot) {
			snap.Files(func(f graph.File) bool {
				newest = max(newest, f.ID)
				return true
			})
		})
		batch := lexical.Batch{}
		for i := range graph.FileID(5) {
			batch.Put = append(batch.Put, lexical.NewDoc(newest+1+i, []byte("never published\n"), lexical.NewScratch()))
		}
		if err := x.lexical.Apply(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		s.reopen()
		s.write(fmt.Sprintf("b%d.txt", round), "needle\n")
		s.reindex(api.ReindexChanged)
		s.reopen() // what is held is asked for on opening
		sameAsLive(t, s, []string{"needle", "published", "first"})
	}
}

// A store that turns out to be damaged while it is in use is replaced under way.
func TestDamageFoundInUse(t *testing.T) {
	for _, bad := range []error{store.ErrCorrupt, lexical.ErrCorrupt} {
		s := openSpace(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n", "b.txt": "needle\n"})
		s.reindex(api.ReindexChanged)
		was, err := s.enter()
		if err != nil {
			t.Fatal(err)
		}
		s.leave(was)
		was.svc.(*local).x.suspect(fmt.Errorf("read: %w", bad))
		waitFor(t, "another connection", func() bool {
			now, err := s.enter()
			if err == nil {
				s.leave(now)
			}
			return err == nil && now != was
		})
		sameAsLive(t, s, []string{"needle", "F"})
		untilWhole(t, s, bad.Error())
		sameAsCold(t, s, []string{"needle", "F"})
	}
}

// hurt truncates or garbles one file of an index.
func hurt(t *testing.T, index string, rng *rand.Rand) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(index, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasSuffix(p, "/lock") {
			if fi, err := d.Info(); err == nil && fi.Size() > 0 {
				names = append(names, p)
			}
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in the index: %v", err)
	}
	name := names[rng.IntN(len(names))]
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	how := "truncated"
	switch rng.IntN(3) {
	case 0:
		text = text[:rng.IntN(len(text))]
	case 1:
		how = "garbled"
		for range 1 + len(text)/100 {
			text[rng.IntN(len(text))] ^= byte(1 + rng.IntN(255))
		}
	default:
		how, text = "emptied", nil
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	rel, _ := filepath.Rel(index, name)
	return rel + " " + how
}
