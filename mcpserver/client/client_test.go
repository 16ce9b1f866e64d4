package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// fake answers reads at once, and reindexes until it is told to stop.
type fake struct {
	api.Service
	started, stopped chan struct{}
}

func (f *fake) Read(_ context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	if req.Path == "absent" {
		return nil, &api.Error{Code: api.CodeNotFound, Message: "no file absent"}
	}
	return &api.ReadAnswer{Mode: api.ReadWhole, Path: req.Path, Content: "content of " + req.Path}, nil
}

func (f *fake) Status(context.Context) (*api.Status, error) { return &api.Status{Workspace: "/w"}, nil }

func (f *fake) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	if req.Mode == api.ReindexFull {
		f.started <- struct{}{}
		<-ctx.Done()
		f.stopped <- struct{}{}
		return nil, ctx.Err()
	}
	for i := range 4 {
		progress(api.Progress{Stage: "parse", Done: i + 1, Total: 4})
	}
	return &api.ReindexAnswer{JobStatus: api.JobOK}, nil
}

type conn struct {
	io.Reader
	io.WriteCloser
	ended chan error
}

func (c conn) Close() error {
	err := c.WriteCloser.Close()
	return errors.Join(err, <-c.ended)
}

func start(t *testing.T, opts client.Options) (*client.Client, *fake) {
	t.Helper()
	f := &fake{started: make(chan struct{}, 1), stopped: make(chan struct{}, 1)}
	s, err := mcpserver.New(mcpserver.Options{Service: f, Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := s.ServeStdio(context.Background(), serverIn, serverOut)
		serverOut.Close()
		ended <- err
	}()
	c := client.New(conn{out, in, ended}, opts)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c, f
}

func TestCalls(t *testing.T) {
	c, _ := start(t, client.Options{})
	info, err := c.Initialize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Name != "ralph" || info.Version != "1.2.3" || info.ProtocolVersion != client.ProtocolVersion || info.Instructions == "" {
		t.Errorf("server says %+v", info)
	}
	tools, err := c.ListTools(t.Context())
	grep := slices.IndexFunc(tools, func(tl client.Tool) bool { return tl.Name == "grep_files" })
	if err != nil || grep < 0 || tools[grep].Annotations["readOnlyHint"] != true {
		t.Errorf("%d tools, grep_files at %d, %v", len(tools), grep, err)
	}
	text, err := c.Call(t.Context(), "read_file", map[string]any{"path": "a"}, nil)
	if err != nil || text.Text != "content of a" || text.Structured != nil || text.IsError {
		t.Errorf("got %+v, %v", text, err)
	}
	data, err := c.Call(t.Context(), "ralph_index_status", nil, nil)
	if err != nil || !strings.Contains(string(data.Structured), `"workspace":"/w"`) || data.Text != string(data.Structured) {
		t.Errorf("got %+v, %v", data, err)
	}
	refused, err := c.Call(t.Context(), "read_file", json.RawMessage(`{"path":"absent"}`), nil)
	if err != nil || !refused.IsError || !strings.Contains(refused.Text, `"status":"not_found"`) {
		t.Errorf("got %+v, %v", refused, err)
	}
}

func TestProgressEndsWithTheReply(t *testing.T) {
	c, _ := start(t, client.Options{})
	var got []client.Progress
	_, err := c.Call(t.Context(), "ralph_reindex", map[string]any{"mode": "changed"}, func(p client.Progress) { got = append(got, p) })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || got[3].Progress != 4 || got[3].Total != 4 || got[3].Message != "parse 4/4 files" {
		t.Errorf("notes are %+v", got)
	}
}

func TestGivingUpCancelsTheCall(t *testing.T) {
	c, f := start(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.started
		cancel()
	}()
	_, err := c.Call(ctx, "ralph_reindex", map[string]any{"mode": "full", "timeout_ms": 60000}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	select {
	case <-f.stopped:
	case <-time.After(10 * time.Second):
		t.Error("the server still works")
	}
}

func TestConcurrentCalls(t *testing.T) {
	c, _ := start(t, client.Options{})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			path := fmt.Sprintf("f%d", i)
			res, err := c.Call(t.Context(), "read_file", map[string]any{"path": path}, nil)
			if err != nil || res.Text != "content of "+path {
				t.Errorf("%s: %+v, %v", path, res, err)
			}
		})
	}
	wg.Wait()
}

func TestTranscript(t *testing.T) {
	var lines []string
	c, _ := start(t, client.Options{Transcript: func(d client.Direction, line []byte) {
		lines = append(lines, string(d)+" "+string(line))
	}})
	if _, err := c.Call(t.Context(), "read_file", map[string]any{"path": "a"}, nil); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `client {"jsonrpc":"2.0","id":1,"method":"tools/call"`) ||
		!strings.HasPrefix(lines[1], `server {"jsonrpc":"2.0","id":1,"result"`) {
		t.Errorf("transcript is %q", lines)
	}
}

// silent is a server that reads and says what it is told to.
func silent(says ...string) io.ReadWriteCloser {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		r := bufio.NewReader(serverIn)
		for _, line := range says {
			_, _ = r.ReadString('\n')
			_, _ = io.WriteString(serverOut, line)
		}
		serverOut.Close()
		_, _ = io.Copy(io.Discard, r)
		ended <- nil
	}()
	return conn{out, in, ended}
}

func TestBadServers(t *testing.T) {
	for name, c := range map[string]struct {
		says []string
		want string
	}{
		"gone":           {nil, "connection to the server has ended"},
		"gone on a call": {[]string{""}, "connection to the server has ended"},
		"nonsense":       {[]string{"hello\n"}, "connection to the server has ended"},
		"other answers":  {[]string{`{"jsonrpc":"2.0","id":99,"result":{}}` + "\n"}, "connection to the server has ended"},
		"error":          {[]string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}` + "\n"}, "no such method (code -32601)"},
		"no newline":     {[]string{`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"last words"}}`}, "last words"},
		"odd result":     {[]string{`{"jsonrpc":"2.0","id":1,"result":[1]}` + "\n"}, "read result of x"},
	} {
		cl := client.New(silent(c.says...), client.Options{})
		_, err := cl.Call(t.Context(), "x", nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if err := cl.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
		if _, err := cl.Call(t.Context(), "x", nil, nil); !errors.Is(err, client.ErrClosed) {
			t.Errorf("%s: a call after the end gets %v", name, err)
		}
	}
}

// TestMain lets the test binary be its own server process.
func TestMain(m *testing.M) {
	if os.Getenv("CLIENT_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	s, err := mcpserver.New(mcpserver.Options{Service: &fake{}})
	if err == nil {
		err = s.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Getenv("CLIENT_TEST_SERVER") == "bad" {
		os.Exit(3)
	}
}

func TestChildProcess(t *testing.T) {
	for mode, want := range map[string]string{"good": "", "bad": "exit status 3"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CLIENT_TEST_SERVER="+mode)
		cmd.Stderr = os.Stderr
		c, err := client.Start(cmd, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Call(t.Context(), "read_file", map[string]any{"path": "a"}, nil)
		if err != nil || res.Text != "content of a" {
			t.Errorf("got %+v, %v", res, err)
		}
		err = c.Close()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: closed with %v, want %q", mode, err, want)
		}
	}
}
