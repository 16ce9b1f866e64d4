package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/client"
)

const (
	peakMB = 1000 // of all processes while the tree is indexed for the first time
	idleMB = 250  // of all processes at rest

	memoryTick = 50 * time.Millisecond
	// A server is at rest when its processes have used no more than restWork in the last
	// restSpan, though not before restLeast: idle work waits for up to half a minute. It
	// is then watched for restWatched, in which a sweep falls.
	restWork     = 400 * time.Millisecond
	restSpan     = 8 * time.Second
	restLeast    = 45 * time.Second
	restWatched  = 65 * time.Second
	restPatience = 5 * time.Minute
	// goroutinesMore may be busy at the moment of a count.
	goroutinesMore = 4
)

// MemoryOptions say what serves, and how much it is asked.
type MemoryOptions struct {
	Server    string // the program: ralph-index
	Questions int
}

// memory is one run of the suite.
type memory struct {
	c      *Config
	server string
	dir    string // a copy of the tree, without an index
	r      *Report
}

// Memory has a server index a copy of the tree, asks it what nobody has asked before,
// and says what its processes take meanwhile, and at rest before and after. Linux alone
// tells what that is.
func Memory(ctx context.Context, c *Config, o MemoryOptions) (*Report, error) {
	if err := procPresent(); err != nil {
		return nil, err
	}
	questions, err := memoryQuestionsOf(ctx, c, o.Questions)
	if err != nil {
		return nil, err
	}
	m := &memory{c: c, server: o.Server, dir: filepath.Join(c.Work, "memory-"+c.Tree), r: &Report{}}
	if err := os.RemoveAll(m.dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(m.dir, os.DirFS(c.Dir)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	if err := os.RemoveAll(filepath.Join(m.dir, ".agent")); err != nil {
		return nil, err
	}
	asked, err := m.used(ctx, questions)
	if err != nil {
		return nil, err
	}
	fresh, err := m.unused(ctx)
	if err != nil {
		return nil, err
	}
	m.r.add(c, "memory", "goroutines more than of one that nobody asked", float64(asked-fresh), "", atMost(goroutinesMore), note("%d -> %d", fresh, asked))
	return m.r, nil
}

// used measures a server that indexes the tree and is asked, and returns its goroutines.
func (m *memory) used(ctx context.Context, questions []memoryQuestion) (goroutines int, err error) {
	s, err := m.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer s.kill()
	if err := s.indexed(ctx); err != nil {
		return 0, err
	}
	before, err := s.rest(ctx)
	if err != nil {
		return 0, err
	}
	peak := s.peak.take() // with what is done after an index is there
	m.r.add(m.c, "memory", "peak of all processes, cold indexing", mb(peak.anon), "MB", atMost(peakMB),
		note("%.0f MB of them the server's, %d processes", mb(peak.own), peak.processes))
	m.idle("at rest after indexing", before)
	for _, q := range questions {
		if err := s.ask(ctx, q); err != nil {
			return 0, err
		}
	}
	after, err := s.rest(ctx)
	if err != nil {
		return 0, err
	}
	peak = s.peak.take()
	m.r.add(m.c, "memory", fmt.Sprintf("peak of all processes, %d questions", len(questions)), mb(peak.anon), "MB",
		note("%.0f MB of them the server's, %d processes", mb(peak.own), peak.processes))
	m.idle(fmt.Sprintf("at rest after %d questions", len(questions)), after)
	m.r.add(m.c, "memory", "descriptors more after the questions", float64(after.descriptors-before.descriptors), "", atMost(0),
		note("%d -> %d; threads %d -> %d", before.descriptors, after.descriptors, before.threads, after.threads))
	return s.quit(ctx)
}

// unused measures a server on the index that is there, and returns its goroutines.
func (m *memory) unused(ctx context.Context) (goroutines int, err error) {
	s, err := m.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer s.kill()
	if err := s.indexed(ctx); err != nil {
		return 0, err
	}
	at, err := s.rest(ctx)
	if err != nil {
		return 0, err
	}
	m.idle("at rest, opened on an index", at)
	return s.quit(ctx)
}

func (m *memory) idle(name string, at rested) {
	m.r.add(m.c, "memory", name, mb(at.anon), "MB", atMost(idleMB),
		note("the most in %.0f s, least %.0f MB; %.0f MB the server's, %d processes", restWatched.Seconds(), mb(at.least), mb(at.own), at.processes))
}

// memoryQuestion is a call.
type memoryQuestion struct {
	tool string
	args map[string]any
}

// definedName finds what the languages of the trees define at the beginning of a line.
var definedName = regexp.MustCompile(`(?m)^(?:\s*def|func(?: \([^)\n]*\))?|(?:export )?(?:async )?function) +(\w+)`)

// memoryQuestionsOf prepares graph questions of each kind about definitions all over
// the tree, and searches of each kind, in turn.
func memoryQuestionsOf(ctx context.Context, c *Config, n int) ([]memoryQuestion, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 9))
	cen, err := takeCensus(ctx, c.Dir, rng)
	if err != nil {
		return nil, err
	}
	var targets []string
	for _, p := range pick(rng, append(cen.paths[:0:0], cen.paths...), len(cen.paths)) {
		if len(targets) == n {
			break
		}
		src, err := os.ReadFile(filepath.Join(c.Dir, filepath.FromSlash(string(p))))
		if err != nil {
			return nil, err
		}
		all := definedName.FindAllSubmatchIndex(src, -1)
		if len(all) == 0 {
			continue
		}
		at := all[rng.IntN(len(all))][2]
		targets = append(targets, string(p)+":"+strconv.Itoa(bytes.Count(src[:at], []byte{'\n'})+1))
	}
	if len(targets) == 0 {
		return nil, errors.New("the tree has no definitions to ask about")
	}
	literals := cen.band(rng, n/4, 0, 0.02)
	literals = append(literals, cen.subWords(rng, n/8)...)
	literals = append(literals, cen.band(rng, n/50, 0.1, 0.4)...)
	literals = pick(rng, literals, len(literals))
	types := []query.Type{query.Neighbors, query.Impact, query.Tests, query.Path, query.Hubs}
	var out []memoryQuestion
	for i := 0; len(out) < n; i++ {
		if i%3 == 2 && len(literals) > 0 {
			out = append(out, memoryQuestion{"grep_files", map[string]any{"pattern": literals[i/3%len(literals)], "regex": false}})
			continue
		}
		args := map[string]any{"query_type": types[i%len(types)]}
		if args["query_type"] != query.Hubs {
			args["target"] = targets[i%len(targets)]
		}
		if args["query_type"] == query.Path {
			args["target_b"] = targets[(i+1)%len(targets)]
		}
		out = append(out, memoryQuestion{"ralph_graph", args})
	}
	return out, nil
}

