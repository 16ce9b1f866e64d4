package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// The words that the engine sets or feeds, each where it must appear and where it
// must not. Those of the planner alone are tested there.
func TestMissingData(t *testing.T) {
	base := map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc F() { Target() }\n", "b.go": "package m\n\nfunc Target() {}\n"}
	with := func(name, text string) map[string]string {
		files := map[string]string{name: text}
		for n, t := range base {
			files[n] = t
		}
		return files
	}
	impact := query.Request{Type: query.Impact, Target: "b.go#Target"}
	for _, c := range []struct {
		name  string
		word  query.Word
		files map[string]string
		req   query.Request
		want  []graph.Path // scope of the word; nil: it must not appear
	}{
		{"nothing is missing", "", base, impact, nil},
		{"minified script with the name", query.MissingFailedFiles, with("x.js", strings.Repeat("function a(b){return Target(b)}", 40_000)), impact, []graph.Path{"x.js"}},
		{"minified script without the name", query.MissingFailedFiles, with("x.js", strings.Repeat("function a(b){return Targets(b)}", 40_000)), impact, nil},
		{"syntax error that hides the name", query.MissingFailedFiles, with("x.py", "class X(:\n  def (Target ::\n"), impact, []graph.Path{"x.py"}},
		{"syntax error, and the name is seen", query.MissingFailedFiles, with("x.py", "def f():\n    Target()\n\ndef broken(:\n"), impact, nil},
		{"language without structure", query.MissingUnindexedLang, with("x.zig", "fn f() { Target(); }\n"), impact, []graph.Path{"x.zig"}},
		{"language without structure, other name", query.MissingUnindexedLang, with("x.zig", "fn f() { Target2(); }\n"), impact, nil},
		{"plain text", query.MissingUnindexedLang, with("x.txt", "Target\n"), impact, nil},
		{"binary of that language", query.MissingUnindexedLang, with("x.zig", "Target \x00\n"), impact, nil},
	} {
		s := openSpace(t, c.files)
		s.reindex(api.ReindexChanged)
		ans := s.graph(c.req, api.PreferFresh)
		if c.word == "" {
			if len(ans.MissingData) > 0 {
				t.Errorf("%s: %v", c.name, ans.MissingData)
			}
			continue
		}
		var got *query.Missing
		for i := range ans.Metadata.Missing {
			if ans.Metadata.Missing[i].Word == c.word {
				got = &ans.Metadata.Missing[i]
			}
		}
		said := slices.Contains(ans.MissingData, c.word)
		switch {
		case said != (c.want != nil), said != (got != nil):
			t.Errorf("%s: %v, %+v", c.name, ans.MissingData, ans.Metadata.Missing)
		case said && (!slices.Equal(got.Scope, c.want) || got.Count == 0):
			t.Errorf("%s: %+v, want the scope %q", c.name, got, c.want)
		}
	}
}

func TestHubsPending(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hubs := &api.GraphRequest{Request: query.Request{Type: query.Hubs}}
	build := s.index().hubs.build
	<-build // whoever holds it builds: now nobody can
	ans, err := s.Graph(ctx, hubs)
	build <- struct{}{}
	if err != nil || !slices.Contains(ans.MissingData, query.MissingHubsPending) || len(ans.Nodes) > 0 {
		t.Errorf("hubs without time to make them: %v, %v", ans.MissingData, err)
	}
	ans, err = s.Graph(t.Context(), hubs)
	if err != nil || slices.Contains(ans.MissingData, query.MissingHubsPending) || ans.Metadata.HubsAt != ans.IndexGeneration || len(ans.Nodes) == 0 {
		t.Errorf("hubs: %v, of generation %d in %d, %v", ans.MissingData, ans.Metadata.HubsAt, ans.IndexGeneration, err)
	}
	s.write("c.go", "package m\n\nfunc H() { G(); G() }\n\nfunc I() { G() }\n")
	s.reindex(api.ReindexChanged)
	// The older table answers at once, and says so; the newer one follows.
	for deadline := time.Now().Add(10 * time.Second); ; {
		ans, err = s.Graph(t.Context(), hubs)
		if err != nil || !slices.Contains(ans.MissingData, query.MissingHubsPending) || time.Now().After(deadline) {
			break
		}
		if len(ans.Nodes) == 0 || ans.Metadata.HubsAt >= ans.IndexGeneration {
			t.Fatalf("hubs beside a build: %v, of generation %d in %d", ans.MissingData, ans.Metadata.HubsAt, ans.IndexGeneration)
		}
	}
	if err != nil || len(ans.MissingData) > 0 || ans.Metadata.HubsAt != ans.IndexGeneration {
		t.Errorf("hubs after an edit: %v, of generation %d in %d, %v", ans.MissingData, ans.Metadata.HubsAt, ans.IndexGeneration, err)
	}
	score := ans.Nodes[0].Score
	s.reopen()
	if ans, err = s.Graph(t.Context(), hubs); err != nil || len(ans.Nodes) == 0 || ans.Nodes[0].Score != score {
		t.Errorf("stored hubs: %+v, %v", ans, err)
	}
}

