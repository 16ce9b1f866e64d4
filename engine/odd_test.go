package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// nobody is a user without rights of its own.
const nobody = 65534

// asUser reports whether the test runs without the rights of root. Where it has
// them, it is run again in a process that gave them up.
func asUser(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	dir, err := os.MkdirTemp("", "odd") //nolint:usetesting // the other user must get through, and TempDir's parent lets only its owner
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(tmp, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copyExe(t, dir), "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=280s")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "HOME="+tmp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
	return false
}

// deep nests n levels.
func deep(open, inner, end string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

func nestedPython(n int) string {
	var b strings.Builder
	for i := range n / 100 { // indentation grows with the square
		b.WriteString(strings.Repeat(" ", i) + "if needle:\n")
	}
	b.WriteString(strings.Repeat(" ", n/100) + "pass\nx = " + deep("(", "needle", ")", n) + "\n")
	return b.String()
}

func oddFiles() map[string]string {
	const n = 10_000
	return map[string]string{
		"normal.go":         "package odd\n\nfunc Needle() {}\n\nfunc Caller() { Needle() }\n",
		"go.mod":            "module odd\n",
		"min.js":            strings.Repeat("function a(b){return b+needle}var c=[1,2,3];", 2<<20/44),
		"big.log":           strings.Repeat("2024-01-01 INFO nothing to see in this line of the log file\n", 50<<20/60) + "needle\n",
		"binary.bin":        "\x7fELF\x00\xfeneedle\n",
		"late_nul.txt":      strings.Repeat("needle in a text\n", 1<<16) + "\x00",
		"latin.py":          "# caf\xe9 needle\ndef latin(): pass\n",
		"utf16.txt":         "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00",
		"utf16be.txt":       "\xfe\xff\x00n\x00e\x00e\x00d\x00l\x00e",
		"deep.go":           "package odd\n\nvar needle = " + deep("(", "1", ")", n) + "\n\nfunc f() " + deep("{", "", "}", n) + "\n",
		"deep.py":           nestedPython(n),
		"deep.js":           "needle = " + deep("[", "", "]", n) + ";" + deep("function f(){", "", "}", n) + "\n",
		"deep.md":           strings.Repeat("> ", n) + "needle\n\n" + strings.Repeat("#", n) + " x\n" + strings.Repeat("[", n) + "\n",
		"empty.txt":         "",
		"empty.py":          "",
		"new\nline.txt":     "needle\n",
		"bad\xffname.py":    "def needle(): pass\n",
		"bad\xffdir/a.go":   "package a\n\n// needle\nfunc InBadDir() {}\n",
		"secret.txt":        "needle\n",
		"locked/inside.txt": "needle\n",
		"listed/inside.txt": "needle\n",
	}
}

func makeOdd(t *testing.T, s *testSpace) {
	t.Helper()
	for name, text := range oddFiles() {
		s.write(name, text)
	}
	outside := filepath.Join(t.TempDir(), "outside.txt")
	at := func(name string) string { return filepath.Join(s.dir, name) }
	for _, err := range []error{
		os.WriteFile(outside, []byte("needle\n"), 0o644),
		syscall.Mkfifo(at("pipe"), 0o644),
		os.Symlink("nowhere", at("dangling")),
		os.Symlink("loop2", at("loop1")),
		os.Symlink("loop1", at("loop2")),
		os.Symlink(outside, at("outside")),
		os.Symlink(".", at("linkdir")),
		os.Symlink("normal.go", at("link.go")),
		os.Chmod(at("secret.txt"), 0),
		os.Chmod(at("locked"), 0),
		os.Chmod(at("listed"), 0o444),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = os.Chmod(at("locked"), 0o755)
		_ = os.Chmod(at("listed"), 0o755)
	})
}

func TestOddTree(t *testing.T) {
	if !asUser(t) {
		return
	}
	s := &testSpace{t: t, dir: t.TempDir()}
	makeOdd(t, s)
	s.open()
	first := s.reindex(api.ReindexChanged)
	want := []api.FailedFile{{Path: "listed/inside.txt", Reason: "permission"}, {Path: "locked", Reason: "permission"}, {Path: "secret.txt", Reason: "permission"}}
	if first.JobStatus != api.JobOK || !slices.Equal(first.FailedFiles, want) {
		t.Errorf("reindex: %s, failed %+v, want %+v", first.JobStatus, first.FailedFiles, want)
	}
	if again := s.reindex(api.ReindexChanged); again.ParseCount != 0 || again.Generation != first.Generation {
		t.Errorf("second run: %d parsed, generation %d after %d", again.ParseCount, again.Generation, first.Generation)
	}
	st, err := s.Status(t.Context())
	if err != nil || !slices.Equal(st.Failed, want) || st.IsStale || st.Partial == 0 {
		t.Errorf("status: failed %+v, stale %v, partial %d, %v", st.Failed, st.IsStale, st.Partial, err)
	}
	checkOdd(t, st.Odd)
	if got := labels(s.callers("normal.go#Needle", api.Required).Nodes); !slices.Contains(got, "odd.Caller") {
		t.Errorf("callers beside odd files = %q", got)
	}
	t.Run("grep", func(t *testing.T) { oddGrep(t, s) })
	t.Run("read", func(t *testing.T) { oddRead(t, s) })
	t.Run("wire", func(t *testing.T) { oddWire(t, s) })
}

