package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

const modeVar = "WORKER_TEST_MODE"

// TestMain turns the test binary into a worker when a test starts it as one. In mode
// "odd" some file names make the worker misbehave.
func TestMain(m *testing.M) {
	switch os.Getenv(modeVar) {
	case "plain":
		exit(Serve(context.Background(), os.Stdin, os.Stdout))
	case "brief": // what takes a grammar long is cut soon
		x := extract.New(extract.Limits{Time: briefly})
		exit(serve(context.Background(), os.Stdin, os.Stdout, x.Encoded))
	case "odd":
		x := extract.New(extract.Limits{})
		exit(serve(context.Background(), os.Stdin, os.Stdout, func(ctx context.Context, f extract.File) ([]byte, error) {
			switch name := f.Path.Base(); {
			case strings.HasPrefix(name, "hang"):
				for { // a grammar in an endless loop
					runtime.KeepAlive(name)
				}
			case strings.HasPrefix(name, "crash"):
				os.Exit(3)
			case strings.HasPrefix(name, "once"):
				mark := string(f.Src[len("package p // "):])
				if _, err := os.Stat(mark); err != nil {
					_ = os.WriteFile(mark, nil, 0o600)
					os.Exit(3)
				}
			case strings.HasPrefix(name, "refused"):
				return nil, errors.New("no grammar")
			}
			return x.Encoded(ctx, f)
		}))
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func startPool(t testing.TB, mode string, opt Options) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opt.Command, opt.Env = []string{exe}, []string{modeVar + "=" + mode}
	p, err := Start(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func file(path, src string) extract.File {
	return extract.File{Path: graph.Path(path), Src: []byte(src), Hash: sha256.Sum256([]byte(src))}
}

func TestSameFactsAsInProcess(t *testing.T) {
	p := startPool(t, "plain", Options{Workers: 2})
	paths, _ := filepath.Glob("*.go")
	more, _ := filepath.Glob("../*/*/*.go")
	var wg sync.WaitGroup
	for _, path := range append(paths, more...) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			f := file(strings.TrimPrefix(path, "../"), string(src))
			got, err := p.Extract(context.Background(), f)
			if err != nil {
				t.Error(err)
				return
			}
			facts, err := extract.Extract(context.Background(), f)
			if err != nil {
				t.Error(err)
				return
			}
			if !bytes.Equal(got, blob.Encode(facts)) {
				t.Errorf("%s: facts differ from those made in process", path)
			}
		}()
	}
	wg.Wait()
}

func TestMisbehaviour(t *testing.T) {
	p := startPool(t, "odd", Options{Workers: 1, Deadline: 6 * time.Second}) // what does not hang needs milliseconds
	mark := filepath.Join(t.TempDir(), "mark")
	cases := []struct {
		path, src string
		status    graph.Status
		reason    string
	}{
		{"a.go", "package p", graph.StatusOK, ""},
		{"hang.go", "package p", graph.StatusFailed, ReasonTimeout},
		{"b.go", "package p", graph.StatusOK, ""},
		{"crash.go", "package p\n", graph.StatusFailed, ReasonCrashed},
		{"c.go", "package p", graph.StatusOK, ""},
		{"once.go", "package p // " + mark, graph.StatusOK, ""},
		{"big.go", "package p\n" + strings.Repeat("// x\n", 1<<15), graph.StatusOK, ""}, // more than a pipe holds
	}
	var wg sync.WaitGroup
	for _, c := range cases {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b, err := p.Extract(context.Background(), file(c.path, c.src))
			if err != nil {
				t.Errorf("%s: %v", c.path, err)
				return
			}
			f, err := blob.Decode(b)
			if err != nil {
				t.Errorf("%s: %v", c.path, err)
				return
			}
			if f.Status != c.status || f.Reason != c.reason || f.Path != graph.Path(c.path) || f.Hash != sha256.Sum256([]byte(c.src)) || f.Language != "go" {
				t.Errorf("%s: %s %q %s", c.path, f.Status, f.Reason, f.Language)
			}
		}()
	}
	wg.Wait()
	if _, err := p.Extract(context.Background(), file("refused.go", "package p")); err == nil || !strings.Contains(err.Error(), "no grammar") {
		t.Errorf("error %v", err)
	}
}

