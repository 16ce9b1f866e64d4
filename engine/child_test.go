package engine

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// childVar names the role of a process that a test starts from its own binary.
const childVar = "RALPH_ENGINE_TEST_CHILD"

// children are the roles: what such a process does instead of testing.
var children = map[string]func(args []string) int{
	"index":      indexUntilKilled,
	"hold":       holdIndex,
	"join":       joinIndex,
	"small-disk": onSmallDisk,
	"full-exit":  exitOnFullDisk,
	"step":       killedAtStep,
}

func TestMain(m *testing.M) {
	if role, ok := children[os.Getenv(childVar)]; ok {
		os.Exit(role(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// child prepares a process of a role.
func child(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), childVar+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// copyExe copies the test binary to where another user can run it.
func copyExe(t *testing.T, dir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	name := filepath.Join(dir, "engine.test")
	out, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// waitFor polls until ok holds.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s", what)
		}
	}
}
