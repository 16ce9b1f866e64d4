package workspace

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v %s", args, err, out)
	}
}

func changedIn(t *testing.T, dir string) (map[graph.Path]bool, error) {
	t.Helper()
	w, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.Changed(t.Context(), w.Roots()[0])
}

func TestChanged(t *testing.T) {
	dir := base(t)
	if got, err := changedIn(t, dir); err == nil {
		t.Errorf("without a repository: %v", got)
	}
	runGit(t, dir, "init", "-q")
	for _, p := range []string{"kept", "edited", "gone", "moved", "sub/edited", "sub/kept", "odd \"é\n name"} {
		write(t, filepath.Join(dir, p), "as it was\n")
	}
	write(t, filepath.Join(dir, ".gitignore"), "ignored/\n")
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "all")
	if got, err := changedIn(t, dir); err != nil || len(got) != 0 {
		t.Errorf("nothing changed: %v, %v", got, err)
	}
	for _, p := range []string{"edited", "new", "sub/edited", "sub/deep/new", "ignored/new", "odd \"é\n name"} {
		write(t, filepath.Join(dir, p), "as it is\n")
	}
	runGit(t, dir, "rm", "-q", "gone")
	runGit(t, dir, "mv", "moved", "there")
	for at, want := range map[string]string{
		"":    "edited gone moved new odd \"é\n name sub/deep/new sub/edited there",
		"sub": "deep/new edited",
	} {
		got, err := changedIn(t, filepath.Join(dir, at))
		var paths []string
		for _, p := range slices.Sorted(maps.Keys(got)) {
			paths = append(paths, string(p))
		}
		if s := strings.Join(paths, " "); err != nil || s != want {
			t.Errorf("in %q: %q, %v; want %q", at, s, err, want)
		}
	}
}

// What a repository's configuration has git run is not run.
func TestChangedRunsNothing(t *testing.T) {
	dir := base(t)
	canary := filepath.Join(dir, "canary")
	runGit(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "f"), "one\n")
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "all")
	touch := "touch " + canary
	for _, c := range [][]string{
		{"core.fsmonitor", touch}, {"filter.x.clean", touch}, {"filter.x.process", touch}, {"filter.a=b.clean", touch}, {"filter.x.required", "true"},
	} {
		runGit(t, dir, "config", c[0], c[1])
	}
	hook := filepath.Join(dir, ".git/hooks/post-index-change")
	write(t, hook, "#!/bin/sh\n"+touch+"\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".git/info/attributes"), "f filter=x\ng filter=a=b\n")
	write(t, filepath.Join(dir, "f"), "two\n") // of the same size: git has to look
	write(t, filepath.Join(dir, "g"), "new\n")
	got, err := changedIn(t, dir)
	if err != nil || !got["f"] || !got["g"] {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := os.Lstat(canary); err == nil {
		t.Error("a program was run")
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add([]byte(" M sub/a\x00?? sub/new dir/\x00D  b\x00"), "sub/")
	f.Add([]byte("\x00\x00 M \x00XY"), "")
	f.Fuzz(func(t *testing.T, out []byte, prefix string) {
		for p := range parseStatus(out, prefix) {
			if p == "" || strings.ContainsRune(string(p), 0) || !strings.Contains(string(out), prefix+string(p)) {
				t.Errorf("%q, %q: path %q", out, prefix, p)
			}
		}
	})
}