// A table that was stored some generations ago is what the next is made of.
func TestHubsFromAnOlderTable(t *testing.T) {
	files := smallGo()
	for i := range hubsWholeAtMost { // more than what is built anew each time
		files[fmt.Sprintf("t/%d.txt", i)] = "text"
	}
	s := openSpace(t, files)
	s.reindex(api.ReindexChanged)
	s.index().hubs.refresh(t.Context())
	before := s.index().hubs.stored
	s.write("c.go", "package m\n\nfunc H() { G(); G() }\n\nfunc I() { G() }\n")
	s.write("d.go", "package m\n\nfunc J() { H() }\n")
	s.remove("t/1.txt")
	s.reindex(api.ReindexChanged)
	s.reopen()
	x := s.index()
	if x.hubs.refresh(t.Context()); before == 0 || !x.hubs.current() {
		t.Fatalf("table of generation %d, stored %d, in %d", x.hubs.table.Load().Generation(), before, x.store.Generation())
	}
	s.patchedIsAnew()
}

// A table that another program has made answers nothing.
func TestHubsOfAnotherProgram(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	s.index().hubs.refresh(t.Context())
	for by, want := range map[string]bool{program(s.opts.Version): true, "another": false, "": false} {
		if err := s.index().store.SetMeta(map[string][]byte{metaHubsBy: []byte(by)}); err != nil {
			t.Fatal(err)
		}
		s.reopen()
		h := s.index().hubs
		<-h.build
		h.load()
		if got := h.table.Load() != nil; got != want {
			t.Errorf("a table by %q is taken: %v", by, got)
		}
		h.build <- struct{}{}
	}
}

// patchedIsAnew compares the table of hubs with one that is built anew.
func (s *testSpace) patchedIsAnew() {
	s.t.Helper()
	ask := func() string {
		ans, err := s.Graph(s.t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Hubs, Limit: query.MaxLimit}, Freshness: api.AllowStale})
		if err != nil || len(ans.Nodes) == 0 {
			s.t.Fatalf("hubs: %+v, %v", ans, err)
		}
		return asJSON(s.t, ans.Nodes)
	}
	patched := ask()
	hubs := s.index().hubs
	hubs.table.Store(nil)
	hubs.refresh(s.t.Context())
	if anew := ask(); patched != anew {
		s.t.Errorf("patched %s\nanew %s", patched, anew)
	}
}

// A patched table is the one that would be built anew, whatever is published while
// tables are made.
func TestHubsFollowPublishes(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	s.opts.Background = true
	s.open()
	hubs := s.index().hubs
	<-hubs.build // whoever builds reads it
	hubs.wholeAtMost = 0
	hubs.build <- struct{}{}
	var refreshes sync.WaitGroup
	for i := range 40 {
		s.write("c.go", "package m\n\nfunc H() { G() }\n"+strings.Repeat("\nfunc "+string(rune('A'+i%20))+"x() { G() }\n", i%2))
		s.write("d"+string(rune('a'+i%5))+".go", "package m\n\nfunc D"+string(rune('a'+i%5))+"() { H() }\n")
		if i%7 == 0 {
			s.remove("da.go")
		}
		s.reindex(api.ReindexChanged)
		refreshes.Go(func() { s.index().hubs.refresh(t.Context()) })
	}
	refreshes.Wait()
	x := s.index()
	waitFor(t, "table of hubs", func() bool {
		return x.hubs.table.Load() != nil && x.hubs.table.Load().Generation() == x.store.Generation()
	})
	waitFor(t, "stored table", func() bool {
		x.hubs.save()
		<-x.hubs.build
		defer func() { x.hubs.build <- struct{}{} }()
		return x.hubs.stored == x.hubs.table.Load().Generation()
	})
	s.patchedIsAnew()
}

func TestIndexNotReadyAndDeadlineWords(t *testing.T) {
	s := openSpace(t, smallGo())
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	ans, err := s.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "G"}, Freshness: api.Required})
	if err != nil || !slices.Contains(ans.MissingData, query.MissingFreshness) || !slices.Contains(ans.MissingData, query.MissingDeadline) || !ans.Deadline || !ans.Truncated {
		t.Errorf("required without time: %+v, %v", ans, err)
	}
	if len(ans.Metadata.Missing) != len(ans.MissingData) {
		t.Errorf("words %v, with evidence %+v", ans.MissingData, ans.Metadata.Missing)
	}
	ans, err = s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "G"}, Cancel: true})
	if err != nil || !ans.Cancelled || !slices.Equal(ans.MissingData, []query.Word{query.MissingCancelled}) || len(ans.Metadata.Missing) != 1 {
		t.Errorf("cancel argument: %+v, %v", ans, err)
	}
	if _, err := s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors}}); codeOf(err) != api.CodeInvalidParams {
		t.Errorf("no target: %v", err)
	}
}