// checkOdd compares what a status says with what makeOdd made.
func checkOdd(t *testing.T, got []api.OddFiles) {
	t.Helper()
	want := map[api.OddKind][]string{
		api.OddUnreadable:  {"listed/inside.txt permission", "locked permission", "secret.txt permission"},
		api.OddBinary:      {"binary.bin", "late_nul.txt"},
		api.OddUTF16:       {"utf16.txt", "utf16be.txt"},
		api.OddInvalidUTF8: {"latin.py"},
		api.OddFIFO:        {"pipe"},
		api.OddDangling:    {"dangling"},
		api.OddLoop:        {"loop1", "loop2"},
		api.OddOutside:     {"outside"},
		api.OddLinkDir:     {"linkdir"},
		api.OddLinkFile:    {"link.go"},
		api.OddEmpty:       {"empty.py", "empty.txt"},
		api.OddLarge:       {"big.log 52428787 bytes", "min.js 2097128 bytes"},
		api.OddName:        {"bad\xffdir/a.go", "bad\xffname.py", "new\nline.txt"},
	}
	structure := map[graph.Path]string{}
	for _, o := range got {
		var names []string
		for _, f := range o.Files {
			names = append(names, strings.TrimSpace(string(f.Path)+" "+f.Reason))
			if (f.SymbolID != "") != !utf8.ValidString(string(f.Path)) {
				t.Errorf("%s: %q has symbol id %q", o.Kind, f.Path, f.SymbolID)
			}
			switch o.Kind {
			case api.OddPartial, api.OddCapped, api.OddFailed:
				structure[f.Path] = f.Reason
			}
		}
		switch o.Kind {
		case api.OddPartial, api.OddCapped, api.OddFailed:
			continue
		}
		if o.Count != len(o.Files) || !slices.Equal(names, want[o.Kind]) {
			t.Errorf("%s: %d, %q, want %q", o.Kind, o.Count, names, want[o.Kind])
		}
		delete(want, o.Kind)
	}
	for kind := range want {
		t.Errorf("no %s in %+v", kind, got)
	}
	for _, p := range []graph.Path{"deep.go", "deep.py", "deep.js"} {
		if structure[p] == "" {
			t.Errorf("nothing is said of the structure of %s: %v", p, structure)
		}
	}
}

func oddGrep(t *testing.T, s *testSpace) {
	skipped := map[string]int{"binary": 2, "utf16": 2, "unreadable": 3, "special": 7}
	for _, pattern := range []string{"needle", "eedl", "Needle", "(", "absent_word", "INFO nothing"} {
		req := api.GrepRequest{Pattern: pattern, CaseSensitive: true, ReturnEvidenceIDs: true}
		indexed, err := s.Grep(t.Context(), &req)
		if err != nil {
			t.Fatal(err)
		}
		req.UseIndex = api.IndexNever
		live, err := s.Grep(t.Context(), &req)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := asJSON(t, indexed.Matches), asJSON(t, live.Matches); a != b {
			t.Errorf("%q: indexed %.2000s\nlive %.2000s", pattern, a, b)
		}
		if pattern == "(" || pattern == "INFO nothing" { // the limit ends those before all was looked at
			continue
		}
		if !maps.Equal(indexed.Skipped, skipped) || !maps.Equal(live.Skipped, skipped) {
			t.Errorf("%q: skipped %v indexed, %v live, want %v", pattern, indexed.Skipped, live.Skipped, skipped)
		}
	}
	ans, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "needle", CaseSensitive: true, ReturnEvidenceIDs: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[graph.Path]bool{}
	for _, m := range ans.Matches {
		found[m.Path] = true
		got, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: m.EvidenceID})
		if err != nil || !utf8.ValidString(got.Content) || got.InvalidUTF8 != (m.Path == "latin.py") {
			t.Errorf("evidence of %q: %+v, %v", m.Path, got, err)
		}
		if (m.PathID != "") != !utf8.ValidString(string(m.Path)) {
			t.Errorf("match in %q has path id %q", m.Path, m.PathID)
		}
		if m.PathID == "" {
			continue
		}
		if whole, err := s.Read(t.Context(), &api.ReadRequest{Symbol: m.PathID}); err != nil || !strings.Contains(whole.Content, "needle") {
			t.Errorf("path id of %q: %+v, %v", m.Path, whole, err)
		}
	}
	for _, p := range []graph.Path{"min.js", "big.log", "latin.py", "deep.go", "deep.py", "deep.js", "deep.md", "new\nline.txt", "bad\xffname.py"} {
		if !found[p] {
			t.Errorf("no match in %q: %v", p, slices.Collect(maps.Keys(found)))
		}
	}
}

