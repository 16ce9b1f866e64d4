package kill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// process is a server.
type process struct {
	cmd  *exec.Cmd
	c    *client.Client
	in   io.WriteCloser
	logs *logs
	gone chan struct{} // closed when it has ended
}

// launch starts a server.
func (r *run) launch(ctx context.Context) error {
	p := &process{cmd: r.o.Server(r.aim.file), logs: &logs{}, gone: make(chan struct{})}
	p.cmd.Stderr = p.logs
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("open pipe to server: %w", err)
	}
	out, answers := io.Pipe()
	p.cmd.Stdout = answers
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	go func() {
		_ = p.cmd.Wait() // it was killed, mostly
		_ = answers.Close()
		close(p.gone)
	}()
	p.in = in
	p.c = client.New(&pipes{out, in}, client.Options{Name: "kill"})
	r.procs = append(r.procs, p)
	if _, err := p.c.Initialize(ctx); err != nil && !errors.Is(err, client.ErrClosed) {
		return fmt.Errorf("%w; it says: %s", err, p.logs.text())
	}
	return nil
}

// pipes are both ways to a process.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// begin makes a call and does not wait for its answer; the returned function does,
// for the process may live on.
func (p *process) begin(ctx context.Context, tool string, args map[string]any) (wait func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.c.Call(ctx, tool, args, nil) // what matters is what it leaves behind
	}()
	return func() {
		stop()
		<-done
	}
}

// call makes a call and reads its answer.
func (p *process) call(ctx context.Context, tool string, args map[string]any, into any) error {
	ctx, stop := context.WithTimeout(ctx, recoverTime)
	defer stop()
	res, err := p.c.Call(ctx, tool, args, nil)
	if err != nil {
		return err
	}
	if res.IsError {
		return fmt.Errorf("%s: %s", tool, res.Text)
	}
	if err := json.Unmarshal([]byte(res.Text), into); err != nil {
		return fmt.Errorf("%s: %w in %.200s", tool, err, res.Text)
	}
	return nil
}

// leader asks who leads; 0 is not known.
func (p *process) leader(ctx context.Context) int {
	var st struct {
		PID int `json:"leader_pid"`
	}
	if p.call(ctx, "ralph_index_status", map[string]any{}, &st) != nil {
		return 0
	}
	return st.PID
}

// close lets go of a process that has ended.
func (p *process) close() { _ = p.c.Close() }

// logs keeps what a process said on its error stream.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logs) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *logs) count(words string) int { return strings.Count(l.text(), words) }

// after returns the rest of the line that begins with the words.
func (l *logs) after(words string) string {
	for line := range strings.Lines(l.text()) {
		if rest, ok := strings.CutPrefix(line, words); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
