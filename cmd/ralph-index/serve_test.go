package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// soon is far more than anything here takes on a busy machine.
const soon = 30 * time.Second

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{".git/HEAD": "", "a.go": "package a\n\nfunc A() { B() }\n\nfunc B() {}\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ended waits for a process and returns its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	case <-time.After(soon):
		_ = cmd.Process.Kill()
		t.Fatal("the process does not end")
		return -1
	}
}

func TestServeAnswersEverythingAtTheEndOfInput(t *testing.T) {
	var in strings.Builder
	for i := range 10 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.go"}}}`+"\n", i)
	}
	cmd := exec.Command("ralph-index", "serve", "--workspace", tree(t))
	cmd.Stdin = strings.NewReader(in.String())
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if code := ended(t, cmd); code != 0 {
		t.Errorf("exit code %d: %s", code, log.String())
	}
	if n := strings.Count(out.String(), "func A()"); n != 10 || strings.Count(out.String(), "\n") != 10 {
		t.Errorf("%d answers in %s", n, out.String())
	}
}

func TestServeEndsWithASignal(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		cmd := exec.Command("ralph-index", "serve", "--workspace", tree(t))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
			t.Fatalf("got %q, %v", line, err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if code := ended(t, cmd); code != 0 {
			t.Errorf("%v: exit code %d", sig, code)
		}
	}
}

// TestServeEndsWithItsParent: the input stays open, in another process, and the
// parent dies.
func TestServeEndsWithItsParent(t *testing.T) {
	in, keep, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	alive, held, err := os.Pipe() // ends when the server, which holds the other end, ends
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command("sh", "-c", `ralph-index serve --workspace "$0" <&3 >&4 & exec 3<&- 4>&-; exec sleep 600`, tree(t))
	parent.ExtraFiles = []*os.File{in, held}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	held.Close()
	if _, err := io.WriteString(keep, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(alive)
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Fatalf("got %q, %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	if err := alive.SetReadDeadline(time.Now().Add(soon)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadString('\n'); !errors.Is(err, io.EOF) {
		t.Errorf("the orphan lives on: %v", err)
	}
}

func TestStrayOutputDoesNotReachTheProtocol(t *testing.T) {
	cmd := exec.Command("ralph-stray")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if out.String() != "protocol\n" || log.String() != "stray\nchild\n" {
		t.Errorf("output %q, errors %q", out.String(), log.String())
	}
}

// stray is a program that writes where it should not, after the protocol has
// taken its output.
func stray() {
	out, _, err := protocolStreams(os.Stdout, os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("stray")
	child := exec.Command("echo", "child")
	child.Stdout = os.Stdout
	_ = child.Run()
	fmt.Fprintln(out, "protocol")
}

func TestServeOverHTTP(t *testing.T) {
	cmd := exec.Command("ralph-index", "serve", "--workspace", tree(t), "--http", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(log)
	after := func(prefix string) string {
		line, err := r.ReadString('\n')
		text, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
		if err != nil || !ok {
			t.Fatalf("got %q, %v, want %q", line, err, prefix)
		}
		return text
	}
	url := after("serving ")
	token, err := os.ReadFile(after("the bearer token is in "))
	if err != nil {
		t.Fatal(err)
	}
	for auth, want := range map[string]int{"Bearer " + strings.TrimSpace(string(token)): 200, "": 401} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", auth)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("with %q: %d, want %d", auth, resp.StatusCode, want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, r)
	if code := ended(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestServeAsAnAgentUsesIt(t *testing.T) {
	cmd := exec.Command("ralph-index", "serve", "--workspace", tree(t))
	c, err := client.Start(cmd, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct{ tool, args, says string }{
		{"ralph_reindex", `{"mode":"changed","timeout_ms":60000}`, `"job_status"`},
		{"ralph_graph", `{"query_type":"neighbors","target":"B","direction":"in","freshness":"required","timeout_ms":30000}`, `"calls_syntax"`},
		{"grep_files", `{"pattern":"func B","use_index":"never"}`, `"line":5`},
		{"ralph_index_status", `{}`, `"index_exists":true`},
	} {
		res, err := c.Call(t.Context(), q.tool, json.RawMessage(q.args), nil)
		if err != nil || res.IsError || !strings.Contains(res.Text, q.says) {
			t.Errorf("%s %s: %+v, %v", q.tool, q.args, res, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// What changed last is indexed when the input ends, so that whoever comes next has
// nothing to do.
func TestServeIndexesWhatChangedAtTheEndOfInput(t *testing.T) {
	dir := tree(t)
	c, err := client.Start(exec.Command("ralph-index", "serve", "--workspace", dir), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res, err := c.Call(t.Context(), "ralph_reindex", json.RawMessage(`{"mode":"changed","timeout_ms":60000}`), nil); err != nil || res.IsError {
		t.Fatalf("reindex: %+v, %v", res, err)
	}
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("late%d.go", i)), []byte("package a\n\nfunc Late() { A() }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ralph-index", "status", "--json", "--workspace", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	var st struct {
		Files int  `json:"files_indexed"`
		Dirty int  `json:"dirty_paths_count"`
		Stale bool `json:"is_stale"`
	}
	if err := json.Unmarshal(out, &st); err != nil || st.Files != 4 || st.Dirty != 0 || st.Stale {
		t.Errorf("status after the end: %+v, %v; want 4 files and nothing to do", st, err)
	}
}