func oddRead(t *testing.T, s *testSpace) {
	for path, want := range map[string]api.Code{
		"binary.bin": api.CodeBinary, "utf16.txt": api.CodeBinary, "latin.py": api.CodeBinary, "pipe": api.CodeNotRegular,
		"dangling": api.CodeNotFound, "loop1": api.CodeNotRegular, "outside": api.CodeOutsideRoot, "linkdir": api.CodeNotRegular,
		"secret.txt": api.CodePermission, "locked": api.CodeNotRegular, "locked/inside.txt": api.CodePermission, "absent": api.CodeNotFound,
		"normal.go/": api.CodeNotFound, "normal.go/.": api.CodeNotFound, "linkdir/": api.CodeNotRegular, strings.Repeat("n", 256): api.CodeInvalidParams,
		strings.Repeat("n/", 2048) + "n": api.CodeInvalidParams, "bad\ufffdname.py": api.CodeNotFound,
		"../outside.txt": api.CodeOutsideRoot, "/etc/passwd": api.CodeOutsideRoot, "nul\x00": api.CodeInvalidParams, ".": api.CodeNotRegular,
		"normal.go/x": api.CodeNotFound, "linkdir/normal.go": "", "link.go": "", "empty.txt": "", "new\nline.txt": "", "bad\xffname.py": "",
		"big.log": "", "min.js": "", "late_nul.txt": "",
	} {
		ans, err := s.Read(t.Context(), &api.ReadRequest{Path: path})
		if codeOf(err) != want || (err == nil) != (want == "") {
			t.Errorf("read %q: %v, want %q", path, err, want)
		}
		if err == nil && !utf8.ValidString(ans.Content) {
			t.Errorf("read %q: content is no UTF-8", path)
		}
	}
}

// oddWire asks through a second engine, whose answers come over the socket.
func oddWire(t *testing.T, s *testSpace) {
	other, err := Open(t.Context(), Options{Workspace: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	st, err := other.Status(t.Context())
	if err != nil || st.Leader || st.Degraded != "" {
		t.Fatalf("second engine does not follow: %+v, %v", st, err)
	}
	ask := func(e *Engine) []any {
		grep, err := e.Grep(t.Context(), &api.GrepRequest{Pattern: "needle", CaseSensitive: true, RankBy: api.RankHybrid, ReturnEvidenceIDs: true, GraphContext: true})
		if err != nil {
			t.Fatal(err)
		}
		near, err := e.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "InBadDir"}})
		if err != nil || len(near.Nodes) == 0 {
			t.Fatalf("neighbors in a directory whose name is no UTF-8: %+v, %v", near, err)
		}
		for _, id := range slices.Concat(near.EvidenceIDs, grep.EvidenceIDs) {
			if _, err := e.Read(t.Context(), &api.ReadRequest{EvidenceID: id}); err != nil {
				t.Errorf("evidence %s: %v", id, err)
			}
		}
		grep.LastSweepAt, near.LastSweepAt = 0, 0
		return []any{grep, near}
	}
	here, there := ask(s.Engine), ask(other)
	if a, b := asJSON(t, here), asJSON(t, there); a != b {
		t.Errorf("answers differ over the socket:\n%.3000s\n%.3000s", a, b)
	}
	var out bytes.Buffer
	if err := other.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out.Bytes()) {
		if !utf8.Valid(line) || !json.Valid(line) {
			t.Errorf("export line is no JSON: %q", line)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil || !utf8.Valid(b) {
		t.Fatalf("no JSON in UTF-8: %v", err)
	}
	return strings.ReplaceAll(string(b), "\\ufffd", "\ufffd") // what was no UTF-8 is escaped the first time
}
