package engine

import (
	"errors"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// A line that a file does not have is refused by name, unless the file has grown.
func TestLineBeyondEnd(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	for arg, req := range map[string]query.Request{
		"target":   {Type: query.Neighbors, Target: "b.go:900"},
		"target_b": {Type: query.Path, Target: "b.go#G", TargetB: "b.go:900:1"},
	} {
		_, err := s.Graph(t.Context(), &api.GraphRequest{Request: req, Freshness: api.PreferFresh})
		var bad *api.Error
		if !errors.As(err, &bad) || bad.Code != api.CodeInvalidParams || bad.Argument != arg || bad.Details["line"] != uint32(900) {
			t.Errorf("%s: %v, want invalid_params", arg, err)
		}
	}
	s.write("b.go", "package m\n\nfunc G() {}\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nfunc Late() {}\n")
	ans, err := s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "b.go:21"}, Freshness: api.PreferFresh})
	if err != nil || ans.Metadata.ResolvedName != "m.Late" {
		t.Errorf("a line of now: %v, %v", ans, err)
	}
}
