package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// A full rebuild loses nothing that is written while it runs, and its generation is
// later than the ones before.
func TestARebuildKeepsWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	files := checkFiles()
	for i := range 60 {
		files[fmt.Sprintf("bulk/f%d.py", i)] = fmt.Sprintf("def bulk_%d():\n    return %d\n", i, i)
	}
	w := checkServer(t, files)
	before := w.generation()
	var wg sync.WaitGroup
	wg.Go(func() {
		res, err := w.Call(t.Context(), "ralph_reindex", object{"mode": "full", "timeout_ms": 60000}, nil)
		if err != nil || res.IsError || !strings.Contains(res.Text, `"job_status":"ok"`) {
			t.Errorf("rebuild: %v, %v", res, err)
		}
	})
	last := before
	for i := range 20 {
		w.must("write_file", object{"path": fmt.Sprintf("during/f%d.txt", i), "content": fmt.Sprintf("meanwhile %d.\n", i)})
		g := w.generation()
		if g < last {
			t.Errorf("generation %v after %v", g, last)
		}
		last = g
	}
	wg.Wait()
	w.refresh()
	if g := w.generation(); g <= before || g < last {
		t.Errorf("generation %v, was %v and %v", g, before, last)
	}
	if n := w.indexed("meanwhile"); n != 20 {
		t.Errorf("%d of 20 files are in the index", n)
	}
	w.quiet()
}

// dense is a package in which everything calls everything: 20,000 calls.
func dense() map[string]string {
	out := map[string]string{"go.mod": "module m\n"}
	const files, each = 10, 200
	for p := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "package d\n\n")
		for i := range each {
			fmt.Fprintf(&b, "func F%d_%d() {", p, i)
			for k := range 10 {
				fmt.Fprintf(&b, " F%d_%d();", (p+k)%files, (i*7+k*13)%each)
			}
			b.WriteString(" }\n")
		}
		out[fmt.Sprintf("d/f%d.go", p)] = b.String()
	}
	return out
}

// syncBuffer is a buffer that is written and read at once.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.b.String(), text)
}

// logged is a server whose log can be read, and a client that tells what it has sent.
func logged(t *testing.T, dir string, sent func(line string)) (*wire, *syncBuffer) {
	t.Helper()
	var log syncBuffer
	cmd := exec.Command("ralph-index", "serve", "--workspace", dir, "-v")
	cmd.Stderr = &log
	cl, err := client.Start(cmd, client.Options{Name: "test", Transcript: func(d client.Direction, line []byte) {
		if d == client.Sent {
			sent(string(line))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Client: cl, t: t, dir: dir}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.untilIndexed()
	w.settle()
	return w, &log
}

// A question ends when its caller gives it up, and when its time is over.
func TestAGraphQuestionEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range dense() {
		put(t, filepath.Join(dir, name), text)
	}
	asked := make(chan struct{})
	var once sync.Once
	w, log := logged(t, dir, func(line string) {
		if strings.Contains(line, `"ralph_graph"`) {
			once.Do(func() { close(asked) })
		}
	})
	t.Run("a cancel that arrives while a question runs stops it", func(t *testing.T) { w.in(t).endsWithItsCaller(asked, log) })
	t.Run("neighbors of depth 3 end at their deadline, and say so", func(t *testing.T) { w.in(t).endsAtItsDeadline() })
}

func (w *wire) endsWithItsCaller(asked <-chan struct{}, log *syncBuffer) {
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := w.Call(ctx, "ralph_graph", object{"query_type": "neighbors", "target": "d.F2_2", "depth": 3, "limit": 100, "timeout_ms": 30000}, nil)
		ended <- err
	}()
	<-asked
	w.must("stat_path", object{"path": "go.mod"}) // the question is under way, or at least read
	cancel()
	if err := <-ended; err == nil {
		w.t.Fatal("the question was over before it was cancelled")
	}
	w.until("end of the cancelled question", func() bool { return log.has("tool=ralph_graph status=cancelled") })
	w.must("stat_path", object{"path": "go.mod"})
}

// A question whose time ends says so, and what it found by then is an answer.
func (w *wire) endsAtItsDeadline() {
	for _, ms := range []int{1, 200} {
		ans := w.must("ralph_graph", object{
			"query_type": "neighbors", "target": "d.F0_0", "depth": 3, "limit": 100, "timeout_ms": ms, "freshness": "allow_stale",
		})
		said := slices.Contains(ans["missing_data"].([]any), any("deadline_exceeded"))
		if late := ans["deadline_exceeded"] == true; late != said || ms == 1 && !late && len(ans["nodes"].([]any)) == 0 {
			w.t.Errorf("%d ms: deadline_exceeded %v, missing_data %v", ms, ans["deadline_exceeded"], ans["missing_data"])
		}
	}
	ans := w.must("ralph_graph", object{"query_type": "neighbors", "target": "d.F0_0", "depth": 3, "limit": 100, "timeout_ms": 30000})
	if ans["deadline_exceeded"] != false || len(ans["nodes"].([]any)) != 100 || ans["truncated"] != true {
		w.t.Errorf("with time enough: %d nodes, %v, %v", len(ans["nodes"].([]any)), ans["deadline_exceeded"], ans["missing_data"])
	}
	if ans := w.must("ralph_graph", object{"query_type": "neighbors", "target": "d.F0_0", "cancel": true}); ans["cancelled"] != true ||
		fmt.Sprint(ans["missing_data"]) != "[cancelled]" {
		w.t.Errorf("cancelled: %v", ans)
	}
}

// A build that runs out of time keeps what it has, and the next one goes on from there,
// also in another process.
func TestATimedOutBuildResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const files = 200
	for i := range files {
		put(t, filepath.Join(dir, fmt.Sprintf("p/f%d.py", i)), fmt.Sprintf("def fn_%d():\n    return %d\n", i, i))
	}
	timedOut, parsed := 0, 0
	for ms := 20; ; ms *= 2 {
		out, err := exec.Command("ralph-index", "--workspace", dir, "--json", "call", "ralph_reindex", fmt.Sprintf(`{"mode":"changed","timeout_ms":%d}`, min(ms, 60000))).Output()
		var ans struct {
			JobStatus  string `json:"job_status"`
			ParseCount int    `json:"parse_count"`
		}
		if jsonErr := json.Unmarshal(out, &ans); jsonErr != nil {
			t.Fatalf("%s, %v, %v", out, err, jsonErr)
		}
		parsed += ans.ParseCount
		if ans.JobStatus == "timed_out" {
			timedOut++
			continue
		}
		if ans.JobStatus != "ok" && ans.JobStatus != "skipped_no_changes" {
			t.Fatalf("%s", out)
		}
		break
	}
	t.Logf("%d builds ran out of time, %d parses", timedOut, parsed)
	if timedOut == 0 || parsed > files+files/2 {
		t.Errorf("%d builds ran out of time; %d files were parsed %d times in all", timedOut, files, parsed)
	}
	w := serveAt(t, dir)
	w.settle()
	if n := w.indexed("def fn_"); n != files {
		t.Errorf("%d of %d files are in the index", n, files)
	}
}
