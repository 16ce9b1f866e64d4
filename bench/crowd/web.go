package crowd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// startWeb starts the one server and connects every client to it.
func (f *fleet) startWeb(ctx context.Context) error {
	addr, err := freePort(ctx)
	if err != nil {
		return err
	}
	f.web = f.o.HTTP(addr)
	f.web.Stderr = f.slots[0].logs
	if err := f.web.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	if err := await(ctx, addr); err != nil {
		return fmt.Errorf("%w; it says: %s", err, f.slots[0].logs)
	}
	for _, s := range f.slots {
		s.c = client.New(newWire("http://"+addr+"/mcp"), client.Options{Name: "crowd"})
		if _, err := s.c.Initialize(ctx); err != nil {
			return err
		}
	}
	return nil
}

// freePort finds an address that nobody listens on just now.
func freePort(ctx context.Context) (string, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a port: %w", err)
	}
	return ln.Addr().String(), ln.Close()
}

// await waits until somebody listens.
func await(ctx context.Context, addr string) error {
	for {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not listen: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stopServer ends a server as a user would.
func stopServer(cmd *exec.Cmd) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) { // interrupted is how it ends
		return nil
	}
	return err
}

// wire carries the lines of a client as HTTP requests, and the answers back as lines.
type wire struct {
	url  string
	http *http.Client
	r    *io.PipeReader
	w    *io.PipeWriter

	posts   sync.WaitGroup
	mu      sync.Mutex // guards session, and keeps lines whole
	session string
}

func newWire(url string) *wire {
	r, w := io.Pipe()
	return &wire{url: url, http: &http.Client{Transport: &http.Transport{}}, r: r, w: w}
}

func (w *wire) Read(p []byte) (int, error) { return w.r.Read(p) }

// Write posts one message.
func (w *wire) Write(p []byte) (int, error) {
	body := bytes.Clone(p)
	w.posts.Go(func() {
		if err := w.post(body); err != nil {
			_ = w.w.CloseWithError(err)
		}
	})
	return len(p), nil
}

func (w *wire) post(body []byte) error {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	w.mu.Lock()
	if w.session != "" {
		req.Header.Set("Mcp-Session-Id", w.session)
	}
	w.mu.Unlock()
	resp, err := w.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	w.mu.Lock()
	defer w.mu.Unlock()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	if resp.StatusCode == http.StatusAccepted {
		return nil
	}
	in := bufio.NewReader(resp.Body)
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimSpace(line)
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			var ok bool
			if line, ok = strings.CutPrefix(line, "data:"); !ok {
				line = ""
			}
		}
		if line != "" {
			if _, err := io.WriteString(w.w, line+"\n"); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Close ends the connection.
func (w *wire) Close() error {
	_ = w.w.Close()
	_ = w.r.Close()
	w.posts.Wait()
	w.http.CloseIdleConnections()
	return nil
}