// memoryServer is a server and what watches it.
type memoryServer struct {
	cmd  *exec.Cmd
	c    *client.Client
	logs lockedBuffer
	peak peak
	stop context.CancelFunc
	done sync.WaitGroup
}

// serve starts a server on the copy of the tree.
func (m *memory) serve(ctx context.Context) (*memoryServer, error) {
	s := &memoryServer{cmd: exec.Command(m.server, "--workspace", m.dir, "serve")}
	s.cmd.Stderr = &s.logs
	var err error
	if s.c, err = client.Start(s.cmd, client.Options{Name: "memory"}); err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.done.Go(func() { s.watch(watching) })
	if _, err := s.c.Initialize(ctx); err != nil {
		s.kill()
		return nil, fmt.Errorf("%w; it says: %s", err, s.logs.text())
	}
	return s, nil
}

// watch looks at the processes until ctx or the server ends.
func (s *memoryServer) watch(ctx context.Context) {
	tick := time.NewTicker(memoryTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if f, err := footprintOf(s.cmd.Process.Pid); err == nil {
			s.peak.see(f)
		}
	}
}

// peak keeps the largest footprint.
type peak struct {
	mu   sync.Mutex
	most footprint
}

func (p *peak) see(f footprint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.anon > p.most.anon {
		p.most = f
	}
}

