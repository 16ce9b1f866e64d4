package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listTree is a workspace with a little of everything that listings treat apart.
func listTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cmd/main.go": "package main\n\nfunc main() { Run() }\n", "cmd/run.go": "package main\n\nfunc Run() {}\n",
		"cmd/run_test.go": "package main\n\nfunc TestRun() { Run() }\n", "docs/crlf.md": "# One\r\n\r\nTwo\r\n", "vendor/v.go": "package v\n\nfunc Run() {}\n",
		".gitignore": "ignored/\n", "ignored/i.go": "package i\n", "node_modules/m.js": "function m() {}\n", "bin.dat": "a\x00\xff",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// freshFields are what every answer carries that the index had a part in.
var freshFields = []string{"index_used", "index_generation", "is_stale", "stale_paths_count", "dirty_paths_count", "fallback_reason"}

// TestListingsOnTheWire calls each tool that looks at files, with each argument, through
// a server and through a second one that shares its index.
func TestListingsOnTheWire(t *testing.T) {
	dir := listTree(t)
	first := serveAt(t, dir)
	first.untilIndexed()
	for name, w := range map[string]*wire{"leader": first, "follower": serveAt(t, dir)} {
		t.Run(name, func(t *testing.T) {
			w := &wire{Client: w.Client, t: t, dir: dir}
			w.texts()
			w.trees()
			w.finds()
			w.reads()
			w.looks()
		})
	}
}

// wantText checks an answer that is text.
func (w *wire) wantText(tool string, args map[string]any, want string) {
	w.t.Helper()
	if ans, refused := w.ask(tool, args); refused || ans["text"] != want {
		w.t.Errorf("%s %v: %q, want %q", tool, args, ans["text"], want)
	}
}

func (w *wire) texts() {
	const raw = "Directory: cmd\n  [FILE] cmd/main.go\n  [FILE] cmd/run.go\n  [FILE] cmd/run_test.go"
	for _, args := range []map[string]any{
		{"path": "cmd"}, {"path": "cmd", "view": "raw"}, {"path": "cmd", "use_index": "never", "view": "outline", "include_counts": true},
		{"path": "cmd", "recursive": false, "limit_children": 1}, {"directory": "cmd"},
	} {
		w.wantText("list_directory", args, raw)
	}
	w.wantText("list_directory", map[string]any{"path": "./cmd/"}, strings.Replace(raw, ": cmd", ": ./cmd/", 1))
	w.wantText("list_directory", map[string]any{"path": "nothing"}, "Directory: nothing")
	w.wantText("list_directory", map[string]any{"path": "cmd/run.go"}, "Directory: cmd/run.go")
	const all = "Directory (recursive): .\n[DIR] .agent\n"
	const rest = "[FILE] .gitignore\n[FILE] bin.dat\n[DIR] cmd\n  [FILE] cmd/main.go\n  [FILE] cmd/run.go\n  [FILE] cmd/run_test.go\n[DIR] docs\n" +
		"  [FILE] docs/crlf.md\n[DIR] ignored\n  [FILE] ignored/i.go\n[DIR] node_modules\n[DIR] vendor\n  [FILE] vendor/v.go"
	for tool, args := range map[string]map[string]any{"list_directory_recursive": {}, "list_directory": {"recursive": true}} {
		ans, refused := w.ask(tool, args)
		if text := fmt.Sprint(ans["text"]); refused || !strings.HasPrefix(text, all) || !strings.HasSuffix(text, rest) {
			w.t.Errorf("%s: %s", tool, text)
		}
	}
}

// has checks that an answer has fields with the given values.
func (w *wire) has(tool string, args map[string]any, want map[string]any, fields ...string) map[string]any {
	w.t.Helper()
	ans, refused := w.ask(tool, args)
	if refused {
		w.t.Errorf("%s %v: refused: %v", tool, args, ans)
		return ans
	}
	for _, f := range fields {
		if _, ok := ans[f]; !ok {
			w.t.Errorf("%s %v: no %s in %v", tool, args, f, ans)
		}
	}
	for f, v := range want {
		if fmt.Sprint(ans[f]) != fmt.Sprint(v) {
			w.t.Errorf("%s %v: %s is %v, want %v", tool, args, f, ans[f], v)
		}
	}
	return ans
}

