package workspace

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// base is a temporary directory by its real name.
func base(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, dir string, roots ...string) *Workspace {
	t.Helper()
	w, err := Open(dir, Options{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestFind(t *testing.T) {
	b := base(t)
	for _, d := range []string{"home/proj/sub", "home/loose/sub", "env", "flag", "wt/sub", "plain/sub/deep", "plain/repo/sub",
		"plain/" + IndexDir, "home/" + IndexDir, "wt/sub/" + IndexDir} {
		if err := os.MkdirAll(filepath.Join(b, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(b, "home/.git/HEAD"), "")
	write(t, filepath.Join(b, "home/proj/.git/HEAD"), "")
	write(t, filepath.Join(b, "wt/.git"), "gitdir: elsewhere\n")
	write(t, filepath.Join(b, "plain/repo/.git/HEAD"), "")
	if err := os.Symlink("home", filepath.Join(b, "alias")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, flag, cwd string
		env             map[string]string
		want            string
		src             Source
		err             error
	}{
		{name: "flag first", flag: "../flag", cwd: "home", env: map[string]string{"RALPH_WORKSPACE": "env"}, want: "flag", src: FromFlag},
		{name: "environment", cwd: "home/proj", env: map[string]string{"RALPH_WORKSPACE": b + "/env", "CLAUDE_PROJECT_DIR": b + "/flag"}, want: "env", src: FromEnv},
		{name: "client's variable", cwd: "home/proj", env: map[string]string{"CLAUDE_PROJECT_DIR": b + "/flag"}, want: "flag", src: FromEnv},
		{name: "repository", cwd: "home/proj/sub", want: "home/proj", src: FromRepository},
		{name: "worktree", cwd: "wt/sub", want: "wt", src: FromRepository},
		{name: "index above", cwd: "plain/sub/deep", want: "plain", src: FromIndex},
		{name: "repository below an index", cwd: "plain/repo/sub", want: "plain/repo", src: FromRepository},
		{name: "repository above an index", cwd: "wt/sub", want: "wt", src: FromRepository},
		{name: "a repository or an index at home is passed over", cwd: "home/loose/sub", want: "home/loose/sub", src: FromCwd},
		{name: "current directory", cwd: "env", want: "env", src: FromCwd},
		{name: "home by flag", flag: ".", cwd: "home", src: FromFlag, err: ErrRefused},
		{name: "home by another name", flag: b + "/alias", cwd: "env", src: FromFlag, err: ErrRefused},
		{name: "home as current directory", cwd: "home", src: FromCwd, err: ErrRefused},
		{name: "root", cwd: "/", src: FromCwd, err: ErrRefused},
		{name: "root by environment", cwd: "env", env: map[string]string{"RALPH_WORKSPACE": "/proc/self/root"}, src: FromEnv, err: ErrRefused},
		{name: "missing", flag: "nowhere", cwd: "env", src: FromFlag, err: os.ErrNotExist},
		{name: "file", flag: "wt/.git", cwd: "", src: FromFlag, err: errNotDir},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cwd := tt.cwd
			if cwd != "/" {
				cwd = filepath.Join(b, cwd)
			}
			got, src, err := Find(Query{Flag: tt.flag, Cwd: cwd, Getenv: func(k string) string {
				if k == "HOME" {
					return filepath.Join(b, "home")
				}
				return tt.env[k]
			}})
			if !errors.Is(err, tt.err) || (tt.err == nil) != (err == nil) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			want := ""
			if tt.err == nil {
				want = filepath.Join(b, tt.want)
			}
			if got != want || src != tt.src {
				t.Fatalf("%q from %s, want %q from %s", got, src, want, tt.src)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	b := base(t)
	for _, d := range []string{"a", "a_evil", "extra/deep", "real"} {
		write(t, filepath.Join(b, d, "x"), "")
	}
	if err := os.Symlink("real", filepath.Join(b, "given")); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"alias": "a", "deeper/alias": "../alias", "evil": "a_evil", "into": "a/d"} {
		write(t, filepath.Join(b, "deeper/x"), "")
		if err := os.Symlink(to, filepath.Join(b, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, filepath.Join(b, "a"), filepath.Join(b, "extra"), filepath.Join(b, "extra/deep"), filepath.Join(b, "given"))
	for in, want := range map[string]struct {
		root string
		path graph.Path
		err  error
	}{
		"":                      {"a", "", nil},
		".":                     {"a", "", nil},
		"x":                     {"a", "x", nil},
		"./d//e/../x/":          {"a", "d/x", nil},
		"d/../../a/x":           {"a", "x", nil},
		b + "/a":                {"a", "", nil},
		b + "/a/d/x":            {"a", "d/x", nil},
		b + "/alias":            {"a", "", nil},
		b + "/alias/d/new":      {"a", "d/new", nil},
		b + "/deeper/alias/x":   {"a", "x", nil},
		b + "/alias/../evil/x":  {"", "", ErrOutside},
		b + "/evil/x":           {"", "", ErrOutside},
		b + "/into/x":           {"", "", ErrOutside},
		"../alias/x":            {"", "", ErrOutside},
		b + "/extra/y":          {"extra", "y", nil},
		b + "/extra/deep/y":     {"extra/deep", "y", nil},
		b + "/extra/deep/../y":  {"extra", "y", nil},
		"../extra/y":            {"extra", "y", nil},
		b + "/given/y":          {"real", "y", nil},
		b + "/real/y":           {"real", "y", nil},
		" x ":                   {"a", " x ", nil},
		"~/x":                   {"a", "~/x", nil},
		"%2e%2e/x":              {"a", "%2e%2e/x", nil},
		`..\x`:                  {"a", `..\x`, nil},
		`"x"`:                   {"a", `"x"`, nil},
		"...":                   {"a", "...", nil},
		"..":                    {err: ErrOutside},
		"../x":                  {err: ErrOutside},
		"d/../../x":             {err: ErrOutside},
		"/":                     {err: ErrOutside},
		"/etc/passwd":           {err: ErrOutside},
		b + "/a_evil/x":         {err: ErrOutside},
		b + "/a/../a_evil/x":    {err: ErrOutside},
		b + "/a\x00/x":          {err: ErrInvalid},
		"\x00":                  {err: ErrInvalid},
		"//" + b + "/a/x":       {"a", "x", nil},
		b + "/extra/../a_evil":  {err: ErrOutside},
		b + "/extrax":           {err: ErrOutside},
		"../" + "a" + "_evil/x": {err: ErrOutside},
	} {
		root, p, err := w.Resolve(in)
		if want.err != nil {
			if !errors.Is(err, want.err) {
				t.Errorf("%q: %v, want %v", in, err, want.err)
			}
			continue
		}
		if err != nil || root.Path != filepath.Join(b, want.root) || p != want.path {
			t.Errorf("%q: %+v %q, %v; want %s %q", in, root, p, err, want.root, want.path)
		}
	}
	if r := w.Roots(); len(r) != 4 || !r[0].Index || r[1].Index || w.Dir() != r[0].Path || w.Tree() != r[0].Tree {
		t.Errorf("roots %+v", r)
	}
}

// Whatever is asked for, what is resolved lies in its root.
func TestResolveStaysInside(t *testing.T) {
	b := base(t)
	write(t, filepath.Join(b, "w/x"), "")
	w := open(t, filepath.Join(b, "w"))
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{"..", ".", "", "w", "x", b, "/", "w_", "../w", "a/../..", "\\", "..."}
	inside := 0
	for range 20_000 {
		var in strings.Builder
		for range 1 + r.IntN(6) {
			in.WriteString(parts[r.IntN(len(parts))])
			if r.IntN(4) > 0 {
				in.WriteString("/")
			}
		}
		root, p, err := w.Resolve(in.String())
		if err != nil {
			continue
		}
		inside++
		full := filepath.Join(root.Path, string(p))
		if full != root.Path && !strings.HasPrefix(full, root.Path+"/") || strings.HasPrefix(string(p), "/") || p != "" && filepath.Clean(string(p)) != string(p) {
			t.Fatalf("%q resolves to %q in %s", in.String(), p, root.Path)
		}
	}
	if inside < 1000 {
		t.Fatalf("only %d inputs resolved", inside)
	}
}

func FuzzResolve(f *testing.F) {
	dir := f.TempDir()
	w, err := Open(dir, Options{})
	if err != nil {
		f.Fatal(err)
	}
	defer w.Close()
	for _, s := range []string{"a/b", "../x", "/etc", "a/../../b", "./.", dir + "/../x", "\x00", "a//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		root, p, err := w.Resolve(in)
		if err == nil && p != "" {
			if c := filepath.Clean(string(p)); c != string(p) || filepath.IsAbs(c) || c == ".." || strings.HasPrefix(c, "../") {
				t.Fatalf("%q resolves to %q in %s", in, p, root.Path)
			}
		}
	})
}

func TestReadAndStat(t *testing.T) {
	b := base(t)
	write(t, filepath.Join(b, "w/.gitignore"), "ignored\n")
	write(t, filepath.Join(b, "w/ignored/f"), "yes")
	write(t, filepath.Join(b, "outside"), "no")
	if err := unix.Mkfifo(filepath.Join(b, "w/fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"in": "ignored", "out": "../outside", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(b, "w", name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, filepath.Join(b, "w"))
	for in, want := range map[string]error{
		"ignored/f": nil, "in/f": nil, "fifo": tree.ErrSpecial, "ignored": tree.ErrIsDir, "in": tree.ErrIsDir, "none": tree.ErrNotExist,
		"out": tree.ErrOutside, "up/outside": tree.ErrOutside, strings.Repeat("n", 300): tree.ErrInvalid,
	} {
		root, p, err := w.Resolve(in)
		if err != nil {
			t.Fatal(err)
		}
		data, _, err := root.Read(p, nil)
		if !errors.Is(err, want) || want == nil && string(data) != "yes" {
			t.Errorf("read %.20q: %q, %v; want %v", in, data, err, want)
		}
		e, err := root.Stat(p)
		if want == nil && (err != nil || e.Type != tree.File || e.Sig.Size != 3) {
			t.Errorf("stat %q: %+v, %v", in, e, err)
		}
	}
}

// noExcludes keeps what the user of the test excludes everywhere out of it, and
// returns the file that would say so.
func noExcludes(t *testing.T) string {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "none"))
	t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(dir, "none"))
	return filepath.Join(dir, "git", "ignore")
}

func TestIgnoreCoverage(t *testing.T) {
	noExcludes(t)
	for content, rule := range map[string]string{
		"": "", "*.o\n# .agent/\n": "", "x\n .agent/ \r\n": ".agent/", ".agent": ".agent", "/.agent/\n.agent/ralph-explore/": "/.agent/",
		".agent/ralph-explore/\n": ".agent/ralph-explore/", "!.agent/": "",
		".agent/\n!.agent/\n": "", "!.agent/\n.agent/\n": ".agent/", "/.agent\n!.agent/\n/.agent/*\n": "/.agent/*", ".agents/": "", "a/.agent/": "",
	} {
		dir := base(t)
		if content != "" {
			write(t, filepath.Join(dir, ".gitignore"), content)
		}
		c := open(t, dir).IgnoreCoverage()
		if c.Rule != rule || c.Present != (rule != "") || c.File != filepath.Join(dir, ".gitignore") {
			t.Errorf("%q: %+v", content, c)
		}
	}
}

func TestIgnoreCoverageOfExclude(t *testing.T) {
	global := noExcludes(t)
	for _, c := range []struct{ global, exclude, ignored, rule, file string }{
		{"", "# of this clone\n/.agent\n", "", "/.agent", ".git/info/exclude"},
		{"", "/.agent\n", "*.o\n", "/.agent", ".git/info/exclude"},
		{"", "/.agent\n", "!.agent/\n", "", ".gitignore"},
		{"", "/.agent\n", ".agent/\n", ".agent/", ".gitignore"},
		{"", "/.agent\n", "/.agent\n", "/.agent", ".gitignore"},
		{"*.o\n", "", "", "", ".gitignore"},
		{".agent/\n", "", "*.o\n", ".agent/", "global"},
		{".agent/\n", "!.agent\n", "", "", ".gitignore"},
		{".agent/\n", "!.agent\n.agent\n", "", ".agent", ".git/info/exclude"},
	} {
		dir := base(t)
		write(t, global, c.global)
		write(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/main\n")
		if err := os.Mkdir(filepath.Join(dir, ".git/objects"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, ".git/info/exclude"), c.exclude)
		if c.ignored != "" {
			write(t, filepath.Join(dir, ".gitignore"), c.ignored)
		}
		want := filepath.Join(dir, c.file)
		if c.file == "global" {
			want = global
		}
		if got := open(t, dir).IgnoreCoverage(); got.Rule != c.rule || got.Present != (c.rule != "") || got.File != want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	// Where there is no repository, the user's excludes count too, as for what is indexed;
	// below the top of one, paths of the excludes are not those of the workspace.
	write(t, global, "/.agent\n")
	dir := base(t)
	if got := open(t, dir).IgnoreCoverage(); got.File != global {
		t.Errorf("no repository: %+v", got)
	}
	write(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, ".git/objects/x"), "")
	write(t, filepath.Join(dir, "sub/x"), "")
	if got := open(t, filepath.Join(dir, "sub")).IgnoreCoverage(); got.Present || got.File != filepath.Join(dir, "sub/.gitignore") {
		t.Errorf("below the top: %+v", got)
	}
}

func TestOpenFails(t *testing.T) {
	dir := base(t)
	for _, roots := range [][]string{{filepath.Join(dir, "none")}, {dir, filepath.Join(dir, "none")}} {
		if w, err := Open(roots[0], Options{Roots: roots[1:]}); err == nil || w != nil {
			t.Errorf("%v opens: %v", roots, fmt.Sprint(w))
		}
	}
}
