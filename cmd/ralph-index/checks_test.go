package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests of this file are what an index server is looked at for from outside: one
// subtest for each promise, through a server's input and output.

// checkFiles are a small workspace in two languages.
func checkFiles() map[string]string {
	return map[string]string{
		"go.mod":           "module m\n",
		"lib/lib.go":       "package lib\n\nfunc Helper() int { return 1 }\n",
		"use/use.go":       "package use\n\nimport \"m/lib\"\n\nfunc Use() int { return lib.Helper() }\n",
		"use/use_test.go":  "package use\n\nimport (\n\t\"testing\"\n\n\t\"m/lib\"\n)\n\nfunc TestHelper(t *testing.T) { lib.Helper() }\n",
		"py/shape.py":      "class Shape:\n    def area(self):\n        return 0\n\n\ndef make():\n    return Shape()\n",
		"py/test_shape.py": "from shape import make\n\n\ndef test_make():\n    assert make()\n",
		"docs/readme.md":   "# Title\n\nSee `Helper`.\n",
		"crlf.txt":         "alpha\r\nbeta\r\ngamma\r\n",
		"uni.txt":          "é日本語\n",
		"many/a.txt":       "a\n", "many/b.txt": "b\n", "many/c_test.go": "package many\n",
	}
}

func checkServer(t *testing.T, files map[string]string) *wire {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	w := serveAt(t, dir)
	w.untilIndexed()
	w.settle()
	return w
}

// in is the same server in a subtest.
func (w *wire) in(t *testing.T) *wire { return &wire{Client: w.Client, t: t, dir: w.dir} }

// must calls a tool that must answer.
func (w *wire) must(tool string, args object) object {
	w.t.Helper()
	ans, refused := w.ask(tool, args)
	if refused {
		w.t.Fatalf("%s %v is refused: %v", tool, args, ans)
	}
	return ans
}

// rejects calls a tool that must refuse.
func (w *wire) rejects(tool string, args object, status string) object {
	w.t.Helper()
	ans, refused := w.ask(tool, args)
	if !refused || ans["status"] != status {
		w.t.Fatalf("%s %v: refused %t, want %s: %v", tool, args, refused, status, ans)
	}
	return ans
}

func (w *wire) refresh(scope ...string) object {
	w.t.Helper()
	args := object{"mode": "changed", "timeout_ms": 60000}
	if len(scope) > 0 {
		args["path_scope"] = scope
	}
	ans := w.must("ralph_reindex", args)
	if s := ans["job_status"]; s != "ok" && s != "skipped_no_changes" {
		w.t.Fatalf("reindex: %v", ans)
	}
	return ans
}

// indexed counts the matches of a text that the index finds.
func (w *wire) indexed(text string) int {
	w.t.Helper()
	ans := w.must("grep_files", object{"pattern": text, "regex": false, "use_index": "always"})
	if ans["index_used"] != true {
		w.t.Errorf("the index was not used: %v", ans)
	}
	return len(ans["matches"].([]any))
}

func (w *wire) generation() float64 {
	return w.must("ralph_index_status", nil)["generation"].(float64)
}

// quiet checks that nothing is stale or dirty.
func (w *wire) quiet() {
	w.t.Helper()
	st := w.must("ralph_index_status", nil)
	if st["is_stale"] != false || st["dirty_paths_count"] != 0.0 || st["stale_paths_count"] != 0.0 {
		w.t.Errorf("not quiet: %v", st)
	}
}

func (w *wire) graph(args object) object {
	w.t.Helper()
	args["freshness"], args["timeout_ms"] = "required", 30000
	ans := w.must("ralph_graph", args)
	for _, word := range ans["missing_data"].([]any) {
		if word == "freshness_required" {
			w.t.Errorf("%v is not fresh: %v", args, ans)
		}
	}
	return ans
}

