package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFilesKeepTheirPromises(t *testing.T) {
	t.Parallel()
	w := checkServer(t, checkFiles())
	for name, check := range map[string]func(w *wire){
		"evidence of a CRLF file reads back, and an edit keeps CRLF":  crlf,
		"a link to a file outside is refused by read and write":       linkOutside,
		"a byte window inside a character answers":                    byteWindow,
		"read_multiple_files with paths reports every file":           everyFile,
		"a ranked listing lists entries with counts":                  rankedListing,
		"changed_only works below the root":                           changedBelow,
		"a role filter finds its match under a small limit":           roleUnderLimit,
		"an evidence id of search_files reads the file back":          searchEvidence,
		"a wrong hash refuses edit and read before anything happens":  wrongHash,
		"stale evidence and stale spans are refused with both hashes": staleIDs,
		"an id of a definition that moved names its new place":        movedID,
		"an id of a definition that is in several places now does":    splitID,
		"edits are all or nothing":                                    allOrNothing,
		"impact of a rename lists the file of a caller elsewhere":     impactElsewhere,
		"tests of a function lists the file that imports it":          testsElsewhere,
		"a path from a class to its method has one step":              classToMethod,
	} {
		t.Run(name, func(t *testing.T) { check(w.in(t)) })
	}
}

func crlf(w *wire) {
	id := w.evidence("beta")[0]
	if got := w.must("read_file", object{"evidence_id": id}); got["content"] != "beta\r\n" {
		w.t.Errorf("reads back %v", got)
	}
	w.must("edit_file", edited("crlf.txt", "alpha\nbeta", "ALPHA\nBETA", nil))
	if text := w.file("crlf.txt"); text != "ALPHA\r\nBETA\r\ngamma\r\n" {
		w.t.Errorf("the file is %q", text)
	}
}

func linkOutside(w *wire) {
	outside := filepath.Join(w.t.TempDir(), "secret")
	writeFile(w.t, outside, "secret\n")
	if err := os.Symlink(outside, filepath.Join(w.dir, "leak")); err != nil {
		w.t.Fatal(err)
	}
	w.rejects("read_file", object{"path": "leak"}, "outside_workspace")
	w.rejects("write_file", object{"path": "leak", "content": "x"}, "outside_workspace")
	w.rejects("edit_file", edited("leak", "secret", "x", nil), "outside_workspace")
	if text, err := os.ReadFile(outside); err != nil || string(text) != "secret\n" {
		w.t.Errorf("the file outside is %q, %v", text, err)
	}
	if n := w.indexed("secret"); n != 0 {
		w.t.Errorf("%d matches outside", n)
	}
}

func byteWindow(w *wire) {
	whole := w.file("uni.txt")
	for offset := range len(whole) {
		for limit := 1; limit < 4; limit++ {
			w.must("read_file", object{"path": "uni.txt", "offset": offset, "limit": limit})
		}
	}
	var all strings.Builder // windows side by side hold each character once
	for offset := 0; offset < len(whole); offset += 2 {
		all.WriteString(w.must("read_file", object{"path": "uni.txt", "offset": offset, "limit": 2})["content"].(string))
	}
	if all.String() != whole {
		w.t.Errorf("the windows are %q", all.String())
	}
}

func everyFile(w *wire) {
	ans := w.must("read_multiple_files", object{"paths": []string{"gone1", "many/b.txt", "gone2", "uni.txt"}})
	var got []string
	for _, f := range ans["files"].([]any) {
		one := f.(object)
		got = append(got, fmt.Sprint(one["path"], one["is_error"]))
	}
	if want := []string{"gone1true", "many/b.txtfalse", "gone2true", "uni.txtfalse"}; !slices.Equal(got, want) {
		w.t.Errorf("got %q", got)
	}
}

