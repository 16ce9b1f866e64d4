package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// wire is a server in a process of its own, and a client at its pipes.
type wire struct {
	*client.Client
	t   *testing.T
	dir string
}

func serveAt(t *testing.T, dir string, flags ...string) *wire {
	t.Helper()
	cl, err := client.Start(exec.Command("ralph-index", append([]string{"serve", "--workspace", dir}, flags...)...), client.Options{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Client: cl, t: t, dir: dir}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask calls a tool and reads its answer, or the refusal.
func (w *wire) ask(tool string, args map[string]any) (answer map[string]any, refused bool) {
	w.t.Helper()
	res, err := w.Call(w.t.Context(), tool, args, nil)
	if err != nil {
		w.t.Fatalf("%s %v: %v", tool, args, err)
	}
	if len(res.Structured) == 0 {
		return map[string]any{"text": res.Text}, res.IsError
	}
	var said map[string]any
	if err := errors.Join(json.Unmarshal(res.Structured, &answer), json.Unmarshal([]byte(res.Text), &said)); err != nil || !reflect.DeepEqual(answer, said) {
		w.t.Fatalf("%s: %s is not %s, %v", tool, res.Text, res.Structured, err)
	}
	return answer, res.IsError
}

// untilIndexed waits for the first index.
func (w *wire) untilIndexed() {
	w.t.Helper()
	w.until("first index", func() bool {
		st, _ := w.ask("ralph_index_status", nil)
		return st["cold_index_required"] == false
	})
}

func (w *wire) until(what string, ok func() bool) {
	w.t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		// The barrier of a status paces the loop; it ends with the test's own limit.
		_, _ = w.ask("ralph_reindex", map[string]any{"mode": "changed"})
	}
	w.t.Fatalf("no %s", what)
}

// disk is everything in a directory but the index.
func disk(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if rel == ".agent/ralph-explore" {
			return fs.SkipDir
		}
		fmt.Fprintf(&b, "%s %v", rel, d.Type())
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", text)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWritesOnTheWire makes each change through a server, and looks at the disk, at the
// fields of the answer, and at what the next search finds.
func TestWritesOnTheWire(t *testing.T) {
	w := serveAt(t, tree(t))
	w.untilIndexed()
	sum := func(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }
	for _, c := range []struct {
		tool    string
		args    map[string]any
		fields  map[string]any
		changed []string
		there   map[string]string // content; "-" is gone
	}{
		{
			"write_file", map[string]any{"path": "n/new.go", "content": "package n\r\n\r\nfunc WireNew() {}\r\n"},
			map[string]any{"path": "n/new.go", "bytes_written": 32.0, "status": "ok", "created": true, "content_hash": sum("package n\r\n\r\nfunc WireNew() {}\r\n")},
			[]string{"n/new.go"},
			map[string]string{"n/new.go": "package n\r\n\r\nfunc WireNew() {}\r\n"},
		},
		{
			"write_file", map[string]any{"path": "a.go", "content": "package a // é\n"},
			map[string]any{"bytes_written": 16.0, "created": false},
			[]string{"a.go"},
			map[string]string{"a.go": "package a // é\n"},
		},
		{
			"append_file", map[string]any{"path": "a.go", "content": "\nfunc WireMore() {}"},
			map[string]any{"path": "a.go", "bytes_appended": 19.0, "content_hash": sum("package a // é\n\nfunc WireMore() {}")},
			[]string{"a.go"},
			map[string]string{"a.go": "package a // é\n\nfunc WireMore() {}"},
		},
		{"create_directory", map[string]any{"path": "x/y"}, map[string]any{"path": "x/y", "created": true}, []string{"x/y"}, nil},
		{"create_directory", map[string]any{"path": "x/y"}, map[string]any{"created": true, "existed": true}, []string{}, nil},
		{
			"move_file", map[string]any{"src": "n", "dest": "x/n"}, map[string]any{"src": "n", "dest": "x/n", "entries": 2.0},
			[]string{"n", "x/n"},
			map[string]string{"n": "-", "x/n/new.go": "package n\r\n\r\nfunc WireNew() {}\r\n"},
		},
		{
			"copy_file", map[string]any{"src": w.dir + "/x", "dest": "c"}, map[string]any{"dest": "c", "entries": 4.0},
			[]string{"c"},
			map[string]string{"c/n/new.go": "package n\r\n\r\nfunc WireNew() {}\r\n"},
		},
		{
			"copy_file", map[string]any{"src": "a.go", "dest": "c/n/new.go", "overwrite": true}, map[string]any{"replaced": true},
			[]string{"c/n/new.go"},
			map[string]string{"c/n/new.go": "package a // é\n\nfunc WireMore() {}"},
		},
		{
			"delete_path", map[string]any{"path": "x", "recursive": true}, map[string]any{"deleted": true, "recursive": true, "entries": 4.0},
			[]string{"x"},
			map[string]string{"x": "-"},
		},
		{"delete_path", map[string]any{"path": "c/n/new.go"}, map[string]any{"deleted": true, "recursive": false}, []string{"c/n/new.go"}, nil},
	} {
		ans, refused := w.ask(c.tool, c.args)
		if refused {
			t.Errorf("%s %v: %v", c.tool, c.args, ans)
			continue
		}
		for f, want := range c.fields {
			if ans[f] != want {
				t.Errorf("%s %v: %s is %v, want %v", c.tool, c.args, f, ans[f], want)
			}
		}
		for _, f := range []string{"index_used", "index_generation", "is_stale", "dirty_paths_count", "stale_paths_count", "reindex_in_progress", "changed_paths"} {
			if ans[f] == nil {
				t.Errorf("%s: no %s in %v", c.tool, f, ans)
			}
		}
		var changed []string
		list, _ := ans["changed_paths"].([]any)
		for _, p := range list {
			changed = append(changed, p.(string))
		}
		if ans["index_used"] != true || !slices.Equal(changed, c.changed) {
			t.Errorf("%s %v: index_used %v, changed_paths %q, want %q", c.tool, c.args, ans["index_used"], changed, c.changed)
		}
		for p, want := range c.there {
			text, err := os.ReadFile(filepath.Join(w.dir, p))
			if want == "-" && err == nil || want != "-" && (err != nil || string(text) != want) {
				t.Errorf("%s %v: %s holds %q, %v", c.tool, c.args, p, text, err)
			}
		}
	}
	for pattern, want := range map[string]float64{"WireNew": 0, "WireMore": 1} {
		ans, _ := w.ask("grep_files", map[string]any{"pattern": pattern, "use_index": "always"})
		if n := len(ans["matches"].([]any)); float64(n) != want || ans["index_used"] != true {
			t.Errorf("grep %s: %v", pattern, ans)
		}
	}
}

// A drain that only reads has none of these tools, and is told why.
func TestDrainsThatDoNotWrite(t *testing.T) {
	w := serveAt(t, tree(t), "--drain", "review")
	tools, err := w.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := disk(t, w.dir)
	for name, args := range map[string]map[string]any{
		"write_file": {"path": "a.go", "content": ""}, "append_file": {"path": "a.go", "content": "x"}, "create_directory": {"path": "d"},
		"edit_file": {"path": "a.go", "dry_run": true, "edits": []any{map[string]any{"oldText": "a"}}},
		"move_file": {"src": "a.go", "dest": "b"}, "copy_file": {"src": "a.go", "dest": "b"}, "delete_path": {"path": "a.go"},
	} {
		if slices.ContainsFunc(tools, func(tl client.Tool) bool { return tl.Name == name }) {
			t.Errorf("%s is listed", name)
		}
		if ans, refused := w.ask(name, args); !refused || ans["status"] != "capability_denied" {
			t.Errorf("%s: %v", name, ans)
		}
	}
	if disk(t, w.dir) != before {
		t.Error("something was changed")
	}
}

// The command line's call works as an agent's does, with an index or without.
func TestCallWrites(t *testing.T) {
	dir := tree(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"call", "write_file", `{"path":"d/n.txt","content":"x"}`}, exitOK, `"bytes_written":1`},
		{[]string{"--no-index", "call", "write_file", `{"path":"d/n.txt","content":"xy"}`}, exitOK, "Wrote 2 bytes to d/n.txt"},
		{[]string{"call", "append_file", `{"path":"d/n.txt","content":"z"}`}, exitOK, `"bytes_appended":1`},
		{[]string{"call", "move_file", `{"src":"d","dest":"a.go"}`}, exitUsage, `"destination_exists"`},
		{[]string{"call", "delete_path", `{"path":"d"}`}, exitNotFound, `recursive true`},
		{[]string{"call", "delete_path", `{"path":".git","recursive":true}`}, exitUsage, `"protected_path"`},
		{[]string{"call", "delete_path", `{"path":"d","recursive":true}`}, exitOK, `"entries":2`},
	} {
		cmd := exec.Command("ralph-index", append([]string{"--workspace", dir, "--json"}, c.args...)...)
		out, _ := cmd.Output()
		text := strings.ReplaceAll(string(out), `": `, `":`)
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, cmd.ProcessState.ExitCode(), out)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "d")); err == nil {
		t.Error("the directory is there")
	}
}
