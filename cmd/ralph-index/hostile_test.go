package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/client"
	"github.com/ralph-index/ralph-index/mcpserver/session"
)

// hostileSpace is a small workspace with things that are no files.
func hostileSpace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc A() {}\n\nfunc B() { A() }\n", "sub/b.txt": "text\n", "bin": "\x7fELF\x00\xff",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644), os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Symlink("nothing", filepath.Join(dir, "dangling")), os.Symlink("/etc", filepath.Join(dir, "out")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func hostileTexts() []string {
	long := strings.Repeat("n", 300)
	return []string{
		"..", "../..", "../etc/passwd", "/", "/etc/passwd", "/proc/self/root", "/proc/self/fd/0", "/dev/stdin", "~", "~/x", "file:///etc/passwd",
		"a.go/", "a.go/.", "a.go/x", "a.go\x00", "\x00", "a.go ", "A.GO", "%2e%2e%2f", `..\..`, "'a.go'", "*", "", " ", ".", "./", "//", "sub//b.txt",
		long, strings.Repeat("d/", 2000), strings.Repeat("../", 1000), "pipe", "loop", "loop/x", "dangling", "out", "out/passwd", "bin", "sub", "\ufffd", "a\nb",
		"e:", "s:", "sp:", "e:zzzz", "s:AAAA", "e:" + long, "e:\x00", "a.go:0", "a.go:999999", "a.go:-1", "a.go#", "#", "a.go#Nope", "::", "..A", "A.", ".A", "(*A).", "[",
		"(", ")", "[a", "a{2", "a{1001}", "(?<n", "(?P<n>a)(?P<n>b)", `\`, `\8`, `(a)\2`, "(?=", "(?<!a+)b", "a**", "(?z)", `\pZZ`, `[\d-z]`, "(a|b", "+", "{", "**[", "!", "[!", "{a,", "a\\",
		strings.Repeat("(", 400), strings.Repeat("a?", 400), "(((a{100}){100}){100})",
	}
}

// TestHostileValues asks every tool with values of the right type and no sense. An
// answer is one of the closed list of codes and names the argument at fault, and the
// server lives on.
func TestHostileValues(t *testing.T) {
	dir := hostileSpace(t)
	e, err := engine.Open(t.Context(), engine.Options{Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.Background()) }()
	if _, err := e.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexFull}, nil); err != nil {
		t.Fatal(err)
	}
	server, err := mcpserver.New(mcpserver.Options{Service: e, Drain: session.Development, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	cl := client.New(newPipeServer(t.Context(), server), client.Options{Name: "test"})
	defer func() { _ = cl.Close() }()
	if _, err := cl.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused, taken := 0, 0
	for _, c := range []struct{ tool, argument, args string }{
		{"read_file", "path", `{"path":%s}`},
		{"read_file", "path", `{"path":%s,"expected_content_hash":"00"}`},
		{"read_file", "expected_content_hash", `{"path":"a.go","expected_content_hash":%s}`},
		{"read_file", "evidence_id", `{"evidence_id":%s}`},
		{"read_file", "span_id", `{"span_id":%s}`},
		{"read_file", "symbol", `{"symbol":%s}`},
		{"grep_files", "pattern", `{"pattern":%s}`},
		{"grep_files", "pattern", `{"pattern":%s,"whole_word":true,"case_sensitive":false}`},
		{"grep_files", "pattern", `{"pattern":%s,"regex":false,"use_index":"always"}`},
		{"grep_files", "path", `{"pattern":"A","path":%s}`},
		{"grep_files", "include", `{"pattern":"A","include":[%s]}`},
		{"grep_files", "exclude", `{"pattern":"A","exclude":[%s]}`},
		{"grep_files", "graph_target", `{"pattern":"A","rank_by":"graph","graph_target":%s}`},
		{"edit_file", "path", `{"path":%s,"edits":[{"oldText":"a"}],"dry_run":true}`},
		{"edit_file", "edits", `{"path":"a.go","edits":[{"oldText":%s,"newText":"x"}],"dry_run":true}`},
		{"edit_file", "edits", `{"path":"a.go","edits":[{"oldText":"A","newText":%s}],"dry_run":true}`},
		{"edit_file", "target", `{"path":"a.go","edits":[{"oldText":"A"}],"target":{"symbol":%s},"match_strategy":"within_target","dry_run":true}`},
		{"edit_file", "target", `{"path":"a.go","edits":[{"oldText":"A"}],"target":{"evidence_id":%s},"dry_run":true}`},
		{"ralph_graph", "target", `{"query_type":"neighbors","target":%s}`},
		{"ralph_graph", "target", `{"query_type":"impact","target":%s}`},
		{"ralph_graph", "target_b", `{"query_type":"path","target":"A","target_b":%s}`},
		{"ralph_graph", "scope_path", `{"query_type":"hubs","scope_path":%s}`},
		{"ralph_reindex", "path_scope", `{"mode":"changed","path_scope":[%s]}`},
	} {
		for _, text := range hostileTexts() {
			value, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			args := fmt.Sprintf(c.args, value)
			res, err := cl.Call(t.Context(), c.tool, json.RawMessage(args), nil)
			if err != nil {
				t.Fatalf("%s %.100s: %v", c.tool, args, err)
			}
			if !res.IsError {
				taken++
				continue
			}
			refused++
			var body struct {
				Status            api.Code
				Message, Argument string
			}
			if err := json.Unmarshal(res.Structured, &body); err != nil {
				t.Fatalf("%s %.100s: %v", c.tool, args, err)
			}
			named := body.Argument == c.argument || strings.Contains(c.args, `"`+body.Argument+`":`) || text == "" && body.Argument != ""
			if body.Status == api.CodeInternal || body.Status == api.CodeIO || !named || len(body.Message) > 1500 {
				t.Errorf("%s %.100s: %s, argument %q, %.300s", c.tool, args, body.Status, body.Argument, body.Message)
			}
		}
	}
	if refused < 300 || taken < 300 {
		t.Errorf("%d refused, %d taken", refused, taken)
	}
}
