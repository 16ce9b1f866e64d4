package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// declaredCodes reads the codes from the source, so that one that is added there
// and not here is found.
func declaredCodes(t *testing.T) []api.Code {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../engine/api/api.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []api.Code
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			s, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, api.Code(s))
		}
		return true
	})
	return codes
}

func TestEveryCodeHasANextStep(t *testing.T) {
	codes, steps := declaredCodes(t), nextStep()
	if len(codes) < 15 {
		t.Fatalf("found only %d codes", len(codes))
	}
	for _, c := range codes {
		got := classify(fmt.Errorf("wrapped: %w", &api.Error{Code: c}), slog.New(slog.DiscardHandler))
		if got.Code != c || got.Message == "" || got.Message != steps[c] {
			t.Errorf("%s becomes %+v", c, got)
		}
		delete(steps, c)
	}
	for c := range steps {
		t.Errorf("%s is no declared code", c)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err  error
		want api.Code
		says string
	}{
		{&api.Error{Code: api.CodeNotFound, Message: "own words"}, api.CodeNotFound, "own words"},
		{context.DeadlineExceeded, api.CodeDeadline, "timeout_ms"},
		{fmt.Errorf("x: %w", context.Canceled), api.CodeCancelled, "cancelled"},
		{errors.New("secret"), api.CodeInternal, "number"},
		{&api.Error{Code: "made_up", Message: "secret"}, api.CodeInternal, "number"},
	} {
		var log strings.Builder
		got := classify(c.err, slog.New(slog.NewTextHandler(&log, nil)))
		if got.Code != c.want || !strings.Contains(got.Message, c.says) {
			t.Errorf("%v becomes %+v, want %s with %q", c.err, got, c.want, c.says)
		}
		if strings.Contains(got.Message, "secret") {
			t.Errorf("%v is told to the caller: %s", c.err, got.Message)
		}
		if c.want == api.CodeInternal && (!strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), got.Details["number"].(string))) {
			t.Errorf("%v is not in the log under its number: %s", c.err, log.String())
		}
	}
}

func TestErrorOnTheWire(t *testing.T) {
	r := encodeError(&api.Error{
		Code: api.CodeInvalidParams, Message: `limit < 1`, Argument: "limit",
		Details: map[string]any{"maximum": 100, "minimum": 1, "status": "ok", "message": "x", "example": json.RawMessage(`{"limit":5}`), "odd": func() {}},
	})
	const want = `{"status":"invalid_params","message":"limit < 1","argument":"limit","example":{"limit":5},"maximum":100,"minimum":1,"odd":null}`
	if r.Text != want || string(r.Structured) != want || !r.IsError {
		t.Errorf("got %+v, want %s in both places", r, want)
	}
}