func rankedListing(w *wire) {
	ans := w.must("list_directory", object{"path": "py", "view": "ranked"})
	entries := ans["entries"].([]any)
	if len(entries) < 2 || ans["index_used"] != true {
		w.t.Fatalf("got %v", ans)
	}
	first := entries[0].(object)
	if n, _ := first["counts"].(object)["symbols"].(float64); first["path"] != "py/shape.py" || n < 2 {
		w.t.Errorf("first is %v", first)
	}
}

func changedBelow(w *wire) {
	w.must("write_file", object{"path": "many/sub/new.txt", "content": "new\n"})
	ans := w.must("directory_tree", object{"path": "many", "changed_only": true})
	if text := fmt.Sprint(ans["tree"]); !strings.Contains(text, "many/sub/new.txt") || strings.Contains(text, "many/b.txt") {
		w.t.Errorf("got %v", ans)
	}
}

func roleUnderLimit(w *wire) {
	ans := w.must("search_files", object{"pattern": "*", "path": "many", "role": "test", "limit": 1})
	if fmt.Sprint(ans["matches"]) != "[many/c_test.go]" || ans["truncated"] != false {
		w.t.Errorf("got %v", ans)
	}
}

func searchEvidence(w *wire) {
	ans := w.must("search_files", object{"pattern": "uni.txt", "return_evidence_ids": true})
	ids := ans["evidence_ids"].([]any)
	if len(ids) != 1 || w.must("read_file", object{"evidence_id": ids[0]})["content"] != w.file("uni.txt") {
		w.t.Errorf("got %v", ans)
	}
}

func wrongHash(w *wire) {
	before := w.file("many/b.txt")
	for _, c := range []struct {
		tool string
		args object
	}{
		{"read_file", object{"path": "many/b.txt", "expected_content_hash": sha("other")}},
		{"read_file", object{"path": "many/b.txt", "expected_content_hash": sha("other"), "head": 1}},
		{"edit_file", edited("many/b.txt", "b", "x", object{"expected_content_hash": sha("other")})},
		{"edit_file", edited("many/b.txt", "b", "x", object{"expected_content_hash": strings.ToUpper(sha(before))})},
	} {
		e := w.rejects(c.tool, c.args, "stale_evidence")
		if e["reason"] != "content_changed" || e["current_content_hash"] != sha(before) || e["content"] != nil {
			w.t.Errorf("%s: %v", c.tool, e)
		}
	}
	if w.file("many/b.txt") != before {
		w.t.Error("the file was changed")
	}
}

func staleIDs(w *wire) {
	put(w.t, filepath.Join(w.dir, "stale.py"), "def stale_one():\n    return 1\n")
	w.refresh()
	line := w.evidence("return 1")
	id := line[len(line)-1]
	span := w.must("read_file", object{"symbol": "stale_one"})["span_id"]
	before := sha(w.file("stale.py"))
	w.must("edit_file", edited("stale.py", "return 1", "return 2", nil))
	after := sha(w.file("stale.py"))
	for arg, value := range (object{"evidence_id": id, "span_id": span}) {
		e := w.rejects("read_file", object{arg: value}, "stale_evidence")
		expected, _ := e["expected_content_hash"].(string)
		if e["path"] != "stale.py" || e["current_content_hash"] != after || !strings.HasPrefix(before, expected) || expected == "" || e["reason"] != "content_changed" {
			w.t.Errorf("%s: %v", arg, e)
		}
		if now := w.must("read_file", object{"evidence_id": e["replacement_evidence_id"]}); now["content"] != "def stale_one():\n    return 2\n" {
			w.t.Errorf("%s: %v stands for it, which is %v", arg, e["replacement_evidence_id"], now)
		}
		w.rejects("edit_file", edited("stale.py", "return 2", "return 3", object{"target": object{arg: value}}), "stale_evidence")
	}
	if sha(w.file("stale.py")) != after {
		w.t.Error("the file was changed")
	}
}

