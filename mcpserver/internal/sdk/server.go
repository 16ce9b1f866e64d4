// Package sdk is the only importer of the protocol library. It takes tools as
// plain data and one function that runs them, and serves both over stdio (a
// transport of our own on the library's message handler) and over streamable HTTP
// (the library's handler behind a guard).
//
// It decides nothing about tools: names, gates, arguments and errors are the
// business of mcpserver.
package sdk

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Tool is what a client sees of a tool.
type Tool struct {
	Name, Title, Description                     string
	Schema                                       json.RawMessage
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// Call is one call of a tool.
type Call struct {
	Name      string // as the client wrote it
	Arguments json.RawMessage
	// Progress sends a progress notification; nil when the client gave no token.
	// progress must grow from call to call; total is 0 when not known.
	Progress func(progress, total float64, message string)
}

// Reply is the result of a call. Structured is nil where the answer is text.
type Reply struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
}

// Options configures New. All fields but Hidden are required.
type Options struct {
	Name, Title, Version, Instructions string
	Tools                              []Tool
	// Hidden names tools that may be called, to be refused with a reason, but are
	// not listed.
	Hidden []string
	// Resolve returns the listed name of a tool for the name in a call.
	Resolve func(name string) (listed string, ok bool)
	// Call runs a call. It is also given names that Resolve does not know.
	Call   func(context.Context, Call) Reply
	Logger *slog.Logger
}

// Server answers protocol messages.
type Server struct {
	opts Options
	mcp  *server.MCPServer
}

// catchAll is the name under which the library finds the handler of calls whose
// tool does not exist. It is no valid tool name, so no client can mean it.
const catchAll = "\x00unknown"

// listTTL is how long a modern client may keep the list of tools, in milliseconds:
// it changes only with the process.
const listTTL = 300_000

// New makes a server.
func New(opts Options) *Server {
	s := &Server{opts: opts}
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(s.route)
	hooks.AddAfterListTools(func(_ context.Context, _ any, _ *mcp.ListToolsRequest, res *mcp.ListToolsResult) {
		res.Tools = slices.DeleteFunc(res.Tools, func(t mcp.Tool) bool {
			return t.Name == catchAll || slices.Contains(opts.Hidden, t.Name)
		})
	})
	s.mcp = server.NewMCPServer(opts.Name, opts.Version,
		server.WithTitle(opts.Title),
		server.WithInstructions(opts.Instructions),
		server.WithToolCapabilities(false),
		server.WithHooks(hooks),
		server.WithMethodCacheHints(mcp.MethodToolsList, listTTL, mcp.CacheScopePrivate),
	)
	for _, t := range opts.Tools {
		s.mcp.AddTool(t.wire(), s.handle)
	}
	s.mcp.AddTool(mcp.NewToolWithRawSchema(catchAll, "", json.RawMessage(`{"type":"object"}`)), s.handle)
	return s
}

func (t *Tool) wire() mcp.Tool {
	w := mcp.NewToolWithRawSchema(t.Name, t.Description, t.Schema)
	w.Title = t.Title
	w.Annotations = mcp.ToolAnnotation{
		Title:           t.Title,
		ReadOnlyHint:    &t.ReadOnly,
		DestructiveHint: &t.Destructive,
		IdempotentHint:  &t.Idempotent,
		OpenWorldHint:   &t.OpenWorld,
	}
	return w
}

// misnamed carries the name of a tool that does not exist to the handler.
type misnamed string

// route runs before the library looks the tool up, so that other spellings of a
// name reach the tool, and unknown names reach our own refusal.
func (s *Server) route(_ context.Context, _ any, req *mcp.CallToolRequest) {
	name := req.Params.Name
	if listed, ok := s.opts.Resolve(name); ok {
		req.Params.Name = listed
		return
	}
	req.Params.Name = catchAll
	req.Params.Arguments, req.Params.RawArguments = misnamed(name), nil
}

func (s *Server) handle(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := Call{Name: req.Params.Name, Arguments: req.Params.RawArguments, Progress: s.progress(ctx, req.Params.Meta)}
	if name, ok := req.Params.Arguments.(misnamed); ok {
		c.Name = string(name)
	} else if len(c.Arguments) == 0 && req.Params.Arguments != nil {
		raw, err := json.Marshal(req.Params.Arguments)
		if err != nil {
			return nil, err
		}
		c.Arguments = raw
	}
	r := s.opts.Call(ctx, c)
	res := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(r.Text)}, IsError: r.IsError}
	if r.Structured != nil {
		res.RawStructuredContent = r.Structured
	}
	return res, nil
}

func (s *Server) progress(ctx context.Context, meta *mcp.Meta) func(float64, float64, string) {
	if meta == nil || meta.ProgressToken == nil {
		return nil
	}
	token := meta.ProgressToken
	return func(progress, total float64, message string) {
		if ctx.Err() != nil {
			return // nothing may follow a cancel
		}
		params := map[string]any{"progressToken": token, "progress": progress}
		if total > 0 {
			params["total"] = total
		}
		if message != "" {
			params["message"] = message
		}
		if err := s.mcp.SendNotificationToClient(ctx, "notifications/progress", params); err != nil {
			s.opts.Logger.Debug("progress dropped", "error", err)
		}
	}
}
