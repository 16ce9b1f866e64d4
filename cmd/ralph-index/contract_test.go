package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// contractFiles are what the calls of testdata/contract are made on.
func contractFiles() map[string]string {
	return map[string]string{
		"go.mod":         "module m\n",
		"pkg/a.go":       "package pkg\n\n// Alpha is called by Beta.\nfunc Alpha() int { return 1 }\n\nfunc Beta() int {\n\tx := Alpha()\n\treturn x\n}\n",
		"pkg/a_test.go":  "package pkg\n\nimport \"testing\"\n\nfunc TestAlpha(t *testing.T) { Alpha() }\n",
		"one/twin.go":    "package one\n\nfunc Twin() {}\n",
		"two/twin.go":    "package two\n\nfunc Twin() {}\n",
		"vendor/v/v.go":  "package v\n\nfunc Vend() {}\n",
		"docs/guide.md":  "# Guide\n\nAlpha is here.\n",
		"lines.txt":      "one\ntwo\nthree\nfour\nfive\n",
		"crlf.txt":       "first\r\nsecond\r\n",
		"empty.txt":      "",
		"uni.txt":        "é日本\n",
		"bin.dat":        "a\x00\xff",
		"latin.txt":      "caf\xe9\n",
		"long.txt":       strings.Repeat("x", 3000) + " needle\n",
		".gitignore":     "ignored/\n.agent/\n",
		"ignored/i.txt":  "needle\n",
		"app.toml":       "name = \"m\"\n",
		"deep/a/b/c.txt": "deep\n",
		"d/one.go":       "package d\n\nfunc One() {}\n",
		"d/three.go":     "package d\n\nfunc X() {}\n\nfunc Y() {}\n\nfunc Z() {}\n",
		"d/two.txt":      "text\n",
	}
}

// contractTree is a repository with these files, all of them committed.
func contractTree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range contractFiles() {
		put(t, filepath.Join(dir, name), text)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false", "commit", "-qm", "all"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestContract makes the calls of testdata/contract, a file for each tool that works on
// files, over each transport; then calls with bad arguments that are made from the
// tools' schemas. No argument and no field of an answer may be left out.
func TestContract(t *testing.T) {
	files, err := filepath.Glob("testdata/contract/*.txt")
	if err != nil || len(files) != 16 {
		t.Fatalf("scripts: %q, %v", files, err)
	}
	for name, serve := range transports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := contractTree(t)
			w := serve(t, dir)
			w.untilIndexed()
			run := &contract{
				wires: map[string]*wire{"": w}, serve: serve, seen: newSeen(), saved: map[string]string{"root": dir}, bases: map[string][]object{},
				schemas: schemas(t, w),
			}
			for _, file := range files {
				tool := strings.TrimSuffix(filepath.Base(file), ".txt")
				t.Run(tool, func(t *testing.T) { run.script(t, file, tool) })
			}
			before := disk(t, dir)
			for tool, s := range run.schemas {
				if strings.HasPrefix(tool, "ralph_") {
					continue
				}
				t.Run(tool+"/schema", func(t *testing.T) {
					run.seen.complete(t, tool, s)
					run.bad(t, tool, s)
					run.good(t, tool, s)
				})
			}
			if disk(t, dir) != before {
				t.Error("a call that was refused changed something")
			}
		})
	}
}

// object is a JSON object.
type object = map[string]any

// seen is what a run of the scripts has called and been answered.
type seen struct {
	taken   map[string]map[string]bool // tool, then "argument=value" of calls that were answered
	refused map[string]map[string]bool // tool, then argument
	alone   map[string]map[string]bool // tool, then arguments that contradict no other
	fields  map[string]map[string]bool // tool, then fields of answers
}

func newSeen() *seen {
	return &seen{map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}}
}

func note(m map[string]map[string]bool, tool, what string) {
	if m[tool] == nil {
		m[tool] = map[string]bool{}
	}
	m[tool][what] = true
}

// takes notes the arguments of a call that was answered, those of its objects too.
func (s *seen) takes(tool, prefix string, args object) {
	for k, v := range args {
		raw, _ := json.Marshal(v) // it was JSON
		note(s.taken, tool, prefix+k)
		note(s.taken, tool, prefix+k+"="+string(raw))
		switch v := v.(type) {
		case object:
			s.takes(tool, prefix+k+".", v)
		case []any:
			for _, e := range v {
				if o, ok := e.(object); ok {
					s.takes(tool, prefix+k+".", o)
				}
			}
		}
	}
}

// complete fails for each argument that has no row: for its values, for its absence,
// for what it contradicts; and for each field of the reference that no answer had.
func (s *seen) complete(t *testing.T, tool string, schema *schema) {
	for name, p := range schema.Properties {
		for _, v := range p.legal() {
			if !s.taken[tool][name+"="+v] {
				t.Errorf("%s: no call has %s %s", tool, name, v)
			}
		}
		for field := range p.fields() {
			if !s.taken[tool][name+"."+field] {
				t.Errorf("%s: no call has %s.%s", tool, name, field)
			}
		}
		if !s.taken[tool][name] {
			t.Errorf("%s: no call has %s", tool, name)
		}
		if !slices.Contains(schema.Required, name) && !s.taken[tool]["-"+name] {
			t.Errorf("%s: every call has %s", tool, name)
		}
		if !s.refused[tool][name] && !s.alone[tool][name] {
			t.Errorf("%s: nothing contradicts %s; a row that is refused for it is missing, or its name in a line with alone", tool, name)
		}
	}
	for _, f := range referenceFields()[tool] {
		if !s.fields[tool][f] {
			t.Errorf("%s: no answer has %s", tool, f)
		}
	}
}

