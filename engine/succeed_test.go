package engine

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
	"github.com/ralph-index/ralph-index/graph/query"
)

// shared is a space with an index that a process of its own leads.
func shared(t *testing.T) (*testSpace, int) {
	t.Helper()
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	leader := startLeader(t, s.dir)
	s.Engine = s.follow()
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	return s, leader.Process.Pid
}

// While the leader is stopped its followers answer from the files and say so; nobody
// takes its place, and they return to it when it goes on.
func TestStoppedLeader(t *testing.T) {
	s, pid := shared(t)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.write("new.go", "package m\n\nfunc Fresh() {}\n")
	search := func() (*api.GrepAnswer, error) { return s.Grep(t.Context(), &api.GrepRequest{Pattern: "Fresh"}) }
	waitFor(t, "effect of the signal", func() bool {
		ans, err := search()
		return err == nil && !ans.IndexUsed
	})
	grep, err := search()
	if err != nil || len(grep.Matches) != 1 || grep.FallbackReason == nil || *grep.FallbackReason != api.FallbackLeaderSilent {
		t.Fatalf("search: %+v, %v", grep, err)
	}
	graph, err := s.Graph(t.Context(), &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: "b.go#G"}})
	if err != nil || graph.FallbackReason == nil || *graph.FallbackReason != api.FallbackLeaderSilent || !slices.Contains(graph.MissingData, query.MissingIndex) {
		t.Errorf("question: %+v, %v", graph, err)
	}
	read, err := s.Read(t.Context(), &api.ReadRequest{Path: "new.go", ReturnMetadata: true})
	if err != nil || read.Freshness == nil || read.Freshness.FallbackReason == nil || *read.Freshness.FallbackReason != api.FallbackLeaderSilent {
		t.Errorf("read: %+v, %v", read, err)
	}
	if _, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil); codeOf(err) != api.CodeIndexNotReady {
		t.Errorf("job: %v", err)
	}
	if st := s.status(); st.Enabled || st.Leader || st.LeaderPID != pid || !strings.HasPrefix(st.Degraded, api.FallbackLeaderSilent) {
		t.Errorf("status: %+v", st)
	}
	late := s.follow() // a process that starts now cannot even connect
	if st, err := late.Status(t.Context()); err != nil || st.Leader || !strings.HasPrefix(st.Degraded, api.FallbackLeaderSilent) {
		t.Errorf("status of a process that starts beside it: %+v, %v", st, err)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for _, e := range []*Engine{s.Engine, late} {
		waitFor(t, "return to the leader", func() bool {
			st, err := e.Status(t.Context())
			return err == nil && st.Enabled && st.LeaderPID == pid
		})
	}
	if ans := s.callers("b.go#G", api.Required); !slices.Contains(labels(ans.Nodes), "m.F") {
		t.Errorf("question after it went on: %+v", ans)
	}
}

func TestStatusNamesTheProcesses(t *testing.T) {
	s, pid := shared(t)
	second := s.follow()
	for range 3 {
		if _, err := second.Grep(t.Context(), &api.GrepRequest{Pattern: "F"}); err != nil {
			t.Fatal(err)
		}
	}
	st := s.status()
	if st.Leading == nil || st.Leading.PID != pid || st.Leading.Since == 0 || len(st.Followers) != 2 {
		t.Fatalf("status: %+v of %+v", st.Leading, st.Followers)
	}
	if calls := st.Followers[1].Calls; calls != 3 || st.Followers[0].PID != os.Getpid() {
		t.Errorf("followers: %+v", st.Followers)
	}
}

// An index directory that is deleted under its leader is given up at once, before
// another process can lead in its place.
func TestDeletedIndexIsMadeAgain(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	if err := os.RemoveAll(filepath.Join(s.dir, ".agent")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "new index directory", func() bool {
		_, err := os.Stat(filepath.Join(s.dir, ".agent", "ralph-explore", format, "lock"))
		return err == nil && s.status().Enabled
	})
	s.reindex(api.ReindexChanged)
	if ans := s.callers("b.go#G", api.Required); !slices.Contains(labels(ans.Nodes), "m.F") {
		t.Errorf("callers: %q", labels(ans.Nodes))
	}
	if _, err := share.Lead(filepath.Join(s.dir, ".agent", "ralph-explore", format)); !errors.Is(err, share.ErrHeld) {
		t.Errorf("lease of the new directory: %v", err)
	}
}

// A job that its leader cut off in order is made again; one that died with it is not,
// for it may have been what killed the process.
func TestJobsOfALostLeader(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		again  bool
	}{{"ended", syscall.SIGTERM, true}, {"killed", syscall.SIGKILL, false}} {
		t.Run(c.name, func(t *testing.T) {
			s := &testSpace{t: t, dir: t.TempDir()}
			generate(t, s.dir, 1500, 0)
			leader := startLeader(t, s.dir)
			s.Engine = s.follow()
			sent := false
			ans, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexFull}, func(p api.Progress) {
				if !sent {
					sent = true
					_ = leader.Process.Signal(c.signal)
				}
			})
			if again := err == nil && ans.JobStatus == api.JobOK; again != c.again || !sent {
				t.Errorf("%+v, %v", ans, err)
			}
			if st := s.status(); !st.Leader || st.Degraded != "" {
				t.Errorf("status: %+v", st)
			}
		})
	}
}

// A process of an older format stays live while one of a newer format leads.
func TestNewerFormatLeads(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	newer := filepath.Join(s.dir, ".agent", "ralph-explore", "v900")
	if err := os.MkdirAll(newer, 0o700); err != nil {
		t.Fatal(err)
	}
	s.open() // nobody leads there: no reason to stay away
	if st := s.status(); !st.Leader {
		t.Fatalf("status beside an unused index: %+v", st)
	}
	t.Chdir(newer) // a socket takes a short name only
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: "engine.sock", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"protocol":900,"pid":12345,"version":"9.0"}`))
	})}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = srv.Serve(ln) }()
	waitFor(t, "retreat", func() bool { return strings.HasPrefix(s.status().Degraded, "newer_version: process 12345 (9.0)") })
	if st, err := s.follow().Status(t.Context()); err != nil || !strings.HasPrefix(st.Degraded, "newer_version") {
		t.Errorf("status of a second process: %+v, %v", st, err)
	}
	if entries, err := os.ReadDir(newer); err != nil || len(entries) != 1 {
		t.Errorf("the newer directory holds %v, %v", entries, err)
	}
	if err := srv.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
}
