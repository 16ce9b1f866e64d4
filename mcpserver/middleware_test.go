package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/internal/sdk"
	"github.com/ralph-index/ralph-index/mcpserver/session"
)

func TestCallsAlwaysHaveAnAnswer(t *testing.T) {
	s := newProbes().server(t, session.Review)
	for _, c := range []struct {
		name, args string
		status     api.Code // "" is success
		says       []string
	}{
		{"probe", `{"text":"a"}`, "", []string{`{"text":"a"}`}},
		{"mcp__ralph__probe", `{"text":"a"}`, "", []string{`{"text":"a"}`}},
		{"ralph.probe", `{"text":"a"}`, "", []string{`{"text":"a"}`}},
		{"probe", `{"text":"a","do":"text"}`, "", []string{"a"}},
		{"prob", `{}`, api.CodeUnknownTool, []string{`no tool is called \"prob\"; did you mean \"probe\"?`, `"nearest":"probe"`}},
		{"mcp__other__probe", `{}`, api.CodeUnknownTool, []string{`did you mean \"probe\"?`}},
		{"qqqqqq", `{}`, api.CodeUnknownTool, []string{"the tools are probe", `"tools":["probe"]`}},
		{"edit_probe", `{"text":"a"}`, api.CodeCapabilityDenied, []string{
			"edit_probe needs the capability workspace.edit, which the drain review does not grant", "development, fix",
			`"capability":"workspace.edit"`, `"granted_to":["development","fix"]`,
		}},
		{"mcp__ralph__edit_probe", `{"nonsense":1}`, api.CodeCapabilityDenied, nil}, // before the arguments
		{"probe", `{"txt":"a"}`, api.CodeInvalidParams, []string{`did you mean \"text\"?`, `"argument":"txt"`}},
		{"probe", `{"do":"refuse"}`, api.CodeStaleEvidence, []string{`"current_content_hash":"ff"`, `"argument":"text"`, `"odd":null`}},
		{"probe", `{"do":"fail"}`, api.CodeInternal, []string{"number"}},
		{"probe", `{"do":"panic"}`, api.CodeInternal, []string{"number"}},
	} {
		r := s.chain.call(t.Context(), sdk.Call{Name: c.name, Arguments: json.RawMessage(c.args)})
		if r.IsError != (c.status != "") {
			t.Errorf("%s %s: isError is %t: %s", c.name, c.args, r.IsError, r.Text)
			continue
		}
		var body struct {
			Status api.Code `json:"status"`
		}
		if c.status != "" {
			if err := json.Unmarshal(r.Structured, &body); err != nil || body.Status != c.status {
				t.Errorf("%s %s: status %s, want %s: %s", c.name, c.args, body.Status, c.status, r.Text)
			}
		}
		if r.Structured != nil && string(r.Structured) != r.Text {
			t.Errorf("%s %s: text and structured content differ", c.name, c.args)
		}
		for _, says := range c.says {
			if !strings.Contains(r.Text, says) {
				t.Errorf("%s %s: %s lacks %s", c.name, c.args, r.Text, says)
			}
		}
		if strings.Contains(r.Text, "secret") {
			t.Errorf("%s %s: internals are told: %s", c.name, c.args, r.Text)
		}
	}
}

func TestBudgetEndsACall(t *testing.T) {
	s := newProbes().server(t, session.Development)
	start := time.Now()
	r := s.chain.call(t.Context(), sdk.Call{Name: "probe", Arguments: json.RawMessage(`{"ms":60000,"timeout_ms":"20"}`)})
	if !r.IsError || !strings.Contains(r.Text, `"deadline_exceeded"`) || !strings.Contains(r.Text, "within 20ms") {
		t.Errorf("got %s", r.Text)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("ended after %v", d)
	}
}

func TestBudgetIsClamped(t *testing.T) {
	p := newProbes()
	spec := p.tools(t)[0].Spec()
	for args, want := range map[string]time.Duration{
		`{}`:                     time.Minute,
		`{"timeout_ms":50}`:      50 * time.Millisecond,
		`{"timeout_ms":"50"}`:    50 * time.Millisecond,
		`{"timeout_ms":9999999}`: time.Minute,
		`{"timeout_ms":1e300}`:   time.Minute,
		`{"timeout_ms":-5}`:      time.Minute,
		`{"timeout_ms":"NaN"}`:   time.Minute,
		`{"timeout_ms":{}}`:      time.Minute,
		`nonsense`:               time.Minute,
		``:                       time.Minute,
	} {
		start := time.Now()
		ctx, cancel := withBudget(t.Context(), &spec, json.RawMessage(args))
		deadline, _ := ctx.Deadline()
		cancel()
		if got := deadline.Sub(start) - grace; got < want || got > want+time.Second {
			t.Errorf("%s: budget %v, want %v", args, got, want)
		}
	}
}

func TestCancelledCall(t *testing.T) {
	p := newProbes()
	s := p.server(t, session.Development)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-p.started
		cancel()
	}()
	r := s.chain.call(ctx, sdk.Call{Name: "probe", Arguments: json.RawMessage(`{"ms":60000}`)})
	if !strings.Contains(r.Text, `"status":"cancelled"`) {
		t.Errorf("got %s", r.Text)
	}
}

func TestProgressGrows(t *testing.T) {
	type note struct {
		progress, total float64
		message         string
	}
	var got []note
	r := newReporter(func(p, total float64, m string) { got = append(got, note{p, total, m}) })
	for _, p := range []api.Progress{
		{Stage: "walk", Done: 5},
		{Stage: "parse", Done: 0, Total: 10},
		{Stage: "parse", Done: 4, Total: 10},
		{Stage: "parse", Done: 4, Total: 10},
		{Stage: "parse", Done: 3, Total: 10},
		{Stage: "publish", Done: 1, Total: 1},
	} {
		r.step(p)
	}
	for i, n := range got {
		if i > 0 && n.progress <= got[i-1].progress {
			t.Errorf("note %d does not grow: %v", i, got)
		}
		if n.total != 0 && n.total < n.progress {
			t.Errorf("note %d is beyond its total: %v", i, n)
		}
	}
	if len(got) != 6 || got[2].message != "parse 4/10 files" || got[2].total != 15 {
		t.Errorf("notes are %v", got)
	}
}