// referenceFields are the fields of answers that the reference of the tools names.
func referenceFields() map[string][]string {
	fresh := []string{"index_used", "index_generation", "is_stale", "stale_paths_count", "dirty_paths_count"}
	with := func(more ...string) []string { return slices.Concat(fresh, more) }
	change := with("reindex_in_progress", "changed_paths")
	return map[string][]string{
		"read_file": with("path", "content", "total_lines", "returned_lines", "truncated", "total_bytes", "returned_bytes", "max_bytes", "reason",
			"fallback_reason", "content_hash", "evidence_id", "span_id", "start_line", "end_line", "context_lines"),
		"read_multiple_files": with("files", "truncated", "fallback_reason"),
		"stat_path":           {"type", "size_bytes", "created_unix", "modified_unix", "mode"},
		"list_allowed_roots":  {"allowed_roots"},
		"list_directory":      with("fallback_reason", "entries", "view", "changed_only", "include_counts", "include_symbols", "limit_children"),
		"directory_tree": with("fallback_reason", "tree", "view", "changed_only", "include_counts", "include_symbols", "limit_children",
			"name", "type", "path", "children"),
		"search_files": with("fallback_reason", "pattern", "base", "matches", "truncated", "ranked", "role", "contains_symbol", "contains_symbol_note",
			"changed_only", "changed_only_note", "score_reasons", "evidence_ids"),
		"grep_files": with("fallback_reason", "pattern", "base", "matches", "truncated", "skipped_files", "ranked_by", "dedupe_by_symbol",
			"graph_context", "score_reasons", "evidence_ids"),
		"write_file":       slices.Concat(change, []string{"path", "bytes_written", "status"}),
		"append_file":      slices.Concat(change, []string{"path", "bytes_appended"}),
		"create_directory": slices.Concat(change, []string{"path", "created"}),
		"move_file":        slices.Concat(change, []string{"src", "dest"}),
		"copy_file":        slices.Concat(change, []string{"src", "dest"}),
		"delete_path":      slices.Concat(change, []string{"path", "deleted", "recursive"}),
		"edit_file": slices.Concat(change, []string{"status", "diff", "edits_applied", "bytes_written", "impact_preview", "impact_preview_unavailable",
			"impact_preview_unavailable_reason", "evidence_updates"}),
	}
}

// like compares an answer with what is written of it; see the head of contract_script_test.go.
func like(want, got any) error {
	switch want := want.(type) {
	case string:
		return likeText(want, got)
	case object:
		have, ok := got.(object)
		if !ok {
			return fmt.Errorf("is %v, want an object", got)
		}
		return likeObject(spread(want), have)
	case []any:
		have, ok := got.([]any)
		if !ok {
			return fmt.Errorf("is %v, want a list", got)
		}
		more := len(want) > 0 && want[len(want)-1] == "..."
		if more {
			want = want[:len(want)-1]
		}
		if len(have) < len(want) || !more && len(have) != len(want) {
			return fmt.Errorf("has %d elements, want %d: %v", len(have), len(want), got)
		}
		for i := range want {
			if err := like(want[i], have[i]); err != nil {
				return fmt.Errorf("[%d] %w", i, err)
			}
		}
		return nil
	}
	if want != got {
		return fmt.Errorf("is %v, want %v", got, want)
	}
	return nil
}

func likeObject(want, got object) error {
	for k, v := range want {
		if k == "..." { // more may be there
			continue
		}
		name, optional := strings.CutSuffix(k, "?")
		g, ok := got[name]
		if !ok && !optional {
			return fmt.Errorf("has no %s: %v", k, got)
		}
		if !ok {
			continue
		}
		if err := like(v, g); err != nil {
			return fmt.Errorf(".%s %w", name, err)
		}
	}
	for k := range got {
		_, ok := want[k]
		if _, optional := want[k+"?"]; !ok && !optional && want["..."] == nil {
			return fmt.Errorf("has %s, which nobody expects: %v", k, got[k])
		}
	}
	return nil
}

// likeText compares with a text, or with a pattern: "*" is anything but null, "?"
// anything, "=x" exactly x, "*n" a number, "*hash" a content hash, "*e:" what begins so, "~x" what has x in it.
func likeText(want string, got any) error {
	text, isText := got.(string)
	ok := false
	switch {
	case strings.HasPrefix(want, "="):
		ok = isText && text == want[1:]
	case want == "?":
		ok = true
	case want == "*":
		ok = got != nil
	case want == "*n":
		_, ok = got.(float64)
	case want == "*hash":
		ok = len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
	case strings.HasPrefix(want, "*"):
		ok = isText && strings.HasPrefix(text, want[1:]) && len(text) > len(want)-1
	case strings.HasPrefix(want, "~"):
		ok = isText && strings.Contains(text, want[1:])
	default:
		ok = isText && text == want
	}
	if !ok {
		return fmt.Errorf("is %v, want %s", got, want)
	}
	return nil
}

// spread replaces "fresh" by the block that it stands for.
func spread(want object) object {
	kind, ok := want["fresh"].(string)
	if !ok {
		return want
	}
	out := object{
		"index_used": true, "index_generation": "*n", "is_stale": false, "stale_paths_count": 0.0, "dirty_paths_count": 0.0, "reindex_in_progress": "*",
		"fallback_reason": nil, "last_sweep_at": "*n",
	}
	switch {
	case kind == "change": // the index may be on its way to it
		out["is_stale"], out["stale_paths_count"], out["dirty_paths_count"] = "*", "*n", "*n"
	case kind != "indexed":
		out["index_used"], out["fallback_reason"] = false, kind
		if kind == "null" {
			out["fallback_reason"] = nil
		}
	}
	for k, v := range want {
		if k != "fresh" {
			out[k] = v
		}
	}
	return out
}