// take returns what was seen since it was called last.
func (p *peak) take() footprint {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.most
	p.most = footprint{}
	return f
}

// kill ends the server, if it has not ended.
func (s *memoryServer) kill() {
	s.stop()
	s.done.Wait()
	_ = s.cmd.Process.Kill() // it may be gone already
	_ = s.c.Close()          // and says so
}

// indexed waits until the server has an index of everything.
func (s *memoryServer) indexed(ctx context.Context) error {
	for {
		res, err := s.c.Call(ctx, "ralph_index_status", nil, nil)
		if err != nil {
			return fmt.Errorf("%w; the server says: %s", err, s.logs.text())
		}
		var st struct {
			Cold    bool `json:"cold_index_required"`
			Running bool `json:"reindex_in_progress"`
			Stale   bool `json:"is_stale"`
		}
		if err := json.Unmarshal([]byte(res.Text), &st); err != nil {
			return fmt.Errorf("status says %q: %w", res.Text, err)
		}
		if !st.Cold && !st.Running && !st.Stale {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// ask asks one question. What it is answered is the business of other suites.
func (s *memoryServer) ask(ctx context.Context, q memoryQuestion) error {
	res, err := s.c.Call(ctx, q.tool, q.args, nil)
	if err != nil {
		return fmt.Errorf("%w; the server says: %s", err, s.logs.text())
	}
	if res.IsError {
		return fmt.Errorf("%s %v: %s", q.tool, q.args, res.Text)
	}
	return nil
}

// rested is the largest footprint of a while at rest, and the least memory in it.
type rested struct {
	footprint
	least int64
}

// rest waits until the server has come to rest, and watches it then. Nobody asks
// anything meanwhile.
func (s *memoryServer) rest(ctx context.Context) (rested, error) {
	pid, began := s.cmd.Process.Pid, time.Now()
	for quiet, last := time.Now(), time.Duration(0); ; {
		f, err := footprintOf(pid)
		if err != nil {
			return rested{}, fmt.Errorf("%w; the server says: %s", err, s.logs.text())
		}
		if f.processor-last > restWork || f.processor < last { // less: a process has ended
			quiet, last = time.Now(), f.processor
		}
		if time.Since(quiet) > restSpan && time.Since(began) > restLeast {
			break
		}
		if time.Since(quiet) > restSpan {
			quiet, last = time.Now(), f.processor
		}
		if time.Since(began) > restPatience {
			return rested{}, fmt.Errorf("the server did not come to rest within %v", restPatience)
		}
		if err := pause(ctx, time.Second); err != nil {
			return rested{}, err
		}
	}
	var out rested
	for began = time.Now(); time.Since(began) < restWatched; {
		f, err := footprintOf(pid)
		if err != nil {
			return rested{}, fmt.Errorf("%w; the server says: %s", err, s.logs.text())
		}
		if out.least == 0 || f.anon < out.least {
			out.least = f.anon
		}
		if f.anon > out.anon {
			out.footprint = f
		}
		if err := pause(ctx, time.Second); err != nil {
			return rested{}, err
		}
	}
	return out, nil
}

// quit has the server end with a list of its goroutines, and counts them.
func (s *memoryServer) quit(ctx context.Context) (int, error) {
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		return 0, fmt.Errorf("end server: %w", err)
	}
	for {
		if _, err := footprintOf(s.cmd.Process.Pid); err != nil { // a dead process has no memory
			break
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return 0, err
		}
	}
	_ = s.c.Close() // it did not end in order
	n := goroutinesOf(s.logs.text())
	if n == 0 {
		return 0, fmt.Errorf("the server listed no goroutines; it says: %s", s.logs.text())
	}
	return n, nil
}

// lockedBuffer keeps what a process writes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
