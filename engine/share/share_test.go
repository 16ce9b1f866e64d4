package share_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
	"github.com/ralph-index/ralph-index/graph"
)

// fake is an engine whose methods a test replaces.
type fake struct {
	api.Files  // nil: not asked
	api.Lister // likewise
	api.Changes

	status  func(context.Context) (*api.Status, error)
	reindex func(context.Context, *api.ReindexRequest, func(api.Progress)) (*api.ReindexAnswer, error)
	graph   func(context.Context, *api.GraphRequest) (*api.GraphAnswer, error)
	grep    func(context.Context, *api.GrepRequest) (*api.GrepAnswer, error)
	read    func(context.Context, *api.ReadRequest) (*api.ReadAnswer, error)
	export  func(context.Context, io.Writer) error
}

func (f *fake) Status(ctx context.Context) (*api.Status, error) { return f.status(ctx) }
func (f *fake) Reindex(ctx context.Context, r *api.ReindexRequest, p func(api.Progress)) (*api.ReindexAnswer, error) {
	return f.reindex(ctx, r, p)
}
func (f *fake) Graph(ctx context.Context, r *api.GraphRequest) (*api.GraphAnswer, error) {
	return f.graph(ctx, r)
}
func (f *fake) Grep(ctx context.Context, r *api.GrepRequest) (*api.GrepAnswer, error) {
	return f.grep(ctx, r)
}
func (f *fake) Read(ctx context.Context, r *api.ReadRequest) (*api.ReadAnswer, error) {
	return f.read(ctx, r)
}
func (f *fake) Export(ctx context.Context, w io.Writer) error { return f.export(ctx, w) }

// leader is a served directory.
type leader struct {
	lease  *share.Lease
	socket *share.Listener
	end    func() // ends the server and waits for it
}

func lead(t *testing.T, dir string, svc api.Service) *leader {
	t.Helper()
	lease, err := share.Lead(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := share.Listen(lease)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- l.Serve(ctx, svc, share.ServeOptions{Version: "1.2", Format: "f1", Workspace: "/w"}) }()
	var once sync.Once
	end := func() {
		once.Do(func() {
			cancel()
			if err := <-served; err != nil {
				t.Errorf("serve: %v", err)
			}
		})
	}
	t.Cleanup(func() { end(); lease.Release() })
	return &leader{lease, l, end}
}

func dial(t *testing.T, dir string) *share.Client {
	t.Helper()
	c, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// short returns a directory whose socket path fits.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "share") //nolint:usetesting // TempDir has the test's name in it: too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestLeaseIsExclusive(t *testing.T) {
	dir := filepath.Join(short(t), "made", "here")
	a, err := share.Lead(dir)
	if err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Fatalf("directory: %v, %v", fi.Mode(), err)
	}
	if _, err := share.Lead(dir); !errors.Is(err, share.ErrHeld) {
		t.Fatalf("second lease: %v", err)
	}
	if !a.Held() {
		t.Fatal("lease is not held")
	}
	if err := errors.Join(a.Release(), a.Release()); err != nil {
		t.Fatal(err)
	}
	b, err := share.Lead(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if b.Held() {
		t.Fatal("a lease on a deleted directory counts as held")
	}
	b.Release()
}

func TestDialWithoutLeader(t *testing.T) {
	dir := short(t)
	if _, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f1"}); !errors.Is(err, share.ErrNoLeader) {
		t.Fatalf("no socket: %v", err)
	}
	// A socket that a killed process left behind.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "engine.sock"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if _, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f1"}); !errors.Is(err, share.ErrNoLeader) {
		t.Fatalf("dead socket: %v", err)
	}
	lead(t, dir, &fake{})
	if h := dial(t, dir).Hello(); h.PID != os.Getpid() || h.Version != "1.2" || h.Workspace != "/w" {
		t.Fatalf("hello %+v", h)
	}
	if _, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f9"}); !errors.Is(err, share.ErrVersion) {
		t.Fatalf("other version: %v", err)
	}
}

