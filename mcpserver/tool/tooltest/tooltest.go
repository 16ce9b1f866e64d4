// Package tooltest is what the tests of tools share: a service that keeps its
// questions, goldens of schemas, checks of refusals and answers, and calls with bad
// arguments made from a tool's specification. Only tests import it.
package tooltest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// Asked is a service that keeps the last question of each kind. Its answers are
// zero values unless a test sets them, as a careless service would give.
type Asked struct {
	api.Service
	Changes
	Graphed   *api.GraphRequest
	Grepped   *api.GrepRequest
	WasRead   *api.ReadRequest
	ManyRead  *api.ReadManyRequest
	Stated    *api.StatRequest
	Listed    *api.ListRequest
	Found     *api.FindRequest
	Reindexed *api.ReindexRequest
	Steps     func(api.Progress) // of the last Reindex

	GrepAnswer api.GrepAnswer
	ReadAnswer api.ReadAnswer
	ManyAnswer api.ReadManyAnswer
	StatAnswer api.StatAnswer
	ListAnswer api.ListAnswer
	FindAnswer api.FindAnswer
}

// Graph implements api.Service.
func (s *Asked) Graph(_ context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	s.Graphed = req
	return &api.GraphAnswer{}, nil
}

// Grep implements api.Service.
func (s *Asked) Grep(_ context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	s.Grepped = req
	ans := s.GrepAnswer
	return &ans, nil
}

// Read implements api.Service.
func (s *Asked) Read(_ context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	s.WasRead = req
	ans := s.ReadAnswer
	return &ans, nil
}

// Reindex implements api.Service.
func (s *Asked) Reindex(_ context.Context, req *api.ReindexRequest, steps func(api.Progress)) (*api.ReindexAnswer, error) {
	s.Reindexed, s.Steps = req, steps
	return &api.ReindexAnswer{}, nil
}

// Status implements api.Service.
func (s *Asked) Status(context.Context) (*api.Status, error) { return &api.Status{}, nil }

// Must returns a tool whose definition is good: Must(t)(Define…).
func Must(t testing.TB) func(tool.Tool, error) tool.Tool {
	return func(tl tool.Tool, err error) tool.Tool {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tl
	}
}

// Schema compares a tool's schema with its golden file, or rewrites that.
func Schema(t testing.TB, file string, tl tool.Tool, update bool) {
	t.Helper()
	if !json.Valid(tl.Schema()) {
		t.Fatalf("%s: the schema is no JSON", file)
	}
	// Broken into lines by hand, to keep the written order.
	Golden(t, file, strings.ReplaceAll(string(tl.Schema()), `},"`, "},\n\"")+"\n", update)
}

// Golden compares a text with its golden file, or rewrites that.
func Golden(t testing.TB, file, got string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and review:\n%s", file, got)
	}
}

// Refuses checks that each call is refused as invalid_params for the argument, and
// that the message names it.
func Refuses(t testing.TB, tl tool.Tool, calls map[string]string) {
	t.Helper()
	for args, argument := range calls {
		_, err := tl.Call(t.Context(), json.RawMessage(args))
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.CodeInvalidParams || e.Argument != argument {
			t.Errorf("%.80s: got %v, want invalid_params for %s", args, err, argument)
			continue
		}
		if !strings.Contains(e.Message, argument) {
			t.Errorf("%.80s: message does not name %s: %s", args, argument, e.Message)
		}
	}
}

// Fields checks that an answer has the fields, and that none is null but those that
// may be by contract.
func Fields(t testing.TB, res tool.Result, fields ...string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal(res.JSON, &got); err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		if _, ok := got[f]; !ok {
			t.Errorf("no field %s in %s", f, res.JSON)
		}
	}
	nullable := map[string]bool{"fallback_reason": true, "error_summary": true, "indexed_at": true, "last_job": true,
		"contains_symbol": true, "contains_symbol_note": true, "changed_only_note": true}
	for f, v := range got {
		if string(v) == "null" && !nullable[f] {
			t.Errorf("field %s is null", f)
		}
	}
}
