package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/session"
)

type serveFlags struct {
	http      string
	tokenFile string
	noToken   bool
	drain     string
}

func newServe(a *app) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the tools to an agent over MCP",
		Long: `Serves the tools over standard input and output, or over streamable HTTP with
--http. The first request is answered at once; the index is built meanwhile.`,
		Example: `  claude mcp add ralph -- ralph-index serve
  ralph-index serve --workspace ~/src/app --http 127.0.0.1:7700`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f) },
	}
	c.Flags().StringVar(&f.http, "http", "", "serve streamable HTTP on `ADDR`, e.g. 127.0.0.1:7700")
	c.Flags().StringVar(&f.tokenFile, "token-file", "", "read the token of HTTP clients from `FILE`, or write a new one there")
	c.Flags().BoolVar(&f.noToken, "no-token", false, "ask HTTP clients for no token; on loopback only")
	c.Flags().StringVar(&f.drain, "drain", string(session.Development), "what the session may do: "+drainNames())
	completeFlag(c, "drain", drains())
	return c
}

func drainNames() string {
	return strings.Join(drains(), ", ")
}

func (a *app) serve(ctx context.Context, f serveFlags) error {
	drain, err := session.ParseDrain(f.drain)
	if err != nil {
		return usage(err)
	}
	if f.http == "" && (f.noToken || f.tokenFile != "") {
		return usage(errors.New("--token-file and --no-token are about HTTP; give --http ADDR too, or leave them out"))
	}
	if f.noToken && f.tokenFile != "" {
		return usage(errors.New("--token-file and --no-token exclude each other; leave out one"))
	}
	opts, err := a.engineOptions()
	if err != nil {
		return err
	}
	var ln net.Listener
	var secret token
	if f.http != "" {
		if ln, secret, err = a.listen(ctx, f); err != nil {
			return err
		}
		defer secret.forget()
	}
	opts.Background = true
	svc := openLater(ctx, func(ctx context.Context) (service, error) { return a.open(ctx, opts) })
	server, err := mcpserver.New(mcpserver.Options{
		Service: svc, Drain: drain, Version: buildVersion().Version, Logger: a.logger(slog.LevelWarn),
	})
	if err != nil {
		return err
	}
	if ln != nil {
		err = server.ServeHTTP(ctx, ln, secret.text)
	} else {
		err = a.serveStdio(ctx, server)
	}
	return errors.Join(err, closeLate(ctx, svc))
}

// closeLate closes the engine of a server that has ended, which first indexes what
// changed last. After the end of the input a signal cuts that short; after a signal, only
// the next one does, and the process with it.
func closeLate(ctx context.Context, svc service) error {
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if ctx.Err() == nil {
		defer context.AfterFunc(ctx, cancel)()
	}
	return svc.Close(late)
}

// closeTime is how long the engine may take to close when the server ends.
const closeTime = 5 * time.Second

func (a *app) serveStdio(ctx context.Context, server *mcpserver.Server) error {
	ctx, stop := withParent(ctx)
	defer stop()
	out, in, err := protocolStreams(a.stdout, a.stdin)
	if err != nil {
		return err
	}
	return server.ServeStdio(ctx, in, out)
}

func (a *app) listen(ctx context.Context, f serveFlags) (net.Listener, token, error) {
	host, _, err := net.SplitHostPort(f.http)
	if err != nil {
		return nil, token{}, usage(fmt.Errorf("--http cannot be %q: %w; for example 127.0.0.1:7700", f.http, err))
	}
	ip := net.ParseIP(host)
	local := strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
	if f.noToken && !local {
		return nil, token{}, usage(fmt.Errorf("%s is reachable from other machines, which needs a token; leave out --no-token", f.http))
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", f.http)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, token{}, usage(fmt.Errorf("%s is in use, maybe by another server; give --http another port, or port 0 for any that is free", f.http))
		}
		return nil, token{}, fmt.Errorf("listen on %s: %w", f.http, err)
	}
	var secret token
	if !f.noToken {
		if secret, err = a.token(f.tokenFile); err != nil {
			return nil, token{}, errors.Join(err, ln.Close())
		}
	}
	a.note("serving http://%s/mcp", ln.Addr())
	if !f.noToken {
		a.note("the bearer token is in %s", secret.file)
	}
	return ln, secret, nil
}
