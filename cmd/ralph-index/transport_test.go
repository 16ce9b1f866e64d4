package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// transports start a server in a process of its own, and a client of it.
func transports() map[string]func(t *testing.T, dir string, flags ...string) *wire {
	return map[string]func(t *testing.T, dir string, flags ...string) *wire{"stdio": serveAt, "http": serveHTTPAt}
}

// serveHTTPAt is serveAt over HTTP.
func serveHTTPAt(t *testing.T, dir string, flags ...string) *wire {
	t.Helper()
	cmd := exec.Command("ralph-index", append([]string{"serve", "--workspace", dir, "--http", "127.0.0.1:0"}, flags...)...)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &webPipe{cmd: cmd, client: &http.Client{}}
	p.r, p.w = io.Pipe()
	said := bufio.NewReader(log)
	for _, prefix := range []string{"serving ", "the bearer token is in "} {
		line, err := said.ReadString('\n')
		text, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
		if err != nil || !ok {
			t.Fatalf("got %q, %v, want %q", line, err, prefix)
		}
		if p.url == "" {
			p.url = text
			continue
		}
		token, err := os.ReadFile(text)
		if err != nil {
			t.Fatal(err)
		}
		p.token = strings.TrimSpace(string(token))
	}
	p.open.Go(func() { _, _ = io.Copy(io.Discard, said) })
	w := &wire{Client: client.New(p, client.Options{Name: "test"}), t: t, dir: dir}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// webPipe is a connection over HTTP as a pair of streams: each line that is written is
// posted, and what comes back is read as lines.
type webPipe struct {
	cmd        *exec.Cmd
	client     *http.Client
	url, token string
	open       sync.WaitGroup

	mu      sync.Mutex
	session string
	r       *io.PipeReader
	w       *io.PipeWriter
}

func (p *webPipe) Read(b []byte) (int, error) { return p.r.Read(b) }

func (p *webPipe) Write(line []byte) (int, error) {
	body := bytes.Clone(line)
	p.open.Go(func() {
		if err := p.post(body); err != nil {
			_ = p.w.CloseWithError(err)
		}
	})
	return len(line), nil
}

func (p *webPipe) post(body []byte) error {
	req, err := http.NewRequest(http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	p.mu.Lock()
	session := p.session
	p.mu.Unlock()
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + p.token, "Mcp-Session-Id": session,
	} {
		if v != "" {
			req.Header.Set(k, v)
		}
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		p.mu.Lock()
		p.session = id
		p.mu.Unlock()
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		var lines []byte
		for line := range bytes.Lines(raw) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				lines = append(lines, data...)
			}
		}
		raw = lines
	}
	if len(raw) == 0 {
		return nil
	}
	_, err = p.w.Write(append(bytes.TrimRight(raw, "\n"), '\n'))
	return err
}

// Close ends the server.
func (p *webPipe) Close() error {
	_ = p.cmd.Process.Signal(os.Interrupt)
	p.client.CloseIdleConnections()
	p.open.Wait() // the log ends with the server
	err := p.cmd.Wait()
	_ = p.w.Close()
	return err
}
