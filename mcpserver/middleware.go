package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/internal/sdk"
	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// chain is what every call passes: recover, log, capability, budget, then the
// tool itself (arguments, handler), then classification and encoding.
type chain struct {
	tools   []tool.Tool
	byName  map[string]tool.Tool
	drain   session.Drain
	service api.Service
	log     *slog.Logger
}

func newChain(tools []tool.Tool, opts Options) *chain {
	c := &chain{tools: tools, byName: map[string]tool.Tool{}, drain: opts.Drain, service: opts.Service, log: opts.Logger}
	for _, t := range tools {
		c.byName[t.Spec().Name] = t
	}
	return c
}

// resolve returns the listed name of a tool. Clients and models put prefixes
// before it.
func (c *chain) resolve(name string) (string, bool) {
	if _, ok := c.byName[name]; ok {
		return name, true
	}
	for _, p := range [...]string{"mcp__ralph__", "ralph__", "ralph."} {
		if short, ok := strings.CutPrefix(name, p); ok {
			if _, ok := c.byName[short]; ok {
				return short, true
			}
		}
	}
	return "", false
}

// listed returns the tools in the form of the transport.
func (c *chain) listed() []sdk.Tool {
	out := make([]sdk.Tool, 0, len(c.tools))
	for _, t := range c.tools {
		s := t.Spec()
		out = append(out, sdk.Tool{
			Name: s.Name, Title: s.Title, Description: strings.TrimSpace(s.Description), Schema: t.Schema(),
			ReadOnly: s.Annotations.ReadOnly, Destructive: s.Annotations.Destructive,
			Idempotent: s.Annotations.Idempotent, OpenWorld: s.Annotations.OpenWorld,
		})
	}
	return out
}

// granted reports whether the session may call a tool at all.
func (c *chain) granted(spec *tool.Spec) bool {
	return c.drain.Grants(spec.Capability) || spec.Alternative != "" && c.drain.Grants(spec.Alternative)
}

// hidden names the tools that the session may not use. Calling one is answered
// with the reason.
func (c *chain) hidden() []string {
	var out []string
	for _, t := range c.tools {
		if spec := t.Spec(); !c.granted(&spec) {
			out = append(out, t.Spec().Name)
		}
	}
	return out
}

// call runs a call and always has an answer.
func (c *chain) call(ctx context.Context, in sdk.Call) (reply sdk.Reply) {
	start := time.Now()
	status := "ok"
	defer func() {
		if p := recover(); p != nil {
			e := internal(fmt.Errorf("panic in %s: %v\n%s", in.Name, p, debug.Stack()), c.log)
			reply, status = encodeError(e), string(e.Code)
		}
		c.log.Info("call", "tool", in.Name, "status", status, "ms", time.Since(start).Milliseconds(), "bytes", len(reply.Text))
	}()
	result, err := c.run(ctx, in)
	if err != nil {
		e := classify(err, c.log)
		status = string(e.Code)
		return encodeError(e)
	}
	if ctx.Err() != nil {
		status = string(api.CodeCancelled) // what was found by then goes to nobody
	}
	return sdk.Reply{Text: result.Text, Structured: result.JSON}
}

func (c *chain) run(ctx context.Context, in sdk.Call) (tool.Result, error) {
	name, ok := c.resolve(in.Name)
	if !ok {
		return tool.Result{}, c.unknownTool(in.Name)
	}
	t := c.byName[name]
	spec := t.Spec()
	if !c.granted(&spec) {
		return tool.Result{}, c.denied(&spec)
	}
	ctx = tool.WithGrants(ctx, c.drain.Grants)
	ctx, cancel := withBudget(ctx, &spec, in.Arguments)
	defer cancel()
	if in.Progress != nil {
		report := newReporter(in.Progress)
		ctx = tool.WithProgress(ctx, report.step)
		if spec.WaitsForIndex {
			defer report.accompany(ctx, c.service)()
		}
	}
	result, err := t.Call(ctx, in.Arguments)
	if cause := context.Cause(ctx); err != nil && errors.Is(err, context.DeadlineExceeded) && cause != nil {
		err = cause // says which budget it was
	}
	if err != nil {
		return tool.Result{}, err
	}
	return result, nil
}

func (c *chain) unknownTool(name string) *api.Error {
	var known []string
	for _, t := range c.tools {
		if spec := t.Spec(); c.granted(&spec) {
			known = append(known, t.Spec().Name)
		}
	}
	if len(name) > 100 {
		name = name[:100] + "…"
	}
	e := &api.Error{
		Code: api.CodeUnknownTool, Message: fmt.Sprintf("no tool is called %q", name),
		Details: map[string]any{"tools": known},
	}
	short := name[strings.LastIndex(name, "__")+1:]
	if near := tool.Nearest(strings.Trim(short, "_"), known); near != "" {
		e.Message += fmt.Sprintf("; did you mean %q?", near)
		e.Details["nearest"] = near
	} else {
		e.Message += "; the tools are " + strings.Join(known, ", ")
	}
	return e
}

func (c *chain) denied(spec *tool.Spec) *api.Error {
	granting := session.Granting(spec.Capability)
	names := make([]string, len(granting))
	for i, d := range granting {
		names[i] = string(d)
	}
	return &api.Error{
		Code: api.CodeCapabilityDenied,
		Message: fmt.Sprintf("%s needs the capability %s, which the drain %s does not grant; sessions of these drains have it: %s. "+
			"Go on without this tool", spec.Name, spec.Capability, c.drain, strings.Join(names, ", ")),
		Details: map[string]any{"tool": spec.Name, "capability": spec.Capability, "drain": c.drain, "granted_to": names},
	}
}

// grace is how much longer than its budget a call may run: the service ends by
// itself at the budget and labels what it found, and must have time to say so.
const grace = time.Second

// withBudget bounds a call by its timeout_ms, or by the tool's default when there
// is none that can be read; the arguments are checked later.
func withBudget(ctx context.Context, spec *tool.Spec, raw json.RawMessage) (context.Context, context.CancelFunc) {
	budget := spec.Budget.Default
	var args struct {
		TimeoutMS json.RawMessage `json:"timeout_ms"`
	}
	if json.Unmarshal(raw, &args) == nil {
		text := strings.Trim(string(args.TimeoutMS), `" `)
		if ms, err := strconv.ParseFloat(text, 64); err == nil && ms >= 1 {
			budget = time.Duration(min(ms, float64(spec.Budget.Max.Milliseconds()))) * time.Millisecond
		}
	}
	cause := &api.Error{
		Code: api.CodeDeadline,
		Message: fmt.Sprintf("%s did not answer within %v and the second after; narrow the question or raise timeout_ms",
			spec.Name, budget),
	}
	return context.WithTimeoutCause(ctx, budget+grace, cause)
}