func edited(path, old, text string, more object) object {
	out := object{"path": path, "edits": []any{object{"oldText": old, "newText": text}}}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func TestTheIndexFollowsChanges(t *testing.T) {
	t.Parallel()
	w := checkServer(t, checkFiles())
	for name, check := range map[string]func(w *wire){
		"a second edit of a file is seen":                          secondEdit,
		"a deleted file leaves nothing stale":                      deletedFile,
		"an empty directory leaves nothing stale":                  emptyDirectory,
		"a scoped refresh keeps the rest":                          scopedRefresh,
		"a refresh of a directory indexes what is below":           directoryRefresh,
		"a blocking edit keeps other files in the index":           blockingEdit,
		"two refreshes without a change parse nothing":             noChange,
		"a cancelled full rebuild keeps the old index":             cancelledRebuild,
		"a changed file costs one parse":                           oneParse,
		"malformed code keeps what parses, is reported, and heals": malformed,
		"a file with a syntax error is found through the index":    brokenFile,
		"one pathological file does not stop the others":           pathological,
	} {
		t.Run(name, func(t *testing.T) { check(w.in(t)) })
	}
}

func secondEdit(w *wire) {
	put(w.t, filepath.Join(w.dir, "twice.txt"), "state0\n")
	w.refresh()
	w.must("edit_file", edited("twice.txt", "state0", "state1", nil))
	w.refresh()
	before := w.generation()
	ans := w.must("edit_file", edited("twice.txt", "state1", "state2", object{"reindex": "skip"}))
	if fmt.Sprint(ans["changed_paths"]) != "[twice.txt]" || ans["is_stale"] == false && ans["index_generation"].(float64) <= before {
		w.t.Errorf("the second edit leaves no mark: %v", ans)
	}
	if w.indexed("state2") != 1 || w.indexed("state1") != 0 {
		w.t.Error("the second edit is not found")
	}
}

func deletedFile(w *wire) {
	put(w.t, filepath.Join(w.dir, "lib/gone.go"), "package lib\n\nfunc Gone() {}\n")
	w.refresh()
	w.must("delete_path", object{"path": "lib/gone.go"})
	w.refresh()
	w.quiet()
	ans := w.graph(object{"query_type": "neighbors", "target": "lib.Helper", "direction": "in"})
	if len(ans["edges"].([]any)) == 0 || ans["is_stale"] != false {
		w.t.Errorf("graph: %v", ans)
	}
}

func emptyDirectory(w *wire) {
	w.must("create_directory", object{"path": "empty/dir"})
	w.refresh()
	w.quiet()
}

func scopedRefresh(w *wire) {
	files := w.must("ralph_index_status", nil)["files_indexed"]
	w.must("edit_file", edited("many/a.txt", "a", "scoped", object{"reindex": "skip"}))
	w.refresh("many/a.txt")
	if st := w.must("ralph_index_status", nil); st["files_indexed"] != files {
		w.t.Errorf("%v files, were %v", st["files_indexed"], files)
	}
	if w.indexed("scoped") != 1 || w.indexed("func Helper") != 1 {
		w.t.Error("something is lost")
	}
}

func directoryRefresh(w *wire) {
	put(w.t, filepath.Join(w.dir, "fresh/deep/new.go"), "package deep\n\nfunc BelowScope() {}\n")
	w.refresh("fresh")
	ans := w.graph(object{"query_type": "neighbors", "target": "BelowScope"})
	if len(ans["nodes"].([]any)) == 0 || w.indexed("BelowScope") != 1 || w.indexed("func Helper") != 1 {
		w.t.Errorf("graph: %v", ans)
	}
}

func blockingEdit(w *wire) {
	put(w.t, filepath.Join(w.dir, "blocking.txt"), "before\n")
	w.refresh()
	ans := w.must("edit_file", edited("blocking.txt", "before", "blockedge", object{"reindex": "changed_blocking"}))
	if ans["index_used"] != true || ans["is_stale"] != false {
		w.t.Errorf("the edit is not indexed: %v", ans)
	}
	if w.indexed("blockedge") != 1 || w.indexed("func Helper") != 1 || w.indexed("class Shape") != 1 {
		w.t.Error("something is lost")
	}
}

func noChange(w *wire) {
	w.settle()
	first, second := w.refresh(), w.refresh()
	if first["generation"] != second["generation"] || second["parse_count"] != 0.0 || second["job_status"] != "skipped_no_changes" {
		w.t.Errorf("%v, then %v", first, second)
	}
}

func cancelledRebuild(w *wire) {
	w.settle()
	before := w.generation()
	ans, _ := w.ask("ralph_reindex", object{"mode": "full", "cancel": true})
	if ans["job_status"] != "cancelled" || ans["cancelled"] != true || w.generation() != before {
		w.t.Errorf("%v; generation %v, was %v", ans, w.generation(), before)
	}
	if w.indexed("func Helper") != 1 {
		w.t.Error("the old index is gone")
	}
}

func oneParse(w *wire) {
	w.settle()
	before := w.generation()
	put(w.t, filepath.Join(w.dir, "lib/lib.go"), "package lib\n\n// Helper helps.\nfunc Helper() int { return 1 }\n")
	jobs := map[any]object{}
	w.until("index of the change", func() bool {
		st := w.must("ralph_index_status", nil)
		if job, ok := st["last_job"].(object); ok {
			jobs[job["job_id"]] = job
		}
		return st["generation"].(float64) > before && st["dirty_paths_count"] == 0.0
	})
	if after := w.generation(); after != before+1 {
		w.t.Errorf("%v generations for one change", after-before)
	}
	for _, job := range jobs {
		if n, _ := job["parse_count"].(float64); n > 1 && job["generation"].(float64) > before {
			w.t.Errorf("%v files were parsed: %v", n, job)
		}
	}
}

func malformed(w *wire) {
	path := filepath.Join(w.dir, "py/bad.py")
	put(w.t, path, "def before():\n    return 1\n\n\ndef after():\n    return before()\n")
	w.refresh()
	put(w.t, path, "def before():\n    return 1\n\n\ndef after(:\n    return before()\n")
	w.refresh()
	if ans := w.graph(object{"query_type": "neighbors", "target": "py/bad.py#before"}); len(ans["nodes"].([]any)) == 0 {
		w.t.Errorf("what parses is lost: %v", ans)
	}
	if st := w.must("ralph_index_status", nil); !strings.Contains(fmt.Sprint(st["odd_files"], st["failed_files"]), "py/bad.py") {
		w.t.Errorf("the file is not reported: %v", st)
	}
	put(w.t, path, "def before():\n    return 1\n\n\ndef healed():\n    return before()\n")
	w.refresh()
	if ans := w.graph(object{"query_type": "neighbors", "target": "healed"}); len(ans["nodes"].([]any)) == 0 {
		w.t.Errorf("the file is not tried again: %v", ans)
	}
	if st := w.must("ralph_index_status", nil); strings.Contains(fmt.Sprint(st["odd_files"], st["failed_files"]), "py/bad.py") {
		w.t.Errorf("the file is still reported: %v", st)
	}
}

func brokenFile(w *wire) {
	put(w.t, filepath.Join(w.dir, "py/broken.py"), "def (((:\n    brokenneedle = 1\n")
	w.refresh()
	if w.indexed("brokenneedle") != 1 {
		w.t.Error("not found")
	}
}

func pathological(w *wire) {
	for name, text := range map[string]string{
		"odd/nested.py":   "x = " + strings.Repeat("(", 50_000) + "1" + strings.Repeat(")", 50_000) + "\n",
		"odd/nested.go":   "package odd\n\nvar x = " + strings.Repeat("[]", 20_000) + "int{}\n",
		"odd/line.ts":     "const a = [" + strings.Repeat("1,", 300_000) + "1]\n",
		"odd/behind.go":   "package odd\n\nfunc Behind() {}\n",
		"odd/z_behind.py": "def behind_py():\n    pass\n",
	} {
		put(w.t, filepath.Join(w.dir, name), text)
	}
	w.refresh()
	for _, target := range []string{"odd.Behind", "behind_py"} {
		if ans := w.graph(object{"query_type": "neighbors", "target": target}); len(ans["nodes"].([]any)) == 0 {
			w.t.Errorf("%s is not indexed: %v", target, ans)
		}
	}
	w.must("delete_path", object{"path": "odd", "recursive": true})
	w.refresh()
}

// Literals of every kind are found through the index where a scan finds them.
func TestTheIndexFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	files := checkFiles()
	files["odd.txt"] = "a->b == c; x.y[0]::z // ñandú £5 \"quoted\" 'it''s'\n\tif (a!=b) { return; }\nformfeed\fhere and\vthere\n"
	w := checkServer(t, files)
	var all []string
	for _, text := range files {
		all = append(all, text)
	}
	slices.Sort(all)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		lines := strings.Split(all[rnd.IntN(len(all))], "\n")
		line := []rune(strings.TrimSuffix(lines[rnd.IntN(len(lines))], "\r"))
		if len(line) == 0 {
			continue
		}
		from := rnd.IntN(len(line))
		args := object{
			"pattern": string(line[from : from+1+rnd.IntN(min(len(line)-from, 12))]), "regex": false,
			"case_sensitive": rnd.IntN(2) == 0, "whole_word": rnd.IntN(3) == 0,
		}
		if args["pattern"] == " " {
			continue
		}
		live := w.must("grep_files", with(args, "use_index", "never"))
		index := w.must("grep_files", with(args, "use_index", "auto"))
		if fmt.Sprint(live["matches"]) != fmt.Sprint(index["matches"]) || live["truncated"] != false {
			t.Errorf("%v: a scan finds %v, the index %v", args, live["matches"], index["matches"])
		}
	}
}

