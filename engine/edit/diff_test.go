package edit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// patch applies a unified diff of one file, and wants every line and number right.
func patch(text, diff string) (string, error) {
	if diff == "" {
		return text, nil
	}
	old := splitLines([]byte(text))
	var out strings.Builder
	next := 0
	lines := strings.SplitAfter(diff, "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ ") {
		return "", errors.New("no header")
	}
	lines = lines[2:]
	produced := 0
	var wantOld, wantNew int
	for i := 0; i < len(lines) && lines[i] != ""; i++ {
		line := lines[i]
		if strings.HasPrefix(line, "@@ ") {
			if wantOld != 0 || wantNew != 0 {
				return "", fmt.Errorf("hunk lacks %d and %d lines", wantOld, wantNew)
			}
			fields := strings.Fields(line)
			from, n := numbers(fields[1])
			to, m := numbers(fields[2])
			for next < from {
				out.Write(old[next])
				next++
				produced++
			}
			if produced != to {
				return "", fmt.Errorf("hunk %q begins at line %d of the new text", line, produced)
			}
			wantOld, wantNew = n, m
			continue
		}
		body := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\ No newline at end of file\n") {
			body = strings.TrimSuffix(body, "\n")
			i++
		}
		if line[0] != '+' {
			if next >= len(old) || string(old[next]) != body {
				return "", fmt.Errorf("line %d is not %q", next+1, body)
			}
			next++
			wantOld--
		}
		if line[0] != '-' {
			out.WriteString(body)
			produced++
			wantNew--
		}
	}
	if wantOld != 0 || wantNew != 0 {
		return "", fmt.Errorf("hunk lacks %d and %d lines", wantOld, wantNew)
	}
	for ; next < len(old); next++ {
		out.Write(old[next])
	}
	return out.String(), nil
}

// numbers reads "-3,4" as lines to skip, and lines.
func numbers(s string) (skip, n int) {
	from, count, found := strings.Cut(s[1:], ",")
	n = 1
	if found {
		n, _ = strconv.Atoi(count)
	}
	skip, _ = strconv.Atoi(from)
	if n > 0 {
		skip--
	}
	return skip, n
}

