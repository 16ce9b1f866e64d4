package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// batches runs showBatches until it has written n lines.
func batches(t *testing.T, f *fake, asJSON bool, n int, send ...api.Job) (out, notes string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stdout, stderr := &countedLines{n: n, full: cancel}, &bytes.Buffer{}
	a := &app{env: env{stdout: stdout, stderr: stderr, getenv: func(string) string { return "" }}, asJSON: asJSON, color: "never"}
	jobs := make(chan api.Job, len(send))
	for _, j := range send {
		jobs <- j
	}
	if err := a.showBatches(ctx, f, jobs); err != nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String()
}

// countedLines ends the watching when enough is written.
type countedLines struct {
	bytes.Buffer
	n    int
	full func()
}

func (w *countedLines) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if bytes.Count(w.Bytes(), []byte("\n")) >= w.n {
		w.full()
	}
	return n, err
}

func someJob(id string) api.Job {
	return api.Job{JobID: id, Generation: 7, FilesAdded: 3, FilesChanged: 15, FilesRemoved: 1, StartedAt: 1000, FinishedAt: 1000.084}
}

func TestWatchShowsBatches(t *testing.T) {
	out, _ := batches(t, &fake{}, false, 2, someJob("a"), someJob("b"))
	for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if !strings.HasSuffix(l, " +3 ~12 -1 in 84 ms") && !strings.HasSuffix(l, " +3 ~12 -1 in 83 ms") {
			t.Errorf("line %q", l)
		}
	}
}

func TestWatchForPrograms(t *testing.T) {
	out, _ := batches(t, &fake{}, true, 1, someJob("a"))
	var b batch
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if b.Generation != 7 || b.Added != 3 || b.Changed != 12 || b.Removed != 1 || b.ElapsedMS < 83 || b.ElapsedMS > 85 {
		t.Errorf("%+v", b)
	}
}

// follow is an engine whose leader does a job each time it is asked.
type follow struct {
	fake
	jobs []api.Job
}

func (f *follow) Status(context.Context) (*api.Status, error) {
	j := f.jobs[0]
	if len(f.jobs) > 1 {
		f.jobs = f.jobs[1:]
	}
	return &api.Status{LastJob: &j, LeaderPID: 12, Workspace: "/w", Watcher: api.Watcher{State: "active", Watches: 5}}, nil
}

func TestWatchOfAnotherProcess(t *testing.T) {
	f := &follow{jobs: []api.Job{someJob("before"), someJob("before"), someJob("one"), someJob("one"), someJob("two")}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stdout, stderr := &countedLines{n: 2, full: cancel}, &bytes.Buffer{}
	a := &app{env: env{stdout: stdout, stderr: stderr, getenv: func(string) string { return "" }}, color: "never"}
	if err := a.showBatches(ctx, f, nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(stdout.String(), "\n"); got != 2 {
		t.Errorf("%d batches: %s", got, stdout.String())
	}
	if !strings.Contains(stderr.String(), "by process 12") {
		t.Errorf("notes: %s", stderr.String())
	}
}

// When another process leads, watch says which.
func TestWatchNamesTheNextLeader(t *testing.T) {
	stderr := &bytes.Buffer{}
	a := &app{env: env{stdout: &bytes.Buffer{}, stderr: stderr, getenv: func(string) string { return "" }}}
	said := ""
	for _, pid := range []int{12, 12, 34} {
		said = a.noteWatcher(&api.Status{LeaderPID: pid, Workspace: "/w", Watcher: api.Watcher{State: "active", Watches: 5}}, said)
	}
	if got := strings.Split(strings.TrimSpace(stderr.String()), "\n"); len(got) != 2 || !strings.HasSuffix(got[1], "by process 34") {
		t.Errorf("notes: %q", got)
	}
}
