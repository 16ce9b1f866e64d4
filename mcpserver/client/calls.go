package client

import (
	"context"
	"encoding/json"
	"fmt"
)

// Progress is one progress notification of a call. Total is 0 when not known.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total"`
	Message  string  `json:"message"`
}

// ServerInfo is what a server says of itself.
type ServerInfo struct {
	Name            string
	Version         string
	ProtocolVersion string
	Instructions    string
}

// Tool is a listed tool.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations map[string]any  `json:"annotations"`
}

// Result is the answer of a tool. Structured is nil where the answer is text.
type Result struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
}

// Initialize shakes hands as clients of the revisions before 2026-07-28 do. Later
// ones do not, and servers must not need it.
func (c *Client) Initialize(ctx context.Context) (*ServerInfo, error) {
	raw, err := c.request(ctx, "initialize", map[string]any{
		"protocolVersion": ProtocolVersion,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": c.opts.Name, "version": c.opts.Version},
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	var res struct {
		ProtocolVersion string `json:"protocolVersion"`
		Instructions    string `json:"instructions"`
		ServerInfo      struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, fmt.Errorf("read initialize result: %w", err)
	}
	if err := c.send(message{JSONRPC: "2.0", Method: "notifications/initialized"}); err != nil {
		return nil, err
	}
	return &ServerInfo{
		Name: res.ServerInfo.Name, Version: res.ServerInfo.Version,
		ProtocolVersion: res.ProtocolVersion, Instructions: res.Instructions,
	}, nil
}

// ListTools returns the tools that the session may use.
func (c *Client) ListTools(ctx context.Context) ([]Tool, error) {
	raw, err := c.request(ctx, "tools/list", map[string]any{}, nil)
	if err != nil {
		return nil, fmt.Errorf("list tools: %w", err)
	}
	var res struct {
		Tools []Tool `json:"tools"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, fmt.Errorf("read list of tools: %w", err)
	}
	return res.Tools, nil
}

// Call calls a tool with arguments that encode to a JSON object. A tool that
// refuses or fails is a Result with IsError, not an error. progress may be nil; it
// is called from the goroutine that reads the connection and must not block. When
// ctx ends, the call is cancelled at the server.
func (c *Client) Call(ctx context.Context, name string, args any, progress func(Progress)) (*Result, error) {
	if args == nil {
		args = struct{}{}
	}
	raw, err := c.request(ctx, "tools/call", map[string]any{"name": name, "arguments": args}, progress)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", name, err)
	}
	var res struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, fmt.Errorf("read result of %s: %w", name, err)
	}
	out := &Result{Structured: res.StructuredContent, IsError: res.IsError}
	for _, part := range res.Content {
		if part.Type == "text" {
			out.Text += part.Text
		}
	}
	return out, nil
}
