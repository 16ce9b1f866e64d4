package workspace

import (
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
	"time"

	"golang.org/x/sys/unix"
)

// againVar tells a test that it runs in a process of its own, and how.
const againVar = "RALPH_WORKSPACE_TEST_AGAIN"

// errAlone says that the machine does not let a process have what it was to have.
var errAlone = errors.New("not given by this machine")

// cannotExit is how a process ends that is not let.
const cannotExit = 3

// again runs the test that calls it once more, in a process of its own.
func again(t *testing.T, how, dir string, attr *syscall.SysProcAttr) error {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), againVar+"="+how, "TMPDIR="+dir)
	cmd.SysProcAttr = attr
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == cannotExit {
		return fmt.Errorf("%w: %w", errAlone, err)
	}
	t.Logf("%s", out)
	if err != nil {
		t.Fatalf("the process with %s: %v", how, err)
	}
	return nil
}

// user gives a process a user namespace in which it is the user id, and flags.
func user(id int, flags uintptr) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | flags,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Getgid(), Size: 1}},
	}
}

// room is a disk with little room, or what comes near it.
type room struct {
	leave func(t *testing.T, pages int) (free func())
	err   error // what the system says then
}

// TestFullDisk makes every change on a disk of its own that has from no page of room to
// enough of them. Where no disk can be had, no file may become larger than that.
func TestFullDisk(t *testing.T) {
	switch os.Getenv(againVar) {
	case "a small disk":
		// The notes of so long a path take room of their own.
		dir := filepath.Join(t.TempDir(), strings.Repeat("long", 32))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("small", dir, "tmpfs", 0, "size=512k"); err != nil {
			fmt.Println(err)
			os.Exit(cannotExit)
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, unix.MNT_DETACH) })
		onFullDisk(t, dir, room{func(t *testing.T, n int) func() { return fill(t, dir, n) }, unix.ENOSPC})
	case "small files":
		signal.Ignore(unix.SIGXFSZ)
		onFullDisk(t, t.TempDir(), room{limitFiles, unix.EFBIG})
	default:
		dir := base(t)
		err := again(t, "a small disk", dir, user(0, syscall.CLONE_NEWNS))
		if errors.Is(err, errAlone) && os.Getuid() == 0 {
			err = again(t, "a small disk", dir, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Unshareflags: syscall.CLONE_NEWNS})
		}
		if err != nil {
			t.Log("there is no small disk: ", err)
			err = again(t, "small files", dir, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fill leaves n pages of a disk.
func fill(t *testing.T, dir string, n int) func() {
	t.Helper()
	name := filepath.Join(dir, IndexDir, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for err == nil {
		var k int
		k, err = f.Write(make([]byte, page))
		size += int64(k)
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(max(size-int64(n)*page, 0)), f.Close()); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// limitFiles lets this process write no file above n pages.
func limitFiles(t *testing.T, n int) func() {
	t.Helper()
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	set := func(to uint64) {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: to, Max: was.Max}); err != nil {
			t.Fatal(err)
		}
	}
	set(uint64(n) * page)
	return func() { set(was.Cur) }
}

func onFullDisk(t *testing.T, dir string, r room) {
	for name, ch := range large() {
		plantLarge(t, dir)
		old := snapshot(t, dir)
		if err := ch.do(t.Context(), newChanger(t, dir, nil)); err != nil {
			t.Fatalf("%s with room: %v", name, err)
		}
		done := snapshot(t, dir)
		failed, made := 0, 0
		for n := range 18 {
			plantLarge(t, dir)
			c := newChanger(t, dir, nil)
			untouched := changedAt(t, filepath.Join(dir, "one"))
			free := r.leave(t, n)
			err := ch.do(t.Context(), c)
			free()
			switch {
			case err == nil:
				made++
				same(t, snapshot(t, dir), done)
			case errors.Is(err, r.err):
				failed++
				same(t, snapshot(t, dir), old)
				if errors.Is(r.err, unix.ENOSPC) && changedAt(t, filepath.Join(dir, "one")) != untouched {
					t.Errorf("%s with %d pages: bytes were replaced before there was room for all", name, n)
				}
			default:
				t.Errorf("%s with %d pages: %v", name, n, err)
			}
			if s := strays(t, dir); s != nil {
				t.Errorf("%s with %d pages left behind: %q", name, n, s)
			}
			if n%4 == 0 && !t.Failed() {
				killOnFullDisk(t, dir, name, n, r, old)
			}
		}
		if made == 0 || failed == 0 && !strings.Contains(name, "move") && name != "small in place" {
			t.Errorf("%s failed %d times and was made %d times", name, failed, made)
		}
	}
}

func changedAt(t *testing.T, name string) time.Time {
	t.Helper()
	fi, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return fi.ModTime()
}

// killOnFullDisk has a process killed that was about to finish a change: what it leaves
// is noted though the disk is full, or it has begun nothing.
func killOnFullDisk(t *testing.T, dir, name string, n int, r room, old map[string]string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range large()[name].steps {
		plantLarge(t, dir)
		free := r.leave(t, n)
		cmd := exec.CommandContext(t.Context(), exe, dir, name, string(step), "1")
		cmd.Env = append(os.Environ(), killVar+"=1")
		out, err := cmd.CombinedOutput()
		next := newChanger(t, dir, nil)
		next.Recover()
		free()
		if killed := cmd.ProcessState.ExitCode() == -1; err == nil || !killed && n > 12 {
			t.Errorf("%s with %d pages: not killed: %v %s", name, n, err, out)
		}
		same(t, snapshot(t, dir), old)
		if s := strays(t, dir); s != nil {
			t.Errorf("%s with %d pages, killed: left behind: %q", name, n, s)
		}
	}
}

// TestRefusals has the system refuse what a user without rights may not do.
func TestRefusals(t *testing.T) {
	if os.Getenv(againVar) == "" {
		var attr *syscall.SysProcAttr
		if os.Geteuid() == 0 { // who may do anything
			attr = user(1000, 0)
		}
		if err := again(t, "no rights", base(t), attr); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Run("unwritable", func(t *testing.T) {
		for name, ch := range large() {
			dir := base(t)
			plantLarge(t, dir)
			chmod(t, 0o555, dir, dir+"/d")
			chmod(t, 0o444, dir+"/one", dir+"/f", dir+"/d/y")
			old := snapshot(t, dir)
			if err := ch.do(t.Context(), newChanger(t, dir, nil)); !errors.Is(err, unix.EACCES) {
				t.Errorf("%s: %v", name, err)
			}
			same(t, snapshot(t, dir), old)
			chmod(t, 0o755, dir, dir+"/d")
			if s := strays(t, dir); s != nil {
				t.Errorf("%s left behind: %q", name, s)
			}
		}
	})
	// The name cannot be taken, and what was made for it not be removed: the next server
	// that may, does.
	for _, step := range []Step{StepWrite, StepRename} {
		t.Run("at "+string(step), func(t *testing.T) {
			for name, ch := range large() {
				if ch.steps == nil || strings.Contains(name, "move") && step == StepWrite {
					continue // makes nothing
				}
				dir := base(t)
				plantLarge(t, dir)
				old := snapshot(t, dir)
				c := newChanger(t, dir, func(s Step) error {
					if s == step {
						chmod(t, 0o555, dir, dir+"/d")
						if s == StepWrite {
							return unix.EIO
						}
					}
					return nil
				})
				if err := ch.do(t.Context(), c); !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EIO) {
					t.Errorf("%s: %v", name, err)
				}
				c.Recover() // still may not
				chmod(t, 0o755, dir, dir+"/d")
				newChanger(t, dir, nil).Recover()
				same(t, snapshot(t, dir), old)
				if s := strays(t, dir); s != nil {
					t.Errorf("%s left behind: %q", name, s)
				}
			}
		})
	}
}

func chmod(t *testing.T, mode os.FileMode, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Chmod(name, mode); err != nil {
			t.Error(strconv.Quote(name), err)
		}
	}
}
