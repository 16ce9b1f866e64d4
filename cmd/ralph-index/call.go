package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/client"
	"github.com/ralph-index/ralph-index/mcpserver/session"
)

func newCall(a *app) *cobra.Command {
	drain := ""
	c := &cobra.Command{
		Use:   "call TOOL [JSON]",
		Short: "Call a tool as an agent would, through the protocol and its gate",
		Long: `Calls any tool with the arguments in JSON ("-" reads them from the input), and
prints its answer: JSON, or text where the tool answers text. With -v the lines
of the protocol are shown on the error stream. The tools are:

  ` + strings.Join(toolNames(), "\n  "),
		Example: `  ralph-index call ralph_graph '{"query_type":"hubs","limit":5}'`,
		Args:    cobra.RangeArgs(1, 2),

		ValidArgsFunction: completeFirst(toolNames()),
		RunE: func(cmd *cobra.Command, pos []string) error {
			args, err := a.callArguments(pos[1:])
			if err != nil {
				return err
			}
			d, err := session.ParseDrain(drain)
			if err != nil {
				return usage(err)
			}
			return a.withEngine(cmd.Context(), func(svc api.Service, _ string) error {
				return a.call(cmd.Context(), svc, d, pos[0], args)
			})
		},
	}
	c.Flags().StringVar(&drain, "drain", string(session.Development), "what the session may do: "+drainNames())
	completeFlag(c, "drain", drains())
	return c
}

func (a *app) callArguments(pos []string) (json.RawMessage, error) {
	text := "{}"
	if len(pos) > 0 {
		text = pos[0]
	}
	if text == "-" {
		raw, err := io.ReadAll(a.stdin)
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		text = string(raw)
	}
	if !json.Valid([]byte(text)) {
		return nil, usage(fmt.Errorf("the arguments are not JSON: %s; for example '{\"path\":\"README.md\"}'", text))
	}
	return json.RawMessage(text), nil
}

// call serves one session over a pair of pipes in this process and is its client.
func (a *app) call(ctx context.Context, svc api.Service, drain session.Drain, name string, args json.RawMessage) error {
	server, err := mcpserver.New(mcpserver.Options{Service: svc, Drain: drain, Version: buildVersion().Version, Logger: a.logger(slog.LevelWarn)})
	if err != nil {
		return err
	}
	conn := newPipeServer(ctx, server)
	cl := client.New(conn, client.Options{Name: "ralph-index call", Transcript: a.transcript()})
	defer func() { _ = cl.Close() }() // the answer is there; nothing is lost
	if _, err := cl.Initialize(ctx); err != nil {
		return err
	}
	bar := a.newBar()
	res, err := cl.Call(ctx, name, args, bar.note)
	bar.clear()
	if err != nil {
		return err
	}
	return a.printResult(res)
}

func (a *app) printResult(res *client.Result) error {
	var err error
	switch {
	case res.Structured != nil:
		err = a.printRaw(res.Structured)
	case a.asJSON:
		err = a.printJSON(map[string]string{"text": res.Text})
	default:
		err = a.printText(res.Text)
	}
	if err != nil || !res.IsError {
		return err
	}
	var failure struct {
		Status api.Code `json:"status"`
	}
	if json.Unmarshal(res.Structured, &failure) != nil {
		return &exitError{code: exitInternal}
	}
	return &exitError{code: exitCodeOf(failure.Status)}
}

// transcript shows the protocol when -v asks for it; nil otherwise.
func (a *app) transcript() func(client.Direction, []byte) {
	if a.verbose == 0 {
		return nil
	}
	return func(d client.Direction, line []byte) {
		arrow := "-->"
		if d == client.Received {
			arrow = "<--"
		}
		a.note("%s %s", arrow, clipLine(line))
	}
}

// clipLine keeps a transcript readable: answers can be megabytes.
func clipLine(line []byte) string {
	const limit = 2000
	if len(line) <= limit {
		return visible(string(line))
	}
	return fmt.Sprintf("%s… (%d bytes)", visible(string(line[:limit])), len(line))
}

// pipeServer is a server in this process as a connection.
type pipeServer struct {
	*io.PipeReader
	in    *io.PipeWriter
	ended chan error
}

func newPipeServer(ctx context.Context, server *mcpserver.Server) *pipeServer {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	p := &pipeServer{PipeReader: out, in: in, ended: make(chan error, 1)}
	go func() {
		err := server.ServeStdio(ctx, serverIn, serverOut)
		p.ended <- errors.Join(err, serverOut.Close())
	}()
	return p
}

// Write sends to the server.
func (p *pipeServer) Write(b []byte) (int, error) {
	return p.in.Write(b)
}

// Close ends the session and waits for the server.
func (p *pipeServer) Close() error {
	err := p.in.Close()
	return errors.Join(err, <-p.ended)
}
