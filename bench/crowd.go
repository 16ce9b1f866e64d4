package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/bench/crowd"
)

// CrowdOptions say how large a crowd is.
type CrowdOptions struct {
	Server    string // the program that serves: ralph-index
	Clients   int
	Calls     int // of each client
	Seconds   int // the least duration of a round
	Rounds    int
	Writes    int // a second
	KillEvery time.Duration
	Mixed     bool // leaders are also stopped for a while, and closed in order
}

// crowdSlower is how much slower a crowd may be than as many clients on one server.
const crowdSlower = 1.5

// Crowd lets server processes on a copy of the tree answer clients while a writer
// changes it and the leader is killed, and holds their latencies against one server.
func Crowd(ctx context.Context, c *Config, o CrowdOptions) (*Report, error) {
	dir := filepath.Join(c.Work, "crowd-"+c.Tree)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(c.Dir)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	many, one, err := crowd.Run(ctx, crowd.Options{
		Dir: dir, Clients: o.Clients, Calls: o.Calls, Seconds: o.Seconds, Rounds: o.Rounds, Writes: o.Writes,
		KillEvery: o.KillEvery, Mixed: o.Mixed, Seed: c.Seed, Log: c.Log,
		Stdio: func() *exec.Cmd { return exec.Command(o.Server, "--workspace", dir, "serve") },
		HTTP: func(addr string) *exec.Cmd {
			return exec.Command(o.Server, "--workspace", dir, "serve", "--http", addr, "--no-token")
		},
	})
	if err != nil {
		return nil, err
	}
	r := &Report{}
	c.crowdFaults(r, "crowd", many)
	c.crowdFaults(r, "one server", one)
	r.add(c, "crowd", "leaders killed", float64(many.Kills), "", note("%d stopped for a while, %d closed in order; seed %d, %d servers, %d calls, %d writes",
		many.Stops, many.Ends, c.Seed, o.Clients, many.Calls, many.Writes))
	r.add(c, "crowd", "another process leads after, p50", quantile(many.Failover, 0.5), "ms", atMost(1000),
		note("longest %.0f ms", slices.Max(append(many.Failover, 0))))
	if len(many.Handover) > 0 {
		r.add(c, "crowd", "another process leads after an orderly end, p50", quantile(many.Handover, 0.5), "ms", atMost(1000),
			note("longest %.0f ms", slices.Max(many.Handover)))
	}
	for _, tool := range []string{"grep_files", "ralph_graph", "read_file"} {
		a, b := many.Took[tool], one.Took[tool]
		ratio := quantile(a, 0.95) / max(quantile(b, 0.95), 0.001)
		opts := []func(*Row){peer(1), note("p50 %.1f against %.1f ms, p95 %.1f against %.1f ms, %d calls",
			quantile(a, 0.5), quantile(b, 0.5), quantile(a, 0.95), quantile(b, 0.95), len(a))}
		if tool != "read_file" {
			opts = append(opts, atMost(crowdSlower))
		}
		r.add(c, "crowd", "p95 of "+tool+", crowd / one server", ratio, "", opts...)
	}
	return r, nil
}

func (c *Config) crowdFaults(r *Report, who string, out *crowd.Outcome) {
	r.add(c, "crowd", who+": words about a lock", float64(out.Locks), "", atMost(0))
	r.add(c, "crowd", who+": calls without an answer", float64(out.Lost), "", atMost(0),
		note("of %d; %d reads on their way in a killed process were made again, %d jobs were lost with theirs", out.Calls, out.Repeated, out.LostJobs))
	r.add(c, "crowd", who+": wrong answers", float64(out.Wrong), "", atMost(0), note("%d answers used no index", out.Live))
	for _, s := range out.Samples {
		_, _ = fmt.Fprintln(c.Log, who+":", s)
	}
}
