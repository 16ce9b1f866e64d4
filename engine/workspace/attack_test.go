package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// hostile is a workspace with ways out of it, beside a directory that nothing may
// change.
func hostile(t *testing.T) (dir, out string) {
	t.Helper()
	b := base(t)
	dir, out = filepath.Join(b, "a"), filepath.Join(b, "a_evil")
	write(t, filepath.Join(out, "x"), "untouched")
	write(t, filepath.Join(out, "d/y"), "untouched")
	write(t, filepath.Join(dir, "f"), "F")
	write(t, filepath.Join(dir, ".git/config"), "c")
	write(t, filepath.Join(dir, IndexDir, "v1/graph"), "g")
	for name, target := range map[string]string{
		"out": out, "outfile": out + "/x", "rel": "../a_evil", "relfile": "../a_evil/x", "new": out + "/new", "chain": "rel", "chain2": "chain/d",
		"root": "/", "git": ".git", "index": IndexDir, "agent": ".agent", "loop": "loop", "dangling": "nothing", "proc": "/proc/self/root",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, out
}

// attacks are paths through which nothing may be written, made, moved to or copied to.
func attacks(dir, out string) []string {
	return []string{
		"", ".", "/", "..", "../a_evil/x", "../a_evil/new", out, out + "/x", dir + "_evil/x", dir + "/../a_evil/x", "f/../../a_evil/x",
		"out", "out/x", "out/new", "out/d/y", "outfile", "rel/x", "relfile", "new", "chain/x", "chain2/y", "chain2/new/deep",
		"root/tmp/x", "proc/" + out + "/x", "/proc/self/root" + out + "/x", "/etc/ralph", "loop", "loop/x", "dangling", "dangling/x",
		".git", ".git/config", ".git/hooks/pre-commit", ".GIT/config", "sub/.git/config", "git/config", "git/new", "git",
		IndexDir, IndexDir + "/v1/graph", IndexDir + "/new", "index/new", "agent/ralph-explore/new", ".agent/../.agent/ralph-explore/v1/graph",
		"x\x00", "x\x00/../f", "line\nbreak", "tab\there", "sub/\x7f", strings.Repeat("n", 256), strings.Repeat("n", 256) + "/x",
		strings.Repeat("d/", 2500) + "x", strings.Repeat("d/", 2040) + "x", ".ralph-tmp-1", "fifo", "fifo/x", "f/x",
	}
}

func TestAttacks(t *testing.T) {
	dir, out := hostile(t)
	c := newChanger(t, dir, nil)
	ctx := t.Context()
	inside, outside := snapshot(t, dir), snapshot(t, out)
	index := content(t, filepath.Join(dir, IndexDir, "v1/graph"))
	for _, path := range attacks(dir, out) {
		for what, do := range map[string]func() error{
			"write":  func() error { _, err := c.write(ctx, path, "evil"); return err },
			"append": func() error { return c.add(ctx, path, "evil") },
			"make":   func() error { return c.mkdir(ctx, path+"/made/deep") },
			"move":   func() error { return c.both(ctx, c.Move, "f", path+"/under", true) },
			"copy":   func() error { return c.both(ctx, c.Copy, "f", path+"/under", true) },
			"from":   func() error { return c.both(ctx, c.Copy, path+"/under", "taken", true) },
			"delete": func() error { return c.remove(ctx, path+"/under", true) },
		} {
			if strings.Trim(path, ".") == "" && what != "write" && what != "append" {
				continue // below the root is not out of it
			}
			if err := do(); err == nil {
				t.Errorf("%s %q is done", what, path)
			}
		}
	}
	same(t, snapshot(t, dir), inside)
	same(t, snapshot(t, out), outside)
	if content(t, filepath.Join(dir, IndexDir, "v1/graph")) != index {
		t.Error("the index was changed")
	}
}

// A link is moved, copied, replaced and removed as itself.
func TestLinksOutAreThings(t *testing.T) {
	dir, out := hostile(t)
	c := newChanger(t, dir, nil)
	outside := snapshot(t, out)
	for _, err := range []error{
		c.both(t.Context(), c.Copy, "out", "out2", false),
		c.both(t.Context(), c.Move, "outfile", "of2", false),
		c.both(t.Context(), c.Copy, "f", "relfile", true),
		c.both(t.Context(), c.Move, "f", "new", true),
		c.remove(t.Context(), "rel", true),
		c.remove(t.Context(), "of2", false),
		c.remove(t.Context(), "fifo", false),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	same(t, snapshot(t, out), outside)
	if content(t, filepath.Join(dir, "relfile")) != "F" || content(t, filepath.Join(dir, "new")) != "F" {
		t.Error("a link at the destination was not replaced")
	}
}