func (w *wire) trees() {
	w.has("directory_tree", map[string]any{"path": "docs"}, map[string]any{
		"name": "docs", "type": "dir", "path": "docs", "children": "[map[name:crlf.md path:docs/crlf.md type:file]]",
	})
	w.has("directory_tree", map[string]any{"max_depth": 0}, map[string]any{"name": ".", "path": "", "children": "[]"})
	ans := w.has("directory_tree", map[string]any{"path": ".", "max_depth": 1, "exclude_patterns": []string{"*.dat", "docs"}}, nil)
	var names []string
	for _, kid := range ans["children"].([]any) {
		names = append(names, kid.(map[string]any)["name"].(string))
	}
	if want := []string{".agent", ".gitignore", "cmd", "ignored", "vendor"}; !slices.Equal(names, want) {
		w.t.Errorf("children are %q, want %q", names, want)
	}
	echo := []string{"tree", "view", "include_counts", "include_symbols", "limit_children", "changed_only"}
	for _, view := range []string{"compact", "ranked", "outline"} {
		args := map[string]any{"path": "cmd", "view": view, "limit_children": 2, "timeout_ms": 20000}
		ans := w.has("directory_tree", args, map[string]any{"view": view, "index_used": true, "is_stale": false}, append(echo, freshFields...)...)
		if top := ans["tree"].(map[string]any); top["path"] != "cmd" || top["children_omitted"] != 1.0 || len(top["children"].([]any)) != 2 {
			w.t.Errorf("%s: %v", view, top)
		}
		w.has("list_directory", lacking(args, "timeout_ms"), map[string]any{"view": view, "index_used": true, "children_omitted": 1}, append(freshFields, "entries")...)
	}
	w.has("list_directory", map[string]any{"path": "cmd", "include_symbols": true, "include_counts": true, "use_index": "always"}, map[string]any{
		"entries": "[map[counts:map[symbols:1] name:main.go path:cmd/main.go symbols:[map[kind:function line:3 name:main]] type:file] " +
			"map[counts:map[symbols:1] name:run.go path:cmd/run.go symbols:[map[kind:function line:3 name:Run]] type:file] " +
			"map[counts:map[symbols:1] name:run_test.go path:cmd/run_test.go symbols:[map[kind:function line:3 name:TestRun]] type:file]]",
	})
	w.has("list_directory", map[string]any{"path": "ignored", "view": "compact"}, map[string]any{"index_used": false, "fallback_reason": "path_ignored"})
	if ans, refused := w.ask("list_directory", map[string]any{"path": "ignored", "use_index": "always"}); !refused || ans["status"] != "indexed_view_unavailable" {
		w.t.Errorf("an ignored directory, always: %v", ans)
	}
}

// lacking is args without a key.
func lacking(args map[string]any, without string) map[string]any {
	out := map[string]any{}
	for k, v := range args {
		if k != without {
			out[k] = v
		}
	}
	return out
}

func (w *wire) finds() {
	fields := append([]string{
		"pattern", "base", "matches", "truncated", "ranked", "role", "contains_symbol", "contains_symbol_note", "changed_only", "changed_only_note",
	}, freshFields...)
	for _, c := range []struct {
		args map[string]any
		want map[string]any
	}{
		{map[string]any{"pattern": "*.go", "path": "."}, map[string]any{"matches": "[cmd/main.go cmd/run.go cmd/run_test.go vendor/v.go]", "truncated": false, "index_used": true}},
		{map[string]any{"pattern": "**/*.{go,md}", "exclude": []string{"cmd"}}, map[string]any{"matches": "[docs/crlf.md vendor/v.go]"}},
		{map[string]any{"pattern": "*", "role": "test", "limit": 1}, map[string]any{"matches": "[cmd/run_test.go]", "truncated": false, "role": "test"}},
		{map[string]any{"pattern": "*.go", "limit": 2}, map[string]any{"matches": "[cmd/main.go cmd/run.go]", "truncated": true}},
		{map[string]any{"pattern": "*", "contains_symbol": "main"}, map[string]any{"matches": "[cmd/main.go]", "contains_symbol": "main"}},
		{map[string]any{"pattern": "*", "contains_symbol": "NoSuch"}, map[string]any{"matches": "[]", "contains_symbol_note": "no_matching_symbol"}},
		{map[string]any{"pattern": "*", "changed_only": true}, map[string]any{"matches": "[]", "changed_only": true}},
		{map[string]any{"pattern": "i.go", "path": "ignored", "timeout_ms": 20000}, map[string]any{"matches": "[ignored/i.go]", "fallback_reason": "path_ignored"}},
		{map[string]any{"pattern": "run.go", "ranked": true, "role": "source"}, map[string]any{
			"score_reasons": "[map[path:cmd/run.go score:130 score_reasons:[+100 exact_basename +30 role]]]",
		}},
	} {
		w.has("search_files", c.args, c.want, fields...)
	}
	ans := w.has("search_files", map[string]any{"pattern": "*.md", "return_evidence_ids": true}, nil, "evidence_ids")
	ids := ans["evidence_ids"].([]any)
	if len(ids) != 1 {
		w.t.Fatalf("ids: %v", ids)
	}
	w.has("read_file", map[string]any{"evidence_id": ids[0]}, map[string]any{"content": "# One\r\n\r\nTwo\r\n"})
}

