package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// follow opens a second engine on the space.
func (s *testSpace) follow() *Engine {
	s.t.Helper()
	e, err := Open(s.t.Context(), Options{Workspace: s.dir})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func TestTwoEnginesShareOneIndex(t *testing.T) {
	s := openCorpus(t, "go-shop")
	other := s.follow()
	ans, err := other.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
	if err != nil || ans.JobStatus != api.JobOK {
		t.Fatalf("reindex by the follower: %+v, %v", ans, err)
	}
	st, err := other.Status(t.Context())
	if err != nil || st.Leader || !st.Enabled || st.LeaderPID != os.Getpid() {
		t.Errorf("status of the follower: %+v, %v", st, err)
	}
	for _, req := range []query.Request{
		{Type: query.Impact, Target: "price.Total"}, {Type: query.Neighbors, Target: "Total"}, {Type: query.Tests, Target: "price.Total"},
		{Type: query.Hubs}, {Type: query.Path, Target: "cart.Cart", TargetB: "price.Total"},
	} {
		a, err := s.Graph(t.Context(), &api.GraphRequest{Request: req, Freshness: api.AllowStale})
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.Graph(t.Context(), &api.GraphRequest{Request: req, Freshness: api.AllowStale})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := asJSON(t, a), asJSON(t, b); a != b {
			t.Errorf("%s: leader %s\nfollower %s", req.Type, a, b)
		}
	}
	for _, req := range []api.ReadRequest{{Symbol: "nothing.here"}, {Path: "../x"}, {EvidenceID: "e:AAAAAAAAAAAAAAEA"}, {Symbol: "Total"}} {
		_, a := s.Read(t.Context(), &req)
		_, b := other.Read(t.Context(), &req)
		if a == nil || b == nil || a.Error() != b.Error() || codeOf(a) == "" || codeOf(a) != codeOf(b) {
			t.Errorf("read %+v: %v, over the socket %v", req, a, b)
		}
	}
}

func TestCancellationReachesTheLeader(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, 2000, 0)
	var ticks atomic.Int64 // progress is told at most ten times a second
	s.opts.Clock = func() time.Time { return time.Unix(0, ticks.Add(int64(time.Second))) }
	s.open()
	other := s.follow()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := other.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, func(p api.Progress) {
		if p.Stage == "parse" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled call: %v", err)
	}
	waitFor(t, "end of the cancelled run", func() bool { return !s.status().ReindexInProgress })
	if job := s.status().LastJob; job == nil || job.Status != api.JobCancelled {
		t.Errorf("job at the leader: %+v", job)
	}
}

func TestFollowerTakesOverFromAClosedLeader(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	one, two := s.follow(), s.follow()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	leaders := 0
	for _, e := range []*Engine{one, two} {
		ans, err := e.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "b.go#G"}})
		if err != nil || !slices.Contains(labels(ans.Nodes), "m.F") {
			t.Fatalf("first call after the leader closed: %+v, %v", ans, err)
		}
		st, err := e.Status(t.Context())
		if err != nil || st.Degraded != "" || !st.Enabled {
			t.Fatalf("status: %+v, %v", st, err)
		}
		if st.Leader {
			leaders++
		}
	}
	if leaders != 1 {
		t.Errorf("%d leaders", leaders)
	}
}

// holdIndex is a process that leads until it is killed, or told to end in order.
func holdIndex(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	e, err := Open(ctx, Options{Workspace: args[0], Background: true})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	st, err := e.Status(context.Background())
	fmt.Println("leader", st.Leader, err)
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	select {
	case <-ended:
		return 0 // without closing the engine, as a process that is killed
	case <-ctx.Done():
	}
	if err := e.Close(context.WithoutCancel(ctx)); err != nil {
		return 1
	}
	return 0
}

// startLeader starts a process that leads the space.
func startLeader(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := child(t, "hold", dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "leader true <nil>\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	return cmd
}

func TestFollowerTakesOverFromAKilledLeader(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	leader := startLeader(t, s.dir)
	s.Engine = s.follow()
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	if s.status().LeaderPID != leader.Process.Pid {
		t.Fatalf("status: %+v", s.status())
	}
	if err := leader.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	ans := s.callers("b.go#G", api.Required)
	if took := time.Since(began); took > 5*time.Second || !slices.Contains(labels(ans.Nodes), "m.F") {
		t.Errorf("first call after %v: %q", took, labels(ans.Nodes))
	}
	t.Logf("first answer %v after the kill", time.Since(began))
	if st := s.status(); !st.Leader || st.Degraded != "" {
		t.Errorf("status: %+v", st)
	}
}

// joinIndex is one of several processes that start at once: it indexes, asks, and
// says how that went.
func joinIndex(args []string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	e, err := Open(ctx, Options{Workspace: args[0]})
	if err != nil {
		fmt.Println("open:", err)
		return 1
	}
	for range 3 {
		if _, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil {
			fmt.Println("reindex:", err)
			return 1
		}
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "b.go#G"}})
		if err != nil || !slices.Contains(labels(ans.Nodes), "m.F") {
			fmt.Println("graph:", ans, err)
			return 1
		}
		st, err := e.Status(ctx)
		if err != nil || st.Degraded != "" {
			fmt.Println("status:", st, err)
			return 1
		}
	}
	if err := e.Close(ctx); err != nil {
		fmt.Println("close:", err)
		return 1
	}
	fmt.Println("ok")
	return 0
}

func TestProcessesThatStartAtOnce(t *testing.T) {
	for range 3 {
		s := &testSpace{t: t, dir: t.TempDir()}
		for name, text := range smallGo() {
			s.write(name, text)
		}
		var cmds []*exec.Cmd
		var outs []*strings.Builder
		for range 4 {
			cmd, out := child(t, "join", s.dir), &strings.Builder{}
			cmd.Stdout = out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds, outs = append(cmds, cmd), append(outs, out)
		}
		for i, cmd := range cmds {
			if err := cmd.Wait(); err != nil || outs[i].String() != "ok\n" {
				t.Errorf("process %d: %v, %s", i, err, outs[i])
			}
		}
	}
}

// Close ends calls that run, and later ones are refused.
func TestCloseWhileCallsRun(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, 500, 0)
	s.open()
	done := make(chan error, 8)
	for i := range cap(done) {
		go func() {
			for {
				var err error
				switch i % 4 {
				case 0:
					_, err = s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexFull}, nil)
				case 1:
					_, err = s.Grep(t.Context(), &api.GrepRequest{Pattern: "shared", Regex: true})
				case 2:
					_, err = s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Impact, Target: "F1"}})
				default:
					err = s.Export(t.Context(), io.Discard)
					if codeOf(err) == api.CodeIndexNotReady {
						err = nil
					}
				}
				if err != nil {
					done <- err
					return
				}
			}
		}()
	}
	time.Sleep(50 * time.Millisecond)
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
	for range cap(done) {
		if err := <-done; !errors.Is(err, ErrClosed) && !strings.Contains(err.Error(), context.Canceled.Error()) {
			t.Errorf("call: %v", err)
		}
	}
}
