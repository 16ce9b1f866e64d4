package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// TestHubsNameTheArgument asks for rankings that there are not.
func TestHubsNameTheArgument(t *testing.T) {
	s := openCorpus(t, "go-shop")
	s.reindex(api.ReindexChanged)
	for _, c := range []struct {
		req      query.Request
		argument string
	}{
		{query.Request{Relation: graph.ReferencesText}, "relation"},
		{query.Request{Relations: []graph.Relation{graph.Imports, graph.Tests}}, "relations"},
		{query.Request{Relation: graph.Imports}, ""},
	} {
		c.req.Type = query.Hubs
		_, err := s.Graph(t.Context(), &api.GraphRequest{Request: c.req})
		var refused *api.Error
		if !errors.As(err, &refused) {
			if err != nil || c.argument != "" {
				t.Errorf("%+v: %v", c.req, err)
			}
			continue
		}
		if refused.Code != api.CodeInvalidParams || refused.Argument != c.argument || !strings.Contains(refused.Message, "calls_syntax, imports, inherits_syntax") {
			t.Errorf("%+v: %+v", c.req, refused)
		}
	}
}

// TestPackageByItsImportPath asks of a package whose import path begins elsewhere than
// the path of its directory.
func TestPackageByItsImportPath(t *testing.T) {
	s := openSpace(t, map[string]string{
		"go/go.mod": "module example.com/shop\n", "go/root.go": "package shop\n\nfunc Root() {}\n",
		"go/inv/a.go": "package inv\n\nfunc A() {}\n", "go/inv/z.go": "package inv\n\nfunc Z() {}\n",
		"go/inv/z_test.go": "package inv\n\nimport \"testing\"\n\nfunc TestZ(t *testing.T) { Z() }\n",
		"go/app/main.go":   "package main\n\nimport (\n\t\"example.com/shop\"\n\t\"example.com/shop/inv\"\n)\n\nfunc main() { inv.A(); shop.Root() }\n",
	})
	s.reindex(api.ReindexChanged)
	for target, want := range map[string][]string{
		"example.com/shop/inv": {"example.com/shop/inv.A", "example.com/shop/inv.Z", "go/app/main.go"},
		"inv":                  {"example.com/shop/inv.A", "example.com/shop/inv.Z", "go/app/main.go"},
		"go/inv":               {"example.com/shop/inv.A", "example.com/shop/inv.Z", "go/app/main.go"},
		"example.com/shop":     {"example.com/shop.Root", "go/app/main.go"},
		"go/inv/z.go":          {"example.com/shop/inv.Z", "go/app/main.go"},
	} {
		ans := s.graph(query.Request{Type: query.Neighbors, Target: target}, api.AllowStale)
		got := labels(ans.Nodes)
		slices.Sort(got)
		if !slices.Equal(got, want) || len(ans.MissingData) > 0 {
			t.Errorf("neighbors of %s = %q, missing %v; want %q", target, got, ans.MissingData, want)
		}
	}
}

// TestNoGenerationIsNoAnswer asks before there is an index: that nothing has a name is
// not known then.
func TestNoGenerationIsNoAnswer(t *testing.T) {
	s := openSpace(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n"})
	for _, q := range []query.Type{query.Neighbors, query.Path, query.Impact, query.Hubs, query.Tests} {
		req := query.Request{Type: q, Target: "nothing", TargetB: "nothing"}
		ans := s.graph(req, api.AllowStale)
		if ans.IndexGeneration > 0 {
			t.Fatalf("generation %d before a run", ans.IndexGeneration)
		}
		if want := []query.Word{query.MissingIndex}; !slices.Equal(ans.MissingData, want) || ans.IndexUsed || len(ans.Metadata.Missing) != 1 {
			t.Errorf("%s: %v, index used: %t, %+v; want %v", q, ans.MissingData, ans.IndexUsed, ans.Metadata.Missing, want)
		}
	}
	s.reindex(api.ReindexChanged)
	if ans := s.graph(query.Request{Type: query.Impact, Target: "nothing"}, api.AllowStale); !slices.Contains(ans.MissingData, query.MissingTarget) {
		t.Errorf("after a run: %v", ans.MissingData)
	}
	s.index().complete.Store(false)
	ans := s.graph(query.Request{Type: query.Impact, Target: "nothing"}, api.AllowStale)
	if want := []query.Word{query.MissingIndex, query.MissingTarget}; !slices.Equal(ans.MissingData, want) || ans.Metadata.Missing[0].Word != query.MissingIndex {
		t.Errorf("of an index that is not complete: %v, %+v", ans.MissingData, ans.Metadata.Missing)
	}
}