// Two copies of a tree give the same ids in the same order.
func TestTheSameTreeHasTheSameIDs(t *testing.T) {
	t.Parallel()
	first, second := checkServer(t, checkFiles()), checkServer(t, checkFiles())
	for _, c := range []struct {
		tool string
		args object
		part []string
	}{
		{"grep_files", object{"pattern": "a", "return_evidence_ids": true}, []string{"matches", "evidence_ids"}},
		{"grep_files", object{"pattern": "e", "use_index": "never", "return_evidence_ids": true}, []string{"matches", "evidence_ids"}},
		{"grep_files", object{"pattern": "Helper", "rank_by": "hybrid", "graph_target": "lib.Helper"}, []string{"matches", "score_reasons"}},
		{"search_files", object{"pattern": "*", "return_evidence_ids": true, "ranked": true}, []string{"matches", "evidence_ids", "score_reasons"}},
		{"ralph_graph", object{"query_type": "neighbors", "target": "lib.Helper"}, []string{"nodes", "edges", "evidence_ids"}},
		{"ralph_graph", object{"query_type": "hubs"}, []string{"nodes"}},
		{"directory_tree", object{"view": "outline"}, []string{"tree"}},
	} {
		a, b := first.must(c.tool, c.args), second.must(c.tool, c.args)
		for _, field := range c.part {
			if fmt.Sprint(a[field]) != fmt.Sprint(b[field]) || a[field] == nil {
				t.Errorf("%s %v: %s is %v and %v", c.tool, c.args, field, a[field], b[field])
			}
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
