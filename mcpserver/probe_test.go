package mcpserver

import (
	"context"
	"errors"

	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// noService is for tools that ask nothing.
type noService struct{ api.Service }

func (noService) Status(context.Context) (*api.Status, error) {
	return &api.Status{ReindexInProgress: true, Progress: &api.Progress{Stage: "parse", Done: 3, Total: 9}}, nil
}

// probes are tools whose behaviour a test decides by their arguments.
type probes struct {
	started chan string // the text of each call that began
	ended   chan string // and of each whose context ended before it did
}

func newProbes() *probes {
	return &probes{started: make(chan string, 1000), ended: make(chan string, 1000)}
}

type probeIn struct {
	Text  string `json:"text"`
	MS    int    `json:"ms"`
	Steps int    `json:"steps"`
	Do    string `json:"do"`
	Limit int    `json:"timeout_ms"`
}

type probeOut struct {
	Text string `json:"text"`
	bad  any
}

func (o probeOut) PlainText() (string, bool) { return o.Text, o.bad == "text" }

func (p *probes) run(ctx context.Context, in probeIn) (probeOut, error) {
	p.started <- in.Text
	for i := range in.Steps {
		if report := tool.Progress(ctx); report != nil {
			report(api.Progress{Stage: "probe", Done: i + 1, Total: in.Steps})
		}
	}
	switch in.Do {
	case "panic":
		panic("probe")
	case "text":
		return probeOut{Text: in.Text, bad: "text"}, nil
	case "fail":
		return probeOut{}, errors.New("secret detail of the server")
	case "refuse":
		return probeOut{}, &api.Error{
			Code: api.CodeStaleEvidence, Message: "changed", Argument: "text",
			Details: map[string]any{"current_content_hash": "ff", "status": "ok", "odd": make(chan int)},
		}
	}
	if in.MS > 0 {
		select {
		case <-time.After(time.Duration(in.MS) * time.Millisecond):
		case <-ctx.Done():
			p.ended <- in.Text
			return probeOut{}, ctx.Err()
		}
	}
	return probeOut{Text: in.Text}, nil
}

func (p *probes) tools(t *testing.T) []tool.Tool {
	t.Helper()
	spec := tool.Spec{
		Name: "probe", Title: "Probe", Description: "Probes.", Capability: tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: time.Minute, Max: time.Minute},
		Example:     `{"text":"a"}`,
		Args: []tool.Arg{
			{Name: "text", Type: tool.String, Doc: "d"},
			{Name: "ms", Type: tool.Integer, Doc: "d"},
			{Name: "steps", Type: tool.Integer, Doc: "d"},
			{Name: "do", Type: tool.String, Doc: "d"},
			{Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: 60000, Default: 60000, Doc: "d"},
		},
		WaitsForIndex: true,
	}
	read, err := tool.Define(spec, p.run)
	if err != nil {
		t.Fatal(err)
	}
	spec.Name, spec.Capability = "edit_probe", tool.WorkspaceEdit
	spec.Annotations = tool.Annotations{Destructive: true}
	write, err := tool.Define(spec, p.run)
	if err != nil {
		t.Fatal(err)
	}
	return []tool.Tool{read, write}
}

func (p *probes) server(t *testing.T, drain session.Drain) *Server {
	t.Helper()
	s, err := newServer(Options{Service: noService{}, Drain: drain, Version: "test", Logger: testLogger(t)}, p.tools(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testLogger(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(logWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

type logWriter struct{ t *testing.T }

func (w logWriter) Write(b []byte) (int, error) {
	if !strings.Contains(string(b), "probe") && !strings.Contains(string(b), "internal error") {
		w.t.Log(string(b))
	}
	return len(b), nil
}

// within waits for a value, and fails the test when it does not come.
func within[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(20 * time.Second):
		t.Fatalf("%s did not happen", what)
		panic("unreachable")
	}
}
