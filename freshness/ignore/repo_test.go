package ignore_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
)

// fill makes the files that the cases below judge.
func fill(t *testing.T, root string) {
	t.Helper()
	for _, n := range []string{"a.log", "b.tmp", "c.o", "Keep", "d/a.log", "d/e/b.tmp", "d/e/c.o", "build/x", "d/build/x"} {
		write(t, filepath.Join(root, n), "")
	}
}

func commit(t *testing.T, root string, env []string) {
	t.Helper()
	git(t, root, env, "", "init", "-q")
	write(t, filepath.Join(root, "seed"), "")
	git(t, root, env, "", "add", "seed")
	git(t, root, env, "", "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "seed")
}

func TestGlobalExcludes(t *testing.T) {
	for name, setup := range map[string]func(t *testing.T, home string){
		"default": func(t *testing.T, home string) {
			write(t, filepath.Join(home, ".config/git/ignore"), "*.log\n/build/\n")
		},
		"configured": func(t *testing.T, home string) {
			write(t, filepath.Join(home, ".gitconfig"), "[core]\n\texcludesFile = \"~/my ignore\" ; where\n")
			write(t, filepath.Join(home, "my ignore"), "*.tmp\n")
			write(t, filepath.Join(home, ".config/git/ignore"), "*.log\n")
		},
		"later file wins": func(t *testing.T, home string) {
			write(t, filepath.Join(home, ".config/git/config"), "[core] excludesFile = ~/a\n")
			write(t, filepath.Join(home, ".gitconfig"), "[CORE]\nExcludesFile = ~/b\n")
			write(t, filepath.Join(home, "a"), "*.tmp\n")
			write(t, filepath.Join(home, "b"), "*.log\n")
		},
		"included": func(t *testing.T, home string) {
			write(t, filepath.Join(home, ".gitconfig"), "[include]\n\tpath = more\n[alias]\n\tx = \"!f() { # [core] }\"\n")
			write(t, filepath.Join(home, "more"), "[core]\n\texcludesfile = "+home+"/g\\\ng\n")
			write(t, filepath.Join(home, "gg"), "*.o\n")
		},
		"emptied": func(t *testing.T, home string) {
			write(t, filepath.Join(home, ".gitconfig"), "[core]\n\texcludesFile =\n")
			write(t, filepath.Join(home, ".config/git/ignore"), "*.log\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, home := t.TempDir(), t.TempDir()
			setup(t, home)
			vars, getenv := repoEnv(home)
			git(t, root, vars, "", "init", "-q")
			fill(t, root)
			write(t, filepath.Join(root, "d/.gitignore"), "!a.log\n")
			compare(t, root, vars, getenv)
		})
	}
}

func TestRepositoryOverridesUser(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	vars, getenv := repoEnv(home)
	git(t, root, vars, "", "init", "-q")
	fill(t, root)
	write(t, filepath.Join(home, ".config/git/ignore"), "*.log\n")
	write(t, filepath.Join(home, "other"), "*.TMP\nkeep\n")
	git(t, root, vars, "", "config", "core.excludesFile", "~/other")
	git(t, root, vars, "", "config", "core.ignoreCase", "true")
	write(t, filepath.Join(root, ".git/info/exclude"), "*.o\n!/c.o\n")
	compare(t, root, vars, getenv)
}

func TestWorktreeAndSubmodule(t *testing.T) {
	top, home := t.TempDir(), t.TempDir()
	vars, getenv := repoEnv(home)
	main := filepath.Join(top, "main")
	if err := os.Mkdir(main, 0o755); err != nil {
		t.Fatal(err)
	}
	commit(t, main, vars)
	write(t, filepath.Join(main, ".git/info/exclude"), "*.log\n")

	tree := filepath.Join(top, "tree")
	git(t, main, vars, "", "worktree", "add", "-q", tree)
	if fi, err := os.Lstat(filepath.Join(tree, ".git")); err != nil || !fi.Mode().IsRegular() {
		t.Fatalf("a worktree has no .git file: %v", err)
	}
	fill(t, tree)
	write(t, filepath.Join(tree, ".gitignore"), "build/\n")
	compare(t, tree, vars, getenv)

	// As a submodule: git answers for it from its own top, we from the outer one.
	outer := filepath.Join(top, "outer")
	if err := os.Mkdir(outer, 0o755); err != nil {
		t.Fatal(err)
	}
	commit(t, outer, vars)
	git(t, outer, append(vars, "GIT_ALLOW_PROTOCOL=file"), "", "submodule", "--quiet", "add", main, "sub")
	sub := filepath.Join(outer, "sub")
	fill(t, sub)
	write(t, filepath.Join(outer, ".gitignore"), "*.o\n")
	write(t, filepath.Join(outer, ".git/modules/sub/info/exclude"), "*.tmp\n")
	write(t, filepath.Join(sub, ".gitignore"), "/build\n")
	compare(t, sub, vars, getenv)
	env := ignore.NewEnv(getenv)
	for path, want := range map[string]bool{"sub/c.o": false, "sub/b.tmp": true, "sub/d/e/b.tmp": true, "sub/build/x": true, "sub/d/build/x": false, "x.o": true} {
		if got := judge(t, real(t, outer), env, path, false); got != want {
			t.Errorf("%s from the outer repository: ignored=%v", path, got)
		}
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A root below the top of its repository is judged by the rules above it too.
func TestRootBelowTop(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	vars, getenv := repoEnv(home)
	git(t, root, vars, "", "init", "-q")
	sub := filepath.Join(root, "x/y")
	fill(t, sub)
	write(t, filepath.Join(root, ".gitignore"), "*.log\n/x/y/build/\ny/d/e\n")
	write(t, filepath.Join(root, "x/.gitignore"), "!/y/a.log\n*.o\n")
	write(t, filepath.Join(root, ".git/info/exclude"), "/x/**/Keep\n")
	write(t, filepath.Join(sub, ".gitignore"), "!c.o\n")
	compare(t, sub, vars, getenv)

	// Once the rules exclude the root itself, only its own count.
	write(t, filepath.Join(root, ".gitignore"), "/x/\n*.log\n")
	env := ignore.NewEnv(getenv)
	for path, want := range map[string]bool{"a.log": false, "build/x": false, "c.o": false, "Keep": false} {
		if got := judge(t, real(t, sub), env, path, false); got != want {
			t.Errorf("%s in an ignored root: ignored=%v", path, got)
		}
	}
}

// What is odd about a repository's files must neither stop nor mislead.
func TestOddRepositories(t *testing.T) {
	for name, setup := range map[string]func(t *testing.T, root string){
		"empty .git directory": func(t *testing.T, root string) { write(t, filepath.Join(root, "sub/.git/x"), "") },
		"pointer to nothing":   func(t *testing.T, root string) { write(t, filepath.Join(root, "sub/.git"), "gitdir: /nonexistent\n") },
		"pointer to itself":    func(t *testing.T, root string) { write(t, filepath.Join(root, "sub/.git"), "gitdir: .git\n") },
		"no pointer":           func(t *testing.T, root string) { write(t, filepath.Join(root, "sub/.git"), "hello\n") },
		"fifo": func(t *testing.T, root string) {
			write(t, filepath.Join(root, "sub/f"), "")
			if err := unix.Mkfifo(filepath.Join(root, "sub/.git"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"fifo as exclude": func(t *testing.T, root string) {
			write(t, filepath.Join(root, "sub/.git/HEAD"), "")
			write(t, filepath.Join(root, "sub/.git/objects/x"), "")
			if err := unix.Mkfifo(filepath.Join(root, "sub/.git/config"), 0o644); err != nil {
				t.Fatal(err)
			}
			// A repository, so the rules above end here.
			write(t, filepath.Join(root, "sub/.gitignore"), "*.log\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, ".gitignore"), "*.log\n")
			write(t, filepath.Join(root, "sub/keep"), "")
			setup(t, root)
			env := ignore.NewEnv(func(string) string { return "" })
			if !judge(t, real(t, root), env, "sub/a.log", false) || judge(t, real(t, root), env, "sub/keep", false) {
				t.Error("rules do not hold below it")
			}
		})
	}
}

func TestAlways(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".gitignore"), "!.git\n!.agent\n")
	env := ignore.NewEnv(func(string) string { return "" })
	for _, p := range []string{".git", "d/.git", ".agent", "d/.agent/x", ".hg", ".svn/entries", ignore.TempPrefix + "0a", "d/" + ignore.TempPrefix + "0a"} {
		if !judge(t, root, env, p, true) {
			t.Errorf("%s is not ignored", p)
		}
	}
}
