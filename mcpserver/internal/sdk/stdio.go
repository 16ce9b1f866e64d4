package sdk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// StdioOptions configures ServeStdio; zero fields take the defaults.
type StdioOptions struct {
	MaxLine int           // longest message in bytes; 16 MiB
	Workers int           // tools that run at once; 64
	Queue   int           // requests in flight, running or waiting; 4096
	Drain   time.Duration // for running calls to end and be answered when the input ends; 5 s
	Stop    time.Duration // for cancelled calls that take longer to return; 2 s
}

func (o StdioOptions) withDefaults() StdioOptions {
	if o.MaxLine == 0 {
		o.MaxLine = 16 << 20
	}
	if o.Workers == 0 {
		o.Workers = 64
	}
	if o.Queue == 0 {
		o.Queue = 4096
	}
	if o.Drain == 0 {
		o.Drain = 5 * time.Second
	}
	if o.Stop == 0 {
		o.Stop = 2 * time.Second
	}
	return o
}

// ServeStdio serves one client, one JSON message a line, until the input ends, ctx
// is done, or the output breaks. When the input ends, calls have Drain to finish, the
// last of it cancelled, so that they can still say what they found; when ctx is done
// they are cancelled at once. Either way those that are answered in time are answered. The goroutine that reads the input ends with the next
// line or the end of the input, which the caller's process owns.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, opts StdioOptions) error {
	opts = opts.withDefaults()
	session := newStdioSession()
	hard, kill := context.WithCancel(context.WithoutCancel(ctx)) // the parent of every call
	defer kill()
	t := &stdio{
		server: s, opts: opts,
		ctx: s.mcp.WithContext(hard, session), out: newOutbox(out, session.notes),
		slots: make(chan struct{}, opts.Workers),
	}
	lines, stop := make(chan input), make(chan struct{})
	defer close(stop)
	go readInput(in, opts.MaxLine, lines, stop)

	err := t.loop(ctx, lines)
	t.calls.endListens()
	if ctx.Err() != nil || t.broken() {
		kill()
	}
	return errors.Join(err, t.finish(ctx, kill))
}

// stdio is the state of one connection.
type stdio struct {
	server *Server
	opts   StdioOptions
	ctx    context.Context // parent of the calls, lives as long as the connection
	out    *outbox
	calls  registry
	slots  chan struct{}
	wg     sync.WaitGroup
}

type input struct {
	line []byte
	err  error
}

func readInput(in io.Reader, limit int, lines chan<- input, stop <-chan struct{}) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r, limit)
		select {
		case lines <- input{line, err}:
		case <-stop:
			return
		}
		if err != nil && !errors.Is(err, errLineTooLong) {
			return
		}
	}
}

// loop takes messages until there are no more. It never waits for a call or for
// the client to read.
func (t *stdio) loop(ctx context.Context, lines <-chan input) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.out.done:
			return nil
		case in := <-lines:
			switch {
			case errors.Is(in.err, errLineTooLong):
				t.refuse(nil, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", t.opts.MaxLine))
			case errors.Is(in.err, io.EOF):
				return nil
			case in.err != nil:
				return fmt.Errorf("read input: %w", in.err)
			default:
				t.message(in.line)
			}
		}
	}
}

func (t *stdio) broken() bool {
	select {
	case <-t.out.done:
		return true
	default:
		return false
	}
}

// lastWords is the part of the drain in which calls are cancelled already. It holds
// what a cancelled call needs to answer and the server's owner to close.
const lastWords = 500 * time.Millisecond