func TestLeaderThatDoesNotAnswer(t *testing.T) {
	dir := short(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "engine.sock"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := share.Dial(context.Background(), dir, share.DialOptions{Format: "f1"}); !errors.Is(err, share.ErrNoLeader) || !errors.Is(err, share.ErrSilent) {
		t.Fatalf("silent leader: %v", err)
	} else if says := fmt.Sprintf("the leading process (pid %d) does not answer", os.Getpid()); !strings.HasSuffix(err.Error(), says) {
		t.Errorf("got %v, want %s", err, says)
	}
}

func TestLongDirectory(t *testing.T) {
	dir := filepath.Join(short(t), strings.Repeat("a", 100), strings.Repeat("b", 100))
	t.Setenv("XDG_RUNTIME_DIR", short(t))
	lead(t, dir, &fake{status: func(context.Context) (*api.Status, error) { return &api.Status{FilesIndexed: 7}, nil }})
	t.Setenv("XDG_RUNTIME_DIR", "/nonexistent") // a follower with another environment
	s, err := dial(t, dir).Status(context.Background())
	if err != nil || s.FilesIndexed != 7 {
		t.Fatalf("%+v, %v", s, err)
	}
}

func TestAnswersAndErrorsSurvive(t *testing.T) {
	dir := short(t)
	big := make([]api.Match, 50_000)
	for i := range big {
		big[i] = api.Match{Path: graph.Path(fmt.Sprintf("d/f%d", i)), Line: uint32(i), Text: strings.Repeat("x", 100)}
	}
	var fail error
	f := &fake{
		status: func(context.Context) (*api.Status, error) { return &api.Status{Leader: true, LeaderPID: 1}, nil },
		graph: func(_ context.Context, r *api.GraphRequest) (*api.GraphAnswer, error) {
			a := &api.GraphAnswer{}
			a.IndexGeneration, a.ImpactedFiles = 12, []graph.Path{graph.Path(r.Target)}
			return a, nil
		},
		grep: func(_ context.Context, r *api.GrepRequest) (*api.GrepAnswer, error) {
			return &api.GrepAnswer{Pattern: r.Pattern, Matches: big}, nil
		},
		read: func(context.Context, *api.ReadRequest) (*api.ReadAnswer, error) { return nil, fail },
	}
	lead(t, dir, f)
	c := dial(t, dir)
	ctx := context.Background()

	s, err := c.Status(ctx)
	if err != nil || s.Leader || s.LeaderPID != os.Getpid() {
		t.Fatalf("status %+v, %v", s, err)
	}
	req := &api.GraphRequest{}
	req.Target = "a.b"
	g, err := c.Graph(ctx, req)
	if err != nil || g.Generation != 12 || len(g.ImpactedFiles) != 1 || g.ImpactedFiles[0] != "a.b" {
		t.Fatalf("graph %+v, %v", g, err)
	}
	a, err := c.Grep(ctx, &api.GrepRequest{Pattern: "a<&>\u2028é"})
	if err != nil || a.Pattern != "a<&>\u2028é" || len(a.Matches) != len(big) || a.Matches[49_999].Path != big[49_999].Path {
		t.Fatalf("grep: %d matches, %v", len(a.Matches), err)
	}

	fail = fmt.Errorf("wrapped: %w", &api.Error{Code: api.CodeAmbiguousSymbol, Message: "which?", Argument: "symbol", Details: map[string]any{"n": 9007199254740993}})
	_, err = c.Read(ctx, &api.ReadRequest{})
	var ae *api.Error
	if !errors.As(err, &ae) || ae.Code != api.CodeAmbiguousSymbol || ae.Argument != "symbol" || fmt.Sprint(ae.Details["n"]) != "9007199254740993" {
		t.Fatalf("api error: %#v", err)
	}
	fail = errors.New("plain")
	_, err = c.Read(ctx, &api.ReadRequest{})
	var re *share.RemoteError
	if !errors.As(err, &re) || re.Message != "plain" {
		t.Fatalf("plain error: %#v", err)
	}
	fail = &api.Error{Code: api.CodeIO, Details: map[string]any{"f": func() {}}}
	if _, err = c.Read(ctx, &api.ReadRequest{}); !errors.As(err, &ae) || ae.Code != api.CodeIO {
		t.Fatalf("error that is no JSON: %#v", err)
	}
	f.read = func(context.Context, *api.ReadRequest) (*api.ReadAnswer, error) { panic("oh") }
	if _, err = c.Read(ctx, &api.ReadRequest{}); !errors.As(err, &ae) || ae.Code != api.CodeInternal {
		t.Fatalf("panic: %#v", err)
	}
}

func TestCancellationReachesTheLeader(t *testing.T) {
	dir := short(t)
	began, ended := make(chan struct{}), make(chan time.Time, 1)
	lead(t, dir, &fake{grep: func(ctx context.Context, _ *api.GrepRequest) (*api.GrepAnswer, error) {
		close(began)
		<-ctx.Done()
		ended <- time.Now()
		return nil, ctx.Err()
	}})
	c := dial(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() {
		_, err := c.Grep(ctx, &api.GrepRequest{Pattern: strings.Repeat("p", 1<<20)})
		result <- err
	}()
	<-began
	at := time.Now()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Fatalf("caller got %v", err)
	}
	t.Logf("cancelled at the leader after %v", (<-ended).Sub(at))
	select {
	case <-c.Gone():
		t.Fatal("a cancelled call lost the leader")
	default:
	}
}

func TestDeadlineTravels(t *testing.T) {
	dir := short(t)
	lead(t, dir, &fake{
		// An engine returns what it has when time is up: a little late by nature.
		grep: func(ctx context.Context, _ *api.GrepRequest) (*api.GrepAnswer, error) {
			if _, ok := ctx.Deadline(); !ok {
				return nil, errors.New("no deadline")
			}
			<-ctx.Done()
			return &api.GrepAnswer{Deadline: true}, nil
		},
		read: func(ctx context.Context, _ *api.ReadRequest) (*api.ReadAnswer, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	})
	c := dial(t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	a, err := c.Grep(ctx, &api.GrepRequest{})
	if err != nil || !a.Deadline {
		t.Fatalf("partial answer was lost: %+v, %v", a, err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Read(ctx, &api.ReadRequest{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("deadline error: %v", err)
	}
}

func TestProgressAndExportStream(t *testing.T) {
	dir := short(t)
	seen := make(chan struct{})
	f := &fake{
		reindex: func(_ context.Context, r *api.ReindexRequest, p func(api.Progress)) (*api.ReindexAnswer, error) {
			p(api.Progress{Stage: "walk", Done: 1})
			<-seen // the caller sees progress while the job runs
			p(api.Progress{Stage: "parse", Done: 2})
			if r.Mode == api.ReindexFull {
				return nil, &api.Error{Code: api.CodeInvalidParams, Message: "no"}
			}
			return &api.ReindexAnswer{JobID: "j", ParseCount: 3}, nil
		},
		export: func(_ context.Context, w io.Writer) error {
			for range 20_000 {
				if _, err := io.WriteString(w, "{\"a\":1}\n"); err != nil {
					return err
				}
			}
			return nil
		},
	}
	lead(t, dir, f)
	c := dial(t, dir)
	var stages []string
	a, err := c.Reindex(context.Background(), &api.ReindexRequest{}, func(p api.Progress) {
		if stages = append(stages, p.Stage); len(stages) == 1 {
			close(seen)
		}
	})
	if err != nil || a.ParseCount != 3 || fmt.Sprint(stages) != "[walk parse]" {
		t.Fatalf("%+v, %v, %v", a, stages, err)
	}
	var ae *api.Error
	if _, err := c.Reindex(context.Background(), &api.ReindexRequest{Mode: api.ReindexFull}, nil); !errors.As(err, &ae) {
		t.Fatalf("failed job: %v", err)
	}
	var out bytes.Buffer
	if err := c.Export(context.Background(), &out); err != nil || out.Len() != 20_000*8 {
		t.Fatalf("export: %d bytes, %v", out.Len(), err)
	}
	f.export = func(_ context.Context, w io.Writer) error {
		_, _ = io.WriteString(w, "{}\n")
		return &api.Error{Code: api.CodeIndexNotReady}
	}
	if err := c.Export(context.Background(), io.Discard); !errors.As(err, &ae) || ae.Code != api.CodeIndexNotReady {
		t.Fatalf("failed export: %v", err)
	}
	full := errors.New("disk full")
	f.export = func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "{}\n")
		return err
	}
	if err := c.Export(context.Background(), broken{full}); !errors.Is(err, full) {
		t.Fatalf("failing writer: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestConcurrentCalls(t *testing.T) {
	dir := short(t)
	lead(t, dir, &fake{read: func(_ context.Context, r *api.ReadRequest) (*api.ReadAnswer, error) {
		return &api.ReadAnswer{Content: r.Path}, nil
	}})
	c := dial(t, dir)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 20 {
				want := fmt.Sprint(i, j)
				a, err := c.Read(context.Background(), &api.ReadRequest{Path: want})
				if err != nil || a.Content != want {
					t.Errorf("%v: %+v, %v", want, a, err)
				}
			}
		}()
	}
	wg.Wait()
}

// An ending leader cancels what runs; its callers may ask the next one.
func TestEndingLeader(t *testing.T) {
	dir := short(t)
	began := make(chan struct{}, 2)
	wait := func(ctx context.Context) error {
		began <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	l := lead(t, dir, &fake{
		grep: func(ctx context.Context, _ *api.GrepRequest) (*api.GrepAnswer, error) { return nil, wait(ctx) },
		reindex: func(ctx context.Context, _ *api.ReindexRequest, _ func(api.Progress)) (*api.ReindexAnswer, error) {
			return nil, wait(ctx)
		},
	})
	c := dial(t, dir)
	results := make(chan error, 2)
	go func() { _, err := c.Grep(context.Background(), &api.GrepRequest{}); results <- err }()
	go func() {
		_, err := c.Reindex(context.Background(), &api.ReindexRequest{}, nil)
		results <- err
	}()
	<-began
	<-began
	l.end()
	for range 2 {
		if err := <-results; !errors.Is(err, share.ErrGone) || !errors.Is(err, share.ErrNotDone) {
			t.Errorf("call at an ending leader: %v", err)
		}
	}
	<-c.Gone()
	if _, err := c.Grep(context.Background(), &api.GrepRequest{}); !errors.Is(err, share.ErrGone) || !errors.Is(err, share.ErrNotDone) {
		t.Errorf("call after the end: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "engine.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("socket is left: %v", err)
	}
}
