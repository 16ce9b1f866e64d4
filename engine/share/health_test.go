package share_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

// until polls for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s", what)
		}
	}
}

// A leader that is stopped keeps the lease; its follower notices, cuts the call that
// runs, and goes on when the leader does.
func TestStoppedLeader(t *testing.T) {
	dir := short(t)
	cmd := startLeader(t, dir)
	c := dial(t, dir)
	result, called := make(chan error, 1), make(chan struct{})
	go func() {
		_, err := c.Reindex(context.Background(), &api.ReindexRequest{}, func(api.Progress) { close(called) })
		result <- err
	}()
	<-called
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := <-result; !errors.Is(err, share.ErrSilent) || errors.Is(err, share.ErrGone) {
		t.Errorf("call at a stopped leader: %v", err)
	}
	if c.Silent() == 0 {
		t.Error("a stopped leader is not silent")
	}
	if _, err := c.Status(context.Background()); !errors.Is(err, share.ErrSilent) {
		t.Errorf("call after it stopped: %v", err)
	}
	if _, err := share.Lead(dir); !errors.Is(err, share.ErrHeld) {
		t.Errorf("lease of a stopped leader: %v", err)
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	until(t, "pulse", func() bool { return c.Silent() == 0 })
	if st, err := c.Status(context.Background()); err != nil || st.FilesIndexed != 5 {
		t.Errorf("call after it went on: %+v, %v", st, err)
	}
	select {
	case <-c.Gone():
		t.Error("a leader that went on counts as gone")
	default:
	}
}

func TestFollowersAreKnown(t *testing.T) {
	dir := short(t)
	l := lead(t, dir, &fake{status: func(context.Context) (*api.Status, error) { return &api.Status{}, nil }})
	a := dial(t, dir)
	b, err := share.Dial(context.Background(), dir, share.DialOptions{Version: "7.1", Format: "f1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := b.Status(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Status(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := l.socket.Followers()
	if len(got) != 2 || got[0].Calls != 1 || got[1].Calls != 3 || got[1].Version != "7.1" || got[1].PID != os.Getpid() || got[1].Since == 0 {
		t.Fatalf("followers %+v", got)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "end of the follower", func() bool { return len(l.socket.Followers()) == 1 })
}

// other is a leader of a program that is not ours.
func other(t *testing.T, dir string, hello share.Hello) (yields <-chan int) {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "engine.sock"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan int, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(hello) })
	mux.HandleFunc("POST /yield", func(_ http.ResponseWriter, r *http.Request) {
		var newer struct{ Protocol int }
		_ = json.NewDecoder(r.Body).Decode(&newer)
		asked <- newer.Protocol
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Close(); <-ended })
	return asked
}

func TestLeaderOfAnotherVersion(t *testing.T) {
	ours := dirHello(t)
	for name, c := range map[string]struct {
		change func(*share.Hello)
		yields bool
	}{
		"older protocol": {func(h *share.Hello) { h.Protocol-- }, true},
		"newer protocol": {func(h *share.Hello) { h.Protocol++ }, false},
		"other format":   {func(h *share.Hello) { h.Format = "f0" }, false},
		"other requests": {func(h *share.Hello) { h.API = "?" }, false},
	} {
		dir, hello := short(t), ours
		c.change(&hello)
		yields := other(t, dir, hello)
		if _, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f1"}); !errors.Is(err, share.ErrVersion) {
			t.Errorf("%s: %v", name, err)
		}
		select {
		case got := <-yields:
			if !c.yields || got != ours.Protocol {
				t.Errorf("%s: was asked to yield to %d", name, got)
			}
		default:
			if c.yields {
				t.Errorf("%s: was not asked to yield", name)
			}
		}
		if h, err := share.Ask(context.Background(), dir); err != nil || h != hello {
			t.Errorf("%s: says %+v, %v", name, h, err)
		}
	}
}