func TestDiff(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing": {"a\n", "a\n", ""},
		"a line": {
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
		},
		"the only line":     {"a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
		"of nothing":        {"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"to nothing":        {"a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		"no final newline":  {"a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		"one is added":      {"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		"one is taken":      {"a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		"in the context":    {"a\nb", "x\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"},
		"carriage returns":  {"a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		"new lines only":    {"\n\n", "\n\n\n", "@@ -1,2 +1,3 @@\n \n \n+\n"},
		"small ones inside": {"a\nb\nc\nd\n", "x\nb\nc\ny\n", "@@ -1,4 +1,4 @@\n-a\n+x\n b\n c\n-d\n+y\n"},
		"far apart": {
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
			"@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n",
		},
		"near enough": {
			"1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n",
			"@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n",
		},
	} {
		want := c.want
		if want != "" {
			want = "--- a/dir/f.go\n+++ b/dir/f.go\n" + want
		}
		got := Diff("dir/f.go", []byte(c.before), []byte(c.after), whole(c.before, c.after))
		if got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", name, got, want)
		}
	}
}

// whole says that everything changed.
func whole(before, after string) []Change {
	return changes([]byte(before), []byte(after), []span{{Range{0, len(before)}, Range{0, len(after)}}})
}

func TestDiffOfFarApartEdits(t *testing.T) {
	text := strings.Repeat("line\n", 1000) + "end\n"
	req := Request{Edits: []Edit{{"line\n", "first\n"}, {"end", "last"}}}
	r, err := apply(t, text, req)
	if err != nil {
		t.Fatal(err)
	}
	want := "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-line\n+first\n line\n line\n line\n" +
		"@@ -998,4 +998,4 @@\n line\n line\n line\n-end\n+last\n"
	if got := Diff("f", []byte(text), r.Text, r.Changes); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestScriptIsShortest compares with the table of longest common subsequences.
func TestScriptIsShortest(t *testing.T) {
	r := random{rand.New(rand.NewPCG(3, 4))}
	for range 10_000 {
		a, b := splitLines([]byte(r.text(10, "a\n", "b\n", "c\n"))), splitLines([]byte(r.text(10, "a\n", "b\n", "c\n")))
		common := make([][]int, len(a)+1)
		for i := range common {
			common[i] = make([]int, len(b)+1)
		}
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				common[i][j] = max(common[i+1][j], common[i][j+1])
				if bytes.Equal(a[i], b[j]) {
					common[i][j] = common[i+1][j+1] + 1
				}
			}
		}
		var out [][]byte
		cost, last := 0, 0
		for _, e := range compareLines(a, b) {
			out = append(append(out, a[last:e.from]...), b[e.newFrom:e.newTo]...)
			cost += e.to - e.from + e.newTo - e.newFrom
			last = e.to
		}
		out = append(out, a[last:]...)
		if got, want := bytes.Join(out, nil), bytes.Join(b, nil); !bytes.Equal(got, want) {
			t.Fatalf("%q to %q: the script makes %q", a, b, got)
		}
		if want := len(a) + len(b) - 2*common[0][0]; cost != want {
			t.Fatalf("%q to %q: the script costs %d, want %d", a, b, cost, want)
		}
	}
}

func TestLongScriptsAreCutShort(t *testing.T) {
	var a, b [][]byte
	for i := range 3 * mostSteps {
		a, b = append(a, fmt.Appendf(nil, "a%d\n", i)), append(b, fmt.Appendf(nil, "b%d\n", i))
	}
	a[0], b[0] = []byte("same\n"), []byte("same\n")
	if got := compareLines(a, b); len(got) != 1 || got[0] != (lineEdit{1, len(a), 1, len(b)}) {
		t.Errorf("got %v", got)
	}
}

// TestGitApplies makes files and edits of every kind that may trouble git, and has it
// apply all diffs at once.
func TestGitApplies(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	r := random{rand.New(rand.NewPCG(5, 6))}
	dir := t.TempDir()
	want := map[string]string{}
	var patches strings.Builder
	for i := range 1500 {
		name := fmt.Sprintf("%d%s", i, []string{"", " b", ".go", "é", "\"q\"", "\\n", "\t", " -- a.b "}[i%8])
		before, after := sample(t, r, i)
		if before.text == after.text {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(before.text), 0o600); err != nil {
			t.Fatal(err)
		}
		patches.WriteString(Diff(name, []byte(before.text), []byte(after.text), after.changes))
		want[name] = after.text
	}
	cmd := exec.CommandContext(t.Context(), git, "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(patches.String())
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != text {
			t.Errorf("%q: git makes %q (%v), want %q", name, got, err, text)
		}
	}
	if len(want) < 1000 {
		t.Errorf("only %d diffs", len(want))
	}
}

type version struct {
	text    string
	changes []Change
}

// sample makes a text and what becomes of it: by edits, or by having it replaced whole.
func sample(t *testing.T, r random, i int) (before, after *version) {
	t.Helper()
	parts := []string{"a", "b", "\n", "\n", "\n", "\r\n", "\r", " ", "-", "+", "@@ -1 +1 @@\n", "\\ No newline\n", "é"}
	if i%4 == 0 {
		parts = []string{"\n", "\r\n"}
	}
	text := r.text(40, parts...)
	if i%3 == 0 {
		other := r.text(40, parts...)
		return &version{text: text}, &version{other, whole(text, other)}
	}
	for range 10 {
		res, err := apply(t, text, r.request(text))
		if err == nil && string(res.Text) != text {
			return &version{text: text}, &version{string(res.Text), res.Changes}
		}
	}
	return &version{text: text}, &version{text + "x", whole(text, text+"x")}
}
