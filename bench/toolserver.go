package bench

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/client"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// ToolServerCommand is the name under which a program that links this package must
// run ServeTools with its arguments.
const ToolServerCommand = "toolserver"

// noOp is the tool that does nothing but answer.
const noOp = "no_op"

// ServeTools serves a workspace over standard input and output as the product does,
// with one more tool: no_op answers with the bytes of the file that no names, which is
// read once, before anything is served. index is the index's directory; "" serves
// without an index.
func ServeTools(ctx context.Context, workspace, index, no string, workers []string) error {
	text, err := os.ReadFile(no)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	e, err := engine.Open(ctx, engine.Options{
		Workspace: workspace, IndexDir: index, NoIndex: index == "", WorkerCommand: workers, Background: true, Version: "bench", Logger: log,
	})
	if err != nil {
		return err
	}
	server, err := mcpserver.New(mcpserver.Options{Service: e, Version: "bench", Logger: log, Tools: withNoOp(string(text))})
	if err == nil {
		err = server.ServeStdio(ctx, os.Stdin, os.Stdout)
	}
	if closeErr := e.Close(context.WithoutCancel(ctx)); err == nil {
		err = closeErr
	}
	return err
}

// plain is an answer that is text.
type plain string

func (p plain) PlainText() (string, bool) { return string(p), true }

func withNoOp(text string) func(api.Service) ([]tool.Tool, error) {
	return func(svc api.Service) ([]tool.Tool, error) {
		tools, err := mcpserver.Catalog(svc)
		if err != nil {
			return nil, err
		}
		spec := tool.Spec{
			Name: noOp, Title: "No operation", Description: "Answers with the same text each time.", Capability: tool.WorkspaceRead,
			Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
			Budget:      tool.Budget{Default: time.Minute, Max: time.Minute}, Example: `{}`,
		}
		t, err := tool.Define(spec, func(context.Context, struct{}) (plain, error) { return plain(text), nil })
		return append(tools, t), err
	}
}

// toolServer is a running ServeTools.
type toolServer struct {
	pid  int
	c    *client.Client
	mu   sync.Mutex
	got  time.Time // when the last answer was complete, not yet decoded
	size int       // its bytes
}

// toolServer starts a server on the tree. no is the file that no_op answers with.
func (c *Config) toolServer(ctx context.Context, index, no string) (*toolServer, error) {
	s := &toolServer{}
	cmd := exec.Command(c.Command[0], append(c.Command[1:], ToolServerCommand, c.Dir, index, no)...)
	cmd.Stderr = c.Log
	var err error
	if s.c, err = client.Start(cmd, client.Options{Name: "bench", Transcript: s.note}); err != nil {
		return nil, err
	}
	s.pid = cmd.Process.Pid
	if _, err := s.c.Initialize(ctx); err != nil {
		_ = s.c.Close()
		return nil, err
	}
	return s, nil
}

func (s *toolServer) note(d client.Direction, line []byte) {
	if d != client.Received {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got, s.size = time.Now(), len(line)
}

// spent is what something took, in milliseconds.
type spent struct{ wall, cpu float64 }

// call calls a tool. The wall time ends with the last byte of the answer, before this
// process decodes it; the CPU time is the server's.
func (s *toolServer) call(ctx context.Context, name string, args any) (*client.Result, spent, error) {
	before, err := cpuOf(s.pid)
	if err != nil {
		return nil, spent{}, err
	}
	began := time.Now()
	res, err := s.c.Call(ctx, name, args, nil)
	if err != nil {
		return nil, spent{}, err
	}
	s.mu.Lock()
	wall := s.got.Sub(began)
	s.mu.Unlock()
	after, err := cpuOf(s.pid)
	if err != nil {
		return nil, spent{}, err
	}
	if res.IsError {
		return nil, spent{}, fmt.Errorf("%s %v: %s", name, args, res.Text)
	}
	return res, spent{milliseconds(wall), milliseconds(after - before)}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// cpuOf is the processor time that a process has taken.
func cpuOf(pid int) (time.Duration, error) {
	const scheduled = 2 // of the clocks of a process, the exact one
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|scheduled, &ts); err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	return time.Duration(ts.Nano()), nil
}

// ready waits until the server has an index of everything.
func (s *toolServer) ready(ctx context.Context) error {
	for {
		res, err := s.c.Call(ctx, "ralph_index_status", nil, nil)
		if err != nil {
			return err
		}
		if done, err := indexedBy(res.Text); done || err != nil {
			return err
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}