// finish waits for the calls, then for what they wrote.
func (t *stdio) finish(ctx context.Context, kill context.CancelFunc) error {
	idle := make(chan struct{})
	go func() { t.wg.Wait(); close(idle) }()
	drained := time.NewTimer(t.opts.Drain - min(t.opts.Drain/2, lastWords))
	defer drained.Stop()
	select {
	case <-idle:
	case <-drained.C:
	case <-ctx.Done():
	}
	kill()
	stopped := time.NewTimer(t.opts.Stop)
	defer stopped.Stop()
	select {
	case <-idle:
	case <-stopped.C:
		return fmt.Errorf("%d calls did not stop when cancelled", t.calls.len())
	}
	t.out.close()
	select {
	case <-t.out.done:
	case <-stopped.C:
		return errors.New("the client does not read its answers")
	}
	if errors.Is(t.out.err, syscall.EPIPE) || errors.Is(t.out.err, io.ErrClosedPipe) {
		return nil // the client is gone; so are we
	}
	return t.out.err
}

type envelope struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params json.RawMessage `json:"params"`
}

func (t *stdio) message(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	var m envelope
	err := json.Unmarshal(line, &m)
	switch {
	case line[0] == '[' && json.Valid(line):
		t.refuse(nil, mcp.INVALID_REQUEST, "batches are not supported; send one message a line")
	case err != nil:
		t.refuse(nil, mcp.PARSE_ERROR, "the message is not a JSON object")
	case m.Method == "notifications/cancelled":
		t.cancel(m.Params)
	case m.ID == nil:
		t.server.mcp.HandleMessage(t.ctx, line) // a notification: no answer
	default:
		t.request(line, m)
	}
}

func (t *stdio) cancel(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	if key, ok := idKey(p.RequestID); ok {
		t.calls.cancel(key)
	}
}

func (t *stdio) request(line []byte, m envelope) {
	key, ok := idKey(m.ID)
	if !ok {
		t.refuse(nil, mcp.INVALID_REQUEST, "the id must be a string or a number")
		return
	}
	ctx, cancel := context.WithCancel(t.ctx)
	call := &inflight{id: m.ID, cancel: cancel, listen: m.Method == "subscriptions/listen"}
	call.answered = func() { t.calls.remove(key, call) }
	if t.calls.len() >= t.opts.Queue {
		cancel()
		t.refuse(call, mcp.INTERNAL_ERROR, "too many requests are waiting; try again when some were answered")
		return
	}
	if !t.calls.add(key, call) {
		cancel()
		call.answered = nil // the id belongs to the other request
		t.refuse(call, mcp.INVALID_REQUEST, "a request with this id is still running")
		return
	}
	run := func() {
		defer cancel()
		defer call.answered()
		if m.Method != "tools/call" {
			if resp := t.handle(ctx, line); resp != nil {
				t.out.put(resp, call)
			}
			return
		}
		if !t.slot(ctx, call) {
			return
		}
		defer func() { <-t.slots }()
		if resp := t.handle(ctx, line); resp != nil {
			<-t.out.put(resp, call) // hold the slot: answers must not pile up
		}
	}
	if m.Method == "initialize" { // keep the handshake in order
		run()
		return
	}
	t.wg.Go(run)
}

// slot waits for a free worker; ok is false when the client has cancelled the
// call meanwhile. Calls that are cancelled by the end of the server still run:
// they answer at once that they are cancelled.
func (t *stdio) slot(ctx context.Context, call *inflight) bool {
	select {
	case t.slots <- struct{}{}:
		if call.cancelled.Load() {
			<-t.slots
			return false
		}
		return true
	case <-ctx.Done():
	}
	if call.cancelled.Load() {
		return false
	}
	t.slots <- struct{}{}
	return true
}

func (t *stdio) handle(ctx context.Context, line []byte) (resp mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			t.server.opts.Logger.Error("panic in a request", "panic", p, "stack", string(debug.Stack()))
			resp = mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INTERNAL_ERROR, "internal error", nil)
		}
	}()
	return t.server.mcp.HandleMessage(ctx, line)
}

func (t *stdio) refuse(call *inflight, code int, message string) {
	t.out.put(mcp.NewJSONRPCError(mcp.NewRequestId(nil), code, message, nil), call)
}