// dirHello is what a leader of this version says.
func dirHello(t *testing.T) share.Hello {
	t.Helper()
	dir := short(t)
	lead(t, dir, &fake{})
	h := dial(t, dir).Hello()
	if h.API == "" || h.Format != "f1" || h.Since == 0 {
		t.Fatalf("hello %+v", h)
	}
	return h
}

func TestYield(t *testing.T) {
	dir := short(t)
	l := lead(t, dir, &fake{})
	ask := func(protocol int) {
		t.Helper()
		tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, "engine.sock"))
		}}
		defer tr.CloseIdleConnections()
		body, _ := json.Marshal(map[string]int{"protocol": protocol})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://leader/yield", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	now := dial(t, dir).Hello().Protocol
	ask(now)
	select {
	case <-l.socket.Yield():
		t.Fatal("yields to its own version")
	default:
	}
	ask(now + 1)
	ask(now + 1)
	<-l.socket.Yield()
}

// A leader whose directory was replaced must leave the socket of its successor alone.
func TestReplacedDirectory(t *testing.T) {
	dir := short(t)
	first := lead(t, dir, &fake{})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if first.lease.Held() || first.socket.Reachable() {
		t.Error("a deleted directory counts as held")
	}
	lead(t, dir, &fake{status: func(context.Context) (*api.Status, error) { return &api.Status{FilesIndexed: 9}, nil }})
	first.end()
	if st, err := dial(t, dir).Status(context.Background()); err != nil || st.FilesIndexed != 9 {
		t.Errorf("the second leader: %+v, %v", st, err)
	}
}

func TestOtherUsersCannotEnter(t *testing.T) {
	dir := filepath.Join(short(t), "index")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lead(t, dir, &fake{})
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "engine.sock"): 0o600, filepath.Join(dir, "lock"): 0o600} {
		fi, err := os.Stat(path)
		if err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
}

// startLeader starts a process that leads until the test ends.
func startLeader(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SHARE_TEST_DIR="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := io.ReadFull(out, make([]byte, len(ready))); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestKilledLeader runs a leader in a process of its own and kills it.
func TestKilledLeader(t *testing.T) {
	dir := short(t)
	cmd := startLeader(t, dir)
	if _, err := share.Lead(dir); !errors.Is(err, share.ErrHeld) {
		t.Fatalf("lease beside the child: %v", err)
	}
	c := dial(t, dir)
	if c.Hello().PID != cmd.Process.Pid {
		t.Fatalf("hello %+v", c.Hello())
	}
	result := make(chan error, 1)
	called := make(chan struct{})
	go func() {
		_, err := c.Reindex(context.Background(), &api.ReindexRequest{}, func(api.Progress) { close(called) })
		result <- err
	}()
	<-called
	cmd.Process.Kill()
	if err := <-result; !errors.Is(err, share.ErrGone) || errors.Is(err, share.ErrNotDone) {
		t.Fatalf("call at a killed leader: %v", err) // it may have been done
	}
	<-c.Gone()
	cmd.Wait()
	lease, err := share.Lead(dir)
	if err != nil {
		t.Fatalf("lease after the death: %v", err)
	}
	lease.Release()
}

const ready = "ready\n"

// TestMain lets the test binary be the leader that TestKilledLeader kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SHARE_TEST_DIR"); dir != "" {
		beLeader(dir)
	}
	os.Exit(m.Run())
}

func beLeader(dir string) {
	lease, err := share.Lead(dir)
	if err != nil {
		panic(err)
	}
	l, err := share.Listen(lease)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(ready)
	status := func(context.Context) (*api.Status, error) { return &api.Status{FilesIndexed: 5}, nil }
	err = l.Serve(context.Background(), &fake{status: status, reindex: func(ctx context.Context, _ *api.ReindexRequest, p func(api.Progress)) (*api.ReindexAnswer, error) {
		p(api.Progress{Stage: "walk"})
		<-ctx.Done()
		return nil, ctx.Err()
	}}, share.ServeOptions{Format: "f1"})
	panic(err)
}
