package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// killVar makes the test binary a process that changes a workspace and kills itself:
// its arguments are the workspace, the change, the step, and which time it is reached.
const killVar = "RALPH_WORKSPACE_TEST_KILL"

func TestMain(m *testing.M) {
	if os.Getenv(killVar) != "" {
		os.Exit(killed(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func killed(args []string) int {
	if args[1] == smallFiles {
		return withSmallFiles(args[0])
	}
	n, _ := strconv.Atoi(args[3])
	seen := 0
	w, err := Open(args[0], Options{IndexDir: filepath.Join(args[0], IndexDir), Reached: func(s Step) error {
		if string(s) == args[2] {
			if seen++; seen == n {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		return nil
	}})
	if err == nil {
		c := &changer{Workspace: w, dir: args[0]}
		ch, ok := faulty()[args[1]]
		if !ok {
			ch = large()[args[1]]
		}
		err = ch.do(context.Background(), c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// change is one whose steps fail or are cut off. in is what may be seen of it while it
// is half done: by default nothing.
type change struct {
	do      func(ctx context.Context, c *changer) error
	steps   []Step
	partial bool // what it does to many entries is seen one by one
}

// faulty are the changes of moveTree.
func faulty() map[string]change {
	return map[string]change{
		"write": {
			func(ctx context.Context, c *changer) error { _, err := c.write(ctx, "f", "new content"); return err },
			[]Step{StepTemp, StepWrite, StepSync, StepRename}, false,
		},
		"make": {
			func(ctx context.Context, c *changer) error { _, err := c.write(ctx, "n", "new content"); return err },
			[]Step{StepTemp, StepWrite, StepSync, StepRename}, false,
		},
		"append": {
			func(ctx context.Context, c *changer) error { return c.add(ctx, "d/y", "more") },
			[]Step{StepTemp, StepWrite, StepSync, StepRename}, false,
		},
		"move": {
			func(ctx context.Context, c *changer) error { return c.both(ctx, c.Move, "d", "n", false) },
			[]Step{StepRename}, false,
		},
		"move over": {
			func(ctx context.Context, c *changer) error { return c.both(ctx, c.Move, "f", "g", true) },
			[]Step{StepRename}, false,
		},
		"copy over": {
			func(ctx context.Context, c *changer) error { return c.both(ctx, c.Copy, "f", "g", true) },
			[]Step{StepTemp, StepWrite, StepSync, StepRename}, false,
		},
		"copy tree": {
			func(ctx context.Context, c *changer) error { return c.both(ctx, c.Copy, "d", "n", false) },
			[]Step{StepTemp, StepWrite, StepSync, StepRename}, false,
		},
		"delete": {
			func(ctx context.Context, c *changer) error { return c.remove(ctx, "d", true) },
			[]Step{StepRemove}, true,
		},
	}
}

// after is the tree when a change is done.
func after(t *testing.T, ch change) map[string]string {
	t.Helper()
	dir := moveTree(t)
	if err := ch.do(t.Context(), newChanger(t, dir, nil)); err != nil {
		t.Fatal(err)
	}
	return snapshot(t, dir)
}

func TestFaults(t *testing.T) {
	for name, ch := range faulty() {
		for _, step := range ch.steps {
			for _, cause := range []error{unix.ENOSPC, unix.EACCES, unix.EIO} {
				t.Run(fmt.Sprint(name, " ", step, " ", cause), func(t *testing.T) {
					dir := moveTree(t)
					want := snapshot(t, dir)
					c := newChanger(t, dir, func(s Step) error {
						if s == step {
							return cause
						}
						return nil
					})
					if err := ch.do(t.Context(), c); !errors.Is(err, cause) {
						t.Fatalf("error %v, want %v", err, cause)
					}
					same(t, snapshot(t, dir), want)
					if s := strays(t, dir); s != nil {
						t.Errorf("left behind: %q", s)
					}
				})
			}
		}
	}
}

// What a file with several names held comes back when its bytes cannot be replaced.
func TestFaultInPlace(t *testing.T) {
	for _, step := range []Step{StepInPlace, StepSync} {
		dir := base(t)
		write(t, filepath.Join(dir, "f"), "old")
		if err := os.Link(filepath.Join(dir, "f"), filepath.Join(dir, "g")); err != nil {
			t.Fatal(err)
		}
		c := newChanger(t, dir, func(s Step) error {
			if s == step {
				return unix.ENOSPC
			}
			return nil
		})
		if _, err := c.write(t.Context(), "f", "new and longer"); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("%s: %v", step, err)
		}
		if got := content(t, filepath.Join(dir, "g")); got != "old" {
			t.Errorf("%s: %q is left", step, got)
		}
	}
}

// A deletion that fails in the middle leaves the rest where it was.
func TestDeleteFailsInTheMiddle(t *testing.T) {
	dir := moveTree(t)
	n := 0
	c := newChanger(t, dir, func(Step) error {
		if n++; n == 3 {
			return unix.EACCES
		}
		return nil
	})
	named, _ := c.named("d")
	_, entries, err := c.Delete(t.Context(), named.Root, named.Path, true)
	if !errors.Is(err, unix.EACCES) || entries != 2 {
		t.Errorf("%d removed, %v", entries, err)
	}
	if fi, err := os.Lstat(filepath.Join(dir, "d")); err != nil || !fi.IsDir() {
		t.Error("the directory is gone")
	}
}

func TestKilledChangesAreOldOrNew(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, ch := range faulty() {
		done := after(t, ch)
		for _, step := range append(ch.steps, StepRenamed) {
			for n := 1; n <= 2; n++ {
				t.Run(fmt.Sprint(name, " ", step, " ", n), func(t *testing.T) {
					dir := moveTree(t)
					old := snapshot(t, dir)
					cmd := exec.CommandContext(t.Context(), exe, dir, name, string(step), strconv.Itoa(n))
					cmd.Env = append(os.Environ(), killVar+"=1")
					out, err := cmd.CombinedOutput()
					var exit *exec.ExitError
					if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != -1) {
						t.Fatalf("%v: %s", err, out)
					}
					died := err != nil
					next := newChanger(t, dir, nil)
					next.Recover()
					if s := strays(t, dir); s != nil {
						t.Errorf("left behind: %q", s)
					}
					got := snapshot(t, dir)
					switch {
					case ch.partial:
						for p, v := range got {
							if old[p] != v {
								t.Errorf("%s is %q", p, v)
							}
						}
					case !died || step == StepRenamed:
						same(t, got, done)
					default:
						same(t, got, old)
					}
				})
			}
		}
	}
}

// Without a place for notes the next change in the directory removes what was left.
func TestStraysWithoutNotes(t *testing.T) {
	dir := base(t)
	write(t, filepath.Join(dir, ".ralph-tmp-00", "x"), "half")
	write(t, filepath.Join(dir, ".ralph-tmp-01"), "half")
	w := open(t, dir)
	c := &changer{Workspace: w, dir: dir}
	if _, err := c.write(t.Context(), "f", "x"); err != nil {
		t.Fatal(err)
	}
	if s := strays(t, dir); s != nil {
		t.Errorf("left behind: %q", s)
	}
}

// Notes do not lead out of the roots, nor to anything but unfinished entries.
func TestNotesAreNotTrusted(t *testing.T) {
	b := base(t)
	dir := filepath.Join(b, "w")
	c := newChanger(t, dir, nil)
	write(t, filepath.Join(dir, "precious"), "p")
	write(t, filepath.Join(b, "out/.ralph-tmp-1"), "o")
	if err := os.Symlink(filepath.Join(b, "out"), filepath.Join(dir, "l")); err != nil {
		t.Fatal(err)
	}
	notes := c.notes()
	for i, target := range []string{
		filepath.Join(dir, "precious"), filepath.Join(b, "out/.ralph-tmp-1"), filepath.Join(dir, "l/.ralph-tmp-1"),
		dir, "precious", filepath.Join(dir, ".ralph-tmp-gone"),
	} {
		if err := os.Symlink(target, filepath.Join(notes, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	c.Recover()
	if content(t, filepath.Join(dir, "precious")) != "p" || content(t, filepath.Join(b, "out/.ralph-tmp-1")) != "o" {
		t.Error("a note had something else removed")
	}
}

// Notes that are gone with the index are not needed to find what a killed process left;
// what a live one is at stays.
func TestRecoverWithoutNotes(t *testing.T) {
	dir := filepath.Join(base(t), "w")
	c := newChanger(t, dir, nil)
	for _, name := range []string{".ralph-tmp-1", "a/b/.ralph-tmp-2", "a/.ralph-tmp-3/in/it", "live/.ralph-tmp-4", ".git/.ralph-tmp-5", "a/other"} {
		write(t, filepath.Join(dir, name), "x")
	}
	live, err := os.Open(filepath.Join(dir, "live"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	if err := unix.Flock(int(live.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	c.RecoverAll(t.Context())
	want := []string{"a/other", "live/.ralph-tmp-4", ".git/.ralph-tmp-5"}
	for _, name := range want {
		if content(t, filepath.Join(dir, name)) != "x" {
			t.Errorf("%s was removed", name)
		}
	}
	for _, name := range []string{".ralph-tmp-1", "a/b/.ralph-tmp-2", "a/.ralph-tmp-3"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	write(t, filepath.Join(dir, ".ralph-tmp-6"), "x")
	c.RecoverAll(t.Context()) // now there are notes, which say nothing of it
	if content(t, filepath.Join(dir, ".ralph-tmp-6")) != "x" {
		t.Error("everything was looked at once more")
	}
}

// smallFiles is a process that the system lets write no file above smallLimit: a write
// then fails in the middle, as on a full disk.
const (
	smallFiles = "small files"
	smallLimit = 64 << 10
)

func withSmallFiles(dir string) int {
	signal.Ignore(unix.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: smallLimit, Max: smallLimit}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	w, err := Open(dir, Options{IndexDir: filepath.Join(dir, IndexDir)})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c := &changer{Workspace: w, dir: dir}
	ctx, large := context.Background(), strings.Repeat("n", 2*smallLimit)
	_, overwritten := c.write(ctx, "f", large)
	_, made := c.write(ctx, "new", large)
	_, inPlace := c.write(ctx, "one", large)
	for _, err := range []error{
		overwritten, made, inPlace, c.add(ctx, "f", large), c.both(ctx, c.Copy, "large", "copy", false), c.both(ctx, c.Copy, "d", "copy", false),
	} {
		if !errors.Is(err, unix.EFBIG) {
			fmt.Fprintln(os.Stderr, "got", err)
			return 1
		}
	}
	return 0
}

// What the system itself refuses in the middle leaves everything as it was.
func TestWritesThatFailInTheMiddle(t *testing.T) {
	dir := base(t)
	for name, text := range map[string]string{"f": "F", "one": strings.Repeat("o", smallLimit+1), "large": strings.Repeat("l", 2*smallLimit), "d/e/large": strings.Repeat("l", 2*smallLimit), "d/a": "a"} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, err := range []error{os.MkdirAll(filepath.Join(dir, IndexDir), 0o755), os.Link(filepath.Join(dir, "one"), filepath.Join(dir, "two"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := snapshot(t, dir)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, dir, smallFiles, "", "")
	cmd.Env = append(os.Environ(), killVar+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	same(t, snapshot(t, dir), want)
	if s := strays(t, dir); s != nil {
		t.Errorf("left behind: %q", s)
	}
}