func (w *wire) reads() {
	items := []any{
		map[string]any{"path": "docs/crlf.md"}, map[string]any{"path": "nothing"}, map[string]any{"path": "cmd/run.go", "line_start": 3, "line_end": 3},
		map[string]any{"symbol": "cmd.TestRun"}, map[string]any{"evidence_id": "e:x"}, 5, map[string]any{}, map[string]any{"path": "bin.dat"},
	}
	ans := w.has("read_multiple_files", map[string]any{"items": items, "return_metadata": true}, map[string]any{"truncated": false}, append(freshFields, "files")...)
	want := []string{"# One\r\n\r\nTwo\r\n", "not_found", "func Run() {}\n", "func TestRun() { Run() }\n", "unknown_evidence", "item_not_a_dict", "invalid_selector", "binary_or_invalid_utf8"}
	for i, f := range ans["files"].([]any) {
		got := f.(map[string]any)
		if failed := got["is_error"].(bool); got["content"] != want[i] && got["status"] != want[i] && got["error"] != want[i] || failed != (got["content"] == nil) {
			w.t.Errorf("item %d: %v, want %q", i, got, want[i])
		}
	}
	ans = w.has("read_multiple_files", map[string]any{"paths": []string{"nothing", "cmd/run.go"}}, map[string]any{"truncated": false}, "files")
	if files := ans["files"].([]any); len(files) != 2 || files[1].(map[string]any)["content"] != "package main\n\nfunc Run() {}\n" {
		w.t.Errorf("paths: %v", files)
	}
	ans = w.has("read_multiple_files", map[string]any{"paths": []string{"nothing", "cmd/run.go"}, "fail_fast": true}, nil, "files")
	if files := ans["files"].([]any); len(files) != 2 || files[1].(map[string]any)["reason"] != "fail_fast" {
		w.t.Errorf("fail_fast: %v", files)
	}
	ans = w.has("read_multiple_files", map[string]any{"paths": []string{"cmd/run.go"}, "per_item_max_bytes": 7}, map[string]any{"truncated": true}, "files")
	if f := ans["files"].([]any)[0].(map[string]any); f["content"] != "package" || f["truncated"] != true || f["reason"] != "oversize" {
		w.t.Errorf("per_item_max_bytes: %v", f)
	}
}

func (w *wire) looks() {
	w.has("stat_path", map[string]any{"path": "cmd/run.go"}, map[string]any{"type": "file", "size_bytes": 28, "mode": 33188}, "created_unix", "modified_unix")
	w.has("stat_path", map[string]any{"path": "cmd"}, map[string]any{"type": "dir", "size_bytes": 0})
	w.has("stat_path", map[string]any{"path": "nothing"}, map[string]any{"type": "missing"})
	real, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.has("list_allowed_roots", nil, map[string]any{"allowed_roots": []string{real}})
}

// TestListingsKnowWhatWasJustWritten changes files beside a server and asks at once.
func TestListingsKnowWhatWasJustWritten(t *testing.T) {
	w := serveAt(t, listTree(t))
	w.untilIndexed()
	w.until("watch", func() bool {
		st, _ := w.ask("ralph_index_status", nil)
		return st["watcher"].(map[string]any)["state"] == "active"
	})
	for i := range 20 {
		name := fmt.Sprintf("docs/new%d.go", i)
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte("package docs\n\nfunc New() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		w.has("search_files", map[string]any{"pattern": name}, map[string]any{"matches": []string{name}})
		ans := w.has("directory_tree", map[string]any{"path": "docs", "changed_only": true}, nil)
		if kids := ans["tree"].(map[string]any)["children"].([]any); len(kids) != 1 || kids[0].(map[string]any)["path"] != name {
			t.Errorf("changed: %v", kids)
		}
		if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
		w.has("search_files", map[string]any{"pattern": name}, map[string]any{"matches": []string{}})
	}
}
