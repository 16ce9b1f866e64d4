package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// lateAtMost is how long after its end a call may take to return. It is generous: a
// busy machine must not fail the test.
const lateAtMost = 200 * time.Millisecond

// bigSpace is a tree in which questions and searches take a while: every function
// calls one with a name that is defined everywhere.
func bigSpace(t *testing.T, files int) *testSpace {
	t.Helper()
	s := &testSpace{t: t, dir: t.TempDir()}
	s.write("go.mod", "module m\n")
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n\ntype T struct{}\n\nfunc (T) Run() {}\n\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "func F%d_%d(x interface{ Run() }) { x.Run(); F%d_%d(x); common(%d) }\n\n", i, j, i, (j+1)%20, j)
		}
		p := filepath.Join(s.dir, fmt.Sprintf("p%d", i), "p.go")
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s.open()
}

func TestCallsEndWhenTheyAreTold(t *testing.T) {
	s := bigSpace(t, 3000)
	s.reindex(api.ReindexChanged)
	version := 0
	var worst [4]time.Duration
	ends := map[string]func(context.Context, time.Duration) (context.Context, context.CancelFunc){
		"deadline": func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, d)
		},
		"cancel": func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			if d == 0 {
				cancel()
			}
			timer := time.AfterFunc(d, cancel)
			return ctx, func() { timer.Stop(); cancel() }
		},
	}
	for how, end := range ends {
		for _, d := range []time.Duration{0, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond, 30 * time.Millisecond} {
			for i, call := range endingCalls(s) {
				// On a busy machine anything may be late once: only what is late again
				// and again is at fault.
				for try := 1; ; try++ {
					version++
					for i := range 300 * (i / 2) { // something to do for the runs
						s.write(fmt.Sprintf("p%d/p.go", i), fmt.Sprintf("package p%d\n\nfunc G%d() {}\n", i, version))
					}
					ctx, stop := end(t.Context(), d)
					began := time.Now()
					cut, err := call(ctx)
					late := time.Since(began) - d
					stop()
					if err != nil || cut != "" && cut != how || d == 0 && cut == "" {
						t.Errorf("call %d, %s of %v is labelled %q, %v", i, how, d, cut, err)
					}
					if late <= lateAtMost {
						worst[i] = max(worst[i], late)
						break
					}
					if try == 5 {
						t.Errorf("call %d is late by %v after a %s of %v", i, late, how, d)
						break
					}
				}
			}
		}
	}
	t.Logf("worst lateness: impact %v, regex search %v, changed run %v, full run %v", worst[0], worst[1], worst[2], worst[3])
	s.reindex(api.ReindexChanged)
	sameAsLive(t, s, []string{"F7_1(", "common", "interface"})
}

// endingCalls are calls that return how they were cut short: deadline, cancel or "".
func endingCalls(s *testSpace) []func(context.Context) (string, error) {
	label := func(deadline, cancelled, partial bool) string {
		switch {
		case deadline && partial:
			return "deadline"
		case cancelled && partial:
			return "cancel"
		case deadline || cancelled:
			return "cut, not labelled as partial"
		}
		return ""
	}
	reindex := func(mode api.ReindexMode) func(ctx context.Context) (string, error) {
		return func(ctx context.Context) (string, error) {
			ans, err := s.Reindex(ctx, &api.ReindexRequest{Mode: mode}, nil)
			if err != nil {
				return "", err
			}
			return label(ans.JobStatus == api.JobTimedOut, ans.JobStatus == api.JobCancelled, true), nil
		}
	}
	return []func(context.Context) (string, error){
		func(ctx context.Context) (string, error) {
			ans, err := s.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Impact, Target: "p7/p.go#T.Run", Limit: query.MaxLimit}, Freshness: api.AllowStale})
			if err != nil {
				return "", err
			}
			said := slices.Contains(ans.MissingData, query.MissingDeadline) || slices.Contains(ans.MissingData, query.MissingCancelled)
			return label(ans.Deadline, ans.Cancelled, ans.Truncated && said), nil
		},
		func(ctx context.Context) (string, error) {
			ans, err := s.Grep(ctx, &api.GrepRequest{Pattern: `F\d+_1[0-9]?\(x interface.*(a|b|c|d|e)+z`, Regex: true})
			if err != nil {
				return "", err
			}
			return label(ans.Deadline, ans.Cancelled, ans.Truncated), nil
		},
		reindex(api.ReindexChanged), reindex(api.ReindexFull),
	}
}

// Nothing that an engine started outlives it.
func TestCloseLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true}}
		generate(t, s.dir, 200, 0)
		s.open()
		other := s.follow()
		if _, err := other.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := other.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "end of goroutines", func() bool { return runtime.NumGoroutine() <= before })
}
