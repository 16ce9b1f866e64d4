package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// fleet are the servers of a round. With one server, every client speaks HTTP with
// it; with more, each has a process of its own.
type fleet struct {
	o       Options
	out     *Outcome
	servers int

	required bool // grep_files takes a freshness
	slots    []*slot
	web      *exec.Cmd

	mu sync.Mutex // guards out
}

// slot is the place of one client and, in a crowd, of its process.
type slot struct {
	mu   sync.Mutex
	c    *client.Client
	cmd  *exec.Cmd
	logs *logs
}

// logs keeps what a process said on its error stream.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// lockWords is how a process that could not open a store says so.
var lockWords = regexp.MustCompile(`(?i)cannot acquire|resource temporarily unavailable|another process is using|\block(ed)?\b.*(held|fail|timeout|unavailable)|database is locked`)

func (f *fleet) start(ctx context.Context) error {
	for range f.o.Clients {
		f.slots = append(f.slots, &slot{logs: &logs{}})
	}
	if f.servers == 1 {
		return f.startWeb(ctx)
	}
	for _, s := range f.slots {
		if err := f.launch(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// launch starts the process of a slot. The caller holds its lock, or is alone.
func (f *fleet) launch(ctx context.Context, s *slot) error {
	cmd := f.o.Stdio()
	cmd.Stderr = s.logs
	c, err := client.Start(cmd, client.Options{Name: "crowd"})
	if err != nil {
		return err
	}
	s.c, s.cmd = c, cmd
	if _, err := c.Initialize(ctx); err != nil {
		return fmt.Errorf("%w; it says: %s", err, s.logs)
	}
	return nil
}

// warm has the index built, and learns what the server offers.
func (f *fleet) warm(ctx context.Context) error {
	c := f.slots[0].c
	list, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range list {
		if t.Name == "grep_files" {
			f.required = bytes.Contains(t.InputSchema, []byte(`"freshness"`))
		}
	}
	for try := 1; ; try++ {
		res, err := c.Call(ctx, "ralph_reindex", map[string]any{"mode": "changed", "timeout_ms": 60_000}, nil)
		if err != nil {
			return err
		}
		var job struct {
			Status string `json:"job_status"`
		}
		if err := json.Unmarshal([]byte(res.Text), &job); err != nil || try == warmTries {
			return fmt.Errorf("first index: %s", res.Text)
		}
		if job.Status == "ok" || job.Status == "skipped_no_changes" {
			return nil
		}
	}
}

// warmTries bounds how often a first index is gone on with.
const warmTries = 20

// at returns the client of a slot, once it is there.
func (f *fleet) at(i int) *client.Client {
	s := f.slots[i]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.c
}

// leader asks through a slot who leads.
func (f *fleet) leader(ctx context.Context, i int) (int, error) {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	res, err := f.at(i).Call(ctx, "ralph_index_status", nil, nil)
	if err != nil {
		return 0, err
	}
	var st struct {
		PID int `json:"leader_pid"`
	}
	if err := json.Unmarshal([]byte(res.Text), &st); err != nil {
		return 0, fmt.Errorf("status says %q: %w", res.Text, err)
	}
	return st.PID, nil
}

// sample keeps a note of what went wrong. The caller holds mu.
func (f *fleet) sample(format string, args ...any) {
	if len(f.out.Samples) < maxSamples {
		f.out.Samples = append(f.out.Samples, fmt.Sprintf(format, args...))
	}
}

// close ends the servers and looks through what they said.
func (f *fleet) close() error {
	var err error
	for i, s := range f.slots {
		if s.c != nil {
			if e := s.c.Close(); e != nil {
				err = errors.Join(err, fmt.Errorf("end of client %d: %w; it says: %s", i, e, s.logs))
			}
		}
		for line := range strings.Lines(s.logs.String()) {
			if lockWords.MatchString(line) {
				f.out.Locks++
				f.sample("process %d says: %s", i, line)
			}
		}
	}
	if f.web != nil {
		err = errors.Join(err, stopServer(f.web))
	}
	return err
}
