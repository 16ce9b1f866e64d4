package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/internal/sdk"
	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// Options configures New.
type Options struct {
	Service api.Service   // required
	Drain   session.Drain // empty: development
	// Tools makes the tools; nil is Catalog.
	Tools   func(api.Service) ([]tool.Tool, error)
	Version string       // what the server calls itself; empty: "dev"
	Logger  *slog.Logger // nil discards
}

// Server is a set of tools and the gate before them. It may serve several
// transports at once.
type Server struct {
	chain *chain
	sdk   *sdk.Server
	log   *slog.Logger
}

// New makes a server. It fails for a tool that cannot be expressed, an unknown
// drain, or a missing service.
func New(opts Options) (*Server, error) {
	if opts.Service == nil {
		return nil, errors.New("make server: no service")
	}
	if opts.Tools == nil {
		opts.Tools = Catalog
	}
	tools, err := opts.Tools(opts.Service)
	if err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	return newServer(opts, tools)
}

func newServer(opts Options, tools []tool.Tool) (*Server, error) {
	if opts.Drain == "" {
		opts.Drain = session.Development
	}
	if _, err := session.ParseDrain(string(opts.Drain)); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	if opts.Version == "" {
		opts.Version = "dev"
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	c := newChain(tools, opts)
	s := &Server{chain: c, log: opts.Logger}
	s.sdk = sdk.New(sdk.Options{
		Name:         "ralph",
		Title:        "ralph-index",
		Version:      opts.Version,
		Instructions: instructions,
		Tools:        c.listed(),
		Hidden:       c.hidden(),
		Resolve:      c.resolve,
		Call:         c.call,
		Logger:       opts.Logger,
	})
	return s, nil
}

// drainTime is how long calls may still run after the input ended.
const drainTime = 5 * time.Second

// ServeStdio serves one client over a pair of streams until the input ends or ctx
// is done. Running calls then have five seconds to finish. It returns nil for
// both ends, and an error when a stream breaks.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.sdk.ServeStdio(ctx, in, out, sdk.StdioOptions{Drain: drainTime})
	if err != nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}

// ServeHTTP serves streamable HTTP on a listener until ctx is done. Every request
// but the health check must carry the token, when there is one.
func (s *Server) ServeHTTP(ctx context.Context, ln net.Listener, token string) error {
	if err := s.sdk.ServeHTTP(ctx, ln, sdk.HTTPOptions{Token: token, Drain: drainTime}); err != nil {
		return fmt.Errorf("serve http: %w", err)
	}
	return nil
}
