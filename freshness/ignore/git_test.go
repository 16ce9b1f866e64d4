package ignore_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/freshness/ignore"
)

// judge answers as a walker would: from the root down, one directory at a time.
func judge(t *testing.T, root string, env *ignore.Env, path string, isDir bool) bool {
	t.Helper()
	enter := func(s *ignore.Stack, dir string) *ignore.Stack {
		full := filepath.Join(root, dir)
		var data []byte
		if fi, err := os.Lstat(filepath.Join(full, ".gitignore")); err == nil && fi.Mode().IsRegular() {
			data, _ = os.ReadFile(filepath.Join(full, ".gitignore"))
		}
		_, err := os.Lstat(filepath.Join(full, ".git"))
		return s.Enter(dir, data, dir != "" && err == nil)
	}
	s := enter(env.Root(root), "")
	elems := strings.Split(path, "/")
	for i := range elems {
		sub := strings.Join(elems[:i+1], "/")
		last := i == len(elems)-1
		if s.Ignored(sub, !last || isDir) {
			return true
		}
		if !last {
			s = enter(s, sub)
		}
	}
	return false
}

// repoEnv keeps the machine's own settings out, for git and for us.
func repoEnv(home string) (vars []string, getenv func(string) string) {
	m := map[string]string{"HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}
	for k, v := range m {
		vars = append(vars, k+"="+v)
	}
	return append(vars, "PATH="+os.Getenv("PATH")), func(k string) string { return m[k] }
}

func git(t *testing.T, dir string, env []string, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && (args[0] != "check-ignore" || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("git %q: %v: %s", args, err, errs.String())
	}
	return string(out)
}

// compare asks git and us about everything below root and reports differences.
func compare(t *testing.T, root string, vars []string, getenv func(string) string) {
	t.Helper()
	type item struct {
		path string
		dir  bool
	}
	var items []item
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if rel, _ := filepath.Rel(root, p); rel != "." {
			items = append(items, item{rel, d.IsDir()})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var stdin strings.Builder
	for _, it := range items {
		stdin.WriteString(it.path + "\x00")
	}
	want := map[string]bool{}
	for _, p := range strings.Split(git(t, root, vars, stdin.String(), "check-ignore", "--no-index", "-z", "--stdin"), "\x00") {
		want[p] = true
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	env := ignore.NewEnv(getenv)
	for _, it := range items {
		if got := judge(t, real, env, it.path, it.dir); got != want[it.path] {
			t.Errorf("%q (dir=%v): ignored=%v, git says %v\n%s", it.path, it.dir, got, want[it.path], dump(root))
			return
		}
	}
}

// dump shows the rule files of a tree that failed.
func dump(root string) string {
	var b strings.Builder
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && (d.Name() == ".gitignore" || strings.HasSuffix(p, "info/exclude")) {
			data, _ := os.ReadFile(p)
			rel, _ := filepath.Rel(root, p)
			fmt.Fprintf(&b, "%s: %q\n", rel, data)
		}
		return nil
	})
	return b.String()
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// generator makes names and patterns that meet often: both from few letters.
type generator struct{ *rand.Rand }

func (g generator) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g generator) name() string {
	return g.pick("a", "b", "ab", "abc", "a.b", "a.c", "b.o", "foo", "foo.o", "bar", "Foo", "a-b", "a b", "b ", "[a]", "!x", "#y", "a]", "x\\y", "é", "a\tb", "-", "build", "A", "_1")
}

func (g generator) atom() string {
	return g.pick("a", "b", "c", "o", ".", "foo", "ab", "*", "*", "**", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a\\]]",
		"[[:alpha:]]", "[[:upper:]]", "[[:nope:]]", "[a", "[[:digit:]_]", "[-a]", "[a-]", "[\\a-c]", "\\*", "\\a", "\\", " ", "\\ ", "***", "é", "\t", "#", "!", "x\\\\y", "[[:a]", "[b-a]", "A", "[A-C]", "[AB]", "\\A", "[[]a]", "-", "build", "\r")
}

func (g generator) pattern() string {
	var b strings.Builder
	if g.IntN(5) == 0 {
		b.WriteString("!")
	}
	if g.IntN(5) == 0 {
		b.WriteString("/")
	}
	for i := range 1 + g.IntN(3) {
		if i > 0 {
			b.WriteString("/")
		}
		switch g.IntN(4) {
		case 0:
			b.WriteString(g.name())
		case 1:
			b.WriteString("**")
		default:
			for range 1 + g.IntN(3) {
				b.WriteString(g.atom())
			}
		}
	}
	if g.IntN(4) == 0 {
		b.WriteString("/")
	}
	if g.IntN(8) == 0 {
		b.WriteString(g.pick(" ", "  ", "\\ ", "\t", "\r", "//", " \\"))
	}
	return b.String()
}

func (g generator) file() string {
	lines := make([]string, 1+g.IntN(6))
	for i := range lines {
		lines[i] = g.pattern()
	}
	if g.IntN(8) == 0 {
		lines = append(lines, "# comment", "", "   ")
	}
	text := strings.Join(lines, g.pick("\n", "\n", "\n", "\r\n"))
	if g.IntN(2) == 0 {
		text += "\n"
	}
	if g.IntN(10) == 0 {
		text = "\xef\xbb\xbf" + text
	}
	return text
}

func (g generator) tree(t *testing.T, root string) {
	dirs := []string{""}
	for range 8 {
		d := filepath.Join(dirs[g.IntN(len(dirs))], g.name())
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err == nil {
			dirs = append(dirs, d)
		}
	}
	sort.Strings(dirs)
	for range 25 {
		p := filepath.Join(root, dirs[g.IntN(len(dirs))], g.name())
		if _, err := os.Lstat(p); err != nil {
			write(t, p, "")
		}
	}
	for _, d := range dirs {
		if d == "" || g.IntN(3) == 0 {
			write(t, filepath.Join(root, d, ".gitignore"), g.file())
		}
	}
}

func TestAgreesWithGit(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := generator{rand.New(rand.NewPCG(uint64(seed), 7))}
			root, home := t.TempDir(), t.TempDir()
			vars, getenv := repoEnv(home)
			git(t, root, vars, "", "init", "-q")
			g.tree(t, root)
			if g.IntN(3) == 0 {
				write(t, filepath.Join(root, ".git/info/exclude"), g.file())
			}
			if g.IntN(3) == 0 {
				write(t, filepath.Join(home, ".config/git/ignore"), g.file())
			}
			if g.IntN(4) == 0 {
				git(t, root, vars, "", "config", "core.ignoreCase", "true")
			}
			// Several rule files over one tree cost git less than several trees.
			for range 5 {
				compare(t, root, vars, getenv)
				write(t, filepath.Join(root, ".gitignore"), g.file())
			}
		})
	}
}