func TestNothingToExtractStartsNothing(t *testing.T) {
	p, err := Start(Options{Command: []string{"/no/such/program"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if b, err := p.Extract(context.Background(), file("a.txt", "x")); b != nil || err != nil {
		t.Errorf("Extract = %v, %v", b, err)
	}
	if _, err := p.Extract(context.Background(), file("a.go", "package p")); err == nil {
		t.Error("no error from a command that does not exist")
	}
}

func TestCancelAndClose(t *testing.T) {
	p := startPool(t, "odd", Options{Workers: 1})
	ctx, cancel := context.WithCancel(context.Background())
	errs := make(chan error, 3)
	for _, name := range []string{"hang1.go", "hang2.go", "hang3.go"} {
		go func() {
			c := context.Background()
			if name == "hang1.go" {
				c = ctx
			}
			_, err := p.Extract(c, file(name, "package p"))
			errs <- err
		}()
	}
	cancel()
	if err := <-errs; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-errs; !errors.Is(err, ErrClosed) {
			t.Errorf("error %v, want ErrClosed", err)
		}
	}
	if _, err := p.Extract(context.Background(), file("a.go", "package p")); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

func TestRecyclesOverMemoryLimit(t *testing.T) {
	p := startPool(t, "plain", Options{Workers: 1, MaxRSS: 1}) // every process is above it
	for i := range 5 {
		if _, err := p.Extract(context.Background(), file(fmt.Sprintf("f%d.go", i), "package p\n")); err != nil {
			t.Fatal(err)
		}
	}
}

// The last process stays, but not with the memory of what it has done.
func TestReplacesLargeProcessAtRest(t *testing.T) {
	ended := make(reasons, 16)
	p := startPool(t, "plain", Options{Workers: 1, Idle: 20 * time.Millisecond, IdleRSS: 1, Logger: slog.New(ended)})
	for round := range 3 {
		for i := range 2 { // one that has done no more than begin is fresh
			if _, err := p.Extract(t.Context(), file(fmt.Sprintf("%d-%d.go", round, i), "package p\n")); err != nil {
				t.Fatal(err)
			}
		}
		for why := ""; why != "memory at rest"; {
			select {
			case why = <-ended:
			case <-time.After(time.Minute):
				t.Fatal("the process is not replaced")
			}
		}
		for deadline := time.Now().Add(time.Minute); p.alive.Load() != 1; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d processes wait", p.alive.Load())
			}
		}
	}
}

// reasons receives why processes end, from the log.
type reasons chan string

func (reasons) Enabled(context.Context, slog.Level) bool { return true }
func (r reasons) WithAttrs([]slog.Attr) slog.Handler     { return r }
func (r reasons) WithGroup(string) slog.Handler          { return r }

func (r reasons) Handle(_ context.Context, rec slog.Record) error {
	rec.Attrs(func(a slog.Attr) bool {
		if a.Key == "why" {
			select {
			case r <- a.Value.String():
			default:
			}
		}
		return true
	})
	return nil
}

func TestServeRefusesBrokenFrames(t *testing.T) {
	for _, in := range []string{"\x01", "\xff\xff\xff\xff", "\x02\x00\x00\x00ab", "\x08\x00\x00\x00\xff\xff\xff\x7f____"} {
		var out bytes.Buffer
		if err := Serve(context.Background(), strings.NewReader(in), &out); err == nil || out.Len() > 0 {
			t.Errorf("%q: error %v, %d bytes out", in, err, out.Len())
		}
	}
	if err := Serve(context.Background(), strings.NewReader(""), &bytes.Buffer{}); err != nil {
		t.Errorf("end of input: %v", err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(appendRequest(nil, file("a.go", ""))[4:])
	f.Add([]byte{1, 0, 0, 0, 0, 'x'})
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := parseRequest(b); err == nil {
			if again := append(appendRequest(nil, r), r.Src...); !bytes.Equal(again[4:], b) {
				t.Errorf("%q read as %+v", b, r)
			}
		}
		if r, err := parseReply(b); err == nil && len(r.body)+replyHeader != len(b) {
			t.Errorf("%q read as %+v", b, r)
		}
	})
}

// A file goes to a process that waits, not to one that has to be started; of those
// that wait too long, one stays.
func TestPoolPrefersProcessesThatWait(t *testing.T) {
	p := startPool(t, "plain", Options{Workers: 4, Idle: 20 * time.Millisecond, IdleRSS: 1 << 40})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	started := 0
	for i := range 40 {
		for deadline := time.Now().Add(time.Minute); p.alive.Load() != 1; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d processes are left", p.alive.Load())
			}
		}
		if _, err := p.Extract(t.Context(), file(fmt.Sprintf("%d.go", i), "package p\n")); err != nil {
			t.Fatal(err)
		}
		if p.alive.Load() > 1 { // it happens where the one that waits is just doing something else
			started++
		}
	}
	if started > 20 {
		t.Errorf("%d of 40 files had a process started", started)
	}
}