func movedID(w *wire) {
	put(w.t, filepath.Join(w.dir, "moving.py"), "def first():\n    pass\n\n\ndef moves(a):\n    return a\n")
	w.refresh()
	span := w.must("read_file", object{"symbol": "moves"})["span_id"]
	symbol := w.must("ralph_graph", object{"query_type": "neighbors", "target": "moves"})["metadata"].(object)["resolved_id"]
	// Down the file, with another signature: the symbol's id is another one then.
	w.must("edit_file", edited("moving.py", "def moves(a):", "# moved\ndef moves(a, b):", nil))
	e := w.rejects("read_file", object{"span_id": span}, "stale_evidence")
	now := w.must("read_file", object{"span_id": e["replacement_evidence_id"]})
	if now["content"] != "def moves(a, b):\n    return a\n" || now["start_line"] != 6.0 || e["replacement_symbol"] != "moves" {
		w.t.Errorf("%v; %v", e, now)
	}
	// Into another file.
	w.must("move_file", object{"src": "moving.py", "dest": "moved.py"})
	e = w.rejects("read_file", object{"span_id": e["replacement_evidence_id"]}, "stale_evidence")
	now = w.must("read_file", object{"span_id": e["replacement_evidence_id"]})
	if e["reason"] != "file_missing" || now["path"] != "moved.py" || e["replacement_path"] != "moved.py" {
		w.t.Errorf("%v; %v", e, now)
	}
	w.rejects("read_file", object{"symbol": symbol}, "unknown_evidence")
}

func splitID(w *wire) {
	put(w.t, filepath.Join(w.dir, "whole.py"), "def splits():\n    return 1\n")
	w.refresh()
	span := w.must("read_file", object{"symbol": "splits"})["span_id"]
	for _, name := range []string{"half1.py", "half2.py"} {
		w.must("copy_file", object{"src": "whole.py", "dest": name})
	}
	w.must("delete_path", object{"path": "whole.py"})
	w.refresh()
	e := w.rejects("read_file", object{"span_id": span}, "stale_evidence")
	candidates, _ := e["candidates"].([]any)
	if len(candidates) != 2 || e["replacement_evidence_id"] != nil {
		w.t.Fatalf("got %v", e)
	}
	if now := w.must("read_file", object{"symbol": candidates[1].(object)["symbol_id"]}); now["path"] != "half2.py" {
		w.t.Errorf("the second is %v", now)
	}
}

func allOrNothing(w *wire) {
	before := w.file("docs/readme.md")
	e := w.rejects("edit_file", object{"path": "docs/readme.md", "edits": []any{
		object{"oldText": "Title", "newText": "T"}, object{"oldText": "no such text", "newText": "x"},
	}}, "no_match")
	if e["edit_index"] != 1.0 || w.file("docs/readme.md") != before {
		w.t.Errorf("%v; the file is %q", e, w.file("docs/readme.md"))
	}
}

func impactElsewhere(w *wire) {
	ans := w.graph(object{"query_type": "impact", "target": "lib.Helper", "change_kind": "rename"})
	if !slices.Contains(ans["impacted_files"].([]any), any("use/use.go")) {
		w.t.Errorf("got %v", ans["impacted_files"])
	}
}

func testsElsewhere(w *wire) {
	for target, file := range map[string]string{"lib.Helper": "use/use_test.go", "py/shape.py#make": "py/test_shape.py"} {
		ans := w.graph(object{"query_type": "tests", "target": target})
		if !strings.Contains(fmt.Sprint(ans["suggested_tests"]), file) {
			w.t.Errorf("%s: %v", target, ans["suggested_tests"])
		}
	}
}

func classToMethod(w *wire) {
	ans := w.graph(object{"query_type": "path", "target": "Shape", "target_b": "Shape.area"})
	paths := ans["paths"].([]any)
	if len(paths) == 0 || len(paths[0].([]any)) != 2 {
		w.t.Errorf("got %v", ans)
	}
}
