package sdk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// outbox is the queue of answers, and the only writer of the stream. An answer is
// written after every notification that was sent before it, and not at all when
// its request has been cancelled. Putting never blocks: the reader of the input
// must stay free to see cancels.
type outbox struct {
	notes <-chan mcp.JSONRPCNotification

	mu     sync.Mutex
	queue  []answer
	closed bool
	wake   chan struct{} // capacity 1

	line []byte        // the writer's room for an answer
	done chan struct{} // closed when the writer has ended
	err  error         // why; read after done
}

// answer is a message and, when it answers a request, that request.
type answer struct {
	msg     mcp.JSONRPCMessage
	call    *inflight     // nil for messages of the transport itself
	written chan struct{} // closed when written or dropped
}

// keepLine is the largest answer whose room is kept for the next.
const keepLine = 1 << 20

func newOutbox(w io.Writer, notes <-chan mcp.JSONRPCNotification) *outbox {
	o := &outbox{notes: notes, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.run(bufio.NewWriterSize(w, 64<<10))
	return o
}

// put queues an answer and returns a channel that is closed when it was written,
// dropped, or can no longer be written.
func (o *outbox) put(msg mcp.JSONRPCMessage, call *inflight) <-chan struct{} {
	a := answer{msg: msg, call: call, written: make(chan struct{})}
	o.mu.Lock()
	if o.closed {
		close(a.written)
	} else {
		o.queue = append(o.queue, a)
	}
	o.mu.Unlock()
	o.signal()
	return a.written
}

// close lets the writer end once the queue is empty.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) take() (queue []answer, closed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	queue, o.queue = o.queue, nil
	return queue, o.closed
}

func (o *outbox) run(w *bufio.Writer) {
	defer close(o.done)
	var err error
	for err == nil {
		select {
		case n := <-o.notes:
			err = o.writeNote(w, n)
		case <-o.wake:
			queue, closed := o.take()
			for i := range queue {
				if err == nil {
					err = o.write(w, &queue[i])
				}
				close(queue[i].written)
			}
			if closed && err == nil {
				o.err = w.Flush()
				return
			}
		}
		if err == nil && len(o.notes) == 0 && len(o.wake) == 0 {
			err = w.Flush()
		}
	}
	o.err = err
	o.abandon()
}

// abandon releases everyone who waits for an answer to be written.
func (o *outbox) abandon() {
	o.close()
	queue, _ := o.take()
	for i := range queue {
		close(queue[i].written)
	}
}

func (o *outbox) write(w *bufio.Writer, a *answer) error {
	for {
		select {
		case n := <-o.notes:
			if err := o.writeNote(w, n); err != nil {
				return err
			}
			continue
		default:
		}
		break
	}
	if a.call != nil && a.call.cancelled.Load() {
		return nil
	}
	if a.call != nil && a.call.answered != nil {
		a.call.answered() // a client may use the id again as soon as it reads the answer
	}
	msg := withID(a.msg, a.call)
	if line, ok := appendResponse(o.line[:0], msg); ok {
		if o.line = line; cap(line) > keepLine {
			o.line = nil
		}
		return writeLine(w, line)
	}
	line, err := encodeLine(msg)
	if err != nil { // never leave a request unanswered
		id := mcp.NewRequestId(nil)
		if a.call != nil {
			id = mcp.NewRequestId(a.call.id)
		}
		line, err = encodeLine(mcp.NewJSONRPCError(id, mcp.INTERNAL_ERROR, "the result cannot be encoded", nil))
		if err != nil {
			return err
		}
	}
	return writeLine(w, line)
}

func (o *outbox) writeNote(w *bufio.Writer, n mcp.JSONRPCNotification) error {
	line, err := encodeLine(n)
	if err != nil {
		return nil // a notification that cannot be encoded is lost, not the stream
	}
	return writeLine(w, line)
}

// withID answers with the id as the client wrote it: the library reads numbers as
// floats.
func withID(msg mcp.JSONRPCMessage, call *inflight) mcp.JSONRPCMessage {
	if call == nil {
		return msg
	}
	switch m := msg.(type) {
	case mcp.JSONRPCResponse:
		m.ID = mcp.NewRequestId(call.id)
		return m
	case mcp.JSONRPCError:
		m.ID = mcp.NewRequestId(call.id)
		return m
	}
	return msg
}

func encodeLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode message: %w", err)
	}
	return b.Bytes(), nil
}

func writeLine(w *bufio.Writer, line []byte) error {
	if _, err := w.Write(line); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}
