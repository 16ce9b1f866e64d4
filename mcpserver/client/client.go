// Package client is a small client of the Model Context Protocol over a pair of
// streams: enough to list and call tools, follow progress and cancel. The demo,
// the benchmarks and the call command use it; it shares no code with the server
// it talks to, so that it also tests it.
package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrClosed is returned by calls whose connection has ended.
var ErrClosed = errors.New("the connection to the server has ended")

// ProtocolVersion is the revision that Initialize asks for.
const ProtocolVersion = "2025-11-25"

// RPCError is a failure of the protocol; a failing tool is no such failure but a
// Result with IsError.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *RPCError) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// Direction says who sent a line of a transcript.
type Direction string

// The directions.
const (
	Sent     Direction = "client"
	Received Direction = "server"
)

// Options configures New.
type Options struct {
	Name, Version string // what the client calls itself
	// Transcript is given every line as it is sent and received, in order, one
	// call at a time; nil for none.
	Transcript func(Direction, []byte)
}

// Client speaks to one server. Its methods may be called concurrently.
type Client struct {
	rw   io.ReadWriteCloser
	opts Options

	writeMu sync.Mutex

	logMu sync.Mutex

	mu       sync.Mutex
	nextID   int64
	pending  map[int64]chan reply
	progress map[int64]func(Progress)
	err      error // why the connection ended

	done chan struct{} // the reader has ended
}

type reply struct {
	result json.RawMessage
	err    error
}

// New starts a client on a connection. Close it.
func New(rw io.ReadWriteCloser, opts Options) *Client {
	if opts.Name == "" {
		opts.Name = "ralph-index-client"
	}
	if opts.Version == "" {
		opts.Version = "dev"
	}
	c := &Client{
		rw: rw, opts: opts,
		pending: map[int64]chan reply{}, progress: map[int64]func(Progress){}, done: make(chan struct{}),
	}
	go c.read()
	return c
}

// Close ends the connection and waits for the reader. Calls in flight return
// ErrClosed.
func (c *Client) Close() error {
	err := c.rw.Close()
	<-c.done
	if err != nil {
		return fmt.Errorf("close connection: %w", err)
	}
	return nil
}

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *RPCError       `json:"error,omitempty"`
}

// request sends a request and waits for its answer. When ctx ends first, it tells
// the server to stop.
func (c *Client) request(ctx context.Context, method string, params any, progress func(Progress)) (json.RawMessage, error) {
	id, answer, err := c.register(progress)
	if err != nil {
		return nil, err
	}
	defer c.forget(id)
	if p, ok := params.(map[string]any); ok && progress != nil {
		p["_meta"] = map[string]any{"progressToken": id}
	}
	if err := c.send(message{JSONRPC: "2.0", ID: &id, Method: method, Params: params}); err != nil {
		return nil, err
	}
	select {
	case r := <-answer:
		return r.result, r.err
	case <-ctx.Done():
		cancel := map[string]any{"requestId": id, "reason": "the caller gave up"}
		err := c.send(message{JSONRPC: "2.0", Method: "notifications/cancelled", Params: cancel})
		return nil, errors.Join(ctx.Err(), err)
	}
}

func (c *Client) register(progress func(Progress)) (int64, <-chan reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, nil, c.err
	}
	c.nextID++
	answer := make(chan reply, 1)
	c.pending[c.nextID] = answer
	if progress != nil {
		c.progress[c.nextID] = progress
	}
	return c.nextID, answer, nil
}

func (c *Client) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
	delete(c.progress, id)
}

func (c *Client) send(m message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	c.log(Sent, line)
	if _, err := c.rw.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return nil
}

func (c *Client) log(d Direction, line []byte) {
	if c.opts.Transcript == nil {
		return
	}
	c.logMu.Lock()
	defer c.logMu.Unlock()
	c.opts.Transcript(d, line)
}

func (c *Client) read() {
	defer close(c.done)
	r := bufio.NewReaderSize(c.rw, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 1 {
			line = trimNewline(line)
			c.log(Received, line)
			c.receive(line)
		}
		if err != nil {
			c.fail(err)
			return
		}
	}
}

func trimNewline(line []byte) []byte {
	if n := len(line); line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}

func (c *Client) receive(line []byte) {
	var m struct {
		ID     *int64          `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  *RPCError       `json:"error"`
	}
	if json.Unmarshal(line, &m) != nil {
		return // what is not for us is not ours to judge
	}
	if m.Method == "notifications/progress" {
		c.report(m.Params)
		return
	}
	if m.ID == nil || m.Method != "" {
		return
	}
	c.mu.Lock()
	answer := c.pending[*m.ID]
	delete(c.pending, *m.ID)
	c.mu.Unlock()
	if answer == nil {
		return
	}
	if m.Error != nil {
		answer <- reply{err: m.Error}
		return
	}
	answer <- reply{result: m.Result}
}

func (c *Client) report(params json.RawMessage) {
	var p struct {
		Token int64 `json:"progressToken"`
		Progress
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	f := c.progress[p.Token]
	c.mu.Unlock()
	if f != nil {
		f(p.Progress)
	}
}

func (c *Client) fail(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = ErrClosed
	if !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrClosedPipe) {
		c.err = fmt.Errorf("%w: %w", ErrClosed, cause)
	}
	for id, answer := range c.pending {
		answer <- reply{err: c.err}
		delete(c.pending, id)
	}
}
