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
		if done, err := indexedBy(res.Text); done || err != nil {
			return err
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// indexedBy reports whether a status says that everything is indexed.
func indexedBy(status string) (bool, error) {
	var st struct {
		Cold    bool `json:"cold_index_required"`
		Running bool `json:"reindex_in_progress"`
		Stale   bool `json:"is_stale"`
	}
	if err := json.Unmarshal([]byte(status), &st); err != nil {
		return false, fmt.Errorf("status says %q: %w", status, err)
	}
	return !st.Cold && !st.Running && !st.Stale, nil
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

// rest waits until the server has come to rest, not before least has passed, and watches
// it then. Nobody asks anything meanwhile.
func (s *memoryServer) rest(ctx context.Context, least time.Duration) (rested, error) {
	pid, began := s.cmd.Process.Pid, time.Now()
	for quiet, last := time.Now(), time.Duration(0); ; {
		f, err := footprintOf(pid)
		if err != nil {
			return rested{}, fmt.Errorf("%w; the server says: %s", err, s.logs.text())
		}
		if f.processor-last > restWork || f.processor < last { // less: a process has ended
			quiet, last = time.Now(), f.processor
		}
		if time.Since(quiet) > restSpan && time.Since(began) > least {
			break
		}
		if time.Since(quiet) > restSpan {
			quiet, last = time.Now(), f.processor
		}
		if time.Since(began) > least+restPatience {
			return rested{}, fmt.Errorf("the server did not come to rest within %v", least+restPatience)
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
