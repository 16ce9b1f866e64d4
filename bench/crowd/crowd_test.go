package crowd_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/bench/crowd"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/mcpserver"
)

// Variables that make this binary a server: the workspace, and an address or "".
const (
	dirVar  = "CROWD_TEST_DIR"
	addrVar = "CROWD_TEST_ADDR"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirVar); dir != "" {
		if err := serve(dir, os.Getenv(addrVar)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(dir, addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	e, err := engine.Open(ctx, engine.Options{Workspace: dir, Background: true, Version: "test", Logger: log})
	if err != nil {
		return err
	}
	s, err := mcpserver.New(mcpserver.Options{Service: e, Logger: log})
	if err != nil {
		return err
	}
	if addr == "" {
		err = s.ServeStdio(ctx, os.Stdin, os.Stdout)
	} else {
		var ln net.Listener
		if ln, err = new(net.ListenConfig).Listen(ctx, "tcp", addr); err == nil {
			err = s.ServeHTTP(ctx, ln, "")
		}
	}
	if e := e.Close(context.WithoutCancel(ctx)); err == nil {
		err = e
	}
	return err
}

// workspace makes a tree of small modules that call each other.
func workspace(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("from pkg%d.mod%d import shared_%d\n\n\ndef shared_%d():\n    return shared_%d()\n", (i+1)%files%4, (i+1)%files, (i+1)%files, i, (i+1)%files)
		path := filepath.Join(dir, fmt.Sprintf("pkg%d", i%4), fmt.Sprintf("mod%d.py", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCrowd(t *testing.T) {
	dir := workspace(t, 80)
	command := func(addr string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), dirVar+"="+dir, addrVar+"="+addr)
		return cmd
	}
	o := crowd.Options{
		Dir: dir, Clients: 4, Calls: 40, Seconds: 9, Rounds: 1, Mixed: true, Writes: 20, KillEvery: time.Second, Seed: 7, Log: t.Output(),
		Stdio: func() *exec.Cmd { return command("") }, HTTP: command,
	}
	many, one, err := crowd.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]*crowd.Outcome{"crowd": many, "single": one} {
		if out.Lost+out.Wrong+out.Locks > 0 {
			t.Errorf("%s: %d lost, %d wrong, %d about locks:\n%s", name, out.Lost, out.Wrong, out.Locks, strings.Join(out.Samples, "\n"))
		}
		if out.Calls < o.Clients*o.Calls || out.Writes == 0 || len(out.Took["grep_files"]) == 0 || len(out.Took["ralph_graph"]) == 0 {
			t.Errorf("%s: too little happened: %+v", name, out)
		}
		t.Logf("%s: %d calls, %d writes, %d kills, %d repeated, %d jobs lost, %d live", name, out.Calls, out.Writes, out.Kills, out.Repeated, out.LostJobs, out.Live)
	}
	if many.Kills == 0 {
		t.Error("nobody was killed")
	}
}
