package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// edits is a workspace for edit_file, and a server on it.
func edits(t *testing.T) *wire {
	t.Helper()
	dir := tree(t)
	for name, text := range map[string]string{
		"go.mod": "module m\n", "crlf.txt": "\ufeffone\r\ntwo\r\nthree", "latin.txt": "caf\xe9\n",
		"b.go": "package a\n\nfunc C() { B() }\n\nfunc D() {\n\tx := 1\n\t_ = x\n}\n\nfunc E() {\n\tx := 1\n\t_ = x\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	w := serveAt(t, dir)
	w.untilIndexed()
	return w
}

func (w *wire) edit(path string, pairs []string, more map[string]any) (map[string]any, bool) {
	w.t.Helper()
	args := map[string]any{"path": path}
	var list []any
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, map[string]any{"oldText": pairs[i], "newText": pairs[i+1]})
	}
	args["edits"] = list
	for k, v := range more {
		args[k] = v
	}
	return w.ask("edit_file", args)
}

func (w *wire) file(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func sha(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// evidence finds a text through the index and returns the evidence ids of its lines.
func (w *wire) evidence(text string) []string {
	w.t.Helper()
	ans, refused := w.ask("grep_files", map[string]any{"pattern": text, "regex": false, "use_index": "always", "return_evidence_ids": true})
	if refused || ans["index_used"] != true {
		w.t.Fatalf("grep %s: %v", text, ans)
	}
	var out []string
	ids, _ := ans["evidence_ids"].([]any)
	for _, id := range ids {
		out = append(out, id.(string))
	}
	return out
}

// A file keeps its line endings, byte order mark, final newline and mode, and ids of
// its lines open before and after.
func TestEditKeepsTheFormOnTheWire(t *testing.T) {
	w := edits(t)
	before := w.file("crlf.txt")
	id := w.evidence("two")[0]
	if got, _ := w.ask("read_file", map[string]any{"evidence_id": id}); got["content"] != "two\r\n" {
		t.Errorf("evidence of a CRLF line reads %v", got)
	}
	args := map[string]any{"target": map[string]any{"evidence_id": id}, "expected_content_hash": sha(before), "dry_run": true}
	preview, refused := w.edit("crlf.txt", []string{"two\n", "2\n2b\n"}, args)
	if refused || preview["status"] != "preview" || w.file("crlf.txt") != before || preview["changed_paths"] != nil {
		t.Fatalf("preview: %v", preview)
	}
	args["dry_run"], args["return_evidence_updates"], args["reindex"] = false, true, "changed_blocking"
	ans, refused := w.edit("crlf.txt", []string{"two\n", "2\n2b\n"}, args)
	after := "\ufeffone\r\n2\r\n2b\r\nthree"
	if refused || w.file("crlf.txt") != after {
		t.Fatalf("%v: the file is %q", ans, w.file("crlf.txt"))
	}
	for field, want := range map[string]any{
		"status": "applied", "path": "crlf.txt", "bytes_written": float64(len(after)), "edits_applied": 1.0, "content_hash": sha(after),
		"diff": preview["diff"], "index_used": true, "is_stale": false, "dirty_paths_count": 0.0, "stale_paths_count": 0.0,
		"reindex_in_progress": false,
	} {
		if ans[field] != want {
			t.Errorf("%s is %v, want %v", field, ans[field], want)
		}
	}
	if fmt.Sprint(ans["changed_paths"]) != "[crlf.txt]" || ans["index_generation"] == nil {
		t.Errorf("freshness: %v", ans)
	}
	if fi, err := os.Stat(filepath.Join(w.dir, "crlf.txt")); err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", fi.Mode(), err)
	}
	updates := ans["evidence_updates"].(map[string]any)
	target := updates["target"].(map[string]any)
	if got, _ := w.ask("read_file", map[string]any{"evidence_id": target["evidence_id"]}); target["replaces"] != id || got["content"] != "2\r\n2b\r\n" {
		t.Errorf("the new id of the target, %v, reads %v", target, got)
	}
	if got, refused := w.ask("read_file", map[string]any{"evidence_id": id}); !refused || got["status"] != "stale_evidence" || got["current_content_hash"] != sha(after) {
		t.Errorf("the old id: %v", got)
	}
	// What lay in other files is still found through the index, and this one too.
	if len(w.evidence("func D")) != 1 || len(w.evidence("2b")) != 1 {
		t.Error("the index lost something")
	}
	cmd := exec.Command("git", "apply", "-R", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = w.dir, strings.NewReader(ans["diff"].(string))
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+w.dir)
	if err := os.Remove(filepath.Join(w.dir, ".git/HEAD")); err != nil { // no repository, just a directory
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil || w.file("crlf.txt") != before {
		t.Errorf("git apply -R: %v %s; the file is %q", err, out, w.file("crlf.txt"))
	}
}

// Each refusal has its code and what helps, and nothing is touched.
func TestEditRefusalsOnTheWire(t *testing.T) {
	w := edits(t)
	before := disk(t, w.dir)
	type args = map[string]any
	for name, c := range map[string]struct {
		path   string
		pairs  []string
		more   args
		status string
		fields args
	}{
		"a miss": {
			"b.go", []string{"func C", "func K", "    x := 1\n", "y"}, nil, "no_match",
			args{"edit_index": 1.0, "argument": "edits"},
		},
		"a wrong hash": {
			"b.go", []string{"C", "K"}, args{"expected_content_hash": sha("other")}, "stale_evidence",
			args{"reason": "content_changed", "expected_content_hash": sha("other"), "current_content_hash": sha(w.file("b.go"))},
		},
		"a hash of nothing": {
			"gone.go", []string{"C", "K"}, args{"expected_content_hash": sha("other")}, "stale_evidence",
			args{"reason": "file_missing", "expected_content_hash": sha("other")},
		},
		"no file":          {"gone.go", []string{"C", "K"}, nil, "not_found", args{"argument": "path"}},
		"not utf-8":        {"latin.txt", []string{"caf", "x"}, nil, "binary_or_invalid_utf8", args{"byte_offset": 3.0}},
		"unknown id":       {"b.go", []string{"C", "K"}, args{"target": args{"evidence_id": "e:nothing"}}, "unknown_evidence", args{"argument": "target"}},
		"unknown name":     {"b.go", []string{"C", "K"}, args{"target": args{"symbol": "Nope"}}, "unknown_evidence", args{"argument": "target"}},
		"another file":     {"b.go", []string{"B", "K"}, args{"target": args{"symbol": "A"}}, "ambiguous_target", args{"reason": "target_path_mismatch", "target_path": "a.go"}},
		"two selectors":    {"b.go", []string{"C", "K"}, args{"target": args{"symbol": "C", "span_id": "sp:x"}}, "invalid_params", args{"reason": "target_requires_exactly_one_selector"}},
		"part of target":   {"b.go", []string{"x := 1", "K"}, args{"target": args{"symbol": "D"}}, "ambiguous_target", args{"reason": "match_strategy_exact_violation", "edit_index": 0.0}},
		"out of target":    {"b.go", []string{"func E", "K"}, args{"target": args{"symbol": "D"}, "match_strategy": "within_target"}, "ambiguous_target", args{"reason": "match_strategy_within_target_violation"}},
		"all, out of it":   {"b.go", []string{"func E", "K"}, args{"target": args{"symbol": "D"}, "match_strategy": "all_in_target"}, "ambiguous_target", args{"reason": "match_strategy_all_in_target_violation"}},
		"no target":        {"b.go", []string{"C", "K"}, args{"match_strategy": "all_in_target"}, "invalid_params", args{"argument": "match_strategy"}},
		"impact, for real": {"b.go", []string{"C", "K"}, args{"impact_preview": true}, "invalid_params", args{"argument": "impact_preview"}},
	} {
		ans, refused := w.edit(c.path, c.pairs, c.more)
		if message, _ := ans["message"].(string); !refused || ans["status"] != c.status || message == "" {
			t.Errorf("%s: %v", name, ans)
		}
		for f, want := range c.fields {
			if ans[f] != want {
				t.Errorf("%s: %s is %v, want %v", name, f, ans[f], want)
			}
		}
		if near, _ := ans["nearest"].(map[string]any); name == "a miss" && (near["start_line"] != 6.0 || near["text"] != "\tx := 1\n" || near["whitespace_only"] != true ||
			!strings.Contains(fmt.Sprint(near["differences"]), "1 tab") || !strings.Contains(fmt.Sprint(ans["preview"]), "+func K")) {
			t.Errorf("nearest: %v", ans)
		}
	}
	if got := disk(t, w.dir); got != before {
		t.Errorf("the workspace was changed:\n%s\nwas\n%s", got, before)
	}
}

// Edits stay in their target; what they may reach is told before, and nothing is
// written by that.
func TestEditTargetsOnTheWire(t *testing.T) {
	w := edits(t)
	target := map[string]any{"symbol": "E"}
	ans, refused := w.edit("b.go", []string{"x", "y", "y := 1", "y := 2"}, map[string]any{"target": target, "match_strategy": "all_in_target"})
	want := "package a\n\nfunc C() { B() }\n\nfunc D() {\n\tx := 1\n\t_ = x\n}\n\nfunc E() {\n\ty := 2\n\t_ = y\n}\n"
	if refused || w.file("b.go") != want {
		t.Fatalf("%v: the file is %q", ans, w.file("b.go"))
	}
	// The name is found at once where it stands now.
	ans, refused = w.edit("b.go", []string{"y", "z"}, map[string]any{"target": target, "match_strategy": "within_target"})
	if want = strings.Replace(want, "\ty", "\tz", 1); refused || w.file("b.go") != want {
		t.Fatalf("%v: the file is %q", ans, w.file("b.go"))
	}
	ans, refused = w.edit("a.go", []string{"func B()", "func B() int"}, map[string]any{
		"target": map[string]any{"symbol": "B"}, "match_strategy": "within_target", "dry_run": true, "impact_preview": true,
	})
	impact, _ := ans["impact_preview"].(map[string]any)
	if refused || impact["available"] != true || fmt.Sprint(impact["impacted_files"]) != "[a.go b.go]" {
		t.Errorf("impact: %v", ans)
	}
	if !strings.Contains(w.file("a.go"), "func B() {}") {
		t.Error("a preview wrote")
	}
	ans, _ = w.edit("crlf.txt", []string{"one", "1"}, map[string]any{"dry_run": true, "impact_preview": true})
	if impact, _ := ans["impact_preview"].(map[string]any); impact["available"] == nil || ans["impact_preview_unavailable_reason"] == nil && impact["available"] == false {
		t.Errorf("impact of prose: %v", ans)
	}
}

// Two servers on one workspace lose none of each other's edits.
func TestEditsOfTwoServers(t *testing.T) {
	w := edits(t)
	other := serveAt(t, w.dir)
	const each = 12
	var wg sync.WaitGroup
	for i, server := range []*wire{w, other} {
		wg.Go(func() {
			for k := range each {
				args := map[string]any{"path": "a.go", "edits": []any{map[string]any{"oldText": "package a\n", "newText": fmt.Sprintf("package a\n// %d.%d\n", i, k)}}}
				if res, err := server.Call(t.Context(), "edit_file", args, nil); err != nil || res.IsError {
					t.Errorf("%v, %v", res, err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 2 {
		for k := range each {
			if !strings.Contains(w.file("a.go"), fmt.Sprintf("// %d.%d\n", i, k)) {
				t.Errorf("edit %d.%d is lost", i, k)
			}
		}
	}
}
