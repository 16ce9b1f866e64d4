package engine

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// unindexed checks what a session without a generation answers.
func unindexed(t *testing.T, s *testSpace, fallback string) {
	t.Helper()
	for _, policy := range []api.Policy{api.AllowStale, api.PreferFresh} {
		ans := s.graph(query.Request{Type: query.Neighbors, Target: "G"}, policy)
		if !slices.Contains(ans.MissingData, query.MissingIndex) || ans.IndexUsed || ans.FallbackReason == nil || *ans.FallbackReason != fallback || len(ans.Nodes) > 0 {
			t.Errorf("graph: %v, used %v, fallback %v", ans.MissingData, ans.IndexUsed, ans.FallbackReason)
		}
	}
	for _, regex := range []bool{false, true} {
		ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "func G", CaseSensitive: true, Regex: regex, RankBy: api.RankHybrid, GraphContext: true, DedupeBySymbol: true, ReturnEvidenceIDs: true})
		if err != nil || len(ans.Matches) != 1 || ans.IndexUsed || ans.FallbackReason == nil || *ans.FallbackReason != fallback {
			t.Fatalf("grep auto: %+v, %v", ans, err)
		}
		if _, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: ans.EvidenceIDs[0]}); err != nil {
			t.Errorf("evidence of a live search: %v", err)
		}
		_, err = s.Grep(t.Context(), &api.GrepRequest{Pattern: "func G", Regex: regex, UseIndex: api.IndexAlways})
		if codeOf(err) != api.CodeIndexNotReady || !strings.Contains(err.Error(), "auto") {
			t.Errorf("grep always: %v", err)
		}
	}
	if _, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "G"}); codeOf(err) != api.CodeIndexUnavailable {
		t.Errorf("read by symbol: %v", err)
	}
	if ans, err := s.Read(t.Context(), &api.ReadRequest{Path: "b.go", ReturnMetadata: true}); err != nil || !strings.Contains(ans.Content, "func G") {
		t.Errorf("read by path: %+v, %v", ans, err)
	}
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); codeOf(err) != api.CodeIndexNotReady || out.Len() > 0 {
		t.Errorf("export: %v", err)
	}
}

func TestBeforeTheFirstGeneration(t *testing.T) {
	s := openSpace(t, smallGo())
	unindexed(t, s, api.FallbackNoGeneration)
	st := s.status()
	if !st.Enabled || st.IndexExists || !st.ColdIndexRequired || st.Generation != 0 || st.IndexedAt != nil || st.LastRefreshKind != "none" {
		t.Errorf("status: %+v", st)
	}
	if ans := s.callers("b.go#G", api.Required); !slices.Contains(labels(ans.Nodes), "m.F") || slices.Contains(ans.MissingData, query.MissingIndex) {
		t.Errorf("required makes the first index: %q, %v", labels(ans.Nodes), ans.MissingData)
	}
	if st := s.status(); !st.IndexExists || st.ColdIndexRequired || st.IndexedAt == nil || st.LastRefreshKind != "changed" {
		t.Errorf("status: %+v", st)
	}
}

// An index of a part of the tree answers, and says that it is not all.
func TestPartOfAFirstIndex(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged, "b.go")
	ans := s.callers("b.go#G", api.AllowStale)
	if !slices.Contains(ans.MissingData, query.MissingIndex) || ans.Metadata.ResolvedID == "" || !ans.IndexUsed {
		t.Errorf("missing %v, resolved %q", ans.MissingData, ans.Metadata.ResolvedID)
	}
	if len(ans.Metadata.Missing) != len(ans.MissingData) {
		t.Errorf("words %v, with evidence %+v", ans.MissingData, ans.Metadata.Missing)
	}
	s.reindex(api.ReindexChanged)
	if ans := s.callers("b.go#G", api.AllowStale); slices.Contains(ans.MissingData, query.MissingIndex) {
		t.Errorf("after a complete run: %v", ans.MissingData)
	}
}

func TestWithoutIndex(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	e, err := Open(t.Context(), Options{Workspace: s.dir, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	s.Engine = e
	unindexed(t, s, api.FallbackIndexDisabled)
	st := s.status()
	repair := st.IgnoreRuleRepair
	if st.Enabled || st.IndexExists || st.Leader || !repair.Required || repair.NextCommand != "ralph-index init" || !slices.Equal(repair.PatternsToAppend, []string{".agent/"}) {
		t.Errorf("status: %+v", st)
	}
	if _, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil); codeOf(err) != api.CodeIndexNotReady {
		t.Errorf("reindex: %v", err)
	}
	s.write(".gitignore", ".agent/\n")
	if repair := s.status().IgnoreRuleRepair; repair.Required || repair.Action != "none" {
		t.Errorf("repair with the rule present: %+v", repair)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, ".agent")); !os.IsNotExist(err) {
		t.Errorf("a session without index made one: %v", err)
	}
}

func TestReadOnlyIndexDirectory(t *testing.T) {
	if !asUser(t) {
		return
	}
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	if err := os.Chmod(s.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.dir, 0o755)
	e, err := Open(t.Context(), Options{Workspace: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	s.Engine = e
	defer e.Close(context.WithoutCancel(t.Context()))
	st := s.status()
	if st.Enabled || !strings.HasPrefix(st.Degraded, "index_directory_unusable") {
		t.Fatalf("status: %+v", st)
	}
	unindexed(t, s, api.FallbackNoIndex)
	asks, err := Open(t.Context(), Options{Workspace: s.dir, Existing: true}) // as commands do that only ask
	if err != nil {
		t.Fatal(err)
	}
	defer asks.Close(context.WithoutCancel(t.Context()))
	if st, err := asks.Status(t.Context()); err != nil || st.Enabled || !strings.HasPrefix(st.Degraded, "index_directory_unusable: ") {
		t.Errorf("status of who only asks: %+v, %v", st, err)
	}
	if err := os.Chmod(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "index once the directory can be written", func() bool { return s.status().Enabled })
	s.reindex(api.ReindexChanged)
	if ans := s.callers("b.go#G", api.AllowStale); !slices.Contains(labels(ans.Nodes), "m.F") {
		t.Errorf("callers = %q", labels(ans.Nodes))
	}
}
